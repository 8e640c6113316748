"""The base of the apps: it survives the loss of its terminal, and writes little to it."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter
from textual.message import Message
from textual.widgets import Input

from spoof_tui import console, system, visiting
from spoof_tui.acts import buttons
from spoof_tui.acts.act import caption
from spoof_tui.acts.buttons import Buttons
from spoof_tui.clock import now
from spoof_tui.terminal_input import ESCAPE, Sent, SentKind, TerminalInput
from spoof_tui.text.i18n import _
from spoof_tui.text.layouts import latin
from spoof_tui.ui.painting import NearestColors, Painter
from spoof_tui.ui.typeahead import Typeahead

try:
    # Private: the sequences of keys, and the parser that must not see anything else.
    from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
    from textual._xterm_parser import XTermParser

    _knows_keys = True
except ImportError:
    _knows_keys = False

if sys.platform == "win32":
    from textual.drivers import win32 as driver
else:
    from textual.drivers import linux_driver as driver

HandOver: TypeAlias = Callable[[Sequence[Message]], Iterable[Message]]
"""Yields each message of a read when it is its turn."""

_KEEP_TITLE: Final = "\x1b[22;2t"
"""The sequence that has the terminal remember its window's title."""

_LAST_TITLE: Final = "\x1b[23;2t"
"""The sequence that restores the remembered title."""

PAGE_COMMAND: Final = 7764
"""Number of the operating system command (OSC) that the web page listens to."""

SAID: Final = "s"
"""Kind of a message to the page: a line for the screen reader."""

MAIN: Final = "b"
ALSO: Final = "a"
MORE: Final = "m"
"""Kinds of messages to the page: its large buttons, its last row, and its menu."""

TEXT: Final = "t"
"""Kind of a message to the page: whether keys are typed as text now, 1 or 0."""


def run_app(app: App[int]) -> int:
    """Run `app` until it ends; return its exit status. The terminal is always restored."""
    restore = system.remember_terminal()
    try:
        app.run()
    except BaseException:
        restore()
        raise
    finally:
        if isinstance(app, TerminalApp):
            app.end_input()
            app.last_resort.cancel()
        system.forget_lost_terminal()
    return app.return_code or 0


