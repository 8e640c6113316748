"""Answers to "why?": what I may say now, why not the rest, and which clauses decided the last
round.

The answers use only a view and open fists, so they reveal no shut hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import START_COINS, BiddingRules, GuessingRules, Impossible, Starter
from protocol.rules.words import Ending, Verdict, speaking_order
from protocol.table.fold import Phase
from protocol.views import FistState, Option, TableView
from spoof_tui.telling import absence
from spoof_tui.telling.absence import STALE, missing_fists
from spoof_tui.telling.counts import ending_words
from spoof_tui.telling.names import listed
from spoof_tui.telling.outcomes import outcome_for, went_out
from spoof_tui.telling.rulebook import cited
from spoof_tui.telling.rulebook import sentence as by_rules
from spoof_tui.telling.sentences import forbidden, way, word_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext


@dataclass(frozen=True, slots=True)
class WhyLine:
    """One fact of an explanation, with its reason."""

    label: str
    """The subject of the line; empty for an introductory sentence."""
    text: str
    """Whole sentences, with the numbers of this round."""
    allowed: bool | None = None
    """Whether the word may be said now; None if the line is not about a word."""
    word: Ending | None = None
    """The ending word that the line is about, if it may be said now; otherwise None."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A question that a player who presses `w` may have, and its answer."""

    question: str
    lines: tuple[WhyLine, ...]
    clauses: tuple[str, ...]
    """The clauses of the rulebook on which the answer rests, in order."""

    @property
    def reference(self) -> str:
        """ "In the rules: R4, R7": the clauses of the answer; empty if there are none."""
        return _("In the rules: {clauses}").format(clauses=", ".join(self.clauses))


_CITED: Final = re.compile(r" \(((?:[GHR]\d+)(?:, [GHR]\d+)*)\)")
"""Finds the clauses that a sentence cites in brackets."""


def _explanation(question: str, lines: Iterable[WhyLine]) -> Explanation:
    """An explanation from lines that cite clauses: these are taken out of the text and listed
    once."""
    told = tuple(map(_capitalised, lines))
    found = {clause for line in told for cited in _CITED.findall(line.text)
             for clause in cited.split(", ")}  # fmt: skip
    plain = (replace(line, text=_CITED.sub("", line.text)) for line in told)
    return Explanation(question, tuple(plain), tuple(sorted(found, key=_place)))


def _place(clause: str) -> tuple[str, int]:
    return clause[0], int(clause[1:])


def why_decided(view: TableView, played: PlayedRound, names: Sequence[str]) -> Explanation:
    """What decided a round of the game in `view`, clause by clause."""
    number = next(
        (place for place, each in enumerate(view.past, 1) if each is played), len(view.past)
    )
    question = _("What decided round {number}?").format(number=number)
    names = listed(range(len(names)), names, view.me)
    if isinstance(played.words, GuessingRound):
        lines = _school(view, played, played.words, names)
    else:
        lines = _bids(played, played.words, names, view.me)
    return _explanation(question, lines)


def _capitalised(line: WhyLine) -> WhyLine:
    """The line with a capital letter if it begins with "you"; other lines may begin with a name."""
    if not line.text.startswith(_("you")):
        return line
    return replace(line, text=line.text[:1].upper() + line.text[1:])


def _bids(
    played: PlayedRound, said: BiddingRound, names: Sequence[str], me: int | None
) -> Iterator[WhyLine]:
    outcome = played.outcome
    order = speaking_order(said.coins, outcome.ender, said.direction)
    yield WhyLine(_("total"), _sum(played, order, names))
    if said.standing:
        bidder, bid = said.standing
        text = _("{bid}, bid by {name}.").format(bid=bid, name=names[bidder])
        yield WhyLine(_("bid"), text)
    yield WhyLine(_("in play"), _("{most} coins: no bid can be higher.").format(most=said.most))
    claim = ending_words(said.words, said.most, names, me)
    told = f"{claim} {outcome_for(me, played, names).sentences}"
    yield _citing(_("verdict"), told, outcome.verdict.clause)
    changes = _changes(played, said, names)
    if changes:
        yield WhyLine(_("coins"), changes)
    if outcome.went_out:
        yield _citing(_("out"), went_out(played, names, me), "R12")
    yield _next_round(played, names)


