"""A finished game as the history keeps it: read from its record and the log beside it."""

from __future__ import annotations

import errno
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from protocol.notation.checking import CheckedGame, check
from protocol.notation.reading import read
from protocol.notation.records import GameRecord
from protocol.notation.signs import split_token
from protocol.notation.writing import reduced
from protocol.rules.game import PlayedRound
from protocol.rules.options import MAX_PLAYERS, BiddingRules, GuessingRules, Rules, Stake
from spoof_tui.history.facts import Fact, Facts, Kind, facts_of, takers
from spoof_tui.storage import files
from spoof_tui.storage.archive import Unrecorded
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.paths import BESIDE, LOG
from spoof_tui.storage.stored_log import folded, read_entries
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show

_STEM: Final = re.compile(r"(\d{4}-\d\d-\d\d-\d{6})-.*-game-(\d+)")
"""The name of an archived record: when the game ended, and its number at the table."""


MAX_PARTS: Final = MAX_PLAYERS
"""Parts of one game's record: each removal of a seat begins another (G5)."""

_SIGNED: Final = re.compile(r"[+-]?[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class KeptPlayer:
    """Somebody who was dealt into the game."""

    name: str
    """As in the record, with spaces."""
    place: int
    """1 is the winner, or the first to leave the school by a right guess."""
    coins: int = 0
    """Owned at the end."""
    fines: int = 0
    """Fines from the house in this game."""
    owed: int | None = None
    """Fines on the slate of the evening so far, if a chairman awarded any; else None."""
    chips: int | None = None
    """Chips won or lost in this game, if a pot was played for."""
    rounds_paid: int | None = None
    """Rounds of drinks paid for, if the stake is drinks."""
    took: int = 0
    """Coins that this player took from me."""
    gave: int = 0
    """Coins that this player lost to me."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game in the history."""

    stem: str
    """Name of its files without the suffix."""
    finished: int
    """Milliseconds since 1970."""
    event: str
    """The table's name."""
    rules: str
    preset: str
    """Empty if the record cannot be read."""
    number: int
    """The number of the game at its table, from 1; 0 if unknown."""
    rounds: int
    players: tuple[KeptPlayer, ...]
    """Clockwise."""
    me: int | None = None
    """My seat; None if I only watched."""
    facts: Facts = field(default_factory=Counter)
    """What it says about me; about the table, if I only watched."""


def read_game(path: Path, keys: Collection[bytes], name: str) -> KeptGame:
    """The game of the record at `path`; raises `OSError`.

    I am the player with one of `keys`, or if there is no log beside it, the one called `name`.
    """
    parts = tuple(islice(read([files.read(path, files.MAX_RECORD)]), MAX_PARTS + 1))
    if len(parts) > MAX_PARTS:
        raise files.Unfit(errno.EFBIG, _("it holds more than one game"))
    seen = unrecorded(path)
    found = _STEM.fullmatch(path.stem)
    game = KeptGame(
        path.stem,
        seen.finished or _finished(path, found),
        show(ForeignText(_value(parts, "Event")), MAX_NAME),
        _value(parts, "Rules"),
        "",
        int(found[2]) if found else 0,
        0,
        (),
    )
    source = _source(parts, seen)
    return game if source is None else source.told(game, source.me(keys, name))


def unrecorded(record: Path) -> Unrecorded:
    """What was kept beside a record, or else is in its log; empty if neither can be read."""
    try:
        return Unrecorded.read(files.read(record.with_suffix(BESIDE), files.MAX_RECORD))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        # A game from an earlier version, or from another program.
        pass
    try:
        log = read_entries(Frames(record.with_suffix(LOG)).each())
    except OSError:
        return Unrecorded()
    table = folded(log)
    return Unrecorded.of(table, log) if table else Unrecorded()


def _source(parts: Sequence[GameRecord], seen: Unrecorded) -> _Source | None:
    """What can be counted of a record; None if it is not clear who is who."""
    try:
        rules = Rules.parse(_value(parts, "Rules"))
    except Malformed:
        return None
    checked = [check(part) for part in parts]
    names = _seats(parts[0])
    if not names or len(names) != len(checked[0].seats):
        return None
    stretches = tuple(_stretches(parts, checked, [*names]))
    said = _Stakes(_chips(parts[-1], [*names]), _paid(parts, [*names]))
    return _Source(rules, tuple(names.values()), stretches, seen, said)


def _value(parts: Sequence[GameRecord], header: str) -> str:
    return (parts[0].value(header) or "") if parts else ""


def _finished(path: Path, found: re.Match[str] | None) -> int:
    """When the game ended: by its name, else by the time of its record."""
    if found is not None:
        try:
            return int(datetime.strptime(found[1], "%Y-%m-%d-%H%M%S").timestamp() * 1000)
        except (ValueError, OverflowError):
            pass
    return int(path.stat().st_mtime * 1000)


def _seats(record: GameRecord) -> Mapping[str, str]:
    """The names by tag."""
    pairs = [seat.partition(":") for seat in (record.value("Seats") or "").split()]
    return {
        tag: show(ForeignText(name.replace("_", " ").strip() or tag), MAX_NAME)
        for tag, _colon, name in pairs
    }


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Rounds played by the same seats: each removal of a seat begins another stretch (G5)."""

    seats: tuple[int, ...]
    """The seat in the game, for each seat of these rounds."""
    rounds: tuple[PlayedRound, ...]
    removed: frozenset[int]
    """Seats of the game that were removed after these rounds, with their coins."""

    def local(self, seat: int | None) -> int | None:
        """The index in these rounds of a seat of the game."""
        return self.seats.index(seat) if seat is not None and seat in self.seats else None


def _stretches(
    parts: Sequence[GameRecord], checked: Sequence[CheckedGame], tags: Sequence[str]
) -> Iterator[_Stretch]:
    for part, judged in zip(parts, checked, strict=True):
        if not set(judged.seats) <= set(tags):
            return
        removed = (part.value("Removed") or "").split()
        yield _Stretch(
            tuple(tags.index(tag) for tag in judged.seats),
            tuple(_played(judged)),
            frozenset(tags.index(tag) for tag in removed if tag in tags),
        )


def _played(judged: CheckedGame) -> Iterator[PlayedRound]:
    """The rounds before the first that cannot be counted."""
    for each in judged.rounds:
        if each.said is None or each.outcome is None:
            return
        yield PlayedRound(each.said, each.hands, each.outcome)


@dataclass(frozen=True, slots=True)
class _Stakes:
    """What a record says about the stakes; it need not say anything."""

    chips: Mapping[int, int]
    """Chips won or lost, by seat."""
    paid: int | None
    """The seat that paid the round; `_NOBODY` if nobody here did, None if the record
    does not say."""


_NOBODY: Final = -1


def _chips(last: GameRecord, tags: Sequence[str]) -> Mapping[int, int]:
    """The header `Chips`, as far as it can be read."""
    pairs = [split_token(text) for text in (last.value("Chips") or "").split()]
    return {
        tags.index(tag): int(sign) for tag, sign in pairs if tag in tags and _SIGNED.fullmatch(sign)
    }


def _paid(parts: Sequence[GameRecord], tags: Sequence[str]) -> int | None:
    """The header `Paid`."""
    said = next((value for part in parts if (value := part.value("Paid"))), None)
    if said is None:
        return None
    return tags.index(said) if said in tags else _NOBODY


@dataclass(frozen=True, slots=True)
class _Source:
    """A game that can be counted."""

    rules: Rules
    names: tuple[str, ...]
    """Clockwise."""
    stretches: tuple[_Stretch, ...]
    seen: Unrecorded
    said: _Stakes

    @property
    def is_guessing(self) -> bool:
        return isinstance(self.rules, GuessingRules)

    @property
    def _knows(self) -> bool:
        """Whether the log says who sat where."""
        return len(self.seen.players) == len(self.names)

    def me(self, keys: Collection[bytes], name: str) -> int | None:
        """My seat."""
        if self._knows:
            return next((s for s, key in enumerate(self.seen.players) if key in keys), None)
        own = reduced(ForeignText(name)).replace("_", " ").strip()
        return self.names.index(own) if own and own in self.names else None

    def told(self, game: KeptGame, me: int | None) -> KeptGame:
        """The game with everything that is counted."""
        places = _places(self.stretches, len(self.names), self.is_guessing)
        rivalry = _rivalry(self.stretches, me)
        players = tuple(self._player(seat, place, *rivalry) for seat, place in enumerate(places))
        return replace(
            game,
            preset=self.rules.preset,
            rounds=sum(len(stretch.rounds) for stretch in self.stretches),
            players=players,
            me=me,
            facts=_facts(self.stretches, me, players),
        )

    def _player(self, seat: int, place: int, took: Counter[int], gave: Counter[int]) -> KeptPlayer:
        fines = sum(
            stretch.seats[fined] == seat
            for stretch in self.stretches
            for played in stretch.rounds
            for fined in played.outcome.fined
        )
        owed = self.seen.owed
        return KeptPlayer(
            self.names[seat],
            place,
            0 if self.is_guessing else _coins(self.stretches, seat),
            fines,
            owed.get(self.seen.players[seat], 0) if owed and self._knows else None,
            self._won_chips(seat, place),
            self._rounds_paid(seat, place),
            took[seat],
            gave[seat],
        )

    def _won_chips(self, seat: int, place: int) -> int | None:
        """What the pot brought or cost a seat (S1): as the record says, else by the rules."""
        if not isinstance(self.rules, BiddingRules) or self.rules.stake is not Stake.POT:
            return None
        derived = len(self.names) - 1 if place == 1 else -1
        return self.said.chips.get(seat, derived)

    def _rounds_paid(self, seat: int, place: int) -> int | None:
        """Who pays: the first one out (S2), or the last one left of a school (H12)."""
        if self.is_guessing:
            return int(place == len(self.names))
        if not isinstance(self.rules, BiddingRules) or self.rules.stake is not Stake.DRINKS:
            return None
        payer = _first_out(self.stretches) if self.said.paid is None else self.said.paid
        return int(seat == payer)


def _places(stretches: Sequence[_Stretch], count: int, is_guessing: bool) -> list[int]:
    """The place of every seat: in a school the first to leave is first, otherwise the
    last one left."""
    gone: list[int] = []
    for stretch in stretches:
        for played in stretch.rounds:
            gone += [stretch.seats[seat] for seat in played.outcome.went_out]
        gone += sorted(stretch.removed)
    left = [seat for seat in range(count) if seat not in gone]
    order = [*gone, *left] if is_guessing else [*left, *reversed(gone)]
    return [order.index(seat) + 1 for seat in range(count)]


def _coins(stretches: Sequence[_Stretch], seat: int) -> int:
    """What a seat owned at the end."""
    last = stretches[-1] if stretches else None
    own = last.local(seat) if last and last.rounds else None
    if last is None or own is None or seat in last.removed:
        return 0
    return last.rounds[-1].outcome.coins[own]


def _first_out(stretches: Sequence[_Stretch]) -> int | None:
    """The first seat that went out; removed seats do not count."""
    for stretch in stretches:
        for played in stretch.rounds:
            if played.outcome.went_out:
                return stretch.seats[played.outcome.went_out[0]]
    return None


def _rivalry(stretches: Sequence[_Stretch], me: int | None) -> tuple[Counter[int], Counter[int]]:
    """Coins that the others took from me, and lost to me, by seat."""
    took, gave = Counter[int](), Counter[int]()
    for stretch in stretches:
        own = stretch.local(me)
        for played in stretch.rounds if own is not None else ():
            assert own is not None
            for seat, won in takers(played, own):
                (took if won > 0 else gave)[stretch.seats[seat]] += 1
    return took, gave


def _facts(stretches: Sequence[_Stretch], me: int | None, players: Sequence[KeptPlayer]) -> Facts:
    found: Facts = Counter()
    if me is None:
        return found
    for stretch in stretches:
        own = stretch.local(me)
        if own is not None:
            found.update(facts_of(stretch.rounds, own))
    found[Fact(Kind.PLACE, len(players), players[me].place)] += 1
    return found
