"""How a game goes on: after a move, and without one that the table waits for (G3, G4)."""

from __future__ import annotations

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.game import Game
from protocol.table.state import CHOICES, Move, Phase, Table


def check_play_on(move: Move, key: bytes) -> None:
    """Raise `Illegal` unless the others may vote now to go on without `key` (G3)."""
    table = move.table
    if table.paused:
        raise Illegal(Reason.PAUSED)
    if key not in table.waiting_since:
        raise Illegal(Reason.NOT_AWAITED)
    due = table.play_on_from(key)
    if due is None:
        raise Illegal(Reason.NOT_AWAY)
    if move.is_before(due):
        raise Illegal(Reason.TOO_SOON)


def check_time_up(move: Move, key: bytes) -> None:
    """Raise `Illegal` unless the turn clock of `key` has run out (G4)."""
    table = move.table
    if not table.opened.clock or table.phase not in CHOICES:
        raise Illegal(Reason.NO_CLOCK)
    due = table.time_up_from(key)
    if due is None:
        raise Illegal(Reason.NOT_AWAITED)
    if move.is_before(due):
        raise Illegal(Reason.TOO_SOON)


def play_on(move: Move, key: bytes, *, by_clock: bool = False) -> Table:
    """The table after it went on without `key`, for which it waits."""
    game, index = Move(move.table, key, move.length, move.time).playing()
    phase = move.table.phase
    if phase is Phase.LOT:
        # The lot is nobody's without one of its shares: the game is called off.
        return move.with_game(game, Phase.GATHERING)
    if phase is Phase.CHOOSING:
        return after_fist(move, game.hold_none(index))
    if phase is Phase.SPEAKING:
        return after_word(move, game.say_for(index) if by_clock else game.say_none(index))
    return after_round(move, game.void(index))


def after_fist(move: Move, game: Game) -> Table:
    """A fist is in, or holds none; the last one lets the starter speak (R3)."""
    table = move.table
    able = frozenset(seat.key for seat in table.seats) - table.muted
    gloats = table.gloats.after_fist(game.rules, able)
    if gloats is not table.gloats:
        game = replace(game, silent=gloats.silent)
    move = replace(move, table=replace(table, gloats=gloats))
    if game.fists_missing:
        return move.within_turn(game)
    return replace(move.with_game(game, Phase.SPEAKING), thought=())


def after_word(move: Move, game: Game) -> Table:
    """A word is said; an ending word waits for its witnesses (R5)."""
    move = replace(move, table=_timed(move))
    if game.speakers:
        return move.with_game(game, Phase.SPEAKING)
    if game.witnesses_missing:
        return move.with_game(game, Phase.WITNESSING)
    return _witnessed(move, game)


def _timed(move: Move) -> Table:
    """The table with the time that it waited for the word that is said now."""
    table = move.table
    [speaker] = table.waiting_for
    took = move.time - table.waiting_since.get(speaker, move.time)
    return replace(table, thought=(*table.thought, max(took, 0)))


def after_witness(move: Move, game: Game) -> Table:
    """Somebody has seen the ending word; the last one lets the fists open (R11)."""
    return move.within_turn(game) if game.witnesses_missing else _witnessed(move, game)


def _witnessed(move: Move, game: Game) -> Table:
    if game.fists_shut:
        return move.with_game(game, Phase.OPENING)
    # Where every fist holds none (G3) there is nothing to open.
    return after_round(move, game.counted())


def after_round(move: Move, game: Game) -> Table:
    """A round is over, by its count or without one (R14)."""
    phase = Phase.GATHERING if game.round is None else Phase.CHOOSING
    slate = move.table.slate.after_round(game)
    gloats = move.table.gloats.after_round(game, move.length)
    return replace(move.with_game(game, phase), slate=slate, gloats=gloats)
