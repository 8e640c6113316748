"""Command line options that several commands share, with checks that fail with a sentence."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from spoof_tui.commands.printing import Parser, suggest
from spoof_tui.storage.settings import USUAL_PRESET
from spoof_tui.text import parsing
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from protocol.rules.options import Rules
    from spoof_tui.acts.table_form import FormQuestion
    from spoof_tui.network.addresses import Address

T = TypeVar("T")

MAX_GAMES: Final = 99_999_999
"""The highest number that a game in a list can have."""


MAX_SECONDS: Final = 3600.0
"""The longest time limit for an engine, in seconds."""


def name(text: str) -> str:
    """A name with single spaces, short enough for the protocol; raises `ArgumentTypeError`."""
    cleaned = " ".join(text.split())
    if not cleaned:
        raise argparse.ArgumentTypeError(_("a name cannot be empty"))
    if not cleaned.isprintable():
        raise argparse.ArgumentTypeError(_("a name may only have printable characters"))
    if len(cleaned.encode(errors="replace")) > MAX_NAME:
        raise argparse.ArgumentTypeError(_("a name has at most 64 bytes"))
    return cleaned


CODE_VARIABLE: Final = "SPOOF_CODE"
"""Environment variable for the join code: other users can see the value of `--code` with `ps`."""


def add_code(parser: argparse.ArgumentParser) -> None:
    """Add `--code`, whose default is $SPOOF_CODE, or None."""
    parser.add_argument(
        "--code",
        type=code,
        default=_Variable(os.environ.get(CODE_VARIABLE, "")) or None,
        help=_(
            "the join code on the host’s screen; other users of this computer can read it on a "
            "command line, but not in ${variable}"
        ).format(variable=CODE_VARIABLE),
    )


class _Variable(str):
    """The text of an environment variable, marked so that errors name the variable."""


def code(text: str) -> str:
    """A join code in its canonical form; case, dashes and spaces do not matter.

    Raises `ArgumentTypeError`, or `ArgumentError` for a bad environment variable.
    """
    from protocol.crypto.join_code import read_code

    read = read_code(text)
    if read is not None:
        return read
    if isinstance(text, _Variable):
        why = _("a code is five letters and digits, such as K7M4Q")
        raise argparse.ArgumentError(None, f"${CODE_VARIABLE}: {why}")
    why = _("{text!r} is no code: a code is five letters and digits, such as K7M4Q")
    raise argparse.ArgumentTypeError(why.format(text=text))


def add_one_of(
    add: Callable[..., argparse.Action],
    argument: str,
    words: Iterable[str],
    kind: Callable[[str], object] = str,
    **said: Any,
) -> None:
    """Add an argument that must be one of `words`, converted by `kind`; shells complete the
    words."""
    read = checked(lambda text: kind(parsing.one_of(text, words)))
    suggest(add(argument, type=read, **said), words)


def whole(least: int, most: int) -> Callable[[str], int]:
    """A function that reads a whole number from `least` to `most`; raises `ArgumentTypeError`."""
    return checked(parsing.whole(least, most))


def add_time(parser: argparse.ArgumentParser) -> None:
    """Add `--time`: the seconds that an engine has for each answer."""
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
    """A number of seconds above 0 and up to an hour; raises `ArgumentTypeError`."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(_("a time is more than 0 and at most 3600 seconds"))
    return value


def add(parser: argparse.ArgumentParser, question: FormQuestion) -> None:
    """Add the option that answers this question about a new table."""
    from spoof_tui.acts.table_form import usual

    said: dict[str, Any]
    if question.read is None:
        said = {"action": "store_const", "const": question.values[-1]}
    else:
        said = {"type": checked(question.read), "metavar": question.metavar}
    action = parser.add_argument(
        question.flag,
        dest=question.field,
        default=usual(question),
        help=question.option_help(),
        **said,
    )
    suggest(action, question.suggested)


def checked(read: Callable[[str], T]) -> Callable[[str], T]:
    """`read`, raising `ArgumentTypeError` with the sentence of its `ValueError` or `Malformed`."""

    def parse(text: str) -> T:
        try:
            return read(text)
        except (ValueError, Malformed) as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


def add_rule_set(parser: Parser) -> None:
    """Add `--rules`: a preset, with changes if wanted."""
    text = _("what is played: {presets}, with changes such as 'milan cap=5' (default: {usual})")
    presets = _presets()
    help = text.format(presets=", ".join(presets), usual=USUAL_PRESET)
    parser.add("--rules", type=checked(_rules), default=USUAL_PRESET, help=help, suggests=presets)


def _presets() -> Iterable[str]:
    # Slow to import, and the lobby needs none.
    from protocol.rules.options import PRESETS

    return PRESETS


def _rules(text: str) -> Rules:
    from spoof_tui.telling.rule_options import read_rules

    return read_rules(text)


def _preset(text: str) -> str:
    from spoof_tui.telling.rule_options import read_preset

    return read_preset(text)


def add_table(parser: Parser) -> None:
    """Add the optional argument that names the table, or its address."""
    parser.add_argument(
        "table",
        nargs="?",
        type=checked(_table),
        metavar="TABLE | HOST:PORT",
        help=_("the table’s name or a part of it, or its address (default: the only one there is)"),
    )


def _table(text: str) -> Address | str:
    """The address that `text` is, or the text itself, as (a part of) the name of a table.

    An address has a port, consists of digits and dots, or is "localhost". Raises `ValueError`.
    """
    if not (":" in text or text == "localhost" or text.replace(".", "").isdigit()):
        return text
    from spoof_tui.network.addresses import Address

    return Address.parse(text)


FLAGS: Final = ("--plain", "--no-plain")


def add_plain(parser: argparse.ArgumentParser) -> None:
    """Add `--plain` and `--no-plain`: plain lines or a screen; None if neither is given."""
    parser.add_argument(
        "--plain",
        action=argparse.BooleanOptionalAction,
        help=_("plain text instead of full screen, for screen readers and pipes"),
    )


def split_flags(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a command line into the flags at its start and the rest."""
    count = next((place for place, word in enumerate(words) if word not in FLAGS), len(words))
    return list(words[:count]), list(words[count:])


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules` to a command that lists games: only those by this preset."""
    add_preset(
        parser, _("only games under these rules: {known}").format(known=", ".join(_presets()))
    )


def add_preset(parser: argparse.ArgumentParser, help: str) -> None:
    """Add `--rules` to a command that takes the bare name of a preset."""
    read = checked(_preset)
    suggest(parser.add_argument("--rules", type=read, metavar="PRESET", help=help), _presets())


def add_name(parser: argparse.ArgumentParser) -> None:
    """Add `--name`: the player's name for this run."""
    parser.add_argument("-n", "--name", type=name, help=_("your name for this session"))
