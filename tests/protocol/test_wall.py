"""The protocol touches nothing of the world: no socket, clock, randomness, thread or file."""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import protocol

ROOT = Path(protocol.__file__).parent
MODULES = {
    ".".join(["protocol", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(
        ".__init__"
    ): ast.parse(path.read_text("utf-8"))
    for path in sorted(ROOT.rglob("*.py"))
}
"""Every module of the protocol, parsed."""

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


IMPORTED: dict[str, set[str]] = {}
CALLED: dict[str, set[str]] = {}
ASKED: dict[str, set[str]] = {}
"""By module: packages that it imports, names that it calls, and names of which it takes parts."""


def look_through(module: str, tree: ast.AST) -> None:
    """Note what a module does, anywhere in it."""
    imports = IMPORTED.setdefault(module, set())
    calls = CALLED.setdefault(module, set())
    asks = ASKED.setdefault(module, set())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            imports.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asks.add(node.value.id)


for _module, _tree in MODULES.items():
    look_through(_module, _tree)


def test_a_fresh_process_loads_nothing_of_the_world() -> None:
    code = f"import sys; import {', '.join(MODULES)}; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT.parent)
    names = set(loaded.stdout.split())
    assert names >= set(MODULES)
    assert not {name for name in names if name.partition(".")[0] in WORLD}


def test_no_module_touches_the_world() -> None:
    for module in MODULES:
        assert not IMPORTED[module] & FORBIDDEN, module
        assert not CALLED[module] & CALLS, module
        assert not ASKED[module] & CLOCKS, module


def test_one_module_each_imports_what_is_not_in_the_standard_library() -> None:
    for package, allowed in OUTSIDE.items():
        assert {name for name, found in IMPORTED.items() if package in found} == allowed


def test_nothing_else_comes_from_outside() -> None:
    everything = set().union(*IMPORTED.values())
    assert everything <= {*sys.stdlib_module_names, *OUTSIDE, "protocol"}


# The layers


def own_imports(module: str, tree: ast.Module) -> set[str]:
    """The modules of the protocol that a module imports when it runs."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in names}
        waiting += ast.iter_child_nodes(node)
    return (found & set(MODULES)) - {module}


GRAPH = {module: own_imports(module, tree) for module, tree in MODULES.items()}


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
        for module, found in GRAPH.items()
        for each in found
        if layer(each) > layer(module)
        or (layer(each) == layer(module) and folder(each) != folder(module))
    ]
    assert up == []


def test_no_module_imports_itself_by_way_of_others_and_no_chain_is_long() -> None:
    depth: dict[str, int] = {}
    for module in graphlib.TopologicalSorter(GRAPH).static_order():
        depth[module] = 1 + max((depth[each] for each in GRAPH[module]), default=0)
    assert {module for module, chain in depth.items() if chain > MAX_CHAIN} == set()


def test_the_wall_would_notice() -> None:
    assert "protocol.table.fold" in GRAPH["protocol.table.replica"]
    assert layer("protocol.host.host") > layer("protocol.wire.messages") > layer("protocol.views")
