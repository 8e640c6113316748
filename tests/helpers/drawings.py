"""Lobbies and replays in every state, by name, to be drawn at any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from protocol.wire.messages import State
from spoof_tui.network.probe import FoundTable
from spoof_tui.storage.settings import Practice
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.lobby.drawing import LobbyView
from spoof_tui.ui.lobby.menu import MenuField, MenuRow
from spoof_tui.ui.replay.player import Playback
from spoof_tui.ui.replay.screen import replay_parts
from tests.helpers.laying import drawn
from tests.protocol.notation.games import SCHOOL
from tests.spoof_tui.ui.lobbies import found, strange
from tests.spoof_tui.ui.replay.recordings import FAULTY, TWO_GAMES, player, recording

Draw: TypeAlias = Callable[[tuple[int, int]], Sheet]

TABLES: Final = (
    found(1, name="Night train", host="Crown", locked=False),
    found(2, name="Kitchen", host="Sou", rules="three-coins", seats=4, taken=4),
    found(3, name="Snug", host="Ducat", rules="milan cap=5 zero=first-action"),
    found(4, name="Pier", host="Groat", rules="hollywood", state=State.PLAYING),
    strange(),
)
"""Tables of every kind: open, full, with a code and rules of its own, playing, strange, slow."""

PLAYERS: Final = ("Svitlana", "Dmytro", "Maria", "Olena")
"""The players in the replays."""


def drawings() -> Iterator[tuple[str, Draw]]:
    """Every state by name."""
    for name, view in _lobbies():
        yield f"lobby-{name}", _of_lobby(view)
    for name, shown in _replays():
        yield f"replay-{name}", _of_replay(shown)


def _of_lobby(view: LobbyView) -> Draw:
    return lambda size: Part(Place(0, 0, *size), view).sheet()


def _of_replay(shown: Playback) -> Draw:
    return lambda size: drawn(replay_parts(shown, *size), *size)


def _lobbies() -> Iterator[tuple[str, LobbyView]]:
    empty = LobbyView("Deft Ferret")
    yield "empty", empty
    yield "empty-for-a-while", replace(empty, has_waited=True)
    yield "trouble", replace(empty, trouble="This computer has no network at all.")
    reason = "Nothing can be saved in ~/.local/state/spoof: it belongs to another user."
    yield "not-kept", replace(empty, not_kept=reason)
    yield "not-kept-beside-tables", replace(empty, not_kept=reason, tables=TABLES)
    found_wrong = ("This computer has no network.", "Join one, or plug a cable in.")
    yield "findings", replace(empty, in_the_way=found_wrong, has_waited=True)
    chosen = Practice("hollywood", 1, "hard")
    yield "learn", replace(empty, selected=MenuRow.LEARN, practice=chosen)
    for field in (MenuField.LEVEL, MenuField.RULES):
        yield f"changes-{field.value}", replace(empty, field=field)
    yield "tables", replace(empty, tables=TABLES)
    for place, table in enumerate(TABLES):
        name = table.card.name.raw if table.card else "strange"
        yield (
            f"selects-{name.lower().replace(' ', '-')}",
            replace(empty, tables=TABLES, selected=place),
        )
    kept = frozenset(table.card.table for table in TABLES[3:4] if table.card)
    yield "seat-kept", replace(empty, tables=TABLES, selected=3, seats_kept=kept)
    entries = tuple(MenuRow)
    back = replace(empty, entries=entries[:-1], tables=TABLES[3:], seats_kept=kept, back=TABLES[3])
    yield "seat-to-go-back-to", replace(back, selected=MenuRow.BACK)
    yield "seat-to-go-back-to-and-another-line", back
    continued = replace(empty, entries=entries[1:], continued="Pier")
    yield "continue", replace(continued, selected=MenuRow.CONTINUE)
    broke_off = replace(continued, broke_off="game 1, round 2, just now")
    yield "continue-and-trouble", replace(broke_off, tables=TABLES[:1], trouble="No network.")
    namesakes = (found(1), found(2, host="Olha"))
    yield "namesakes", replace(empty, tables=namesakes, selected=1)
    changed = found(rules="milan cap=5 zero=first-action starter=ender stake=drinks gloating=fined")
    yield "rules-of-its-own", replace(empty, tables=(changed,), selected=0)
    many = _many()
    yield "many", replace(empty, tables=many, selected=0)
    yield "many-at-the-end", replace(empty, tables=many, selected=len(many) - 1)
    yield "search", replace(empty, tables=TABLES[:1], selected=0, search="nig", total=300)
    yield "search-for-none", replace(empty, selected=None, search="zz", total=300)


def _many() -> tuple[FoundTable, ...]:
    return tuple(found(number, name=f"Table {number}") for number in range(1, 19))


def _replays() -> Iterator[tuple[str, Playback]]:
    yield "beginning", player(TWO_GAMES)
    yield "first-word", player(TWO_GAMES, "down", "right")
    yield "raised", player(TWO_GAMES, "down", "right", "right")
    yield "counted", player(TWO_GAMES, "down", "down", "left")
    yield "hands-open", player(TWO_GAMES, "2", "enter", "tab")
    yield "typed-number", player(TWO_GAMES, "2")
    yield "unfinished", player(TWO_GAMES, "end")
    yield "second-game", player(TWO_GAMES, "right_square_bracket")
    yield "won", player(TWO_GAMES, "right_square_bracket", "end")
    yield "fault", player(FAULTY, "down", "down", "down", "left")
    yield "fault-of-a-word", player(FAULTY, "down", "down", "left")
    yield "void", player(FAULTY, "3", "enter", "right", "right", "right")
    yield "faults-at-the-end", player(FAULTY, "end")
    yield "without-seats", player("1. S1 D! (S1 D1) D- = S3 D2")
    yield "playing", player(TWO_GAMES, "down", "space", "tab")
    yield "no-such-round", player(TWO_GAMES, "9", "enter")
    yield "no-game-before", player(TWO_GAMES, "left_square_bracket")
    yield "no-game-behind", player(TWO_GAMES, "right_square_bracket", "right_square_bracket")
    crap = TWO_GAMES.replace('[Coins "O1 D3"]', '[Coins "O1 D3"]\n[Crap "D"]')
    yield "opened-by-crap", player(crap, "right_square_bracket")
    beyond = TWO_GAMES + "2. D1\n"
    yield "round-beyond-the-end", player(beyond, "right_square_bracket", "2", "enter")
    yield "reading", Playback(recording(TWO_GAMES))
    yield "school", player(SCHOOL, "down", "right", "right", "right")
    yield "school-counted", player(SCHOOL, "end")
