"""Stakes and gloating end to end: the same in log, verdict, record and check."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from protocol.rules.options import PRESETS, Gloating
from protocol.table.statements import Gesticulate, Gesture
from spoof_tui.__main__ import main
from spoof_tui.storage.archive import Archive
from tests.helpers.tables import MemoryTable

BIDDING = ("milan", "bid-spoof", "three-coins")


# From the log to the record


@pytest.mark.parametrize("stake", ["pot", "drinks", "none"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_every_preset_and_stake_is_the_same_in_log_verify_record_and_check(
    preset: str, stake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPOOF_STATE", str(tmp_path))
    table = MemoryTable(3, f"{preset} stake={stake}" if preset in BIDDING else preset, seed=3)
    table.ready()
    table.play_on()
    record = Archive().save(table.host.table, table.host.log)
    assert record is not None
    verified = told("verify", str(record.with_suffix(".log")))["logs"][0]
    (checked,) = told("check", str(record))["games"]
    assert verified["holds"] and checked["errors"] == []
    stakes = table.host.table.stakes
    keys = [player["key"] for player in verified["players"]][: len(checked["seats"])]
    chips = checked.get("chips") or {}
    assert {key.hex(): count for key, count in stakes.chips.items()} == verified["stakes"]["chips"]
    assert sorted(chips.values()) == sorted(stakes.chips.values())
    assert len(keys) == 3 and (checked.get("paid") is not None) == bool(stakes.paid)
    assert bool(chips) == (stake == "pot" and preset in BIDDING)
    assert sum(verified["stakes"]["paid"].values()) == len(stakes.paid)


@pytest.mark.parametrize(
    ("preset", "gloating", "gloats"),
    [
        ("milan", Gloating.EXPECTED, True),
        ("bid-spoof", Gloating.EXPECTED, False),
        ("three-coins", Gloating.FINED, True),
        ("milan", Gloating.FINED, False),
        ("bid-spoof", Gloating.FREE, True),
    ],
)
def test_gloating_of_every_kind_is_the_same_in_log_verify_record_and_check(
    preset: str, gloating: Gloating, gloats: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPOOF_STATE", str(tmp_path))
    table = MemoryTable(2, f"{preset} gloating={gloating.value}", seed=3)
    table.ready()
    table.play_on()
    winner = next(client for client in table.clients if client.view.may_gloat)
    if gloats:
        table.act(winner, winner.guest.state(Gesticulate(Gesture.GLOAT)))
    table.ready()
    table.play_on()
    record = Archive().save(table.host.table, table.host.log)
    assert record is not None
    assert told("verify", str(record.with_suffix(".log")))["logs"][0]["holds"]
    assert told("check", str(record))["games"][0]["errors"] == []
    is_marked = gloating is Gloating.EXPECTED and not gloats
    assert ("[Silent " in record.read_text()) == is_marked
    is_fined = gloating is Gloating.FINED and gloats
    assert bool(table.host.table.slate.fines) == is_fined


def told(*words: str) -> dict:  # type: ignore[type-arg]
    """The JSON that a command prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*words, "--json"]) == 0
    return json.loads(out.getvalue())  # type: ignore[no-any-return]
