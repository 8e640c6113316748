"""What is said of a stored log: keys, times, and what happened beside the games."""

import pytest

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Drink, Ending, Offence
from protocol.table.announcements import Back, Decide
from protocol.table.statements import (
    NO_ONE,
    AwardFine,
    Elect,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Order,
    Say,
    Speak,
    Vote,
)
from protocol.table.verify import Happening, verify
from spoof_tui.ui.wording.verify_report import (
    fingerprint,
    happening,
    moment,
    names_of,
    report,
    statement_text,
)

ANN, BO = b"a" * 32, b"b" * 32
NAMES = {ANN: "Ann", BO: "Bo"}


def test_a_fingerprint_is_the_beginning_of_a_key_in_groups() -> None:
    assert fingerprint(bytes(range(32))) == "0001 0203 0405 0607"


def test_a_time_is_the_same_everywhere_and_any_number_is_one() -> None:
    assert moment(1_700_000_000_000) == "2023-11-14 22:13:20 UTC"
    assert moment(2**53 - 1) == "?"


@pytest.mark.parametrize(
    ("author", "statement", "sentence"),
    [
        (ANN, Leave(), "Ann left the table."),
        (ANN, Elect(BO), "Ann wants Bo for chairman (H2)."),
        (ANN, AwardFine(BO, Offence.GLOATING), "Ann fines Bo for gloating."),
        (ANN, LiftFine(0), "Ann lifts fine 1."),
        (ANN, Order(Drink.PORT), "Ann orders port."),
        (ANN, Gesticulate(Gesture.GLOAT), "Ann gloats."),
        (
            ANN,
            Vote(Measure.BAN_WOBBLE, NO_ONE, True),
            "Ann wants the Wobble banned. Mr. A. L. Shearn vetoes it (S5).",
        ),
        (ANN, Vote(Measure.REMOVE, BO, True), "Ann wants Bo to be removed (G5)."),
        (ANN, Vote(Measure.REMOVE, BO, False), "Ann takes back a vote about Bo (G5)."),
        (None, Decide(Measure.MUTE, BO), "the host wants Bo to be muted (G5)."),
        (None, Back(BO), "the host: back Bo"),
        (b"c" * 32, Leave(), "[6363 6363 6363 6363] left the table."),
    ],
)
def test_what_happens_is_a_sentence(
    author: bytes | None, statement: Message, sentence: str
) -> None:
    assert happening(Happening(7, author, statement), NAMES) == sentence


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Speak(Bid(4)), "word 4"),
        (Speak(Ending.CLIFF), "word cliff"),
        (Say(ForeignText("a\x1b[31mb")), "say a[31mb"),
        (Gesticulate.from_fields(("mitt-full",)), "gesture mitt-full"),
    ],
)
def test_a_statement_is_told_with_what_a_person_reads(statement: Message, text: str) -> None:
    assert statement_text(statement, NAMES) == text


def test_without_a_table_nobody_has_a_name() -> None:
    assert names_of(None) == {}
    assert list(report(verify([]))) == ["Verdict: there is nothing in this file."]
