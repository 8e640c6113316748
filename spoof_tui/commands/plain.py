"""The argument `--plain`, which the program and some of its commands have."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from spoof_tui.text.i18n import _

FLAGS: Final = ("--plain", "--no-plain")


def add_plain(parser: argparse.ArgumentParser) -> None:
    """The argument `--plain`: lines in place of a screen; None where nothing is said of it."""
    parser.add_argument(
        "--plain",
        action=argparse.BooleanOptionalAction,
        help=_("appended lines and a prompt in place of a screen: for screen readers and pipes"),
    )


def split_flags(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Such flags at the beginning of a command line, and the rest of it."""
    count = next((place for place, word in enumerate(words) if word not in FLAGS), len(words))
    return list(words[:count]), list(words[count:])
