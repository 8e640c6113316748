"""The hardened app, in a real terminal: it leaves in good order, and writes few bytes."""

import signal
import sys
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.message import Message

from spoof_tui.system import STOPPED
from spoof_tui.ui.terminal import KeyReader, TerminalApp
from spoof_tui.ui.typeahead import MANY
from tests.helpers.pty import Terminal
from tests.helpers.unix import HANGUP

PROBE = [sys.executable, "-m", "tests.spoof_tui.ui.probes"]

OTHER_TEXTUAL = """
import runpy
from textual import _ansi_sequences
import textual.drivers.linux_driver
del _ansi_sequences.ANSI_SEQUENCES_KEYS
runpy.run_module("tests.spoof_tui.ui.probes", run_name="__main__")
"""

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


@pytest.mark.parametrize("number", [None, signal.SIGTERM, HANGUP, signal.SIGINT])
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


def test_many_keys_each_act_on_what_the_last_one_opened_and_cost_one_picture() -> None:
    with Terminal([*PROBE, "Lit"]) as terminal:
        terminal.wait("dark after 0")
        terminal.settle()
        for pressed in (MANY, 2 * MANY, 3 * MANY):
            terminal.send(" " * MANY)
            terminal.wait(f"dark after {pressed}")
        assert b"lamp" not in terminal.output
        terminal.send(" ")
        terminal.wait("lamp")


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


def test_a_textual_with_other_private_parts_reads_keys_itself() -> None:
    with Terminal([sys.executable, "-c", OTHER_TEXTUAL, "Probe"]) as terminal:
        terminal.wait("READY")
        terminal.send(" ")
        terminal.wait("pressed 1")
        terminal.send("q")
        assert terminal.wait_exit() == 0


async def test_a_terminal_that_is_not_painted_on_keeps_its_signals() -> None:
    usual = signal.getsignal(signal.SIGTERM)
    async with TerminalApp().run_test():
        assert signal.getsignal(signal.SIGTERM) is usual, "there is no terminal to restore"