def _sum(played: PlayedRound, order: Sequence[int], names: Sequence[str]) -> str:
    hands = [f"{names[seat]} {played.hands[seat]}" for seat in order if seat in played.hands]
    if played.outcome.total is None:
        seen = _("Open fists: {hands}").format(hands=", ".join(hands)) if hands else ""
        return f"{_('A fist stayed shut: there is no count.')} {seen}".rstrip()
    return _("{total} in the fists: {hands}.").format(
        total=played.outcome.total, hands=" + ".join(hands)
    )


def _changes(played: PlayedRound, said: BiddingRound, names: Sequence[str]) -> str:
    arrow = glyphs().right
    changes = [
        f"{names[seat]} {said.coins[seat]} {arrow} {played.outcome.coins[seat]}"
        for seat in said.players
        if said.coins[seat] != played.outcome.coins[seat]
    ]
    return ", ".join(changes) + "." if changes else ""


def _citing(label: str, text: str, clause: str) -> WhyLine:
    return WhyLine(label, f"{text} ({clause})")


def _next_round(played: PlayedRound, names: Sequence[str]) -> WhyLine:
    """Who opens the next round, or that there is none."""
    opener, outcome, said = played.outcome.next_starter, played.outcome, played.words
    if opener is None:
        return _the_end(played, names)
    if outcome.verdict is Verdict.VOID:
        text = _("A fist stayed shut, so the next player still in after its owner opens: {opener}.")
        return _citing(_("next round"), text.format(opener=names[opener]), "G3")
    if isinstance(said, GuessingRound):
        text = _("{rule} This time it was {first}, next time it is {opener}.")
        rule = by_rules("next-first", said.rules)
        values = {"rule": rule, "first": names[said.starter], "opener": names[opener]}
        return _citing(_("next round"), text.format(**values), "H11")
    named, rule = _named(played, said)
    if named is None or named == opener:
        text = _("{rule} That is {opener}.").format(rule=rule, opener=names[opener])
        return _citing(_("next round"), text, "R14")
    assert not outcome.coins[named]
    text = _("{rule} That would be {named}, who is now out; the next player {way} is {opener}.")
    values = {
        "rule": rule, "named": names[named], "way": way(said.direction), "opener": names[opener],
    }  # fmt: skip
    return _citing(_("next round"), text.format(**values), "R14")


def _the_end(played: PlayedRound, names: Sequence[str]) -> WhyLine:
    left = played.outcome.winner
    assert left is not None
    if isinstance(played.words, GuessingRound):
        text = _("The last one still in has the honour of paying: {name}.")
        return _citing(_("the end"), text.format(name=names[left]), "H12")
    return _citing(
        _("the end"), _("The last player still in wins: {name}.").format(name=names[left]), "R13"
    )


def _named(played: PlayedRound, said: BiddingRound) -> tuple[int | None, str]:
    """The seat that the rules name to open the next round, even if it is out, and the rule.

    The seat is None if the rules name several, of which the nearest opens.
    """
    verdict, ender = played.outcome.verdict, played.outcome.ender
    if verdict in (Verdict.CALL_BID_TRUE, Verdict.CALL_BID_FALSE):
        is_loser = said.rules.starter is Starter.LOSER
        loser = said.standing[0] if said.standing else ender
        false = verdict is Verdict.CALL_BID_FALSE
        return (loser if is_loser and false else ender), by_rules("after-call", said.rules)
    if verdict is Verdict.ZERO_RIGHT:
        is_loser = said.rules.zero_starter is Starter.LOSER
        return (None if is_loser else ender), by_rules("after-zero", said.rules)
    return ender, by_rules("after-others", said.rules)


