"""The report of `spoof verify` on a stored log, in lines, and what no log can prove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum
from typing import Final

from protocol.encoding.codec import MARK, Message
from protocol.encoding.untrusted import ForeignText
from protocol.notation.writing import game_records
from protocol.rules.game import Game
from protocol.rules.options import GuessingRules
from protocol.rules.stakes import Stakes
from protocol.table.fold import Origin, Table
from protocol.table.statements import (
    NO_ONE,
    AwardFine,
    Away,
    Back,
    Decide,
    Elect,
    Gesticulate,
    HostMoved,
    Leave,
    LiftFine,
    Measure,
    Order,
    Speak,
    TableContinued,
    TimeUp,
    Vacated,
    Vote,
)
from protocol.table.verify import Blame, Flaw, Happening, LogFault, LogReport, is_routine
from spoof_tui.telling.doors import seen_by_others
from spoof_tui.telling.gestures import gesture_words
from spoof_tui.telling.measures import aim
from spoof_tui.telling.names import distinct
from spoof_tui.telling.sentences import drink_name, forbidden, offence_name, word_name
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show
from spoof_tui.text.texts import texts


def carried(measure: Measure) -> str:
    """The sentence saying that a measure is in force from now on; {name} is the player it
    concerns."""
    return {
        Measure.MUTE: _("{name} is muted from now on (G5)."),
        Measure.UNMUTE: _("{name} may talk again."),
        Measure.REMOVE: _("{name} will be removed when this round is over (G5)."),
        Measure.BAR: _("{name} may not sit here any more (G5)."),
        Measure.PARDON: _("{name} may sit here again (G5)."),
        Measure.PLAY_ON: _("The table plays on without {name} (G3)."),
        Measure.PAUSE: _("The game is paused (G5)."),
        Measure.GO_ON: _("The pause is over (G5)."),
        Measure.LOCK: _("The table is closed to newcomers from now on."),
        Measure.UNLOCK: _("The table is open to newcomers again."),
        # Never carried: every attempt is vetoed.
        Measure.BAN_WOBBLE: _("The Wobble is banned (S5)."),
    }[measure]


_CLAUSES: Final = {Measure.PLAY_ON: " (G3)", Measure.LOCK: "", Measure.UNLOCK: ""}
"""What to cite for measures whose clause is not G5."""


def asked(measure: Measure, who: str, whom: str) -> str:
    """The sentence that `who` votes for a measure about `whom`."""
    if measure is Measure.BAN_WOBBLE:
        text = _("{name} wants the Wobble banned. Mr. A. L. Shearn vetoes it.")
        return text.format(name=who)
    text = _("{name} wants to {aim}{clause}.")
    clause = _CLAUSES.get(measure, " (G5)")
    return text.format(name=who, aim=aim(measure, whom), clause=clause)


def told_of(stakes: Stakes, names: Mapping[bytes, str]) -> Iterator[str]:
    """Lines on the stakes at the end of a log; none if there are none."""
    if stakes.chips:
        chips = sorted(stakes.chips.items(), key=lambda each: -each[1])
        told = ", ".join(f"{names[key]} {count:+d}" for key, count in chips)
        yield _("Chips: {names}.").format(names=told)
    if stakes.pot:
        text = ngettext(
            "There is {count} chip in the pot (S1).",
            "There are {count} chips in the pot (S1).",
            stakes.pot,
        )
        yield text.format(count=stakes.pot)
    if stakes.paid:
        told = ", ".join(f"{names[key]} {count}" for key, count in Counter(stakes.paid).items())
        yield _("Rounds paid: {names}.").format(names=told)


NAME_CELLS: Final = 64
"""The most cells of a table's name."""

_DIGITS: Final = 16
"""Number of hexadecimal digits shown of a key; enough that no second key with them can be found."""

_GROUP: Final = 4

Names = Mapping[bytes, str]
"""The name of everybody who ever sat at the table, by key; no two alike."""


