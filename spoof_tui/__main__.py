"""The command `spoof`: reads the command line and imports only what the command needs."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

_FOREIGN: Final = (
    "spoof: the package `protocol` of this Python is not Spoof's. Another one of that name was "
    "installed beside it: run `pip uninstall protocol`, and install Spoof again."
)

_SERVING: Final = ("host", "door")
"""Commands that keep running for others when nobody reads what they print."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in `arguments`, or on the command line; returns its exit status."""
    if not _has_own_protocol():
        # Nothing else of this program can be imported, so this is said in English only.
        raise SystemExit(_FOREIGN)
    try:
        return _command(list(sys.argv[1:] if arguments is None else arguments))
    except BrokenPipeError:
        return 1
    except OSError as error:
        from spoof_tui.commands.printing import has_no_room

        if not has_no_room(error):
            raise
        return 1
    except KeyboardInterrupt:
        return 130


def run() -> NoReturn:
    """Run the command on the command line, and end the process with its status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Ctrl-C while modules are loaded: their errors would hide the interrupt.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from spoof_tui import system

    try:
        status = main()
    except SystemExit as ended:
        if not isinstance(ended.code, int):
            raise
        status = ended.code
    system.end_process(status)


def _command(words: list[str]) -> int:
    """Find and run the command in `words`; returns its exit status, or exits like argparse."""
    from spoof_tui import console
    from spoof_tui.commands import summaries
    from spoof_tui.commands.options import split_flags
    from spoof_tui.commands.printing import finish_output, print_version

    console.spare_output()
    flags, rest = split_flags(words)
    _choose_language()
    try:
        if rest and rest[0] in summaries.COMMANDS:
            return run_command(rest[0], [*flags, *rest[1:]])
        if rest == ["version"]:
            words = rest = ["--version"]
        if rest and not rest[0].startswith("-"):
            return _no_command(rest[0])
        if words:
            # What follows an option that is not known is its value.
            given = summaries.parser().parse_args([*flags, *rest[:1]])
            if given.version:
                print_version()
                return 0
        return run_command("lobby", words)
    except SystemExit:
        # The help that argparse has printed.
        finish_output()
        raise


def run_command(name: str, words: list[str]) -> int:
    """Import and run one command; returns its exit status."""
    _tell_of_damage()
    command = import_module(f"spoof_tui.commands.{name}")
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    status = int(command.main(words))
    if name not in _SERVING:
        from spoof_tui.commands.printing import finish_output

        finish_output()
    return status


def _has_own_protocol() -> bool:
    """Whether the package `protocol` is that of this program, since others have the same name."""
    try:
        import protocol
    except Exception:
        return False
    return getattr(protocol, "GAME", "") == "Spoof"


def _no_command(word: str) -> int:
    from spoof_tui.commands import summaries
    from spoof_tui.commands.printing import complain, shown
    from spoof_tui.text.i18n import _
    from spoof_tui.text.parsing import meant

    wrong = _("there is no command {word}.").format(word=repr(shown(word)))
    hint = meant(word, (*summaries.COMMANDS, "version")) or _("spoof --help lists them.")
    complain(f"{wrong} {hint}")
    return 2


def _choose_language() -> None:
    from spoof_tui.storage import paths
    from spoof_tui.text import i18n

    i18n.begin(paths.chosen_language())


def _tell_of_damage() -> None:
    from spoof_tui.storage import paths

    if paths.damaged_settings():
        from spoof_tui.commands.printing import complain
        from spoof_tui.storage.settings import trouble

        complain(trouble())


if __name__ == "__main__":
    run()
