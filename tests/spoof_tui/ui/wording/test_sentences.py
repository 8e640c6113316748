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
from protocol.views import LinkState
from protocol.wire.messages import Farewell, OtherVersion
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.runtime.session import FINAL, TOLD
from spoof_tui.ui.wording import sentences
from tests.helpers.offenders import offenders

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


@pytest.mark.parametrize("verdict", ROUNDS)
def test_a_result_is_told_without_its_clause(verdict: Verdict) -> None:
    result = ROUNDS[verdict].outcome
    assert result.verdict is verdict
    sentence = sentences.outcome(ROUNDS[verdict], NAMES)
    assert sentence.endswith(".") and verdict.clause not in sentence


@pytest.mark.parametrize("verdict", ROUNDS)
def test_a_result_of_mine_is_told_to_me(verdict: Verdict) -> None:
    me = 0 if verdict is Verdict.CALL_BID_FALSE else ROUNDS[verdict].outcome.ender
    sentence = sentences.outcome(ROUNDS[verdict], NAMES, me)
    assert "You " in sentence and NAMES[me] not in sentence


@pytest.mark.parametrize("verdict", ROUNDS)
def test_a_result_names_who_said_the_last_word(verdict: Verdict) -> None:
    sentence = sentences.outcome(ROUNDS[verdict], NAMES)
    blamed = "Ann" if verdict is Verdict.CALL_BID_FALSE else NAMES[ROUNDS[verdict].outcome.ender]
    assert blamed in sentence
    assert "Cem" not in sentence


@pytest.mark.parametrize(
    ("verdict", "numbers"),
    [
        (Verdict.CALL_BID_TRUE, ["Ann bid 3", "held 3", "Bob loses a coin"]),
        (Verdict.CALL_BID_FALSE, ["Ann bid 3", "held 2", "too high. Ann loses"]),
        (Verdict.CLIFF_RIGHT, ["bid of 3", "held 3", "wins a coin"]),
        (Verdict.CLIFF_AT_CAP, ["bid of 3", "held 3", "at the cap"]),
        (Verdict.CLIFF_WRONG, ["bid was 3", "held 2", "loses a coin"]),
        (Verdict.SPOOF_RIGHT, ["All 9 coins"]),
        (Verdict.SPOOF_WRONG, ["8 of 9", "loses a coin"]),
        (Verdict.ZERO_RIGHT, ["everybody else loses a coin"]),
        (Verdict.ZERO_WRONG, ["held 1", "loses a coin"]),
    ],
)
def test_a_result_says_what_was_bid_and_what_was_there(
    verdict: Verdict, numbers: list[str]
) -> None:
    sentence = sentences.outcome(ROUNDS[verdict], NAMES)
    assert [number for number in numbers if number not in sentence] == []


def test_a_void_round_is_told_too() -> None:
    running = BiddingRound(BiddingRules.parse("milan"), (3, 3, 3), 0, words=((0, Ending.SPOOF),))
    shut = PlayedRound(running, {0: 1, 1: 1}, running.void(2))
    assert sentences.outcome(shut, NAMES).endswith("and the round is void.")


def test_who_went_out_is_named() -> None:
    running = BiddingRound(BiddingRules.parse("milan"), (1, 1, 1, 1), 0, words=((0, Ending.ZERO),))
    hands = dict.fromkeys(range(4), 0)
    everybody = PlayedRound(running, hands, running.count(hands))
    assert sentences.went_out(everybody, (*NAMES, "Dan")) == "Bob and Cem and Dan are out."
    running = BiddingRound(BiddingRules.parse("milan"), (1, 3), 0, words=((0, Ending.SPOOF),))
    one = PlayedRound(running, {0: 0, 1: 0}, running.count({0: 0, 1: 0}))
    assert sentences.went_out(one, NAMES) == "Ann is out."
    assert sentences.went_out(ROUNDS[Verdict.SPOOF_RIGHT], NAMES) == ""


def test_the_count_adds_up_in_the_order_of_opening() -> None:
    counted = sentences.the_count(ROUNDS[Verdict.CALL_BID_TRUE], NAMES, (1, 2, 0))
    assert counted == "Bob 2 + Cem 0 + Ann 1 = 3"


def test_words_are_said_as_they_are_said_aloud() -> None:
    words = [*Ending, Bid(12)]
    assert [sentences.word_name(word) for word in words] == ["call", "cliff", "spoof", "zero", "12"]


def test_every_reason_is_a_sentence_with_its_clause() -> None:
    def worded(reason: Reason) -> None:
        sentence = sentences.forbidden(Illegal(reason), NAMES)
        assert sentence == f"{reason.template} ({reason.clause})"

    assert offenders(worded, zip(reason for reason in Reason if reason.is_plain)) == []


def test_whose_turn_it_is_is_a_name() -> None:
    error = Illegal(Reason.NOT_YOUR_TURN, speaker=1)
    assert sentences.forbidden(error, NAMES) == "It is not your turn: Bob speaks. (R4)"
    assert "?" in sentences.forbidden(error, ())


def test_numbers_fill_a_reason() -> None:
    error = Illegal(Reason.HAND_TOO_BIG, coins=2)
    assert sentences.forbidden(error, NAMES) == "A hand is 0 to 2 coins: you own 2. (R2)"


def test_a_link_that_is_well_needs_no_words() -> None:
    states = {state: sentences.link_state(state) for state in LinkState}
    assert states.pop(LinkState.UP) == ""
    assert all(states.values()) and len(set(states.values())) == len(states)


@pytest.mark.parametrize("why", Farewell)
def test_every_farewell_is_a_sentence(why: Farewell) -> None:
    assert sentences.farewell(why).endswith(".")


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


def test_an_impostor_is_named_by_the_address() -> None:
    sentence = sentences.turned_away(Farewell.IMPOSTOR, "10.0.0.1:7763")
    assert sentence.startswith("The program at 10.0.0.1:7763 is not the host of this table")


@pytest.mark.parametrize("why", sorted(FINAL, key=str))
def test_every_final_farewell_has_a_sentence_of_its_own(why: Farewell) -> None:
    assert sentences.farewell(why) != sentences.farewell(Farewell.SILENT)


def test_a_code_that_was_tried_is_answered_and_the_first_question_is_not() -> None:
    assert sentences.code_asked(Farewell.NO_CODE) == ""
    assert "it may have changed" in sentences.code_asked(Farewell.WRONG_CODE)
    assert "wait a minute" in sentences.code_asked(Farewell.TOO_MANY_TRIES)


def test_a_program_without_a_screen_is_told_what_to_add() -> None:
    assert "--code" in sentences.not_let_in(Farewell.NO_CODE)
    for why in (Farewell.WRONG_CODE, Farewell.TOO_MANY_TRIES):
        assert sentences.not_let_in(why) == sentences.code_asked(why)
    assert sentences.not_let_in(Farewell.BARRED) == sentences.farewell(Farewell.BARRED)


def test_a_new_code_says_why_and_which() -> None:
    said = {sentences.code_renewed(why, "K7M4Q") for why in CodeChange}
    assert len(said) == len(CodeChange)
    assert all(each.endswith("K7M4Q") for each in said)


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


def test_a_broken_log_says_where_the_evidence_is_and_what_judges_it() -> None:
    told = sentences.broken("entry 7: it is forged", "~/games/x.log")
    assert "does not hold together (entry 7: it is forged)" in told
    assert told.endswith("spoof verify ~/games/x.log")
    assert "could not be written" in sentences.broken("entry 7", None)
