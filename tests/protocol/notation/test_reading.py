"""Reading: any bytes give games and faults, and nothing else."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation.checking import MAX_FAULTS, GameOver, check, judged
from protocol.notation.faults import Fault, FaultKind
from protocol.notation.reading import MAX_HEADERS, MAX_LINE, MAX_ROUND, pieces, read
from protocol.notation.records import RoundRecord
from tests.protocol.notation.games import (
    KYIV,
    RULES,
    SCHOOL,
    SCHOOL_RULES,
    game_of,
    records,
    school_of,
    text_of,
)
from tests.protocol.stories import few


def kinds(data: bytes) -> list[FaultKind]:
    """The faults that reading alone finds."""
    return [piece.kind for piece in pieces([data]) if isinstance(piece, Fault)]


@few
@given(
    st.integers(0, 500),
    st.sampled_from([*RULES, *SCHOOL_RULES]),
    st.lists(
        st.tuples(st.integers(0, 2000), st.sampled_from([*"SD19 .=(?$*-!)<\t\n\r_é", "И\u0306"]))
    ),
)
def test_a_comment_is_read_as_a_blank(
    seed: int, rules: str, changes: list[tuple[int, str]]
) -> None:
    game = school_of(seed, rules=rules) if rules in SCHOOL_RULES else game_of(seed, rules=rules)
    letters = list(text_of(game).rpartition("]\n")[2])
    for place, letter in changes if letters else ():
        letters[place % len(letters)] = letter
    text = "".join(letters)
    commented = text.replace(" ", "{ }")
    assert list(pieces([commented.encode()])) == list(pieces([text.encode()]))


LOOKS = {
    "-": "‐–−－",
    " ": " \u00a0\u200a\u3000",
    "!": "！",
    "=": "＝",
    "(": "（",
    ")": "）",
    ".": "．",
}
"""What stands for the signs of a round; blanks may be followed by what cannot be seen."""


@few
@given(
    st.integers(0, 500),
    st.sampled_from([*RULES, *SCHOOL_RULES]),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 3))),
)
def test_signs_that_only_look_right_are_read_as_what_they_look_like(
    seed: int, rules: str, changes: list[tuple[int, int]]
) -> None:
    game = school_of(seed, rules=rules) if rules in SCHOOL_RULES else game_of(seed, rules=rules)
    head, _end, rounds = text_of(game).rpartition("]\n")
    letters = list(rounds)
    for place, which in changes if letters else ():
        looks = LOOKS.get(letters[place % len(letters)], letters[place % len(letters)])
        letters[place % len(letters)] = looks[which % len(looks)]
    written = "".join(letters).replace(" ", " \u200b")
    assert records(f"{head}]\n{written}") == records(text_of(game))


def test_a_round_on_several_lines_is_known_by_the_line_of_its_number() -> None:
    (record,) = records("\n1.> S1\n  D2 {x\n y}Smax(S0 D?)\n. = S3\n  D3")
    (found,) = record.rounds
    assert (found.line, found.text) == (2, "1.> S1 D2 Smax (S0 D?) . = S3 D3")


@pytest.mark.parametrize("blank", ["", " ", "{}"])
def test_each_of_several_numbers_in_a_row_begins_a_round(blank: str) -> None:
    (record,) = records(f"1.{blank}02.<{blank}3.D4 M! (D0 M0)")
    assert [each.text for each in record.rounds] == ["1.", "2.<", "3. D4 M! (D0 M0)"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"{\xff}", FaultKind.NOT_UTF8),
        (b"{\xed\xa0\x80}", FaultKind.NOT_UTF8),
        (b"{\x1b}", FaultKind.CONTROL),
        (b"{\xc2\x9b}", FaultKind.CONTROL),
        (b'[a ""]' * (MAX_HEADERS + 9), FaultKind.TOO_MANY_HEADERS),
        (b"{" + b"x" * MAX_LINE + b"}", FaultKind.LINE_TOO_LONG),
        (b"9" * 5000 + b". S1 (S0) . = S3", FaultKind.BAD_NUMBER),
        (b"1. S1 (S0) . = " + b"S3\n" * MAX_ROUND, FaultKind.ROUND_TOO_LONG),
    ],
)
def test_each_thing_that_cannot_be_read_is_one_fault(line: bytes, kind: FaultKind) -> None:
    assert kinds(line) == [kind]


def test_a_line_past_the_limit_is_skipped_and_not_held() -> None:
    chunks = [KYIV.encode(), *[b"x" * 4096] * 1000, b"\n4. M1 (", b"S0"]
    found = [(f.line, f.kind) for f in pieces(chunks) if isinstance(f, Fault)]
    assert found == [(10, FaultKind.LINE_TOO_LONG)]


@pytest.mark.parametrize("size", [1, 2, 7, 4096])
def test_empty_lines_are_counted_however_many_and_however_they_come(size: int) -> None:
    text = b"\n" * 5000 + b"x\n" + b"\n" * 3 + b"[x"
    found = pieces(text[i : i + size] for i in range(0, len(text), size))
    told = [(f.line, f.kind) for f in found if isinstance(f, Fault)]
    assert told == [(5001, FaultKind.STRAY), (5005, FaultKind.BAD_HEADER)]


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
    assert (len(held), max(held)) == (20_000, 1)


def test_after_too_many_faults_only_the_end_of_the_game_is_told() -> None:
    found = list(judged(pieces([b"1. S1\n" * MAX_FAULTS, b"\n", SCHOOL.encode()])))
    told = [each.kind for each in found if isinstance(each, Fault)]
    assert told.index(FaultKind.TOO_MANY_FAULTS) == len(told) - 1 == MAX_FAULTS
    assert [each.winner for each in found if isinstance(each, GameOver)] == [None, "M"]


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
