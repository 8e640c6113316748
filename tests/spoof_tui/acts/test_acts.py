"""Acts: one row each, from which keys, labels, help, palette, plain lines and manual follow."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from textual.binding import Binding
from textual.widget import Widget

from protocol.rules.words import Ending
from protocol.table.statements import NO_ONE, Measure, Vote
from spoof_tui import ui
from spoof_tui.acts import lobby, table
from spoof_tui.acts.act import Act, AnyAct, Asked, KeyLabel, asked, key_acts, key_of
from spoof_tui.acts.key_lists import all_keys, table_keys
from spoof_tui.commands.help import told
from spoof_tui.plain.typed import meaning
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling.sentences import word_name
from spoof_tui.text.documents import FOLDER
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.history.screen import HISTORY
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.replay.player import REPLAY
from spoof_tui.ui.rulebook import RULEBOOK
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen.controls import Controls, Forbidden
from tests.helpers.sides import GuestSide
from tests.helpers.wordings import keys_page
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.lobbies import until
from tests.spoof_tui.ui.table.scenes import MOMENTS, at
from tests.spoof_tui.ui.tables import AtTable


def scene(client: GuestSide, *, is_practice: bool = True) -> Scene:
    """What a host knows about this seat."""
    return Scene(
        view=client.view, code="K7M4Q", address="h:1", is_practice=is_practice,
        known=SeatState(is_host=True, strangers=(b"k",)),
    )  # fmt: skip


def seats() -> list[GuestSide]:
    """Every seat in every moment of both games."""
    return [each for rules in ("milan", "hollywood") for moment in MOMENTS
            for each in at(moment, rules=rules).clients]  # fmt: skip


# One row, and everything that follows from it


@pytest.fixture
def dance(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An act added in one row; where it was done, and with what."""
    done: list[str] = []
    row: AnyAct = Act(
        id="dance", key="u", name=lambda: "dance", about=lambda: "dance on the table",
        label=lambda facts: KeyLabel(1, "dance"),
        do=lambda c, rest: done.append(f"{type(c).__module__} {rest}".strip()),
    )  # fmt: skip
    monkeypatch.setattr(table, "TABLE", (row, *table.TABLE))
    return done


