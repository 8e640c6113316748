"""Appended lines: whole ones, and nothing but text in them."""

import io
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.plain.lines import BELL, PROMPT, LineWriter, NobodyReads, plain


def lines(*, is_terminal: bool = False) -> tuple[LineWriter, io.StringIO]:
    stream = io.StringIO()
    return LineWriter(stream, is_terminal=is_terminal), stream


@given(st.lists(st.text(max_size=40), max_size=5))
def test_whatever_is_told_every_line_is_whole_and_commands_nothing(texts: list[str]) -> None:
    writer, stream = lines()
    writer.tell(*texts)
    written = stream.getvalue()
    assert written == "" or written.endswith("\n")
    assert len(written.splitlines()) <= len(texts)
    assert all(
        line.isprintable() and line.strip() == line != "" for line in written.split("\n")[:-1]
    )


def test_what_commands_a_terminal_is_no_text() -> None:
    assert plain("a\x1b[31mb\r\nc\x07\u202ed") == "a[31mbcd"


prompt, typed, end, ring = LineWriter.prompt, LineWriter.typed, LineWriter.end, LineWriter.ring


def ask(writer: LineWriter) -> None:
    writer.prompt("Your turn")


def tell(writer: LineWriter) -> None:
    writer.tell("one", "", " \t", "two")


@pytest.mark.parametrize(
    ("is_terminal", "done", "written"),
    [
        (False, (tell,), "one\ntwo\n"),
        (False, (prompt, ring, end), ""),
        # What comes while somebody types begins a new line; what was typed has ended the old one.
        (True, (prompt, prompt, tell), f"{PROMPT}\none\ntwo\n"),
        (True, (prompt, typed, tell), f"{PROMPT}one\ntwo\n"),
        # What was typed is answered before the next prompt.
        (True, (prompt, typed, prompt), PROMPT),
        (True, (prompt, typed, prompt, tell, prompt), f"{PROMPT}one\ntwo\n{PROMPT}"),
        (True, (prompt, end, end, ring), f"{PROMPT}\n{BELL}"),
        # What comes in between does not leave a prompt that asks for nothing.
        (True, (ask, tell, ask), f"Your turn{PROMPT}\none\ntwo\nYour turn{PROMPT}"),
    ],
)
def test_a_prompt_stands_where_it_belongs(
    is_terminal: bool, done: tuple[Callable[[LineWriter], None], ...], written: str
) -> None:
    writer, stream = lines(is_terminal=is_terminal)
    for each in done:
        each(writer)
    assert stream.getvalue() == written


def test_a_reader_that_is_gone_is_told_apart_from_every_other_trouble() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(NobodyReads):
        LineWriter(Gone(), is_terminal=False).tell("one")
