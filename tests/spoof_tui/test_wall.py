"""The layers: who may import whom, and what a fresh process loads."""

from __future__ import annotations

import ast
import functools
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Set
from pathlib import Path

from protocol.table.fold import Phase
from spoof_tui.storage.archive import archive
from tests.helpers import sources
from tests.helpers.sources import ROOT
from tests.helpers.tables import MemoryTable

LIMIT = 60.0

LAYERS = (
    "protocol",
    "spoof_tui.clock",
    "spoof_tui.beats",
    "spoof_tui.console",
    "spoof_tui.system",
    "spoof_tui.visiting",
    "spoof_tui.wall",
    "spoof_tui.text",
    "spoof_tui.storage",
    "spoof_tui.network",
    "spoof_tui.bots",
    "spoof_tui.history",
    "spoof_tui.door",
    "spoof_tui.runtime",
    "spoof_tui.ui.keyboard",
    "spoof_tui.ui.messages",
    "spoof_tui.ui.actions",
    "spoof_tui.ui.sequences",
    "spoof_tui.ui.terminal",
    "spoof_tui.ui.canvas",
    "spoof_tui.ui.tokens",
    "spoof_tui.ui.themes",
    "spoof_tui.ui.notices",
    "spoof_tui.ui.wording",
    "spoof_tui.ui.commands",
    "spoof_tui.ui.acting",
    "spoof_tui.ui.dialogs",
    "spoof_tui.ui.covering",
    "spoof_tui.ui.rulebook",
    "spoof_tui.ui.table",
    "spoof_tui.ui.lobby",
    "spoof_tui.ui.replay",
    "spoof_tui.ui.history",
    "spoof_tui.ui.lesson",
    "spoof_tui.ui.app",
    "spoof_tui.plain",
    "spoof_tui.commands",
    "spoof_tui.__main__",
)
"""Folders, and modules that stand alone, from the ground up: each imports only what stands before
it."""

WORLD = ("socket", "ssl", "zeroconf", "ifaddr", "selectors")
TOOLKIT = ("textual", "rich")

SCREENS = ("spoof_tui.ui.app", "spoof_tui.ui.terminal", "spoof_tui.ui.canvas")

VALUES = (
    "spoof_tui.network.addresses",
    "spoof_tui.network.invitation",
    "spoof_tui.network.diagnosis.findings",
    "spoof_tui.network.diagnosis.observations",
)
"""Say how an address is written, and what was found out; they open nothing."""


