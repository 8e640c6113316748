"""Which tables of this disk could go on, and as what."""

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.table.fold import Phase
from spoof_tui.runtime import saved_tables
from spoof_tui.runtime.saved_tables import SavedTable, continuable


def kept(host: bytes, time: int, seat: bytes | None = None) -> SavedTable:
    return SavedTable(
        bytes(32), ForeignText("The Golden Pier"), time, Phase.CHOOSING, 1, 1, host, seat
    )


@pytest.mark.parametrize(
    ("hosted", "sat", "goes_on"),
    [
        ((b"ann", 7), (b"bob", 9), "seat"),
        ((b"ann", 9), (b"bob", 7), "host"),
        ((b"ann", 7), (b"ann", 9), "host"),
        (None, (b"bob", 7), "seat"),
    ],
)
def test_one_goes_back_as_what_one_was_last(
    monkeypatch: pytest.MonkeyPatch,
    hosted: tuple[bytes, int] | None,
    sat: tuple[bytes, int],
    goes_on: str,
) -> None:
    monkeypatch.setattr(saved_tables, "resumable", lambda most: [kept(*hosted)] if hosted else [])
    monkeypatch.setattr(saved_tables, "_seats_kept", lambda: [kept(*sat, seat=b"cem")])
    [found] = continuable()
    assert (found.seat is not None) == (goes_on == "seat")
