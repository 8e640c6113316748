"""The protocol touches nothing of the world: no socket, clock, randomness, thread or file."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

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

OUTSIDE = {"cryptography": {"protocol.keys"}, "msgpack": {"protocol.codec"}}
"""Who may import what is not in the standard library."""

CLOCKS = {"time", "datetime", "os", "random"}

CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}


def imported(tree: ast.AST) -> set[str]:
    """The packages that a module imports anywhere."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute here"
            found.add((node.module or "").partition(".")[0])
    return found


def test_a_fresh_process_loads_nothing_of_the_world() -> None:
    code = f"import sys; import {', '.join(MODULES)}; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT.parent)
    names = set(loaded.stdout.split())
    assert names >= set(MODULES)
    assert not {name for name in names if name.partition(".")[0] in WORLD}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_no_world(module: str) -> None:
    assert not imported(MODULES[module]) & FORBIDDEN


@pytest.mark.parametrize("package", OUTSIDE)
def test_one_module_imports(package: str) -> None:
    assert {name for name, tree in MODULES.items() if package in imported(tree)} == OUTSIDE[package]


def test_nothing_else_comes_from_outside() -> None:
    everything = set().union(*map(imported, MODULES.values()))
    assert everything <= {*sys.stdlib_module_names, *OUTSIDE, "protocol"}


@pytest.mark.parametrize("module", MODULES)
def test_a_module_calls_nothing_that_touches_the_world(module: str) -> None:
    nodes = [*ast.walk(MODULES[module])]
    called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert not called & CALLS


@pytest.mark.parametrize("module", MODULES)
def test_a_module_asks_no_clock(module: str) -> None:
    nodes = [*ast.walk(MODULES[module])]
    asked = {
        n.value.id for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
    }
    assert not asked & CLOCKS
