"""The questions asked before a table opens, for the dialog, plain lines and `spoof host`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS, PRESETS, Rules
from spoof_tui.bots.characters import CHARACTERS, MIXED, Character, company
from spoof_tui.bots.levels import Level
from spoof_tui.runtime.launch import Launch
from spoof_tui.storage.settings import USUAL_PRESET
from spoof_tui.telling.titles import level_name
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.parsing import one_of, whole

if TYPE_CHECKING:
    from spoof_tui.runtime.hosted_table import TablePlan


@dataclass(frozen=True, slots=True)
class TableForm:
    """The answers: what table to open, and with which bots."""

    name: str
    rules: Rules = PRESETS[USUAL_PRESET]
    locked: bool = True
    """Whether newcomers need a join code."""
    bots: int = 0
    level: Level = Level.MEDIUM
    company: tuple[Character, ...] = ()
    """The characters that the bots play; empty for plain bots."""
    seats: int = MAX_PLAYERS
    grace: int = 60
    """Seconds before the others may vote to play on without a player who is away (G3)."""
    clock: int = 0
    """Seconds that a player has for a fist or a word; 0 for no limit (G4)."""

    def plan(self, host: str, own_seats: int = 1) -> TablePlan:
        """The plan of the table for the host called `host`, who takes `own_seats` of its seats.

        The game starts once the host and all bots are ready. Raises `ValueError` with a sentence if
        there are not enough seats for the bots.
        """
        from spoof_tui.runtime.hosted_table import TablePlan

        if self.bots + own_seats > self.seats:
            sentence = _("One seat is yours: a table of {seats} takes at most {bots} bots.")
            if not own_seats:
                sentence = _("A table of {seats} takes at most {bots} bots.")
            raise ValueError(sentence.format(seats=self.seats, bots=self.seats - own_seats))
        return TablePlan(
            self.name,
            host,
            self.rules,
            seats=self.seats,
            start_when=max(MIN_PLAYERS, self.bots + own_seats),
            locked=self.locked,
            grace=self.grace,
            clock=self.clock,
        )

    def launch(self, host: str) -> Launch:
        """What the program does at its start to open the table with its bots; raises like
        `plan`."""
        return Launch(plan=self.plan(host), bots=self.bots, level=self.level, company=self.company)


@dataclass(frozen=True, slots=True, eq=False)
class FormQuestion:
    """A question: a row of the dialog, a question in plain lines, and an option of `spoof host`."""

    field: str
    """The field of `TableForm` that the answer goes to."""
    flag: str
    """The option of `spoof host`."""
    label: Callable[[], str]
    help: Callable[[], str]
    option_help: Callable[[], str]
    """The help text of the option."""
    values: Sequence[Any]
    """The answers offered in the dialog and in plain lines."""
    words: Callable[[Any], str] = str
    """The text of an answer."""
    read: Callable[[str], Any] | None = None
    """Parses the option's value; raises `ValueError` with a sentence.

    None: the option takes no value, and stands for the last of `values`.
    """
    suggested: Sequence[str] = ()
    """Values that a shell completes."""
    metavar: str | None = None
    is_rare: bool = True
    """Whether the question is asked only if the player wants to see more options."""
    applies: Callable[[TableForm], bool] = lambda table: True
    """Whether the question makes sense after the answers so far."""


_COMPANIES: Final = (*CHARACTERS, MIXED)


def _company_name(characters: Sequence[Character]) -> str:
    if not characters:
        return _("plain bots")
    return _("mixed company") if len(characters) > 1 else characters[0].name


def _seconds(count: int) -> str:
    if count % 60 or not count:
        return ngettext("{count} second", "{count} seconds", count).format(count=count)
    return ngettext("{count} minute", "{count} minutes", count // 60).format(count=count // 60)


LOCKED: Final = FormQuestion(
    field="locked",
    flag="--open",
    label=lambda: _("Who may come in"),
    help=lambda: _("Whether newcomers have to type a code from your screen."),
    option_help=lambda: _("let anybody in, without a join code"),
    values=(True, False),
    words=lambda locked: _("anyone with the code") if locked else _("anyone"),
    is_rare=False,
)

BOTS: Final = FormQuestion(
    field="bots",
    flag="--bots",
    label=lambda: _("Bots"),
    help=lambda: _("Bots that sit down right away."),
    option_help=lambda: _("have N bots sit down right away"),
    values=range(MAX_PLAYERS),
    read=whole(0, MAX_PLAYERS),
    metavar="N",
    is_rare=False,
)

LEVEL: Final = FormQuestion(
    field="level",
    flag="--level",
    label=lambda: _("Difficulty"),
    help=lambda: _("How well they judge the other fists; no bot can see a hand."),
    option_help=lambda: _("how strong bots are: easy, medium or hard (default: medium)"),
    values=tuple(Level),
    words=lambda level: level_name(level.value),
    read=lambda text: Level(one_of(text, [each.value for each in Level])),
    suggested=tuple(each.value for each in Level),
    is_rare=False,
    applies=lambda table: table.bots > 0,
)

COMPANY: Final = FormQuestion(
    field="company",
    flag="--character",
    label=lambda: _("Company"),
    help=lambda: _("Characters have habits, and talk; they may be easier to read than plain bots."),
    option_help=lambda: _("bot personalities: {known} (default: none)").format(
        known=", ".join(_COMPANIES)
    ),
    values=((), company(MIXED), *((who,) for who in CHARACTERS.values())),
    words=_company_name,
    read=lambda text: company(one_of(text, _COMPANIES)),
    suggested=_COMPANIES,
    metavar="CHARACTER",
)

SEATS: Final = FormQuestion(
    field="seats",
    flag="--seats",
    label=lambda: _("Seats"),
    help=lambda: _("How many players can sit at the table, including you."),
    option_help=lambda: _("2 to 9"),
    values=range(MIN_PLAYERS, MAX_PLAYERS + 1),
    read=whole(MIN_PLAYERS, MAX_PLAYERS),
)

GRACE: Final = FormQuestion(
    field="grace",
    flag="--grace",
    label=lambda: _("Wait for absentees"),
    help=lambda: _(
        "After this time, the others may vote to play on; the absent player keeps the seat."
    ),
    option_help=lambda: _(
        "seconds to wait for a missing player before the others may vote to play on (default: 60)"
    ),
    values=(15, 30, 60, 120, 300, 900),
    words=_seconds,
    read=whole(5, 3600),
    metavar="SECONDS",
)

CLOCK: Final = FormQuestion(
    field="clock",
    flag="--clock",
    label=lambda: _("Turn clock"),
    help=lambda: _(
        "Time for each hand or word; when it is up, the fist is empty or the player calls."
    ),
    option_help=lambda: _(
        "seconds each player has to choose a hand or speak (default: 0, no limit)"
    ),
    values=(0, 20, 30, 60, 120, 300),
    words=lambda seconds: _seconds(seconds) if seconds else _("none"),
    read=whole(0, 600),
    metavar="SECONDS",
)

FORM: Final = (LOCKED, BOTS, LEVEL, COMPANY, SEATS, GRACE, CLOCK)
"""The questions after those for the name and the rules, in order."""


def usual(question: FormQuestion) -> Any:
    """The default answer to a question."""
    return getattr(TableForm(""), question.field)


def suggestion(host: str) -> str:
    """A name for a table of the player `host`; without "…'s table" if that would be too long."""
    whole = _("{name}’s table").format(name=host)
    return whole if len(whole.encode()) <= MAX_NAME else host
