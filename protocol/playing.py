"""What a game does to its table, from being ready for it to the last fist that opens."""

from __future__ import annotations

from dataclasses import replace

from protocol.errors import Illegal, Reason
from protocol.game import Game, Player
from protocol.measuring import see_off
from protocol.rules import MIN_PLAYERS
from protocol.state import Move, Phase, Table
from protocol.statements import Fist, GameStarted, Open, Ready, Speak, Toss, Witness


def ready(move: Move, statement: Ready) -> Table:
    """The author is ready for the next game (G1)."""
    seat = move.seat()
    if seat.share_seal is not None:
        raise Illegal(Reason.READY_ALREADY)
    return move.seats_with(replace(seat, share_seal=statement.seal))


def start(move: Move, statement: GameStarted) -> Table:
    """Everybody who is ready plays (G1, R15)."""
    table, ready = move.table, move.table.ready_seats
    if len(ready) < MIN_PLAYERS:
        raise Illegal(Reason.TOO_FEW)
    if statement.order != tuple(seat.key for seat in ready):
        raise Illegal(Reason.WRONG_ORDER)
    game = Game(
        table=table.id,
        number=table.game.number + 1 if table.game else 1,
        rules=table.opened.rules,
        players=tuple(Player(s.key, s.name, s.share_seal or b"") for s in ready),
        started=move.time,
    )
    seats = tuple(replace(seat, share_seal=None) for seat in table.seats)
    slate = table.slate
    if table.has_slate and table.game is not None:
        slate = slate.before_next(table.game)
    table = replace(table, seats=seats, era=move.length, slate=slate)
    move = replace(move, table=table)
    crap = _crap(table, game)
    if crap is None:
        return move.with_game(game, Phase.LOT)
    return move.with_game(replace(game, crap=crap).with_round(crap), Phase.CHOOSING)


def _crap(table: Table, game: Game) -> int | None:
    """The seat that opens as crap (R15), if these rules say so and that player plays again."""
    last = table.game
    if last is None or last.first_out is None or game.rules.draws_lot:
        return None
    return game.seat_of(last.players[last.first_out].key)


def toss(move: Move, statement: Toss) -> Table:
    """A share of the lot opens; the last one begins round 1 (G1)."""
    game, index = move.playing()
    game = game.toss(index, statement.share, statement.nonce)
    if game.round is None:
        return replace(move.table, game=game)
    return move.with_game(game, Phase.CHOOSING)


def fist(move: Move, statement: Fist) -> Table:
    """A fist goes in; the last one lets the starter speak (R2, R3)."""
    game, index = move.playing()
    game = game.put_in(index, statement.seal)
    if game.fists_missing:
        return replace(move.table, game=game)
    return move.with_game(game, Phase.SPEAKING)


def speak(move: Move, statement: Speak) -> Table:
    """A word is said; an ending word waits for its witnesses (R4 to R10)."""
    game, index = move.playing()
    game = game.say(index, statement.word, statement.direction)
    ended = game.round is not None and game.round.is_over
    return move.with_game(game, Phase.WITNESSING if ended else Phase.SPEAKING)


def witness(move: Move, _: Witness) -> Table:
    """Somebody has seen the ending word; the last one lets the fists open (R11)."""
    game, index = move.playing()
    game = game.witness(index)
    if game.witnesses_missing:
        return replace(move.table, game=game)
    return move.with_game(game, Phase.OPENING)


def open(move: Move, statement: Open) -> Table:
    """A fist opens; the last one ends the round (R11 to R14)."""
    game, index = move.playing()
    game = game.open(index, statement.coins, statement.nonce)
    if game.hands and game.round is not None:
        return replace(move.table, game=game)
    phase = Phase.GATHERING if game.round is None else Phase.CHOOSING
    counted = replace(move.with_game(game, phase), slate=move.table.slate.after_round(game))
    return see_off(replace(move, table=counted))
