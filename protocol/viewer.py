"""What a participant may see: the view of a table for one seat, or for nobody's.

A view is built from a `Table`, which holds no hand before its fist is open, and from what this
participant's own link knows.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from protocol.encoding.codec import Message
from protocol.encoding.replacing import replace
from protocol.errors import Illegal, LocalError, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, PlayedRound, Round
from protocol.rules.guessing import Call, GuessingRound
from protocol.rules.words import Direction, Ending, Word
from protocol.table.state import Matter, Phase, Seat, Table
from protocol.table.statements import Fist, Speak
from protocol.table.transitions.moderation import electorate, needed
from protocol.timing import RoundTrip
from protocol.views import (
    FistState,
    LinkState,
    Motion,
    NewTableOffer,
    Option,
    SeatStatus,
    SeatView,
    TableView,
)


class Departing(Protocol):
    """What a view depends on of a participant's `Departure`."""

    @property
    def offer(self) -> NewTableOffer | None: ...
    @property
    def is_gone(self) -> bool: ...


class Viewer(Protocol):
    """A participant, as far as its view depends on it: a `Guest` is one."""

    @property
    def table(self) -> Table | None: ...
    @property
    def key(self) -> bytes: ...
    @property
    def link(self) -> LinkState: ...
    @property
    def unsteady(self) -> tuple[bytes, ...]: ...
    @property
    def waiting(self) -> tuple[Message, ...]: ...
    @property
    def departure(self) -> Departing: ...
    @property
    def trip(self) -> RoundTrip: ...


def view_for(guest: Viewer) -> TableView:
    """What the owner of `guest` may see now."""
    if guest.table is None:
        raise LocalError("there is nothing to see before the table is known")
    view = view_of(guest.table, guest.key, guest.link, guest.unsteady, guest.waiting)
    departure = guest.departure
    lag, is_gone = guest.trip.lag, departure.is_gone
    return replace(view, new_table=departure.offer, went_along=is_gone, lag=lag)


def view_of(
    table: Table,
    key: bytes,
    link: LinkState = LinkState.UP,
    unsteady: Container[bytes] = (),
    waiting: tuple[Message, ...] = (),
) -> TableView:
    """The view of `table` for the owner of `key`; `waiting` was said and is not in the log yet."""
    game = table.game
    running = game.round if game and table.phase is not Phase.GATHERING else None
    speaking = running if table.phase is Phase.SPEAKING else None
    bidding = speaking if isinstance(speaking, BiddingRound) else None
    played, heard = _played(game), _heard(running)
    seats = _seats(table, key, unsteady)
    me = next((index for index, seat in enumerate(seats) if seat.is_me), None)
    return TableView(
        table_id=table.id,
        table_name=table.opened.name,
        rules=table.opened.rules,
        phase=table.phase,
        link=link,
        seat_count=table.opened.seats,
        seats=seats,
        me=me,
        game_number=played.number,
        round_number=played.round_number,
        words=heard.words,
        calls=heard.calls,
        free=heard.free,
        standing=heard.standing,
        most=heard.most,
        direction=heard.direction,
        starter=heard.starter,
        speaker=speaking.speaker if speaking else None,
        last=played.past[-1] if played.past else None,
        past=played.past,
        winner=played.winner,
        own_fist_due=_owes_fist(table, key) and not _is_waiting(waiting),
        own_word=_word_on_its_way(waiting),
        may_turn=_may_turn(bidding, me),
        lowest_bid=_lowest_bid(bidding, me),
        options=_options(table, speaking, key),
        slate=table.slate,
        chairman=table.chairman if table.has_slate else None,
        may_order=_may_order(table, key),
        host=table.host,
        epoch=table.epoch,
        paused=table.paused,
        shut=None if table.opened.locked else table.shut,
        vacated=key in table.vacated,
        starts_from=None if table.paused else table.starts_from,
        grace=table.opened.grace,
        clock=table.opened.clock,
        time=table.time,
        votes=tuple(_motion(table, matter, voters) for matter, voters in table.votes.items()),
        barred=table.barred,
        talk=table.talk,
        names=table.names,
        position=table.head.length,
        stakes=table.stakes,
        pronounced=table.house.said,
        may_gloat=table.seat(key) is not None and table.gloats.may_gloat(key),
        vetoed=table.vetoed,
        thought=table.thought if table.opened.rules.shows_thinking else (),
    )


@dataclass(frozen=True, slots=True)
class _Played:
    """What is known of the running or last game; by default of none."""

    number: int = 0
    round_number: int = 0
    past: tuple[PlayedRound, ...] = ()
    winner: int | None = None


