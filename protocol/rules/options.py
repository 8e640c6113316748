"""The options of both games and their presets, as data (RULES.md).

A rule set is written as `milan` or, with changes, `milan cap=5 zero=first-action`; `Rules.parse`
and `Rules.text` are each other's inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Self

from protocol.encoding.replacing import replace
from protocol.errors import Malformed, _

START_COINS: Final = 3
"""Coins of everyone at the start of a game (R1)."""

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 9
"""Maximum players of one game (G6)."""

MAX_CAP: Final = 99
"""The largest `cap` that can be written; above the 27 coins of a full table it changes nothing."""

_NO_OPTION: Final = _("{preset} has no option called {option!r}; it has {known}")
_NO_VALUE: Final = _("{option} needs a value: {option}=…")
_NO_CHOICE: Final = _("{option} is one of {known}, not {value!r}")
_NO_NUMBER: Final = _("{option} is a number or none, not {value!r}")
_NO_CAP: Final = _("cap must be {least} to {most} or none, not {cap}")
_OTHER_GAME: Final = _("{preset} is a preset of the other game")
"""What can be wrong with written rules, for `UnfitRules`."""


class UnfitRules(Malformed):
    """A written rule set with a preset, an option or a value that there is not."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self._template, self._values = template, values

    def told(self, translate: Callable[[str], str]) -> str:
        """The sentence in the language of `translate`."""
        return translate(self._template).format(**self._values)


def no_preset(name: str) -> UnfitRules:
    """The error that no preset is called `name`."""
    template = _("no preset is called {name!r}; there are {known}")
    return UnfitRules(template, name=name, known=", ".join(PRESETS))


_SETTLED: Final = frozenset({"cliff_starter=ender", "spoof_starter=ender"})
"""Options that may be written but change nothing: by any rules, the ender opens after a cliff or a
spoof (R14)."""


class Zero(Enum):
    """When zero may be said (R10)."""

    OPENING_ONLY = "opening-only"
    FIRST_ACTION = "first-action"


class Starter(Enum):
    """Who opens the round after a call (R14)."""

    LOSER = "loser"
    ENDER = "ender"


class ChosenDirection(Enum):
    """Who chooses the direction of the words (R4)."""

    STARTER = "starter"
    CLOCKWISE = "clockwise"


class GameStarter(Enum):
    """Who opens the next game (R15)."""

    CRAP = "crap"
    LOT = "lot"


class RevealOrder(Enum):
    """The order in which opened fists are counted."""

    ENDER_FIRST = "ender-first"
    TOGETHER = "together"


class Gloating(Enum):
    """Whether a winner is expected to gloat, fined for it, or free to (S4)."""

    EXPECTED = "expected"
    FINED = "fined"
    FREE = "free"


class Thinking(Enum):
    """Whether the table shows how long each player took to speak."""

    HIDDEN = "hidden"
    SHOWN = "shown"


class Stake(Enum):
    """What a game is played for; counted, but never money."""

    POT = "pot"
    DRINKS = "drinks"
    NONE = "none"


class Token(Enum):
    """What is hidden in the fists: coins, or in Kyiv also pebbles or buttons."""

    COINS = "coins"
    PEBBLES = "pebbles"
    BUTTONS = "buttons"


class Impossible(Enum):
    """What happens to a call that the caller's own hand makes impossible (H7)."""

    FINE = "fine"
    REFUSE = "refuse"
    ALLOW = "allow"


class FirstCaller(Enum):
    """Who calls first in the next round of a school (H11)."""

    ROTATE = "rotate"
    TOSS = "toss"


def _option(values: type[Enum] | None) -> Any:
    """A field of `Rules`, read and written through the enumeration `values`; None for a number or
    "none"."""
    return field(metadata={"values": values})


