"""Every sentence is marked, looked up when shown, and translated; and the tool that checks it."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

from spoof_tui.text.glyphs import Glyphs, glyphs
from tests.helpers import catalogues
from tests.helpers.catalogues import KEYWORDS, PACKAGES, sources, troubles
from tests.helpers.sheet import mode
from tests.helpers.sources import ROOT, nodes, tree

WORDS: Final = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}|^[A-Z][^\W\d_]+[.!?]$")
"""Two words, or one with a full stop: text that only a person reads."""

PLAIN: Final = re.compile(r"spoof [a-z]+(: )?|( ?(Home|End|PgUp|PgDn|Tab|Space|Enter|Esc))+")
"""Commands, and the captions of keys, which are the same in every language."""

CODES: Final = frozenset(
    {"terminal lost", "write first", "Spoof, a door for ssh and browsers", "spoof help "}
)
"""Strings that stand for something and are shown to nobody, and what systemd is told."""

SILENT: Final = (
    "protocol/",
    "spoof_tui/bots/characters.py",
    "spoof_tui/text/coin_words.py",
    "spoof_tui/history/",
    "spoof_tui/commands/printing.py",
    "spoof_tui/commands/unit.py",
)
"""English that no player reads: for programmers or SQLite, made-up names, forms of words, keys."""

LITERALS: Final = frozenset(
    {
        "CSS",
        "BINDINGS",
        "DEFAULT_CSS",
        "SHELL_COMMANDS",
        "__match_args__",
        "_HEADERS",
        "_ALIKE",
        "_ASKED",
        "_FOREIGN",
    }
)
"""Names whose values are not words."""

MISTAKES: Final = frozenset({"LocalError", "Malformed", "AssertionError", "TypeError"})
"""Exceptions that tell a programmer of a mistake, here or at the other end."""

ENDS: Final = frozenset(
    {"ConnectionError", "ConnectionResetError", "ConnectionAbortedError", "TimeoutError"}
)
"""Exceptions that end a link: players read a sentence that a probe or session chooses by their
kind."""

UNTRANSLATED: Final = MISTAKES | ENDS


# The catalogues


@pytest.mark.parametrize("language", catalogues.languages())
def test_a_catalogue_is_complete_and_fits_the_source(language: str) -> None:
    assert troubles(language) == []


@pytest.mark.parametrize("language", catalogues.languages())
def test_no_sentence_has_a_sign_that_a_console_may_lack(language: str) -> None:
    drawn = {each.name: str(each.default) for each in fields(Glyphs)}
    with mode("console"):
        lacked = {sign for name, sign in drawn.items() if getattr(glyphs(), name) != sign}
    # An ellipsis is written as the terminal can show it.
    lacked.remove("…")
    said = [form for each in catalogues.catalogue(language) for form in _forms(each)]
    assert said and not [form for form in said if lacked & set(form)]


def _forms(message: Message) -> Iterator[str]:
    """A sentence and its translation, in the singular and the plural."""
    for text in (message.id, message.string):
        yield from (text,) if isinstance(text, str) else text or ()


# The source


def trees() -> dict[str, ast.Module]:
    """Every module of the program, parsed, by its path."""
    return {path.relative_to(ROOT).as_posix(): tree(path) for path in sources()}


def marked(node: ast.AST) -> bool:
    """Whether a node is a call that marks a sentence."""
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS
    )


def spoken(node: ast.AST) -> Iterator[ast.Constant]:
    """The strings in a tree that may reach a player unmarked."""
    if marked(node) or _is_programmers(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for child in ast.iter_child_nodes(node):
        # A string that stands alone is a docstring.
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from spoken(child)


def codes(tree: ast.AST) -> set[object]:
    """The strings that are members of a `Literal` type."""
    return {
        each.value
        for node in nodes(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Literal"
        for each in ast.walk(node.slice)
        if isinstance(each, ast.Constant)
    }


def is_suspicious(text: object, known: set[object]) -> bool:
    """Whether a string is for people and stands for nothing else."""
    if not isinstance(text, str) or text in CODES or text in known or PLAIN.fullmatch(text):
        return False
    return WORDS.search(text) is not None


def _is_programmers(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in UNTRANSLATED
    if isinstance(node, ast.Assert):
        return True
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return any(isinstance(target, ast.Name) and target.id in LITERALS for target in targets)


def test_what_players_read_is_marked_for_translation() -> None:
    suspicious = [
        f"{module}:{each.lineno}: {each.value!r}"
        for module, whole in trees().items()
        if not module.startswith(SILENT)
        for known in [codes(whole)]
        for each in spoken(whole)
        if is_suspicious(each.value, known)
    ]
    assert suspicious == []


@pytest.mark.parametrize(
    ("code", "bypasses"),
    [
        ('sheet.put(0, 0, "two words")', True),
        ('sheet.put(0, 0, f"two words and {name}")', True),
        ('say("Hands!")', True),
        ('say(_("two words"))', False),
        ('say(ngettext("a coin", "two coins", n))', False),
        ('raise LocalError("no such thing")', False),
        ('raise ValueError("no such thing")', True),
        ('def f() -> None:\n    """A docstring."""', False),
        ('keys = ["Home End", "spoof join", "enter"]', False),
    ],
)
def test_the_search_for_unmarked_sentences_finds_them(code: str, bypasses: bool) -> None:
    found = [each for each in spoken(ast.parse(code)) if is_suspicious(each.value, set())]
    assert bool(found) is bypasses


def test_a_marked_sentence_is_a_literal() -> None:
    """The tool finds nothing else, except templates that are marked where they are written."""
    hidden = [
        f"{module}:{node.lineno}"
        for module, whole in trees().items()
        for node in nodes(whole)
        if marked(node) and isinstance(node, ast.Call)
        for argument in node.args[: KEYWORDS[node.func.id]]  # type: ignore[attr-defined]
        if not isinstance(argument, ast.Constant)
        and not (isinstance(argument, ast.Attribute) and argument.attr == "template")
        and not (isinstance(argument, ast.Name) and argument.id == "template")
    ]
    assert [place for place in hidden if not place.startswith("spoof_tui/text/i18n.py")] == []


def at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Expressions that are evaluated on import, before the language is known."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for default in [*child.args.defaults, *child.args.kw_defaults, *child.decorator_list]:
                if default:
                    yield from at_import(default)
        elif not isinstance(child, ast.Lambda):
            yield from at_import(child)


def test_no_sentence_is_looked_up_before_the_language_is_known() -> None:
    early = [
        f"{module}:{node.lineno}"  # type: ignore[attr-defined]
        for module, whole in trees().items()
        if module.startswith(PACKAGES[1])
        for node in at_import(whole)
        if marked(node) and node.func.id != "N_"  # type: ignore[attr-defined]
    ]
    assert early == []


# The tool


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small program with a complete catalogue."""
    (tmp_path / "protocol").mkdir()
    (tmp_path / "spoof_tui").mkdir()
    (tmp_path / "spoof_tui" / "words.py").write_text(
        '_("Hello, {name}")\nngettext("a coin", "{n} coins", n)\npgettext("verb", "call")\n'
    )
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "CATALOGUES", tmp_path)
    folder = tmp_path / "uk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with catalogues.po_path("uk").open("wb") as file:
        write_po(file, Catalog(locale="uk"))
    catalogues.update("uk")
    translate('msgid "Hello, {name}"\nmsgstr ""', 'msgid "Hello, {name}"\nmsgstr "Вітаю, {name}"')
    translate(
        'msgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""',
        'msgstr[0] "{n} монета"\nmsgstr[1] "{n} монети"\nmsgstr[2] "{n} монет"',
    )
    translate('msgid "call"\nmsgstr ""', 'msgid "call"\nmsgstr "назвати"')
    catalogues.update("uk")
    return tmp_path


