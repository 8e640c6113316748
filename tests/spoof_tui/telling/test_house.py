"""The house's words: the same on every screen, never twice running, and never over the count."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count, pairwise

import pytest

from protocol.rules.house import Pronounced, Pronouncement
from protocol.rules.words import Bid, Ending
from protocol.table.state import Phase
from protocol.views import view_of
from spoof_tui.telling.pronouncements import pronounced, wordings
from spoof_tui.ui.table.scene import Page, Scene
from tests.protocol.stories import Story
from tests.spoof_tui.ui.table.scenes import (
    at,
    catch_up,
    draw_side,
    drawn,
    pay,
    said,
    seen,
    text,
)


def evening(rules: str, games: int) -> list[tuple[Pronouncement, str]]:
    """The house's words in an evening of five, in order."""
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
def test_no_wording_comes_again_before_all_others_were_said(what: Pronouncement) -> None:
    for is_guessing in (False, True):
        ways = wordings(what, is_guessing=is_guessing)
        assert len(set(ways)) == len(ways) >= 6
        assert {"{name}" in way for way in ways} == {what is not Pronouncement.HANDS_OUT}
    view, ways = at("speaking").clients[0].view, wordings(what, is_guessing=False)
    told = [pronounced(view, Pronounced(what, view.host, number, 1)) for number in range(12)]
    for first in range(12 - len(ways)):
        assert len(set(told[first : first + len(ways)])) == len(ways)


def test_two_tables_begin_with_different_words_and_every_screen_says_the_same() -> None:
    views = [client.view for client in at("over").clients]
    told = {tuple(pronounced(view, each) for each in view.pronounced) for view in views}
    assert len(told) == 1 and told != {()}
    hands = Pronounced(Pronouncement.HANDS_OUT, None, 0, 1)
    tables = [replace(views[0], table_id=bytes([n]) * 32) for n in range(8)]
    assert len({pronounced(view, hands) for view in tables}) == 8


@pytest.mark.parametrize(
    ("rules", "games"), [("milan cap=5 stake=drinks", 9), ("hollywood first_caller=toss", 3)]
)
def test_in_an_evening_of_five_no_announcement_has_the_same_words_twice_running(
    rules: str, games: int
) -> None:
    told = evening(rules, games)
    for what in Pronouncement:
        of_kind = [words for kind, words in told if kind is what]
        assert all(one != other for one, other in pairwise(of_kind))
    counts = Counter(words for _kind, words in told)
    assert told and max(counts.values()) <= max(len(told) / 8, 3)


# Where it stands


def hoovered() -> Scene:
    """A big bid is called with hardly a coin out; the count has begun."""
    table = at("choosing")
    table.choose(1, 0, 0)
    table.say(Bid(6))
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    return scene


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
def test_the_house_hides_no_word_and_no_coin(size: tuple[int, int]) -> None:
    scene = hoovered()
    pay(scene)
    assert scene.view
    loud = drawn(scene, *size)
    scene.view = replace(scene.view, pronounced=())
    quiet = drawn(scene, *size)
    assert text(loud["ring"]) == text(quiet["ring"]) and text(loud["bar"]) == text(quiet["bar"])
    told, silent = text(loud["panel"]).splitlines(), text(quiet["panel"]).splitlines()
    kept = [line for line in silent if line.strip()]
    assert kept and [line for line in told if line in kept] == kept


def test_beside_the_table_the_house_is_told_whole_or_not_at_all_and_twice_at_most() -> None:
    scene = seen(at("over").clients[0])
    catch_up(scene)
    assert scene.view and len(scene.view.pronounced) > 2
    told = [pronounced(scene.view, each) for each in scene.view.pronounced]
    for height in range(12, 40):
        rows = text(draw_side(scene, 20, height)).splitlines()
        talk = " ".join(" ".join(rows[rows.index(f"{'TALK':20}") + 1 :]).split())
        for words in told[-2:]:
            talk = talk.replace(words, "")
        assert not talk.strip()
    scene.page = Page.TALK
    assert sum(words in said(scene, "side") for words in told) == 2
