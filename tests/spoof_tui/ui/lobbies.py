"""A lobby to press keys in: the real app, without a network and without a table."""

from dataclasses import dataclass, field

from textual.pilot import Pilot

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.wire.messages import Card, State
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.network.discovery import FoundTable
from spoof_tui.runtime.hosting import Plan, SavedTable
from spoof_tui.storage.settings import Settings
from spoof_tui.ui.app import SpoofApp
from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.messages import TablesFound


def found(
    number: int = 1,
    *,
    name: str = "Maria's table",
    host: str = "Maria",
    rules: str = "milan",
    seats: int = 9,
    taken: int = 3,
    state: State = State.GATHERING,
    locked: bool = True,
) -> FoundTable:
    """A table that answers; those of different numbers are different tables."""
    identity = number.to_bytes(32, "big")
    called, by = ForeignText(name), ForeignText(host)
    card = Card(identity, called, by, Rules.parse(rules), seats, taken, state, locked, 0)
    return FoundTable(Address(f"10.0.0.{number}", 7763), card, 1, "0.1.0")


def strange(number: int = 9) -> FoundTable:
    """A table of another version."""
    return FoundTable(Address(f"10.0.0.{number}", 7763), None, 7, "4.2.0")


@dataclass
class Deeds:
    """What the lobby asked the app to do."""

    joined: list[Address] = field(default_factory=list)
    watched: list[Address] = field(default_factory=list)
    resumed: list[SavedTable] = field(default_factory=list)
    looked_at: list[Address] = field(default_factory=list)
    opened: list[tuple[Plan, int, Level | None]] = field(default_factory=list)
    practised: int = 0


class Lobby(SpoofApp):
    """The app, which only notes down what leads to a table."""

    def __init__(self, name: str = "Brisk Otter") -> None:
        super().__init__(Settings(name=name))
        self.deeds = Deeds()

    def _begin(self) -> None:
        self.background.start()

    def join(self, address: Address, code: str | None = None, sits: bool = True) -> None:
        (self.deeds.joined if sits else self.deeds.watched).append(address)

    def resume(self, saved: SavedTable) -> None:
        self.deeds.resumed.append(saved)

    def look_at(self, address: Address) -> None:
        self.deeds.looked_at.append(address)

    def open_table(self, plan: Plan, bots: int = 0, level: Level | None = None) -> None:
        self.deeds.opened.append((plan, bots, level))

    def practise(self) -> None:
        self.deeds.practised += 1

    async def find(
        self, pilot: Pilot[int], *tables: FoundTable, trouble: str | None = None
    ) -> None:
        """Have these tables, and no others, be found."""
        self.screen_stack[0].post_message(TablesFound(tables, trouble))
        await pilot.pause()

    @property
    def lines(self) -> list[str]:
        """What the canvas of the top screen shows."""
        canvas = self.screen.query_one(Canvas)
        return [canvas.render_line(y).text for y in range(canvas.size.height)]

    @property
    def text(self) -> str:
        """The same as one string."""
        return "\n".join(self.lines)

    @property
    def selected(self) -> str:
        """The line of the lobby that is selected."""
        return next((line.strip("│ ") for line in self.lines if "▶" in line), "")
