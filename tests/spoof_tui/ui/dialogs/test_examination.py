"""The examination as something to read."""

from __future__ import annotations

from textual.message_pump import MessagePump

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.ui.dialogs.examination import ExaminationDialog, examination_page
from spoof_tui.ui.messages import Examined
from tests.spoof_tui.ui.lobbies import Lobby

ADDRESS = Address("10.0.0.1", 7763)
SILENT = Finding(Code.HOST_SILENT, Severity.PROBLEM, ADDRESS)


class Examining(Lobby):
    """A lobby that notes down what is examined."""

    def __init__(self) -> None:
        super().__init__()
        self.examined: list[tuple[MessagePump, Address | None]] = []

    def examine(self, screen: MessagePump, address: Address | None = None) -> None:
        self.examined.append((screen, address))


async def test_a_key_of_the_lobby_opens_it_and_it_looks() -> None:
    app = Examining()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x")
        assert await app.sees(pilot, "Looking at the network")
        assert app.examined == [(app.screen, None)]
        app.screen.post_message(Examined((SILENT,), ()))
        assert await app.sees(pilot, "A table is there", "tried", "seen", "means", "hotspot")
        await pilot.press("r")
        assert await app.sees(pilot, "Looking at the network")
        assert len(app.examined) == 2
        await pilot.press("escape")
        assert not isinstance(app.screen, ExaminationDialog)


def test_where_nothing_is_in_the_way_that_is_said() -> None:
    text = examination_page((), (ADDRESS,), 70).plain
    assert "A table answers at 10.0.0.1:7763." in text
    assert "Nothing is in the way." in text
    assert "hotspot" not in text


def test_no_line_is_wider_than_the_page() -> None:
    page = examination_page((SILENT,), (), 40).plain
    assert max(map(len, page.splitlines())) <= 40
