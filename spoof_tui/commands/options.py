"""Arguments that several commands share, each checked with a sentence."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from protocol.crypto.join_code import read_code
from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from protocol.rules.options import PRESETS, Rules
from spoof_tui.bots.levels import Level
from spoof_tui.commands.printing import suggest
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.bots.characters import Character


MAX_SECONDS: Final = 3600.0
"""The longest time that can be given to an engine."""


def name(text: str) -> str:
    """A name that fits on the wire."""
    cleaned = " ".join(text.split())
    if not cleaned or not cleaned.isprintable():
        raise argparse.ArgumentTypeError(_("a name has letters that can be printed"))
    if len(cleaned.encode(errors="replace")) > MAX_NAME:
        raise argparse.ArgumentTypeError(_("a name has at most 64 bytes"))
    return cleaned


CODE_VARIABLE: Final = "SPOOF_CODE"
"""Environment variable that gives the join code where `--code` would show it to `ps`."""


def add_code(parser: argparse.ArgumentParser) -> None:
    """The argument `--code`, which $SPOOF_CODE stands in for."""
    parser.add_argument(
        "--code",
        type=code,
        default=_Variable(os.environ.get(CODE_VARIABLE, "")) or None,
        help=_(
            "the join code on the host’s screen; other users of this computer can read it here, "
            "but not in ${variable}"
        ).format(variable=CODE_VARIABLE),
    )


class _Variable(str):
    """What an environment variable says, and no argument."""


def code(text: str) -> str:
    """A join code, in any case and with dashes or blanks."""
    read = read_code(text)
    if read is not None:
        return read
    why = _("a code is five letters and digits, such as K7M4Q")
    if isinstance(text, _Variable):
        raise argparse.ArgumentError(None, f"${CODE_VARIABLE}: {why}")
    raise argparse.ArgumentTypeError(why)


def rules(text: str) -> Rules:
    """A rule set such as `milan cap=5`."""
    try:
        return Rules.parse(text)
    except Malformed as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def whole(least: int, most: int) -> Callable[[str], int]:
    """A whole number within bounds."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            raise argparse.ArgumentTypeError(_("{text!r} is not a number").format(text=text))
        if not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                _("{number} is not from {least} to {most}").format(
                    number=text, least=least, most=most
                )
            )
        return int(text)

    return parse


def add_time(parser: argparse.ArgumentParser) -> None:
    """The argument `--time`: how long an engine may take."""
    from spoof_tui.runtime.engine import ANSWER_TIMEOUT

    parser.add_argument(
        "--time",
        type=seconds,
        default=ANSWER_TIMEOUT,
        metavar="SECONDS",
        help=_("seconds for each answer of an engine (default: {seconds:g})").format(
            seconds=ANSWER_TIMEOUT
        ),
    )


def seconds(text: str) -> float:
    """A time of up to an hour."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(_("a time is more than 0 and at most 3600 seconds"))
    return value


def add_level(parser: argparse.ArgumentParser) -> None:
    """The argument `--level`: how strong the bots are."""
    suggest(
        parser.add_argument(
            "--level",
            type=level,
            default=Level.MEDIUM,
            help=_("how strong bots are: easy, medium or hard (default: medium)"),
        ),
        (each.value for each in Level),
    )


def level(text: str) -> Level:
    """The strength of a bot."""
    try:
        return Level(text)
    except ValueError:
        known = ", ".join(each.value for each in Level)
        raise argparse.ArgumentTypeError(
            _("a level is one of {known}").format(known=known)
        ) from None


def add_company(parser: argparse.ArgumentParser) -> None:
    """The argument `--as`: who the bots are."""
    from spoof_tui.bots.characters import CHARACTERS, MIXED

    known = ", ".join([*CHARACTERS, MIXED])
    suggest(
        parser.add_argument(
            "--as",
            dest="company",
            type=characters,
            default=(),
            metavar="CHARACTER",
            help=_("who they are: {known} (default: nobody special)").format(known=known),
        ),
        [*CHARACTERS, MIXED],
    )


def characters(text: str) -> tuple[Character, ...]:
    """The characters of a company."""
    from spoof_tui.bots.characters import CHARACTERS, MIXED, company

    try:
        return company(text)
    except KeyError:
        known = ", ".join([*CHARACTERS, MIXED])
        raise argparse.ArgumentTypeError(
            _("a character is one of {known}").format(known=known)
        ) from None


def rules_help() -> str:
    """What to say about the argument that `rules` reads."""
    text = _("what is played: {presets}, with changes such as 'milan cap=5' (default: milan)")
    return text.format(presets=", ".join(PRESETS))


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
