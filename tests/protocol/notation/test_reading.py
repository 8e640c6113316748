"""Reading: whatever the bytes are, games and faults come out, and nothing else happens."""

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation import (
    Fault,
    GameOver,
    RoundRecord,
    Slip,
    Token,
    check,
    checking,
    judged,
    pieces,
    read,
    reading,
)
from protocol.notation.reading import MAX_HEADERS, MAX_LINE, MAX_TOKENS
from protocol.rules.words import Direction
from tests.protocol.notation.games import (
    KYIV,
    RULES,
    SCHOOL,
    SCHOOL_RULES,
    faults,
    game_of,
    only,
    records,
    school_of,
    text_of,
)
from tests.protocol.stories import few

SCRAPS = st.sampled_from(
    [
        *'[]{}()<>."\\=!?-+*\n\r\t',
        *("1.", "2.", "S1", "Smax", "S0", "D!", "S3 D3", "(S0 D2 M2)", "(S? D0 M0)"),
        *("[Rules", '[Seats "', '"]\n', "\x00", "\x1b[2J", "\u202e", "é", "9" * 30),
        *KYIV.splitlines(keepends=True),
    ]
)


def slips(data: bytes) -> list[Slip]:
    """What reading alone finds wrong."""
    return [piece.slip for piece in pieces([data]) if isinstance(piece, Fault)]


def with_line(text: str) -> str:
    """The Kyiv example with one more line before round 2."""
    return KYIV.replace("2. S1", f"{text}\n2. S1")


@given(st.lists(SCRAPS, max_size=40).map("".join))
def test_scraps_of_records_never_stop_reading_or_checking(text: str) -> None:
    for record in records(text):
        for fault in check(record).faults:
            assert fault.message.isprintable()


@given(st.binary(max_size=200))
def test_any_bytes_can_be_read(data: bytes) -> None:
    assert all(check(record).faults for record in read([data]))


@given(st.lists(SCRAPS, max_size=20).map("".join), st.integers(1, 7))
def test_it_does_not_matter_how_the_bytes_are_cut(text: str, size: int) -> None:
    data = text.encode()
    chunks = [data[start : start + size] for start in range(0, len(data), size)]
    assert list(pieces(chunks)) == list(pieces([data]))


