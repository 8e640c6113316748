"""The table screen by its keys, and by what it is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.wire.messages import Farewell
from spoof_tui import beats
from spoof_tui.beats import Beat
from spoof_tui.runtime.notices import Ended, NotSaved, Reopened, ViewChanged
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.messages import Failed
from spoof_tui.ui.table import timing
from spoof_tui.ui.table.screen import MAX_LINE, TableScreen
from spoof_tui.ui.tokens import coins_again
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


@pytest.fixture
def table() -> Iterator[MemoryTable]:
    """Three players who speak; the first of them is looked on."""
    yield at("speaking")


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every beat of a count be a short one."""
    for name in ("WORD", "FIST", "LATER_FIST", "HELD", "LAST", "STAMP", "REST", "NEXT_WORD"):
        monkeypatch.setattr(beats, name, 0.01)


def in_front_of(table: MemoryTable, client: int = 0) -> AtTable:
    return AtTable(table, table.clients[client])


async def peeking(app: AtTable, pilot: Pilot[int]) -> TableScreen:
    """The screen while its player looks into the fist."""
    screen = await app.sit_down(pilot)
    await pilot.press("space")
    assert screen.scene.glance is not None
    assert await app.shows(pilot, lambda lines: is_peeking(lines))
    return screen


def is_peeking(lines: list[str]) -> bool:
    """Whether the hand of 0 is at the end of the panel's rule."""
    return any(line.rstrip("─").endswith(" 0 ") for line in lines)


