"""The slate over the table: votes, fines and drinks by keys."""

from protocol.rules.words import Drink, Offence
from protocol.table.statements import AwardFine
from spoof_tui.ui.table.slate import is_chairman
from spoof_tui.ui.table.slate_dialog import SlateDialog
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.schools import a_school, by_call
from tests.spoof_tui.ui.tables import AtTable


def chairman_at(table: MemoryTable) -> AtTable:
    return AtTable(table, next(client for client in table.clients if is_chairman(client.view)))


async def test_f_opens_the_slate_and_closes_it() -> None:
    app = chairman_at(a_school())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f")
        assert isinstance(app.screen, SlateDialog)
        assert await app.sees(pilot, "Nobody has been fined yet.", "Esc back")
        await pilot.press("f")
        assert not app.screen.is_modal


async def test_the_bidding_game_has_none_and_says_so() -> None:
    table = MemoryTable(2, "milan", start_when=3)
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f")
        assert await app.sees(pilot, "belong to the guessing game")


async def test_the_chairman_fines_and_lifts() -> None:
    app = chairman_at(a_school())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f", "down", "a")
        assert await app.sees(pilot, "fined for?")
        await pilot.press("1")
        await pilot.pause()
        fine = app.seat.view.slate.fines[0]
        assert (fine.key, fine.offence) == (app.seat.view.seats[1].key, Offence.GLOATING)
        assert await app.sees(pilot, "gloating", "1 drink")
        await pilot.press("up", "up", "l")
        assert await app.sees(pilot, "lifted")
        assert app.seat.view.slate.fines[0].lifted


async def test_escape_gives_up_a_question_before_the_slate() -> None:
    app = chairman_at(a_school())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f", "a", "escape")
        assert isinstance(app.screen, SlateDialog)
        assert await app.misses(pilot, "fined for?")
        await pilot.press("escape")
        assert not app.screen.is_modal


async def test_others_are_told_that_they_are_not_the_chairman() -> None:
    table = a_school()
    app = AtTable(table, next(client for client in table.clients if not is_chairman(client.view)))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f")
        assert "award a fine" not in app.text
        await pilot.press("a")
        assert await app.sees(pilot, "Only the chairman can do that.")


async def test_everybody_votes() -> None:
    table = a_school()
    app = AtTable(table, next(client for client in table.clients if not is_chairman(client.view)))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f", "down", "v")
        await pilot.pause()
        assert app.seat.view.slate.votes == {app.seat.guest.key: app.seat.view.seats[1].key}
        assert await app.sees(pilot, "1 vote")


async def test_who_left_first_orders_the_drinks() -> None:
    table = a_school((1, 1), 2, 3)
    app = AtTable(table, by_call(table)[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f", "o")
        assert await app.sees(pilot, "What does everybody get?")
        await pilot.press("3")
        await pilot.pause()
        assert [drink for _n, _key, drink in app.seat.view.slate.orders] == [Drink.ALIEN_SNOT]
        assert await app.sees(pilot, "ordered alien snot")


async def test_what_the_others_do_is_seen_at_once() -> None:
    table = a_school()
    app = AtTable(table, next(client for client in table.clients if not is_chairman(client.view)))
    chairman = next(client for client in table.clients if is_chairman(client.view))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f")
        table.act(chairman, chairman.guest.state(AwardFine(app.seat.guest.key, Offence.OTHER)))
        await app.look(pilot)
        assert await app.sees(pilot, "whatever the chairman knows")


async def test_the_bright_line_of_a_long_slate_is_seen() -> None:
    table = a_school()
    chairman = next(client for client in table.clients if is_chairman(client.view))
    for offence in list(Offence) * 3:
        table.pass_time(2)
        table.act(chairman, chairman.guest.state(AwardFine(chairman.guest.key, offence)))
    app = AtTable(table, chairman)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f", "up")
        assert await app.sees(pilot, "▶ Player1")
        assert await app.misses(pilot, "Player2")
        await pilot.press("down")
        assert await app.sees(pilot, "▶ Player1", "Player2")


async def test_a_bidding_table_that_fines_gloating_has_a_slate_with_a_chairman() -> None:
    app = chairman_at(MemoryTable(3, "milan gloating=fined"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("f", "down", "a")
        assert await app.sees(pilot, "abusing the chairman", "eating at the table")
        await pilot.press("6")
        assert await app.sees(pilot, "1 drink")
        assert app.seat.view.slate.fines[0].offence is Offence.EATING
