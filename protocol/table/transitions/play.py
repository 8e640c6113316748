"""What a game does to its table, from being ready for it to the last fist that opens."""

from __future__ import annotations

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.game import Game, Player
from protocol.rules.options import MIN_PLAYERS
from protocol.rules.words import Offence
from protocol.table.state import Move, Phase, Table
from protocol.table.statements import Fist, GameStarted, Open, Ready, Speak, TimeUp, Toss, Witness
from protocol.table.transitions.moderation import (
    after_fist,
    after_round,
    after_witness,
    after_word,
    check_time_up,
    gone_on,
    play_on,
)


def ready(move: Move, statement: Ready) -> Table:
    """The author is ready for the next game (G1)."""
    seat = move.seat()
    if seat.share_seal is not None:
        raise Illegal(Reason.READY_ALREADY)
    return move.seats_with(replace(seat, share_seal=statement.seal, ready_since=move.time))


def start(move: Move, statement: GameStarted) -> Table:
    """Everybody who is ready plays (G1, R15)."""
    table, ready = move.table, move.table.ready_seats
    if len(ready) < MIN_PLAYERS:
        raise Illegal(Reason.TOO_FEW)
    if statement.order != table.ready_keys:
        raise Illegal(Reason.WRONG_ORDER)
    game = Game(
        table=table.id,
        number=table.game.number + 1 if table.game else 1,
        rules=table.opened.rules,
        players=tuple(Player(s.key, s.name, s.share_seal or b"") for s in ready),
        started=move.time,
    )
    seats = tuple(replace(seat, share_seal=None, ready_since=None) for seat in table.seats)
    slate = table.slate
    if table.is_guessing and table.game is not None:
        slate = slate.before_next(table.game)
    dealt = table.dealt.union(statement.order)
    table = replace(table, seats=seats, era=move.length, slate=slate, dealt=dealt)
    move = replace(move, table=table)
    crap = _crap(table, game)
    if crap is None:
        return move.with_game(game, Phase.LOT)
    return move.with_game(replace(game, crap=crap).with_round(crap), Phase.CHOOSING)


def _crap(table: Table, game: Game) -> int | None:
    """The seat that opens as crap (R15), if these rules say so and that player plays again."""
    last = table.game
    if last is None or last.next_crap is None or game.rules.draws_lot:
        return None
    return game.seat_of(last.next_crap)


def toss(move: Move, statement: Toss) -> Table:
    """A share of the lot opens; the last one begins round 1 (G1)."""
    game, index = move.playing()
    game = game.toss(index, statement.share, statement.nonce)
    if game.round is None:
        return move.within_turn(game)
    return move.with_game(game, Phase.CHOOSING)


def fist(move: Move, statement: Fist) -> Table:
    """A fist goes in; the last one lets the starter speak (R2, R3)."""
    game, index = move.playing()
    return after_fist(move, game.put_in(index, statement.seal))


def speak(move: Move, statement: Speak) -> Table:
    """A word is said; an ending word waits for its witnesses (R4 to R10)."""
    game, index = move.playing()
    said = after_word(move, game.say(index, statement.word, statement.direction))
    return gone_on(replace(move, table=said))


def witness(move: Move, _: Witness) -> Table:
    """Somebody has seen the ending word; the last one lets the fists open (R11)."""
    game, index = move.playing()
    return after_witness(move, game.witness(index))


def open(move: Move, statement: Open) -> Table:
    """A fist opens; the last one ends the round (R11 to R14)."""
    game, index = move.playing()
    game = game.open(index, statement.coins, statement.nonce)
    played = move.table.played | {move.author}
    move = replace(move, table=replace(move.table, played=played))
    if game.hands and game.round is not None:
        return move.within_turn(game)
    return gone_on(replace(move, table=after_round(move, game)))


def time_up(move: Move, statement: TimeUp) -> Table:
    """The turn clock of a seat has run out: the game goes on without its move (G4).

    Somebody who is away is set aside, as if the others had voted to play on (G3).
    """
    check_time_up(move, statement.seat)
    table, seat = move.table, replace(move, author=statement.seat).seat()
    if seat.away:
        table = replace(table, set_aside=table.set_aside | {seat.key})
    if table.is_guessing and table.phase is Phase.SPEAKING:
        table = replace(table, slate=table.slate.fined(seat.key, Offence.REFUSING))
    played = play_on(replace(move, table=table), seat.key, by_clock=True)
    return gone_on(replace(move, table=played))
