"""Speed: what is a pure function of its arguments is worked out once in a run.

A dozen participants read, check and fold the same entries. `Entry.read`, `Intent.read` and `fold`
depend on nothing else, which `test_simulation.py` shows by running without this.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from unittest.mock import patch

from protocol import guest, host, log, verifying
from protocol import table as tables
from protocol.log import Entry, Intent
from protocol.table import Table
from tests.simulation import disks, laws


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Within this, entries are read and folded once."""
    fold = tables.fold
    read_entry, read_intent = Entry.read.__func__, Intent.read.__func__  # type: ignore[attr-defined]
    folded: dict[tuple[int, bytes], tuple[Table | None, Table]] = {}
    entries: dict[tuple[bytes, bytes | None], Entry] = {}
    intents: dict[bytes, Intent] = {}

    def fold_once(table: Table | None, entry: Entry) -> Table:
        # The table itself is kept with its identity, so that none takes another one's place.
        place = id(table), entry.hash
        if place not in folded:
            folded[place] = table, fold(table, entry)
        return folded[place][1]

    def read_once(cls: type[Entry], blob: bytes, host: bytes | None = None) -> Entry:
        place = blob, host
        if place not in entries:
            entries[place] = read_entry(cls, blob, host)
        return entries[place]

    def intent_once(cls: type[Intent], blob: bytes) -> Intent:
        if blob not in intents:
            intents[blob] = read_intent(cls, blob)
        return intents[blob]

    with contextlib.ExitStack() as stack:
        for module in (guest, host, verifying, disks, laws):
            stack.enter_context(patch.object(module, "fold", fold_once))
        stack.enter_context(patch.object(log.Entry, "read", classmethod(read_once)))
        stack.enter_context(patch.object(log.Intent, "read", classmethod(intent_once)))
        yield
