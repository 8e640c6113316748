"""The protocol touches nothing in the world: no socket, clock, randomness, thread or file."""

import ast
import functools
import graphlib
import subprocess
import sys

from tests.helpers import sources

WORLD = {"asyncio", "selectors", "socket", "ssl", "textual", "zeroconf", "spoof_tui"}
"""Modules that importing the protocol must not load, not even indirectly."""

LAYERS = (
    "errors limits timeouts version",
    "encoding crypto",
    "rules",
    "notation table",
    "views",
    "manners",
    "wire",
    "host guest",
    "failover",
)
"""Folders and loose modules, lowest first; those on one line know nothing of each other."""

FORBIDDEN = WORLD | {
    "datetime", "io", "multiprocessing", "os", "pathlib", "platform", "random", "secrets",
    "shutil", "signal", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
"""Modules that no module of the protocol may import."""

OUTSIDE = {
    "cryptography": "protocol.crypto.keys",
    "msgpack": "protocol.encoding.codec",
    "spake2": "protocol.crypto.join_code",
}
"""The modules that may import something outside the standard library."""

CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}


@functools.cache
def modules() -> dict[str, ast.Module]:
    """Every module of the protocol, parsed."""
    found = sources.modules("protocol")
    return {name.removesuffix(".__init__"): tree for name, tree in found.items()}


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh process has loaded after this."""
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=sources.ROOT)
    return set(done.stdout.split())


def test_a_fresh_process_loads_nothing_of_the_world() -> None:
    names = loaded_by(f"import {', '.join(modules())}")
    assert names >= set(modules())
    assert not {name for name in names if name.partition(".")[0] in WORLD}


def test_the_version_alone_loads_nothing_else() -> None:
    names = loaded_by("import protocol.version")
    assert {name for name in names if name.startswith("protocol")} == {
        "protocol",
        "protocol.version",
    }


def test_a_module_touches_nothing_of_the_world() -> None:
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                whence = [node] if isinstance(node, ast.ImportFrom) else []
                names = [each.module or "." for each in whence] or [n.name for n in node.names]
                tops = {name.partition(".")[0] for name in names}
                assert not tops & FORBIDDEN, module
                assert tops <= {*sys.stdlib_module_names, "protocol", *OUTSIDE}, module
                assert all(OUTSIDE[top] == module for top in tops & set(OUTSIDE)), module
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in CALLS, module


# The layers


def own_imports(module: str) -> set[str]:
    """The modules of the protocol that a module imports when it runs."""
    found: set[str] = set()
    waiting: list[ast.AST] = [modules()[module]]
    while waiting:
        node = waiting.pop()
        if sources.is_for_types(node):
            continue
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules() else str(node.module) for name in names}
        waiting += ast.iter_child_nodes(node)
    return (found & set(modules())) - {module}


def layer(module: str) -> int:
    """The place in `LAYERS` of a module; the package itself lies on top of everything."""
    inside = module.partition(".")[2].partition(".")[0]
    places = [n for n, line in enumerate(LAYERS) if inside in line.split()]
    return places[0] if inside else len(LAYERS)


def test_a_module_imports_only_what_lies_below_and_never_itself_by_way_of_others() -> None:
    graph = {module: own_imports(module) for module in modules()}
    assert "protocol.table.log" in graph["protocol.table.fold"]
    for module, found in graph.items():
        beside = {each for each in found if layer(each) == layer(module)}
        assert all(layer(each) <= layer(module) for each in found), module
        assert {each.split(".")[1] for each in beside} <= {*module.split(".")[1:2]}, module
    graphlib.TopologicalSorter(graph).prepare()
