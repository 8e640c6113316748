"""What a round means for me: the same to every eye and ear, and never what it means for others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Bid, Ending, Verdict
from spoof_tui.telling.counts import claim
from spoof_tui.telling.outcomes import Fortune, outcome_for
from spoof_tui.ui.table.felt.middle import glow, middle
from spoof_tui.ui.table.felt.tone import Tone
from spoof_tui.ui.table.scene import Scene
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.telling.test_counts import NAMES, bidden
from tests.spoof_tui.ui.table.scenes import at, said, seen, step


@given(
    st.tuples(*[st.integers(0, 3)] * 3), st.sampled_from(Ending), st.integers(1, 9),
    st.sampled_from([None, 0, 1, 2]),
)  # fmt: skip
def test_the_first_words_say_what_i_win_or_lose_else_whether_i_was_right(
    hands: tuple[int, int, int], ending: Ending, bid: int, me: int | None
) -> None:
    played = bidden(hands, ending, None if ending is Ending.ZERO else bid)
    told, result = outcome_for(me, played, NAMES), played.outcome
    change = 0 if me is None else result.changes.get(me, 0)
    assert (told.fortune is Fortune.LOST) == (change < 0) == (told.title == "You lose a coin")
    assert (told.fortune is Fortune.WON) == (change > 0) == (told.title == "You win a coin")
    is_right = me == result.ender and result.verdict.ender_is_right
    is_right |= me == 0 and result.verdict is Verdict.CALL_BID_TRUE
    assert told.lead.startswith("You were right: ") == is_right
    if told.fortune is Fortune.NEITHER:
        assert "you" not in told.lead.lower().split() and told.lead.startswith(told.title)


@pytest.mark.parametrize("ending", [Ending.CALL, Ending.CLIFF, Ending.SPOOF])
def test_stamp_rim_panel_and_plain_lines_say_the_same(ending: Ending) -> None:
    colours = {Fortune.WON: Tone.PRIZE, Fortune.RIGHT: Tone.YES, Fortune.LOST: Tone.NO}
    fortunes = set()
    for seat in range(3):
        table = at("answering")
        client = table.clients[seat]
        scene, reader = seen(client), Reader(table, seat)
        table.say(ending)
        seen(client, scene)
        while not scene.is_counted:
            step(scene)
        told = outcome_for(seat, client.view.past[-1], scene.names)
        fortunes.add(told.fortune)
        sign = {Fortune.NEITHER: "", Fortune.LOST: " ✗"}.get(told.fortune, " ✓")
        assert middle(scene).above == told.title.upper() + sign
        assert not any({*"✓✗"} & {*each} for each in middle(scene).small), "one sign, which is mine"
        for small in middle(scene).small:
            judged = claim(client.view.past[-1])
            assert judged.upper() not in told.title.upper() or judged not in small
            assert told.fortune is Fortune.NEITHER or judged not in small, "the panel says it"
        assert glow(scene) is colours.get(told.fortune)
        assert told.sentences in said(scene) and told.sentences in reader.look()
    assert len(fortunes) > 1


def stamped(ending: Ending, hands: tuple[int, ...], seat: int) -> Scene:
    """A count of two that is paid, as one of them sees it; the other one's bid was 6."""
    table = at("choosing", 2)
    table.choose(*hands)
    table.say(*([] if ending is Ending.ZERO else [Bid(6)]))
    scene = seen(table.clients[seat])
    table.say(ending)
    seen(table.clients[seat], scene)
    while not scene.is_counted:
        step(scene)
    return scene


@pytest.mark.parametrize(
    ("ending", "hands"), [(Ending.CLIFF, (3, 3)), (Ending.SPOOF, (3, 3)), (Ending.ZERO, (0, 0))]
)
def test_a_right_cliff_spoof_or_zero_is_gold_for_all_but_those_who_lose(
    ending: Ending, hands: tuple[int, ...]
) -> None:
    for seat in range(2):
        scene = stamped(ending, hands, seat)
        assert scene.last
        is_lost = scene.last.outcome.changes.get(seat, 0) < 0
        assert glow(scene) is (Tone.NO if is_lost else Tone.PRIZE)
        assert middle(scene).label is glow(scene)


def test_who_wins_a_game_is_told_so_as_soon_as_the_last_coin_is_paid() -> None:
    table = at("choosing", 2)
    while table.clients[0].view.winner is None:
        table.choose(0, 0)
        scenes = [seen(client) for client in table.clients]
        table.say(Ending.SPOOF)
    for client, scene in zip(table.clients, scenes, strict=True):
        seen(client, scene)
        while not scene.is_counted:
            assert "★" not in middle(scene).above
            step(scene)
        is_mine = client.view.winner == client.view.me
        assert ("You win" in middle(scene).above) is is_mine
        assert (glow(scene) is Tone.PRIZE) is (middle(scene).label is Tone.PRIZE) is is_mine
        assert middle(scene).above.endswith(("You win ★", "wins ★"))


def test_going_out_is_told_with_the_place_once_it_is_paid() -> None:
    table = at("choosing", 3)
    for _round in range(3):  # who is wrong opens the next round, and is wrong again
        table.choose(0, 0, 0)
        gone = table.clients.index(table.speaker())
        scene = seen(table.clients[gone])
        table.say(Ending.SPOOF)
    seen(table.clients[gone], scene)
    assert "Your last coin is at stake." in said(scene)
    while not scene.is_counted:
        assert "OUT" not in middle(scene).above
        step(scene)
    assert middle(scene).above == "OUT ✗ 3RD OF 3" and "3rd of 3" not in said(scene)
    assert "You lose a coin. You are out." in said(scene)
    assert "watch the rest" in said(scene)
    due = scene.pacing.due
    scene.pacing.advance((due or 0.0) - 0.1)
    assert scene.pacing.is_resting
