"""Speed: pure functions of their arguments are computed once per run.

A dozen participants read, check and fold the same entries, signed by one of them. All of that
depends on nothing else, which `test_simulation.py` shows by running without this. Nor does it
matter what a signature is made of where nobody forges one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from hashlib import blake2b
from unittest.mock import patch

from protocol.crypto.keys import SIGNATURE_BYTES, SigningKey, is_signed
from protocol.encoding.codec import Message
from protocol.guest import guest
from protocol.host import connections
from protocol.table import continuation, electorate, log
from protocol.table import fold as tables
from protocol.table import verify as verifying
from protocol.table.fold import Table
from protocol.table.log import Entry, Intent
from protocol.wire import messages
from protocol.wire.messages import read_from_guest, read_from_host
from spoof_tui.storage import stored_log
from tests.simulation import laws


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Inside the context, entries are read, checked and folded once."""
    fold = tables.fold
    read_entry, read_intent = Entry.read.__func__, Intent.read.__func__  # type: ignore[attr-defined]
    folded: dict[tuple[int, bytes], tuple[Table | None, Table]] = {}
    entries: dict[tuple[bytes, bytes | None], Entry] = {}
    intents: dict[bytes, Intent] = {}
    signed: set[tuple[bytes, bytes, bytes, bytes]] = set()
    from_hosts: dict[bytes, Message] = {}
    from_guests: dict[bytes, Message] = {}

    def fold_once(table: Table | None, entry: Entry) -> Table:
        # The table itself is kept alive, so that no other one gets its identity.
        place = id(table), entry.hash
        if place not in folded:
            folded[place] = table, fold(table, entry)
        return folded[place][1]

    def read_once(
        cls: type[Entry], blob: bytes, host: bytes | None = None, known: object = None
    ) -> Entry:
        place = blob, host
        if place not in entries:
            entries[place] = read_entry(cls, blob, host)
        return entries[place]

    def intent_once(cls: type[Intent], blob: bytes) -> Intent:
        if blob not in intents:
            intents[blob] = read_intent(cls, blob)
        return intents[blob]

    def from_host(payload: bytes) -> Message:
        if payload not in from_hosts:
            from_hosts[payload] = read_from_host(payload)
        return from_hosts[payload]

    def from_guest(payload: bytes) -> Message:
        if payload not in from_guests:
            from_guests[payload] = read_from_guest(payload)
        return from_guests[payload]

    def sign_lightly(key: SigningKey, purpose: bytes, message: bytes) -> bytes:
        said = b"".join((key.public, purpose, message))
        signature = blake2b(said, digest_size=SIGNATURE_BYTES).digest()
        signed.add((key.public, purpose, message, signature))
        return signature

    def is_signed_once(public: bytes, purpose: bytes, message: bytes, signature: bytes) -> bool:
        said = public, purpose, message, signature
        return said in signed or is_signed(*said)

    with contextlib.ExitStack() as stack:
        stack.enter_context(patch.object(SigningKey, "sign", sign_lightly))
        stack.enter_context(patch.object(guest, "read_from_host", from_host))
        stack.enter_context(patch.object(connections, "read_from_guest", from_guest))
        for module in (continuation, electorate, log, messages):
            stack.enter_context(patch.object(module, "is_signed", is_signed_once))
        for module in (tables, verifying, stored_log, laws):
            stack.enter_context(patch.object(module, "fold", fold_once))
        stack.enter_context(patch.object(log.Entry, "read", classmethod(read_once)))
        stack.enter_context(patch.object(log.Intent, "read", classmethod(intent_once)))
        yield
