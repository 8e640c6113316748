"""The order of a count: no hand before its fist is open, no price before it is paid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Self, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound, round_of
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending, Word
from protocol.table.fold import Phase
from protocol.views import FistState
from spoof_tui.beats import Beat, steps
from spoof_tui.telling.explanations import why
from spoof_tui.telling.names import called, seat_names
from spoof_tui.telling.story import headline
from spoof_tui.telling.table_state import Told
from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.felt.guessing import call_look, struck
from spoof_tui.ui.table.felt.heap import Heap, heap_of
from spoof_tui.ui.table.felt.middle import middle
from spoof_tui.ui.table.felt.ring import Felt
from spoof_tui.ui.table.felt.seat import SeatPicture
from spoof_tui.ui.table.felt.seats import pictures
from spoof_tui.ui.table.felt.tone import Tone
from spoof_tui.ui.table.frame import frame as layout
from spoof_tui.ui.table.panel.game_over import game_over
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.ui.table.static_table import Instant, StaticSeats, still
from tests.helpers.moments import company, sheet
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import very_few
from tests.spoof_tui.ui.table.scenes import (
    at,
    catch_up,
    counted,
    draw_bar,
    open_next,
    pay,
    play_on_without,
    said,
    seen,
    shown,
    step,
    with_a_shut_fist,
)
from tests.spoof_tui.ui.table.schools import a_school, by_call, name, scene_of


def seats_of(scene: Scene) -> tuple[SeatPicture, ...]:
    assert scene.view
    return pictures(scene.view, scene.names, scene.showing, scene.peek)


def heap(scene: Scene) -> Heap:
    assert scene.view
    return heap_of(scene.view)


# A recording of a count


@dataclass(frozen=True)
class Frame:
    """One picture of a count."""

    beat: Beat
    opened: tuple[int, ...]
    """Seats whose fists are open."""
    due: float | None
    """When the next one comes."""
    strips: str
    """All of it, with its colours."""
    text: str

    @classmethod
    def of(cls, scene: Scene) -> Self:
        assert scene.reveal
        strips = [row.strip() for row in sheet(scene, (80, 24)).rows]
        text = " ".join(" ".join(strip.text for strip in strips).split())
        opened = scene.order[: scene.opened]
        return cls(scene.reveal.beat, opened, scene.pacing.due, repr(strips), text)


Hands: TypeAlias = tuple[int, ...]
HANDS = (1, 2, 0, 3)
SIZES = ((120, 40), (80, 24), (60, 20), (45, 20), (40, 12))


@cache
def recording(hands: tuple[int, ...], ending: Ending, viewer: int = 0) -> tuple[Frame, ...]:
    """Every frame of a count of four, as one of them sees it, up to its price."""
    table = MemoryTable(4, seed=3, start_when=4)
    table.ready()
    table.choose(*hands)
    table.say(*(() if ending is Ending.ZERO else (Bid(2), Bid(5))))
    scene = seen(table.clients[viewer])
    table.say(ending)
    seen(table.clients[viewer], scene)
    frames = [Frame.of(scene)]
    while not scene.is_counted:
        step(scene)
        frames.append(Frame.of(scene))
    return tuple(frames)


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("viewer", range(4))
def test_no_frame_tells_the_end_before_the_end(ending: Ending, viewer: int) -> None:
    *before, paid = recording(HANDS, ending, viewer)
    for frame in before:
        assert not any(each in frame.text for each in ("−1", "+1", "Hide 0", "round 2", "pile"))
        assert "round 1 · 12 coins in play" in frame.text and frame.text.count("●●●") >= 4
        told = [each for each in ("lose", "LOSE", "win", "= 6", "too high") if each in frame.text]
        assert bool(told) == (frame.beat is Beat.STAMP)
    assert "Round 1 is over" in paid.text and "Round 1 is over" not in before[-1].text


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("changed", range(4))
def test_a_hand_changes_no_frame_before_its_fist_is_open(ending: Ending, changed: int) -> None:
    other = tuple(3 - hand if seat == changed else hand for seat, hand in enumerate(HANDS))
    for viewer in (0, changed):
        pairs = [*zip(*(recording(each, ending, viewer) for each in (HANDS, other)), strict=True)]
        assert all((one.beat, one.due) == (two.beat, two.due) for one, two in pairs)
        assert all(one == two for one, two in pairs if changed not in one.opened)
        assert any(one != two for one, two in pairs if changed in one.opened)


@pytest.mark.parametrize("size", SIZES)
def test_the_bid_is_never_out_of_sight_while_it_is_counted(size: tuple[int, int]) -> None:
    scene = counted(players=4)
    while not scene.is_counted:
        rows = [row.strip().text for row in sheet(scene, size).rows]
        told = "\n".join(rows[: layout(*size).panel.y])
        flags = ("/2", "bid 2", "2 was good", "CALL! 2") if scene.opened else ("2", "█▀▀")
        assert any(flag in told for flag in flags)
        step(scene)


def test_until_they_are_counted_all_but_the_two_who_are_at_odds_wait_in_the_shadow() -> None:
    scene = counted(players=4)
    assert scene.last and isinstance(scene.last.words, BiddingRound) and scene.last.words.standing
    two = {scene.last.outcome.ender, scene.last.words.standing[0]}
    dim = {index for index, seat in enumerate(seats_of(scene)) if seat.in_shadow}
    assert len(two) == 2 and dim == {0, 1, 2, 3} - two
    while not scene.is_judged:
        dim = {index for index, seat in enumerate(seats_of(scene)) if seat.in_shadow}
        assert dim == set(scene.order[scene.opened :]) - two
        step(scene)
    assert not any(seat.in_shadow for seat in seats_of(scene))


def test_without_motion_nobody_waits_in_the_shadow() -> None:
    scene = counted(players=4)
    scene.pacing.still = True
    assert not any(seat.in_shadow for seat in seats_of(scene))


@pytest.mark.parametrize("words", [(), (Bid(2),), (Bid(2), Bid(5))])
def test_no_screen_differs_by_a_hand_that_is_shut(words: tuple[Bid, ...]) -> None:
    screens: list[set[str]] = [set(), set(), set(), set()]
    for hands in ((0, 1, 2, 3), (3, 2, 1, 0), (0, 0, 0, 0), (3, 3, 3, 3)):
        table = at("choosing", 4)
        table.choose(*hands)
        table.say(*words)
        for client, drawings in zip(table.clients, screens, strict=True):
            scene = seen(client)
            drawings.add(shown(scene))
            assert {seat.hand for seat in seats_of(scene)} == {None}
    assert [len(drawings) for drawings in screens] == [1, 1, 1, 1] and all(map(any, screens))


FISTS = st.tuples(*[st.integers(0, 3)] * 3)


@very_few
@given(FISTS, FISTS, st.tuples(*[st.integers(1, 3)] * 3), st.permutations(range(10)))
@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_a_count_of_a_table_without_a_log_tells_no_hand_before_its_fist_is_open(
    rules: str, one: Hands, other: Hands, coins: Hands, calls: list[int]
) -> None:
    is_guessing = rules == "hollywood"
    said = round_of(PRESETS[rules], (3, 3, 3) if is_guessing else coins, 0)
    words: list[Word] = [Bid(each) for each in calls[:3]] if is_guessing else [Bid(1), Ending.CALL]
    for seat, word in enumerate(words):
        said = said.say(seat, word)
    company = StaticSeats("A train", said.rules, tuple(map(ForeignText, "ABC")), 0)

    def frame_at(told: int, hands: Hands) -> str:
        held = {seat: min(hand, said.coins[seat]) for seat, hand in enumerate(hands)}
        over = PlayedRound(said, held, said.count(held))
        moment = Instant(1, over.outcome.coins, said, frozenset(), held, over, told=told)
        return repr([row.strip() for row in sheet(still(company, moment), (80, 24)).rows])

    order = (0, 1, 2) if is_guessing else (1, 2, 0)
    for told, beat in enumerate(steps(3)):
        is_open = [seat in order[: beat.opened] for seat in range(3)]
        mixed = tuple(one[seat] if is_open[seat] else other[seat] for seat in range(3))
        assert frame_at(told, one) == frame_at(told, mixed)


# Fist by fist


@pytest.mark.parametrize("rules", ["milan", "bid-spoof", "three-coins"])
def test_the_fists_open_one_by_one_the_enders_first_and_the_total_grows(rules: str) -> None:
    scene = counted(rules=rules)
    assert scene.last and (scene.opened, scene.is_counted) == (0, False)
    opened: list[int] = []
    for _ in range(3):
        open_next(scene)
        assert scene.showing and not scene.showing.changes
        opened += set(scene.showing.hands) - set(opened)
        assert middle(scene).number == sum(scene.last.hands[seat] for seat in opened)
        for seat, picture in enumerate(seats_of(scene)):
            assert picture.hand == scene.showing.hands.get(seat)
            assert (picture.fist is FistState.OPEN) == (seat in opened)
    assert opened[0] == scene.last.outcome.ender and tuple(opened) == scene.order
    assert [seat.coins for seat in seats_of(scene)] == [3, 3, 3]
    pay(scene)
    assert scene.showing and sum(scene.showing.changes.values()) == -1
    assert sorted(seat.coins for seat in seats_of(scene)) == [2, 3, 3]
    assert [seat.note for seat in seats_of(scene) if seat.lost] == ["−1"]


def test_the_last_count_tells_who_wins_and_takes_the_pot_no_sooner_than_it_is_paid() -> None:
    table = at("answering", 2)
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    catch_up(scene)
    while table.host.table.phase is not Phase.GATHERING:
        before = table.clients[0].view.round_number
        owing = [client for client in table.clients if client.view.own_fist_due]
        table.choose(*[0 for _ in owing])
        table.say(Ending.SPOOF)
        scene.look(table.clients[0].view)
        while scene.pacing.is_running:
            assert scene.view and scene.view.winner is None and heap(scene).pot == 2
            assert scene.view.round_number == before and game_over(scene) is None
            step(scene)
        if table.clients[0].view.winner is None:
            catch_up(scene)
    assert scene.is_counted and game_over(scene) is None and scene.view
    assert headline(scene.view, scene.names) in middle(scene).above
    catch_up(scene)
    assert game_over(scene) is not None and not scene.is_counted


def test_the_table_stays_in_its_place_through_the_last_count(language: str) -> None:
    table, scene = company(), Scene()
    while table.host.table.phase is not Phase.GATHERING:
        table.choose(*[0 for client in table.clients if client.view.own_fist_due])
        scene = seen(table.clients[0])
        table.say(Ending.SPOOF)
    scene.look(table.clients[0].view)
    places = set[Place]()
    while scene.pacing.is_running:
        step(scene)
        parts = table_parts(scene, 45, 20)
        places.update(part.place for part in parts if isinstance(part.picture, Felt))
    assert scene.is_counted and len(places) == 1


# The guessing game


def seats(scene: Scene) -> dict[str, SeatPicture]:
    """Every seat's text, by name."""
    return {picture.name: picture for picture in seats_of(scene)}


