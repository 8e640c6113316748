"""What can be typed now, and what the game is, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.plain.typed import AnyCommand, Command, LobbyCommand, listed
from spoof_tui.text.i18n import LANGUAGES, _, other
from spoof_tui.ui.wording.moderation import sits
from spoof_tui.ui.wording.the_game import ending_meanings, how_a_round_goes, how_it_ends


def game_lines() -> Iterator[str]:
    """The game in ten lines."""
    yield from how_a_round_goes()
    for word, meaning in ending_meanings():
        yield f"{word}: {meaning}."
    yield how_it_ends()


def lobby_help() -> Iterator[str]:
    """What can be typed in the lobby."""
    yield _("You can type, each followed by Enter:")
    yield from listed(LobbyCommand, _lobby_words())


def _lobby_words() -> Mapping[AnyCommand, str]:
    return {
        LobbyCommand.PLAY: _(
            "play now against bots; behind it, if you like, how many, how strong and by which "
            "rules, such as: play 5 hard hollywood"
        ),
        LobbyCommand.LEARN: _("what the game is, in ten lines"),
        LobbyCommand.OPEN: _("open a table; it asks you what it shall be"),
        LobbyCommand.JOIN: _(
            "sit down at a table: by its number, its name, or its address and join code; the "
            "number alone is enough, too"
        ),
        LobbyCommand.WATCH: _("watch a table, by its number or name"),
        LobbyCommand.CONTINUE: _("continue a table that broke off"),
        LobbyCommand.TABLES: _("the tables on this network"),
        LobbyCommand.NAME: _("take another name, such as: name Olha"),
        LobbyCommand.RULES: _("the rules, such as: rules hollywood"),
        LobbyCommand.NETWORK: _("what the network lets through"),
        LobbyCommand.LANGUAGE: LANGUAGES[other()],
        LobbyCommand.LINES: _("always begin in plain lines, or on a screen again"),
        LobbyCommand.HELP: _("this help"),
        LobbyCommand.LEAVE: _("end the program"),
    }


def table_help(
    view: TableView | None, *, is_host: bool = False, is_practice: bool = False
) -> Iterator[str]:
    """What can be typed at a table now; what the player cannot do is left out."""
    yield _("You can type, each followed by Enter:")
    if view is not None and view.own_fist_due:
        yield _("a number: hide so many coins; what you type is not shown")
    if view is not None and view.my_turn:
        yield _("a number: bid or call it")
        if not view.is_guessing:
            for word, meaning in ending_meanings():
                yield f"{word}: {meaning}"
    words = dict(_table_words())
    if view is not None and not view.has_slate:
        words[Command.SLATE] = _("the slate of rounds")
    yield from listed(_possible(view, is_host=is_host, is_practice=is_practice), words)
    yield _(
        "Enter alone: go on, hear the rest of a count at once, or hear again what is asked. "
        "What you have typed is kept when a line comes in between."
    )


def _possible(view: TableView | None, *, is_host: bool, is_practice: bool) -> Iterator[Command]:
    if view is None:
        yield from (Command.NETWORK, Command.LANGUAGE, Command.HELP, Command.LEAVE)
        return
    has_seat = sits(view)
    wanted = {
        Command.READY: view.phase is Phase.GATHERING or not has_seat,
        Command.TALK: has_seat,
        Command.SHOUT: has_seat,
        Command.GESTURE: has_seat,
        Command.TURN: view.my_turn and view.may_turn,
        Command.COACH: is_practice and view.my_turn and not view.is_guessing,
        Command.SLATE: view.has_slate or view.counts_rounds,
        Command.BOT: is_host and len(view.seats) < view.seat_count,
        Command.INVITE: is_host and not is_practice,
        Command.CODE: is_host and not is_practice,
        Command.STRANGERS: is_host and view.shut is not None,
        Command.PAUSE: has_seat,
        Command.PLAY_ON: view.new_table is not None or _is_anybody_away(view),
        Command.MEASURE: has_seat and not is_practice,
    }
    yield from (command for command in Command if wanted.get(command, True))


def _is_anybody_away(view: TableView) -> bool:
    return any(seat.away_since is not None for seat in view.seats)


def _table_words() -> Mapping[AnyCommand, str]:
    return {
        Command.READY: _("play the next game, or sit down"),
        Command.TALK: _("talk, such as: say hello"),
        Command.SHOUT: _("shout “Mitt-full!”: my fist is full (true or not)"),
        Command.GESTURE: _("the gestures that make sense now; make one by its number"),
        Command.TURN: _("turn the direction"),
        Command.WHO: _("who is here, and whom the table waits for"),
        Command.WHY: _("why? rules of this moment"),
        Command.ROUNDS: _("the rounds of this game"),
        Command.COACH: _("ask the coach"),
        Command.RULES: _("the rules of this table"),
        Command.SLATE: _("the slate: fines and drinks, and what you can put on it"),
        Command.BOT: _("one more bot"),
        Command.INVITE: _("the address and the code, for those who want to come"),
        Command.CODE: _("a new join code; at an open table, lock it or open it again"),
        Command.STRANGERS: _("send the strangers away"),
        Command.PAUSE: _("pause, or go on"),
        Command.PLAY_ON: _("play on without the missing, or go on at a new table"),
        Command.MEASURE: _("mute or remove a player"),
        Command.NETWORK: _("what the network lets through"),
        Command.LANGUAGE: LANGUAGES[other()],
        Command.HELP: _("this help"),
        Command.LEAVE: _("leave"),
    }
