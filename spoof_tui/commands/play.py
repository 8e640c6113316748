"""`spoof play`: a game against bots at once; and how commands open a screen or plain lines."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any

from spoof_tui import console, system, visiting
from spoof_tui.commands.options import add_name, add_one_of, add_plain, add_preset, whole
from spoof_tui.commands.printing import Parser, complain, no_terminal
from spoof_tui.storage.settings import LEVELS, MAX_BOTS, PRESETS, Settings
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.runtime.launch import Launch


def main(words: Sequence[str]) -> int:
    """Open a game against bots; return the exit status."""
    given = parser().parse_args(words)
    from spoof_tui.runtime.launch import Launch

    chosen = _given(bots=given.bots, level=given.level, preset=given.rules)
    practice = replace(Settings.load().practice, **chosen) if chosen else None
    return show_app(Launch(practice=True), is_plain=given.plain, practice=practice, name=given.name)


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof play`."""
    parser = Parser(
        prog="spoof play",
        description=_(
            "Play right away against bots on this computer, with the same settings as last time."
        ),
    )
    add = parser.add_argument
    add("--bots", type=whole(1, MAX_BOTS), metavar="N",
        help=_("how many bots: 1 to {most}").format(most=MAX_BOTS))  # fmt: skip
    levels, presets = ", ".join(LEVELS), ", ".join(PRESETS)
    add_one_of(add, "--level", LEVELS, metavar="LEVEL",
               help=_("how well they play: {levels}").format(levels=levels))  # fmt: skip
    add_preset(parser, _("what is played: {presets}").format(presets=presets))
    add_name(parser)
    add_plain(parser)
    return parser


def show_app(launch: Launch | None, *, is_plain: bool | None = None, **only_now: Any) -> int:
    """Run the interface, with `launch` to be done first; return the exit status.

    `is_plain`: plain lines rather than a screen; None for the player's setting. `only_now`:
    settings for this run, where None leaves one as it is. Plain lines need no terminal; without
    one, a screen is refused with a sentence and status 2.
    """
    from spoof_tui.runtime.launch import first_settings

    plain = _is_plain(is_plain)
    if not plain and not system.has_terminal():
        complain(no_terminal(_("Without a terminal, add --plain, or try: spoof demo")))
        return 2
    if plain:
        from spoof_tui.plain.app import run_plain

        return run_plain(replace(first_settings(), **_given(**only_now)), launch)
    console.use_terminal_encoding()
    from spoof_tui.ui.app import SpoofApp
    from spoof_tui.ui.terminal import run_app

    app = partial(SpoofApp, replace(first_settings(), **_given(**only_now)), launch)
    if not visiting.has_page():
        return run_app(app())
    from spoof_tui.plain.aloud import Aloud

    return run_app(app(Aloud))


def import_app(*, is_plain: bool | None = None) -> None:
    """Begin to import what `show_app` will need, while the caller waits for something else."""
    name = "spoof_tui.plain.app" if _is_plain(is_plain) else "spoof_tui.ui.app"
    Thread(target=import_module, args=(name,)).start()


def _is_plain(chosen: bool | None) -> bool:
    return wants_lines(Settings.load()) if chosen is None else chosen


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def wants_lines(settings: Settings) -> bool:
    """Whether to use plain lines if the command line does not decide: by setting, or by the
    terminal.

    Never on a web page, which has a log for screen readers, and no buttons for plain lines.
    """
    return (settings.plain and not visiting.has_page()) or system.has_line_terminal()
