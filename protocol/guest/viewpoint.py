"""Makes the views of one guest: what its owner sees of the table."""

from __future__ import annotations

from protocol.encoding.replacing import replace
from protocol.errors import LocalError
from protocol.guest.guest import Guest
from protocol.table.state import Table
from protocol.views import TableView, owes_fist, view_of, word_on_its_way


class Viewpoint:
    """Makes the views of one guest's owner, one after the other.

    While the log stands still, a new view differs only in the link and in what the owner has said,
    and the rest is reused.
    """

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        """The guest whose views these are."""
        self._last: tuple[Table, tuple[bytes, ...], TableView] | None = None

    def view(self) -> TableView:
        """The view at this moment; raises `LocalError` before the table is known."""
        guest, table, last = self.guest, self.guest.table, self._last
        if table is None:
            raise LocalError("there is nothing to see before the table is known")
        waiting, departure, lag = guest.waiting, guest.departure, guest.trip.lag
        offer, is_gone = departure.offer, departure.signed is not None
        if last and last[0] is table and last[1] is guest.unsteady:
            view = replace(
                last[2],
                link=guest.link,
                own_fist_due=owes_fist(table, table.playing(guest.key), waiting),
                own_word=word_on_its_way(waiting),
                new_table=offer,
                went_along=is_gone,
                lag=lag,
                lacks_secret=guest.lacks_secret,
            )
        else:
            view = view_of(
                table,
                guest.key,
                guest.link,
                guest.unsteady,
                waiting,
                offer,
                went_along=is_gone,
                lag=lag,
                lacks_secret=guest.lacks_secret,
            )
        self._last = table, guest.unsteady, view
        return view
