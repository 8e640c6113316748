"""Runs an engine: another program that plays a seat and is asked line by line (ENGINES.md).

Each question has a time limit. If anything goes wrong, the program is ended and the player is told
in one sentence, the seat does what an absent player's seat does, and the next question starts the
program again. One such lapse per game is forgiven; after the second the engine has failed.

Asking blocks its thread; `close` may be called from another one, and ends a question at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePath
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

from protocol.rules.words import Direction, Word
from protocol.views import TableView
from spoof_tui import console
from spoof_tui.bots import engine_protocol
from spoof_tui.bots.engine_protocol import MAX_LINE, Lapse
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

ANSWER_TIMEOUT: Final = 5.0
"""Seconds that one answer may take, unless the command line says otherwise."""

START_TIMEOUT: Final = 10.0
"""Seconds that the answer to the first question may take, because many programs are slow to
load."""

END_TIMEOUT: Final = 0.5
"""Seconds that a program has to exit after its input is closed, before it is killed."""

LOOK_INTERVAL: Final = 0.1
"""Seconds between two checks that a silent program is still running."""

_Answer = TypeVar("_Answer")
_Said = tuple[Word, Direction | None]


class EngineFailed(Exception):
    """An engine has failed for good; the message says why in a sentence."""


class EngineSilence(Lapse):
    """An engine has not answered in time."""


class EngineClosed(Exception):
    """An engine was closed while it was being asked."""


class Engine(contextlib.AbstractContextManager["Engine"]):
    """One engine in one seat, as a `Mind`; a context manager that ends the program."""

    def __init__(
        self, command: str, report: Callable[[str], None], limit: float = ANSWER_TIMEOUT
    ) -> None:
        """`command` is split as a shell would, and run without one.

        `report` is called with a sentence about every lapse that is forgiven; `limit` is the time
        for one answer in seconds. Raises `EngineFailed` for an empty command.
        """
        try:
            self._words = console.command_words(command)
        except ValueError as error:
            raise EngineFailed(str(error)) from error
        if not self._words:
            raise EngineFailed(_("an engine is a command, such as engine:./player.py"))
        self.name = _file_of(self._words).stem
        """The name that the engine asks for; before it is started, that of its file."""
        self._report = report
        self._limit = limit
        self._program: _Program | None = None
        self._asked = 0
        self._lapsed_in: int | None = None
        """Number of the game in which a lapse was last forgiven; None before the first lapse."""
        self._closed = False

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the program and ask for its name; raises `EngineFailed`."""
        try:
            self._started()
        except Lapse as lapse:
            self.close()
            failed = self._sentence(lapse)
            if isinstance(lapse, EngineSilence):
                hint = _(
                    "An engine has to read line by line, and to write out each answer at once."
                )
                failed = f"{failed} {hint}"
            raise EngineFailed(failed) from lapse

    def choose_hand(self, view: TableView) -> int:
        """The coins that the engine hides; 0 if it makes a mistake that is forgiven (G3). Raises
        `EngineFailed`."""
        question = engine_protocol.ask_hand(view)
        return self._ask(view, question, lambda said: engine_protocol.hand_in(said, view), 0)

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """The word that the engine says, and the direction; an absent player's word if it makes a
        mistake that is forgiven. Raises `EngineFailed`."""
        question = engine_protocol.ask_word(view, hand)
        otherwise: _Said = (engine_protocol.stand_in_word(view, hand), None)
        return self._ask(
            view, question, lambda said: engine_protocol.word_in(said, view, hand), otherwise
        )

    def close(self) -> None:
        """End the program and its whole process group; nothing may be asked after that."""
        self._closed = True
        program, self._program = self._program, None
        if program is not None:
            program.end(END_TIMEOUT)

    def _ask(
        self,
        view: TableView,
        question: Mapping[str, object],
        read: Callable[[Mapping[str, Any]], _Answer],
        otherwise: _Answer,
    ) -> _Answer:
        try:
            return read(self._answer(self._started(), question, self._limit))
        except Lapse as lapse:
            self._forgive(view.game_number, lapse)
            return otherwise

    def _started(self) -> _Program:
        """The running program, started now if necessary; raises `Lapse`, or `EngineClosed` after
        `close`."""
        if self._program is None:
            if self._closed:
                raise EngineClosed
            self._program = _Program(self._words)
            answer = self._answer(
                self._program, engine_protocol.hello(), max(self._limit, START_TIMEOUT)
            )
            self.name = engine_protocol.name_in(answer) or self.name
        return self._program

    def _answer(
        self, program: _Program, question: Mapping[str, object], seconds: float
    ) -> Mapping[str, Any]:
        self._asked += 1
        line = program.exchange(engine_protocol.line_of(self._asked, question), seconds)
        return engine_protocol.answer_in(line, self._asked)

    def _forgive(self, game: int, lapse: Lapse) -> None:
        """End the program after the first lapse of a game, so that it is started again; raises
        `EngineFailed` after the second."""
        if self._closed:
            raise EngineClosed
        if self._program is not None:
            self._program.end(0.0)
            self._program = None
        if self._lapsed_in == game:
            self.close()
            end = _("That was the engine’s second mistake in one game: it stops playing.")
            raise EngineFailed(f"{self._sentence(lapse)} {end}")
        self._lapsed_in = game
        slip = _("The engine {name} made a mistake: {why}.").format(name=self.name, why=lapse)
        again = _(
            "One mistake in a game is forgiven: the engine plays an empty hand, or a word that "
            "the table chooses, and is restarted."
        )
        self._report(f"{slip} {again}")

    def _sentence(self, lapse: Lapse) -> str:
        return _("The engine {name} has failed: {why}.").format(name=self.name, why=lapse)


