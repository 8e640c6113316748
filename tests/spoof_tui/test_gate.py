"""There is one gate for what other people typed, and no way round it.

Foreign text is held in `ForeignText`, which shows nothing but an escaped form; its letters are
read at the gate, and where the protocol encodes them. What is written to a terminal, a title, a
file name or a log is written in few places, which are listed here.
"""

import ast
from pathlib import Path

import pytest

import protocol
import spoof_tui

ROOT = Path(protocol.__file__).parents[1]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for package in (protocol, spoof_tui)
    for path in sorted(Path(package.__file__ or "").parent.rglob("*.py"))
}

LETTERS = {"spoof_tui.text", "protocol.codec", "protocol.foreign", "protocol.notation.writing"}
"""Who reads the letters of a foreign text: the gate, the wire, and the record's own gate."""

LOGGERS = {"logging", "syslog", "warnings", "faulthandler", "traceback"}
"""What writes where no gate is."""

MAY_LOG = {
    "spoof_tui.storage": "traceback",  # places in the source, without any value
    "spoof_tui.network.tls": "warnings",  # to silence one
}

PRINTERS = {
    "spoof_tui.commands",
    "spoof_tui.system",
    "spoof_tui.terminal",
    "spoof_tui.presentation.verdict",
}
"""Who writes to the standard streams."""

NAMERS = {
    *("spoof_tui.storage", "spoof_tui.vault", "spoof_tui.places", "spoof_tui.system"),
    *("spoof_tui.network.known", "spoof_tui.network.road"),  # addresses, by the id of a table
}
"""Who makes or writes files while it knows a table, by a name that came through the gate."""


def attributes(tree: ast.AST) -> set[str]:
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def called(tree: ast.AST) -> set[str]:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {
        func.id if isinstance(func, ast.Name) else func.attr
        for func in calls
        if isinstance(func, ast.Name | ast.Attribute)
    }


def imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("module", MODULES)
def test_the_letters_of_a_foreign_text_are_read_at_the_gate_only(module: str) -> None:
    if module not in LETTERS:
        assert "raw" not in attributes(MODULES[module])


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_logged(module: str) -> None:
    allowed = {MAY_LOG[module]} if module in MAY_LOG else set()
    assert not (imported(MODULES[module]) & LOGGERS) - allowed


@pytest.mark.parametrize("module", MODULES)
def test_only_these_write_to_the_standard_streams(module: str) -> None:
    if any(module == each or module.startswith(f"{each}.") for each in PRINTERS):
        return
    assert "print" not in called(MODULES[module])
    assert not {"stdout", "stderr", "__stdout__", "__stderr__"} & attributes(MODULES[module])


@pytest.mark.parametrize("module", MODULES)
def test_nobody_sets_the_title_of_a_terminal_or_interprets_markup(module: str) -> None:
    assert not {"sub_title", "set_window_title", "notify", "from_markup"} & called(MODULES[module])
    assert not {"Markup", "RichLog", "Log", "Static", "Label"} & attributes(MODULES[module])
    text = ast.unparse(MODULES[module])
    assert "\\x1b]" not in text and "\\033]" not in text


@pytest.mark.parametrize("module", MODULES)
def test_only_these_write_files(module: str) -> None:
    writes = {"write_text", "write_bytes", "write_private", "open_private_append", "mkdir"}
    if module not in NAMERS:
        assert not writes & called(MODULES[module])
