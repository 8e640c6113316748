"""The lower bounds of all dependencies, tried out: `python -m tests.lower_bounds [FOLDER]`.

Makes an environment in which every dependency of `pyproject.toml` has the oldest version allowed,
and runs the tests there that use the dependencies most. `FOLDER` keeps it.
"""

import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parent.parent

SUITE: Final = (
    "tests/protocol/crypto",  # cryptography, spake2
    "tests/protocol/encoding",  # msgpack
    "tests/spoof_tui/network/test_tls.py",  # cryptography
    "tests/spoof_tui/network/test_datagrams.py",  # zeroconf, ifaddr
    "tests/spoof_tui/network/test_discovery.py",
    "tests/spoof_tui/door",  # asyncssh, websockets
    "tests/spoof_tui/storage",  # platformdirs
    "tests/spoof_tui/text",  # babel
    "tests/spoof_tui/ui/canvas",  # textual
    "tests/spoof_tui/ui/rulebook",
    "tests/spoof_tui/ui/test_terminal.py",
    "tests/spoof_tui/ui/test_painting.py",
    "tests/spoof_tui/test_terminal_input.py",
    "tests/solver",  # numpy
)
"""The tests to run, with the dependencies they try out."""


def lower_bounds() -> list[str]:
    """Every dependency of the program and its tests as a constraint, `name==oldest`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    texts = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    return [_pinned(Requirement(text)) for text in texts]


def _pinned(requirement: Requirement) -> str:
    """Raises `ValueError` for a dependency without a lower bound, or with two."""
    [oldest] = [each.version for each in requirement.specifier if each.operator == ">="]
    return f"{requirement.name}=={oldest}"


def main(arguments: Sequence[str]) -> int:
    """Make the environment and run the tests; the status of the first step that fails, or 0."""
    if arguments:
        return _try_out(Path(arguments[0]))
    with tempfile.TemporaryDirectory() as folder:
        return _try_out(Path(folder))


def _try_out(folder: Path) -> int:
    venv.create(folder, with_pip=True, clear=True)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(lower_bounds()) + "\n")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    steps = [
        ["pip", "install", "--quiet", "--constraint", str(constraints), "--editable", ".[test]"],
        ["pytest", "-p", "no:cacheprovider", "-q", *SUITE],
    ]
    for step in steps:
        status = subprocess.run([python, "-m", *step], cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
