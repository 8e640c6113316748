"""Speed: what is a pure function of its arguments is worked out once in a run.

A dozen participants read, check and fold the same entries, signed by one of them. All of that
depends on nothing else, which `test_simulation.py` shows by running without this.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from unittest.mock import patch

from protocol.crypto.keys import SigningKey, is_signed
from protocol.table import fold as tables
from protocol.table import log, replica
from protocol.table import verify as verifying
from protocol.table.fold import Table
from protocol.table.log import Entry, Intent
from protocol.table.transitions import succession
from protocol.wire import messages
from tests.simulation import disks, laws


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Within this, entries are read, checked and folded once."""
    fold = tables.fold
    read_entry, read_intent = Entry.read.__func__, Intent.read.__func__  # type: ignore[attr-defined]
    folded: dict[tuple[int, bytes], tuple[Table | None, Table]] = {}
    entries: dict[tuple[bytes, bytes | None], Entry] = {}
    intents: dict[bytes, Intent] = {}
    signed: set[tuple[bytes, bytes, bytes, bytes]] = set()
    sign = SigningKey.sign

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

    def sign_once(key: SigningKey, purpose: bytes, message: bytes) -> bytes:
        signature = sign(key, purpose, message)
        signed.add((key.public, purpose, message, signature))
        return signature

    def is_signed_once(public: bytes, purpose: bytes, message: bytes, signature: bytes) -> bool:
        said = public, purpose, message, signature
        return said in signed or is_signed(*said)

    with contextlib.ExitStack() as stack:
        stack.enter_context(patch.object(SigningKey, "sign", sign_once))
        for module in (log, messages, succession):
            stack.enter_context(patch.object(module, "is_signed", is_signed_once))
        for module in (replica, verifying, disks, laws):
            stack.enter_context(patch.object(module, "fold", fold_once))
        stack.enter_context(patch.object(log.Entry, "read", classmethod(read_once)))
        stack.enter_context(patch.object(log.Intent, "read", classmethod(intent_once)))
        yield
