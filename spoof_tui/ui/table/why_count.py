"""Which clauses decided a round that has been counted, with its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import (
    START_COINS,
    Starter,
)
from protocol.rules.outcome import Verdict, speaking_order
from protocol.rules.words import Direction
from protocol.views import TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.wording.bidding_clauses import after_call, after_others, after_zero
from spoof_tui.ui.wording.calls import call_words
from spoof_tui.ui.wording.guessing_clauses import next_first


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is so, with its reason."""

    label: str
    """The word or the clause that it is about; empty for the sentence before."""
    text: str
    """Whole sentences, with the numbers of this round."""
    allowed: bool | None = None
    """Whether the word may be said now; None where it is about no word."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One of the questions that somebody who presses `w` may have."""

    question: str
    lines: tuple[Line, ...]


def why_decided(view: TableView, played: PlayedRound, names: Sequence[str]) -> Explanation:
    """What decided a round of the game in `view`, clause by clause."""
    number = next(
        (place for place, each in enumerate(view.past, 1) if each is played), len(view.past)
    )
    question = _("What decided round {number}?").format(number=number)
    if isinstance(played.words, GuessingRound):
        return Explanation(question, tuple(_school(view, played, played.words, names)))
    return Explanation(question, tuple(_bids(played, played.words, names)))


def _bids(played: PlayedRound, said: BiddingRound, names: Sequence[str]) -> Iterator[Line]:
    outcome = played.outcome
    order = speaking_order(said.coins, outcome.ender, said.direction)
    yield Line(_("total"), _sum(played, order, names))
    if said.standing:
        bidder, bid = said.standing
        text = _("{bid}, the standing bid of {name}.").format(bid=bid, name=names[bidder])
        yield Line(_("bid"), text)
    yield Line(_("in play"), _("{most}, all coins in play.").format(most=said.most))
    yield Line(outcome.verdict.clause, _judged(played, said, names))
    changes = _changes(played, said, names)
    if changes:
        yield Line(_("coins"), changes)
    if outcome.went_out:
        out = _(" and ").join(names[seat] for seat in outcome.went_out)
        text = ngettext("{names} has no coins and is out.", "{names} have no coins and are out.",
                        len(outcome.went_out))  # fmt: skip
        yield Line("R12", text.format(names=out))
    yield next_round(played, names)


def _sum(played: PlayedRound, order: Sequence[int], names: Sequence[str]) -> str:
    hands = [f"{names[seat]} {played.hands[seat]}" for seat in order if seat in played.hands]
    if played.outcome.total is None:
        shut = _(" and ").join(names[seat] for seat in order if seat not in played.hands)
        return _("{name}’s fist stayed shut: there is no count.").format(name=shut)
    return _("{total} in the fists: {hands}.").format(
        total=played.outcome.total, hands=" + ".join(hands)
    )


def _judged(played: PlayedRound, said: BiddingRound, names: Sequence[str]) -> str:
    outcome = played.outcome
    bidder, bid = said.standing or (outcome.ender, 0)
    values = {
        "ender": names[outcome.ender],
        "bidder": names[bidder],
        "bid": bid,
        "total": outcome.total,
        "most": said.most,
        "cap": said.rules.cap,
        "owned": said.coins[outcome.ender],
    }
    return _test(outcome.verdict, said).format(**values)


def _test(verdict: Verdict, said: BiddingRound) -> str:
    """What a verdict compares, and what follows."""
    if verdict is Verdict.CLIFF_RIGHT and said.rules.cap is not None:
        return _(
            "{ender} said cliff, and {total} is exactly the bid of {bid}: {ender} had {owned},"
            " below the cap of {cap}, and wins a coin."
        )
    return {
        Verdict.CALL_BID_TRUE: _(
            "{ender} said call, but {total} is not below the bid of {bid}: the bid was good, and"
            " {ender} loses a coin."
        ),
        Verdict.CALL_BID_FALSE: _(
            "{ender} said call, and {total} is below the bid of {bid}: {bidder} bid too high and"
            " loses a coin."
        ),
        Verdict.CLIFF_RIGHT: _(
            "{ender} said cliff, and {total} is exactly the bid of {bid}: {ender} wins a coin, and"
            " there is no cap."
        ),
        Verdict.CLIFF_AT_CAP: _(
            "{ender} said cliff, and {total} is exactly the bid of {bid}: but {ender} had {owned},"
            " the cap is {cap}, and nothing is won."
        ),
        Verdict.CLIFF_WRONG: _(
            "{ender} said cliff, but {total} is not exactly the bid of {bid}: {ender} loses a coin."
        ),
        Verdict.SPOOF_RIGHT: _(
            "{ender} said spoof, and {total} is all of {most}: nobody wins or loses."
        ),
        Verdict.SPOOF_WRONG: _(
            "{ender} said spoof, but {total} is not all of {most}: {ender} loses a coin."
        ),
        Verdict.ZERO_RIGHT: _(
            "{ender} said zero, and every fist was empty: everybody else loses a coin."
        ),
        Verdict.ZERO_WRONG: _("{ender} said zero, but {total} is not 0: {ender} loses a coin."),
    }.get(verdict, _("The round is void, and the owner of the shut fist loses a coin."))


