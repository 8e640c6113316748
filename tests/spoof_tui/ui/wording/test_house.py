"""What the house says: the same on every screen, never twice running, and never over the count."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count, pairwise

import pytest

from protocol.rules.house import Pronounced, Pronouncement
from protocol.rules.words import Bid, Ending
from protocol.table.state import Phase
from protocol.viewer import view_of
from protocol.views import TableView
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.ui.wording.house import OF_COUNT, of_count, pronounced, wordings
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Story
from tests.spoof_tui.ui.table.scenes import (
    at,
    catch_up,
    draw_side,
    drawn,
    lines,
    pay,
    said,
    seen,
    step,
    text,
)

SIZES = ((80, 24), (60, 20), (40, 12))


def evening(rules: str, games: int) -> list[tuple[Pronouncement, str]]:
    """What is said in an evening of five, in order."""
    story, told, last, seed = Story(5, rules), [], -1, count()
    for _game in range(games):
        story.start(0, 1, 2, 3, 4)
        while story.table.phase is not Phase.GATHERING:
            story.play_on(next(seed), steps=20)
            view = view_of(story.table, story.table.host)
            new = [each for each in view.pronounced if each.position > last]
            told += [(each.what, pronounced(view, each)) for each in new]
            last = max([last, *(each.position for each in new)])
    return told


# Wordings


@pytest.mark.parametrize("what", Pronouncement)
@pytest.mark.parametrize("is_guessing", [False, True])
def test_everything_has_several_wordings(what: Pronouncement, is_guessing: bool) -> None:
    ways = wordings(what, is_guessing=is_guessing)
    assert len(set(ways)) == len(ways) >= 6
    about = {"{name}" in way for way in ways}
    assert about == {what is not Pronouncement.HANDS_OUT}


@pytest.mark.parametrize("what", Pronouncement)
def test_no_wording_comes_again_before_all_others_were_said(what: Pronouncement) -> None:
    view = at("speaking").clients[0].view
    ways = wordings(what, is_guessing=False)
    told = [pronounced(view, Pronounced(what, view.host, number, 1)) for number in range(12)]
    for first in range(12 - len(ways)):
        assert len(set(told[first : first + len(ways)])) == len(ways)


def test_two_tables_begin_with_different_words() -> None:
    view = at("speaking").clients[0].view
    hands = Pronounced(Pronouncement.HANDS_OUT, None, 0, 1)
    first = {pronounced(replace(view, table_id=bytes([n]) * 32), hands) for n in range(8)}
    assert len(first) == 8


def test_every_screen_says_the_same() -> None:
    table = at("over")
    told = [
        [pronounced(client.view, each) for each in client.view.pronounced]
        for client in table.clients
    ]
    assert told[0] == told[1] == told[2] and told[0]


@pytest.mark.parametrize("rules", ["milan cap=5 zero=first-action", "milan stake=drinks"])
def test_in_an_evening_of_five_no_announcement_has_the_same_words_twice_running(
    rules: str,
) -> None:
    told = evening(rules, 12)
    for what in Pronouncement:
        of_kind = [words for kind, words in told if kind is what]
        assert all(one != other for one, other in pairwise(of_kind))
    assert all(one != other for one, other in pairwise(words for _kind, words in told))
    counts = Counter(words for _kind, words in told)
    assert len(told) > 12 * 4 and max(counts.values()) <= len(told) / 8


def test_in_an_evening_of_schools_no_announcement_has_the_same_words_twice_running() -> None:
    told = evening("hollywood first_caller=toss", 3)
    for what in {kind for kind, _words in told}:
        of_kind = [words for kind, words in told if kind is what]
        assert all(one != other for one, other in pairwise(of_kind))


# Where it stands


def hoovered() -> tuple[MemoryTable, Scene]:
    """A big bid is called with hardly a coin out; the count has begun."""
    table = at("choosing")
    table.choose(1, 0, 0)
    table.say(Bid(6))
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    return table, scene


def what_is_said(view: TableView | None) -> set[Pronouncement]:
    return {each.what for each in view.pronounced} if view else set()


def test_the_hoover_is_announced_when_the_count_is_paid_and_no_sooner() -> None:
    _table, scene = hoovered()
    while scene.presentation.is_running:
        assert Pronouncement.HOOVER not in what_is_said(scene.view)
        assert "oover" not in text(drawn(scene)["side"]) + text(drawn(scene)["panel"])
        step(scene)
    assert Pronouncement.HOOVER in what_is_said(scene.view)
    assert scene.view and of_count(scene.view)[0] in said(scene)


@pytest.mark.parametrize("size", SIZES)
def test_the_house_hides_no_word_and_no_coin(size: tuple[int, int]) -> None:
    _table, scene = hoovered()
    pay(scene)
    assert scene.view
    loud = drawn(scene, *size)
    scene.view = replace(scene.view, pronounced=())
    quiet = drawn(scene, *size)
    assert text(loud["ring"]) == text(quiet["ring"]) and text(loud["bar"]) == text(quiet["bar"])
    told, silent = text(loud["panel"]).splitlines(), text(quiet["panel"]).splitlines()
    kept = [line for line in silent if line.strip()]
    assert [line for line in told if line in kept] == kept


def test_a_reveal_has_nothing_of_the_house_in_the_middle() -> None:
    _table, scene = hoovered()
    ring = text(drawn(scene)["ring"])
    scene.view = replace(scene.view, pronounced=()) if scene.view else None
    assert text(drawn(scene)["ring"]) == ring


def test_the_hands_are_announced_among_the_talk() -> None:
    scene = seen(at("speaking").clients[0])
    assert scene.view
    words = pronounced(scene.view, scene.view.pronounced[-1])
    assert words in wordings(Pronouncement.HANDS_OUT, is_guessing=False)
    assert words in said(scene, "side")


def test_the_house_pushes_little_talk_away() -> None:
    scene = seen(at("over").clients[0], Scene(page=Page.TALK))
    catch_up(scene)
    assert scene.view and len(scene.view.pronounced) > 2
    assert len([each for each in scene.view.pronounced
                if pronounced(scene.view, each) in said(scene, "side")]) == 2  # fmt: skip


@pytest.mark.parametrize("height", range(12, 40))
def test_beside_the_table_the_house_is_told_whole_or_not_at_all(height: int) -> None:
    scene = seen(at("over").clients[0])
    catch_up(scene)
    rows = text(draw_side(scene, 20, height)).splitlines()
    talk = " ".join(" ".join(rows[rows.index(f"{'TALK':20}") + 1 :]).split())
    assert scene.view
    for each in scene.view.pronounced[-2:]:
        talk = talk.replace(pronounced(scene.view, each), "")
    assert not talk.strip()


def test_on_a_narrow_screen_the_house_is_heard_in_the_panel() -> None:
    _table, scene = hoovered()
    pay(scene)
    whole = " ".join(text(lines(table_parts(scene, 60, 20), 60, 20)).split())
    assert scene.view and of_count(scene.view)[0] in whole


def test_only_a_count_is_told_in_the_panel() -> None:
    assert Pronouncement.HANDS_OUT not in OF_COUNT
    assert of_count(at("speaking").clients[0].view) == ()
