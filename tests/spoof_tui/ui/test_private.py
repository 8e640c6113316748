"""Private parts of Textual that are used all the same: these names, and no others."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import spoof_tui
from spoof_tui.ui import terminal
from tests.helpers.sources import nodes, parsed

ROOT = Path(spoof_tui.__file__).parent

IMPORTED = {
    "textual._ansi_sequences.ANSI_SEQUENCES_KEYS",
    "textual._xterm_parser.XTermParser",
}
"""A comment beside each import says why there is no public way; without them Textual reads keys."""

OVERRIDDEN = {"TerminalApp._fatal_error"}
"""Without it a crash shows the values of variables."""

PATCHED = {"XTermParser", "getincrementaldecoder"}
"""Names of the driver's module that are given another value, if they are there."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Those that name Textual."""
    for path in ROOT.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        if "textual" in (text := path.read_text("utf-8")):
            yield name.removesuffix(".__init__"), parsed(text)


def imported(tree: ast.Module) -> Iterator[str]:
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_private(name: str) -> bool:
    package, *rest = name.split(".")
    return package == "textual" and any(part.startswith("_") for part in rest)


def of_textual(name: str) -> bool:
    return name.split(".")[0] == "textual"


def classes(module: ModuleType) -> Iterator[type]:
    for each in vars(module).values():
        if inspect.isclass(each) and each.__module__ == module.__name__:
            yield each


def overridden(own: type) -> Iterator[str]:
    """Private names of Textual's classes that a class of ours has, too."""
    bases = [base for base in own.__mro__ if of_textual(base.__module__)]
    for name, value in vars(own).items():
        is_own = isinstance(value, FunctionType | property) and not name.startswith("__")
        theirs = (vars(base).get(name) for base in bases)
        if is_own and name.startswith("_") and any(map(_is_code, theirs)):
            yield f"{own.__name__}.{name}"


def _is_code(value: object) -> bool:
    return callable(value) or isinstance(value, property)


def test_no_other_private_name_of_textual_is_imported() -> None:
    found = {name for _module, tree in modules() for name in imported(tree) if is_private(name)}
    assert found == IMPORTED


def test_no_other_private_method_of_textual_is_overridden() -> None:
    found: set[str] = set()
    for name, tree in modules():
        if any(of_textual(each) for each in imported(tree)):
            for own in classes(importlib.import_module(name)):
                found.update(overridden(own))
    assert found == OVERRIDDEN


def test_the_driver_is_patched_in_these_names() -> None:
    tree = ast.parse(inspect.getsource(terminal._harden_driver))
    names = [key for node in nodes(tree) if isinstance(node, ast.Dict) for key in node.keys]
    assert {ast.literal_eval(key) for key in names if key} == PATCHED
    assert hasattr(vars(terminal)["driver"], "XTermParser")