class TerminalApp(App[int]):
    """An app that exits properly when it is told to, or when its terminal is gone, with status 129.

    A crash exits with status 1, and shows no values of variables.
    """

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, **options: Any) -> None:
        self._driver_in_use: Driver | None = None
        self._runs_in: asyncio.AbstractEventLoop | None = None
        self._painter = Painter()
        self._nearest = NearestColors()
        self.window_title = ""
        """The title that the app gave its window; empty while the window has its own."""
        self._told: dict[str, str] = {}
        """The last message of each kind to the web page."""
        _harden_driver(lambda: self._takes_text, self._typeahead)
        super().__init__(**options)
        self.last_resort = system.LastResort()

    def get_driver_class(self) -> type[Driver]:
        """A subclass of the usual driver that paints differences and is kept for `end_input`."""
        usual, app = super().get_driver_class(), self

        class KeptDriver(usual):  # type: ignore[misc, valid-type]  # which one, the system says
            def __init__(self, *arguments: Any, **options: Any) -> None:
                with system.forgiving_screen():
                    super().__init__(*arguments, **options)
                app._driver_in_use = self
                # They write to the terminal, by a queue that may just be in use.
                system.handle_in_loop(asyncio.get_running_loop(), "SIGTSTP", "SIGCONT")

            def write(self, data: str) -> None:
                if painted := app._painter.paint(data):
                    super().write(painted)

            def start_application_mode(self) -> None:
                app.paint_anew()
                super().start_application_mode()
                # While another program, such as a shell, had the terminal, the picture was lost.
                app.call_later(lambda: app.screen.refresh(layout=True))

            def stop_application_mode(self) -> None:
                if app.window_title:
                    self.write(_LAST_TITLE)
                super().stop_application_mode()

        return KeptDriver

    def entitle(self, title: str) -> None:
        """Set the title of the terminal's window, until the app ends."""
        title = "".join(filter(str.isprintable, title))
        if title == self.window_title:
            return
        keep = "" if self.window_title else _KEEP_TITLE
        self.window_title = title
        if self._driver_in_use is not None:
            self._driver_in_use.write(f"{keep}\x1b]2;{title}\x07")

    def tell_page(self, kind: str, said: str) -> None:
        """Send the web page, if there is one, a message of this kind; a repeated one only for
        `SAID`."""
        if not visiting.has_page() or self._driver_in_use is None:
            return
        if kind == SAID or self._told.get(kind) != said:
            self._told[kind] = said
            shown = "".join(filter(str.isprintable, said))
            self._driver_in_use.write(f"\x1b]{PAGE_COMMAND};{kind}{shown}\x07")

    @property
    def _takes_text(self) -> bool:
        """Whether keys are typed as text now, so that they have no other meaning."""
        if not (stack := self.screen_stack):
            return False
        return isinstance(stack[-1].focused, Input) or getattr(stack[-1], "takes_text", False)

    def _typeahead(self) -> HandOver:
        """The function that hands over the keys of the current driver."""
        stop = getattr(self._driver_in_use, "exit_event", None)
        if self._runs_in is None or stop is None:
            return iter
        return Typeahead(self, self._runs_in, stop, is_limited=visiting.is_visitor()).hand_over

    def end_input(self) -> None:
        """End the thread that reads keys, after the app has ended.

        If the terminal disappears while the app is stopping, the app cannot end this thread itself:
        it would read end-of-file forever, and keep the process alive.
        """
        # Every driver with such a thread has this event. The writer thread blocks nothing.
        stop = getattr(self._driver_in_use, "exit_event", None)
        if stop is not None:
            stop.set()

    async def run_async(self, *arguments: Any, **options: Any) -> int | None:
        """Run like any app, and handle signals and the loss of the terminal meanwhile."""
        self._runs_in = loop = asyncio.get_running_loop()
        system.on_termination(loop, self.leave, self.last_resort)
        system.watch_terminal(partial(self._lose_terminal, loop), self.last_resort)
        return await super().run_async(*arguments, **options)

    def on_resize(self) -> None:
        """Repaint everything, since a resize may have moved text on the terminal."""
        self.paint_anew()

    def paint_anew(self) -> None:
        """Have the next update paint everything that it covers, whatever the terminal shows."""
        self._painter.forget()

    def on_key(self, event: events.Key) -> None:
        """Map a key to its Latin letter, so that bindings work in any layout; typed text never gets
        here."""
        event.key = latin(event.key)

    def simulate_key(self, key: str) -> None:
        """Press a key later, outside the current handler: otherwise it would not reach the
        handler's parents."""
        self.call_later(super().simulate_key, key)

    def leave(self, reason: str) -> None:
        """Exit because the system asks for it; `reason` is a signal's name or "terminal lost"."""
        self.exit(return_code=system.STOPPED)

    def _lose_terminal(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(self.leave, "terminal lost")

    def _fatal_error(self) -> None:
        from rich.traceback import Traceback

        # Private: the default prints every local variable, including a hand in the fist.
        self.panic(Traceback(show_locals=False, width=None))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's filters and, for terminals with 256 colours, `NearestColors`."""
        own = [self._nearest] if self.console.color_system == "256" else []
        return [*super().get_line_filters(), *own]

    def post_display_hook(self) -> None:
        """After each drawing, send the web page its buttons, and whether keys are text."""
        super().post_display_hook()
        if not visiting.has_page() or not self.screen_stack:
            return
        self.tell_page(TEXT, str(int(self._takes_text)))
        shown = self.buttons()
        for kind, rows in ((MAIN, shown.main), (ALSO, [shown.also]), (MORE, shown.more)):
            self.tell_page(kind, buttons.written(rows))

    def buttons(self) -> Buttons:
        """The buttons for a web page; for a screen that defines none, a single button that leaves
        the screen."""
        of_screen = getattr(self.screen, "buttons", None)
        return of_screen() if of_screen else buttons.of_list([(caption("escape"), _("back"))])


def follow_mouse(app: App[Any], everywhere: bool) -> None:
    """Have the terminal report all movements of the mouse, or only its buttons and wheel.

    With only buttons, movements cost nothing, and text can be selected while Shift is held down.
    """
    driver_in_use = app._driver_in_use if isinstance(app, TerminalApp) else None
    if driver_in_use is not None and sys.platform != "win32":
        # In some terminals, ending one kind of report ends the other, too.
        driver_in_use.write("\x1b[?1003h" if everywhere else "\x1b[?1003l\x1b[?1000h")


# Keys


class KeyReader:
    """Replaces Textual's parser in drivers: it passes only whole keys on to that parser.

    The terminal's size is taken from the system, not from the input, where anybody could type a
    false one.
    """

    def __init__(
        self,
        takes_text: Callable[[], bool],
        typeahead: Callable[[], HandOver] = lambda: iter,
        debug: bool = False,
    ) -> None:
        """`takes_text` says whether keys are typed as text now.

        `typeahead` returns the function that yields each message of a read when it is its turn.
        """
        self._takes_text, self._hand_over = takes_text, typeahead()
        self._input = TerminalInput(ANSI_SEQUENCES_KEYS)
        self._parser = XTermParser(debug)

    def feed(self, data: str) -> Iterator[Message]:
        """The messages that this input completes; empty input ends it."""
        if not data:
            yield from self._parser.feed(data)
            return
        sent = self._input.feed(data, now().monotonic, takes_text=self._takes_text())
        yield from self._hand_over([each for part in sent for each in self._messages(part)])

    def tick(self) -> Iterator[Message]:
        """Messages for input that was not completed in time; must be called ten times a second."""
        sent = self._input.tick(now().monotonic)
        yield from self._hand_over([each for part in sent for each in self._messages(part)])

    def _messages(self, sent: Sent) -> Iterator[Message]:
        if sent.kind is SentKind.PASTED:
            yield events.Paste(sent.text)
        elif sent.text == ESCAPE:
            # The parser would wait for what follows.
            yield events.Key("escape", ESCAPE)
        elif sent.kind is SentKind.ALT:
            for event in self._parser.feed(sent.text):
                if isinstance(event, events.Key):
                    yield events.Key(f"alt+{event.key}", None)
        else:
            yield from self._parser.feed(sent.text)


def _forgiving_decoder(_encoding: str) -> partial[codecs.IncrementalDecoder]:
    return partial(codecs.getincrementaldecoder(console.encoding()), errors="replace")


def _harden_driver(takes_text: Callable[[], bool], typeahead: Callable[[], HandOver]) -> None:
    """Have drivers use `KeyReader`, and survive bytes that are not text in the terminal's
    encoding."""
    # Patched, because drivers create these inside their methods.
    for name, value in {
        **({"XTermParser": partial(KeyReader, takes_text, typeahead)} if _knows_keys else {}),
        "getincrementaldecoder": _forgiving_decoder,
    }.items():
        if hasattr(driver, name):
            setattr(driver, name, value)
