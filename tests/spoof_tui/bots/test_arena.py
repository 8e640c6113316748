"""Games without a table: views show what a seat may know, and games end."""

import random
from typing import Any

import pytest

from protocol.rules.options import PRESETS, Rules
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import PLANS, Mind, SimpleMind, play_game, view_of_round
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.bots.schools import guessing

OF_THE_GAME = (
    *("rules", "me", "game_number", "round_number", "words", "calls", "free", "standing", "most"),
    *("direction", "starter", "speaker", "past", "last", "may_turn", "lowest_bid", "options"),
    *("own_fist_due", "phase", "is_guessing", "my_turn"),
)


def told(view: TableView) -> dict[str, Any]:
    """What a player decides by."""
    seats = [(seat.coins, seat.hand, seat.is_me, seat.speaks) for seat in view.seats]
    return {name: getattr(view, name) for name in OF_THE_GAME} | {"seats": seats}


def minds(*levels: str) -> list[Mind]:
    return [BotMind(Level(level), random.Random(seat)) for seat, level in enumerate(levels)]


@pytest.mark.parametrize("rules", PRESETS)
def test_a_speaker_sees_what_it_sees_at_a_table(rules: str) -> None:
    table, bot = MemoryTable(3, rules), BotMind(Level.MEDIUM, random.Random(3))
    table.ready()
    seen = 0
    while table.host.table.phase is not Phase.GATHERING and seen < 20:
        if table.host.table.phase is Phase.CHOOSING:
            table.choose(*(1 for client in table.clients if client.view.own_fist_due))
        view, game = table.speaker().view, table.host.table.game
        assert game and game.round and view.me is not None
        assert told(view_of_round(game.round, view.me, game.past)) == told(view)
        table.act(table.speaker(), table.speaker().guest.speak(*bot.choose_word(view, 1)))
        seen += 1
    assert seen


@pytest.mark.parametrize("running", [bidding((3, 0, 2)), guessing(3, gone=[1])])
def test_no_view_shows_a_hand(running: Any) -> None:
    for seat in running.players:
        for speaking in (True, False):
            view = view_of_round(running, seat, speaking=speaking)
            assert all(each.hand is None for each in view.seats)
            assert view.own_fist_due is not speaking


def test_a_game_that_would_not_end_is_left_undecided() -> None:
    stuck = [SimpleMind(PLANS["hold-all"], random.Random(seat)) for seat in range(3)]
    game = play_game(stuck, Rules.parse("hollywood"), opener=0, rounds=9)
    assert len(game) <= 9
    short = play_game(minds("easy", "easy"), Rules.parse("milan"), opener=0, rounds=1)
    assert short[-1].outcome.winner is None and len(short) == 1
