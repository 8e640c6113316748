"""The dialog for a typed address."""

from spoof_tui.network.addresses import Address
from tests.spoof_tui.ui.lobbies import Lobby

THERE = Address("10.0.0.7", 7763)


async def test_a_typed_address_is_joined_and_listed_from_then_on() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", *"10.0.0.7", "enter")
    assert app.deeds.joined == [THERE]
    assert app.deeds.looked_at == [THERE]


async def test_a_whole_invitation_can_be_typed() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", *"spoof join 10.0.0.7 k7m4q", "enter")
    assert app.deeds.joined == [THERE]
    assert app.deeds.codes == ["K7M4Q"]


async def test_the_last_address_is_there_the_next_time() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", *"10.0.0.7:80", "enter", "a")
        assert "10.0.0.7:80" in app.text
        await pilot.press("enter")
    assert app.deeds.joined == [Address("10.0.0.7", 80)] * 2


async def test_a_wrong_address_is_explained_and_stays_to_be_mended() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", *"10.0.0.7:99999", "enter")
        assert "A port is a number from 1 to 65535" in app.text
        await pilot.press("backspace", "enter")
    assert app.deeds.joined == [Address("10.0.0.7", 9999)]


async def test_nothing_is_no_address() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "enter")
        assert "An address needs" in app.text
        await pilot.press("escape")
    assert app.deeds.joined == []
