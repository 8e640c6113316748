"""A finished game in words: who won, everybody's place, and its boldest and sharpest moments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BiddingRules, GameStarter
from protocol.rules.words import Bid, Ending
from protocol.views import TableView
from spoof_tui.telling.names import listed
from spoof_tui.telling.outcomes import outcome_for, place_of
from spoof_tui.telling.sentences import score
from spoof_tui.text.i18n import _, pgettext


@dataclass(slots=True)
class PlayerTally:
    """What one seat held and said in a game, as far as everybody saw."""

    hid: Counter[int] = field(default_factory=Counter)
    """How many times the seat held each number of coins, among the fists that opened."""
    bids: int = 0
    """Number of bids, in the guessing game of calls, in counted rounds."""
    good: int = 0
    """How many of the bids the total reached; in the guessing game, how many calls were exact."""
    decided: int = 0
    """Number of counted rounds that the seat ended, or in which its bid was called."""
    right: int = 0
    """In how many of these the seat was right."""


def tallies(past: Sequence[PlayedRound], seats: int) -> list[PlayerTally]:
    """The tally of each seat, in the order of the seats.

    Of a void round, in which a fist stayed shut (G3), only the hands count.
    """
    told = [PlayerTally() for _seat in range(seats)]
    for played in past:
        for seat, hand in played.hands.items():
            told[seat].hid[hand] += 1
        total = played.outcome.total
        if total is None:
            continue
        words = played.words
        exact = isinstance(words, GuessingRound)
        for seat, bid in _bids(played):
            told[seat].bids += 1
            told[seat].good += total == bid if exact else total >= bid
        if not isinstance(words, GuessingRound):
            is_right = played.outcome.verdict.ender_is_right
            told[played.outcome.ender].decided += 1
            told[played.outcome.ender].right += is_right
            if words.ending is Ending.CALL and words.standing:
                told[words.standing[0]].decided += 1
                told[words.standing[0]].right += not is_right
    return told


def _bids(played: PlayedRound) -> list[tuple[int, int]]:
    if isinstance(played.words, GuessingRound):
        return list(played.words.called.items())
    return [(seat, word.number) for seat, word in played.words.words if isinstance(word, Bid)]


@dataclass(frozen=True, slots=True)
class StoryMoment:
    """A bid worth telling about after the game."""

    seat: int
    """The seat that bid, or that called the bid."""
    bid: int
    total: int
    round: int
    """Number of the round, from 1."""


def boldest_bluff(past: Sequence[PlayedRound]) -> StoryMoment | None:
    """The bid furthest above the total that did not cost its bidder a coin; None if there was
    none."""
    bluffs = [
        StoryMoment(seat, bid, total, number)
        for number, played in enumerate(past, 1)
        if not isinstance(played.words, GuessingRound)
        and (total := played.outcome.total) is not None
        for seat, bid in _bids(played)
        if bid > total and played.outcome.changes.get(seat, 0) >= 0
    ]
    return max(bluffs, key=lambda each: each.bid - each.total, default=None)


def sharpest_doubt(past: Sequence[PlayedRound]) -> StoryMoment | None:
    """The right call of the bid that was least above the total; None if there was none."""
    doubts = [
        StoryMoment(played.outcome.ender, played.words.standing[1], played.outcome.total, number)
        for number, played in enumerate(past, 1)
        if not isinstance(played.words, GuessingRound)
        and played.words.ending is Ending.CALL
        and played.words.standing
        and played.outcome.total is not None
        and played.outcome.verdict.ender_is_right
    ]
    return min(doubts, key=lambda each: each.bid - each.total, default=None)


def out_in(past: Sequence[PlayedRound]) -> Mapping[int, int]:
    """By seat, the number of the round in which it went out (R12) or left the school (H10)."""
    return {
        seat: number for number, played in enumerate(past, 1) for seat in played.outcome.went_out
    }


def places(past: Sequence[PlayedRound], seats: int) -> list[int]:
    """The seats from the winner down; those who went out later rank higher.

    In the guessing game the first to leave ranks highest, and the last one pays (H12).
    """
    out = out_in(past)
    if past and isinstance(past[0].words, GuessingRound):
        return sorted(range(seats), key=lambda seat: out.get(seat, len(past) + 1))
    return sorted(range(seats), key=lambda seat: -out.get(seat, len(past) + 1))


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """The result of one player of a finished game."""

    place: int
    """Place from 1."""
    name: str
    note: str
    numbers: tuple[int, ...]
    """The player's coins after every round; in the guessing game, the calls in the rounds
    played."""
    out: int | None = None
    """Number of the round in which the player went out, or left the school; None for the last
    one."""
    is_me: bool = False
    score: str = ""
    """Chips won or lost, or rounds paid, over the evening; empty without stakes."""


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of the story: its subject, and several wordings, the longest first."""

    about: str
    ways: tuple[str, ...]


def headline(view: TableView, names: Sequence[str]) -> str:
    """Who has won (R13) or, in the guessing game, who pays (H12), without a full stop."""
    assert view.winner is not None
    if view.winner == view.me:
        return _("You pay") if view.is_guessing else _("You win")
    text = _("{name} pays") if view.is_guessing else _("{name} wins")
    return text.format(name=names[view.winner])


