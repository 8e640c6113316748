"""The hardened app, in a real terminal: it leaves in good order, and writes few bytes."""

import signal
import sys
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.strip import Strip

from spoof_tui.system import STOPPED
from spoof_tui.ui import terminal as painting
from spoof_tui.ui.sequences import cells
from spoof_tui.ui.terminal import KeyReader, TerminalApp
from tests.helpers.pty import Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")

PROBE = [sys.executable, "-m", "tests.spoof_tui.ui.probes"]

RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1003l", b"\x1b[?2004l", b"\x1b[<u")


@pytest.fixture
def probe() -> Iterator[Terminal]:
    with Terminal([*PROBE, "Probe"]) as terminal:
        terminal.wait("READY")
        terminal.settle()
        yield terminal


def assert_restored(terminal: Terminal) -> None:
    for sequence in RESTORED:
        terminal.wait_bytes(sequence)


@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_key_or_a_signal_ends_it_in_good_order(probe: Terminal, number: int | None) -> None:
    if number is None:
        probe.send("q")
    else:
        probe.kill(number)
    assert probe.wait_exit() == (STOPPED if number else 0)
    assert f"afterwards {129 if number else 0}" in probe.text()
    assert_restored(probe)


def test_it_ends_when_its_terminal_is_gone_and_is_not_ended_by_force() -> None:
    with Terminal([*PROBE, "Patient"]) as terminal:
        terminal.wait("READY")
        terminal.hangup()
        assert terminal.wait_exit() == 7


def test_a_signal_ends_it_while_its_terminal_stands_still(probe: Terminal) -> None:
    probe.stall()
    probe.send("f")
    probe.wait_full()
    probe.kill(signal.SIGTERM)
    assert probe.wait_exit() == STOPPED
    probe.unstall()
    assert_restored(probe)


def test_a_crash_has_a_status_and_tells_no_secret(probe: Terminal) -> None:
    probe.send("x")
    assert probe.wait_exit() == 1
    assert b"a bug" in probe.output
    assert b"SECRETSECRET" not in probe.output
    assert_restored(probe)


def test_key_releases_and_noise_from_the_keyboard_are_no_key_and_no_crash(probe: Terminal) -> None:
    probe.send("\x1b[32;1:1u\x1b[32;1:3u\x1b[32;1:2u")
    probe.wait("pressed 2")
    noises = (b"\xff\xfe", b"\x1b[99999999999;1u", b"\x1b[97:65;2:1;65u")
    for number, noise in enumerate(noises, 3):
        probe.send(noise + b" ")
        probe.wait(f"pressed {number}")


def told(*reads: str, takes_text: bool = False) -> list[Message]:
    """The messages that come of these reads."""
    reader = KeyReader(lambda: takes_text)
    return [message for text in reads for message in reader.feed(text)]


def keys(messages: Iterable[Message]) -> list[tuple[str, str | None]]:
    return [(each.key, each.character) for each in messages if isinstance(each, events.Key)]


def test_every_sequence_is_the_key_that_textual_takes_it_for_and_leaves_nothing_behind() -> None:
    sequences = [each for each in ANSI_SEQUENCES_KEYS if each.strip("\x1b")]
    for sequence in sequences:
        theirs = [*XTermParser().feed(sequence)]
        assert keys(told(sequence, "a")) == [*keys(theirs), ("a", "a")]


def test_keys_that_textual_would_wait_for_are_told_at_once() -> None:
    assert keys(told("\x1bc", "\x1b\r", "\x1b\x1b[C")) == [
        ("alt+c", None),
        ("alt+enter", None),
        ("escape", "\x1b"),
        ("right", None),
    ]


@pytest.mark.parametrize("sequence", ["\x1b[48;9999;9999;1;1t", "\x1b[?2048;1$y"])
def test_what_is_typed_does_not_say_how_large_the_terminal_is(sequence: str) -> None:
    assert [type(event) for event in told(f"{sequence}a")] == [events.Key]


def test_what_is_pasted_is_one_text_and_what_is_typed_is_text_where_text_is_wanted() -> None:
    (pasted,) = told("\x1b[200~1;2\r\x1b[A", "3\x1b[201~")
    assert isinstance(pasted, events.Paste) and pasted.text == "1;2\r[A3"
    assert keys(told("1;2")) == []
    assert [key for key, _ in keys(told("1;2", takes_text=True))] == ["1", "semicolon", "2"]


@given(
    st.lists(st.text(st.sampled_from("\x1b[]PO\\<200~1;:Mcu? \r\a") | st.characters(), min_size=1))
)
def test_whatever_is_read_the_next_key_is_told(reads: list[str]) -> None:
    assert keys(told(*reads, "\x1b[201~\x1b\\", "\x1b[C"))[-1:] == [("right", None)]


def test_keys_are_read_by_textual_alone_if_it_has_other_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(painting, "driver", SimpleNamespace(XTermParser=None))
    monkeypatch.setattr(painting, "_knows_keys", False)
    painting._harden_driver(lambda: False)
    assert vars(painting)["driver"].XTermParser is None


async def test_a_screen_is_seen_below_a_dialog_and_not_below_another_screen() -> None:
    app: App[Any] = TerminalApp()
    usual = signal.getsignal(signal.SIGTERM)
    async with app.run_test():
        assert signal.getsignal(signal.SIGTERM) is usual, "there is no terminal to restore"
        lobby, seen = app.screen, list[bool]()
        for above in (ModalScreen[None](), Screen[None](), ModalScreen[None]()):
            await app.push_screen(above)
            seen.append(lobby.is_current)
        assert seen == [True, False, False]


# Painting


def painted(
    shown: painting.ShownCells, text: str, x: int = 0, y: int = 3, look: str = ""
) -> list[tuple[int, str]]:
    strip = Strip([Segment(text, Style.parse(look))])
    pieces = shown.paint([(y, x, cells(strip, ColorSystem.TRUECOLOR))])
    return [(start, "".join(letter for letter, _ in piece)) for _y, start, piece in pieces]


def test_a_cell_that_is_shown_is_not_painted_again() -> None:
    shown = painting.ShownCells()
    assert [len(painted(shown, "a row")) for _ in range(2)] == [1, 0]
    assert painted(shown, "a cow!") == [(2, "cow!")]
    spans = painted(shown, "A cow! moo")
    assert spans == [(0, "A"), (6, " moo")], "a jump is dearer than four cells"
    assert painted(shown, "a cow!", 1) and painted(shown, "a cow!", 1, y=4)
    shown.forget()
    assert painted(shown, "a cow!", 1, y=4), "a resized terminal may have moved it"


def test_a_blank_has_a_ground_and_no_colour() -> None:
    shown, ground = painting.ShownCells(), "on #1c1c1c"
    looks = (ground, f"bold red {ground}", f"underline {ground}", "on #121212")
    assert [len(painted(shown, " ", look=look)) for look in looks] == [1, 0, 1, 1]


def test_no_letter_of_two_cells_is_painted_in_half() -> None:
    shown = painting.ShownCells()
    painted(shown, "a漢b")
    assert painted(shown, "a字b") == [(1, "字")]
    painted(shown, "x", 1)
    assert painted(shown, "a字b") == [(1, "字")]


def test_a_mark_on_a_letter_is_painted() -> None:
    shown = painting.ShownCells()
    painted(shown, "cafe")
    assert painted(shown, "cafe\u0301") == [(3, "e\u0301")]
    painted(shown, "か")
    assert painted(shown, "か\u3099") == [(0, "か\u3099")]


@given(st.lists(st.tuples(st.integers(0, 3), st.text("ab", max_size=4)), max_size=6))
def test_what_is_left_out_was_there(writes: list[tuple[int, str]]) -> None:
    shown, screen, whole = painting.ShownCells(), dict[int, str](), dict[int, str]()
    for x, text in writes:
        whole.update(enumerate(text, x))
        for start, changed in painted(shown, text, x):
            screen.update(enumerate(changed, start))
    assert {x: screen[x] for x in whole} == whole
