"""The player's settings, saved as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from typing import Any, Final, TypeVar

from protocol.limits import MAX_NAME
from spoof_tui.storage import files, paths
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _

PRESETS: Final = ("milan", "bid-spoof", "three-coins", "hollywood")
"""Names of the presets to choose from: those in `protocol.rules.options`, which is slow to
import."""

USUAL_PRESET: Final = "three-coins"
"""The preset that is used unless somebody chooses another: the rules of the lesson."""

LEVELS: Final = ("easy", "medium", "hard")
"""The strengths of bots to choose from."""

MAX_BOTS: Final = 8
"""Maximum number of bots at one table with the player."""


class Bell(Enum):
    """When the terminal's bell rings."""

    MY_TURN = "turn"
    ALL = "all"
    OFF = "off"


class Animation(Enum):
    """Whether pictures move step by step."""

    FULL = "full"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Practice:
    """The settings of a quick game against bots."""

    preset: str = USUAL_PRESET
    """The preset that was last played or chosen."""
    bots: int = 3
    level: str = "medium"

    @classmethod
    def read(cls, raw: object) -> Practice:
        """The stored settings; invalid values are replaced by the defaults."""
        usual = cls()
        if not isinstance(raw, dict):
            return usual
        return cls(
            preset=_one_of(PRESETS, raw.get("preset"), usual.preset),
            bots=_one_of(tuple(range(1, MAX_BOTS + 1)), raw.get("bots"), usual.bots),
            level=_one_of(LEVELS, raw.get("level"), usual.level),
        )


@dataclass(frozen=True, slots=True)
class Settings:
    """The player's settings."""

    name: str = ""
    """The player's name at tables; empty until the first run makes one up."""
    confirm_endings: bool = True
    """Whether an ending word has to be confirmed by a second press."""
    language: str | None = None
    """The code of the language; None for that of the locale."""
    theme: str | None = None
    """Name of the theme; None, or an unknown name, for the default."""
    motion: Animation = Animation.FULL
    bell: Bell = Bell.MY_TURN
    cover_keys: bool = False
    """Whether a hand is chosen from a hidden list, so that the player's fingers do not reveal
    it."""
    plain: bool = False
    """Whether the program starts with plain lines instead of a screen."""
    company: bool = True
    """Whether the bots of a game against bots have characters and react to what happens."""
    practice: Practice = field(default_factory=Practice)
    """The settings of the game that the lobby's first line starts."""
    seen: frozenset[str] = frozenset()
    """Names of the hints that the player no longer needs."""

    @classmethod
    def load(cls) -> Settings:
        """The settings on disk; the defaults if the file cannot be read."""
        return cls._from(paths.read_settings())

    @classmethod
    def _from(cls, raw: dict[str, Any]) -> Settings:
        usual = cls()
        read = {each.name: _read(each.name, raw.get(each.name), usual) for each in fields(cls)}
        return cls(**read)

    def save(self) -> None:
        """Write the settings; raises `OSError`."""
        raw = {each.name: _written(getattr(self, each.name)) for each in fields(self)}
        text = json.dumps(raw, ensure_ascii=False, indent=1)
        paths.home()
        files.write_private(paths.settings_path(), text.encode())


def _read(name: str, raw: Any, usual: Settings) -> Any:
    """The stored value of a field if it is valid; otherwise the default."""
    match getattr(usual, name):
        case bool() as flag:
            return raw if isinstance(raw, bool) else flag
        case Enum() as kind:
            return next((each for each in type(kind) if each.value == raw), kind)
        case Practice():
            return Practice.read(raw)
        case frozenset():
            return frozenset(_names(raw))
        case default:
            is_fit = isinstance(raw, str) and (name not in _FIT or _FIT[name](raw))
            return raw if is_fit else default


def _written(value: Any) -> object:
    match value:
        case Enum():
            return value.value
        case Practice():
            return asdict(value)
        case frozenset():
            return sorted(value)
    return value


def trouble() -> str:
    """A sentence about settings that could not be read; empty if all is well."""
    where = paths.damaged_settings()
    if where is None:
        return ""
    return _(
        "Your settings cannot be read, so the defaults are used. The file is kept: {path}"
    ).format(path=where)


MAX_SEEN: Final = 40
"""Maximum number of hints' names that are read from disk, and of characters of each."""

_Value = TypeVar("_Value", str, int)


def _one_of(known: tuple[_Value, ...], raw: object, usual: _Value) -> _Value:
    return next((each for each in known if each == raw), usual)


def _names(raw: object) -> list[str]:
    if not isinstance(raw, list):
        return []
    return [each for each in raw[:MAX_SEEN] if isinstance(each, str) and len(each) <= MAX_SEEN]


def _is_name(name: str) -> bool:
    """Whether this name could be sent to others as a player's name."""
    return name.isprintable() and len(name.encode(errors="replace")) <= MAX_NAME


_FIT: Final = {"name": _is_name, "language": i18n.LANGUAGES.__contains__}
"""Additional checks of some of the texts, by the name of the field."""
