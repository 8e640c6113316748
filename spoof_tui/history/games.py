"""A finished game in the form that the history stores, read from its record and the log beside
it."""

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
"""The file name of an archived record: when the game ended, and its number at the table."""


MAX_PARTS: Final = MAX_PLAYERS
"""The most parts of one game's record; each removal of a seat begins another (G5)."""

_SIGNED: Final = re.compile(r"[+-]?[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class KeptPlayer:
    """A player of a game in the history."""

    name: str
    """The name as in the record, with spaces for underscores."""
    place: int
    """Place from 1: the winner or, in the guessing game, the first who guessed right and left."""
    coins: int = 0
    """Coins owned at the end."""
    fines: int = 0
    """Fines of this game that the rules imposed."""
    owed: int | None = None
    """Fines on the slate of the evening so far, if a chairman awarded any; otherwise None."""
    chips: int | None = None
    """Chips won or lost in this game; None unless a pot was played for."""
    rounds_paid: int | None = None
    """Rounds of drinks paid for; None unless drinks were played for."""
    took: int = 0
    """Coins that this player took from me."""
    gave: int = 0
    """Coins that this player lost to me."""


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game in the history."""

    stem: str
    """Name of the game's files without the suffix."""
    finished: int
    """When it ended, in milliseconds since 1970."""
    event: str
    """The table's name."""
    rules: str
    preset: str
    """The preset of the rules; empty if the record cannot be read."""
    number: int
    """The number of the game at its table, from 1; 0 if unknown."""
    rounds: int
    players: tuple[KeptPlayer, ...]
    """The players, clockwise."""
    me: int | None = None
    """My seat; None if I only watched."""
    facts: Facts = field(default_factory=Counter)
    """Facts about me; if I only watched, those about the table."""


def read_game(path: Path, keys: Collection[bytes], name: str) -> KeptGame:
    """The game of the record at `path`; raises `OSError`.

    I am the player with one of `keys` or, if no log tells the keys, the one called `name`.
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
    """What a record does not say, from the file beside it or from its log; empty if neither can be
    read."""
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
    """The game in a form that can be counted; None if the record does not make clear who is who."""
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
    """When the game ended, in milliseconds since 1970: by the file's name, or else by its time."""
    if found is not None:
        try:
            return int(datetime.strptime(found[1], "%Y-%m-%d-%H%M%S").timestamp() * 1000)
        except (ValueError, OverflowError):
            pass
    return int(path.stat().st_mtime * 1000)


def _seats(record: GameRecord) -> Mapping[str, str]:
    """The names of the seats by their tags in the record."""
    pairs = [seat.partition(":") for seat in (record.value("Seats") or "").split()]
    return {
        tag: show(ForeignText(name.replace("_", " ").strip() or tag), MAX_NAME)
        for tag, _colon, name in pairs
    }


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Consecutive rounds with the same seats; each removal of a seat begins another stretch
    (G5)."""

    seats: tuple[int, ...]
    """For each seat of these rounds, its index in the whole game."""
    rounds: tuple[PlayedRound, ...]
    removed: frozenset[int]
    """Indices, in the whole game, of seats that were removed with their coins after these
    rounds."""

    def local(self, seat: int | None) -> int | None:
        """The index in these rounds of a seat of the whole game; None if it is not among them."""
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
    """The rounds up to the first one that cannot be counted."""
    for each in judged.rounds:
        if each.said is None or each.outcome is None:
            return
        yield PlayedRound(each.said, each.hands, each.outcome)


@dataclass(frozen=True, slots=True)
class _Stakes:
    """What a record says about the stakes, which may be nothing."""

    chips: Mapping[int, int]
    """Chips won or lost, by seat."""
    paid: int | None
    """The seat that paid for the round; `_NOBODY` if none of these, None if the record does not
    say."""


_NOBODY: Final = -1


def _chips(last: GameRecord, tags: Sequence[str]) -> Mapping[int, int]:
    """Chips by seat from the header `Chips`; what cannot be read is left out."""
    pairs = [split_token(text) for text in (last.value("Chips") or "").split()]
    return {
        tags.index(tag): int(sign) for tag, sign in pairs if tag in tags and _SIGNED.fullmatch(sign)
    }


def _paid(parts: Sequence[GameRecord], tags: Sequence[str]) -> int | None:
    """The seat that the header `Paid` names; `_NOBODY` if none of these, None without the
    header."""
    said = next((value for part in parts if (value := part.value("Paid"))), None)
    if said is None:
        return None
    return tags.index(said) if said in tags else _NOBODY


@dataclass(frozen=True, slots=True)
class _Source:
    """A game that can be counted, as its record and log tell it."""

    rules: Rules
    names: tuple[str, ...]
    """The names of the players, clockwise."""
    stretches: tuple[_Stretch, ...]
    seen: Unrecorded
    said: _Stakes

    @property
    def is_guessing(self) -> bool:
        return isinstance(self.rules, GuessingRules)

    @property
    def _knows(self) -> bool:
        """Whether the log told the key of every seat."""
        return len(self.seen.players) == len(self.names)

    def me(self, keys: Collection[bytes], name: str) -> int | None:
        """My seat, by key if the log tells the keys, otherwise by name; None if I did not play."""
        if self._knows:
            return next((s for s, key in enumerate(self.seen.players) if key in keys), None)
        own = reduced(ForeignText(name)).replace("_", " ").strip()
        return self.names.index(own) if own and own in self.names else None

    def told(self, game: KeptGame, me: int | None) -> KeptGame:
        """`game` with places, facts and everything else that is counted filled in."""
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
        """Chips that the pot brought or cost a seat (S1), by the record or else by the rules.

        None unless a pot was played for.
        """
        if not isinstance(self.rules, BiddingRules) or self.rules.stake is not Stake.POT:
            return None
        derived = len(self.names) - 1 if place == 1 else -1
        return self.said.chips.get(seat, derived)

    def _rounds_paid(self, seat: int, place: int) -> int | None:
        """1 if the seat paid for the round (S2, H12), otherwise 0; None unless drinks were played
        for."""
        if self.is_guessing:
            return int(place == len(self.names))
        if not isinstance(self.rules, BiddingRules) or self.rules.stake is not Stake.DRINKS:
            return None
        payer = _first_out(self.stretches) if self.said.paid is None else self.said.paid
        return int(seat == payer)


def _places(stretches: Sequence[_Stretch], count: int, is_guessing: bool) -> list[int]:
    """The place of every seat, from 1.

    The first is the last one still in or, in the guessing game, the first who left.
    """
    gone: list[int] = []
    for stretch in stretches:
        for played in stretch.rounds:
            gone += [stretch.seats[seat] for seat in played.outcome.went_out]
        gone += sorted(stretch.removed)
    left = [seat for seat in range(count) if seat not in gone]
    order = [*gone, *left] if is_guessing else [*left, *reversed(gone)]
    return [order.index(seat) + 1 for seat in range(count)]


def _coins(stretches: Sequence[_Stretch], seat: int) -> int:
    """The coins that a seat owned at the end."""
    last = stretches[-1] if stretches else None
    own = last.local(seat) if last and last.rounds else None
    if last is None or own is None or seat in last.removed:
        return 0
    return last.rounds[-1].outcome.coins[own]


def _first_out(stretches: Sequence[_Stretch]) -> int | None:
    """The first seat that went out, not counting removed seats; None if there is none."""
    for stretch in stretches:
        for played in stretch.rounds:
            if played.outcome.went_out:
                return stretch.seats[played.outcome.went_out[0]]
    return None


def _rivalry(stretches: Sequence[_Stretch], me: int | None) -> tuple[Counter[int], Counter[int]]:
    """By seat, how many coins others took from me, and how many they lost to me."""
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
