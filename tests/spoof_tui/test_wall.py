"""The layers: who may import whom, who may do what, and what a fresh process loads.

The layers are in `layers.txt`, lowest first: folders, and modules that stand alone; each imports
only from lines before its own, and those on one line know nothing of each other. The walls between
them are in `walls.txt`.
"""

from __future__ import annotations

import ast
import functools
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spoof_tui.storage.archive import Archive
from tests.helpers import sources
from tests.helpers.sources import product
from tests.helpers.tables import MemoryTable

HERE = Path(__file__).parent
LAYERS = [line.split() for line in HERE.joinpath("layers.txt").read_text("utf-8").splitlines()]
WALLS = [
    line for line in HERE.joinpath("walls.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]  # fmt: skip
MAX_CHAIN = 19
"""Modules in the longest chain of imports that ends at a screen."""


def done(node: ast.AST) -> Iterator[str]:
    """The names that one node imports, reads or calls, as `walls.txt` writes them."""
    match node:
        case ast.Import(names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module, names, level):
            assert not level, "imports are absolute here"
            yield from (f"{module}.{alias.name}" for alias in names)
        case ast.Attribute(_, name):
            yield f".{name}"
        case ast.Call(ast.Attribute(ast.Name(place), name)):
            yield from (f"{name}()", f"{place}.{name}()")
        case ast.Call(ast.Attribute(_, name)):
            yield f"{name}()"
        case ast.Call(ast.Name(name)):
            yield from (f"{name}()", f"builtins.{name}()")


@functools.cache
def doings(module: str, at_once: bool = False, for_types: bool = False) -> frozenset[str]:
    """What the statements of a module do that run, or that run on its own import (`at_once`);
    `for_types`: with those that are only for the type checker."""
    found: set[str] = set()
    waiting: list[ast.AST] = [product()[module]]
    while waiting:
        node = waiting.pop()
        found |= set(done(node))
        is_later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if not ((at_once and is_later) or (sources.is_for_types(node) and not for_types)):
            waiting += ast.iter_child_nodes(node)
    return frozenset(found)


def within(name: str, places: list[str]) -> bool:
    """Whether something is one of these, or in one of these packages."""
    return any(f"{name}.".startswith(f"{place}.") for place in places)


@pytest.mark.parametrize("wall", WALLS)
def test_nobody_reaches_through_a_wall(wall: str) -> None:
    who, forbidden, others, allowed = (part.split() for part in wall.split("|"))
    at_once = who[0].startswith("!")
    places = [place.removeprefix("!") for place in who]
    for module in product():
        if within(module, places) and not within(module, others):
            found = doings(module, at_once, for_types=not at_once)
            through = {
                name for name in found if within(name, forbidden) and not within(name, allowed)
            }
            assert not through, module
    for place in [*places, *others]:
        assert any(within(module, [place]) for module in product()), f"{place} is gone"


@functools.cache
def layer(name: str) -> tuple[int, str] | None:
    """The place in `LAYERS` of an imported name, and the entry there; None for what is not in this
    project."""
    return next(
        ((at, root) for at, line in enumerate(LAYERS) for root in line if within(name, [root])),
        None,
    )


def test_every_module_has_a_layer_and_imports_only_what_lies_below() -> None:
    packages = {"protocol.__init__", "spoof_tui.__init__", "spoof_tui.ui.__init__"}
    assert [name for name in product() if name not in packages and layer(name) is None] == []
    assert [
        f"{module} imports {name}"
        for module in product()
        if (place := layer(module)) is not None
        for name in sorted(doings(module))
        if (other := layer(name)) is not None and other != place and other[0] >= place[0]
    ] == []


def test_the_protocol_imports_three_packages_from_outside_and_nothing_of_the_program() -> None:
    found = {
        name.partition(".")[0]
        for module in product()
        if within(module, ["protocol"])
        for name in doings(module, for_types=True)
        if name[0] != "." and name[-1] != ")"
    }
    packages = {"protocol", "cryptography", "msgpack", "spake2"}
    assert packages <= found <= {*packages, *sys.stdlib_module_names}


def test_no_imports_go_in_a_circle_not_even_those_for_types() -> None:
    every = {name for name in product() if not name.endswith("__init__")}
    needs = {
        module: {
            of
            for node in ast.walk(product()[module])
            if isinstance(node, ast.ImportFrom) and node.module
            for name in node.names
            for of in (node.module, f"{node.module}.{name.name}")
        }
        & (every - {module})
        for module in every
    }
    assert len(list(graphlib.TopologicalSorter(needs).static_order())) == len(every)


def test_no_chain_of_imports_is_long() -> None:
    every = {name for name in product() if not name.endswith("__init__")}

    @functools.cache
    def depth(module: str) -> int:
        needed = {of for name in doings(module) for of in (name, name.rpartition(".")[0])}
        return 1 + max(map(depth, needed & every - {module}), default=0)

    drawn = [name for name in every if name.startswith("spoof_tui.ui.")]
    assert {name for name in drawn if depth(name) > MAX_CHAIN} == set()


def test_the_walls_would_notice() -> None:
    play = "spoof_tui.commands.play"
    assert "spoof_tui.ui.app.SpoofApp" in doings(play) - doings(play, at_once=True)
    assert "spoof_tui.runtime.launch.Launch" not in doings(play, at_once=True)
    assert {"print()", ".stderr"} <= doings("spoof_tui.commands.printing")
    assert within("textual.app.App", ["textual"]) and not within("textualize", ["textual"])
    table = ["spoof_tui.ui.table"]
    assert layer("spoof_tui.ui.table.screen.screen.TableScreen") == (LAYERS.index(table), *table)
    assert layer("asyncio") is None


# What a fresh process loads

WORLD = ["asyncio", "selectors", "socket", "ssl", "textual", "zeroconf", "spoof_tui"]
"""What importing the protocol must not load, not even indirectly."""


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh process has loaded after this."""
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=sources.ROOT)
    return set(done.stdout.split())


def test_the_whole_protocol_loads_nothing_of_the_world() -> None:
    every = {name.removesuffix(".__init__") for name in sources.modules("protocol")}
    loaded = loaded_by(f"import {', '.join(every)}")
    assert every <= loaded
    assert [name for name in loaded if within(name, WORLD)] == []


def test_the_version_of_the_protocol_loads_nothing_else_of_it() -> None:
    loaded = loaded_by("import protocol.version")
    assert {name for name in loaded if within(name, ["protocol"])} == {
        "protocol",
        "protocol.version",
    }


PROGRAM = """
import contextlib, io, signal, sys
from spoof_tui.__main__ import main

class Output(io.StringIO):
    def write(self, text):
        if " seats taken" in text:
            signal.raise_signal(signal.SIGTERM)
        return super().write(text)

def run(typed, *words):
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()))
    with contextlib.redirect_stdout(Output()), contextlib.redirect_stderr(Output()) as errors:
        try:
            status = main(list(words))
        except SystemExit as stop:
            status = stop.code
    print(status, *sorted(sys.modules))

