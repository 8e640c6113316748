"""What each screen can do now, with its keys: for the line of keys, the palette and the help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from protocol.table.fold import Phase
from protocol.views import FistState, SeatStatus, TableView
from spoof_tui.text.i18n import LANGUAGES, _, other
from spoof_tui.ui.wording.sentences import word_name
from spoof_tui.visiting import is_visitor


class KeyAct(NamedTuple):
    """A key and what it does."""

    key: str
    """As Textual calls it; empty for keys that cannot be pressed by one name."""
    words: str
    shown: str = ""
    """What stands on the key, where that is not its name."""

    @property
    def caption(self) -> str:
        """What the key is called on a keyboard."""
        return self.shown or caption(self.key)


def caption(key: str) -> str:
    """A key as it is called on a keyboard."""
    return {
        "enter": _("Enter"),
        "space": _("space"),
        "escape": _("Esc"),
        "tab": _("Tab"),
        "question_mark": "?",
        "slash": "/",
        "left": "←",
        "right": "→",
        "up": "↑",
        "down": "↓",
        "plus": "+",
        "minus": "-",
        "home": _("Home"),
        "end": _("End"),
        "left_square_bracket": "[",
        "right_square_bracket": "]",
    }.get(key, key)


_CAPTIONED: Final = (
    "enter", "space", "tab", "question_mark", "slash", "left", "right", "up", "down",
    "plus", "minus", "home", "end", "escape",
)  # fmt: skip


def key_of(label: str) -> str | None:
    """The key that a label on the screen stands for, as Textual calls it; None if for none."""
    label = label.strip()
    if len(label) == 1 and label.isascii() and label.isalnum():
        return label
    arrows = {"◂": "left", "▸": "right", "<": "left", ">": "right"}
    named = {caption(key): key for key in _CAPTIONED}
    return named.get(label) or arrows.get(label)


def lobby_acts() -> Sequence[KeyAct]:
    """What the lobby does."""
    return (
        KeyAct("enter", _("what is selected")),
        KeyAct("p", _("play now")),
        KeyAct("l", _("learn by playing")),
        KeyAct("n", _("open a table")),
        KeyAct("a", _("join by address")),
        KeyAct("c", _("continue a table")),
        KeyAct("w", _("watch the selected table")),
        KeyAct("slash", _("find a table by its name")),
        KeyAct("", _("select a line"), "↑ ↓"),
        KeyAct("", _("change what you play now"), "← → " + _("Tab")),
        KeyAct("g", _("games that you played, and statistics")),
        KeyAct("e", _("rename")),
        KeyAct("x", _("what the network lets through")),
        KeyAct("o", _("options")),
        KeyAct("u", LANGUAGES[other()]),
        KeyAct("h", _("rules")),
        _cover(),
        KeyAct("question_mark", _("help")),
        KeyAct("q", _("quit")),
    )


def _cover() -> KeyAct:
    return KeyAct("", _("cover the whole screen"), "Ctrl+L")


def table_acts(
    view: TableView | None,
    *,
    is_host: bool = False,
    has_code: bool = False,
    is_shut: bool | None = None,
    has_strangers: bool = False,
    covers: bool = False,
    has_coach: bool = False,
) -> Sequence[KeyAct]:
    """What can be done at a table now; what the player cannot do is left out.

    `is_shut`: whether the own open table is locked; None if it is not one.
    `has_strangers`: somebody sits there who has never opened a fist.
    `covers`: a hand is chosen on a list that is not shown.
    `has_coach`: nobody but bots can come to the table.
    """
    if view is None:
        return (*_reading(), KeyAct("q", _("leave")))
    return (
        *_due(view, covers=covers),
        *(
            [KeyAct("k", _("ask the coach"))]
            if has_coach and view.my_turn and not view.is_guessing
            else ()
        ),
        *_voice(view),
        *_hosting(view, is_host=is_host, has_code=has_code, is_shut=is_shut, is_practice=has_coach),
        *([KeyAct("e", _("send the strangers away"))] if has_strangers else ()),
        KeyAct("tab", _("turn the page: this round, all rounds, talk")),
        *_reading(),
        KeyAct("q", _("leave")),
    )


def _due(view: TableView, *, covers: bool) -> Iterable[KeyAct]:
    """What the table waits for."""
    if view.own_fist_due and view.my_seat:
        yield from _hand(view.my_seat.coins, covers=covers)
    if view.my_turn:
        yield from _turn(view)
    gathering = view.phase is Phase.GATHERING
    if not _sits(view):
        yield KeyAct("r", _("sit down"))
    elif gathering:
        yield KeyAct("r", _("ready for the next game"))


def _hand(coins: int, *, covers: bool) -> Iterable[KeyAct]:
    if covers:
        yield KeyAct("", _("go through a list that is not shown"), "← →")
        yield KeyAct("enter", _("hide the hand you are at"))
        yield KeyAct("space", _("see that hand for a moment"))
    elif coins > 9:
        yield KeyAct("", _("hide so many coins"), f"0–{coins} " + _("Enter"))
    else:
        for number in range(coins + 1):
            yield KeyAct(str(number), _("hide {number}").format(number=number))


def _turn(view: TableView) -> Iterable[KeyAct]:
    yield KeyAct("enter", _("say the number that is shown"))
    yield KeyAct("up", _("a higher number"), "↑ →")
    yield KeyAct("down", _("a lower number"), "↓ ←")
    yield KeyAct("", _("type a number"), "0–9")
    if view.is_guessing:
        return
    for option in view.options:
        if option.forbidden is None:
            yield KeyAct(_ENDING_LETTERS[option.word.value], word_name(option.word))
    if view.may_turn:
        yield KeyAct("d", _("turn the direction"))


_ENDING_LETTERS: Final = {"call": "c", "cliff": "l", "spoof": "s", "zero": "z"}


def _voice(view: TableView) -> Iterable[KeyAct]:
    """What a player may do at any time; who only watches has no fist and no voice."""
    seat = view.my_seat
    if seat is not None and seat.fist is FistState.IN:
        yield KeyAct("space", _("look into your fist"))
    if not _sits(view):
        return
    yield KeyAct("t", _("talk"))
    yield KeyAct("m", _("shout “Mitt-full!”: my fist is full (true or not)"))
    yield KeyAct("j", _("gestures: the Wobble, sweat, shouts and more"))
    yield KeyAct("p", _("go on") if view.paused else _("pause"))
    if view.new_table is not None:
        yield KeyAct("y", _("go on at a new table"))
    elif any(each.away_since is not None for each in view.seats):
        yield KeyAct("y", _("play on without the missing"))
    yield KeyAct("v", _("mute or remove a player"))
    if view.has_slate or view.counts_rounds:
        yield KeyAct("f", _slate(view))


def _hosting(
    view: TableView, *, is_host: bool, has_code: bool, is_shut: bool | None, is_practice: bool
) -> Iterable[KeyAct]:
    if is_host and len(view.seats) < view.seat_count:
        yield KeyAct("b", _("one more bot"))
    if is_host and not is_practice:
        yield KeyAct("i", _("invite: the address, the code, and a picture of both"))
        if not is_visitor():
            yield KeyAct("a", _("let people in by ssh, or close that door"))
    if has_code:
        yield KeyAct("n", _("new join code"))
    elif is_shut is not None:
        yield KeyAct("n", _("let everybody in again") if is_shut else _("let nobody new in"))


def _reading() -> Iterable[KeyAct]:
    yield KeyAct("w", _("why? rules of this moment"))
    yield KeyAct("g", _("the rounds of this game"))
    yield KeyAct("h", _("rules"))
    yield KeyAct("x", _("what the network lets through"))
    yield KeyAct("o", _("options"))
    yield _cover()
    yield KeyAct("question_mark", _("help"))


def _sits(view: TableView) -> bool:
    return view.my_seat is not None and view.my_seat.presence is not SeatStatus.GONE


def replay_acts() -> Sequence[KeyAct]:
    """What a replay does."""
    return (
        KeyAct("right", _("the next word")),
        KeyAct("left", _("the word before")),
        KeyAct("down", _("the next round")),
        KeyAct("up", _("the round before")),
        KeyAct("", _("to a round"), "0–9 " + _("Enter")),
        KeyAct("home", _("the beginning")),
        KeyAct("end", _("the end")),
        KeyAct("space", _("play by itself, or stop")),
        KeyAct("plus", _("faster")),
        KeyAct("minus", _("slower")),
        KeyAct("o", _("open or close the hands")),
        KeyAct("right_square_bracket", _("the next game")),
        KeyAct("left_square_bracket", _("the game before")),
        KeyAct("question_mark", _("help")),
        KeyAct("q", _("quit")),
    )


def rulebook_acts() -> Sequence[KeyAct]:
    """What the rulebook does."""
    return (
        KeyAct("right", _("another rulebook")),
        KeyAct("left", _("the rulebook before")),
        KeyAct("down", _("read on")),
        KeyAct("up", _("read back")),
        KeyAct("space", _("the next page")),
        KeyAct("question_mark", _("help")),
        KeyAct("escape", _("back")),
    )


def history_acts(page: str) -> Sequence[KeyAct]:
    """What a page of the history does: `games`, `statistics` or `evening`."""
    own = {
        "games": (
            KeyAct("enter", _("step through this game on a table")),
            KeyAct("w", _("go through your words in this game")),
            KeyAct("v", _("check the log of this game")),
            *(
                ()
                if is_visitor()
                else (KeyAct("e", _("write games to a file: records, CSV or JSON")),)
            ),
            KeyAct("slash", _("find games by who played, or by their table")),
            KeyAct("r", _("only games by other rules")),
            KeyAct("t", _("only games that you won, lost or watched")),
        ),
        "statistics": (KeyAct("r", _("only games by other rules")),),
        "evening": (
            KeyAct("left_square_bracket", _("the evening before")),
            KeyAct("right_square_bracket", _("the evening after")),
        ),
    }[page]
    return (
        KeyAct("tab", _("games, statistics, the evening")),
        *own,
        KeyAct("question_mark", _("help")),
        KeyAct("escape", _("back")),
    )


def _slate(view: TableView) -> str:
    """What the slate keeps here."""
    if view.is_guessing:
        return _("the slate of the guessing game")
    return _("the slate of fines") if view.has_slate else _("the slate of rounds")
