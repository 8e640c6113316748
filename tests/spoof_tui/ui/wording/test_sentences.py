"""Whole sentences: who, what and why, with the clause."""

from __future__ import annotations

import pytest

from protocol.errors import Illegal, Malformed, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import BiddingRules
from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Ending, Word
from protocol.table.verify import Flaw, LogFault
from protocol.version import PROGRAM
from protocol.wire.messages import Farewell, OtherVersion
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.runtime.session import FINAL, TOLD
from spoof_tui.ui.wording import sentences

NAMES = ("Ann", "Bob", "Cem")


def played(hands: tuple[int, ...], *words: Word, rules: str = "milan") -> PlayedRound:
    """A round of three, opened by Ann."""
    said = tuple((place % 3, word) for place, word in enumerate(words))
    running = BiddingRound(BiddingRules.parse(rules), (3, 3, 3), 0, words=said)
    opened = dict(enumerate(hands))
    return PlayedRound(running, opened, running.count(opened))


ROUNDS = {
    Verdict.CALL_BID_TRUE: played((1, 2, 0), Bid(3), Ending.CALL),
    Verdict.CALL_BID_FALSE: played((1, 1, 0), Bid(3), Ending.CALL),
    Verdict.CLIFF_RIGHT: played((1, 2, 0), Bid(3), Ending.CLIFF),
    Verdict.CLIFF_AT_CAP: played((1, 2, 0), Bid(3), Ending.CLIFF, rules="bid-spoof"),
    Verdict.CLIFF_WRONG: played((1, 1, 0), Bid(3), Ending.CLIFF),
    Verdict.SPOOF_RIGHT: played((3, 3, 3), Bid(3), Ending.SPOOF),
    Verdict.SPOOF_WRONG: played((3, 3, 2), Bid(3), Ending.SPOOF),
    Verdict.ZERO_RIGHT: played((0, 0, 0), Ending.ZERO),
    Verdict.ZERO_WRONG: played((0, 1, 0), Ending.ZERO),
}


def test_who_went_out_is_named() -> None:
    running = BiddingRound(BiddingRules.parse("milan"), (1, 1, 1, 1), 0, words=((0, Ending.ZERO),))
    hands = dict.fromkeys(range(4), 0)
    everybody = PlayedRound(running, hands, running.count(hands))
    assert sentences.went_out(everybody, (*NAMES, "Dan")) == "Bob and Cem and Dan are out."
    running = BiddingRound(BiddingRules.parse("milan"), (1, 3), 0, words=((0, Ending.SPOOF),))
    one = PlayedRound(running, {0: 0, 1: 0}, running.count({0: 0, 1: 0}))
    assert sentences.went_out(one, NAMES) == "Ann is out."
    assert sentences.went_out(ROUNDS[Verdict.SPOOF_RIGHT], NAMES) == ""


def test_words_are_said_as_they_are_said_aloud() -> None:
    words = [*Ending, Bid(12)]
    assert [sentences.word_name(word) for word in words] == ["call", "cliff", "spoof", "zero", "12"]


def test_whose_turn_it_is_is_a_name() -> None:
    error = Illegal(Reason.NOT_YOUR_TURN, speaker=1)
    assert sentences.forbidden(error, NAMES) == "It is not your turn: Bob speaks. (R4)"
    assert "?" in sentences.forbidden(error, ())


def test_why_a_table_cannot_be_opened_is_a_sentence() -> None:
    other = sentences.cannot_open(OtherVersion(99, "9.9"))
    assert all(part in other for part in ("9.9", "99", PROGRAM))
    full = sentences.cannot_open(OSError(98, "Address already in use"))
    assert "Address already in use" in full
    silent = sentences.cannot_open(ProbeFailed(Address("10.0.0.1", 7), Failure.SILENT))
    assert "10.0.0.1:7." in silent
    assert not silent.endswith("..")
    assert sentences.cannot_open(Malformed("a name has 1 to 64 bytes")).endswith(".")


# Not let in


@pytest.mark.parametrize("why", sorted(TOLD, key=str))
def test_what_is_in_the_way_says_that_it_goes_on_trying(why: Farewell) -> None:
    sentence = sentences.turned_away(why, "10.0.0.1:7763")
    assert sentence != sentences.turned_away(Farewell.SILENT, "")
    assert "Trying again" in sentence or "Still looking" in sentence


@pytest.mark.parametrize("why", sorted(FINAL, key=str))
def test_every_final_farewell_has_a_sentence_of_its_own(why: Farewell) -> None:
    assert sentences.farewell(why) != sentences.farewell(Farewell.SILENT)


def test_a_program_without_a_screen_is_told_what_to_add() -> None:
    assert "--code" in sentences.not_let_in(Farewell.NO_CODE)
    for why in (Farewell.WRONG_CODE, Farewell.TOO_MANY_TRIES):
        assert sentences.not_let_in(why) == sentences.code_asked(why)
    assert sentences.not_let_in(Farewell.BARRED) == sentences.farewell(Farewell.BARRED)


# A log that does not hold together


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (
            LogFault(7, Flaw.FORGED),
            "entry 7: the word in it is not signed by its author: it is forged",
        ),
        (
            LogFault(7, Flaw.OTHER_LOG, {"length": 5}),
            "entry 7: its author saw another log of 5 entries: two stories are told",
        ),
        (LogFault(7, Flaw.REPEATED, {"position": 3}), "entry 7: it is entry 3 once more"),
        (
            LogFault(
                7,
                Flaw.FORBIDDEN,
                {"why": "?"},
                forbidden=Illegal(Reason.NOT_YOUR_TURN, speaker=1),
            ),
            "entry 7: the rules forbid it: “It is not your turn: Bob speaks. (R4)”",
        ),
    ],
)
def test_a_broken_log_says_what_the_host_did(fault: LogFault, said: str) -> None:
    assert sentences.fault(fault, NAMES) == said
