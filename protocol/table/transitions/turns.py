"""Where the game stands after a fist, a word, a witness or a count, whoever made it."""

from __future__ import annotations

from dataclasses import replace

from protocol.rules.game import Game
from protocol.table.state import Move, Phase, Table


def after_fist(move: Move, game: Game) -> Table:
    """A fist is in, or holds none; the last one lets the starter speak (R3)."""
    return move.within_turn(game) if game.fists_missing else move.with_game(game, Phase.SPEAKING)


def after_word(move: Move, game: Game) -> Table:
    """A word is said; an ending word waits for its witnesses (R5)."""
    if game.speakers:
        return move.with_game(game, Phase.SPEAKING)
    if game.witnesses_missing:
        return move.with_game(game, Phase.WITNESSING)
    return _witnessed(move, game)


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
    return replace(move.with_game(game, phase), slate=move.table.slate.after_round(game))