async def test_a_hand_is_shown_for_a_moment_only(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await peeking(app, pilot)
        while screen.scene.glance is not None:
            await pilot.pause(0.05)
        assert await app.shows(pilot, lambda lines: not is_peeking(lines))


@pytest.mark.parametrize("key", ["space", "w", "j", "t"])
async def test_any_key_ends_a_peek(table: MemoryTable, key: str) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await peeking(app, pilot)
        await pilot.pause(timing.REPEAT_INTERVAL)
        await pilot.press(key)
        assert screen.scene.glance is None


async def test_a_peek_does_not_outlive_its_round(table: MemoryTable) -> None:
    table.say(Bid(2), Bid(3))
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await peeking(app, pilot)
        table.say(Ending.CALL)
        await app.look(pilot)
        assert screen.scene.glance is None
        assert not is_peeking(app.lines)


async def test_the_fists_of_a_round_open_by_themselves(
    table: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        table.say(Bid(2), Bid(3), Ending.CALL)
        await app.look(pilot)
        while not screen.scene.is_counted:
            await pilot.pause(0.01)
        assert screen.scene.counted


async def test_without_animation_all_fists_open_at_once(table: MemoryTable) -> None:
    app = in_front_of(table)
    app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        table.say(Bid(2), Bid(3), Ending.CALL)
        await app.look(pilot)
        assert screen.scene.reveal
        beats = [step.beat for step in screen.scene.reveal.steps]
        assert beats == [Beat.WORD, Beat.STAMP, Beat.PAID]


async def test_a_bid_is_said_by_enter(table: MemoryTable) -> None:
    speaker = next(index for index, each in enumerate(table.clients) if each.view.my_turn)
    app = in_front_of(table, speaker)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("4", "enter")
        assert app.seat.view.standing == (speaker, 4)


async def test_a_word_that_is_not_allowed_is_told_with_its_clause(table: MemoryTable) -> None:
    speaker = next(index for index, each in enumerate(table.clients) if not each.view.my_turn)
    app = in_front_of(table, speaker)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("c")
        assert screen.scene.remark
        assert await app.sees(pilot, screen.scene.remark)


async def test_talk_is_typed_in_a_line_of_its_own(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("t", "h", "u", "backspace", "i", "space", "q", "enter")
        assert app.seat.view.talk[-1].said == ForeignText("hi q")


async def test_a_line_of_talk_has_an_end(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        screen.scene.talking = "x" * (MAX_LINE - 1)
        await pilot.press("a", "b")
        assert screen.scene.talking == "x" * (MAX_LINE - 1) + "a"


async def test_a_line_of_talk_can_be_given_up(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("t", "a", "escape")
        assert screen.scene.talking is None
        assert not app.seat.view.talk


async def test_a_table_that_is_over_is_left_by_one_key(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        screen.scene.over = "It is over."
        await pilot.press("j")
        assert app.screen is screen
        await pilot.press("q")
        assert isinstance(app.screen, LobbyScreen)


async def test_trouble_inside_the_program_is_told_and_the_game_goes_on(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await app.sit_down(pilot)
        screen.post_message(Failed(Path("/tmp/trouble")))
        assert await app.sees(pilot, "/tmp/trouble")
        assert screen.scene.view and screen.scene.view.phase is Phase.SPEAKING


async def test_what_a_notice_says_is_painted(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        await app.sit_down(pilot)
        await app.hear(pilot, NotSaved(OSError(28, "No space left")))
        assert await app.sees(pilot, "Not saved on this computer: No space left.")


async def test_the_next_word_puts_the_last_remark_away(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(100, 30)) as pilot:
        screen = await app.sit_down(pilot)
        screen.scene.remark = "Something to say."
        table.say(Bid(2))
        await app.look(pilot)
        assert not screen.scene.remark


async def test_a_word_that_waits_for_the_host_is_not_asked_for_again(table: MemoryTable) -> None:
    speaker = table.speaker()
    app = in_front_of(table, table.clients.index(speaker))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "YOUR TURN")
        said = replace(speaker.view, own_word=Bid(2))
        assert not said.my_turn
        await app.hear(pilot, ViewChanged(said))
        assert await app.sees(pilot, "Your word is sent. Waiting for the host")
        assert await app.misses(pilot, "YOUR TURN")


async def test_a_table_that_is_open_again_is_gone_back_to_by_enter(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await app.hear(pilot, Ended(Farewell.CLOSED))
        await app.hear(pilot, Reopened())
        assert await app.sees(pilot, "The table is open again")
        await pilot.press("enter")
        assert (app.returns, screen.scene.over) == (1, "")


# While a count is told


async def counting(app: AtTable, pilot: Pilot[int], *words: Bid | Ending) -> TableScreen:
    """The screen when a round has just ended."""
    screen = await app.sit_down(pilot)
    app.table.say(*(words or (Bid(2), Bid(3), Ending.CALL)))
    await app.look(pilot)
    assert screen.scene.presentation.is_running
    return screen


@pytest.mark.parametrize("key", ["space", "enter", "c", "t", "q", "r", "j"])
async def test_any_key_skips_to_the_verdict_and_does_nothing_else(
    table: MemoryTable, key: str
) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await counting(app, pilot)
        await pilot.press(key)
        assert screen.scene.is_judged and app.screen is screen
        assert screen.scene.talking is None and screen.scene.glance is None
        assert not screen.scene.remark


async def test_a_hand_pressed_early_is_sent_at_once_and_skips_nothing(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await counting(app, pilot)
        await pilot.press("1")
        assert app.seat.guest.own_hand == 1
        assert screen.scene.presentation.is_running and not screen.scene.is_judged
        assert "locked" not in app.text


async def test_an_early_hand_that_is_too_big_tells_nothing_of_the_count(table: MemoryTable) -> None:
    loser = next(index for index, each in enumerate(table.clients) if each.view.my_turn)
    app = in_front_of(table, loser)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await counting(app, pilot, Ending.SPOOF)
        await pilot.press("3")
        await pilot.pause()
        assert not screen.scene.remark
        await pilot.press("space", "space")
        assert screen.scene.is_counted
        assert await app.sees(pilot, screen.scene.remark) and screen.scene.remark


async def test_a_bid_is_for_what_its_speaker_has_seen(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await counting(app, pilot)
        table.choose(0, 0, 0)
        while not app.seat.view.my_turn:
            table.say(Bid(table.speaker().view.lowest_bid or 1))
            await app.look(pilot)
        words = len(app.seat.view.words)
        await pilot.press("space", "space", "enter")
        assert screen.scene.view == app.seat.view and len(app.seat.view.words) == words
        await pilot.press("enter")
        assert len(app.seat.view.words) == words + 1
        # Its speaker has seen the count: nothing waits any more for it to be looked at.
        assert screen.scene.last is None


async def test_a_click_on_a_key_at_the_table_is_that_key() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.click(offset=(app.lines[23].index("talk"), 23))
        assert await app.sees(pilot, "Talk:")
        await pilot.click(offset=(2, 23))
        assert await app.sees(pilot, "Talk:")


async def test_one_enter_too_many_does_not_leave_a_table_that_is_not_there_yet() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.come()
        await pilot.press("enter")
        assert isinstance(app.screen, TableScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, LobbyScreen)


async def test_tab_turns_the_page_beside_the_table_and_it_stays_turned(table: MemoryTable) -> None:
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "THIS ROUND")
        await pilot.press("tab")
        assert await app.sees(pilot, "ROUNDS") and await app.misses(pilot, "THIS ROUND")
        table.say(Bid(2))
        await app.look(pilot)
        assert await app.misses(pilot, "THIS ROUND")
        await pilot.press("tab", "tab")
        assert await app.sees(pilot, "THIS ROUND")


async def test_a_table_speaks_of_what_it_plays_with_and_the_lobby_of_coins() -> None:
    app = in_front_of(at("choosing", rules="three-coins token=buttons"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        assert await app.shows(
            pilot, lambda lines: any("of your buttons" in each for each in lines)
        )
        app.leave_table()
        assert glyphs().coin == "●"
    coins_again()
