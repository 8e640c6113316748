"""What the counted rounds show about the players, and a finished game in words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending
from spoof_tui.telling.story import boldest_bluff, out_in, places, sharpest_doubt, story, tallies
from spoof_tui.ui.table.dialogs.rounds import page
from tests.helpers.tables import MemoryTable
from tests.protocol.notation.games import game_of
from tests.protocol.stories import few
from tests.spoof_tui.ui.table.scenes import scene_at


def a_round(hands: tuple[int, ...], *words: Bid | Ending) -> tuple[MemoryTable, PlayedRound]:
    """A table of the Milan rules after one round, and the round."""
    table = MemoryTable(len(hands), "milan", start_when=len(hands))
    table.ready()
    table.choose(*hands)
    table.say(*words)
    [played] = table.clients[0].view.past
    return table, played


def test_a_call_decides_a_round_for_its_ender_and_its_bidder_of_whom_one_is_right() -> None:
    _table, played = a_round((1, 1, 1), Bid(3), Bid(4), Ending.CALL)
    told = tallies([played], 3)
    assert sum(each.bids for each in told) == 2 and sum(each.good for each in told) == 1
    assert sorted((each.decided, each.right) for each in told) == [(0, 0), (1, 0), (1, 1)]


def test_the_end_of_a_game_counts_the_words_that_decided_a_round_and_no_others() -> None:
    told = {}
    for hands in ((1, 1, 1), (1, 1, 2)):
        table, played = a_round(hands, Bid(3), Bid(4), Ending.CALL)
        for client in table.clients:
            lines = story(client.view, "ABC") if client.view.me is not None else ()
            told[hands, client.view.me] = [line.ways[0] for line in lines if line.about == "you"]
        assert isinstance(played.words, BiddingRound) and played.words.standing
        ender, bidder = played.outcome.ender, played.words.standing[0]
        [other] = {0, 1, 2} - {ender, bidder}
        ways = [f"right when tested: {right} of 1" for right in (0, 1)]
        is_right = played.outcome.verdict.ender_is_right
        assert told[hands, ender] == [ways[is_right]]
        assert told[hands, bidder] == [ways[not is_right]]
        assert told[hands, other] == [], "a bid that nobody called decided nothing"


def test_the_boldest_bluff_is_the_bid_that_was_furthest_above_the_total() -> None:
    _table, played = a_round((0, 0, 2), Bid(1), Bid(4), Bid(5), Ending.CALL)
    bluff = boldest_bluff([played])
    assert bluff is not None and (bluff.bid, bluff.total, bluff.round) == (4, 2, 1)
    assert played.outcome.changes.get(bluff.seat, 0) >= 0
    _table, true = a_round((0, 0, 3), Bid(1), Bid(3), Ending.CALL)
    assert boldest_bluff([true]) is None, "the fists held that many"
    _table, dear = a_round((0, 0), Bid(6), Ending.CALL)
    assert boldest_bluff([dear]) is None, "it cost a coin"
    assert boldest_bluff(()) is None and sharpest_doubt(()) is None


def test_the_sharpest_doubt_is_the_one_that_was_only_just_right() -> None:
    _table, played = a_round((1, 1), Bid(3), Ending.CALL)
    doubt = sharpest_doubt([played])
    assert doubt is not None and (doubt.seat, doubt.bid) == (played.outcome.ender, 3)
    assert (doubt.total, doubt.round) == (2, 1)
    _table, wrong = a_round((1, 1), Bid(2), Ending.CALL)
    assert sharpest_doubt([wrong]) is None


def test_a_moment_of_the_story_has_its_round_however_little_room_there_is() -> None:
    table, _played = a_round((0, 0, 2), Bid(1), Bid(4), Bid(5), Ending.CALL)
    bluff, call, *_mine = story(table.clients[0].view, "ABC")
    assert (bluff.about, call.about) == ("uncalled bluff", "sharpest call")
    assert all("round 1" in way for line in (bluff, call) for way in line.ways)


@few
@given(st.integers(0, 500), st.integers(2, 5))
def test_places_begin_with_those_who_are_in_and_end_with_whoever_went_out_first(
    seed: int, players: int
) -> None:
    past = game_of(seed, players).past
    order, out = places(past, players), out_in(past)
    assert sorted(order) == list(range(players))
    still_in = order[: players - len(out)]
    assert [out[seat] for seat in order[len(still_in) :]] == sorted(out.values(), reverse=True)
    assert all(past[-1].outcome.coins[seat] == 0 for seat in out)
    assert past == () or all(past[-1].outcome.coins[seat] for seat in still_in)


@pytest.mark.parametrize("width", [40, 50, 70])
def test_the_page_of_rounds_begins_with_the_last_one_and_no_line_is_too_wide(width: int) -> None:
    told = page(scene_at("over", players=5), width).plain
    rounds = [line for each in told.split("\n\n")[1:] for line in each.splitlines()]
    assert rounds and max(map(len, rounds)) <= width
    heads = [int(found[1]) for line in rounds if (found := re.match(r"  (\d+) ", line))]
    assert heads == sorted(heads, reverse=True) and heads
