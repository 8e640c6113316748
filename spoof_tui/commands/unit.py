"""Units of systemd that open a door or a table whenever the machine starts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import spoof_tui
from spoof_tui.commands.printing import complain
from spoof_tui.text.i18n import _

UNIT: Final = Path(__file__).with_name("spoof.service")
"""The template of a service file, with placeholders in braces."""

HOMES: Final = (Path("/home"), Path("/root"), Path("/run/user"))
"""Folders that a service with `ProtectHome=yes` cannot see."""

UNIT_OPTION: Final = "--unit"

_PLACE: Final = "/opt/spoof"
"""The suggested folder for an installation for the whole machine, by the Filesystem Hierarchy
Standard."""


def print_unit(what: str, state: str, words: Sequence[str]) -> int:
    """Print the unit that runs `spoof` with these words; return 1 if no service could run it.

    `what` describes the unit, and `state` names its state directory.
    """
    if sys.platform != "linux":
        complain(_("a unit is for systemd, which only Linux has"))
        return 1
    program = _program()
    places = Path(program[0]), Path(sys.base_prefix), Path(spoof_tui.__file__)
    if hidden := _hidden(places):
        why = _(
            "a service cannot read home folders, so it would not find {path}. Install Spoof "
            "for the whole machine:"
        )
        complain(why.format(path=hidden))
        for line in (
            f"sudo python3 -m venv {_PLACE} && sudo {_PLACE}/bin/pip install .",
            f"{_PLACE}/bin/spoof {' '.join(words)} --unit",
        ):
            print(f"  {line}", file=sys.stderr)
        return 1
    command = " ".join(map(_quoted, (*program, *words)))
    text = UNIT.read_text("utf-8").format(what=what, state=state, command=command)
    print(text, end="")
    return 0


def without_unit(words: Sequence[str]) -> list[str]:
    """The words of a command line without `--unit`, however that is shortened."""
    return [each for each in words if not each.startswith("--u") or each not in UNIT_OPTION]


def _program() -> tuple[str, ...]:
    """The words with which systemd runs this program: its script, or Python with the module."""
    installed = Path(sys.executable).with_name("spoof")
    return (str(installed),) if installed.exists() else (sys.executable, "-m", "spoof_tui")


def _hidden(places: Iterable[Path]) -> Path | None:
    """The first of these paths that is in a home folder, perhaps through a link; None if none
    is."""
    for each in places:
        if any(home in path.parents for home in HOMES for path in (each, each.resolve())):
            return each
    return None


def _quoted(word: str) -> str:
    """A word quoted for `ExecStart` (systemd.service(5), "Command lines")."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if not word or set(word) & set(" \t'\";\\") else escaped