async def test_one_row_is_found_by_key_label_mouse_palette_help_plain_line_and_manual(
    dance: list[str],
) -> None:
    there = at("gathering")
    app = AtTable(there, there.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        assert "u dance" in app.text
        stage = screen.query_one(Stage)
        spots = [(x, y) for y in range(24) for x in range(80) if stage.key_at(x, y) == "u"]
        await pilot.press("u")
        await pilot.click(offset=spots[-1])
        await pilot.press("question_mark")
        assert "dance on the table" in app.text
        await pilot.press("escape", "ctrl+p", *"dance on")
        assert await app.sees(pilot, "dance on the table")
        await pilot.press("down", "enter")
        assert await until(pilot, lambda: len(dance) == 3)
    reader = Reader(at("gathering"))
    assert any("dance (u): dance on the table" in line for line in reader.type("help"))
    reader.type("dance wildly")
    reader.type("u")
    here, plain = "spoof_tui.ui.table.screen.acts", "spoof_tui.plain.acts"
    assert dance == [here, here, here, f"{plain} wildly", plain]
    kept = FOLDER.joinpath("en", "keys.md").read_text("utf-8")
    assert "| `u` | dance on the table |\n" in keys_page(kept)


# The existing rows


def test_every_key_that_is_told_means_one_thing_and_that_is_allowed() -> None:
    for client in seats():
        acts = list(table_keys(scene(client)))
        keys = [act.key for act in acts if act.key]
        assert len(keys) == len(set(keys))
        for key in keys:
            controls = Controls(confirm_endings=False)
            before = repr(controls)
            done = controls.press(key, client.view)
            assert not isinstance(done, Forbidden)
            assert done is not None or repr(controls) != before or key in ("up", "down")


def test_every_act_of_the_table_is_told_at_some_time() -> None:
    gone = at("speaking")
    gone.cut(gone.clients[0])
    asked = at("speaking")
    asked.act(
        asked.clients[1], asked.clients[1].guest.propose(Vote(Measure.PAUSE, NO_ONE, yes=True))
    )
    all_seats = (*seats(), gone.clients[1], asked.clients[0])
    told = {act.key for client in all_seats for is_practice in (False, True)
            for act in table_keys(scene(client, is_practice=is_practice))}  # fmt: skip
    assert {act.key for act in table.TABLE} | set(table.ENDING_KEYS) <= told | {""}


def test_every_key_of_the_lobby_is_bound_to_its_act() -> None:
    bound = {each.key: each.action for each in Binding.make_bindings(LobbyScreen.BINDINGS)}
    assert all(bound[act.key] == f"do({act.id!r})" for act in lobby.LOBBY if act.key)


@pytest.mark.parametrize("acts", [table.TABLE, lobby.LOBBY], ids=["table", "lobby"])
def test_every_act_of_plain_lines_has_names_and_a_letter_of_its_own(
    acts: Sequence[AnyAct], language: str
) -> None:
    words = {word_name(word).split()[0].casefold() for word in Ending}
    seen: set[str] = set()
    for act in acts:
        if act.name is None:
            continue
        names = {act.id, act.name().casefold(), act.plain_letter} - {""}
        assert not names & seen and not names & words
        seen |= names
        for text in (*names, act.name().upper()):
            assert asked(f"{text} 2", acts) == Asked(act, "2"), text


def test_a_letter_of_another_layout_is_that_of_its_key() -> None:
    view = at("answering").clients[0].view
    assert meaning("с", view) is Ending.CALL
    assert meaning("к", view) == Asked(table.READY)


def test_a_label_leads_back_to_its_key(language: str) -> None:
    keys = [*lobby.lobby_keys(), *table_keys(scene(at("answering").speaker())),
            *key_acts(REPLAY, None), *key_acts(RULEBOOK, None)]  # fmt: skip
    found = [(key_of(each.caption), each.key) for each in keys if each.key and not each.shown]
    assert found and all(label == key for label, key in found)
    assert [key_of(label) for label in ("", "Say:", "Your turn", "Я", "12")] == [None] * 5


SEVERAL: Final = {
    "a": {"invite", "join"}, "g": {"history", "rounds", "back"}, "h": {"rules", "back"},
    "k": {"odds", "review"}, "q": {"quit", "back"}, "x": {"network", "verify"},
    "n": {"no", "host"}, "p": {"postcard", "play"}, "y": {"yes", "continue"},
}  # fmt: skip
"""Letters that stand for several acts, which are one to a player.

What g and h open is also closed by them; a takes an address or tells it; k asks the coach, x
checks, y goes on; n opens a new table where nobody asks for anything yet; p is for a game that is
over: it plays in a replay, and is told in a postcard.
"""


def letters() -> Iterator[tuple[str, str]]:
    """Every letter with what it does, from the rows of acts and the keys of everything else."""
    for each in (*table.TABLE, *lobby.LOBBY, *REPLAY, *HISTORY, *RULEBOOK):
        for key in (each.key, each.letter, *each.also):
            yield key, each.id
    for key, word in table.ENDING_KEYS.items():
        yield key, word.name.lower()
    yield from ((bound.key, "") for bound in _of_dialogs())


def _of_dialogs() -> Iterator[Binding]:
    """Keys bound without a row: in dialogs, and in their parts."""
    for module in pkgutil.walk_packages(ui.__path__, f"{ui.__name__}."):
        importlib.import_module(module.name)
    for kind in _kinds(Widget):
        if kind.__module__.startswith(ui.__name__):
            yield from Binding.make_bindings(kind.__dict__.get("BINDINGS", ()))


def _kinds(kind: type[Widget]) -> Iterator[type[Widget]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)


def test_what_tells_the_tail_of_an_answer_is_no_key_but_for_a_slash() -> None:
    signs = {"semicolon", "colon", "slash", "backslash", "ctrl+g"}
    assert {key for bound, _ in letters() for key in bound.split(",")} & signs == {"slash"}


def test_a_letter_means_one_thing_everywhere() -> None:
    found: dict[str, set[str]] = {}
    for key, what in letters():
        if len(key) == 1 and key.isalpha():
            found.setdefault(key, set()).add(what)
    acts = {key: what - {""} for key, what in found.items()}
    assert all(acts.values()), "no dialog has a letter of its own"
    assert {key: what for key, what in acts.items() if len(what) > 1} == SEVERAL


def test_the_manual_names_every_key_of_the_table() -> None:
    said = " ".join(told("keys", 200))
    assert all(re.search(rf"(^|\s){re.escape(name)}\s", said) for name, _words in all_keys())