def test_an_impossible_call_is_struck_out_when_its_fist_opens_and_fined_at_the_count() -> None:
    table = a_school((3, 3, 3), 0, 4, 5)
    caller, watching = by_call(table)[0], table.clients[0]
    told = []
    for opened in (0, 1, 3):
        scene = scene_of(watching, opened)
        seat = seats(scene)[name(caller)]
        assert scene.last is not None and isinstance(scene.last.words, GuessingRound)
        crossed = [
            call_look(call, scene.last, scene.order[:opened]) == struck()
            for call in scene.last.words.calls
        ]
        told.append((seat.said_tone is Tone.STRUCK, crossed, seat.tally, seat.note == "fined"))
    assert told == [
        (False, [False, False, False], "", False),
        (True, [True, False, False], "", False),
        (True, [True, False, False], "▌", True),
    ]


def test_who_leaves_is_told_when_the_count_is_paid_and_the_bar_stays_at_the_round_on_show() -> None:
    table = a_school((1, 1, 1), 3, 4)
    scene = scene_of(table.clients[0])
    table.say(Bid(5))
    leaver = name(by_call(table)[0])
    scene.look(table.clients[0].view)
    while not scene.is_counted:
        assert "round 1 · 3 in the school" in draw_bar(scene, 80)[0].text
        assert seats(scene)[leaver].note != "leaves"
        step(scene)
    assert "round 1 · 3 in the school" in draw_bar(scene, 80)[0].text
    assert seats(scene)[leaver].note == "leaves"
    assert (middle(scene).above, middle(scene).small) == ("YOU LEAVE", ("Flowers", "3 in all"))


