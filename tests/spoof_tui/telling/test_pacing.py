"""What is shown when: nothing too early, everything in its order, and never a film."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.guest.effects import GuestEffect
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Measure
from protocol.views import FistState, TableView
from spoof_tui import beats
from spoof_tui.beats import Beat
from spoof_tui.telling.pacing import FAR_BEHIND, STOOD_STILL, Pacing
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at


def views_of(table: MemoryTable, client: GuestSide, *words: Bid | Ending) -> Iterator[TableView]:
    """A seat's view, now and after every word."""
    yield client.view
    for word in words:
        table.say(word)
        yield client.view


def ending(rules: str = "milan", word: Ending = Ending.CALL) -> tuple[MemoryTable, Pacing]:
    """A table whose first round has just ended, in front of its first player."""
    table = at("answering", rules=rules)
    pacing = Pacing()
    for view in views_of(table, table.clients[0], word):
        pacing.receive(view, 0.0)
    return table, pacing


def paid() -> tuple[MemoryTable, Pacing, float]:
    """The same when its count has just been paid, and the time."""
    table, pacing = ending()
    return table, pacing, play(pacing)


def play(pacing: Pacing) -> float:
    """Let the count run to its end; returns when that is."""
    now = 0.0
    while pacing.is_running:
        now = pacing.due or now
        pacing.advance(now)
    return now


def drained(pacing: Pacing) -> list[TableView]:
    """Everything that is shown until nothing is left to wait for."""
    shown = []
    while (due := pacing.due) is not None:
        pacing.advance(due)
        assert pacing.view
        shown.append(pacing.view)
    return shown


def moment(view: TableView) -> tuple[int, int, int]:
    """Game, rounds that are over, and words of the present one."""
    return view.game_number, len(view.past), len(view.words) + len(view.calls)


def said(view: TableView | None) -> tuple[int, int, int]:
    """Game, round and number of words."""
    assert view
    return view.game_number, view.round_number, len(view.words) + len(view.calls)


# A count


def test_until_the_price_is_told_the_table_is_as_it_was_before_the_count() -> None:
    table, pacing = ending()
    before, truth = at("answering").clients[0].view, table.clients[0].view
    assert truth.own_fist_due and truth.seats != before.seats
    while pacing.is_running:
        view = pacing.view
        assert view and view.phase is Phase.OPENING and not view.own_fist_due
        assert [seat.coins for seat in view.seats] == [seat.coins for seat in before.seats]
        assert (view.round_number, view.most, view.past) == (1, before.most, ())
        assert not any(seat.speaks or seat.hand is not None for seat in view.seats)
        pacing.advance(pacing.due or 0.0)
    assert pacing.view == truth


@pytest.mark.parametrize("word", [Ending.CALL, Ending.CLIFF, Ending.SPOOF])
def test_the_beats_are_the_same_whatever_the_end(word: Ending) -> None:
    _table, pacing = ending(word=word)
    told = []
    while pacing.is_running:
        assert pacing.reveal
        told.append((pacing.reveal.beat, pacing.reveal.opened, pacing.due))
        pacing.advance(pacing.due or 0.0)
    assert told == [
        (Beat.WORD, 0, 1.1),
        (Beat.FIST, 1, pytest.approx(2.15)),
        (Beat.HELD, 2, pytest.approx(3.17)),
        (Beat.LAST, 3, pytest.approx(4.19)),
        (Beat.STAMP, 3, pytest.approx(5.24)),
    ]


def test_the_verdict_stands_alone_until_a_key_of_whom_the_table_waits_for() -> None:
    table, pacing = ending()
    now = play(pacing)
    assert pacing.due is None and pacing.is_resting and pacing.reveal
    other = table.clients[1]
    table.act(other, other.guest.choose(1, table.entropy()))
    pacing.receive(table.clients[0].view, now + 60.0)
    pacing.advance(now + 60.0)
    assert pacing.is_resting and pacing.reveal, "what the others do takes nothing away"
    pacing.catch_up(now + 60.0)
    assert pacing.reveal is None, "whatever key it was"


def test_the_verdict_stands_for_three_seconds_for_anybody_else() -> None:
    table = at("answering")
    pacing = Pacing()
    for view in views_of(table, table.clients[0], Ending.CALL):
        pacing.receive(replace(view, own_fist_due=False), 0.0)
    now = play(pacing)
    assert pacing.due == now + 3.0
    pacing.advance(now + 2.9)
    assert pacing.is_resting
    pacing.advance(now + 3.0)
    assert not pacing.is_running and pacing.reveal, "the count is seen until a hand is in"
    assert pacing.due is None


