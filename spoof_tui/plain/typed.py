"""What a typed line means: words of the game, numbers, and commands by a letter or by their names.

The letters are those of the keys on the screens, so that every sentence which names a key is true
here, too. English names are understood in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from protocol.rules.words import Ending
from protocol.views import TableView
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.wording.calls import NAMED, call_name
from spoof_tui.ui.wording.sentences import word_name


class Command(Enum):
    """What can be asked for at a table; the values are a letter, if it has one, and a name."""

    READY = ("r", "ready")
    TALK = ("t", "say")
    SHOUT = ("m", "mitt")
    GESTURE = ("j", "gesture")
    TURN = ("d", "turn")
    WHO = ("", "who")
    WHY = ("w", "why")
    ROUNDS = ("g", "rounds")
    COACH = ("k", "odds")
    RULES = ("h", "rules")
    SLATE = ("f", "slate")
    BOT = ("b", "bot")
    INVITE = ("i", "invite")
    CODE = ("n", "code")
    STRANGERS = ("e", "strangers")
    PAUSE = ("p", "pause")
    PLAY_ON = ("y", "yes")
    MEASURE = ("v", "vote")
    NETWORK = ("x", "network")
    LANGUAGE = ("u", "language")
    HELP = ("?", "help")
    LEAVE = ("q", "quit")

    @property
    def letter(self) -> str:
        """The key on the screens that does the same."""
        return self.value[0]

    @property
    def word(self) -> str:
        """Its English name."""
        return self.value[1]


class LobbyCommand(Enum):
    """What can be asked for in the lobby."""

    PLAY = ("p", "play")
    LEARN = ("l", "learn")
    OPEN = ("n", "host")
    JOIN = ("a", "join")
    WATCH = ("w", "watch")
    CONTINUE = ("c", "continue")
    TABLES = ("", "tables")
    NAME = ("e", "name")
    RULES = ("h", "rules")
    NETWORK = ("x", "network")
    LANGUAGE = ("u", "language")
    LINES = ("o", "lines")
    HELP = ("?", "help")
    LEAVE = ("q", "quit")

    @property
    def letter(self) -> str:
        """The key of the lobby that does the same."""
        return self.value[0]

    @property
    def word(self) -> str:
        """Its English name."""
        return self.value[1]


AnyCommand = Command | LobbyCommand


@dataclass(frozen=True, slots=True)
class Asked:
    """A command, and what was typed behind it."""

    command: AnyCommand
    rest: str = ""


Meaning = int | Ending | Asked
"""A number, an ending word, or a command."""


def name(command: AnyCommand) -> str:
    """What a command is called in the language that is spoken now."""
    return {
        "ready": pgettext("typed", "ready"),
        "say": pgettext("typed", "say"),
        "mitt": pgettext("typed", "mitt"),
        "gesture": pgettext("typed", "gesture"),
        "turn": pgettext("typed", "turn"),
        "who": pgettext("typed", "who"),
        "why": pgettext("typed", "why"),
        "rounds": pgettext("typed", "rounds"),
        "odds": pgettext("typed", "odds"),
        "rules": pgettext("typed", "rules"),
        "slate": pgettext("typed", "slate"),
        "bot": pgettext("typed", "bot"),
        "invite": pgettext("typed", "invite"),
        "code": pgettext("typed", "code"),
        "strangers": pgettext("typed", "strangers"),
        "pause": pgettext("typed", "pause"),
        "yes": pgettext("typed", "yes"),
        "vote": pgettext("typed", "vote"),
        "network": pgettext("typed", "network"),
        "language": pgettext("typed", "language"),
        "help": pgettext("typed", "help"),
        "quit": pgettext("typed", "quit"),
        "play": pgettext("typed", "play"),
        "learn": pgettext("typed", "learn"),
        "host": pgettext("typed", "host"),
        "join": pgettext("typed", "join"),
        "watch": pgettext("typed", "watch"),
        "continue": pgettext("typed", "continue"),
        "tables": pgettext("typed", "tables"),
        "name": pgettext("typed", "name"),
        "lines": pgettext("typed", "lines"),
    }[command.word]


def asked(text: str, commands: Iterable[AnyCommand]) -> Asked | None:
    """The command that a line begins with; None if it begins with none of these."""
    first, _blank, rest = text.strip().partition(" ")
    typed = first.casefold()
    letter = latin(typed) if len(typed) == 1 else ""
    for command in commands:
        if typed in (command.word, name(command).casefold()) or letter == (command.letter or None):
            return Asked(command, rest.strip())
    return None


def meaning(text: str, view: TableView | None) -> Meaning | None:
    """What a line means at a table; None if it means nothing."""
    typed = " ".join(text.casefold().split()).rstrip("!")
    number = _number(typed)
    if number is not None:
        return number
    if view is not None and view.is_guessing:
        called = next((each for each in NAMED if call_name(each).casefold() == typed), None)
        if called is not None:
            return called
    elif view is not None and (word := ending(typed)):
        return word
    return asked(text, Command)


def ending(typed: str) -> Ending | None:
    """The ending word of this name or letter."""
    letters = {"c": Ending.CALL, "l": Ending.CLIFF, "s": Ending.SPOOF, "z": Ending.ZERO}
    for letter, word in letters.items():
        names = (word.value, word_name(word).casefold())
        if typed in names or (len(typed) == 1 and latin(typed) == letter):
            return word
    return None


def _number(typed: str) -> int | None:
    """A number, alone or behind the word for a bid."""
    for word in ("bid", _("bid").casefold()):
        typed = typed.removeprefix(word + " ")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else None


def listed(commands: Iterable[AnyCommand], words: Mapping[AnyCommand, str]) -> Iterable[str]:
    """A line for each command: what to type, and what it does."""
    for command in commands:
        letter = f" ({command.letter})" if command.letter else ""
        yield f"{name(command)}{letter}: {words[command]}"
