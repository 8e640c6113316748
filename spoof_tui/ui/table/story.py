"""A game that is over in words: who won, how far each came, and what was bold and sharp in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BiddingRules, GameStarter
from protocol.views import TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.table.rounds import (
    Tally,
    boldest_bluff,
    coins_by_round,
    out_in,
    places,
    sharpest_doubt,
    tallies,
)
from spoof_tui.ui.wording.stakes import score


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of one player."""

    place: int
    """From 1."""
    name: str
    note: str
    numbers: tuple[int, ...]
    """The coins after every round; in the guessing game the calls of the rounds it played."""
    out: int | None = None
    """Number of the round in which it went out, or left the school; None for the last one."""
    is_me: bool = False
    score: str = ""
    """Chips up or down, or rounds paid, over the evening; empty where nothing is kept."""


@dataclass(frozen=True, slots=True)
class Told:
    """One line: what it is about, and ways to say it, the longest first."""

    about: str
    ways: tuple[str, ...]


def called(names: Sequence[str], me: int | None) -> tuple[str, ...]:
    """The names, and "you" for the own one."""
    return tuple(_("you") if seat == me else name for seat, name in enumerate(names))


def headline(view: TableView, names: Sequence[str]) -> str:
    """Who has won (R13), or who pays (H12)."""
    assert view.winner is not None
    text = _("{name} pays") if view.is_guessing else _("{name} wins")
    return text.format(name=names[view.winner])


def standings(view: TableView, names: Sequence[str]) -> tuple[Standing, ...]:
    """All players of the game from the first place down."""
    past, names = view.past, called(names, view.me)
    out = out_in(past)
    return tuple(
        Standing(
            place=place,
            name=names[seat],
            note=_note(out.get(seat), is_guessing=view.is_guessing),
            numbers=_numbers(past, seat),
            out=out.get(seat),
            is_me=seat == view.me,
            score=score(view, seat),
        )
        for place, seat in enumerate(places(past, len(past[-1].outcome.coins)), 1)
    )


def _note(out: int | None, *, is_guessing: bool) -> str:
    if is_guessing:
        return _("pays") if out is None else _("left in {round}").format(round=out)
    return _("won") if out is None else _("out in {round}").format(round=out)


def _numbers(past: Sequence[PlayedRound], seat: int) -> tuple[int, ...]:
    if not isinstance(past[0].words, GuessingRound):
        return tuple(coins_by_round(past, seat))
    calls = [each.words.called for each in past if isinstance(each.words, GuessingRound)]
    return tuple(said[seat] for said in calls if seat in said)


def story(view: TableView, names: Sequence[str]) -> tuple[Told, ...]:
    """The boldest bluff, the sharpest call, and how I did."""
    past, names = view.past, called(names, view.me)
    told = [_bluff(past, names), _doubt(past, names)]
    players = len(past[-1].outcome.coins)
    if view.me is not None and view.me < players:
        told.append(_mine(tallies(past, players)[view.me], is_guessing=view.is_guessing))
    return tuple(each for each in told if each is not None)


def _bluff(past: Sequence[PlayedRound], names: Sequence[str]) -> Told | None:
    bluff = boldest_bluff(past)
    if bluff is None or bluff.bid <= bluff.hand:
        return None
    text = (
        _("{name} bid {bid} holding {hand}") if bluff.hand else _("{name} bid {bid} holding none")
    )
    said = text.format(name=names[bluff.seat], bid=bluff.bid, hand=bluff.hand)
    return Told(_("boldest bluff"), (_in_round(said, bluff.round), said))


def _doubt(past: Sequence[PlayedRound], names: Sequence[str]) -> Told | None:
    doubt = sharpest_doubt(past)
    if doubt is None:
        return None
    text = ngettext("{name}, one coin short", "{name}, {short} coins short", doubt.short)
    said = text.format(name=names[doubt.seat], short=doubt.short)
    return Told(_("sharpest call"), (_in_round(said, doubt.round), said))


def _in_round(said: str, number: int) -> str:
    return _("{what} (round {round})").format(what=said, round=number)


def _mine(tally: Tally, *, is_guessing: bool) -> Told | None:
    good = {"right": tally.good, "all": tally.bids}
    if is_guessing:
        return Told(_("you"), (_("{right} of {all} calls right").format(**good),))
    bids = _("{right} of {all} bids good").format(**good)
    doubts = _("{right} of {all} doubts right").format(right=tally.right, all=tally.endings)
    if not tally.endings:
        return Told(_("you"), (bids,)) if tally.bids else None
    both = _("{one}, {other}").format(one=doubts, other=bids)
    return Told(_("you"), (both, doubts) if tally.bids else (doubts,))


def opens_next(view: TableView, names: Sequence[str]) -> str:
    """Who opens the next game because of having been the first out (R15); empty if nobody does."""
    rules, out = view.rules, out_in(view.past)
    if not isinstance(rules, BiddingRules) or rules.game_starter is not GameStarter.CRAP or not out:
        return ""
    first = next(each.outcome.went_out[0] for each in view.past if each.outcome.went_out)
    if first == view.me:
        return _("You were the first out (“crap”), so you open the next game.")
    text = _("{name} was the first out (“crap”) and opens the next game.")
    return text.format(name=names[first])
