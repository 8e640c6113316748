"""What the protocol offers to the world: one door, whose names are pinned here."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import protocol

NAMES = [
    "PRESETS", "PROGRAM", "PROTOCOL", "Bid", "BiddingRules", "BrokenLog", "Card", "Direction",
    "Ending", "Entry", "Farewell", "ForeignText", "GuessingRules", "Guest", "GuestEffect",
    "Host", "HostEffect", "HostPolicy", "Illegal", "Intent", "LinkState", "LocalError", "Log",
    "LogReport", "Malformed", "Moment", "Phase", "ProtocolError", "Reason", "RemoteError",
    "Rules", "Seat", "SigningKey", "Table", "TableView", "Word", "check_statement", "fold",
    "make_code", "read_code", "verify", "view_for", "view_of",
]  # fmt: skip
"""Whoever takes one away, or adds one, says so here."""


def promised() -> dict[str, str]:
    """The module of every name, as the type checker is told."""
    tree = ast.parse(Path(protocol.__file__).read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def test_the_names_are_these() -> None:
    assert protocol.__all__ == NAMES
    assert set(NAMES) <= set(dir(protocol))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_what_its_module_calls_so(name: str) -> None:
    home = sys.modules.get(promised()[name]) or __import__(promised()[name], fromlist=[name])
    assert getattr(protocol, name) is getattr(home, name)


def test_the_type_checker_is_told_of_every_name() -> None:
    assert sorted(promised()) == sorted(NAMES)


def test_there_is_nothing_else() -> None:
    with pytest.raises(AttributeError, match="protocol has no 'Casino'"):
        _ = protocol.Casino


def test_the_version_alone_loads_nothing_else() -> None:
    code = "import sys, protocol; protocol.PROGRAM; print(*(m for m in sys.modules))"
    command = [sys.executable, "-c", code]
    root = Path(protocol.__file__).parent.parent
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    ours = {name for name in loaded.stdout.split() if name.partition(".")[0] == "protocol"}
    assert ours == {"protocol", "protocol.version"}