def test_a_verdict_is_over_once_the_table_plays_on_without_its_reader() -> None:
    _table, pacing = ending()
    now = play(pacing)
    assert pacing.truth and pacing.is_resting
    pacing.receive(replace(pacing.truth, own_fist_due=False), now + 60.0)
    pacing.advance(now + 60.0)
    assert not pacing.is_resting


def test_the_end_of_a_game_stands_until_a_key() -> None:
    table, pacing = at("answering"), Pacing()
    for view in views_of(table, table.clients[0], Ending.CALL):
        is_over = bool(view.past)
        over = replace(view, phase=Phase.GATHERING, winner=0, own_fist_due=False)
        pacing.receive(over if is_over else view, 0.0)
    now = play(pacing)
    pacing.advance(now + 60.0)
    assert pacing.due is None and pacing.is_resting
    pacing.catch_up(now + 60.0)
    assert pacing.reveal is None and not pacing.has_just_turned(now + 60.0)


def test_a_key_within_a_second_of_a_verdict_that_made_way_without_one_is_meant_for_it() -> None:
    _table, pacing, now = paid()
    assert pacing.truth and not pacing.has_just_turned(now)
    pacing.receive(replace(pacing.truth, own_fist_due=False), now + 60.0)
    pacing.advance(now + 60.0)
    assert pacing.has_just_turned(now + 60.9) and not pacing.has_just_turned(now + 61.0)


@pytest.mark.parametrize("is_early", [True, False])
def test_the_verdict_makes_way_for_a_hand_unless_that_was_hidden_before_it(is_early: bool) -> None:
    table, pacing = ending()
    client = table.clients[0]
    now = 0.0 if is_early else play(pacing)
    table.act(client, client.guest.choose(1, table.entropy()))
    pacing.receive(client.view, now)
    now = play(pacing) if is_early else now
    assert (pacing.reveal is not None) is is_early


def test_the_word_has_its_time_from_when_it_is_seen() -> None:
    table = at("answering")
    _speaking, counted = views_of(table, table.clients[0], Ending.CALL)
    witnessing = replace(_speaking, phase=Phase.WITNESSING, speaker=None)
    early, late = Pacing(), Pacing()
    for pacing, at_last in ((early, 1.5), (late, 60.0)):
        for view, now in ((_speaking, 0.0), (witnessing, 1.0), (counted, at_last)):
            pacing.receive(view, now)
    assert early.due == 1.0 + beats.WORD
    assert late.reveal and late.reveal.opened == 1


def test_hands_that_are_open_before_all_are_stay_shut() -> None:
    view = at("answering").clients[0].view
    seats = tuple(replace(seat, fist=FistState.OPEN, hand=1) for seat in view.seats[:2])
    partial = replace(view, phase=Phase.OPENING, seats=(*seats, *view.seats[2:]))
    pacing = Pacing()
    pacing.receive(view, 0.0)
    pacing.receive(partial, 0.1)
    assert pacing.view
    assert {(seat.fist, seat.hand) for seat in pacing.view.seats} == {(FistState.IN, None)}


def test_a_round_that_was_void_without_a_count_is_just_gone() -> None:
    table = at("answering")
    pacing = Pacing()
    pacing.receive(table.clients[0].view, 0.0)
    table.decide(Measure.REMOVE, table.clients[1].guest.key)
    pacing.receive(table.clients[0].view, 0.1)
    assert pacing.view == table.clients[0].view and pacing.reveal is None


# What comes meanwhile


def next_words(table: MemoryTable, pacing: Pacing, now: float) -> list[TableView]:
    """The fists of the next round, and its first four bids, all at once."""
    seen = []
    for client in [client for client in table.clients if client.view.own_fist_due]:
        table.act(client, client.guest.choose(1, table.entropy()))
        seen.append(table.clients[0].view)
    for number in range(1, 5):
        table.say(Bid(number))
        seen.append(table.clients[0].view)
    for view in seen:
        pacing.receive(view, now)
    return seen


def test_the_first_word_of_the_next_round_comes_three_seconds_after_the_price() -> None:
    table, pacing, now = paid()
    seen = next_words(table, pacing, now)
    assert said(pacing.view) == (1, 2, 0)
    assert pacing.due == now + beats.REST
    words, times = [], []
    for _ in range(4):
        due = pacing.due or 0.0
        pacing.advance(due)
        words.append(said(pacing.view))
        times.append(due - now - beats.REST)
    assert words == [(1, 2, number) for number in range(1, 5)]
    assert times == pytest.approx([0.0, 0.25, 0.5, 0.75])
    assert pacing.view == seen[-1]


def test_a_word_that_comes_when_nothing_waits_is_shown_at_once() -> None:
    table = at("speaking")
    pacing = Pacing()
    for index, view in enumerate(views_of(table, table.clients[0], Bid(1), Bid(2), Bid(3))):
        pacing.receive(view, index / 100)
        assert pacing.view == view


# Far behind