def _changes(played: PlayedRound, said: BiddingRound, names: Sequence[str]) -> str:
    arrow = glyphs().right
    changes = [
        f"{names[seat]} {said.coins[seat]} {arrow} {played.outcome.coins[seat]}"
        for seat in said.players
        if said.coins[seat] != played.outcome.coins[seat]
    ]
    return ", ".join(changes) + "." if changes else ""


def next_round(played: PlayedRound, names: Sequence[str]) -> Line:
    """Who opens the next round, or that there is none, with the clause as the label."""
    opener, outcome, said = played.outcome.next_starter, played.outcome, played.words
    if opener is None:
        return _the_end(played, names)
    shut = [seat for seat in said.players if seat not in played.hands]
    if shut:
        text = _("{opener} opens: the next one still in after {owner}, whose fist stayed shut.")
        return Line("G3", text.format(opener=names[opener], owner=names[shut[0]]))
    if isinstance(said, GuessingRound):
        text = _("{rule} This time it was {first}, next it is {opener}.")
        rule = next_first(said.rules)
        values = {"rule": rule, "first": names[said.starter], "opener": names[opener]}
        return Line("H11", text.format(**values))
    named, rule = _named(played, said)
    if named is None or named == opener:
        text = _("{rule} That is {opener}.").format(rule=rule, opener=names[opener])
        return Line("R14", text)
    assert not outcome.coins[named]
    text = _("{rule} That is {named}, who is out: next, {way}, is {opener}.")
    values = {
        "rule": rule, "named": names[named], "way": way(said.direction), "opener": names[opener],
    }  # fmt: skip
    return Line("R14", text.format(**values))


def _the_end(played: PlayedRound, names: Sequence[str]) -> Line:
    left = played.outcome.winner
    assert left is not None
    if isinstance(played.words, GuessingRound):
        text = _("{name} is the last one left, and is honoured to pay.")
        return Line("H12", text.format(name=names[left]))
    return Line("R13", _("{name} is the last player left and wins.").format(name=names[left]))


def _named(played: PlayedRound, said: BiddingRound) -> tuple[int | None, str]:
    """Whom the rules name to open next, in or out, and the rule; None: the nearest of several."""
    verdict, ender = played.outcome.verdict, played.outcome.ender
    if verdict in (Verdict.CALL_BID_TRUE, Verdict.CALL_BID_FALSE):
        is_loser = said.rules.starter is Starter.LOSER
        loser = said.standing[0] if said.standing else ender
        false = verdict is Verdict.CALL_BID_FALSE
        return (loser if is_loser and false else ender), after_call(said.rules)
    if verdict is Verdict.ZERO_RIGHT:
        is_loser = said.rules.zero_starter is Starter.LOSER
        return (None if is_loser else ender), after_zero(said.rules)
    return ender, after_others()


def _school(
    view: TableView, played: PlayedRound, said: GuessingRound, names: Sequence[str]
) -> Iterator[Line]:
    outcome = played.outcome
    yield Line(_("total"), _sum(played, said.order, names))
    calls = ", ".join(f"{names[seat]} {said.called[seat]}" for seat in said.order)
    yield Line("H6", _("The calls: {calls}.").format(calls=calls))
    yield from _fines(played, said, names)
    if outcome.went_out:
        gone = names[outcome.went_out[0]]
        total = call_words(outcome.total or 0)
        text = _("{name} called {total}, the exact total, and leaves the school.")
        if _left_first(view, played):
            text = _("{name} called {total} exactly, is the first to leave and orders the drinks.")
        yield Line("H10", text.format(name=gone, total=total))
    elif outcome.verdict is Verdict.VOID:
        yield Line(
            "G3", _("The round is void: all stay, and the shut fist costs its owner a fine.")
        )
    else:
        text = _("Nobody called {total}: all stay in the school.")
        yield Line("H11", text.format(total=call_words(outcome.total or 0)))
    yield next_round(played, names)


def _left_first(view: TableView, played: PlayedRound) -> bool:
    return next((each for each in view.past if each.outcome.went_out), None) is played


def _fines(played: PlayedRound, said: GuessingRound, names: Sequence[str]) -> Iterator[Line]:
    for seat in said.order:
        if said.attempts(seat) >= ATTEMPTS:
            text = _("{name} hit three taken numbers: a fine.")
            yield Line("H8", text.format(name=names[seat]))
        hand = played.hands.get(seat)
        if hand is None or said.is_possible(said.called[seat], hand):
            continue
        text = _("{name} held {hand} and could be right from {hand} to {most}, not with {call}.")
        most = hand + START_COINS * (len(said.players) - 1)
        values = {"name": names[seat], "hand": hand, "most": most, "call": said.called[seat]}
        fined = _("That is a fine.") if seat in played.outcome.fined else ""
        yield Line("H7", f"{text.format(**values)} {fined}".strip())


def way(direction: Direction) -> str:
    """In which direction the words go round."""
    return _("clockwise") if direction is Direction.CLOCKWISE else _("counter-clockwise")
