"""The door of a table that this program hosts: opened and closed by its host, announced
to others."""

from __future__ import annotations

from collections.abc import Callable

from spoof_tui.door.program import DoorFailed, DoorOpened, DoorProgram
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.text.i18n import _


class TableDoor:
    """At most one door; belongs to the event loop of its table."""

    def __init__(
        self,
        tell: Callable[[DoorOpened | DoorFailed | None], None],
        program: Callable[[], DoorProgram] = DoorProgram,
    ) -> None:
        """`tell` is called on every change; with None when the door is closed."""
        self._tell = tell
        self._make = program
        self._program: DoorProgram | None = None
        self._table: HostedTable | None = None

    async def open(self, table: HostedTable, port: int | None = None) -> None:
        """Open the door of `table`, unless one is open.

        It listens on `port`; None: the usual one, or any other if that is taken.
        """
        if self._program is not None:
            return
        if not table.plan.public:
            self._tell(DoorFailed(_("Nobody else can come to a practice table.")))
            return
        program = self._program = self._make()
        program.on_end = self._ended
        id_of = table.server.host.table.id
        said = await program.open(id_of, f"127.0.0.1:{table.port}", port)
        if self._program is not program:
            await program.close()
            return
        if isinstance(said, DoorFailed):
            self._program = None
        else:
            self._table = table
            table.name_door(said.port)
        self._tell(said)

    async def close(self) -> None:
        """Close it, if one is open, and send its visitors away."""
        program, self._program = self._program, None
        if program is None:
            return
        self._name_none()
        self._tell(None)
        await program.close()

    def _ended(self) -> None:
        self._program = None
        self._name_none()
        self._tell(DoorFailed(_("The door for ssh closed unexpectedly.")))

    def _name_none(self) -> None:
        table, self._table = self._table, None
        if table:
            table.name_door(None)
