"""The screen of the lessons: scripted games, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from textual.timer import Timer

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.bidding import BiddingRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Word
from spoof_tui.acts.act import KeyAct
from spoof_tui.acts.buttons import Button, Buttons, Way, in_rows, is_sent
from spoof_tui.acts.table import LETTERS, PEEK
from spoof_tui.beats import Beat
from spoof_tui.runtime.launch import Launch
from spoof_tui.telling import sentences
from spoof_tui.telling.counts import beat_words
from spoof_tui.telling.names import distinct
from spoof_tui.telling.outcomes import outcome_for
from spoof_tui.telling.pacing import Reveal
from spoof_tui.telling.pressing import press
from spoof_tui.telling.rule_options import rules_title
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.app_protocol import tell
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, fit
from spoof_tui.ui.lesson.steps import (
    DMYTRO,
    MARIA,
    ME,
    Invite,
    Lesson,
    LessonStage,
    Topic,
    lesson,
    names,
)
from spoof_tui.ui.table.drawing import ring
from spoof_tui.ui.table.felt.centre import Centre
from spoof_tui.ui.table.frame import (
    Bar,
    Column,
    Frame,
    Hint,
    Line,
    StageScreen,
    column,
    fixed,
    frame,
    key_rows,
    panel,
    prose,
)
from spoof_tui.ui.table.panel.panel import any_key_in_a_count
from spoof_tui.ui.table.panel.side import word_lines, words_of
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen.controls import PutIn, SayWord
from spoof_tui.ui.table.static_table import Instant, StaticSeats, still
from spoof_tui.visiting import has_page

_FELT: Final = 9
"""The fewest rows that are kept for the felt."""

_NAMES: Final = 2
"""The fewest rows, on a screen with less than that: the names in two columns."""


def scene(lesson: Lesson) -> Scene:
    """The scene that the table shows at the current step."""
    step, round = lesson.step, lesson.round
    texts = tuple(ForeignText(name) for name in names())
    company = StaticSeats(_("Night train"), lesson.said.rules, texts, ME)
    number = step.round_index + 1
    if step.stage is LessonStage.COUNT:
        coins, hands, told = round.outcome.coins, round.hands, lesson.told
        return still(company, Instant(number, coins, round.words, frozenset(), hands, round, told))
    missing = {
        LessonStage.EMPTY: frozenset({ME, DMYTRO, MARIA}),
        LessonStage.CHOOSING: frozenset({ME}),
    }
    moment = Instant(
        number,
        round.words.coins,
        lesson.said,
        missing=missing.get(step.stage, frozenset()),
        is_locked=step.stage is LessonStage.LOCKED,
    )
    drawn = still(company, moment, _caption(lesson))
    drawn.peek = round.hands[ME] if step.peeks else None
    return drawn


def _caption(lesson: Lesson) -> Centre | None:
    if lesson.step.stage is LessonStage.EMPTY:
        return Centre(above="S P O O F", below=_lesson_name(lesson))
    return None


def _lesson_name(lesson: Lesson) -> str:
    return {1: _("Lesson one"), 2: _("Lesson two"), 3: _("Lesson three")}[lesson.number]


def _link(number: int) -> str:
    """The label of the key that leads to another lesson."""
    return {2: _("lesson two"), 3: _("lesson three")}[number]


# The parts round the table


def lesson_parts(lesson: Lesson, width: int, height: int) -> list[Part]:
    """The parts of the screen at the current step."""
    places = _with_room(lesson, frame(width, height))
    parts = [Part(places.bar, lesson_bar(lesson)), *ring(scene(lesson), places.ring)]
    if places.side.width:
        parts += lesson_side(lesson, places.side)
    return [*parts, *lesson_panel(lesson, places.panel)]


def _with_room(lesson: Lesson, places: Frame) -> Frame:
    """The frame, with a panel high enough for the explanation if the felt can spare the rows.

    With a side column, nothing is moved.
    """
    if places.side.width:
        return places
    told, asked = _lines(lesson, places.panel.width)
    least = _FELT if places.ring.height >= _FELT else _NAMES
    keys = key_rows(_keys(lesson), places.panel.width)
    return places.with_panel(len(told) + len(asked) + len(keys) + 1, least)


def lesson_bar(lesson: Lesson) -> Bar:
    """The bar: the lesson, its rules, and the number of the step."""
    end = _("step {step} of {steps}").format(step=lesson.place + 1, steps=len(lesson.script))
    return Bar(_lesson_name(lesson), rules_title(lesson.said.rules), (end, palette.QUIET))


def lesson_side(lesson: Lesson, place: Place) -> list[Part]:
    """The side column: the words of the round, and below them what is learned."""
    width = place.width
    split = min((place.height + 1) // 2, max(place.height - len(lesson.topics) - 1, 2))
    said = words_of(lesson.said)[-max(split - 2, 1) :]
    words = word_lines(said, names(), width)
    topics = [_topic_line(lesson, topic, width) for topic in lesson.topics]
    upper, lower = Column(_("This round"), fixed(words)), Column(_("In this lesson"), fixed(topics))
    return column(place, split, upper, lower)


def _topic_line(lesson: Lesson, topic: Topic, width: int) -> Line:
    signs = glyphs()
    learned, now = topic in lesson.learned, topic is lesson.next_topic
    mark = signs.yes if learned else signs.pointer if now else signs.dot
    style = palette.RIGHT if learned else palette.BRIGHT if now else palette.QUIET
    text = fit(_topic(topic), width - 5)
    return [(f"{mark} ", style), (text, palette.TEXT if learned else style)]


def _topic(topic: Topic) -> str:
    return {
        Topic.HAND: _("hiding coins"),
        Topic.BID: _("bid"),
        Topic.CALL: _("call"),
        Topic.RAISE: _("a higher bid"),
        Topic.CLIFF: _("cliff"),
        Topic.SPOOF: _("spoof"),
        Topic.ZERO: _("zero"),
        Topic.NAMES: _("names of calls"),
        Topic.TAKEN: _("taken numbers"),
        Topic.LEAVING: _("leaving first"),
        Topic.FINES: _("fines"),
    }[topic]


def lesson_panel(lesson: Lesson, place: Place) -> list[Part]:
    """The panel: the explanation, the task or a remark on the last key, and the keys."""
    told, asked = _lines(lesson, place.width)
    keys = key_rows(_keys(lesson), place.width)
    gap: list[Line] = [[]] if len(told) + len(asked) + len(keys) + 1 < place.height else []
    lines = [*told, *gap]
    return panel(place, _title(lesson), _progress(lesson), lines, _keys(lesson), asked)


def _lines(lesson: Lesson, width: int) -> tuple[list[Line], list[Line]]:
    """The lines of the explanation, and those of the task or of a remark on the last key."""
    step = lesson.step
    shown = scene(lesson)
    if lesson.told is not None and shown.reveal is not None and not shown.is_judged:
        opened = shown.order[: shown.opened]
        words = beat_words(lesson.round, opened, shown.reveal.beat, names(), ME)
        return [], prose(words, width)
    if lesson.told is not None:
        return [], _result(lesson, width)
    told = [*_result(lesson, width), *prose(_filled(lesson, step.says), width)]
    asked = prose(_remark(lesson), width, palette.WRONG)
    first = lesson_acts(lesson)[0]
    task = f"{press('', first.words)}." if has_page() else lesson.task
    return told, asked or prose(task, width, palette.pressing(palette.STRONG, first.key))


def _title(lesson: Lesson) -> Line:
    stage, ask = lesson.step.stage, lesson.step.ask
    if isinstance(ask, Invite):
        text = _("The end")
    elif isinstance(ask, SayWord):
        text = _("Your turn")
    elif stage is LessonStage.CHOOSING or ask is PEEK:
        text = _("Your hand")
    else:
        texts = {LessonStage.EMPTY: _lesson_name(lesson), LessonStage.COUNT: _("The count")}
        bids = isinstance(lesson.said, BiddingRound)
        text = texts.get(stage, _("The bids") if bids else _("The calls"))
    return [(text, palette.STRONG)]


def _progress(lesson: Lesson) -> Line:
    signs = glyphs()
    left = len(lesson.script) - lesson.place - 1
    return [
        (signs.coin * (lesson.place + 1), palette.MONEY),
        (signs.no_coin * left, palette.QUIET),
    ]


def _result(lesson: Lesson, width: int) -> list[Line]:
    """Lines with the count and the outcome of the round; empty before its count."""
    step, round = lesson.step, lesson.round
    if step.stage is not LessonStage.COUNT or isinstance(step.ask, Invite):
        return []
    order = scene(lesson).order
    lines = prose(sentences.the_count(round, names(), order, ME), width, palette.QUIET)
    return [*lines, *prose(outcome_for(ME, round, names()).sentences, width, palette.BOLD)]


def _filled(lesson: Lesson, text: str) -> str:
    signs = glyphs()
    me, dmytro, maria = distinct([ForeignText(name) for name in names()])
    said = lesson.said
    standing = said.standing if isinstance(said, BiddingRound) else None
    return text.format(
        me=me,
        dmytro=dmytro,
        maria=maria,
        bid=standing[1] if standing else 0,
        most=said.most,
        coins=signs.coin * 3,
        turn=signs.pointer,
        coin=signs.no_coin,
        mark=signs.mark,
        ways=f"{signs.up} {signs.down}",
    )


def _remark(lesson: Lesson) -> str:
    if isinstance(lesson.remark, Illegal):
        why = sentences.why_not(lesson.remark, names())
        return f"{why} {lesson.reply}"
    return _filled(lesson, lesson.remark)


def _keys(lesson: Lesson) -> list[Hint]:
    if lesson.told is not None:
        return [any_key_in_a_count(scene(lesson))]
    return [(act.caption, act.words) for act in lesson_acts(lesson)]


def lesson_acts(lesson: Lesson) -> list[KeyAct]:
    """The keys that do something at the current step, the asked one first."""
    asked = (*_asked(lesson), *_tries(lesson))
    help = KeyAct("question_mark", _("help"))
    back = KeyAct("left", _("back"), glyphs().left)
    others = [KeyAct(str(number), _link(number)) for number in (2, 3)]
    between = [back] if lesson.place else others if lesson.number == 1 else []
    if lesson.tried is not None:
        between = []
    return [*asked, *between, help, KeyAct("escape", _("leave"))]


def _asked(lesson: Lesson) -> tuple[KeyAct, ...]:
    ask = lesson.step.ask
    if isinstance(ask, Invite):
        play = KeyAct("p", _("play"))
        if ask.goes_on:
            return (KeyAct("enter", _link(lesson.number + 1)), play)
        return (play, KeyAct("enter", _("to the lobby")))
    if isinstance(ask, PutIn):
        return (KeyAct(str(ask.coins), _("hide {number}").format(number=ask.coins)),)
    if isinstance(ask, SayWord):
        return (_say(lesson, ask.word),)
    if ask is PEEK:
        return (KeyAct("space", _("peek")),)
    return (KeyAct("enter", _("undo") if lesson.tried else _("go on")),)


def _tries(lesson: Lesson) -> tuple[KeyAct, ...]:
    """The keys of other words that may be tried at this step."""
    return tuple(_say(lesson, words[0]) for words in lesson.tries.values())


def _say(lesson: Lesson, word: Word) -> KeyAct:
    if isinstance(word, Bid):
        bids = isinstance(lesson.said, BiddingRound)
        text = _("bid {number}") if bids else _("call {number}")
        return KeyAct("enter", text.format(number=word.number))
    return KeyAct(LETTERS[word], sentences.word_name(word))


_ON: Final = frozenset({"enter", "space", "right"})


class LessonScreen(StageScreen):
    """The screen of a lesson, on top of the lobby."""

    def __init__(self) -> None:
        super().__init__()
        self.lesson = lesson()
        self._timer: Timer | None = None

    def acts(self) -> Sequence[KeyAct]:
        """The keys that do something now, for the command palette and the help."""
        return lesson_acts(self.lesson)

    @property
    def is_guessing(self) -> bool:
        """Whether the lesson is the one about the guessing game."""
        return isinstance(self.lesson.said, GuessingRound)

    def buttons(self) -> Buttons:
        """The buttons for a web page, all large, since a lesson asks for one thing at a time."""
        every = [Button(each.key, each.words) for each in self.acts() if is_sent(each.key)]
        every[0] = every[0]._replace(way=Way.LIKELY)
        return Buttons(in_rows(every[:9], 3), every[9:])

    def parts(self, width: int, height: int) -> list[Part]:
        """The parts of the screen: the table, with the explanation and the task."""
        return lesson_parts(self.lesson, width, height)

    def press(self, key: str) -> None:
        """Handle a key of the lesson."""
        ask = self.lesson.step.ask
        invite = ask if isinstance(ask, Invite) else None
        begins = self.lesson.place == 0 and self.lesson.number == 1
        if key in ("q", "escape"):
            self.dismiss(None)
        elif self.lesson.told is not None:
            self._tell(None)
        elif key == "question_mark":
            self.show_help()
        elif invite and key == "p":
            self.dismiss(None)
            preset = self.lesson.said.rules.preset
            practice = replace(self.spoof.settings.practice, preset=preset)
            if trouble := self.spoof.keep(practice=practice):
                tell(self.app, trouble)
            self.spoof.begin(Launch(practice=True))
        elif begins and key in ("2", "3"):
            self.lesson = lesson(int(key))
        elif invite and invite.goes_on and key in _ON:
            self.lesson = lesson(self.lesson.number + 1)
        elif invite and key in _ON:
            self.dismiss(None)
        else:
            before, place = self.lesson.round if self._counts else None, self.lesson.place
            self.lesson.press(key)
            is_new = self._counts and self.lesson.round is not before
            if is_new and self.lesson.place >= place and self.app.animation_level != "none":
                self._tell(0)

    @property
    def _counts(self) -> bool:
        return self.lesson.step.stage is LessonStage.COUNT

    def _tell(self, beat: int | None) -> None:
        """Show the count from its step number `beat` on; None ends it at once."""
        if self._timer is not None:
            self._timer.stop()
        step = Reveal.of(self.lesson.round).steps[beat] if beat is not None else None
        is_running = step is not None and step.beat is not Beat.PAID
        self.lesson.told = beat if is_running else None
        if beat is not None and step is not None and is_running:
            self._timer = self.set_timer(step.seconds, partial(self._tell, beat + 1))
        self.redraw()