def test_a_turn_that_comes_under_a_verdict_is_asked_for_once_that_is_read() -> None:
    table = at("answering")
    scenes = [seen(each) for each in table.clients]
    table.say(Ending.CALL)
    for client, scene in zip(table.clients, scenes, strict=True):
        scene.look(client.view)
    # All hide the next hand while the fists are being counted.
    table.choose(*(1 for _client in table.clients))
    opener = next(each for each, client in enumerate(table.clients) if client.view.my_turn)
    scene = scenes[opener]
    scene.look(table.clients[opener].view)
    while not scene.is_counted:
        step(scene)
    assert scene.pacing.is_resting and "YOUR TURN" not in said(scene)
    scene.pacing.catch_up(0.0)
    scene.follow()
    assert "YOUR TURN" in said(scene)


def test_news_beside_a_verdict_ask_for_no_key_that_only_goes_on() -> None:
    scene = counted()
    scene.controls.cover_keys = True
    pay(scene)
    scene.take(Told(("Something happened.",), "News"))
    asked = "choose from a hidden list"
    assert scene.pacing.is_resting and scene.view and scene.view.own_fist_due
    assert "Any key closes" in said(scene) and asked not in said(scene)
    catch_up(scene)
    assert asked in said(scene)


# A round without a count


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_a_void_round_shows_why_and_the_hands_that_opened_and_no_sum(rules: str) -> None:
    table, gone = with_a_shut_fist(rules)
    scene = seen(table.clients[0])
    play_on_without(table, gone)
    seen(table.clients[0], scene)
    played = table.clients[0].view.past[-1]
    total, beats = sum(played.hands.values()), 0
    while not scene.is_counted:
        assert total > 0 and middle(scene).caption == "" and f"= {total}" not in shown(scene)
        step(scene)
        beats += 1
    assert beats == 2, "the verdict and its price"
    centre, panel = middle(scene), said(scene)
    assert (centre.above, centre.number) == ("The round is void", None)
    assert f"{name(gone)}’s fist stayed shut" in panel
    hands = (f"{called(seat, scene.names, 0)} {hand}" for seat, hand in played.hands.items())
    assert all(hand in panel.partition("Open fists: ")[2] for hand in hands)
    scene.page = Page.ROUNDS
    assert "void" in shown(scene) and "= ?" not in shown(scene)


def test_who_is_away_is_shown_so_beside_the_price_of_a_void_round_and_told_when_back() -> None:
    table, gone = with_a_shut_fist()
    table.cut(gone)
    scene = seen(table.clients[0])
    play_on_without(table, gone)
    seen(table.clients[0], scene)
    pay(scene)
    picture = seats_of(scene)[scene.names.index(name(gone))]
    assert picture.lost and picture.note.startswith("away") and picture.note_tone is Tone.NO
    catch_up(scene)
    assert scene.view and scene.view.own_fist_due
    table.connect(gone)
    assert f"{name(gone)} is back." in said(seen(table.clients[0], scene))


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_why_a_round_is_void_blames_only_the_fist_that_stayed_shut(rules: str) -> None:
    table, gone = with_a_shut_fist(rules)
    play_on_without(table, gone)
    for client in table.clients:
        told = [
            line.text
            for each in why(client.view, seat_names(client.view), client.view.past[-1])
            for line in each.lines
        ]
        assert any(line.startswith("A fist stayed shut: there is no count.") for line in told)
        assert any("the next player still in after its owner opens" in line for line in told)
        assert not any("you’s" in line.lower() for line in told)
