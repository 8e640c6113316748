"""Stages for transcripts of plain lines: a table in memory, and a lobby, with one who types.

    @ answering rules=hollywood players=2 seat=speaker   a table in this moment (`scenes.MOMENTS`)
    @ table 2 seat=3 watcher        a new one, with somebody more who watches
    @ school 1 1 2                  a school with these fists and calls: `call=2`
    @ lobby
    > text                          the reader types
    * say 2 call                    what others do: say, choose, ready, cut, add, talk, mute …
    * hear opened                   what the background tells
    ~ say call                      the same, and only what is told of it at once
    ~> text                         typed while that is still to be told

`seat` is the reader's; `host` makes the reader the host of it, `terminal` gives a terminal. An
answer with `=` is something that is done and not told.
"""

from __future__ import annotations

import ast
import io
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Malformed, Reason
from protocol.guest.effects import CodeWanted, WentOn
from protocol.rules.options import Rules
from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, Gesticulate, Gesture, Measure, Say, Sit, Vote
from protocol.wire.messages import Card, Farewell, State
from spoof_tui.door.program import DoorFailed, DoorOpened
from spoof_tui.network.addresses import Address, own_addresses
from spoof_tui.network.probe import FoundTable
from spoof_tui.plain.lines import LineWriter
from spoof_tui.plain.lobby import PlainLobby
from spoof_tui.plain.program import PlainProgram
from spoof_tui.runtime import notices
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.notices import CodeChange
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage.identity import Holder
from spoof_tui.storage.settings import Settings
from spoof_tui.text import coin_words, i18n
from tests.helpers.tables import MemoryTable
from tests.helpers.telling import told
from tests.helpers.vectors import word_of
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school

NOTICES: Final[Mapping[str, object]] = {
    "low": notices.NotAllowed(Illegal(Reason.BID_TOO_LOW, standing=4)),
    "saved": notices.Saved(Path("game.spoof")),
    "not-saved": notices.NotSaved(OSError(28, "No space left on device")),
    "disk": notices.DiskTrouble(OSError(28, "No space left on device"), is_host=True),
    "not-kept": notices.NotKept(is_host=True),
    "closed": notices.Ended(Farewell.CLOSED),
    "no-code": CodeWanted(Farewell.NO_CODE),
    "wrong-code": CodeWanted(Farewell.WRONG_CODE),
    "too-many": notices.TurnedAway(Farewell.TOO_MANY),
    "broken": notices.Broken(Malformed("what"), Path("evidence")),
    "went-on": WentOn.__new__(WentOn),
    "standing": notices.Standing(),
    "in-use": notices.CannotOpen(OSError(98, "in use")),
    "key-in-use": notices.CannotOpen(notices.KeyInUse()),
    "door": notices.DoorChanged(DoorOpened(2222, "SHA256:abc")),
    "no-door": notices.DoorChanged(DoorFailed("No door here.")),
    "shut": notices.DoorChanged(None),
    "opened": notices.Opened(7763, "No network.", "K7M4Q", "10.0.0.2:7763"),
    "moved-away": notices.AddressesChanged("192.168.7.9:7763", None),
    "practice": notices.Opened(None, None, None),
    "new-code": notices.NewCode("K7M4Q", CodeChange.ASKED),
    "elsewhere": notices.OpenElsewhere(ForeignText("Ev\x1bil")),
    "reopened": notices.Reopened(),
    "held": notices.SeatHeld(Holder(7, "/dev/pts/3"), is_other_free=True),
    "held-here": notices.SeatHeld(Holder(7, ""), is_other_free=False),
    "taken-over": notices.TakenOver(Holder(7, "/dev/pts/1")),
}
"""Notices of the background by name."""


class Stage:
    """One scene of a transcript: a table or a lobby, whichever it begins with."""

    def __init__(self) -> None:
        self._play: TableStage | LobbyStage | None = None

    def __call__(self, said: str) -> Iterator[str]:
        sign, _, text = said.partition(" ")
        if sign == "@":
            i18n.play_with(coin_words.COINS)
            self._play = LobbyStage() if text == "lobby" else TableStage(text.split())
            yield from self._play.first
        else:
            assert self._play, "a scene begins with @"
            yield from self._play.hear(sign, ast.literal_eval(f"'''{text} '''")[:-1])
            yield from (f"= {each}" for each in self._play.done())


