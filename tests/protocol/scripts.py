"""The scripts of `protocol/vectors/table.json`: what is said at a table, and what comes of it.

`protocol/vectors/README.md` tells how a script is written. After a change that is meant,
`python -m tests.protocol.scripts` writes down what every table of the file is like at the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.encoding.codec import Message, read_message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Illegal, Malformed
from protocol.rules.game import Game
from protocol.rules.options import FirstCaller, GuessingRules, Rules
from protocol.rules.words import Ending, Verdict
from protocol.table.continuation import draft, sign, signed
from protocol.table.fold import Origin, fold, origin_of
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.state import Phase, Table
from protocol.table.statements import (
    HOSTS,
    NO_ONE,
    PLAYERS,
    Along,
    GameStarted,
    Open,
    Ready,
    Sit,
    TableContinued,
    TableOpened,
    Toss,
)
from protocol.version import PROTOCOL
from tests.helpers.vectors import VECTORS, Case
from tests.protocol.stories import GRACE, PARTICIPANTS, Story, first_entry, signing_key

FILE: Final = VECTORS / "table.json"

HOST: Final = 255
"""Seat letter Z: the participant whose key is the host's."""


def letter(key: bytes) -> str:
    """The letter of a participant, by key."""
    return _LETTERS[key]


def number(name: str) -> int:
    """The participant with a letter."""
    return HOST if name == "Z" else ord(name) - ord("A")


_LETTERS: Final = {
    signing_key(who).public: "Z" if who == HOST else chr(ord("A") + who) for who in PARTICIPANTS
}


@dataclass(frozen=True)
class Step:
    """Something that was said at a table, or was refused."""

    line: str
    before: int
    """Entries in the log before it."""
    table: Table
    """The table before it."""
    entry: Entry
    """The entry that it makes, or would make."""
    code: str | None
    """Why it is refused; None: it is the next entry."""