def standings(
    view: TableView, names: Sequence[str], scored: TableView | None
) -> tuple[FinalPlace, ...]:
    """All players of the game from the first place down; their scores are those of the view
    `scored`."""
    past, names = view.past, listed(range(len(names)), names, view.me)
    out = out_in(past)
    return tuple(
        FinalPlace(
            place=place,
            name=names[seat],
            note=_note(out.get(seat), is_guessing=view.is_guessing, is_me=seat == view.me),
            numbers=_numbers(past, seat),
            out=out.get(seat),
            is_me=seat == view.me,
            score=score(scored, seat) if scored else "",
        )
        for place, seat in enumerate(places(past, len(past[-1].outcome.coins)), 1)
    )


def _note(out: int | None, *, is_guessing: bool, is_me: bool) -> str:
    if out is None:
        pays = pgettext("of you", "pay") if is_me else _("pays")
        return pays if is_guessing else _("won")
    left = pgettext("of you", "left in {round}") if is_me else _("left in {round}")
    gone = pgettext("of you", "out in {round}") if is_me else _("out in {round}")
    return (left if is_guessing else gone).format(round=out)


def _numbers(past: Sequence[PlayedRound], seat: int) -> tuple[int, ...]:
    if not isinstance(past[0].words, GuessingRound):
        return tuple(played.outcome.coins[seat] for played in past)
    calls = [each.words.called for each in past if isinstance(each.words, GuessingRound)]
    return tuple(said[seat] for said in calls if seat in said)


def story(view: TableView, names: Sequence[str]) -> tuple[StoryLine, ...]:
    """The boldest bluff, the sharpest call, and how this player did; lines with nothing to say left
    out."""
    past, names = view.past, listed(range(len(names)), names, view.me)
    told: list[StoryLine | None] = []
    if bluff := boldest_bluff(past):
        long = _("{name} bid {bid} with only {total} in the fists, and nobody called")
        short = _("{name} bid {bid}, fists held {total}")
        brief = _("round {round}: {name} bid {bid}")
        told.append(_moment(_("uncalled bluff"), bluff, names, long, short, brief))
    if doubt := sharpest_doubt(past):
        long = _("{name} called {bid}, and the fists held {total}")
        short = _("{name} called {bid}; the fists held {total}")
        brief = _("round {round}: {name} called {bid}")
        told.append(_moment(_("sharpest call"), doubt, names, long, short, brief))
    players = len(past[-1].outcome.coins)
    if view.me is not None and view.me < players:
        told.append(_mine(tallies(past, players)[view.me], is_guessing=view.is_guessing))
    return tuple(each for each in told if each is not None)


def _moment(
    about: str, moment: StoryMoment, names: Sequence[str], long: str, short: str, brief: str
) -> StoryLine:
    values = {**asdict(moment), "name": names[moment.seat]}
    whole = _("{what} (round {round})")
    ways = (whole.format(what=each.format(**values), round=moment.round) for each in (long, short))
    return StoryLine(about, (*ways, brief.format(**values)))


def _mine(tally: PlayerTally, *, is_guessing: bool) -> StoryLine | None:
    if is_guessing:
        text = _("{right} of {all} calls right")
        return StoryLine(_("you"), (text.format(right=tally.good, all=tally.bids),))
    score = _("{right} of {all}").format(right=tally.right, all=tally.decided)
    told = (_("right when tested: {score}").format(score=score),)
    return StoryLine(_("you"), told) if tally.decided else None


def my_end(view: TableView, names: Sequence[str]) -> str:
    """A sentence on my place and the round that decided it.

    Empty for the winner, for a spectator, and in the guessing game.
    """
    me, past = view.me, view.past
    if me is None or not past or isinstance(past[0].words, GuessingRound):
        return ""
    last = next((each for each in past if me in each.outcome.went_out), None)
    if last is None:
        return ""
    place = places(past, len(last.outcome.coins)).index(me) + 1
    text = _("You are {place}, out in round {round}. {facts}")
    return text.format(
        place=place_of(place, len(last.outcome.coins)),
        round=out_in(past)[me],
        facts=outcome_for(me, last, names).facts,
    )


def opens_next(view: TableView, names: Sequence[str], *, is_short: bool = False) -> str:
    """A sentence saying who opens the next game because they were the first out (R15); empty if
    nobody does.

    `is_short`: without the reason.
    """
    rules, out = view.rules, out_in(view.past)
    if not isinstance(rules, BiddingRules) or rules.game_starter is not GameStarter.CRAP or not out:
        return ""
    first = next(each.outcome.went_out[0] for each in view.past if each.outcome.went_out)
    if first == view.me and (is_short or view.counts_rounds):
        return _("You open the next game.")
    if first == view.me:
        return _("You were the first out, so you open the next game.")
    if is_short or view.counts_rounds:
        return _("{name} opens the next game.").format(name=names[first])
    return _("{name} was the first out and opens the next game.").format(name=names[first])
