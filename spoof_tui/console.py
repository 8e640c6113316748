"""How consoles differ between systems: encoding, language, font, and typed lines.

This is separate from `spoof_tui/system.py` because every command needs it, and most need neither an
event loop nor a socket.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import shlex
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TextIO

from spoof_tui.terminal_input import typed_text

if sys.platform == "win32":
    import ctypes
    import locale
    import msvcrt
else:
    import termios

MAX_TYPED: Final = 4000
"""Maximum characters of one typed line; a longer one comes in pieces."""

_OWN_FONTS: Final = ("WT_SESSION", "TERM_PROGRAM", "ConEmuPID", "TERM")
"""Environment variables of terminals on Windows whose fonts have more characters than its old
console."""


_PUT_BY_PYTHON: Final = ("C.UTF-8", "C.utf8", "UTF-8")
"""Values that Python itself gives $LC_CTYPE if the locale is C, or one that the system does not
have."""


def locale_name() -> str:
    """The name of the locale for characters in the player's environment; empty if there is none."""
    for_all, characters, general = map(_variable, ("LC_ALL", "LC_CTYPE", "LANG"))
    if not for_all and characters in _PUT_BY_PYTHON and names_other_than_utf8(general):
        return general
    return for_all or characters or general


def _variable(name: str) -> str:
    return os.environ.get(name, "")


def names_other_than_utf8(locale: str) -> bool:
    """Whether the name of a locale includes a character set other than UTF-8."""
    return _charset(locale).replace("-", "") not in ("", "utf8")


def _charset(locale: str) -> str:
    return locale.partition("@")[0].partition(".")[2].lower()


def encoding() -> str:
    """The encoding of what is sent to the terminal and of what is typed there.

    It is UTF-8, unless the locale names another that has more letters than ASCII: where it names
    only ASCII, most terminals can show more than that.
    """
    named = _UTF8
    if sys.platform != "win32":
        with contextlib.suppress(LookupError):
            named = codecs.lookup(_charset(locale_name()) or _UTF8).name
    return _UTF8 if named == "ascii" else named


_UTF8: Final = "utf-8"


