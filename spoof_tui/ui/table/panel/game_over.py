"""The end of a game on the felt: who won, every round, and up to three lines of its story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from protocol.views import TableView
from spoof_tui.telling import measures, sentences, story
from spoof_tui.telling.gestures import gesture_words
from spoof_tui.telling.names import name_of
from spoof_tui.telling.story import FinalPlace, StoryLine
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.big_letters import ROWS, is_drawn, large
from spoof_tui.ui.canvas.cells import Part, Piece, Place, Sheet, first_fitting, fit, length, prose
from spoof_tui.ui.canvas.sprite import Size, draw_hand, opened
from spoof_tui.ui.dialogs.labels import key_pieces
from spoof_tui.ui.table.felt.ring import Felt, has_room_for_rim
from spoof_tui.ui.table.felt.seat import coins
from spoof_tui.ui.table.felt.tone import Tone
from spoof_tui.ui.table.frame import flowing
from spoof_tui.ui.table.scene import Scene
from spoof_tui.visiting import has_page

_BEFORE: Final = 4
"""Cells of the place and the star before a name."""

_GAP: Final = 2
"""Cells before the column of chips."""

_DIGITS: Final = 3
_SIGNS: Final = 5
"""Cells of a round if coins are shown one by one."""

_SIGNS_FROM: Final = 70
"""Columns from which coins are shown one by one."""

_MARGIN: Final = 2
"""Cells of the plaque at each side of large letters."""

_SPACED_FROM: Final = 44
"""Columns from which the letters of the headline are spaced."""


class _Columns(NamedTuple):
    """The widths of the grid's columns, in cells."""

    names: int
    cell: int
    rounds: range
    """Indices of the rounds shown: the last ones that fit."""
    notes: int
    score: int = 0
    """Width of the scores with the gap before them; 0 without scores."""

    @property
    def width(self) -> int:
        """Cells of a whole line."""
        return _BEFORE + self.names + 1 + self.cell * len(self.rounds) + 2 + self.notes + self.score


