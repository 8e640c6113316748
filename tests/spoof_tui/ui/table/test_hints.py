"""Hints for newcomers: when each is given, until when, and what the table keeps back before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.rules.words import Bid, Ending
from protocol.table.statements import Gesticulate, Gesture
from spoof_tui.acts.key_lists import table_keys
from spoof_tui.storage.archive import count_games
from spoof_tui.ui.table.dialogs.dialogs import coach_page
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.panel.hints import due, follow, hint_words, is_newcomer
from spoof_tui.ui.table.panel.turn import table_rows
from spoof_tui.ui.table.scene import RARE, Hint, Scene
from tests.helpers.histories import fill
from tests.helpers.moments import finished, sheet
from tests.helpers.sides import GuestSide
from tests.helpers.states import scenes
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    at,
    catch_up,
    draw_table,
    drawn,
    lines,
    pay,
    said,
    seen,
    step,
    text,
)

ALL = frozenset(each.value for each in Hint)


def looked(scene: Scene, client: GuestSide) -> Scene:
    """The scene after a look, its reveal over."""
    scene.look(client.view)
    pay(scene)
    follow(scene)
    return scene


def but(hint: Hint) -> frozenset[str]:
    return ALL - {hint.value}


def begun(players: int = 3, rules: str = "milan") -> tuple[MemoryTable, GuestSide, Scene]:
    """A first round before the fists are in, in front of its opener."""
    table = at("choosing", players, rules)
    client = table.clients[table.clients[0].view.starter or 0]
    return table, client, looked(seen(client), client)


def test_what_is_on_its_way_is_explained_no_more() -> None:
    _table, _client, sent = begun()
    assert sent.view and hint_words(Hint.HIDE) in said(sent)
    sent.view = replace(sent.view, own_fist_due=False)
    assert follow(sent) and sent.seen == {"hide"}


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20), (45, 20)])
def test_the_first_hand_is_asked_for_with_the_goal_of_the_game(
    size: tuple[int, int], language: str
) -> None:
    _table, _client, scene = begun(players=4)
    assert scene.hint is Hint.HIDE
    told = text(lines(table_parts(scene, *size), *size))
    goal = hint_words(Hint.HIDE).rpartition("; ")[2]
    assert goal in " ".join(told.split()), told


@pytest.mark.parametrize(("rules", "is_told"), [("three-coins", True), ("milan", False)])
def test_a_newcomer_is_told_once_why_somebody_opens_where_the_last_word_decides(
    rules: str, is_told: bool
) -> None:
    table, client, scene = begun(rules=rules)
    scene.is_new, scene.seen = True, but(Hint.OPENER)
    for hinted in (is_told, False):
        table.choose(1, 1, 1)
        looked(scene, client)
        table.say(Bid(1), Bid(2), Ending.CALL)
        catch_up(looked(scene, client))
        asked = looked(scene, client)
        assert (asked.hint is Hint.OPENER) == hinted
        assert (hint_words(Hint.OPENER) in said(asked, "panel")) == hinted


def endings(words: Iterable[str]) -> set[str]:
    return {*words} & {each.value for each in Ending}


def test_a_newcomer_is_offered_a_rare_word_when_it_can_help_and_told_what_it_claims() -> None:
    table = MemoryTable(2, "three-coins", seed=3)
    table.ready()
    opener = table.clients[0].view.starter or 0
    scenes = [Scene(is_new=True) for _client in table.clients]
    told: list[str] = []

    def look() -> None:
        for scene, client in zip(scenes, table.clients, strict=True):
            looked(scene, client)
            catch_up(scene)
            follow(scene)
            if scene.view and scene.view.my_turn:
                words = [row.word.value for row in table_rows(scene, scene.view) if row.word]
                assert endings(each.words for each in table_keys(scene)) == {*words}
                assert endings(coach_page(scene, 0, 60).plain.split()) == {*words}
                hint = scene.hint.value if scene.hint else ""
                told.append(" ".join([*words, hint and f"({hint})"]).strip())

    for is_high in (False, False, True, True, True):
        table.choose(*[0 if seat == opener else 1 for seat in range(2)])
        look()
        table.say(Bid(table.clients[0].view.most if is_high else 1))
        look()
        table.say(Ending.CALL)
        look()
    assert told == [
        "(open)", "call", "(open)", "call", "zero (zero)", "call cliff (cliff)", "zero (zero)",
        "call cliff zero (cliff)", "zero", "call cliff spoof zero (spoof)",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (45, 20)])
@pytest.mark.parametrize(
    ("word", "price"), [(Ending.CLIFF, Hint.STAKE), (Ending.SPOOF, None), (Ending.ZERO, None)]
)
def test_a_rare_word_that_another_says_is_explained_with_its_price_and_offered_from_then_on(
    word: Ending, price: Hint | None, size: tuple[int, int], language: str
) -> None:
    table, client, scene = begun(players=2, rules="three-coins")
    scene.seen, scene.is_new = but(RARE[word]) - {Hint.STAKE.value}, True
    assert not scene.offers(word)
    table.choose(0, 1)
    table.say(Bid(1), word)
    scene.look(client.view)
    follow(scene)
    hints = []
    while scene.pacing.is_running:
        hints.append(scene.hint)
        # The verdict is told alone first where there is no room for more.
        told = [hint_words(each, 3) for each in hints[-1:] if each and not scene.is_judged]
        assert all(each in shown_words(scene, *size) for each in told)
        step(scene)
        follow(scene)
    last = scene.hint
    assert last is not None and hint_words(last, 3) in shown_words(scene, *size)
    assert {*hints, last} == {RARE[word], price or RARE[word]} and hints[0] is RARE[word]
    table.choose(1, 1)
    assert looked(scene, client).offers(word)


@pytest.mark.parametrize("hint", [*RARE.values(), Hint.APART])
def test_a_new_word_is_told_beside_the_words_that_may_be_said_on_a_small_screen(
    hint: Hint, language: str
) -> None:
    scene = replace(scenes()["my-turn"], is_new=True, seen=but(hint), hint=hint)
    told = shown_words(scene, 45, 20)
    assert hint_words(hint) in told
    assert all(f" {key} " in told for key in ("Enter", "c", "l", "s"))


def shown_words(scene: Scene, width: int, height: int) -> str:
    """All words on the table screen, one space apart."""
    return " ".join(text(lines(table_parts(scene, width, height), width, height)).split())


def test_where_there_is_little_room_a_hint_takes_that_of_the_sum_and_not_of_the_facts() -> None:
    table, client, scene = begun(players=4)
    scene.seen = but(Hint.VERDICT)
    table.choose(0, 1, 0, 1)
    table.say(*map(Bid, range(1, 5)), Ending.CALL)
    told = shown_words(looked(scene, client), 45, 20)
    assert scene.hint is Hint.VERDICT and hint_words(Hint.VERDICT) in told
    assert "The fists held 2, and Player" in told


def test_a_call_is_told_from_a_zero_the_first_time_that_both_are_offered() -> None:
    table, opener, _scene = begun(rules="three-coins")
    client = table.clients[((opener.view.me or 0) + 1) % 3]
    scene = looked(seen(client), client)
    scene.seen, scene.is_new = but(Hint.APART), True
    table.choose(0, 1, 1)
    table.say(Bid(1))
    assert looked(scene, client).hint is Hint.APART
    table.say(Bid(2))
    assert looked(scene, client).hint is None and Hint.APART.value in scene.seen


def test_newcomers_are_not_told_that_their_fist_is_sealed() -> None:
    table, client, scene = begun()
    table.choose(0, 1, 1)
    for is_new in (True, False):
        scene.is_new = is_new
        assert looked(scene, client).is_sealed is not is_new


def test_what_a_cliff_cannot_win_is_said_as_far_as_there_is_room() -> None:
    scene = scenes()["at-the-cap"]
    prices = {
        120: "nothing to win: you already have 3",
        80: "you keep 3",
        45: "exactly 5 +0",
    }
    for width, price in prices.items():
        assert price in said(scene, "panel", width, 40)
    scene.is_new, scene.seen = True, ALL - {each.value for each in (Hint.SPOOF, Hint.ZERO)}
    assert "exactly 5: +0 or −1" in said(scene, "panel", 45, 40)


def test_the_row_of_signs_is_explained_to_a_newcomer_from_the_first_bid_to_the_verdict() -> None:
    table, client, scene = begun()
    scene.seen, scene.is_new = but(Hint.TRACK), True
    table.choose(0, 1, 1)
    assert looked(scene, client).hint is None, "nothing is on it"
    table.say(Bid(1))
    assert looked(scene, client).hint is Hint.TRACK
    table.say(Ending.CALL)
    scene.look(client.view)
    follow(scene)
    assert scene.hint is Hint.TRACK
    assert looked(scene, client).hint is None and Hint.TRACK.value in scene.seen


def test_the_verdict_is_explained_once_it_is_known_and_until_the_next_fist() -> None:
    table, client, scene = begun(players=2)
    table.choose(0, 1)
    table.say(Bid(1), Bid(4))
    scene.look(client.view)
    scene.seen = but(Hint.VERDICT)
    table.say(Ending.CALL)
    scene.look(client.view)
    follow(scene)
    assert scene.hint is None, "the fists are not open yet"
    assert looked(scene, client).hint is Hint.VERDICT
    table.choose(1, 1)
    assert looked(scene, client).hint is None and scene.seen == ALL


@pytest.mark.parametrize("has_rim", [True, False])
def test_a_notch_is_explained_where_a_newcomer_sees_the_first_one_cut_after_the_first_verdict(
    *, has_rim: bool
) -> None:
    table, client, scene = begun()
    scene.is_new, scene.has_rim, scene.seen = True, has_rim, but(Hint.NOTCH) - {"verdict"}
    hinted = []
    for _round in range(3):
        table.choose(*[0 for each in table.clients if each.view.own_fist_due])
        looked(scene, client)
        table.say(Bid(1), Ending.CALL)
        catch_up(looked(scene, client))
        hinted.append(looked(scene, client).hint)
        assert (hint_words(Hint.NOTCH) in said(scene, "panel")) is (hinted[-1] is Hint.NOTCH)
    assert hinted == [Hint.VERDICT, Hint.NOTCH if has_rim else None, None]


def test_a_shout_is_explained_between_two_rounds() -> None:
    table, client, scene = begun()
    scene.seen = but(Hint.MITT)
    table.choose(0, 1, 1)
    table.say(Bid(1), Ending.CALL)
    assert looked(scene, client).hint is None
    other = next(each for each in table.clients if each is not client)
    table.act(other, other.guest.propose(Gesticulate(Gesture.MITT_FULL)))
    assert looked(scene, client).hint is Hint.MITT


@pytest.mark.parametrize("hint", [Hint.VERDICT, Hint.MITT, Hint.NOTCH, Hint.LOSS])
def test_nothing_is_told_of_a_round_once_the_next_hand_is_on_its_way(hint: Hint) -> None:
    table, client, scene = begun()
    scene.is_new, scene.has_rim, scene.seen = True, True, but(hint)
    table.choose(0, 1, 1)
    table.act(client, client.guest.propose(Gesticulate(Gesture.MITT_FULL)))
    table.say(Bid(4), Ending.CALL)
    catch_up(looked(scene, client))
    told = {
        is_due: due(replace(scene, view=replace(view, own_fist_due=is_due)))
        for view in [scene.view]
        if view is not None
        for is_due in (True, False)
    }
    assert told == {True: hint, False: None}


def test_in_the_first_two_games_pile_pot_and_house_are_kept_back_and_explained_after_them() -> None:
    table = at("speaking", 2)
    client = table.clients[0]
    scene = seen(client)
    scene.seen, scene.is_new = ALL - {"pot"}, True
    told, spared = [], []
    for _game in range(3):
        told.append(("pot 2" in text(draw_table(scene, 80, 15)), is_newcomer(scene.seen)))
        for go_on in (table.play_on, table.ready):
            go_on()
            scene.look(client.view)
            catch_up(scene)
            follow(scene)
            spared.append(scene.of_pub is None)
    assert told == [(False, True), (False, True), (True, False)]
    assert spared == [True, True, True, False, False, False], "at the end of a game, too"


def test_who_has_games_of_an_earlier_version_is_no_newcomer(state: Path) -> None:
    fill(state, 1)
    assert is_newcomer(frozenset(), count_games())
    fill(state, 1, 5)
    assert not is_newcomer(frozenset(), count_games())


def test_newcomers_are_told_who_won_and_nothing_of_the_pot() -> None:
    scene = Scene()
    scene.look(finished())

    def told() -> str:
        return " ".join("".join(row.letters) for row in sheet(scene, (80, 24)).rows)

    assert "the pot" in told() and "chip" in told()
    scene.is_new = True
    assert "first out and opens" in told() and not {"pot", "chip"} & {*told().split()}


def test_no_hint_and_no_tip_depends_on_a_hand() -> None:
    told: set[object] = set()
    for hand in range(4):
        table, client, scene = begun()
        table.choose(*[hand if each is client else 1 for each in table.clients])
        looked(scene, client)
        told.add((scene.hint, due(scene), scene.seen))
        slow = Scene(is_practice=True, is_slow=True, seen=ALL)
        slow.look(client.view)
        told.add(said(slow))
        assert "Tip: " in said(slow)
        slow.is_slow = False
        assert "Tip" not in said(slow)
    assert len(told) == 2


@pytest.mark.parametrize("hint", Hint)
def test_a_hint_never_cuts_what_is_said(hint: Hint) -> None:
    for moment in ("choosing", "speaking", "answering"):
        for client in at(moment).clients:
            scene = seen(client)
            told = {row for row in text(drawn(scene)["panel"]).splitlines() if row.strip()}
            scene.hint = hint
            assert len(told - set(text(drawn(scene)["panel"]).splitlines())) <= 1