def later(view: TableView, seconds: float) -> TableView:
    return replace(view, time=view.time + round(seconds * 1000))


def test_who_is_far_behind_sees_the_present() -> None:
    table, pacing = ending()
    view = replace(table.clients[0].view, paused=True)
    pacing.receive(later(view, FAR_BEHIND + 1), FAR_BEHIND + 1)
    assert not pacing.is_running and pacing.view and pacing.view.paused
    assert pacing.reveal and pacing.reveal.is_paid


def test_a_player_who_skips_sees_the_present_for_the_rest_of_the_game() -> None:
    table, pacing = ending()
    assert pacing.is_running
    pacing.hurry()
    assert not pacing.is_behind and pacing.is_hurried
    table.choose(0, 0, 0)
    table.say(Bid(1), Ending.CALL)
    pacing.receive(table.clients[0].view, 1.0)
    assert not pacing.is_behind and pacing.view == table.clients[0].view


def test_a_screen_that_stood_still_goes_on_with_the_present() -> None:
    _table, pacing = ending()
    pacing.advance((pacing.due or 0.0) + STOOD_STILL + 1)
    assert not pacing.is_behind


def test_rounds_that_nobody_saw_end_are_not_told() -> None:
    table = at("answering")
    pacing = Pacing()
    pacing.receive(table.clients[0].view, 0.0)
    table.say(Ending.CALL)
    table.choose(1, 1, 1)
    table.say(Bid(1), Ending.CALL)
    pacing.receive(table.clients[0].view, 1.0)
    assert not pacing.is_running and pacing.view == table.clients[0].view


# Everything in its order


class Watched(MemoryTable):
    """A table whose every move is seen by its first player."""

    def __init__(self, rules: str) -> None:
        self.seen: list[TableView] = []
        super().__init__(3, rules, seed=5, start_when=3)

    def act(self, client: GuestSide, effects: Iterable[GuestEffect]) -> None:
        super().act(client, effects)
        self.seen.append(self.clients[0].view)


@cache
def whole_game(rules: str) -> tuple[TableView, ...]:
    """Every view of one player in a whole game."""
    table = Watched(rules)
    table.ready()
    table.play_on()
    # Only the order counts here: nobody is far behind.
    return tuple(replace(view, time=0) for view in table.seen)


@given(
    rules=st.sampled_from(["milan", "three-coins", "hollywood"]),
    gaps=st.lists(st.floats(0.0, 0.1), min_size=1, max_size=20),
    skips=st.sets(st.integers(0, 99)),
)
def test_every_word_is_shown_in_its_order_and_the_end_is_the_present(
    rules: str, gaps: list[float], skips: set[int]
) -> None:
    game, pacing, now = whole_game(rules), Pacing(), 0.0
    shown: list[TableView] = []
    for index, view in enumerate(game):
        now += gaps[index % len(gaps)]
        pacing.advance(now)
        shown += [pacing.view] if pacing.view else []
        pacing.receive(view, now)
        if index in skips:
            pacing.skip(now)
        shown += [pacing.view] if pacing.view else []
    shown += drained(pacing)
    moments = [moment(view) for view in shown]
    assert moments == sorted(moments) and shown[-1] == game[-1]
    assert {each for each in map(moment, game) if each[2]} <= set(moments)


# Once more


def test_an_earlier_round_is_told_again_word_by_word_and_with_nothing_of_the_present() -> None:
    table = at("over")
    pacing, now = Pacing(), 0.0
    pacing.receive(table.clients[0].view, now)
    table.ready(table.clients[1])
    pacing.receive(table.clients[0].view, now)
    before = pacing.view
    assert before and before.winner is not None and any(seat.ready for seat in before.seats)
    assert pacing.repeat(1, now)
    heard = []
    while pacing.is_running:
        view = pacing.view
        assert view and view.winner is None and not any(seat.ready for seat in view.seats)
        heard.append((len(view.words), view.standing and view.standing[1], pacing.reveal))
        now = pacing.due or now
        pacing.advance(now)
    assert [told[:2] for told in heard if told[2] is None] == [(0, None), (1, 2), (2, 3)]
    assert pacing.is_again and pacing.due is None, "until a key is pressed"
    assert pacing.reveal and pacing.view and pacing.view.winner is None
    pacing.catch_up(now)
    assert pacing.view == before and not pacing.is_again


def test_what_happens_while_a_count_is_told_again_is_told_after_it() -> None:
    table, pacing, now = paid()
    client = table.clients[0]
    pacing.repeat(1, now)
    table.choose(1, 1, 1)
    pacing.receive(client.view, now)
    table.say(Bid(2))
    pacing.receive(client.view, now)
    assert pacing.is_running and pacing.view and not pacing.view.past
    drained(pacing)
    assert pacing.view == client.view