def modules(*places: str) -> list[str]:
    """The names of all modules of these packages, or these modules themselves."""
    found = []
    for place in places:
        path = ROOT.joinpath(*place.split("."))
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        found += [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    return found


def source(module: str) -> ast.Module:
    return sources.tree(ROOT.joinpath(*module.split(".")).with_suffix(".py"))


def named(node: ast.AST) -> Iterator[str]:
    """What one import statement imports, with the names taken from a module behind it."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "imports are absolute here"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@functools.cache
def imported(module: str, at_once: bool = False) -> frozenset[str]:
    """What a module imports when it runs; `at_once`: when it is imported itself."""
    found: set[str] = set()
    waiting: list[ast.AST] = [source(module)]
    while waiting:
        node = waiting.pop()
        found |= set(named(node))
        is_later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if not sources.is_for_types(node) and not (at_once and is_later):
            waiting += ast.iter_child_nodes(node)
    return frozenset(found)


def within(found: Set[str], *places: str) -> set[str]:
    """Those of `found` that are in one of these packages or modules."""
    return {name for name in found for place in places if f"{name}.".startswith(f"{place}.")}


# Who may import whom


def layer(name: str) -> int | None:
    """The place in `LAYERS` of what an import names; None for what is not of this project."""
    for place, root in enumerate(LAYERS):
        if within({name}, root):
            return place
    return None


def reaching_up() -> list[str]:
    """Every import of something that stands above the importing module in `LAYERS`."""
    return [
        f"{module} imports {name}"
        for place, root in enumerate(LAYERS)
        for module in modules(root)
        for name in sorted(imported(module))
        if (layer(name) or 0) > place
    ]


def test_a_folder_imports_only_what_lies_below_it() -> None:
    assert reaching_up() == []


def depth(module: str, known: dict[str, int]) -> int:
    """How many modules of this project stand on each other up to this one."""
    if module not in known:
        known[module] = 0  # a circle would end here, and the layers of the folders forbid most
        needed = {of for name in imported(module) for of in (name, name.rpartition(".")[0])}
        known[module] = 1 + max((depth(each, known) for each in needed & EVERY), default=0)
    return known[module]


EVERY = {name for name in modules("protocol", "spoof_tui") if not name.endswith("__init__")}
MAX_CHAIN = 20
"""Modules in the longest chain of imports that ends at a screen."""


def test_no_chain_of_imports_is_long() -> None:
    known: dict[str, int] = {}
    drawn = [name for name in EVERY if name.startswith("spoof_tui.ui.")]
    assert {name for name in drawn if depth(name, known) > MAX_CHAIN} == set()


def test_every_module_has_a_place_in_the_layers() -> None:
    packages = {"protocol", "spoof_tui", "spoof_tui.ui"}
    everywhere = set(modules("protocol", "spoof_tui"))
    empty = {f"{package}.__init__" for package in packages}
    assert [name for name in sorted(everywhere - empty) if layer(name) is None] == []


def drawing_at_all(names: Set[str]) -> set[str]:
    return within(names, "spoof_tui.ui", *TOOLKIT) - {"rich.cells.cell_len"}


def test_nothing_below_the_screens_draws() -> None:
    below = LAYERS[: LAYERS.index("spoof_tui.ui.keyboard")]
    assert [name for name in modules(*below) if drawing_at_all(imported(name))] == []


def test_a_session_opens_no_socket() -> None:
    shapes = ("Dial", "Link", "Owner", "Route", "SingleRoute")
    links = {f"spoof_tui.network.links.{name}" for name in shapes}
    for module in modules("spoof_tui.runtime.session", "spoof_tui.storage"):
        assert within(imported(module), "spoof_tui.network", *WORLD) <= links, module


def test_bots_know_views_only() -> None:
    for module in modules("spoof_tui.bots"):
        found = imported(module)
        assert not within(found, "spoof_tui.network", "spoof_tui.storage", *WORLD), module
        assert not within(found, "protocol.crypto.seals", "protocol.host", "protocol.guest"), module


def test_plain_lines_know_no_toolkit_and_no_screen() -> None:
    for module in modules("spoof_tui.plain"):
        assert not within(imported(module), *SCREENS, *TOOLKIT), module


def test_what_is_drawn_touches_no_world() -> None:
    for module in modules("spoof_tui.ui"):
        found = imported(module)
        assert not within(found, *WORLD), module
        assert not within(imported(module, at_once=True), "spoof_tui.network") - within(
            found, *VALUES
        ), module


def test_values_of_the_network_load_nothing_else_of_it() -> None:
    for module in VALUES:
        found = imported(module, at_once=True)
        assert not within(found, "spoof_tui.network", *WORLD) - within(found, *VALUES), module


def test_a_command_imports_the_screen_only_when_it_is_shown() -> None:
    for module in modules("spoof_tui.commands", "spoof_tui.__main__"):
        assert not within(imported(module, at_once=True), *SCREENS, "textual"), module


def test_the_rules_would_notice() -> None:
    assert "spoof_tui.ui.app.SpoofApp" in imported("spoof_tui.commands.play")
    assert "spoof_tui.ui.app.SpoofApp" not in imported("spoof_tui.commands.play", at_once=True)
    assert "spoof_tui.ui.app.Errand" not in imported("spoof_tui.commands.play")
    assert within({"textual", "textual.app.App", "textualize"}, "textual") == {
        "textual",
        "textual.app.App",
    }
    assert layer("spoof_tui.ui.table.screen.TableScreen") == LAYERS.index("spoof_tui.ui.table")
    assert layer("asyncio") is None


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
    with process:
        try:
            output, errors = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
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


def test_an_evening_in_plain_lines_loads_no_screen() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", code("play", "--plain")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stdout
    while "Your hand" not in process.stdout.readline():
        assert process.poll() is None
    for line in ("why", "rounds", "who", "?", "slate", "rules", "odds", "2"):
        print(line, file=process.stdin)
    found = loaded(process, 0)
    assert not {name for name in found if name.split(".")[0] == "textual"}
    assert "rich.console" not in found


def test_a_check_loads_no_screen_and_no_network(state: Path) -> None:
    table = MemoryTable(2)
    table.ready()
    table.play_on()
    assert table.host.table.phase is Phase.GATHERING
    record = archive(table.host.table, table.host.log)
    found = loaded(start("check", str(record)), 0)
    assert not drawing(found)
    assert not found & {"zeroconf", "asyncio", "cryptography", "rich"}


def test_a_judgement_loads_no_screen_and_no_network(state: Path) -> None:
    table = MemoryTable(2)
    table.ready()
    table.play_on()
    record = archive(table.host.table, table.host.log)
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
    assert not drawing(loaded(host, 0))
    assert not drawing(loaded(bots, 0))