def _school(
    view: TableView, played: PlayedRound, said: GuessingRound, names: Sequence[str]
) -> Iterator[WhyLine]:
    outcome = played.outcome
    yield WhyLine(_("total"), _sum(played, said.order, names))
    calls = ", ".join(f"{names[seat]} {said.called[seat]}" for seat in said.order)
    yield _citing(_("calls"), f"{calls}.", "H6")
    yield from _fines(played, said, names)
    shut = outcome.verdict is Verdict.VOID
    clause = "G3" if shut else "H10" if outcome.went_out else "H11"
    yield _citing(_("verdict"), outcome_for(view.me, played, names).sentences, clause)
    first = next((each for each in view.past if each.outcome.went_out), None)
    if first is played:
        text = _("The first to leave orders the drinks: {name}.")
        yield _citing(_("drinks"), text.format(name=names[outcome.went_out[0]]), "H10")
    yield _next_round(played, names)


def _fines(played: PlayedRound, said: GuessingRound, names: Sequence[str]) -> Iterator[WhyLine]:
    for seat in said.order:
        if said.attempts(seat) >= ATTEMPTS:
            text = _("{name} hit three taken numbers: a fine.")
            yield _citing(_("fine"), text.format(name=names[seat]), "H8")
        hand = played.hands.get(seat)
        if hand is None or said.is_possible(said.called[seat], hand):
            continue
        text = _(
            "{name} held {hand}, so only calls from {hand} to {most} could be right, not {call}."
        )
        most = hand + START_COINS * (len(said.players) - 1)
        values = {"name": names[seat], "hand": hand, "most": most, "call": said.called[seat]}
        fined = _("That costs a fine.") if seat in played.outcome.fined else ""
        yield _citing(_("impossible"), f"{text.format(**values)} {fined}".strip(), "H7")


def why(
    view: TableView, names: Sequence[str], shown: PlayedRound | None = None
) -> list[Explanation]:
    """The explanations for this moment; `shown` is the round whose count is on show, None without
    one."""
    answers = [] if shown is None else [why_decided(view, shown, names)]
    answers += _void(view)
    if view.link in STALE:
        # What may be said depends on what the table has said meanwhile.
        text = _(
            "Nothing has been heard from the table for a while. Your moves are kept until it "
            "answers."
        )
        return [*answers, _explanation(_("What can I do now?"), [WhyLine("", text)])]
    return [*answers, *_now(view, listed(range(len(names)), names, view.me), shown)]


def _void(view: TableView) -> Iterator[Explanation]:
    """Which rounds of the game left nothing behind."""
    count = view.round_number - 1 - len(view.past)
    if view.phase in (Phase.GATHERING, Phase.LOT) or count < 1:
        return
    text = ngettext(
        "{count} round is void and is not listed: somebody was removed in it (G5).",
        "{count} rounds are void and are not listed: somebody was removed in them (G5).",
        count,
    )
    line = WhyLine("", text.format(count=count))
    yield _explanation(_("Is a round missing?"), [line])


def why_opening(view: TableView) -> list[Explanation]:
    """The explanation while the fists open, which reveals nothing about the count."""
    return [_explanation(_("What can I do now?"), [WhyLine("", _opening(view))])]


def _now(view: TableView, names: Sequence[str], shown: PlayedRound | None) -> Iterator[Explanation]:
    if view.paused:
        text = forbidden(Illegal(Reason.PAUSED), names, view.rules)
        yield _explanation(_("What can I do now?"), [WhyLine("", text)])
    elif view.my_turn and view.is_guessing:
        yield _explanation(_("What can I call now?"), _my_call(view, names))
    elif view.my_turn:
        yield _explanation(_("What can I say now?"), _my_words(view, names))
    else:
        yield _explanation(_("What can I do now?"), _not_my_turn(view, names))
    turn = [*_whose_turn(view, names)]
    if view.starter is not None and (shown is None or shown is not view.past[-1]):
        turn.append(WhyLine("", _opener(view, names)))
    if turn:
        yield _explanation(_("Whose turn is it, and why?"), turn)
    if missing := [WhyLine("", f"{told} (G3)") for told in absence.played_without(view)]:
        yield _explanation(_("Who is missing?"), missing)


