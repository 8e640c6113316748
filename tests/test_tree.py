"""Rules for the tree of files as a whole. Each test lists the offenders."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests import lower_bounds
from tests.helpers.sources import ROOT, parsed, paths

PACKAGES = ("protocol", "spoof_tui", "tests")

DOCUMENT = re.compile(r"[\w./-]*\w\.(?:md|py|toml|po)\b")
"""The name of a file as prose cites it."""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Files that prose names


def prose(text: str) -> Iterator[str]:
    """The comments and docstrings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def known_files() -> set[str]:
    """Every file of the project, by its path and by the ends of its path."""
    tops = [path for path in ROOT.iterdir() if path.name in {*PACKAGES, ".ci"}]
    files = [relative(path) for top in tops for path in top.rglob("*") if path.is_file()]
    files += [path.name for path in ROOT.iterdir() if path.is_file()]
    return {"/".join(file.split("/")[start:]) for file in files for start in range(8)}


def test_no_comment_names_a_file_that_is_not_there() -> None:
    known = known_files()
    texts = {path: path.read_text("utf-8") for path in paths(*PACKAGES)}
    # Parsing a file costs far more than looking through it.
    doubtful = {path: text for path, text in texts.items() if {*DOCUMENT.findall(text)} - known}
    assert [
        f"{relative(path)}: {name}"
        for path, source in doubtful.items()
        for text in prose(source)
        for name in DOCUMENT.findall(text)
        if name not in known
    ] == []


# Size


MAX_LINES = 700
"""Lines of a module; one is cut where a subject ends, not where a number does."""

MAX_METHODS = 35
"""Methods of a class."""


def too_long(path: Path) -> Iterator[str]:
    """The overlong parts of a module: itself, or a class in it."""
    text = path.read_text("utf-8")
    if (lines := len(text.splitlines())) > MAX_LINES:
        yield f"{relative(path)} has {lines} lines"
    if text.count("def ") <= MAX_METHODS:
        return  # parsing a file costs far more than looking through it
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.ClassDef):
            kinds = [isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body]
            if sum(kinds) > MAX_METHODS:
                yield f"{relative(path)}: {node.name} has {sum(kinds)} methods"


def test_no_module_and_no_class_is_too_long() -> None:
    modules = paths("protocol", "spoof_tui")
    assert [offence for path in modules for offence in too_long(path)] == []


# Sleep


MAY_SLEEP = {
    # These are about how long something lasts.
    "tests/benchmarks/door.py": {"_many"},
    "tests/benchmarks/painting.py": {"idle", "_step"},
    "tests/benchmarks/programs/crowd.py": {"beacons", "look"},
    "tests/benchmarks/programs/listing.py": {"main"},
    "tests/benchmarks/siege.py": {"play_round"},
    "tests/end_to_end/test_browser.py": {
        "test_a_minute_without_the_page_costs_neither_seat_nor_hand",
        "test_half_a_minute_offline_costs_neither_seat_nor_hand",
    },
    # In an evening's own time, before it lies.
    "tests/simulation/programs.py": {"_serve_falsely"},
}
"""Functions that sleep without waiting for anything."""


def is_sleep(node: ast.AST) -> bool:
    """Whether a node sleeps; `sleep(0)` does not, it lets others run."""
    match node:
        case ast.Call(func=ast.Attribute(ast.Name("time" | "asyncio"), "sleep"), args=[asked, *_]):
            return ast.unparse(asked) != "0"
    return False


def blind_sleeps(tree: ast.AST, function: str = "", waits: bool = False) -> Iterator[str]:
    """The functions that sleep outside of a loop that asks for a condition."""
    for node in ast.iter_child_nodes(tree):
        if is_sleep(node) and not waits:
            yield function
        name, asks = function, waits or isinstance(node, ast.While)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name, asks = node.name, False
        yield from blind_sleeps(node, name, asks)


def is_in_virtual_time(path: Path) -> bool:
    """Whether a test's clock is simulated and takes no real time."""
    plans = (path, path.with_name("conftest.py"))
    return any("helpers.virtual" in each.read_text("utf-8") for each in plans if each.exists())


def test_nothing_sleeps_blindly() -> None:
    tests = [path for path in paths("tests") if not is_in_virtual_time(path)]
    texts = {path: path.read_text("utf-8") for path in tests}
    found = {
        relative(path): set(blind_sleeps(parsed(text)))
        for path, text in texts.items()
        if "sleep(" in text
    }
    assert {file: names - MAY_SLEEP.get(file, set()) for file, names in found.items()} == {
        file: set() for file in found
    }


def test_whatever_tries_out_the_lower_bounds_is_there() -> None:
    assert [path for path in lower_bounds.SUITE if not (ROOT / path).exists()] == []