@contextlib.contextmanager
def token_by_token() -> Iterator[None]:
    """Here no round is read at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_PLAIN", re.compile("(?!)"))
        yield


def told(text: str) -> list[tuple[int, str, str]]:
    return [(f.line, f.clause, f.message) for record in records(text) for f in check(record).faults]


@few
@given(
    st.integers(0, 500),
    st.sampled_from([*RULES, *SCHOOL_RULES]),
    st.lists(
        st.tuples(st.integers(0, 2000), st.sampled_from([*"SD19 .=(?$*-!)<\t\n\r_é", "И\u0306"]))
    ),
)
def test_a_round_that_is_read_at_once_is_read_as_token_by_token(
    seed: int, rules: str, changes: list[tuple[int, str]]
) -> None:
    game = school_of(seed, rules=rules) if rules in SCHOOL_RULES else game_of(seed, rules=rules)
    letters = list(text_of(game))
    for place, letter in changes:
        letters[place % len(letters)] = letter
    text = "".join(letters)
    found, faults_found = list(pieces([text.encode()])), told(text)
    with token_by_token():
        assert list(pieces([text.encode()])) == found
        assert told(text) == faults_found


def test_what_the_program_writes_is_read_at_once() -> None:
    texts = [text_of(make(seed)) for make in (game_of, school_of) for seed in range(20)]
    lines = [line for text in [*texts, KYIV, SCHOOL] for line in text.splitlines()]
    rounds = [line for line in lines if line and line[0] != "["]
    assert len(rounds) > 50 and all(map(reading._PLAIN.fullmatch, rounds))


def test_a_round_that_was_read_at_once_may_go_on_on_the_next_line() -> None:
    (found,) = records("1. S1 D! (S0 D1) S- = S2\n  D3")[0].rounds
    assert found.after is not None
    assert [(token.text, token.line) for token in found.after] == [("S2", 0), ("D3", 2)]


def test_a_file_without_text_is_a_game_without_headers() -> None:
    assert faults("") == [(1, "notation")] * 3
    assert faults("{nothing}\n") == [(1, "notation")] * 3


def test_tokens_know_their_lines_and_rounds_theirs() -> None:
    (record,) = records("\n1.> S1\n  D2 {x\n y}Smax(S0 D?)\n. = S3")
    (found,) = record.rounds
    assert (found.line, found.direction) == (2, Direction.CLOCKWISE)
    assert [token.line for token in found.words] == [2, 3, 4]
    assert found.hands == (Token("S", "0"), Token("D", "?"))
    assert found.changes == ()


def test_max_is_a_spoof_after_a_tag_and_a_tag_alone() -> None:
    (record,) = records("1. maxmax Smax Abcmax max4 Кітmax")
    found = [(token.tag, token.sign) for token in record.rounds[0].words]
    assert found == [("max", "max"), ("S", "max"), ("Abc", "max"), ("max", "4"), ("Кіт", "max")]


def test_windows_line_ends_a_byte_order_mark_and_no_blank_after_the_number_are_read() -> None:
    text = "\ufeff" + KYIV.replace("\n", "\r\n").replace("1. ", "1.")
    assert faults(text) == []


def test_a_decomposed_letter_is_the_same_tag() -> None:
    text = KYIV.replace("M:", "Й:").replace("M", "И\u0306")
    assert faults(text.replace("И\u0306aria", "Maria")) == []


def test_comments_may_stand_between_any_tokens_and_over_lines() -> None:
    assert faults(KYIV.replace("1. D4 ", "{1. x} 1. {D\n[Rules}D4{}{{\n}")) == []


def test_a_comment_that_never_ends_is_told_where_it_begins() -> None:
    assert (8, "notation") in faults(with_line("{"))
    assert len(only(with_line("{")).rounds) == 1


def test_a_header_after_rounds_begins_a_game() -> None:
    first, second = records(KYIV + "\n" + KYIV)
    assert first == second
    assert (first.line, second.line) == (1, 11)


def test_games_without_rounds_are_parted_by_an_empty_line() -> None:
    head = KYIV.partition("\n\n")[0] + "\n"
    assert len(records(f"{head}\n{head}\n{KYIV}")) == 3


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        (b"{\xff}", Slip.NOT_UTF8),
        (b"{\xed\xa0\x80}", Slip.NOT_UTF8),
        (b"{\x1b}", Slip.CONTROL),
        (b"{\xc2\x9b}", Slip.CONTROL),
        (b"[x", Slip.BAD_HEADER),
        (b'[x "\\n"]', Slip.BAD_HEADER),
        (b'[1 ""]', Slip.BAD_HEADER),
        (b'[Date ""] [Date ""]', Slip.HEADER_TWICE),
        (b'[a ""]' * (MAX_HEADERS + 9), Slip.TOO_MANY_HEADERS),
        (b"x y z", Slip.STRAY),
        (b"}", Slip.STRAY),
        (b"{" + b"x" * MAX_LINE + b"}", Slip.LINE_TOO_LONG),
        (b"1. S1 (S0) .", Slip.NO_COINS),
        (b"1. S1 (S0", Slip.NO_HANDS),
        (b"1. S1", Slip.NO_HANDS),
        (b"1. S1 (S0) = S3", Slip.NO_CHANGES),
        (b"1. S1 (S0) . S- = S3", Slip.MISPLACED),
        (b"1. S1 (S0)) . = S3", Slip.MISPLACED),
        (b"1. S1 (S0) . = = S3", Slip.MISPLACED),
        (b"1. S1 (S0) . = S3 }", Slip.MISPLACED),
        (b"1. < S1 (S0) . = S3", Slip.DIRECTION_APART),
        (b"01. S1 (S0) . = S3", Slip.BAD_NUMBER),
        (b"9" * 5000 + b". S1 (S0) . = S3", Slip.BAD_NUMBER),
        (b"1. S1 (S0) . = " + b"S3 " * (MAX_TOKENS + 9), Slip.TOO_MANY_TOKENS),
    ],
)
def test_each_thing_that_cannot_be_read_is_one_fault(line: bytes, slip: Slip) -> None:
    assert set(slips(line)) == {slip}
    assert slips(line).count(slip) == 1


def test_a_line_past_the_limit_is_skipped_and_not_held() -> None:
    chunks = [KYIV.encode(), *[b"x" * 4096] * 1000, b"\n4. M1 (", b"S0"]
    found = list(pieces(chunks))
    assert [(f.line, f.slip) for f in found if isinstance(f, Fault)] == [
        (10, Slip.LINE_TOO_LONG),
        (11, Slip.NO_HANDS),
    ]


@pytest.mark.parametrize("size", [1, 2, 7, 4096])
def test_empty_lines_are_counted_however_many_and_however_they_come(size: int) -> None:
    text = b"\n" * 5000 + b"x\n" + b"\n" * 3 + b"[x"
    found = list(pieces(text[i : i + size] for i in range(0, len(text), size)))
    assert [(f.line, f.slip) for f in found if isinstance(f, Fault)] == [
        (5001, Slip.STRAY),
        (5005, Slip.BAD_HEADER),
    ]


def test_a_line_of_exactly_the_limit_is_read() -> None:
    assert slips(b"{" + b"x" * (MAX_LINE - 2) + b"}") == []


def test_bytes_that_are_not_utf8_do_not_hide_the_rest_of_the_line() -> None:
    text = KYIV.encode().replace(b"Maria", b"Mar\xffa").replace(b"= S3 D3 M2", b"= S3 D3 M1")
    (record,) = read([text])
    assert [(f.line, f.clause) for f in check(record).faults] == [(4, "notation"), (7, "R7")]


def test_twenty_thousand_rounds_are_read_while_one_is_held() -> None:
    taken = 0

    def chunks() -> Iterator[bytes]:
        nonlocal taken
        for taken in range(1, 20_001):
            yield b"%d. Smax () . =\n" % taken

    held = [taken - piece.number for piece in pieces(chunks()) if isinstance(piece, RoundRecord)]
    assert len(held) == 20_000
    assert max(held) == 1


def test_after_too_many_faults_only_the_end_of_the_game_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "MAX_FAULTS", 20)
    found = list(judged(pieces([b"1.\n" * 100, KYIV.encode()])))
    slips = [each.slip for each in found if isinstance(each, Fault)]
    assert len(slips) == 21
    assert slips[-1] is Slip.TOO_MANY_FAULTS
    assert sum(isinstance(each, GameOver) for each in found) == 2


def test_the_notation_loads_no_codec_no_keys_and_no_way_to_the_world() -> None:
    forbidden = {"msgpack", "cryptography", "asyncio", "socket", "threading", "random", "json"}
    code = f"import sys, protocol.notation; print({forbidden!r} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "set()\n"
