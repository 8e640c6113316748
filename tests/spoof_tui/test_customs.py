"""The customs of RULES.md that the table carries, each by its name; and stakes end to end."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from protocol.rules.house import Pronouncement
from protocol.rules.options import PRESETS, Gloating
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.statements import Gesticulate, Gesture, Speak
from protocol.views import FistState
from spoof_tui.__main__ import main
from spoof_tui.storage.archive import archive
from spoof_tui.text import i18n
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.guessing import drinks
from spoof_tui.ui.table.heap import heap_of
from spoof_tui.ui.tokens import coins_again, play_with
from spoof_tui.ui.wording.house import pronounced
from spoof_tui.ui.wording.names import seat_names
from spoof_tui.ui.wording.sentences import word_name
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    at,
    counted,
    drawn,
    lines,
    open_next,
    pay,
    scene_at,
    seen,
    text,
)

BIDDING = ("milan", "bid-spoof", "three-coins")


@pytest.fixture(autouse=True)
def _plain_again() -> Iterator[None]:
    yield
    i18n.install("en")
    coins_again()


def spoken(table: MemoryTable, what: Pronouncement) -> str:
    """The last time that the house said this."""
    view = table.clients[0].view
    return pronounced(view, [each for each in view.pronounced if each.what is what][-1])


# One by one


def test_opening_your_hand_is_the_call() -> None:
    scene = counted(ending=Ending.CALL)
    assert scene.last
    open_next(scene)
    assert scene.showing and tuple(scene.showing.hands) == (scene.last.outcome.ender,)


def test_the_pot_in_the_middle_and_lost_coins_on_the_pile() -> None:
    scene = counted(ending=Ending.CLIFF)
    pay(scene)
    shown = text(drawn(scene)["ring"])
    assert "pot 3" in shown and "pile 1" in shown


def test_the_direction_is_chosen_by_the_starter_and_drawn_round_the_table() -> None:
    table = at("speaking")
    opener = next(client for client in table.clients if client.view.my_turn)
    assert opener.view.may_turn
    table.act(opener, opener.guest.state(Speak(Bid(2), Direction.COUNTER_CLOCKWISE)))
    assert {client.view.direction for client in table.clients} == {Direction.COUNTER_CLOCKWISE}
    rim = text(drawn(seen(table.clients[0]))["ring"]).splitlines()[7]
    assert (rim[0], rim[-1]) == ("↓", "↑")


def test_when_the_hands_are_out_the_fists_are_in_a_ring() -> None:
    table = at("speaking")
    assert spoken(table, Pronouncement.HANDS_OUT)
    assert {seat.fist for seat in table.clients[0].view.seats} == {FistState.IN}


def test_the_stick_is_shown_to_whom_it_points() -> None:
    table = at("choosing")
    view = table.clients[0].view
    assert view.starter is not None
    assert seat_names(view)[view.starter] in spoken(table, Pronouncement.STICK)


def test_the_hoover_is_announced() -> None:
    table = at("choosing")
    table.choose(1, 0, 0)
    table.say(Bid(6), Ending.CALL)
    bidder = table.clients[0].view.past[-1].words.words[0][0]
    assert seat_names(table.clients[0].view)[bidder] in spoken(table, Pronouncement.HOOVER)


def test_cliff_giveth_and_cliff_taketh_away() -> None:
    table = at("choosing")
    table.choose(1, 1, 0)
    table.say(Bid(2), Ending.CLIFF)
    winner = table.clients[0].view.past[-1].outcome.ender
    table.choose(0, 0, 0)
    table.say(Ending.SPOOF)
    assert seat_names(table.clients[0].view)[winner] in spoken(table, Pronouncement.CLIFF)


def test_drinks_the_first_out_orders_and_the_last_one_pays() -> None:
    view = at("over", rules="hollywood").clients[0].view
    assert view.winner is not None
    first = next(each.outcome.went_out[0] for each in view.past if each.outcome.went_out)
    assert seat_names(view)[first] in drinks(view, seat_names(view))[0] or view.may_order
    assert view.slate.paid == (view.seats[view.winner].key,)


def test_drinks_the_slate_keeps_the_rounds_of_the_evening() -> None:
    view = at("over", rules="milan stake=drinks").clients[0].view
    first = next(each.outcome.went_out[0] for each in view.past if each.outcome.went_out)
    assert view.stakes.paid == (view.seats[first].key,)


@pytest.mark.parametrize("token", ["pebbles", "buttons"])
def test_pebbles_or_buttons_instead_of_coins(token: str) -> None:
    scene = scene_at("choosing", rules=f"three-coins token={token}")
    assert scene.view
    play_with(scene.view.rules.token)
    shown = text(lines(table_parts(scene, 80, 24), 80, 24))
    assert f"Hide 0 to 3 of your {token}." in shown


def test_the_kyiv_words_are_those_of_the_ukrainian_interface() -> None:
    i18n.install("uk")
    assert [word_name(word) for word in Ending] == [
        {"call": "не вірю", "cliff": "точно", "spoof": "максимум", "zero": "пусто"}[word.value]
        for word in Ending
    ]


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
    record = archive(table.host.table, table.host.log)
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
    record = archive(table.host.table, table.host.log)
    assert record is not None
    assert told("verify", str(record.with_suffix(".log")))["logs"][0]["holds"]
    assert told("check", str(record))["games"][0]["errors"] == []
    is_marked = gloating is Gloating.EXPECTED and not gloats
    assert ("[Silent " in record.read_text()) == is_marked
    is_fined = gloating is Gloating.FINED and gloats
    assert bool(table.host.table.slate.fines) == is_fined


def told(*words: str) -> dict:  # type: ignore[type-arg]
    """What a command prints as JSON."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*words, "--json"]) == 0
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


@pytest.mark.parametrize("preset", BIDDING)
def test_the_pot_of_every_preset_can_be_played_for_and_is_taken(preset: str) -> None:
    table = MemoryTable(3, f"{preset} stake=pot", seed=4)
    table.ready()
    assert heap_of(table.clients[1].view).pot == 3
    table.play_on()
    views = [client.view for client in table.clients]
    assert {view.stakes.pot for view in views} == {0}
    assert len({tuple(sorted(view.stakes.chips.items())) for view in views}) == 1