Options = Mapping[str, type[Enum] | None]
"""Names of options with the enumeration of their values; None for "a number or none"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One complete set of options, of the bidding game or of the guessing game."""

    preset: str
    """Name of the preset that the options started from."""

    if TYPE_CHECKING:
        # Each game has these among its own options.
        token: Token
        thinking: Thinking

    @property
    def options(self) -> Options:
        """Every option of this game, with the enumeration of its values."""
        return {f.name: f.metadata["values"] for f in fields(self) if "values" in f.metadata}

    @property
    def draws_lot(self) -> bool:
        """Whether a lot picks who opens each game (R15); in the guessing game, always (H3, H12)."""
        return True

    @property
    def fines_gloating(self) -> bool:
        """Whether gloating costs a fine, so that the table keeps a slate (S4); in the guessing
        game, always (H13)."""
        return True

    @property
    def shows_thinking(self) -> bool:
        """Whether the table shows how long each player took to speak."""
        return self.thinking is Thinking.SHOWN

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `PRESET [option=value ...]`; raises `Malformed` with the offending word.

        Called on the rules of one game, it accepts only that game's presets.
        """
        name, *changes = text.split() or [""]
        if name not in PRESETS:
            raise no_preset(name)
        rules = PRESETS[name]
        for change in changes:
            if change in _SETTLED and isinstance(rules, BiddingRules):
                continue
            option, equals, value = change.partition("=")
            if option not in rules.options:
                known = ", ".join(rules.options)
                raise UnfitRules(_NO_OPTION, preset=name, option=option, known=known)
            if not equals:
                raise UnfitRules(_NO_VALUE, option=option)
            rules = rules.with_option(option, value)
        if not isinstance(rules, cls):
            raise UnfitRules(_OTHER_GAME, preset=name)
        return rules

    def with_option(self, option: str, value: str) -> Self:
        """These rules with one option changed; raises `Malformed` for an unknown value."""
        allowed = self.options[option]
        if allowed is None:
            parsed: Enum | int | None = None if value == "none" else _number(option, value)
        else:
            try:
                parsed = allowed(value)
            except ValueError:
                known = ", ".join(str(v.value) for v in allowed)
                raise UnfitRules(_NO_CHOICE, option=option, known=known, value=value) from None
        return replace(self, **{option: parsed})  # type: ignore[arg-type]

    @property
    def changes(self) -> Mapping[str, str]:
        """The options that differ from the preset, with their values in writing."""
        base = PRESETS[self.preset]
        return {
            option: written(getattr(self, option))
            for option in self.options
            if getattr(self, option) != getattr(base, option)
        }

    @property
    def text(self) -> str:
        """The rules as they are written in records, adverts and on the command line."""
        return " ".join([self.preset, *(f"{key}={value}" for key, value in self.changes.items())])


@dataclass(frozen=True, slots=True, kw_only=True)
class BiddingRules(Rules):
    """The options of the bidding game (R1 to R15)."""

    cap: int | None = _option(None)
    """The maximum of coins that a right cliff can lead to (R8); None for no cap."""
    zero: Zero = _option(Zero)
    """When zero may be said (R10)."""
    starter: Starter = _option(Starter)
    """Who opens after a call (R14)."""
    zero_starter: Starter = _option(Starter)
    """Who opens after a right zero (R14)."""
    direction: ChosenDirection = _option(ChosenDirection)
    """Who chooses the direction (R4)."""
    game_starter: GameStarter = _option(GameStarter)
    """Who opens the next game (R15)."""
    reveal: RevealOrder = _option(RevealOrder)
    """The order in which opened fists are shown."""
    gloating: Gloating = _option(Gloating)
    """Whether a winner is expected to gloat, fined for it, or free to (S4)."""
    stake: Stake = _option(Stake)
    """What the game is played for."""
    token: Token = _option(Token)
    """What is hidden in the fists."""
    thinking: Thinking = _option(Thinking)
    """Whether the table shows how long each player took to speak."""

    def __post_init__(self) -> None:
        if self.cap is not None and not START_COINS <= self.cap <= MAX_CAP:
            raise UnfitRules(_NO_CAP, least=START_COINS, most=MAX_CAP, cap=self.cap)

    @property
    def draws_lot(self) -> bool:
        """Whether a lot picks who opens each game (R15)."""
        return self.game_starter is GameStarter.LOT

    @property
    def fines_gloating(self) -> bool:
        """Whether gloating costs a fine (S4)."""
        return self.gloating is Gloating.FINED


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessingRules(Rules):
    """The options of the guessing game (H1 to H13)."""

    impossible: Impossible = _option(Impossible)
    """What happens to an impossible call (H7)."""
    first_caller: FirstCaller = _option(FirstCaller)
    """Who calls first in the next round of a school (H11)."""
    token: Token = _option(Token)
    """What is hidden in the fists."""
    thinking: Thinking = _option(Thinking)
    """Whether the table shows how long each player took to call."""


def expects_gloating(rules: Rules) -> bool:
    """Whether a winner who does not gloat is marked (S4)."""
    return isinstance(rules, BiddingRules) and rules.gloating is Gloating.EXPECTED


def _number(option: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 3):
        raise UnfitRules(_NO_NUMBER, option=option, value=value)
    return int(value)


def written(value: Enum | int | None) -> str:
    """The value of an option in writing: `none`, a number, or the name of the choice."""
    if isinstance(value, Enum):
        return str(value.value)
    return "none" if value is None else str(value)


_MILAN: Final = BiddingRules(
    preset="milan",
    cap=None,
    zero=Zero.OPENING_ONLY,
    starter=Starter.LOSER,
    zero_starter=Starter.LOSER,
    direction=ChosenDirection.STARTER,
    game_starter=GameStarter.CRAP,
    reveal=RevealOrder.ENDER_FIRST,
    gloating=Gloating.EXPECTED,
    stake=Stake.POT,
    token=Token.COINS,
    thinking=Thinking.HIDDEN,
)

_HOLLYWOOD: Final = GuessingRules(
    preset="hollywood",
    impossible=Impossible.FINE,
    first_caller=FirstCaller.ROTATE,
    token=Token.COINS,
    thinking=Thinking.HIDDEN,
)

_ALL: Final[tuple[Rules, ...]] = (
    _MILAN,
    replace(
        _MILAN,
        preset="bid-spoof",
        cap=3,
        zero=Zero.FIRST_ACTION,
        gloating=Gloating.FREE,
        stake=Stake.NONE,
    ),
    replace(
        _MILAN,
        preset="three-coins",
        cap=3,
        zero=Zero.FIRST_ACTION,
        starter=Starter.ENDER,
        zero_starter=Starter.ENDER,
        direction=ChosenDirection.CLOCKWISE,
        game_starter=GameStarter.LOT,
        reveal=RevealOrder.TOGETHER,
        gloating=Gloating.FREE,
        stake=Stake.NONE,
    ),
    _HOLLYWOOD,
)

BIDDING_OPTIONS: Final[Options] = MappingProxyType(dict(_MILAN.options))
"""Every option of the bidding game."""

GUESSING_OPTIONS: Final[Options] = MappingProxyType(dict(_HOLLYWOOD.options))
"""Every option of the guessing game."""

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType({rules.preset: rules for rules in _ALL})
"""The presets of both games by name."""

BIDDING_PRESETS: Final[Mapping[str, BiddingRules]] = MappingProxyType(
    {name: rules for name, rules in PRESETS.items() if isinstance(rules, BiddingRules)}
)
"""The presets of the bidding game by name."""
