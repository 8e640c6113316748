"""Appended lines: whole ones, and nothing but text in them."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.plain.lines import BELL, PROMPT, Lines, NobodyReads, plain


def lines(*, is_terminal: bool = False) -> tuple[Lines, io.StringIO]:
    stream = io.StringIO()
    return Lines(stream, is_terminal=is_terminal), stream


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


def test_an_empty_line_is_left_out() -> None:
    writer, stream = lines()
    writer.tell("one", "", " \t", "two")
    assert stream.getvalue() == "one\ntwo\n"


def test_what_commands_a_terminal_is_no_text() -> None:
    assert plain("a\x1b[31mb\r\nc\x07\u202ed") == "a[31mbcd"


def test_a_pipe_gets_neither_prompt_nor_bell() -> None:
    writer, stream = lines()
    writer.prompt()
    writer.ring()
    writer.end()
    assert stream.getvalue() == ""


def test_what_comes_while_somebody_types_begins_a_line_of_its_own() -> None:
    writer, stream = lines(is_terminal=True)
    writer.prompt()
    writer.prompt()
    writer.tell("Ben: 5.")
    assert stream.getvalue() == f"{PROMPT}\nBen: 5.\n"


def test_after_a_typed_line_nothing_has_to_be_ended() -> None:
    writer, stream = lines(is_terminal=True)
    writer.prompt()
    writer.typed()
    writer.tell("You: 6.")
    assert stream.getvalue() == f"{PROMPT}You: 6.\n"


def test_at_the_end_the_terminal_is_at_the_beginning_of_a_line() -> None:
    writer, stream = lines(is_terminal=True)
    writer.prompt()
    writer.end()
    writer.end()
    writer.ring()
    assert stream.getvalue() == f"{PROMPT}\n{BELL}"


def test_what_was_typed_is_answered_before_the_next_prompt() -> None:
    writer, stream = lines(is_terminal=True)
    writer.prompt()
    writer.typed()
    writer.prompt()
    assert stream.getvalue() == PROMPT
    writer.tell("You: 6.")
    writer.prompt()
    assert stream.getvalue() == f"{PROMPT}You: 6.\n{PROMPT}"


def test_a_reader_that_is_gone_is_told_apart_from_every_other_trouble() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(NobodyReads):
        Lines(Gone(), is_terminal=False).tell("one")