for line in {lines!r}:
    run(*line)
"""
"""Runs one command after the other, and reports after each what is loaded."""

SCREENS = ["textual", "rich.console", "spoof_tui.ui.app", "spoof_tui.ui.terminal"]
NETWORK = ["zeroconf", "asyncio", "socket", "ssl"]


def test_a_command_loads_what_it_needs_and_none_without_a_screen_loads_one(state: Path) -> None:
    table = MemoryTable(2)
    table.ready()
    table.play_on()
    record = Archive().save(table.host.table, table.host.log)
    assert record is not None
    commands: list[tuple[int, list[str], tuple[str, ...]]] = [
        (0, [*NETWORK, "cryptography", "msgpack", "rich"], ("", "--version")),
        (0, [*NETWORK, "cryptography", "rich"], ("", "rules", "milan")),
        (0, [*NETWORK, "cryptography", "rich"], ("", "check", str(record))),
        (0, NETWORK, ("", "verify", str(record), "--json")),
        (2, [], ("",)),
        (0, [], ("", "demo")),
        (0, [], ("", "host", "--headless", "--open", "--port", "0", "--bots", "1")),
        (0, [], ("quit\n", "--plain")),
    ]
    program = PROGRAM.replace("{lines!r}", repr([words for _, _, words in commands]))
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=sources.ROOT, capture_output=True, text=True
    )
    told = [line.split() for line in ran.stdout.splitlines() if re.match(r"\d+ ", line)]
    for (status, unwanted, words), (ended, *loaded) in zip(commands, told, strict=True):
        assert int(ended) == status, (words, ran.stderr)
        assert [name for name in loaded if within(name, [*unwanted, *SCREENS])] == [], words


def test_plain_lines_load_no_screen_whatever_is_asked_for() -> None:
    program = "import sys; from spoof_tui.__main__ import main; main(['play', '--plain'])"
    with subprocess.Popen(
        [sys.executable, "-c", f"{program}; print(*sys.modules)"], cwd=sources.ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout
        while "Your hand" not in process.stdout.readline():
            assert process.poll() is None
        words = ("why", "rounds", "who", "?", "slate", "rules", "odds", "2")
        said, _ = process.communicate("\n".join(words))
    loaded = said.splitlines()[-1].split()
    assert "spoof_tui.plain.table" in loaded
    assert [name for name in loaded if within(name, SCREENS)] == []
