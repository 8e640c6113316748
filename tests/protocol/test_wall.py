"""The protocol touches nothing of the world: no socket, clock, randomness, thread or file."""

import ast
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