# What I may say


def _my_words(view: TableView, names: Sequence[str]) -> Iterator[WhyLine]:
    yield _my_bid(view)
    if view.may_turn:
        text = _(
            "You open, and more than two players are in: you may change the direction with "
            "your bid (R4)."
        )
        yield WhyLine("", text)
    for option in view.options:
        yield _my_ending(option, view, names)


def _my_bid(view: TableView) -> WhyLine:
    if view.lowest_bid is None:
        text = _("The bid stands at {most}, all coins in play: it cannot be raised (R6).")
        return WhyLine(_("bid"), text.format(most=view.most), allowed=False)
    if view.standing is None:
        text = _("1 to {most}: there is no bid yet, and {most} coins are in play (R6).")
        return WhyLine(_("bid"), text.format(most=view.most), allowed=True)
    text = _("{low} to {most}: above the bid of {bid}, and {most} coins are in play (R6).")
    values = {"low": view.lowest_bid, "most": view.most, "bid": view.standing[1]}
    return WhyLine(_("bid"), text.format(**values), allowed=True)


def _my_ending(option: Option, view: TableView, names: Sequence[str]) -> WhyLine:
    name = word_name(option.word)
    if option.forbidden is not None:
        return WhyLine(name, forbidden(option.forbidden, names, view.rules), allowed=False)
    bidder, bid = view.standing or (0, 0)
    values = {"bid": bid, "most": view.most, "bidder": names[bidder], "cap": _cap(view)}
    claim = _claim(option.word, view).format(**values)
    return WhyLine(name, claim, allowed=True, word=option.word)


def _claim(word: Ending, view: TableView) -> str:
    if word is Ending.CALL:
        return _(
            "If the fists hold fewer than {bid}, {bidder} loses a coin. If they hold {bid} or "
            "more, you do (R7)."
        )
    if word is Ending.SPOOF:
        return _(
            "If all {most} coins are in the fists, nobody wins or loses: a way out when the "
            "bid cannot be raised. If not, you lose a coin (R9)."
        )
    if word is Ending.ZERO:
        return _("If every fist is empty, all the others lose a coin. If not, you do (R10).")
    cap = _cap(view)
    if cap is not None and view.my_seat and view.my_seat.coins >= cap:
        return _(
            "If the fists hold exactly {bid}, you are right, but with {cap} coins, the most "
            "allowed, you win none. If not, you lose a coin (R8)."
        )
    return _("If the fists hold exactly {bid}, you win a coin. If not, you lose one (R8).")


def _cap(view: TableView) -> int | None:
    return view.rules.cap if isinstance(view.rules, BiddingRules) else None


def _my_call(view: TableView, names: Sequence[str]) -> Iterator[WhyLine]:
    free = ", ".join(str(number) for number in view.free)
    text = _("0 to {most}, three for each player; still free: {free} (H6).")
    yield WhyLine(_("free"), text.format(most=view.most, free=free), allowed=True)
    taken = [call for call in view.calls if not call.taken]
    if taken:
        told = ", ".join(
            _("{number} by {name}").format(number=call.number, name=names[call.seat])
            for call in sorted(taken, key=lambda call: call.number)
        )
        yield WhyLine(_("taken"), told + ". " + _attempts(view), allowed=False)
    yield WhyLine(_("your hand"), _possible(view))
    yield WhyLine(_("right"), _("If you call the exact total, you leave the school (H10)."))


def _attempts(view: TableView) -> str:
    left = ATTEMPTS - view.my_attempts
    if left <= 0:
        return _("Your three attempts are used up: only a free number is accepted now (H8).")
    text = ngettext(
        "One attempt is left: another taken number costs a fine (H8).",
        "You have {count} attempts left. A taken number costs you one attempt; losing the last "
        "one also costs a fine (H8).",
        left,
    )
    return text.format(count=left)