@dataclass
class Script:
    """A table at which a script is being played."""

    story: Story
    steps: list[Step] = field(default_factory=list)
    """What the lines said one by one; not what macros expanded to."""
    earlier_lots: str = ""
    """The openers that lots picked at the tables that this one continues."""

    @property
    def lots(self) -> str:
        """The openers that lots have picked so far, one letter each."""
        story, found = Story.of(self.story.entries[0]), ""
        for entry in self.story.entries[1:]:
            phase = story.table.phase
            story.take(entry)
            if isinstance(entry.statement, Toss) and phase is not story.table.phase:
                assert story.game.round is not None
                found += letter(story.game.players[story.game.round.starter].key)
        return self.earlier_lots + found

    @property
    def tosses(self) -> str:
        """The first callers that tosses have picked so far, one letter each (H11)."""
        story, found = Story.of(self.story.entries[0]), ""
        for entry in self.story.entries[1:]:
            rounds = len(story.table.game.past) if story.table.game else 0
            story.take(entry)
            game = story.table.game
            if game and game.round and len(game.past) > rounds and tosses_after(game):
                found += letter(game.players[game.round.starter].key)
        return found

    def play(self, lines: Iterable[str | dict[str, Any]]) -> Script:
        """Play line after line; an object must match the table at that point, as far as it goes."""
        for line in lines:
            if isinstance(line, str):
                self._line(line)
            else:
                shown = shows(self.story.table)
                assert {name: shown.get(name) for name in line} == line
        return self

    def copy(self) -> Script:
        """A table with the same past."""
        return Script(self.story.copy(), list(self.steps), self.earlier_lots)

    def _line(self, line: str) -> None:
        said, _, code = (part.strip() for part in line.partition("->"))
        if said.startswith("+"):
            self.story.wait(float(said[1:]))
        elif said.startswith("new-table"):
            self._goes_along(said.split()[1])
        elif said.split()[0] in MACROS:
            name, *arguments = said.split()
            MACROS[name](self.story, *arguments)
        else:
            for entry in self._entries(said):
                self._take(line, entry, code or None)

    def _goes_along(self, along: str) -> None:
        """Those who go along carry on at a new table, which the first of them hosts (G8)."""
        keys = [signing_key(number(each)) for each in along]
        salt = bytes([self.story.table.head.length % 256]) * 32
        drafted = draft(self.story.table, {k.public for k in keys}, keys[0].public, salt)
        opening = signed(drafted, {k.public: sign(k, drafted) for k in keys})
        assert origin_of(opening, self.story.entries) is Origin.HOLDS
        self.earlier_lots = self.lots
        self.story = Story.of(Entry.sign(keys[0], 0, EMPTY, self.story.table.time, opening))
        self.steps.clear()

    def _take(self, line: str, entry: Entry, code: str | None) -> None:
        story = self.story
        step = Step(line, len(story.entries), story.table, entry, code)
        self.steps.append(step)
        if code is None:
            story.take(entry)
            if entry.epoch != step.table.epoch:
                host = story.table.host
                story.host_key = next(k for k in map(signing_key, PARTICIPANTS) if k.public == host)
            return
        assert refusal_of(story.table, entry) == code, line

    def _entries(self, said: str) -> Iterator[Entry]:
        """The entries of a line, each made after the one before was taken."""
        said, _, sequence = (part.strip() for part in said.partition("#"))
        said, _, seen = (part.strip() for part in said.partition("@"))
        authors, kind, *words = said.split()
        if authors == "host-moved":
            yield self._moved([kind, *words])
        elif authors == "host":
            for each in self._announced(kind, words):
                yield self.story.entry(None, each)
        else:
            for who in map(number, self._speaker if authors == "speaker" else authors):
                statement = self._said(who, kind, words)
                intent = self.story.intent(
                    who, statement, self._seen(seen), int(sequence) if sequence else None
                )
                yield self._of(intent)

    @property
    def _speaker(self) -> str:
        is_due = self.story.table.phase is Phase.SPEAKING
        return letter(signing_key(self.story.speaker).public) if is_due else "A"

    def _of(self, intent: Intent) -> Entry:
        table = self.story.table
        time = max(table.time + 1, self.story.now)
        return Entry.sign(self.story.host_key, table.epoch, table.head, time, intent)

    def _seen(self, name: str) -> Head | None:
        """The head of a place such as `turn`, `era-1`, `changed` or `0`; None: all of the log."""
        if not name:
            return None
        place, _, less = name.partition("-")
        at = int(place) if place.isdigit() else len(self.story.entries) + 1  # "length": one more
        if place in ("turn", "era", "changed"):
            at = getattr(self.story.table, place)
        at -= int(less or 0)
        if at > len(self.story.entries):
            return Head(at, bytes(32))
        return self.story.entries[at - 1].head if at else EMPTY

    def _moved(self, words: list[str]) -> Entry:
        host, _by, voters, *epoch = words
        moved = self.story.moving(
            number(host), *map(number, voters), epoch=int(epoch[1]) if epoch else None
        )
        return self.story.moved_entry(moved, number(host))

    def _announced(self, kind: str, words: list[str]) -> Iterator[Message]:
        if kind == "game-started":
            keys = tuple(_key(each) for each in words[0]) if words else None
            yield GameStarted(self.story.table.ready_keys if keys is None else keys)
        elif kind == "table-opened":
            yield self.story.table.opened
        elif kind == "decide":
            yield _read(kind, words[0], _key(words[1]) if words[1:] else NO_ONE)
        elif kind in ("away", "back", "vacated", "time-up", "admitted"):
            for each in words[0]:
                yield _read(kind, _key(each))
        else:
            yield self._said(HOST, kind, words)

    def _said(self, who: int, kind: str, words: list[str]) -> Message:
        if kind in _SEALED:
            return _SEALED[kind](self.story, who, words)
        if kind in ("sit", "say"):
            return _TEXTS[kind](words)
        if kind in ("elect", "away", "admitted"):
            return _read(kind, _key(words[0]))
        if kind == "fine":
            return _read(kind, _key(words[0]), words[1])
        if kind in ("vote", "decide"):
            about = _key(words[1]) if words[1:] and words[1] != "no" else NO_ONE
            return _read(kind, words[0], about, *([words[-1] != "no"] if kind == "vote" else []))
        fields: list[object] = [int(each) if each.lstrip("-").isdigit() else each for each in words]
        if kind == "word":
            fields += [None] * (2 - len(fields))
        if kind == "game-started":
            fields = [self.story.table.ready_keys]
        return _read(kind, *fields)


