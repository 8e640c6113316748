"""The protocol touches nothing of the world: no socket, clock, randomness, thread or file."""

import ast
import functools
import graphlib
import subprocess
import sys
from dataclasses import dataclass, field

from tests.helpers import sources

WORLD = {"asyncio", "selectors", "socket", "ssl", "textual", "zeroconf", "spoof_tui"}
"""What importing the protocol must not load, not even by way of something else."""

LAYERS = (
    "errors limits timing version",
    "encoding crypto",
    "rules",
    "notation table",
    "views",
    "viewer manners",
    "wire",
    "host guest",
)
"""Folders and loose modules from the ground up; those of one line know nothing of each other."""

MAX_CHAIN = 12
"""Modules in the longest chain of imports."""

FORBIDDEN = WORLD | {
    "datetime", "io", "multiprocessing", "os", "pathlib", "platform", "random", "secrets",
    "shutil", "signal", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
"""What no module of the protocol may import."""

OUTSIDE = {
    "cryptography": {"protocol.crypto.keys"},
    "msgpack": {"protocol.encoding.codec"},
    "spake2": {"protocol.crypto.join_code"},
}
"""Who may import what is not in the standard library."""

CLOCKS = {"time", "datetime", "os", "random"}

CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module of the protocol, parsed."""
    found = sources.modules("protocol")
    return {name.removesuffix(".__init__"): tree for name, tree in found.items()}


@dataclass(frozen=True)
class Doings:
    """Packages that a module imports, names that it calls, and names of which it takes parts."""

    imports: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    asks: set[str] = field(default_factory=set)


def doings(tree: ast.AST) -> Doings:
    """What a module does, anywhere in it."""
    found = Doings()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.imports.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            found.imports.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.calls.add(node.func.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.asks.add(node.value.id)
    return found


@functools.cache
def done() -> dict[str, Doings]:
    """What every module of the protocol does."""
    return {module: doings(tree) for module, tree in modules().items()}


def test_a_fresh_process_loads_nothing_of_the_world() -> None:
    code = f"import sys; import {', '.join(modules())}; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=sources.ROOT)
    names = set(loaded.stdout.split())
    assert names >= set(modules())
    assert not {name for name in names if name.partition(".")[0] in WORLD}


def test_no_module_touches_the_world() -> None:
    for module, found in done().items():
        assert not found.imports & FORBIDDEN, module
        assert not found.calls & CALLS, module
        assert not found.asks & CLOCKS, module


def test_one_module_each_imports_what_is_not_in_the_standard_library() -> None:
    for package, allowed in OUTSIDE.items():
        assert {name for name, found in done().items() if package in found.imports} == allowed


def test_nothing_else_comes_from_outside() -> None:
    everything = set().union(*(found.imports for found in done().values()))
    assert everything <= {*sys.stdlib_module_names, *OUTSIDE, "protocol"}


# The layers


def own_imports(module: str, tree: ast.Module) -> set[str]:
    """The modules of the protocol that a module imports when it runs."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if sources.is_for_types(node):
            continue
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules() else str(node.module) for name in names}
        waiting += ast.iter_child_nodes(node)
    return (found & set(modules())) - {module}


@functools.cache
def graph() -> dict[str, set[str]]:
    """The modules of the protocol that each of them imports."""
    return {module: own_imports(module, tree) for module, tree in modules().items()}


def layer(module: str) -> int:
    """The place in `LAYERS` of a module; the package itself lies on top of everything."""
    _, _, inside = module.partition(".")
    places = [n for n, line in enumerate(LAYERS) if inside.split(".")[0] in line.split()]
    return places[0] if inside else len(LAYERS)


def folder(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_module_has_a_layer_and_imports_only_what_lies_below() -> None:
    up = [
        f"{module} imports {each}"
        for module, found in graph().items()
        for each in found
        if layer(each) > layer(module)
        or (layer(each) == layer(module) and folder(each) != folder(module))
    ]
    assert up == []


def test_no_module_imports_itself_by_way_of_others_and_no_chain_is_long() -> None:
    depth: dict[str, int] = {}
    for module in graphlib.TopologicalSorter(graph()).static_order():
        depth[module] = 1 + max((depth[each] for each in graph()[module]), default=0)
    assert {module for module, chain in depth.items() if chain > MAX_CHAIN} == set()


def test_the_wall_would_notice() -> None:
    assert "protocol.table.fold" in graph()["protocol.table.replica"]
    assert layer("protocol.host.host") > layer("protocol.wire.messages") > layer("protocol.views")
