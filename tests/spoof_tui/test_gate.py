"""There is one gate for what other people typed, and no way round it.

Foreign text is held in `ForeignText`, which shows nothing but an escaped form; its letters are
read at the gate, and where the protocol encodes them. What is written to a terminal, a title, a
file name or a log is written in few places, which are listed here.
"""

import ast
import functools
from collections.abc import Iterator

from tests.helpers import sources

LETTERS = {
    "spoof_tui.text.safe_text",
    "protocol.encoding.codec",
    "protocol.encoding.untrusted",
    "protocol.notation.writing",
}
"""Who reads the letters of a foreign text: the gate, the wire, and the record's own gate."""

LOGGERS = {"logging", "syslog", "warnings", "faulthandler", "traceback"}
"""What writes where no gate is."""

MAY_LOG = {
    "spoof_tui.storage.folders": "traceback",  # places in the source, without any value
    "spoof_tui.network.tls": "warnings",  # to silence one
}

PRINTERS = {
    "spoof_tui.commands",
    "spoof_tui.console",
    "spoof_tui.plain.evening",
    "spoof_tui.system",
    "spoof_tui.ui.terminal",
    "spoof_tui.ui.wording.verify_report",
}
"""Who writes to the standard streams."""

CALLERS = {"spoof_tui.runtime.engine", "spoof_tui.door.program"}
"""Who has the streams of another program, and writes to none of its own."""

NAMERS = {
    *(
        "spoof_tui.storage.archive",
        "spoof_tui.storage.folders",
        "spoof_tui.storage.frames",
        "spoof_tui.storage.host_store",
        "spoof_tui.storage.identity",
        "spoof_tui.storage.settings",
        "spoof_tui.storage.files",
    ),
    *("spoof_tui.network.recent", "spoof_tui.network.locator"),  # addresses, by the id of a table
    "spoof_tui.door.host_key",  # always by the same name
    *("spoof_tui.door.folders", "spoof_tui.wall.user"),  # by hashes, and by paths that are there
    "spoof_tui.commands.arena",  # games of bots, by their numbers
    "spoof_tui.history.index",  # all games, by no name at all
    "spoof_tui.storage.chosen_file",  # where the player says
}
"""Who makes or writes files while it knows a table, by a name that came through the gate."""


def modules() -> dict[str, ast.Module]:
    return sources.modules("protocol", "spoof_tui")


@functools.cache
def attributes(tree: ast.AST) -> set[str]:
    return {node.attr for node in sources.nodes(tree) if isinstance(node, ast.Attribute)}


@functools.cache
def called(tree: ast.AST) -> set[str]:
    calls = (node.func for node in sources.nodes(tree) if isinstance(node, ast.Call))
    return {
        func.id if isinstance(func, ast.Name) else func.attr
        for func in calls
        if isinstance(func, ast.Name | ast.Attribute)
    }


@functools.cache
def imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in sources.nodes(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_letters_of_a_foreign_text_are_read_at_the_gate_only() -> None:
    readers = {name for name, tree in modules().items() if "raw" in attributes(tree)}
    assert readers <= LETTERS, readers - LETTERS


def test_nothing_is_logged() -> None:
    for module, tree in modules().items():
        allowed = {MAY_LOG[module]} if module in MAY_LOG else set()
        assert not (imported(tree) & LOGGERS) - allowed, module


def writes_to_streams(tree: ast.AST) -> bool:
    streams = {"stdout", "stderr", "__stdout__", "__stderr__"}
    return "print" in called(tree) or bool(streams & attributes(tree))


def test_only_these_write_to_the_standard_streams() -> None:
    writers = {name for name, tree in modules().items() if writes_to_streams(tree)}
    places = tuple(f"{each}." for each in PRINTERS | CALLERS)
    assert not any("print" in called(modules()[name]) for name in CALLERS)
    assert {name for name in writers if not f"{name}.".startswith(places)} == set()


NOTIFIER = "spoof_tui.ui.notices"
"""Who shows a remark in a corner."""

SHOWERS = {"notify", "Static", "Label", "OptionList", "SelectionList"}
"""What takes its text for markup unless it is told not to."""


def literal(call: ast.Call) -> bool:
    """Whether a call says that its text is no markup."""
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
    """The name that is called; after `super()`, with that before it."""
    match call.func:
        case ast.Attribute(ast.Call(ast.Name("super"), []), name):
            return f"super().{name}"
        case ast.Attribute(_, name) | ast.Name(name):
            return name
    return ""


def texts(tree: ast.AST) -> Iterator[str]:
    """All that stands in a module between quotation marks."""
    for node in sources.nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield node.value if isinstance(node.value, str) else node.value.decode("latin-1")


TITLER = "spoof_tui.ui.terminal"
"""Who names the window of a terminal, by printable letters only."""

TITLES = ("\x1b]", "\\x1b]", "\\033]")
"""What tells a terminal a title, and how that may be spelled out."""


def test_one_module_sets_the_title_of_a_terminal_and_nobody_interprets_markup() -> None:
    for module, tree in modules().items():
        assert not {"sub_title", "set_window_title", "from_markup"} & called(tree), module
        assert not {"Markup", "RichLog", "Log"} & attributes(tree), module
        asking = {form for form in TITLES if any(form in text for text in texts(tree))}
        assert asking == ({TITLES[0]} if module == TITLER else set()), module


def test_what_could_be_markup_is_shown_as_it_stands() -> None:
    shows = {name: showing(tree) for name, tree in modules().items()}
    offenders = [name for name, calls in shows.items() if not all(map(literal, calls))]
    assert offenders == []
    assert any(shows.values())


def test_one_module_shows_remarks_in_the_corner() -> None:
    assert {name for name, tree in modules().items() if "notify" in called(tree)} == {NOTIFIER}


def test_only_these_write_files() -> None:
    writes = {"write_text", "write_bytes", "write_private", "open_private_append", "mkdir"}
    writers = {name for name, tree in modules().items() if writes & called(tree)}
    assert writers <= NAMERS, writers - NAMERS
