"""There is one gate for other people's text: none of it is taken for markup, or for a title.

`walls.txt` says who reads the letters of a foreign text, and who writes to terminals and files.
"""

import ast
from collections.abc import Iterator

from tests.helpers import sources
from tests.helpers.sources import product

SHOWERS = {"notify", "Static", "Label", "OptionList", "SelectionList"}
"""Calls that take their text for markup unless told not to."""


def literal(call: ast.Call) -> bool:
    """Whether a call says that its text is not markup."""
    return any(
        word.arg == "markup" and isinstance(word.value, ast.Constant) and word.value.value is False
        for word in call.keywords
    )


def showing(tree: ast.AST) -> list[ast.Call]:
    """The calls that show a text which could be taken for markup."""
    calls = [node for node in sources.nodes(tree) if isinstance(node, ast.Call)]
    bases = {
        base.id
        for node in sources.nodes(tree)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if isinstance(base, ast.Name)
    }
    supers = {"super().__init__"} if bases & SHOWERS else set()
    return [call for call in calls if called_as(call) in SHOWERS | supers]


def called_as(call: ast.Call) -> str:
    """The name that is called; for `super()`, with the method before it."""
    match call.func:
        case ast.Attribute(ast.Call(ast.Name("super"), []), name):
            return f"super().{name}"
        case ast.Attribute(_, name) | ast.Name(name):
            return name
    return ""


def texts(tree: ast.AST) -> Iterator[str]:
    """Everything in a module between quotation marks."""
    for node in sources.nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield node.value if isinstance(node.value, str) else node.value.decode("latin-1")


TITLER = "spoof_tui.ui.terminal"
"""The module that names the window of a terminal, by printable letters only."""

TITLES = ("\x1b]", "\\x1b]", "\\033]")
"""Sequences that give a terminal a title, and how they may be spelled."""


def test_one_module_sets_the_title_of_a_terminal() -> None:
    for module, tree in product().items():
        asking = {form for form in TITLES if any(form in text for text in texts(tree))}
        assert asking == ({TITLES[0]} if module == TITLER else set()), module


def test_what_could_be_markup_is_shown_as_it_stands() -> None:
    shows = {name: showing(tree) for name, tree in product().items()}
    offenders = [name for name, calls in shows.items() if not all(map(literal, calls))]
    assert offenders == []
    assert any(shows.values())