def _played(game: Game | None) -> _Played:
    if game is None:
        return _Played()
    return _Played(game.number, game.round_number, game.past, game.winner)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What is heard of the running round; by default of none."""

    words: tuple[tuple[int, Word], ...] = ()
    most: int = 0
    direction: Direction = Direction.CLOCKWISE
    starter: int | None = None
    calls: tuple[Call, ...] = ()
    free: tuple[int, ...] = ()
    standing: tuple[int, int] | None = None


def _heard(running: Round | None) -> _Heard:
    if running is None:
        return _Heard()
    heard = _Heard(running.words, running.most, running.direction, running.starter)
    if isinstance(running, GuessingRound):
        return replace(heard, calls=running.calls, free=running.free)
    return replace(heard, standing=running.standing)


def _options(table: Table, speaking: Round | None, key: bytes) -> tuple[Option, ...]:
    me = table.playing(key)
    return tuple(Option(word, _forbidden(table, speaking, me, word)) for word in Ending)


def _motion(table: Table, matter: Matter, voters: frozenset[bytes]) -> Motion:
    counted = electorate(table, matter)
    return Motion(*matter, voters & counted, needed(len(counted)))


def _word_on_its_way(waiting: tuple[Message, ...]) -> Word | None:
    return next((each.word for each in waiting if isinstance(each, Speak)), None)


def _is_waiting(waiting: tuple[Message, ...]) -> bool:
    return any(isinstance(statement, Fist) for statement in waiting)


def _may_order(table: Table, key: bytes) -> bool:
    game = table.game
    if not table.is_guessing or game is None or game.first_out is None:
        return False
    return game.players[game.first_out].key == key and not table.slate.ordered(game)


def _owes_fist(table: Table, key: bytes) -> bool:
    if table.game is None or table.phase is not Phase.CHOOSING:
        return False
    return table.playing(key) in table.game.fists_missing


def _may_turn(speaking: BiddingRound | None, me: int | None) -> bool:
    return speaking is not None and speaking.speaker == me and speaking.may_choose_direction


def _lowest_bid(speaking: BiddingRound | None, me: int | None) -> int | None:
    if speaking is None or speaking.speaker != me:
        return None
    lowest = speaking.standing[1] + 1 if speaking.standing else 1
    return lowest if lowest <= speaking.most else None


def _forbidden(
    table: Table, speaking: Round | None, me: int | None, word: Ending
) -> Illegal | None:
    if speaking is None:
        gathering = table.phase is Phase.GATHERING
        ended = table.phase in (Phase.WITNESSING, Phase.OPENING)
        reason = Reason.ROUND_IS_OVER if ended else Reason.FISTS_NOT_IN
        return Illegal(Reason.NO_GAME if gathering else reason)
    if me is None:
        return Illegal(Reason.NOT_PLAYING)
    try:
        speaking.check(me, word)
    except Illegal as error:
        return error
    return None


def _seats(table: Table, key: bytes, unsteady: Container[bytes]) -> tuple[SeatView, ...]:
    game = table.game
    players = game.players if game else ()
    keys = [player.key for player in players]
    keys += [seat.key for seat in table.seats if seat.key not in keys]
    seat = partial(_seat, table, me=key, unsteady=unsteady, electors=table.electors)
    return tuple(
        seat(game if index < len(players) else None, index, each) for index, each in enumerate(keys)
    )


def _seat(
    table: Table,
    game: Game | None,
    index: int,
    each: bytes,
    *,
    me: bytes,
    unsteady: Container[bytes],
    electors: Container[bytes],
) -> SeatView:
    """One seat; `game` is the one that it plays in, at `index`, if it does."""
    seat, running = table.seat(each), game.round if game else None
    return SeatView(
        key=each,
        name=table.names[each],
        coins=game.coins[index] if game else 0,
        fist=_fist(game, index),
        hand=game.hands.get(index) if game else None,
        presence=_presence(seat, is_unsteady=each in unsteady),
        ready=seat is not None and seat.share_seal is not None,
        plays=game is not None,
        is_me=each == me,
        speaks=table.phase is Phase.SPEAKING and running is not None and running.speaker == index,
        is_crap=game is not None and game.crap == index,
        is_muted=each in table.muted,
        is_leaving=each in table.leaving,
        is_set_aside=each in table.set_aside,
        counts=each in electors,
        did_not_gloat=each in table.gloats.silent,
        away_since=seat.away_since if seat else None,
        waits_since=table.waiting_since.get(each),
        play_on_from=table.play_on_from(each),
        time_up_from=table.time_up_from(each),
        through_door=each in table.doors,
    )


def _presence(seat: Seat | None, *, is_unsteady: bool) -> SeatStatus:
    if seat is None:
        return SeatStatus.GONE
    if seat.away:
        return SeatStatus.AWAY
    return SeatStatus.UNSTEADY if is_unsteady else SeatStatus.HERE


def _fist(game: Game | None, index: int) -> FistState:
    if game is None or game.round is None or not game.coins[index]:
        return FistState.NONE
    if index in game.hands:
        return FistState.OPEN
    return FistState.IN if index in game.seals else FistState.NOT_IN