def _key(name: str) -> bytes:
    return signing_key(number(name)).public


def _read(*raw: object) -> Message:
    return read_message({**PLAYERS, **HOSTS}, raw)


def _sit(words: list[str]) -> Message:
    return Sit(ForeignText("Name"), through_door="door" in words)


def _ready(story: Story, who: int, words: list[str]) -> Message:
    del words
    return Ready(story.share(who).seal)


def _toss(story: Story, who: int, words: list[str]) -> Message:
    share = story.share(who)
    return Toss(bytes(32) if words else share.share, share.nonce)


def _fist(story: Story, who: int, words: list[str]) -> Message:
    if story.table.game is None:
        return _read("fist", bytes(32))
    hand = story.hand(who, int(words[0]) if words else 0)
    if story.table.phase is Phase.CHOOSING:
        story.hands[who] = hand
    return _read("fist", hand.seal)


def _open(story: Story, who: int, words: list[str]) -> Message:
    hand = story.hands.get(number(words[1]) if words[1:] else who)
    if hand is None:
        return Open(0, bytes(32))
    return Open(int(words[0]) if words else hand.coins, hand.nonce)


_SEALED: Final[Mapping[str, Callable[[Story, int, list[str]], Message]]] = {
    "ready": _ready, "toss": _toss, "fist": _fist, "open": _open,
}  # fmt: skip
_TEXTS: Final[Mapping[str, Callable[[list[str]], Message]]] = {
    "sit": _sit,
    "say": lambda words: _read("say", " ".join(words) or "hm"),
}


def _deal(story: Story, players: str) -> None:
    who = tuple(map(number, players))
    story.start(*who)
    if story.table.phase is Phase.LOT:
        story.toss(*who)


def _say(story: Story, *words: str) -> None:
    for word in words:
        story.tell(story.speaker, _read("word", int(word) if word.isdigit() else word, None))


def _play(story: Story, entries: str = "9999") -> None:
    """The plainest game: see the README."""
    rest = int(entries)
    while story.table.phase is not Phase.GATHERING and rest:
        rest -= 1
        if story.table.phase is Phase.LOT:
            story.toss(story.awaited[0])
        elif story.table.phase is Phase.CHOOSING:
            story.fists_of({story.awaited[0]: 0})
        elif story.table.phase is Phase.SPEAKING:
            _say(story, _plain_word(story))
        elif story.table.phase is Phase.WITNESSING:
            story.witness(story.awaited[0])
        else:
            story.open(story.awaited[0])


def _plain_word(story: Story) -> str:
    round_ = story.game.round
    assert round_ is not None
    if story.table.is_guessing:
        taken = {call.number for call in round_.calls}  # type: ignore[union-attr]
        return str(min(set(range(len(taken) + 1)) - taken))
    return "call" if round_.words else str(sum(story.game.coins))


MACROS: Final[Mapping[str, Callable[..., object]]] = {
    "confirm": lambda story: story.confirm(),
    "start": lambda story, players: story.start(*map(number, players)),
    "deal": _deal,
    "fists": lambda story, *hands: story.fists(*map(int, hands)),
    "say": _say,
    "witness": lambda story: story.witness(),
    "opened": lambda story: story.open(),
    "plain": _play,
}


def refusal_of(table: Table, entry: Entry) -> str | None:
    """The code for which an entry does not follow; None if it does."""
    try:
        fold(table, Entry.read(entry.blob, table.host))
    except Malformed:
        return "malformed"
    except BrokenLog as error:
        cause = error.__cause__
        return cause.reason.code if isinstance(cause, Illegal) else f"broken: {error.why}"
    return None


# The parts of a table


def _letters(keys: Iterable[bytes], order: Callable[..., Iterable[str]] = sorted) -> str:
    return "".join(order(map(letter, keys)))