@cache
def is_in_ascii_tmux() -> bool:
    """Whether this program runs in a tmux that shows "_" for everything but ASCII.

    tmux decides that by the locale in which it was attached to its terminal, so it has to be asked,
    which takes some milliseconds.
    """
    if not _variable("TMUX"):
        return False
    import subprocess

    command = ("tmux", "display-message", "-p", "#{client_utf8}")
    try:
        told = subprocess.run(command, capture_output=True, timeout=_TMUX_TIMEOUT, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return told.stdout.strip() == b"0"


_TMUX_TIMEOUT: Final = 1.0


def use_terminal_encoding() -> None:
    """Write in the terminal's encoding; characters that it lacks become question marks."""
    for stream in _streams():
        stream.reconfigure(encoding=encoding(), errors="replace")


def spare_output() -> None:
    """Keep the program from failing on characters that standard output cannot encode.

    They become question marks if the locale has few characters. On Windows, redirected output has
    an old code page, whatever the console shows; there it becomes UTF-8.
    """
    if sys.platform == "win32":
        sys.stdout, sys.stderr = told_of_end(sys.stdout), told_of_end(sys.stderr)
        use_terminal_encoding()
    # Python knows only the encodings of locales that the system has.
    named = encoding() if names_other_than_utf8(locale_name()) else None
    for stream in _streams():
        stream.reconfigure(encoding=named, errors="replace")


class PipeEnd(io.RawIOBase):
    """A stream of bytes to another program that raises `BrokenPipeError` when that program has
    ended.

    Windows reports such a write as an invalid argument (EINVAL), where other systems report EPIPE.
    """

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw

    def writable(self) -> bool:
        """Always true."""
        return True

    def fileno(self) -> int:
        """The file descriptor of the stream."""
        return self._raw.fileno()

    def write(self, data: Any) -> int | None:
        """Write as many bytes as fit and return their number. Raises `BrokenPipeError` if nobody
        reads them."""
        try:
            return self._raw.write(data)
        except OSError as error:
            if error.errno == errno.EINVAL:
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error
            raise


def told_of_end(stream: TextIO) -> TextIO:
    """`stream`, or if that is a pipe, a stream to it that raises `BrokenPipeError` once nobody
    reads it."""
    buffer = getattr(stream, "buffer", None)
    if not isinstance(buffer, io.BufferedWriter) or not stat.S_ISFIFO(
        os.fstat(buffer.fileno()).st_mode
    ):
        return stream
    output = io.BufferedWriter(PipeEnd(io.FileIO(buffer.fileno(), "w", closefd=False)))
    is_by_line = isinstance(stream, io.TextIOWrapper) and stream.line_buffering
    return io.TextIOWrapper(output, stream.encoding, stream.errors, line_buffering=is_by_line)


def _streams() -> set[io.TextIOWrapper]:
    found = {sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__}
    return {stream for stream in found if isinstance(stream, io.TextIOWrapper)}


def has_old_font() -> bool:
    """Whether this is the console of Linux, or the old one of Windows: their fonts are sure to have
    the boxes and blocks of code page 437, and no other signs."""
    if sys.platform == "win32":
        is_old = not any(map(os.environ.get, _OWN_FONTS))
    else:
        is_old = _variable("TERM") == "linux"
    return is_old


def ui_languages() -> list[str]:
    """The language of the system's own menus, as the name of a locale; empty if the environment
    decides."""
    found: list[str] = []
    if sys.platform == "win32":
        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        found = [locale.windows_locale[number]] if number in locale.windows_locale else []
    return found


# The command line


def command_words(command: str) -> list[str]:
    """The program and the arguments in a command, split as the system's own shell would.

    Raises `ValueError` for an unterminated quote.
    """
    if sys.platform == "win32":
        words = _windows_words(command) if command.strip() else []
    else:
        words = shlex.split(command)
    return words


def matching(names: Sequence[str]) -> list[str]:
    """These names of files, with each pattern of `*` and `?` replaced by the names that match it.

    On systems other than Windows the shell has done that already. A pattern that matches nothing
    stays.
    """
    found = list(names)
    if sys.platform == "win32":
        found = [each for name in names for each in _matching(Path(name)) or [name]]
    return found


def _matching(pattern: Path) -> list[str]:
    is_pattern = "*" in pattern.name or "?" in pattern.name
    return sorted(map(str, pattern.parent.glob(pattern.name))) if is_pattern else []


if sys.platform == "win32":

    def _windows_words(command: str) -> list[str]:
        # A quoted path may have spaces, and its backslashes are no escapes.
        count = ctypes.c_int()
        split = ctypes.windll.shell32.CommandLineToArgvW
        split.restype = ctypes.POINTER(ctypes.c_wchar_p)
        found = split(ctypes.c_wchar_p(command), ctypes.byref(count))
        words = [str(found[at]) for at in range(count.value)]
        ctypes.windll.kernel32.LocalFree(found)
        return words


# Typed lines


class TypedLines:
    """The lines of standard input, read in a thread; on a terminal with or without echo.

    While echo is off, nothing that is typed is shown, except the ends of lines.
    """

    def __init__(self) -> None:
        self.is_terminal: Final = sys.stdin is not None and sys.stdin.isatty()
        """Whether a person types at a terminal."""
        self._is_hidden = False
        self._echo = _Echo() if self.is_terminal else None

    def start(self, heard: Callable[[str | None], None]) -> None:
        """Read in a thread, and call `heard` there with every line, and with None at the end."""
        threading.Thread(target=self._read, args=(heard,), daemon=True, name="typed-lines").start()

    def hide(self, is_hidden: bool) -> None:
        """Turn the echo of typed characters off if `is_hidden`, otherwise on."""
        if self._echo and is_hidden != self._is_hidden:
            self._is_hidden = is_hidden
            self._echo.hide(is_hidden)

    def _read(self, heard: Callable[[str | None], None]) -> None:
        # Reading from the stream would hold its lock, which would block the program's exit.
        source = self._echo.lines() if self._echo else _piped()
        with contextlib.suppress(OSError, ValueError):
            for line in source:
                # What a terminal answers somebody else is not typed, though it comes the same way.
                heard(typed_text(line))
        heard(None)


def _piped() -> Iterator[str]:
    """The lines of a pipe or a file, decoded; characters that cannot be are replaced."""
    yield from _split(lambda: os.read(0, MAX_TYPED))


def _split(read: Callable[[], bytes]) -> Iterator[str]:
    kept = b""
    while data := read():
        *lines, kept = (kept + data).split(b"\n")
        if len(kept) > MAX_TYPED:
            lines, kept = [*lines, kept], b""
        for line in lines:
            yield line.decode(encoding(), errors="replace").rstrip("\r")
    if kept:
        yield kept.decode(encoding(), errors="replace")


if sys.platform == "win32":

    class _Echo:
        """A console: this class echoes what is typed, unless that is hidden."""

        def __init__(self) -> None:
            self._is_hidden = False

        def hide(self, is_hidden: bool) -> None:
            """Turn echo off, or on again."""
            self._is_hidden = is_hidden

        def lines(self) -> Iterator[str]:
            """What is typed, line by line, until Ctrl-Z, Ctrl-D or Ctrl-C."""
            typed = ""
            while (letter := msvcrt.getwch()) not in "\x03\x04\x1a":
                if letter in "\r\n":
                    msvcrt.putwch("\r")
                    msvcrt.putwch("\n")
                    yield typed
                    typed = ""
                elif letter in "\x00\xe0":
                    msvcrt.getwch()  # the second half of a key that is not a character
                elif letter == "\b":
                    self._show("\b \b" if typed else "")
                    typed = typed[:-1]
                elif letter.isprintable() and len(typed) < MAX_TYPED:
                    self._show(letter)
                    typed += letter

        def _show(self, text: str) -> None:
            for letter in "" if self._is_hidden else text:
                msvcrt.putwch(letter)

else:
    _ECHO: Final = 3
    """Index of the modes with the echo among those of a terminal."""

    class _Echo:
        """A terminal, which does the echo itself."""

        def hide(self, is_hidden: bool) -> None:
            """Turn echo off, except for the end of a line, or on again."""
            with contextlib.suppress(termios.error):
                modes = termios.tcgetattr(0)
                modes[_ECHO] &= ~termios.ECHO if is_hidden else -1
                modes[_ECHO] |= termios.ECHONL if is_hidden else termios.ECHO
                modes[_ECHO] &= -1 if is_hidden else ~termios.ECHONL
                termios.tcsetattr(0, termios.TCSANOW, modes)

        def lines(self) -> Iterator[str]:
            """What is typed, line by line, until the end of the input."""
            return _piped()