def translate(before: str, after: str) -> None:
    """Change the text of the catalogue."""
    path = catalogues.po_path("uk")
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


def told() -> str:
    return "\n".join(troubles("uk"))


@pytest.mark.parametrize(
    ("before", "after", "trouble"),
    [
        ('msgstr "Вітаю, {name}"', 'msgstr "Вітаю"', "other places for values"),
        ('msgstr "Вітаю, {name}"', 'msgstr "Вітаю, {nmae}"', "other places for values"),
        ('msgstr "Вітаю, {name}"', 'msgstr "Вітаю, {name!r}"', "other places for values"),
        ('msgstr "Вітаю, {name}"', 'msgstr "{name}, {n}"', "other places for values"),
        ('msgstr[2] "{n} монет"\n', "", ""),
        ('msgid "Hello, {name}"', '#, fuzzy\nmsgid "Hello, {name}"', "fuzzy: 'Hello, {name}'"),
        (
            'msgstr "назвати"',
            'msgstr "назвати"\n\n#~ msgid "Gone"\n#~ msgstr "Нема"',
            "stale: 'Gone'",
        ),
    ],
)
def test_what_is_wrong_with_a_catalogue_is_told(
    world: Path, before: str, after: str, trouble: str
) -> None:
    translate(before, after)
    assert told() and trouble in told()
