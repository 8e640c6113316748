"""The bar above the table and the column beside it: words of the round, and talk."""

from __future__ import annotations

from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from protocol.guest.guest import LinkState
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import START_COINS
from protocol.rules.words import Bid
from protocol.table.fold import Talk
from protocol.table.statements import Gesture, Measure
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, fit, wrap
from spoof_tui.ui.table import guessing as school
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import absence, sentences
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.names import name_of
from spoof_tui.ui.wording.options import rules_title

_NAME: Final = 7
"""Cells that a name keeps beside a call whose own name is long."""

_MIN_TALK: Final = 4
"""Rows that are left for the talk, however many calls there are."""


def draw_bar(scene: Scene, width: int, height: int) -> list[Strip]:
    """One line: the table, its rules, the round, and how the link is."""
    sheet = Sheet(width, 1)
    view = scene.view
    if view is None:
        sheet.put(1, 0, "Spoof", palette.STRONG)
        return sheet.lines()
    x = sheet.put(1, 0, show(view.table_name, 24), palette.STRONG)
    right = (_("over"), palette.QUIET) if scene.over else _right_end(view, scene)
    room = width - x - len(right[0]) - 5
    sheet.put(x + 2, 0, fit(rules_title(view.rules), room), palette.QUIET)
    sheet.put(width - len(right[0]) - 1, 0, *right)
    return sheet.lines()


def _right_end(view: TableView, scene: Scene) -> tuple[str, Style]:
    if view.link is not LinkState.UP:
        state = sentences.link_state(view.link)
        if scene.cut_off_at is not None:
            state = f"{state} {absence.duration(scene.cut_off_for)}"
        return state, palette.WRONG
    if view.paused:
        return _("paused"), palette.STRONG
    if not view.game_number:
        return _("no game yet"), palette.QUIET
    number, most = view.round_number, view.most
    if scene.last is not None and not scene.is_counted:
        # What the round decides is not told before its count.
        number, most = len(view.past), scene.last.words.most
    if not most:
        over = _("school {game} is over") if view.is_guessing else _("game {game} is over")
        return over.format(game=view.game_number), palette.QUIET
    text = _("game {game}  round {round}  {most} coins in play")
    if view.is_guessing:
        text = _("school {game}  round {round}  {players} in the school")
    values = {"game": view.game_number, "round": number, "most": most}
    return text.format(**values, players=most // START_COINS), palette.QUIET


def draw_side(scene: Scene, width: int, height: int) -> list[Strip]:
    """Above the words of the round, below the talk."""
    sheet = Sheet(width, height)
    for row in range(height):
        sheet.put(0, row, "│", palette.BORDER)
    split = max((height + 1) // 2, min(_calls(scene) + 2, height - _MIN_TALK))
    _draw_words(sheet, scene, split)
    _draw_talk(sheet, scene, split)
    return sheet.lines()


def _calls(scene: Scene) -> int:
    """Calls and attempts to be told in the guessing game, where each player makes one."""
    if scene.view is None or not scene.view.is_guessing:
        return 0
    played = scene.last.words if scene.last else None
    return max(len(scene.view.calls), len(played.words) if played else 0, len(scene.view.seats))


def _draw_words(sheet: Sheet, scene: Scene, rows: int) -> None:
    view = scene.view
    title = _("Calls") if view and view.is_guessing else _("Words")
    sheet.put(2, 0, title, palette.QUIET)
    if view is None:
        return
    if view.is_guessing:
        _draw_calls(sheet, scene, view, rows)
        return
    last = scene.last
    words = last.words.words if last else view.words
    room = sheet.width - 3
    for row, (seat, word) in enumerate(words[-(rows - 2) :], 1):
        said = sentences.word_name(word) + ("" if isinstance(word, Bid) else "!")
        sheet.put(2, row, fit(scene.names[seat], room - len(said) - 1), palette.TEXT)
        style = palette.BOLD if isinstance(word, Bid) else palette.STRONG
        sheet.put(sheet.width - 1 - len(said), row, said, style)


def _draw_calls(sheet: Sheet, scene: Scene, view: TableView, rows: int) -> None:
    """Calls by name with the number in small print; what does not stand is struck out."""
    played = scene.last
    calls = view.calls
    if played is not None and isinstance(played.words, GuessingRound):
        calls = played.words.calls
    told = school.told_calls(calls, played, scene.order[: scene.opened])
    for row, call in enumerate(told[-(rows - 2) :], 1):
        name = scene.names[call.seat] if call.first else ""
        kept = min(cell_len(name), _NAME) + cell_len(call.number + call.attempt)
        words = fit(call.words, sheet.width - 4 - kept)
        end = [(words, call.style), (call.number, palette.QUIET), (call.attempt, call.style)]
        x = sheet.width - 1 - sum(cell_len(text) for text, _style in end)
        sheet.put(2, row, fit(name, x - 3), palette.TEXT)
        sheet.pieces(x, row, end)


def _draw_talk(sheet: Sheet, scene: Scene, top: int) -> None:
    sheet.put(2, top, _("Talk"), palette.QUIET)
    if scene.view is None:
        return
    room = sheet.width - 3
    space = sheet.height - top - 1
    votes = _votes(scene.view, room)[-max(space - 1, 0) :]
    told = _told(scene, scene.view, room, sheet.height)[-(space - len(votes)) :]
    for row, (indent, text, style) in enumerate(told, top + 1):
        sheet.put(2, row, fit(" " * indent + text, room), style)
    for row, pieces in enumerate(votes, sheet.height - len(votes)):
        sheet.pieces(2, row, pieces)


_Line: TypeAlias = tuple[int, str, Style]
"""Columns to leave free, a text, and its look."""


def _told(scene: Scene, view: TableView, room: int, most: int) -> list[_Line]:
    """The last talk, and among it what was done about whom, in lines of `room` columns."""
    told = [(talk.position, _spoken(view, talk, room)) for talk in view.talk[-most:]]
    for event in scene.events:
        lines = wrap(event.text, room)
        told.append((event.position, [(0, line, palette.BRIGHT) for line in lines]))
    told.sort(key=lambda each: each[0])
    return [line for _position, lines in told for line in lines]


def _spoken(view: TableView, talk: Talk, room: int) -> list[_Line]:
    name = name_of(view, talk.author)
    if isinstance(talk.said, Gesture):
        return [(0, fit(f"{name}: " + _("Mitt-full!"), room), palette.BRIGHT)]
    spoken = wrap(f"{name}: {show(talk.said, 200)}", room)
    return [(0 if not index else 1, text, palette.TEXT) for index, text in enumerate(spoken)]


def _votes(view: TableView, room: int) -> list[list[tuple[str, Style]]]:
    """The votes that are running, the one to join last, with the key that joins it."""
    lines: list[list[tuple[str, Style]]] = []
    for motion in view.votes:
        lines += [
            [(line, palette.BOLD)] for line in wrap(measures.motion_words(motion, view), room)
        ]
    newest = measures.open_motion(view)
    if newest:
        is_host = view.my_seat is not None and view.my_seat.key == view.host
        decides = is_host and newest.measure is not Measure.PLAY_ON
        words = _("decide it") if decides else _("vote too")
        lines.append([("v ", palette.KEY), (words, palette.QUIET)])
    return lines