def _possible(view: TableView) -> str:
    assert isinstance(view.rules, GuessingRules)
    others = START_COINS * (view.most // START_COINS - 1)
    text = _("The total is at least what you hold, and at most {others} more than that.")
    what = {
        Impossible.FINE: _("Any other call is accepted, and fined when the fists open (H7)."),
        Impossible.REFUSE: _("Any other call is refused, and only you are told (H7)."),
        Impossible.ALLOW: _("Any other call is allowed, but cannot be right (H7)."),
    }
    return f"{text.format(others=others)} {what[view.rules.impossible]}"


def _not_my_turn(view: TableView, names: Sequence[str]) -> Iterator[WhyLine]:
    if view.phase is Phase.GATHERING:
        yield WhyLine(
            "", _("No game is running: take your time, talk, and say when you are ready (G2).")
        )
    elif view.phase is Phase.LOT:
        yield WhyLine(
            "", _("Everybody opens a sealed share, and all shares together decide the draw (G1).")
        )
    elif view.phase in (Phase.WITNESSING, Phase.OPENING):
        yield WhyLine("", _opening(view))
    elif view.phase is Phase.CHOOSING:
        yield from _choosing(view, names)
    else:
        reason = view.options[0].forbidden
        if reason is not None:
            yield WhyLine("", forbidden(reason, names, view.rules))


def _opening(view: TableView) -> str:
    if view.is_guessing:
        return _("Everybody has called: all fists open now, the first caller’s first (H9).")
    return _("The last word ended the round: all fists open now (R11).")


def _choosing(view: TableView, names: Sequence[str]) -> Iterator[WhyLine]:
    clauses = {"coins": cited("R2", view.rules), "lock": cited("R3", view.rules)}
    seat = view.my_seat
    if view.own_fist_due and seat is not None:
        text = _("Hide 0 to {most} coins this round ({coins}).")
        yield WhyLine(_("your fist"), text.format(most=seat.coins, **clauses), allowed=True)
    elif seat is not None and seat.fist is FistState.IN:
        text = _("Already in, and locked until the fists open ({lock}).")
        yield WhyLine(_("your fist"), text.format(**clauses), allowed=False)
    elif seat is None or not seat.plays:
        yield WhyLine("", _("You are not in this game: you will play from the next one (G2)."))
    waiting = missing_fists(view, names)
    text = _("Nobody may bid until the last fist is in ({lock}). Waiting for {names}.")
    if view.is_guessing:
        clauses["lock"] = "H5"
        text = _("Nobody may call until the last fist is in ({lock}). Waiting for {names}.")
    label = _("call") if view.is_guessing else _("bid")
    yield WhyLine(label, text.format(names=", ".join(waiting), **clauses), allowed=False)


# Whose turn


def _whose_turn(view: TableView, names: Sequence[str]) -> Iterator[WhyLine]:
    if view.speaker is not None and view.words:
        clause = cited("R4", view.rules)
        text = _("The next player still in after {last}, {way}, is {name} ({clause}).")
        if view.speaker == view.words[-1][0]:
            text = _("The number was taken, so {name} must call again (H8).")
        values = {
            "name": names[view.speaker],
            "last": names[view.words[-1][0]],
            "way": way(view.direction),
            "clause": clause,
        }
        yield WhyLine("", text.format(**values))


def _opener(view: TableView, names: Sequence[str]) -> str:
    assert view.starter is not None
    if view.past and view.past[-1].outcome.next_starter != view.starter:
        text = _("The player who was to open has lost their seat, so {name} opens (G5).")
        return text.format(name=names[view.starter])
    if view.past:
        return _next_round(view.past[-1], names).text
    if any(seat.plays and not seat.coins for seat in view.seats):
        # Before the first count only a removal takes coins.
        text = _("The opener was drawn by lot from those who kept their seats: {name} (G1, G5).")
        return text.format(name=names[view.starter])
    if view.seats[view.starter].is_crap:
        text = _("The first player out of the last game opens: {name} (R15).")
    elif view.is_guessing:
        text = _("The toss decided who calls first: {name} (H3, G1).")
    else:
        text = _("The opener was drawn by lot, and nobody could rig that: {name} (G1).")
    return text.format(name=names[view.starter])