def shows(table: Table) -> dict[str, Any]:
    """The parts of a table that are not empty, with letters for keys."""
    seats = table.seats
    parts = {
        "length": table.head.length,
        "turn": table.turn,
        "era": table.era,
        "changed": table.changed,
        "phase": table.phase.value,
        "host": _letters([table.host]),
        "epoch": table.epoch,
        "seats": _letters((seat.key for seat in seats), list),
        "ready": _letters(table.ready_keys, list),
        "away": _letters(seat.key for seat in seats if seat.away),
        "doors": _letters(table.doors),
        "admitted": _letters(table.admitted),
        "votes": {
            " ".join([measure.value, *([] if key == NO_ONE else [letter(key)])]): _letters(voters)
            for (measure, key), voters in table.votes.items()
        },
        "muted": _letters(table.muted),
        "barred": _letters(table.barred),
        "leaving": _letters(table.leaving, list),
        "behind": _letters(table.behind, list),
        "paused": table.paused,
        "shut": table.shut,
        "dealt": _letters(table.dealt),
        "played": _letters(table.played),
        "vacated": _letters(table.vacated),
        "waiting": {letter(key): table.time - at for key, at in table.waiting_since.items()},
        "set_aside": _letters(table.set_aside),
        "electors": _letters(table.electors),
        "former": None if table.former is None else _letters(table.former),
        "seen": _letters(table.seen),
        "heirs": _letters(table.heirs, list),
        "chairman": _letters([table.chairman] if table.chairman and table.has_slate else []),
        "vetoed": [letter(table.vetoed[0]), table.vetoed[1]] if table.vetoed else None,
        "game": _game(table.game, table.phase) if table.game else None,
        "slate": _slate(table),
        "stakes": _stakes(table),
        "may_gloat": _letters(table.gloats.winners - table.gloats.gloated),
        "did_not_gloat": _letters(table.gloats.silent),
    }
    return _filled(parts)


def _filled(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parts.items() if value not in ("", 0, None, [], {})}


def _game(game: Game, phase: Phase) -> dict[str, Any]:
    names = [letter(player.key) for player in game.players]
    running, last = game.round, game.past[-1].outcome if game.past else None
    words: list[Any] = []
    if running is not None:
        said = getattr(running, "calls", None)
        pairs = running.words if said is None else [(call.seat, call) for call in said]
        for seat, word in pairs:
            words.append([names[seat], word.value if isinstance(word, Ending) else word.number])
    return _filled(
        {
            "number": game.number,
            "players": "".join(names),
            "coins": list(game.coins),
            "round": game.round_number,
            "starter": names[running.starter] if running else None,
            "words": words,
            "hands": {names[seat]: coins for seat, coins in sorted(game.hands.items())},
            "crap": None if game.crap is None else names[game.crap],
            "first_out": None if game.first_out is None else names[game.first_out],
            "removed": "".join(names[seat] for seat in sorted(game.removed)),
            "counted": len(game.past),
            "last": last
            and _filled(
                {
                    "hands": {names[s]: h for s, h in sorted(game.past[-1].hands.items())},
                    "changes": {names[s]: c for s, c in sorted(last.changes.items())},
                    "out": "".join(names[seat] for seat in last.went_out),
                }
            ),
            "winner": None if phase is not Phase.GATHERING or game.winner is None
            else names[game.winner],
        }
    )  # fmt: skip


def _slate(table: Table) -> dict[str, Any]:
    slate = table.slate
    return _filled(
        {
            "fines": [
                [letter(f.key), f.offence.value, f.by and letter(f.by), *(["lifted"] * f.lifted)]
                for f in slate.fines
            ],
            "orders": [[number, letter(key), drink.value] for number, key, drink in slate.orders],
            "paid": _letters(slate.paid, list),
            "votes": {letter(voter): letter(wanted) for voter, wanted in slate.votes.items()},
            "elected": slate.chairman and letter(slate.chairman),
        }
    )


def _stakes(table: Table) -> dict[str, Any]:
    stakes = table.stakes
    chips = {letter(key): chips for key, chips in sorted(stakes.chips.items(), key=str) if chips}
    return _filled({"chips": dict(sorted(chips.items())), "pot": stakes.pot,
                    "paid": _letters(stakes.paid, list)})  # fmt: skip


