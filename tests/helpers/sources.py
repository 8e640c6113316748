"""The project's own sources, each parsed once for all tests that look through them."""

from __future__ import annotations

import ast
import functools
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent


@functools.cache
def paths(*places: str) -> tuple[Path, ...]:
    """Every module in these folders of the project, folder by folder, in order."""
    return tuple(path for place in places for path in sorted((ROOT / place).rglob("*.py")))


def tree(path: Path) -> ast.Module:
    """The syntax tree of a module; not to be changed."""
    return parsed(path.read_text("utf-8"))


@functools.cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of a source; not to be changed."""
    return ast.parse(text)


@functools.cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes of a tree, as `ast.walk` returns them, found once."""
    return tuple(ast.walk(tree))


def is_for_types(node: ast.AST) -> bool:
    """Whether a statement is only for the type checker."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


@functools.cache
def modules(*packages: str) -> dict[str, ast.Module]:
    """The syntax trees of all modules of these packages by their names, `__init__` included."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): tree(path)
        for path in paths(*packages)
    }


def product() -> dict[str, ast.Module]:
    """The syntax trees of all modules of the program."""
    return modules("protocol", "spoof_tui")
