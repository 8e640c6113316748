"""The layers of design.md: who may import whom, and what a fresh process loads."""

from __future__ import annotations

import ast
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import spoof_tui
from protocol.table import Phase
from spoof_tui import vault
from tests.helpers.tables import MemoryTable

ROOT = Path(spoof_tui.__file__).parent.parent
LIMIT = 20.0

CORE = ("storage", "vault", "session", "backstage", "clock", "hosting", "chair", "controls")
SCREENS = ("spoof_tui.screens", "spoof_tui.widgets", "spoof_tui.app", "spoof_tui.terminal")
WORLD = ("socket", "ssl", "zeroconf", "ifaddr", "selectors")

ADDRESSES = "spoof_tui.network.addresses"
"""Says how an address is written; it opens nothing."""


def modules(*places: str) -> list[str]:
    """The names of all modules of these packages, or these modules themselves."""
    found = []
    for place in places:
        path = ROOT.joinpath(*place.split("."))
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        found += [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    return found


def source(module: str) -> ast.Module:
    return ast.parse(ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8"))


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def named(node: ast.AST) -> Iterator[str]:
    """What one import statement imports, with the names taken from a module behind it."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "imports are absolute here"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported(module: str, at_once: bool = False) -> set[str]:
    """What a module imports when it runs; `at_once`: when it is imported itself."""
    found: set[str] = set()
    waiting: list[ast.AST] = [source(module)]
    while waiting:
        node = waiting.pop()
        found |= set(named(node))
        is_later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if not is_for_types(node) and not (at_once and is_later):
            waiting += ast.iter_child_nodes(node)
    return found


def within(found: set[str], *places: str) -> set[str]:
    """Those of `found` that are in one of these packages or modules."""
    return {name for name in found for place in places if f"{name}.".startswith(f"{place}.")}


# Who may import whom


@pytest.mark.parametrize("module", modules("protocol"))
def test_the_protocol_knows_nothing_of_this_program(module: str) -> None:
    assert not within(imported(module), "spoof_tui", "textual", "rich", *WORLD, "asyncio")


@pytest.mark.parametrize("module", modules("spoof_tui.network"))
def test_the_network_knows_no_screens_rules_of_play_or_bots(module: str) -> None:
    above = ("presentation", "bots", "session", "chair", "hosting", "commands", "controls")
    places = [f"spoof_tui.{name}" for name in above]
    assert not within(imported(module), *places, *SCREENS, "textual", "rich")


@pytest.mark.parametrize("module", modules(*(f"spoof_tui.{name}" for name in CORE)))
def test_the_core_draws_nothing(module: str) -> None:
    assert not within(imported(module), *SCREENS, "spoof_tui.presentation", "textual", "rich")


@pytest.mark.parametrize("module", modules("spoof_tui.session", "spoof_tui.vault"))
def test_a_session_opens_no_socket(module: str) -> None:
    shapes = ("Dial", "Link", "OneWay", "Owner", "Way")
    links = {f"spoof_tui.network.links.{name}" for name in shapes}
    found = within(imported(module), "spoof_tui.network", *WORLD)
    assert not found - links


@pytest.mark.parametrize("module", modules("spoof_tui.bots"))
def test_bots_know_views_and_sessions_only(module: str) -> None:
    found = imported(module)
    assert not within(found, *SCREENS, "spoof_tui.presentation", "spoof_tui.storage", *WORLD)
    links = {f"spoof_tui.network.links.{name}" for name in ("Dial", "Way")}
    assert not within(found, "spoof_tui.network") - links


@pytest.mark.parametrize("module", modules("spoof_tui.bots"))
def test_only_the_chair_of_a_bot_comes_near_secrets(module: str) -> None:
    if not module.endswith(".players"):
        assert not within(imported(module), "protocol.seals", "spoof_tui.session", "protocol.host")


@pytest.mark.parametrize("module", modules("spoof_tui.presentation"))
def test_the_presentation_is_pure(module: str) -> None:
    found = imported(module)
    assert not within(found, "asyncio", "time", "random", "secrets", *WORLD, *SCREENS)
    assert not within(found, "spoof_tui.session", "spoof_tui.chair", "spoof_tui.storage")
    assert not within(found, "spoof_tui.network") - within(found, ADDRESSES)


@pytest.mark.parametrize("module", modules("spoof_tui.screens", "spoof_tui.widgets"))
def test_a_screen_knows_no_sockets(module: str) -> None:
    assert not within(imported(module), "asyncio", *WORLD)
    found = imported(module, at_once=True)
    assert not within(found, "spoof_tui.network") - within(found, ADDRESSES)


@pytest.mark.parametrize("module", modules("spoof_tui.widgets"))
def test_a_widget_draws_what_it_is_handed(module: str) -> None:
    found = within(imported(module), "spoof_tui", "protocol")
    assert not found - within(found, "spoof_tui.widgets", "spoof_tui.presentation")


@pytest.mark.parametrize("module", modules("spoof_tui.commands", "spoof_tui.__main__"))
def test_a_command_imports_the_screen_only_when_it_is_shown(module: str) -> None:
    assert not within(imported(module, at_once=True), *SCREENS, "textual")


def test_the_rules_would_notice() -> None:
    assert "spoof_tui.app.SpoofApp" in imported("spoof_tui.commands.play")
    assert "spoof_tui.app.SpoofApp" not in imported("spoof_tui.commands.play", at_once=True)
    assert "spoof_tui.app.Errand" not in imported("spoof_tui.commands.play")
    assert within({"textual", "textual.app.App", "textualize"}, "textual") == {
        "textual",
        "textual.app.App",
    }


# What a fresh process loads


def code(*words: str) -> str:
    """A program that runs a command and says at its end what was loaded."""
    return f"""
import atexit, sys
atexit.register(lambda: print("LOADED", *sorted(sys.modules)))
from spoof_tui.__main__ import main
sys.exit(main({list(words)!r}))
"""


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code(*words)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def loaded(process: subprocess.Popen[str], status: int) -> set[str]:
    """What a process had loaded when it ended."""
    output, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == status, errors
    last = output.strip().splitlines()[-1]
    assert last.startswith("LOADED ")
    return set(last.split())


def drawing(found: set[str]) -> set[str]:
    return {name for name in found if name.split(".")[0] == "textual"} | within(found, *SCREENS)


def test_asking_for_the_version_loads_next_to_nothing() -> None:
    found = loaded(start("--version"), 0)
    slow = {"asyncio", "cryptography", "zeroconf", "msgpack", "textual", "rich", "ssl", "socket"}
    assert not found & slow


def test_a_refusal_without_a_terminal_loads_no_screen() -> None:
    assert not drawing(loaded(start(), 2))


def test_a_demo_loads_no_screen() -> None:
    assert not drawing(loaded(start("demo"), 0))


def test_a_check_loads_no_screen_and_no_network(state: Path) -> None:
    table = MemoryTable(2)
    table.ready()
    table.play_on()
    assert table.host.table.phase is Phase.GATHERING
    record = vault.archive(table.host.table, table.host.log)
    found = loaded(start("check", str(record)), 0)
    assert not drawing(found)
    assert not found & {"zeroconf", "asyncio", "cryptography", "rich"}


def test_a_judgement_loads_no_screen_and_no_network(state: Path) -> None:
    table = MemoryTable(2)
    table.ready()
    table.play_on()
    record = vault.archive(table.host.table, table.host.log)
    assert record is not None
    found = loaded(start("verify", str(record.with_suffix(".log")), "--json"), 0)
    assert not drawing(found)
    assert not found & {"zeroconf", "asyncio", "socket", "ssl"}


def test_a_table_and_bots_without_a_screen_load_none() -> None:
    host = start("host", "--headless", "--open", "--port", "0")
    assert host.stdout
    said = host.stdout.readline()
    listens = re.search(r"listens on port (\d+)", said)
    assert listens, said
    bots = start("bot", f"127.0.0.1:{listens[1]}")
    while "1 of 9 seats taken" not in host.stdout.readline():
        assert host.poll() is None
    host.send_signal(signal.SIGTERM)
    assert not drawing(loaded(host, 129))
    assert not drawing(loaded(bots, 0))