# The file


@cache
def document() -> dict[str, Any]:
    """The whole file."""
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def scene(name: str | None, table: Mapping[str, Any]) -> Script:
    """A table up to a scene of the file, or a fresh one, with the changes of a case."""
    return _scene(name, json.dumps(table, sort_keys=True)).copy()


@cache
def _scene(name: str | None, table: str) -> Script:
    known = document()["scenes"].get(name, {})
    asked = {**known.get("table", {}), **json.loads(table)}
    asked["opener"] = number(asked.get("opener", "A"))
    is_locked = asked.pop("locked", False)
    script = Script(
        Story.of(first_entry("milan", 9, 0, locked=True)) if is_locked else Story(**asked)
    )
    script.play(known.get("script", ()))
    script.steps.clear()
    return script


def played(case: Case) -> list[Script]:
    """A case, played: in every scene that it names, or at its own table."""
    if "in" not in case:
        return [scene(case.get("from"), case.get("table", {})).play(case["script"])]
    *before, last = case["script"]
    found = []
    for name, code in case["in"].items():
        line = last if code is None else f"{last} -> {code}"
        found.append(scene(name, case.get("table", {})).play([*before, line]))
    return found


def position(case: Case) -> Script:
    """The position of a case about a round: a table that goes on with these coins (G8)."""
    coins: list[int] = case["coins"]
    key = signing_key(0)
    opened = TableOpened(PROTOCOL, key.public, ForeignText("Table"), Rules.parse(case["rules"]),
                         9, False, GRACE, 0, bytes(32))  # fmt: skip
    seats = tuple(
        Along(signing_key(who).public, ForeignText("Name"), owned, bytes(SIGNATURE_BYTES))
        for who, owned in enumerate(coins)
    )
    starter = signing_key(case["starter"]).public
    drafted = TableContinued(opened, bytes(32), 1, bytes(32), starter, None, seats, ())
    by = {signing_key(who).public: sign(signing_key(who), drafted) for who in range(len(coins))}
    story = Story.of(Entry.sign(key, 0, EMPTY, 1_700_000_000_000, signed(drafted, by)))
    hands = case.get("hands", [0] * len(coins))
    story.fists_of({who: hands[who] or 0 for who in story.awaited})
    script = Script(story)
    for seat, *word in case["said"]:
        script.play([" ".join([letter(signing_key(seat).public), "word", *map(str, word)])])
    return script


def tosses_after(game: Game) -> bool:
    """Whether a toss says who calls first after the last round (H11)."""
    rules, is_void = game.rules, game.past[-1].outcome.verdict is Verdict.VOID
    is_toss = isinstance(rules, GuessingRules) and rules.first_caller is FirstCaller.TOSS
    return is_toss and not is_void


def is_told(case: Case, lots: str) -> bool:
    """Whether a case has to say what its lots pick: not just the opener, once."""
    scene = document()["scenes"].get(case.get("from"), {})
    opener = {"opener": "A", **scene.get("table", {}), **case.get("table", {})}["opener"]
    return lots not in ("", opener)


def write() -> None:
    """Write down the table at the end of every script."""
    whole = document()
    for case in whole["cases"]:
        if "in" not in case:
            [script] = played(case)
            for told in ("lots", "tosses", "then"):
                case.pop(told, None)
            if is_told(case, script.lots):
                case["lots"] = script.lots
            if script.tosses:
                case["tosses"] = script.tosses
            case["then"] = shows(script.story.table)
    FILE.write_text(text_of(whole), "utf-8")


def text_of(whole: Mapping[str, Any]) -> str:
    """The file: a line for each scene and each case."""

    def row(value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    scenes = ",\n".join(f"    {row(name)}: {row(each)}" for name, each in whole["scenes"].items())
    cases = ",\n".join(f"    {row(each)}" for each in whole["cases"])
    return (
        f'{{\n  "about": {row(whole["about"])},\n  "scenes": {{\n{scenes}\n  }},\n'
        f'  "cases": [\n{cases}\n  ]\n}}\n'
    )


if __name__ == "__main__":
    write()