@dataclass(frozen=True, slots=True)
class FinalTable:
    """The end of a game, as a picture."""

    headline: str
    standings: tuple[FinalPlace, ...]
    story: tuple[StoryLine, ...]
    is_guessing: bool = False
    """Whether it was the guessing game: the numbers are calls, and the last to remain pays."""
    scored: str = ""
    """Title of the scores; empty without them."""
    gesture: str = ""
    """A gesture on show, as a sentence; empty for none."""
    is_lost: bool = False
    """Whether the player lost the game: then the rim does not take the colour of the win."""

    def draw(self, sheet: Sheet) -> None:
        """Draw as much as fits, centred."""
        columns = self._columns(sheet.width)
        grid = [self._line(each, columns) for each in self.standings]
        tales = self._tales(sheet.width)
        if sheet.height <= len(grid):
            self._draw_list(sheet, grid)
            return
        width = max(length(line) for line in [*grid, *tales])
        x = max((sheet.width - width) // 2, 0)
        needed = len(grid) + 1 + len(tales) + 1
        headline = self._headline(sheet.width, sheet.height - needed)
        hand = self._hand(sheet.height - len(headline) - needed)
        above = hand.height + 1 if hand else 0
        rows = _arranged(headline, self._heading(columns), grid, tales, sheet.height - above)
        y = max((sheet.height - len(rows) - above) // 2, 0)
        if hand:
            pose = opened(self.standings[0].numbers[-1])
            draw_hand(sheet, (sheet.width - hand.width) // 2, y, hand, pose)
        below = len(headline)
        for row, line in enumerate(rows):
            at = (sheet.width - length(line)) // 2 if row < below else x
            sheet.pieces(at, y + above + row, line)
        if self.gesture and below < len(rows):
            # Below the name, in place of the heading if there is no free row.
            said = fit(f" {self.gesture} ", sheet.width)
            sheet.put(0, y + above + below, " " * sheet.width, palette.SURFACE)
            sheet.put((sheet.width - cell_len(said)) // 2, y + above + below, said, palette.BUBBLE)

    def _draw_list(self, sheet: Sheet, grid: Sequence[list[Piece]]) -> None:
        """Draw only the first places and the player's own, for want of room."""
        mine = next((each.place for each in self.standings if each.is_me), 0)
        kept = list(grid[: sheet.height])
        if mine > len(kept) > 0:
            kept[-1] = grid[mine - 1]
        for row, line in enumerate(kept):
            sheet.pieces(0, row, line)

    def _hand(self, room: int) -> Size | None:
        """The size of a hand with the winner's coins that fits into `room` rows; None if none
        does."""
        sizes = (Size.LARGE, Size.MIDDLE) if not self.is_guessing else ()
        return next((size for size in sizes if size.height + 3 <= room), None)

    def _headline(self, width: int, rows: int) -> list[list[Piece]]:
        """The rows of the headline: in large letters, on a plaque, or both; with a free row below a
        plaque."""
        star, text = "" if self.is_guessing else glyphs().star, self.headline
        wide = (f"{star} {text} {star}".strip().upper(), text.upper())
        drawn = (large(each) for each in wide if rows >= ROWS and is_drawn(each))
        if letters := next(
            (each for each in drawn if cell_len(each[0]) + 2 * _MARGIN <= width), ()
        ):
            if rows < ROWS + 3:
                # Half a row below them is free already.
                above: list[list[Piece]] = [[]] if rows > ROWS else []
                return [*above, *([(row, Tone.MONEY.style)] for row in letters)]
            blank = " " * cell_len(letters[0])
            return _plaque((blank, *letters, blank))
        spaced = " ".join(text.upper())
        is_plain = all(letter.isalnum() or letter in " -." for letter in text)
        if width >= _SPACED_FROM and cell_len(spaced) + 8 <= width and is_plain:
            text = spaced
        line = f"{star} {text} {star}".strip()
        blank = " " * cell_len(line)
        return _plaque((blank, line, blank) if rows > ROWS else (line,), margin=1)

    def _columns(self, width: int) -> _Columns:
        names = max(cell_len(each.name) for each in self.standings)
        notes = max(cell_len(each.note) for each in self.standings)
        last = max(len(each.numbers) for each in self.standings)
        score = max(cell_len(each.score) for each in self.standings)
        score += _GAP if score else 0
        room = width - _BEFORE - names - notes - score - 3 - (2 if width > _SPACED_FROM else 0)
        are_signs = width >= _SIGNS_FROM and not self.is_guessing and last * _SIGNS <= room
        cell = _SIGNS if are_signs else _DIGITS
        shown = min(last, max(room // cell, 0))
        return _Columns(names, cell, range(last - shown + 1, last + 1), notes, score)

    def _heading(self, columns: _Columns) -> list[Piece]:
        room = _BEFORE + columns.names
        is_cut = bool(columns.rounds) and columns.rounds[0] > 1
        words = (_("round"),) if self.is_guessing else (_("after round"), _("after"))
        tail = f" {glyphs().ellipsis}" if is_cut else ""
        word = first_fitting(room - 1, *(each + tail for each in words))
        numbers = "".join(f" {number:<{columns.cell - 1}}" for number in columns.rounds)
        if columns.cell == _DIGITS:
            numbers = "".join(f"{number:>2} " for number in columns.rounds)
        blank = " " * (room - 1 - cell_len(word))
        heading = f"{blank}{word} {numbers}"
        gap = columns.width - cell_len(heading) - cell_len(self.scored)
        if any(each.score for each in self.standings) and gap > 0:
            heading += " " * gap + self.scored
        return [(heading, palette.ON_FELT_QUIET)]

    def _line(self, each: FinalPlace, columns: _Columns) -> list[Piece]:
        is_first = each.out is None
        name = each.name + " " * (columns.names - cell_len(each.name))
        style = Tone.STRONG.style if each.is_me or is_first else Tone.PLAIN.style
        star = glyphs().star if is_first and not self.is_guessing else " "
        line = [(f"{each.place} ", style), (f"{star} ", Tone.MARK.style), (name, style)]
        line += [self._cell(each, number, columns.cell) for number in columns.rounds]
        note = each.note + " " * (columns.notes - cell_len(each.note))
        score = " " * (columns.score - cell_len(each.score)) + each.score
        return [*line, ("   ", style), (note, Tone.QUIET.style), (score, style)]

    def _cell(self, each: FinalPlace, number: int, width: int) -> Piece:
        is_left = each.out is not None and number > each.out
        if is_left or number > len(each.numbers):
            return " " * width, Tone.QUIET.style
        signs, value = glyphs(), each.numbers[number - 1]
        if number == each.out:
            sign = signs.yes if self.is_guessing else signs.lost
            text, style = sign, Tone.PLAIN.style
        elif width == _SIGNS:
            text, style = coins(value, _SIGNS - 2), Tone.MONEY.style
        else:
            text, style = str(value), Tone.MONEY.style
        return (f" {text:<{width - 1}}" if width == _SIGNS else f"{text:>2} "), style

    def _tales(self, width: int) -> list[list[Piece]]:
        """The lines of the story, without those that do not fit."""
        labels = max((cell_len(each.about) for each in self.story), default=0) + 3
        lines = []
        for each in self.story:
            if way := first_fitting(width - 2 - labels, *each.ways, ""):
                about = each.about + " " * (labels - cell_len(each.about))
                lines.append([(about, Tone.QUIET.style), (way, Tone.PLAIN.style)])
        return lines


def _plaque(rows: Sequence[str], margin: int = _MARGIN) -> list[list[Piece]]:
    blank = " " * margin
    return [[(blank + row + blank, palette.PRIZE)] for row in rows]


def _arranged(
    headline: Sequence[list[Piece]],
    heading: list[Piece],
    grid: Sequence[list[Piece]],
    tales: Sequence[list[Piece]],
    height: int,
) -> list[list[Piece]]:
    """Headline, grid and story as rows, with as much space between them as `height` allows."""
    spare = height - len(headline) - len(grid)
    above = [heading][:spare]
    spare -= len(above)
    gap = min(spare, 1) if headline[0] else 0
    tales = tales[: spare - gap]
    spare -= gap + len(tales)
    between = min(spare, 1) if tales else 0
    spare -= between
    if spare >= len(grid) + len(tales) + 2:
        grid, tales, gap, between = _airy(grid), _airy(tales), 2, 2
    blank: list[Piece] = []
    return [*headline, *[blank] * gap, *above, *grid, *[blank] * between, *tales]


def _airy(lines: Sequence[list[Piece]]) -> list[list[Piece]]:
    """The lines with a blank one between each two."""
    blank: list[Piece] = []
    return [line for each in lines for line in (blank, each)][1:]


def game_over(scene: Scene) -> FinalTable | None:
    """The picture of the end of the game; None while something else is on show."""
    view = scene.view
    if view is None or not scene.is_game_over:
        return None
    return FinalTable(
        headline=story.headline(view, scene.names),
        standings=story.standings(view, scene.names, scene.of_pub),
        story=story.story(view, scene.names),
        is_guessing=view.is_guessing,
        scored=sentences.score_title(view),
        gesture=_gesture(scene, view),
        is_lost=view.winner != view.me and view.my_seat is not None and view.my_seat.plays,
    )


def _gesture(scene: Scene, view: TableView) -> str:
    """A sentence on the latest gesture on show; empty for none."""
    shown = max(scene.gestures.shown.items(), key=lambda each: each[1].position, default=None)
    return gesture_words(shown[1].gesture, name_of(view, shown[0])) if shown else ""


def game_over_parts(over: FinalTable, place: Place) -> list[Part]:
    """The parts of a game's end at `place`: the felt, and the picture on it."""
    x, y, width, height = place
    inset = int(has_room_for_rim(place))
    inner = Place(x + inset, y + inset, width - 2 * inset, height - 2 * inset)
    glow = None if over.is_lost else Tone.PRIZE
    felt = Felt(has_rim=bool(inset), glow=glow, is_whole=True)
    return [Part(place, felt), Part(inner, over)]


# The panel


def again_lines(view: TableView, width: int, *, is_practice: bool) -> list[list[Piece]]:
    """The question whether to play again and, if the others are people, how many are ready."""
    asked = _("Play again?")
    if is_practice:
        return [[(asked, palette.BOLD)]]
    count = _("{ready} of {players} are ready.").format(
        ready=sum(each.ready for each in view.seats), players=len(measures.sitting(view))
    )
    return flowing([[(asked, palette.BOLD)], [(count, palette.QUIET)]], width)


def after_lines(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """Lines on what was won or paid, who opens the next game, and the keys for rounds and postcard.

    Empty while the last count is on show.
    """
    if scene.last is not None:
        return []
    pub = scene.of_pub
    won = f"{sentences.result(pub, scene.names)} {sentences.own(pub)}".strip() if pub else ""
    is_short = width < _SPACED_FROM
    texts = (won, story.opens_next(view, scene.names, is_short=is_short))
    mine = [*prose(story.my_end(view, scene.names), width, palette.BOLD)]
    lines = [*mine, *(line for text in texts for line in prose(text, width))]
    if is_short:
        return lines
    saved = _("Saved.") + " " if scene.record else ""
    keys: list[Piece] = []
    if not has_page():
        keys += [*key_pieces("g", _("shows its rounds.")), (" ", palette.QUIET)]
        keys += key_pieces("p", _("copies a postcard."))
    return [*([] if mine else [[]]), *lines, [(saved, palette.QUIET), *keys]]
