"""A dialog with the rounds of the game: what was said, held and decided in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from rich.cells import cell_len
from textual.binding import Binding
from textual.content import Content

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import START_COINS
from protocol.views import TableView
from spoof_tui.bots.coach import Review, review
from spoof_tui.telling.coaching import review_lines
from spoof_tui.telling.counts import moved, stamp
from spoof_tui.telling.names import listed
from spoof_tui.telling.sentences import said_aloud, score, score_title, standing
from spoof_tui.telling.story import PlayerTally, tallies
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import bound
from spoof_tui.ui.dialogs.dialog import Keys
from spoof_tui.ui.dialogs.reading import Pages, Reading, Study, column, hanging, stacked, wrapped
from spoof_tui.ui.table.scene import Scene

_INDENT: Final = 5
_COUNT: Final = 4
_SCORE: Final = 8
_STAMP: Final = 17
_GAP: Final = 2


class RoundsDialog(Reading):
    """Shows the finished rounds, the latest first; updated with the table.

    `watch` is called with the number of a round that the player wants to see again.
    """

    BINDINGS = [
        Binding("down", "step(1)", show=False, priority=True),
        Binding("up", "step(-1)", show=False, priority=True),
        ("left", "choose(-1)"),
        ("right", "choose(1)"),
        ("enter", "watch"),
    ]

    def __init__(self, scene: Scene, watch: Callable[[int], None]) -> None:
        super().__init__(
            _("Rounds of this game"),
            lambda width: page(scene, width, self._judge, chosen=self.number),
        )
        self._scene = scene
        self._study = Study[Review](self)
        self._watch = watch
        self._number = 0
        """Number of the chosen round; 0 for the latest one."""

    def _judge(self, rounds: Sequence[PlayedRound], seat: int) -> Review | None:
        return self._study.of((rounds, seat), partial(review, rounds, seat))

    @property
    def number(self) -> int:
        """Number of the chosen round; 0 if there is no round."""
        return self._number or len(shown(self._scene))

    def keys(self) -> Keys:
        """The keys that choose a round and show it again; none if there is no round."""
        if not self.number:
            return ()
        text = _("watch round {number}").format(number=self.number)
        choose = "↑ ↓ " if len(shown(self._scene)) > 1 else ""
        return [(choose + _("Enter"), text)]

    def action_step(self, by: int) -> None:
        """Choose the next round up or down; scroll by a line where there is none in sight."""
        pages, rows = self.query_one(Pages), self._rows()
        first = pages.scroll_offset.y
        is_ahead = rows.start >= first + pages.size.height if by > 0 else rows.start < first
        if is_ahead or not 1 <= self.number - by <= len(shown(self._scene)):
            pages.action_read(by)
        else:
            self.action_choose(-by)

    def action_choose(self, by: int) -> None:
        """Move the choice on by `by` rounds, and scroll to it."""
        self._number = min(max(self.number + by, 1), max(len(shown(self._scene)), 1))
        self.present()
        pages, rows = self.query_one(Pages), self._rows()
        y = max(min(pages.scroll_offset.y, rows.start - 1), rows.stop - pages.size.height, 0)
        pages.scroll_to(y=y, animate=False, immediate=True)

    def _rows(self) -> range:
        """The rows of the page that show the chosen round; empty if there is no round."""
        lines = [*self._text(self.size.width).plain.split("\n"), ""]
        start = next((y for y, line in enumerate(lines) if line.startswith(glyphs().pointer)), 0)
        return range(start, lines.index("", start)) if self.number else range(0)

    def action_watch(self) -> None:
        """Close the dialog, and have the chosen round shown again at the table."""
        number = self.number
        self.dismiss(None)
        if number:
            self._watch(number)


Judge = Callable[[Sequence[PlayedRound], int], Review | None]
"""Reviews the rounds for the player in a seat; returns None while that takes a moment."""


def page(scene: Scene, width: int, judge: Judge = review, *, chosen: int = 0) -> Content:
    """The whole page in lines of `width` columns; the round number `chosen` is marked."""
    view, past = scene.view, shown(scene)
    if view is None or not past:
        stands = standing(view, scene.names) if view else ""
        return Content(f"{_('No round has been counted yet.')} {stands}".strip())
    names = listed(range(len(scene.names)), scene.names, view.me)
    rounds = [stacked([*_round(number, past[number - 1], names, width, is_chosen=number == chosen)])
              for number in range(len(past), 0, -1)]  # fmt: skip
    saved = _("Game saved: {path}").format(path=scene.record) if scene.is_game_over else ""
    kept = [hanging(Content(), saved, 0, width, "$quiet")] if scene.record and saved else []
    judged = _review(scene, view, past, width, judge)
    return Content("\n\n").join(
        [stacked([*_held(view, past, names, width)]), *judged, *rounds, *kept]
    )


def _review(
    scene: Scene, view: TableView, past: Sequence[PlayedRound], width: int, judge: Judge
) -> list[Content]:
    """The coach's review of the player's own words, once the game is over; empty before."""
    if not scene.is_game_over or view.me is None or view.is_guessing:
        return []
    judged = judge(past, view.me)
    told = (
        review_lines(judged, listed(range(len(scene.names)), scene.names, view.me))
        if judged is not None
        else [_("The coach is thinking …")]
    )
    return [stacked([Content.styled(_("Looking back"), "bold"), wrapped(told, width)])]


def shown(scene: Scene) -> Sequence[PlayedRound]:
    """The rounds of the game, without one whose count is still running."""
    if scene.view is None:
        return ()
    is_counting = scene.last is not None and not scene.is_counted
    return scene.view.past[:-1] if is_counting else scene.view.past


def _held(
    view: TableView, past: Sequence[PlayedRound], names: Sequence[str], width: int
) -> Iterator[Content]:
    """A table with a line for each player: the hands that were seen, and how their words turned
    out."""
    seats = len(past[-1].outcome.coins)
    told = tallies(past, seats)
    most = max(START_COINS, *(max(tally.hid, default=0) for tally in told))
    label = max(map(cell_len, (_("held"), *names[:seats]))) + _GAP
    kept = [*_scores(told, is_guessing=view.is_guessing), *_stakes(view, seats)]
    scores = _fitting(kept, width - label - _COUNT * most)
    heading = column(_("held"), label)
    heading += "".join(str(number).rjust(_COUNT) for number in range(most + 1))
    heading += "".join(" " * _GAP + column(title, _wide(title)) for title, _told in scores)
    yield Content.styled(heading.rstrip(), "$quiet")
    for seat in range(seats):
        hid = told[seat].hid
        hands = [
            (str(hid[number] or "·").rjust(_COUNT), "bold" if hid[number] else "$quiet")
            for number in range(most + 1)
        ]
        ends = "".join(" " * _GAP + column(each[seat], _wide(title)) for title, each in scores)
        yield Content.assemble(column(names[seat], label), *hands, ends.rstrip())
    for title, each in kept[len(scores) :]:
        # Columns without room go below.
        said = ", ".join(bound(f"{name} {value}") for name, value in zip(names, each, strict=False))
        yield hanging(Content.styled(f"{title}:", "$quiet"), said, _INDENT, width, "$quiet")


def _scores(told: Sequence[PlayerTally], *, is_guessing: bool) -> list[tuple[str, list[str]]]:
    """The columns on words, each with a title and the values of all seats."""
    if is_guessing:
        return [(_("calls"), [_score(tally.good, tally.bids) for tally in told])]
    decided = [_score(tally.right, tally.decided) for tally in told]
    return [(_("right when tested"), decided)]


def _stakes(view: TableView, seats: int) -> list[tuple[str, list[str]]]:
    """The column of chips or paid rounds over the evening (S1, S2), as a list; empty without
    stakes."""
    told = [score(view, seat) for seat in range(seats)]
    if not any(told):
        return []
    return [(score_title(view), [each or "·" for each in told])]


def _fitting(scores: Sequence[tuple[str, list[str]]], room: int) -> Sequence[tuple[str, list[str]]]:
    """The columns, from the first on, that fit into `room` cells."""
    used = _COUNT
    for place, (title, _told) in enumerate(scores):
        used += _GAP + _wide(title)
        if used > room:
            return scores[:place]
    return scores


def _wide(title: str) -> int:
    """The cells of a column with this title."""
    return max(cell_len(title), _SCORE)


def _score(right: int, all: int) -> str:
    return _("{right} of {all}").format(right=right, all=all) if all else "·"


def _round(
    number: int, played: PlayedRound, names: Sequence[str], width: int, *, is_chosen: bool = False
) -> Iterator[Content]:
    """The lines on one round: how it ended, what was said, and what the fists held."""
    text, holds = stamp(played)
    sign = glyphs().pointer if is_chosen else " "
    head = Content.assemble(
        (sign + str(number).rjust(_INDENT - 3) + "  ", "$accent"),
        (column(text, _STAMP), "bold $success" if holds else "bold $error"),
    )
    yield hanging(head, moved(played, names), _INDENT + _STAMP + 1, width)
    said = _calls(played.words, names) if isinstance(played.words, GuessingRound) else [
        bound(f"{names[seat]} {said_aloud(word)}") for seat, word in played.words.words
    ]  # fmt: skip
    yield hanging(Content(), " · ".join(said), _INDENT, width)
    held = [bound(f"{names[seat]} {hand}") for seat, hand in sorted(played.hands.items())]
    total = played.outcome.total
    if total is not None:
        held[-1] = bound(_("{fists} = {total}").format(fists=held[-1], total=total))
    fists = f"{_('held')}  " + " · ".join(held)
    yield hanging(Content(), fists, _INDENT, width, "$quiet")


def _calls(said: GuessingRound, names: Sequence[str]) -> list[str]:
    return [bound(f"{names[seat]} {number}") for seat, number in said.called.items()]
