"""What the outcome of a round means for one player or a spectator: who was right, whose coins
change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Verdict
from spoof_tui.telling.names import called, listed
from spoof_tui.telling.titles import call_words
from spoof_tui.text.i18n import _, ngettext


class Fortune(Enum):
    """The kind of effect that a round has on one player."""

    WON = "won"
    """The player wins a coin."""
    RIGHT = "right"
    """The player was right and wins nothing; in the guessing game the player leaves."""
    LOST = "lost"
    """The player loses a coin; in the guessing game the player is fined, or pays."""
    NEITHER = "neither"
    """The round changes nothing for the player."""


@dataclass(frozen=True, slots=True)
class PersonalOutcome:
    """The outcome of a round, worded for one player or for a spectator."""

    fortune: Fortune
    title: str
    """What happens to the player, or who was right, in a few words without a full stop."""
    lead: str
    """What happens to the player, or who was right, and whose coins change, as a sentence."""
    facts: str
    """What the fists held, and what was claimed, in sentences."""
    is_rare: bool = False
    """Whether the whole table should notice: a right cliff, spoof or zero."""

    @property
    def sentences(self) -> str:
        """The lead and the facts, joined."""
        return f"{self.lead} {self.facts}".strip()


def outcome_for(me: int | None, played: PlayedRound, names: Sequence[str]) -> PersonalOutcome:
    """The verdict for the seat `me`, which is addressed as "you"; None for a spectator."""
    fortune, words = _fortune(me, played), played.words
    if isinstance(words, GuessingRound):
        title, facts = _title_of_school(me, played, names), _guess(played, names, me)
        return PersonalOutcome(fortune, title, "", facts)
    result = played.outcome
    bidder, bid = words.standing or (result.ender, 0)
    values = {"bidder": called(bidder, names, me), "bid": bid, "total": result.total}
    facts = _facts(result.verdict, is_told=fortune is Fortune.NEITHER)
    facts = facts.format(**values, most=words.most) or _void(played, names, me)
    if fortune is Fortune.LOST:
        return PersonalOutcome(fortune, _("You lose a coin"), _("You lose a coin."), facts)
    if result.verdict is Verdict.VOID:
        (owner,) = result.changes
        lead = _("{name} loses a coin.").format(name=names[owner])
        return PersonalOutcome(fortune, _("void"), lead, facts)
    who = _("You were right") if fortune is not Fortune.NEITHER else _judged(words, played, names)
    title = _("You win a coin") if fortune is Fortune.WON else who
    is_bidders = result.verdict is Verdict.CALL_BID_FALSE
    concerned = bidder if is_bidders else result.ender
    is_told = fortune is Fortune.NEITHER and result.verdict is not Verdict.CALL_BID_TRUE
    lead = _effect(result.verdict, is_me=concerned == me, is_told=is_told).format(
        who=who, name=names[concerned], coins=result.coins[concerned]
    )
    return PersonalOutcome(fortune, title, lead, facts, result.verdict in _RARE)


_RARE: Final = frozenset({Verdict.CLIFF_RIGHT, Verdict.SPOOF_RIGHT, Verdict.ZERO_RIGHT})


def _fortune(me: int | None, played: PlayedRound) -> Fortune:
    result, words = played.outcome, played.words
    if isinstance(words, GuessingRound):
        if me in result.went_out:
            return Fortune.RIGHT
        is_lost = me is not None and me in (result.winner, *result.fined)
        return Fortune.LOST if is_lost else Fortune.NEITHER
    if change := result.changes.get(-1 if me is None else me, 0):
        return Fortune.WON if change > 0 else Fortune.LOST
    right = [result.ender] if result.verdict.ender_is_right else []
    if result.verdict is Verdict.CALL_BID_TRUE and words.standing:
        right = [words.standing[0]]
    return Fortune.RIGHT if me in right else Fortune.NEITHER


def _judged(words: BiddingRound, played: PlayedRound, names: Sequence[str]) -> str:
    """Whether the bid was good, or who was right, for a player who neither bid nor ended the
    round."""
    result = played.outcome
    if result.verdict is Verdict.CALL_BID_TRUE:
        text = _("{name}’s {bid} was good")
    elif result.verdict is Verdict.CALL_BID_FALSE:
        text = _("{name}’s {bid} was too high")
    else:
        is_right = result.verdict.ender_is_right
        text = _("{name} was right") if is_right else _("{name} was wrong")
        return text.format(name=names[result.ender])
    bidder, bid = words.standing or (result.ender, 0)
    return text.format(name=names[bidder], bid=bid)


def _effect(verdict: Verdict, *, is_me: bool, is_told: bool) -> str:
    """The sentence, with placeholders, on what a verdict does to whoever was wrong, or rightly
    ended.

    `is_me`: that is the player who reads it; `is_told`: {who} has named that player.
    """
    other, own = {
        Verdict.CLIFF_RIGHT: (
            _("{who}, wins a coin and has {coins} now."),
            _("{who}: you win a coin, and have {coins} now."),
        ),
        Verdict.CLIFF_AT_CAP: (
            _("{who}, but has {coins} coins already and wins none."),
            _("{who}, but you have {coins} coins already and win none."),
        ),
        Verdict.SPOOF_RIGHT: (_("{who}: nobody loses a coin."),) * 2,
        Verdict.ZERO_RIGHT: (_("{who}: everybody else loses a coin."),) * 2,
    }.get(verdict, (_("{who}: {name} loses a coin."),) * 2)
    if is_told and verdict is Verdict.CALL_BID_FALSE:
        return _("{who}, and costs a coin.")
    if is_told and not verdict.ender_is_right:
        return _("{who} and loses a coin.")
    return own if is_me else other


def _facts(verdict: Verdict, *, is_told: bool) -> str:
    """The sentence, with placeholders, on the total and the claim; `is_told`: the bid was named
    before."""
    if is_told and verdict in (Verdict.CALL_BID_TRUE, Verdict.CALL_BID_FALSE):
        return _("The fists held {total}.")
    return {
        Verdict.CALL_BID_TRUE: _("The fists held {total}, and {bidder} bid {bid}: a good bid."),
        Verdict.CALL_BID_FALSE: _("The fists held {total}, and {bidder} bid {bid}: too high."),
        **dict.fromkeys(
            (Verdict.CLIFF_RIGHT, Verdict.CLIFF_AT_CAP),
            _("The fists held {total}, and the bid was {bid}: the cliff is right."),
        ),
        Verdict.CLIFF_WRONG: _(
            "The fists held {total}, and the bid was {bid}: the cliff is wrong."
        ),
        Verdict.SPOOF_RIGHT: _("All {most} coins were in the fists: the spoof is right."),
        Verdict.SPOOF_WRONG: _("The fists held {total} of {most} coins: the spoof is wrong."),
        Verdict.ZERO_RIGHT: _("Every fist was empty: the zero is right."),
        Verdict.ZERO_WRONG: _("The fists held {total}: the zero is wrong."),
        Verdict.VOID: "",
    }[verdict]


def _void(played: PlayedRound, names: Sequence[str], me: int | None) -> str:
    """The sentence that a round is void, and whose fist stayed shut (G3)."""
    is_guessing = isinstance(played.words, GuessingRound)
    owner = next(iter(played.outcome.fined if is_guessing else played.outcome.changes))
    mine, other = _("Your fist stayed shut"), _("{name}’s fist stayed shut")
    fist = (mine if owner == me else other).format(name=names[owner])
    text = _("{fist}: a fine, and the round is void.")
    if not is_guessing:
        text = _("{fist}, so the round is void.")
    return text.format(fist=fist)


def _title_of_school(me: int | None, played: PlayedRound, names: Sequence[str]) -> str:
    result = played.outcome
    if not result.went_out:
        return _("nobody was right")
    if result.winner is not None:
        text = _("You pay") if result.winner == me else _("{name} pays")
        return text.format(name=names[result.winner])
    left = result.went_out[0]
    text = _("You leave") if left == me else _("{name} leaves")
    return text.format(name=names[left])


def _guess(played: PlayedRound, names: Sequence[str], me: int | None) -> str:
    result = played.outcome
    if result.verdict is Verdict.VOID:
        return _void(played, names, me)
    total = "?" if result.total is None else call_words(result.total)
    said = _("The total was {total}.").format(total=total)
    if not result.went_out:
        return said + " " + _("Nobody called that number: everybody stays in.")
    left, payer = result.went_out[0], result.winner
    text = (
        _("You called that number, so you leave.")
        if left == me
        else _("{name} called that number, and leaves.")
    )
    said += " " + text.format(name=names[left])
    if payer is None:
        return said
    text = (
        _("You have the honour of paying.")
        if payer == me
        else _("{name} has the honour of paying.")
    )
    return said + " " + text.format(name=names[payer])


def fines(played: PlayedRound, names: Sequence[str], me: int | None = None) -> str:
    """Who is fined after a round by the rules alone (H13), as a sentence such as "Fined: Bo ×2.";
    empty if nobody.
    """
    drinks = Counter(listed(played.outcome.fined, names, me))
    if not drinks:
        return ""
    fined = (name if count == 1 else f"{name} ×{count}" for name, count in drinks.items())
    return _("Fined: {names}.").format(names=_(" and ").join(fined))


def place_out(played: PlayedRound, seat: int) -> str:
    """The place of somebody who went out in a round, such as "4th of 4"."""
    coins, gone = played.outcome.coins, sorted(played.outcome.went_out)
    place = len(coins) - coins.count(0) + gone.index(seat) + 1
    return place_of(place, len(coins))


def place_of(place: int, players: int) -> str:
    """A place in a game of so many players, such as "4th of 4"."""
    return _("{place} of {seats}").format(place=ordinal(place), seats=players)


def ordinal(place: int) -> str:
    """A place as an ordinal number: 2nd."""
    return {
        1: _("1st"), 2: _("2nd"), 3: _("3rd"), 4: _("4th"), 5: _("5th"), 6: _("6th"),
        7: _("7th"), 8: _("8th"), 9: _("9th"),
    }.get(place, str(place))  # fmt: skip


def went_out(played: PlayedRound, names: Sequence[str], me: int | None = None) -> str:
    """A sentence saying who went out in a round (R12) or, in the guessing game, who was fined; may
    be empty."""
    seats = played.outcome.went_out
    if not seats or isinstance(played.words, GuessingRound):
        return fines(played, names, me)
    if seats == (me,):
        return _("You are out: {place}.").format(place=place_out(played, seats[0]))
    text = ngettext("{names} is out.", "{names} are out.", len(seats))
    return text.format(names=_(" and ").join(listed(seats, names, me)))