class TableStage:
    """A reader at a table in memory."""

    def __init__(self, words: list[str]) -> None:
        given = dict(word.split("=", 1) for word in words if "=" in word)
        rules = given.get("rules", "milan").replace("+", " ")
        match [word for word in words if "=" not in word]:
            case ["table", players, *more]:
                self.table = MemoryTable(int(players), rules, clock=int(given.get("clock", 0)))
            case ["school", *hands]:
                more = []
                calls = filter(None, given.get("call", "").split(","))
                self.table = a_school([*map(int, hands)], *map(int, calls))
            case [moment, *more]:
                self.table = at(moment, int(given.get("players", 3)), rules)
        if "watcher" in more:
            self.table.add(sit=False)
        seat = given.get("seat", "1")
        place = self._speaker() if seat == "speaker" else int(seat) - 1
        self.reader = Reader(self.table, place, is_terminal="terminal" in more)
        self.reader.client.know(is_host="host" in more)
        self.first = self.reader.first

    def _speaker(self) -> int:
        return self.table.clients.index(self.table.speaker())

    def hear(self, sign: str, text: str) -> list[str]:
        """The lines after something was typed or done."""
        reader = self.reader
        if sign == ">":
            return reader.type(text)
        if sign == "~>":
            reader.say(text)
            reader.table.show()
            return reader.heard()
        name, *words = text.split(" ", 2)
        if name == "hear":
            here = next(iter(own_addresses()), "127.0.0.1")
            return [line.replace(here, "ADDRESS") for line in reader.hear(NOTICES[words[0]])]
        self._do(name, words)
        return reader.begin_to_look() if sign == "~" else reader.look()

    def _do(self, name: str, words: list[str]) -> None:
        table = self.table
        numbers = [int(word) - 1 for word in words if word.isdigit()]
        some = [table.clients[number] for number in numbers if number < len(table.clients)]
        match name:
            case "look":
                pass
            case "say":
                table.say(*map(word_of, " ".join(words).split()))
            case "choose":
                table.choose(*map(int, " ".join(words).split()))
            case "ready":
                table.ready(*some)
            case "cut":
                table.cut(some[0])
            case "connect":
                table.connect(some[0])
            case "copy":
                table.go_on_with_copy(some[0])
            case "add":
                table.add(name=" ".join(words))
            case "ssh":
                late = table.add(sit=False)
                table.act(late, late.guest.propose(Sit(ForeignText(words[0]), through_door=True)))
            case "talk":
                table.act(some[0], some[0].guest.propose(Say(ForeignText(words[1]))))
            case "gesture":
                table.act(some[0], some[0].guest.propose(Gesticulate(Gesture(words[1]))))
            case "pause":
                table.decide(Measure.PAUSE, NO_ONE)
            case "ask":
                table.act(some[0], some[0].guest.propose(Vote(Measure.PAUSE, NO_ONE, yes=True)))
            case "strangers" | "heirs":
                keys = [each.guest.key for each in some]
                heirs = frozenset(keys if name == "heirs" else ())
                self.reader.client.know(strangers=tuple(keys), heirs=heirs)
            case "open":
                self.reader.client.know(is_shut=False)
            case _:
                table.decide(Measure(name), some[0].guest.key)

    def done(self) -> Iterator[str]:
        """What was done without a line since the last time."""
        reader, asked = self.reader, self.reader.client.asked
        for each in asked:
            yield " ".join(map(_plainly, each))
        yield from (f"left to {_plainly(heir)}" if heir else "left" for heir in reader.left)
        yield from (f"speak {language}" for language in reader.spoken)
        yield from (*["examine"] * reader.examined, *["turn lines"] * reader.turned_lines)
        if reader.table.asked_for is not None and reader.stream.getvalue().endswith("\a"):
            yield "bell"
        asked.clear()
        reader.spoken.clear()
        reader.left.clear()
        reader.examined = reader.turned_lines = 0


def _plainly(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()[:8]
    return ", ".join(map(_plainly, value)) if isinstance(value, tuple) else str(value)


class LobbyStage:
    """A lobby in plain lines, and what it wants from the evening."""

    def __init__(self) -> None:
        self.settings = Settings("Olha")
        self.stream = io.StringIO()
        self.lines = LineWriter(self.stream, is_terminal=False)
        self._done: list[str] = []
        self._read = 0
        self.lobby = PlainLobby(cast(PlainProgram, self))
        self.lobby.greet()
        self.first = self._heard()

    def begin(self, launch: Launch) -> None:
        self._done.append(told(launch))

    def keep(self, **chosen: Any) -> None:
        self.settings = replace(self.settings, **chosen)
        self._done.append(f"keep {chosen}")

    def look_at(self, address: Address) -> None:
        self._done.append(f"look at {address.text}")

    def speak(self, language: str) -> None:
        self._done.append(f"speak {language}")

    def diagnose(self) -> None:
        self._done.append("examine")

    def turn_lines(self) -> None:
        self._done.append("turn lines")

    def leave(self) -> None:
        self._done.append("leave")

    def hear(self, sign: str, text: str) -> list[str]:
        """The lines after something was typed, or found on the network."""
        if sign == ">":
            self.lobby.typed(text)
        else:
            name, *words = shlex.split(text)
            if name == "kept":
                self.lobby.kept(tuple(kept(*each) for each in enumerate(words, 1)))
            else:
                trouble = "No network." if name == "trouble" else None
                tables = tuple(found(word) for word in words)
                self.lobby.found(tables, trouble, is_told=name != "quietly")
        return self._heard()

    def done(self) -> Iterator[str]:
        """What was done without a line since the last time."""
        yield from self._done
        self._done.clear()

    def _heard(self) -> list[str]:
        new, self._read = self.stream.getvalue()[self._read :], len(self.stream.getvalue())
        return new.splitlines()


def found(word: str) -> FoundTable:
    """A table such as `3:Snug` (its number and name); `!` is another version, `*` open to all."""
    number, _, name = word.partition(":")
    card = Card(
        bytes([int(number)]) * 32, ForeignText(name.strip("!*")), ForeignText("Ben"),
        Rules.parse("milan"), 9, 3, State.GATHERING, not name.endswith("*"), 0,
    )  # fmt: skip
    address = Address("10.0.0.7", 7000 + int(number))
    return FoundTable(address, None if name.endswith("!") else card, 1, "1")


def kept(number: int, name: str) -> SavedTable:
    """A table that broke off."""
    return SavedTable(bytes([number]) * 32, ForeignText(name), 0, Phase.CHOOSING, 2, 3, b"h" * 32)