def fingerprint(key: bytes) -> str:
    """The first digits of a public key, in groups, for two people to compare."""
    digits = key.hex()[:_DIGITS]
    return " ".join(digits[at : at + _GROUP] for at in range(0, _DIGITS, _GROUP))


def names_of(table: Table | None) -> Names:
    """The name, by key, of everybody who ever sat at the table; no two alike; empty without a
    table."""
    if table is None:
        return {}
    return dict(zip(table.names, distinct(list(table.names.values())), strict=True))


def moment(milliseconds: int) -> str:
    """A time of the log, in milliseconds since 1970, as UTC; "?" if there is no such date."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError, OSError):
        return "?"


def report(verdict: LogReport, origin: Origin | None = None) -> Iterator[str]:
    """The lines of the report on a log, the verdict last.

    `origin` is the result of comparing a new table with the log of the one it continues; None if
    that log is missing, or the table continues none.
    """
    yield from details(verdict, origin)
    yield from judgement(verdict)


def details(verdict: LogReport, origin: Origin | None = None) -> Iterator[str]:
    """Everything there is to say about a log but the verdict."""
    names = names_of(verdict.table)
    if verdict.table is not None:
        yield from _table(verdict, verdict.table, names)
        if verdict.table.continues is not None:
            yield from _origin(verdict.table.continues, origin, names)
        for game in verdict.games:
            yield from _game(game)
            if game.winner is None and game is not verdict.running:
                yield "  " + _("The game was called off (G5).")
        yield from _happenings(verdict, names)
        yield from told_of(verdict.table.stakes, names)


def _table(verdict: LogReport, table: Table, names: Names) -> Iterator[str]:
    opened = table.opened
    yield _("Table: {name} ({rules})").format(
        name=show(opened.name, NAME_CELLS), rules=opened.rules.text
    )
    yield _("Opened: {time} by the host’s clock [{table}]").format(
        time=moment(verdict.began), table=fingerprint(table.id)
    )
    yield _("Last entry: {time}, number {number} [{last}]").format(
        time=moment(table.time), number=verdict.length - 1, last=fingerprint(table.head.hash)
    )
    yield _("Host: {key}").format(key=_known(opened.host, names))
    for key in names:
        yield _("Player: {key}").format(key=_known(key, names))
        if key in table.doors:
            yield f"  {seen_by_others()}"


def _origin(continued: TableContinued, origin: Origin | None, names: Names) -> Iterator[str]:
    """Lines on the table that this one continues, and whether the old log confirms that (G8)."""
    yield _("Continues table [{table}] after its entry {number} [{last}] (G8).").format(
        table=fingerprint(continued.table),
        number=continued.length - 1,
        last=fingerprint(continued.last),
    )
    for seat in continued.seats:
        text = _("{name} came to this table without coins, and has signed that.")
        if seat.coins is not None:
            text = ngettext(
                "{name} came to this table with {coins} coin, and has signed that.",
                "{name} came to this table with {coins} coins, and has signed that.",
                seat.coins,
            )
        yield "  " + text.format(name=_name(seat.key, names), coins=seat.coins)
    if continued.starter is not None:
        yield "  " + _("{name} opens.").format(name=_name(continued.starter, names))
    yield origin_text(origin)


def origin_text(origin: Origin | None) -> str:
    """A sentence saying whether the log of the old table confirms the new one; `origin` is None if
    that log was not found."""
    if origin is None:
        return _(
            "The old table’s log was not found: the coins and the opener rest on the word of "
            "those who went along. To check them, name that log, too."
        )
    return {
        Origin.HOLDS: _(
            "The old table’s log confirms all of this: id, entry, coins, and who opens."
        ),
        Origin.OTHER_TABLE: _("This is not the log of the old table."),
        Origin.OTHER_ENTRY: _(
            "The old table’s log was found, but does not contain that entry: the log ends "
            "earlier, or the table moved to another host before that entry."
        ),
        Origin.OTHER_GAME: _(
            "The old table’s log contradicts this: after that entry the coins, seats, rules or "
            "opener are different. Everybody who went along has signed something false."
        ),
    }[origin]


def _known(key: bytes, names: Names) -> str:
    """The name of a player and the fingerprint of the key; only the latter if there is no name."""
    return f"{names[key]} [{fingerprint(key)}]" if key in names else f"[{fingerprint(key)}]"


def _game(game: Game) -> Iterator[str]:
    begun = _("Game {number}: {seats}")
    for record in game_records(game, event="", date=""):
        yield begun.format(number=game.number, seats=record.value("Seats") or "")
        yield from (f"  {each.text}" for each in record.rounds)
        if removed := record.value("Removed"):
            yield "  " + _("Removed: {tags} (G5).").format(tags=removed)
        begun = _("Game {number} goes on: {seats}")
    if result := result_of(game):
        yield f"  {result}"


def result_of(game: Game) -> str:
    """A sentence saying who won or pays, with the clause; empty if the game is not over."""
    if game.winner is None:
        return ""
    name = distinct([player.name for player in game.players])[game.winner]
    if isinstance(game.rules, GuessingRules):
        text = _("{name} is the last in the school, and has the honour of paying (H12).")
        return text.format(name=name)
    return _("{name} has won: nobody else has a coin left (R13).").format(name=name)


# What else happened


def _happenings(verdict: LogReport, names: Names) -> Iterator[str]:
    lost: Counter[bytes] = Counter()
    for each in verdict.happenings:
        if isinstance(each.statement, Away):
            lost[each.statement.seat] += 1
        for what in _sentences(each, names):
            yield _("Entry {number}: {what}").format(number=each.entry, what=what)
    for key, times in lost.items():
        yield ngettext(
            "The host lost the connection to {name} once.",
            "The host lost the connection to {name} {times} times.",
            times,
        ).format(name=_name(key, names), times=times)


def _sentences(each: Happening, names: Names) -> Iterator[str]:
    said = each.statement
    if not is_routine(said) and not isinstance(said, Away | Back):
        yield happening(each, names)
    for measure, key in each.carried:
        yield carried(measure).format(name=_name(key, names))
    for key in each.silent:
        yield _("{name} won the previous game, and did not gloat (S4).").format(
            name=_name(key, names)
        )
    for key in each.gone:
        yield _("{name} is removed from the table (G5).").format(name=_name(key, names))


def happening(each: Happening, names: Names) -> str:
    """The sentence on an event that is not part of a game."""
    who = _("the host") if each.author is None else _name(each.author, names)
    said = each.statement
    if isinstance(said, Gesticulate):
        return gesture_words(said.gesture, who)
    if isinstance(said, Leave):
        return _("{name} left the table.").format(name=who)
    if isinstance(said, Elect):
        text = _("{name} wants {candidate} for chairman (H2).")
        return text.format(name=who, candidate=_name(said.seat, names))
    if isinstance(said, AwardFine):
        text = _("{name} fines {offender} for {offence}.")
        offender = _name(said.seat, names)
        return text.format(name=who, offender=offender, offence=offence_name(said.offence))
    if isinstance(said, LiftFine):
        return _("{name} lifts fine {number}.").format(name=who, number=said.index + 1)
    if isinstance(said, Order):
        return _("{name} orders {drink}.").format(name=who, drink=drink_name(said.drink))
    if isinstance(said, Decide) or (isinstance(said, Vote) and said.yes):
        return asked(said.measure, who, _name(said.seat, names))
    if isinstance(said, Vote):
        text = _("{name} withdraws a vote about {other} (G5).")
        text = _("{name} withdraws a vote (G5).") if said.seat == NO_ONE else text
        return text.format(name=who, other=_name(said.seat, names))
    if isinstance(said, TimeUp):
        return _("{name}’s turn clock ran out (G4).").format(name=_name(said.seat, names))
    if isinstance(said, Vacated):
        text = _("{name} had never played and is away, so the seat is free again.")
        return text.format(name=_name(said.seat, names))
    if isinstance(said, HostMoved):
        text = _("The table moved to another host: {key}.")
        return text.format(key=_known(said.host, names))
    return f"{who}: {statement_text(said, names)}"


def statement_text(statement: Message, names: Names) -> str:
    """A statement in the words of the protocol, without fields that only programs read."""
    if isinstance(statement, Speak):
        return f"{statement.KIND} {word_name(statement.word)}"
    told = (each for each in fields(statement) if each.metadata["shape"] is not MARK)
    values = (_value(getattr(statement, each.name), names) for each in told)
    return " ".join([statement.KIND, *filter(None, values)])


def _value(value: object, names: Names) -> str:
    if isinstance(value, bytes):
        return names.get(value, "")
    if isinstance(value, ForeignText):
        return show(value, NAME_CELLS)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value.value) if isinstance(value, Enum) else ""


def _name(key: bytes, names: Names) -> str:
    return names.get(key) or f"[{fingerprint(key)}]"


# The verdict


def _end(verdict: LogReport) -> str:
    """The sentence saying where the log ends; nothing in a log says whether there was more."""
    if verdict.running is not None:
        return _("The log ends in the middle of game {number}.").format(
            number=verdict.running.number
        )
    if verdict.games:
        return _("The log ends after game {number}.").format(number=verdict.games[-1].number)
    return _("The log ends before the first game.")


def judgement(verdict: LogReport) -> Iterator[str]:
    """Lines with the verdict and, if something is wrong, who is to blame."""
    names, fault = names_of(verdict.table), verdict.fault
    if fault is None:
        yield _end(verdict)
        yield _("Verdict: everything holds together.")
        return
    yield _("Verdict: {why}").format(why=fault_text(fault, verdict.table, names))
    if verdict.length:
        yield ngettext(
            "The {count} entry before that one holds together.",
            "The {count} entries before that one hold together.",
            verdict.length,
        ).format(count=verdict.length)
    if fault.flaw not in (Flaw.EMPTY, Flaw.OTHER_VERSION):
        yield from _blame(fault, names)


def fault_text(fault: LogFault, table: Table | None, names: Names) -> str:
    """Which entry is wrong, and why."""
    if fault.flaw is Flaw.EMPTY:
        return _("there is nothing in this file.")
    if fault.flaw is Flaw.TORN:
        text = _("the file ends in the middle of entry {number}, after {held} bytes of it.")
        return text.format(number=fault.entry, held=fault.values["held"])
    why = _(fault.flaw.template).format(**_values(fault, table))
    return _("entry {number} does not follow: {why}.").format(number=fault.entry, why=why)


def _values(fault: LogFault, table: Table | None) -> dict[str, int | str]:
    values = dict(fault.values)
    if fault.forbidden is not None:
        game = table.game if table else None
        players = distinct([player.name for player in game.players]) if game else ()
        rules = table.opened.rules if table else None
        values["why"] = f"“{forbidden(fault.forbidden, players, rules)}”"
    return values


def _blame(fault: LogFault, names: Names) -> Iterator[str]:
    if fault.statement is not None:
        said = statement_text(fault.statement, names)
        if fault.author is None:
            yield _("That entry is an announcement by the host: {said}.").format(said=said)
        else:
            yield _(
                "That entry contains a statement that {author} has validly signed: {said}."
            ).format(author=_known(fault.author, names), said=said)
    if fault.flaw.blame is Blame.HOST:
        yield _(
            "The host’s signature is valid: the host’s program signed something that no correct "
            "program would sign."
        )
    elif fault.flaw is Flaw.TORN:
        yield _(
            "A program that is stopped while writing leaves an end like this, so this proves "
            "nothing."
        )
    else:
        yield _(
            "Anyone who had the file could have done this, so this proves nothing against the "
            "host or a player."
        )


# What was checked, and what was not


def explanation() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Headings, each with sentences: what `spoof verify` checks, and what no log can prove."""
    return tuple(
        (section.title, tuple(point.text for point in section.points))
        for section in texts("verify").sections
    )