def _file_of(words: Sequence[str]) -> PurePath:
    """The file of an engine: the last word of its command that names a file, or else the first
    word."""
    paths = [Path(word) for word in words]
    return next((path for path in reversed(paths) if path.is_file()), paths[0])


class _Program:
    """The running program of an engine: one line in, one line out.

    A thread of its own writes and reads, and nobody waits for that thread to end: other processes
    that the program has started may hold its pipes open for longer.
    """

    def __init__(self, words: list[str]) -> None:
        try:
            # A group of its own, so that nothing that it starts outlives it.
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise Lapse(reason_of(error)) from error
        except ValueError as error:
            raise Lapse(str(error)) from error
        self._questions: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._is_asked = False
        threading.Thread(target=self._talk, name="engine", daemon=True).start()

    def exchange(self, question: bytes, seconds: float) -> bytes:
        """The answer to a question; raises `Lapse` if none comes within `seconds`."""
        self._is_asked = True
        self._questions.put(question)
        try:
            line = self._answer(seconds)
        finally:
            self._is_asked = False
        if line is None:
            raise EngineSilence(_("no answer within {seconds:g} s").format(seconds=seconds))
        if not line.endswith(b"\n") and len(line) <= MAX_LINE:
            raise Lapse(self._how_it_ended())
        return line

    def _answer(self, seconds: float) -> bytes | None:
        """The program's output up to the end of a line or of the stream; None if that takes longer
        than `seconds`."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            is_gone = self._process.poll() is not None
            try:
                return self._answers.get(timeout=min(left, LOOK_INTERVAL))
            except Empty:
                if is_gone:
                    return b""  # another process holds its output
        return None

    def _talk(self) -> None:
        """Pass questions on and read answers until the question is None; runs in the thread."""
        assert self._process.stdin and self._process.stdout
        heard = b""
        with self._process.stdin as asked, self._process.stdout as said:
            while (question := self._questions.get()) is not None:
                with contextlib.suppress(OSError):
                    rest = memoryview(question)
                    while rest:
                        rest = rest[asked.write(rest) :]
                while b"\n" not in heard and len(heard) <= MAX_LINE:
                    if not (part := said.read(MAX_LINE)):
                        break
                    heard += part
                line, end, heard = heard.partition(b"\n")
                self._answers.put(line + end)

    def _how_it_ended(self) -> str:
        try:
            status = self._process.wait(END_TIMEOUT)
        except subprocess.TimeoutExpired:
            return _("it closed its output")
        if status < 0:
            return _("it was ended by signal {number}").format(number=-status)
        return _("it ended with status {status}").format(status=status)

    def end(self, seconds: float) -> None:
        """Close the program's input, give it `seconds` to exit, then kill its process group.

        A program that still owes an answer is killed at once.
        """
        self._questions.put(None)
        if seconds and not self._is_asked:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        self._kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_TIMEOUT)
        # Whoever is asking gets an answer even if the thread cannot be stopped.
        self._answers.put(b"")

    def _kill(self) -> None:
        # Either error means that the group is gone.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
