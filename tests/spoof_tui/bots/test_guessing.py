"""Bots in the guessing game: legal, better by level, and never to be read for certain."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import GuessingRules
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.bots.arena import play_game, view_of_round
from spoof_tui.bots.beliefs import rest_of
from spoof_tui.bots.guessing import Caller, read_calls
from spoof_tui.bots.levels import Level
from spoof_tui.bots.odds import even, tilted_exactly
from spoof_tui.bots.player import BotMind
from spoof_tui.runtime.bot_players import BotPlayers
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.bots.schools import bills, guessing
from tests.spoof_tui.runtime.local_table import local_table, until

SCHOOLS = 300

levels = st.sampled_from(Level)
options = st.sampled_from(["", " impossible=refuse", " impossible=allow", " first_caller=toss"])


def mind(seed: int = 1, level: Level = Level.HARD) -> BotMind:
    return BotMind(level, random.Random(seed))


def called(view: TableView, hand: int, level: Level = Level.HARD, times: int = 400) -> Counter[int]:
    """How often each number is called."""
    bot = mind(level=level)
    words = [bot.choose_word(view, hand) for _ in range(times)]
    assert all(direction is None for _, direction in words)
    return Counter(word.number for word, _ in words if isinstance(word, Bid))


@given(st.integers(0, 2**32), st.integers(2, 9), levels, options)
def test_a_school_of_bots_is_legal_and_ends_with_a_payer(
    seed: int, players: int, level: Level, option: str
) -> None:
    rules = GuessingRules.parse("hollywood" + option)
    minds = [mind(seed + seat, level) for seat in range(players)]
    school = play_game(minds, rules, opener=seed % players)
    assert school.last_in is not None
    assert sorted([*school.gone, school.last_in]) == list(range(players))


@given(st.integers(0, 2**32), st.integers(2, 9), levels)
def test_a_bot_is_never_fined(seed: int, players: int, level: Level) -> None:
    minds = [mind(seed + seat, level) for seat in range(players)]
    school = play_game(minds, GuessingRules.parse("hollywood"), opener=0)
    assert not any(played.outcome.fined for played in school.rounds)


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("hand", range(4))
def test_a_taken_or_impossible_number_is_not_called(level: Level, hand: int) -> None:
    view = view_of_round(guessing(4, 5, 6), 2)
    assert set(called(view, hand, level)) <= set(range(hand, hand + 10)) - {5, 6}


def test_an_impossible_number_is_a_rare_bluff_where_it_costs_nothing() -> None:
    view = view_of_round(guessing(2, rules="hollywood impossible=allow"), 0)
    said = called(view, 3, Level.MEDIUM, times=2000)
    assert 0 < sum(said[number] for number in range(3)) < 200
    fined = view_of_round(guessing(2), 0)
    assert not any(called(fined, 3, Level.MEDIUM, times=2000)[number] for number in range(3))


@pytest.mark.parametrize("level", Level)
def test_no_hand_has_one_call_only_and_no_likely_call_one_hand_only(level: Level) -> None:
    view = view_of_round(guessing(4), 0)
    calls = {hand: called(view, hand, level) for hand in range(4)}
    assert all(len(numbers) >= 2 for numbers in calls.values())
    everything = sum(calls.values(), Counter())
    for number, times in everything.items():
        if times > sum(everything.values()) / 20:
            assert sum(number in numbers for numbers in calls.values()) >= 2


def test_a_call_makes_the_hands_likelier_that_it_fits() -> None:
    hard, easy = Level.HARD.traits, Level.EASY.traits
    high = read_calls(view_of_round(guessing(3, 8), 1), hard)[0]
    assert high[3] > high[2] > high[1] == high[0] > 0.0
    assert read_calls(view_of_round(guessing(3, 8), 1), easy)[0] == pytest.approx(even(3))


def test_an_attempt_at_a_taken_number_tells_as_much_as_a_call() -> None:
    tried = read_calls(view_of_round(guessing(3, 8, 8), 1), Level.HARD.traits)
    assert tried[1] == pytest.approx(tried[0])


def test_a_call_that_fits_no_hand_changes_nothing() -> None:
    assert tilted_exactly(even(3), 20, rest_of((3, 3), 0), 1.0) == even(3)


def test_only_a_caller_with_others_to_come_gives_something_away() -> None:
    first = Caller.of(view_of_round(guessing(2), 0), Level.HARD.traits, 0)
    # With a full fist 3 could be any hand, and 6 only this one.
    open_secret, secret = first.worths([6, 3], 3)
    assert secret > open_secret
    last = Caller.of(view_of_round(guessing(2, 3), 1), Level.HARD.traits, 1)
    assert last.worths([4], 1)[0] == pytest.approx(last.chances(1)[4])


def test_who_has_left_is_not_counted() -> None:
    caller = Caller.of(view_of_round(guessing(4, gone=[1, 3]), 0), Level.HARD.traits, 0)
    assert caller.school == (0, 2)
    assert caller.sensible(1) == [1, 2, 3, 4]


@pytest.mark.parametrize("level", Level)
def test_every_hand_is_chosen_sometimes(level: Level) -> None:
    view, bot = view_of_round(guessing(3), 0, speaking=False), mind(level=level)
    assert {bot.choose_hand(view) for _ in range(200)} == {0, 1, 2, 3}


@pytest.mark.parametrize("level", Level)
def test_another_players_hidden_hand_changes_nothing_that_a_bot_does(level: Level) -> None:
    behaviours = []
    for hidden in range(4):
        table = MemoryTable(3, "hollywood")
        table.ready()
        first = table.clients[0].view.starter
        table.choose(*(1 if seat == first else hidden for seat in range(3)))
        view, bot = table.speaker().view, mind(level=level)
        behaviours.append([(bot.choose_word(view, 1), bot.think_seconds(view)) for _ in range(30)])
    assert all(behaviour == behaviours[0] for behaviour in behaviours)


def test_nothing_aloud_but_the_call_depends_on_the_hand() -> None:
    view, seen = view_of_round(guessing(3, 4), 1), []
    for hand in range(4):
        bot, aloud = mind(), []
        for _ in range(50):
            bot.choose_word(view, hand)
            aloud.append((bot.choose_gesture(view, hand), bot.think_seconds(view)))
        seen.append([*aloud, bot.choose_drink()])
    assert all(aloud == seen[0] for aloud in seen)


def test_the_stronger_pay_less_often() -> None:
    paid = bills(list(Level), SCHOOLS)
    assert paid[Level.EASY] > paid[Level.MEDIUM] > paid[Level.HARD]
    assert paid[Level.EASY] > 1.3 * paid[Level.HARD]


async def test_bots_at_a_table_finish_a_school_order_and_go_on() -> None:
    async with local_table("hollywood", start_when=4) as table:
        bots = BotPlayers(table.server.connect, pace=0.0)
        bots.add(4, Level.MEDIUM)
        watcher = table.seat(None)
        await until(lambda: len(table.server.host.table.slate.orders) > 1, within=20.0)
        await bots.close()
        slate = table.server.host.table.slate
        assert slate.paid
        # Every school that is over was ordered for, by who left first.
        assert [number for number, _, _ in slate.orders][:2] == [1, 2]
        assert not slate.fines
        assert watcher.view.is_guessing


@pytest.mark.parametrize("players", [2, 9])
def test_bots_finish_a_school_over_memory_links(players: int) -> None:
    table = MemoryTable(players, "hollywood", start_when=players)
    table.ready()
    minds = {id(client): mind(seat) for seat, client in enumerate(table.clients)}
    hands = {}
    while table.host.table.phase is not Phase.GATHERING:
        for client in [each for each in table.clients if each.view.own_fist_due]:
            hands[id(client)] = minds[id(client)].choose_hand(client.view)
            table.act(client, client.guest.choose(hands[id(client)], table.entropy()))
        client = table.speaker()
        word, _ = minds[id(client)].choose_word(client.view, hands[id(client)])
        table.act(client, client.guest.speak(word))
    assert table.clients[0].view.winner is not None
    assert len(table.host.table.slate.paid) == 1
    assert not any(client.events for client in table.clients)
