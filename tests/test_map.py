"""Where is …? The answers to a newcomer's questions in the program's README hold."""

import ast
import re
from pathlib import Path

from tests.helpers.sources import tree

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT.joinpath("spoof_tui", "README.md").read_text("utf-8")
ANSWERS = re.findall(r"^\| .*\? \| `(\S+)`, `(\w+)` \|$", PAGE, re.MULTILINE)


def names(path: Path) -> set[str]:
    """The names that a module defines at its top."""
    found = set()
    for node in tree(path).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def test_every_answer_is_where_it_is_said_to_be() -> None:
    assert len(ANSWERS) >= 50
    assert [answer for answer in ANSWERS if answer[1] not in names(ROOT / answer[0])] == []


def test_every_path_that_the_page_names_is_there() -> None:
    paths = re.findall(r"`((?:protocol|spoof_tui|tests)/[\w./]*)`", PAGE)
    assert [path for path in paths if not (ROOT / path).exists()] == []
