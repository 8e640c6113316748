"""The lesson in words and pictures: its script, and the parts round its table."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.words import Bid, Ending
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, fit
from spoof_tui.ui.lesson.script import DMYTRO, MARIA, ME, Invite, Lesson, Stage, Step, Topic
from spoof_tui.ui.table.centre import Centre
from spoof_tui.ui.table.controls import ENDING_KEYS, Act, PutIn, SayWord
from spoof_tui.ui.table.drawing import ring
from spoof_tui.ui.table.framed import (
    Bar,
    Column,
    Hint,
    Line,
    column,
    fixed,
    frame,
    panel,
    prose,
)
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.side import word_lines
from spoof_tui.ui.table.static_table import Company, Instant, still
from spoof_tui.ui.wording import sentences
from spoof_tui.ui.wording.names import distinct
from spoof_tui.ui.wording.options import rules_title


def names() -> tuple[str, str, str]:
    """Who plays, as the Kyiv guide has it; the first is the player's part."""
    return _("Svitlana"), _("Dmytro"), _("Maria")


def script() -> tuple[Step, ...]:
    """The steps, in the language that is spoken now. {bid} and {most} are the round's."""
    return (*_first_round(), *_second_round(), *_third_round(), *_fourth_round(), *_fifth_round())


def _first_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=0,
            stage=Stage.EMPTY,
            says=_(
                "Welcome to the night train from Kyiv to Lviv. You are {me}; {dmytro} and {maria} "
                "play with you. Everybody owns three coins. Buttons or pebbles would do."
            ),
            request=_("Press Enter to begin."),
            otherwise=_("Enter begins, Esc leaves at any time."),
        ),
        Step(
            round_index=0,
            stage=Stage.CHOOSING,
            ask=PutIn(0),
            says=_(
                "The hand: every round everybody hides some of their coins in a fist, or none. "
                "Nobody sees how many. The question will be: how many are there in all fists?"
            ),
            request=_("This time hide nothing: press 0."),
            otherwise=_("A digit says how many coins you hide. This time: 0."),
            instead=dict.fromkeys("123", _("A fine hand, for another round. Now press 0.")),
            topic=Topic.HAND,
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            ask=Act.PEEK,
            says=_(
                "All fists are in, and locked: nobody can change a hand now. If you forget what "
                "you hold, the space bar shows it for a moment, to you alone."
            ),
            request=_("Have a look: press the space bar."),
            otherwise=_("First look into your fist, with the space bar."),
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            peeks=True,
            says=_("Empty, as you left it. Now the words go round: {dmytro} opens this round."),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            words=1,
            says=_(
                "{dmytro} bids {bid}: he claims that all three fists together hold {bid} coins, or "
                "more. In turn, everybody must now raise, or say a word that opens the fists."
            ),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            words=2,
            ask=SayWord(Ending.CALL),
            says=_(
                "{maria} raises to {bid}. But your fist is empty: for {bid} there, {dmytro} and "
                "{maria} would have to hold every coin they own. You do not believe it: call!"
            ),
            request=_("Press c to call."),
            otherwise=_("You could go on, but this bid is too good to miss: press c."),
            instead={"enter": _("You may raise to 7, but you would lose by it. Press c.")},
            topic=Topic.CALL,
        ),
        Step(
            round_index=0,
            stage=Stage.COUNT,
            says=_("The player who is wrong about a call pays one coin. This time it was not you!"),
            request=reading,
            otherwise=reading,
        ),
    )


def _second_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=1,
            stage=Stage.CHOOSING,
            ask=PutIn(3),
            says=_(
                "A new round, and new hands. You ended the last round, so by these rules you open "
                "this one. Hide all you have, and look innocent."
            ),
            request=_("Press 3 to hide three coins."),
            otherwise=_("A digit says how many coins you hide. This time: 3."),
            instead=dict.fromkeys(
                "012", _("That would be allowed. This time hide three: press 3.")
            ),
        ),
        Step(
            round_index=1,
            stage=Stage.SPEAKING,
            ask=SayWord(Bid(1)),
            says=_(
                "You open. A bid of 1 is surely true: you hold 3 yourself. A low start lets the "
                "others climb. The highest possible bid is {most}, all the coins there are."
            ),
            request=_("Press Enter to bid 1."),
            otherwise=_("In a game, digits or arrows choose a higher bid. Now press Enter."),
        ),
        Step(
            round_index=1,
            stage=Stage.SPEAKING,
            words=3,
            ask=SayWord(Bid(4)),
            says=_(
                "{dmytro} said 2, {maria} {bid}. A raise must be higher than the last bid, by as "
                "much as you like. You hold 3, so 4 needs only one coin more in two fists."
            ),
            request=_("Press Enter to raise to 4."),
            otherwise=_("Raise by one: Enter bids 4."),
            instead={
                "c": _("A call says: fewer than 3. You hold three yourself! Press Enter."),
                "l": _("A cliff says: exactly 3. Are both the other fists empty? Press Enter."),
                "s": _("A spoof says: all coins are out. That is too bold here. Press Enter."),
            },
            topic=Topic.RAISE,
        ),
        Step(
            round_index=1,
            stage=Stage.SPEAKING,
            words=5,
            says=_("{dmytro} does not believe your {bid}, and calls. All the fists open!"),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=1,
            stage=Stage.COUNT,
            says=_("A bid is good with that many coins or more. The guide writes: S1-D2-M3-S4-D!"),
            request=reading,
            otherwise=reading,
        ),
    )


def _third_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=2,
            stage=Stage.CHOOSING,
            ask=PutIn(1),
            says=_("{dmytro} called, so {dmytro} opens. In this round you will only watch."),
            request=_("Press 1 to hide one coin."),
            otherwise=_("A digit says how many coins you hide. This time: 1."),
            instead=dict.fromkeys("023", _("That would be allowed. This time hide one: press 1.")),
        ),
        Step(
            round_index=2,
            stage=Stage.SPEAKING,
            words=2,
            says=_(
                "{dmytro} bids {bid}, and {maria} says: cliff! A cliff claims that there are "
                "exactly {bid} coins, not one more and not one less. It is the boldest word."
            ),
            request=reading,
            otherwise=reading,
            topic=Topic.CLIFF,
        ),
        Step(
            round_index=2,
            stage=Stage.COUNT,
            says=_("A right cliff is the only way to win a coin back. A wrong one costs a coin."),
            request=reading,
            otherwise=reading,
        ),
    )


def _fourth_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=3,
            stage=Stage.CHOOSING,
            ask=PutIn(3),
            says=_("Two words are left. {maria} opens this round; look at her face."),
            request=_("Press 3 to hide three coins."),
            otherwise=_("A digit says how many coins you hide. This time: 3."),
            instead=dict.fromkeys(
                "012", _("That would be allowed. This time hide three: press 3.")
            ),
        ),
        Step(
            round_index=3,
            stage=Stage.SPEAKING,
            words=1,
            ask=SayWord(Ending.SPOOF),
            says=_(
                "{maria} opens with {bid}, and only {most} coins are left in play! You hold three. "
                "It looks as if every fist was full. Spoof claims just that: all {most} are out."
            ),
            request=_("Press s to say spoof."),
            otherwise=_("This is the moment for a spoof: press s."),
            instead={
                "enter": _(
                    "A bid of 8 is true if all coins are out. Spoof says it better: press s."
                ),
                "c": _("You hold three: the bid is most likely good. Press s."),
            },
            topic=Topic.SPOOF,
        ),
        Step(
            round_index=3,
            stage=Stage.COUNT,
            says=_("A right spoof is a draw, and saves you from a bid that you cannot raise."),
            request=reading,
            otherwise=reading,
        ),
    )


def _fifth_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=4,
            stage=Stage.CHOOSING,
            ask=PutIn(0),
            says=_("You open once more. Everybody has just shown full fists. What comes next?"),
            request=_("Hide nothing: press 0."),
            otherwise=_("A digit says how many coins you hide. This time: 0."),
            instead=dict.fromkeys("123", _("That would be allowed. This time hide none: press 0.")),
        ),
        Step(
            round_index=4,
            stage=Stage.SPEAKING,
            ask=SayWord(Ending.ZERO),
            says=_(
                "Zero claims that every fist is empty, and may only be your first word of a round. "
                "If wrong, it costs you a coin; if right, it costs everybody else one."
            ),
            request=_("Dare it: press z to say zero."),
            otherwise=_("Be bold: press z."),
            instead={
                "enter": _("A bid of 1 with an empty fist? Say zero: press z."),
                "s": _("Spoof says that all coins are out, and you hide none. Press z."),
            },
            topic=Topic.ZERO,
        ),
        Step(
            round_index=4,
            stage=Stage.COUNT,
            says=_("One word, two coins. Now you know all the words."),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=4,
            stage=Stage.COUNT,
            ask=Invite(),
            says=_(
                "Without coins you are out; the last one left wins. At a real table, the panel "
                "tells you what you may say, and a word that opens the fists needs a second press."
            ),
            request=_("Press p to play against three bots, or Enter to go back to the lobby."),
            otherwise=_("p plays, Enter goes back to the lobby."),
        ),
    )


def scene(lesson: Lesson) -> Scene:
    """What the table shows at the present step."""
    step, round = lesson.step, lesson.round
    texts = tuple(ForeignText(name) for name in names())
    company = Company(_("Night train"), lesson.said.rules, texts, ME)
    number = step.round_index + 1
    if step.stage is Stage.COUNT:
        coins = round.outcome.coins
        counted = Instant(number, coins, round.words, hands=round.hands, played=round)
        return still(company, counted)
    missing = {Stage.EMPTY: frozenset({ME, DMYTRO, MARIA}), Stage.CHOOSING: frozenset({ME})}
    moment = Instant(
        number,
        round.words.coins,
        lesson.said,
        missing=missing.get(step.stage, frozenset()),
    )
    drawn = still(company, moment, _caption(lesson))
    drawn.peek = round.hands[ME] if step.peeks else None
    return drawn


def _caption(lesson: Lesson) -> Centre | None:
    if lesson.step.stage is Stage.EMPTY:
        return Centre(above="S P O O F", below=_("your first game"))
    return None


# The parts round the table


def lesson_parts(lesson: Lesson, width: int, height: int) -> list[Part]:
    """The present step as a stage shows it."""
    places = frame(width, height)
    parts = [Part(places.bar, lesson_bar(lesson)), *ring(scene(lesson), places.ring)]
    if places.side.width:
        parts += lesson_side(lesson, places.side)
    return [*parts, *lesson_panel(lesson, places.panel)]


def lesson_bar(lesson: Lesson) -> Bar:
    """Whose rules are taught, and how far the lesson is."""
    end = _("step {step} of {steps}").format(step=lesson.place + 1, steps=len(lesson.script))
    return Bar(_("Your first game"), rules_title(lesson.said.rules), (end, palette.QUIET))


def lesson_side(lesson: Lesson, place: Place) -> list[Part]:
    """Above the words of the round, below what is learned."""
    width = place.width
    split = min((place.height + 1) // 2, max(place.height - len(Topic) - 1, 2))
    words = word_lines(lesson.said.words[-max(split - 2, 1) :], names(), width)
    topics = [_topic_line(lesson, topic, width) for topic in Topic]
    upper, lower = Column(_("Words"), fixed(words)), Column(_("Learned"), fixed(topics))
    return column(place, split, upper, lower)


def _topic_line(lesson: Lesson, topic: Topic, width: int) -> Line:
    signs = palette.glyphs()
    learned, now = topic in lesson.learned, topic is lesson.step.topic
    mark = signs.yes if learned else signs.pointer if now else signs.dot
    style = palette.RIGHT if learned else palette.BRIGHT if now else palette.BORDER
    text = fit(_topic(topic), width - 5)
    return [(f"{mark} ", style), (text, palette.TEXT if learned else style)]


def _topic(topic: Topic) -> str:
    return {
        Topic.HAND: _("the hand"),
        Topic.RAISE: _("the raise"),
        Topic.CALL: _("call"),
        Topic.CLIFF: _("cliff"),
        Topic.SPOOF: _("spoof"),
        Topic.ZERO: _("zero"),
    }[topic]


def lesson_panel(lesson: Lesson, place: Place) -> list[Part]:
    """What is explained and asked, what the last key did wrong, and the keys."""
    width, height = place.width, place.height
    step = lesson.step
    keys = _keys(lesson)
    told = [*_result(lesson, width), *prose(_filled(lesson, step.says), width)]
    asked = prose(_remark(lesson), width, palette.WRONG) or prose(
        step.request, width, palette.STRONG
    )
    room = max(height - 2 - len(asked), 0)
    # What is asked matters more than what led to it.
    gap: list[Line] = [[]] if len(told) < room else []
    lines = [*told[-room:], *gap, *asked] if room else asked
    return panel(place, _title(step), _progress(lesson), lines, keys)


def _title(step: Step) -> Line:
    texts = {
        Stage.EMPTY: _("Your first game"),
        Stage.CHOOSING: _("Your hand"),
        Stage.COUNT: _("The count"),
        Stage.SPEAKING: _("Your turn") if isinstance(step.ask, SayWord) else _("The words"),
    }
    text = _("The end") if isinstance(step.ask, Invite) else texts[step.stage]
    return [(text, palette.STRONG)]


def _progress(lesson: Lesson) -> Line:
    signs = palette.glyphs()
    left = len(lesson.script) - lesson.place - 1
    return [
        (signs.coin * (lesson.place + 1), palette.MONEY),
        (signs.no_coin * left, palette.BORDER),
    ]


def _result(lesson: Lesson, width: int) -> list[Line]:
    """What a round did, by the rules."""
    step, round = lesson.step, lesson.round
    if step.stage is not Stage.COUNT or isinstance(step.ask, Invite):
        return []
    who = names()
    order = scene(lesson).order
    lines = prose(sentences.the_count(round, who, order), width, palette.QUIET)
    return [*lines, *prose(sentences.outcome(round, who, me=0), width, palette.BOLD)]


def _filled(lesson: Lesson, text: str) -> str:
    me, dmytro, maria = distinct([ForeignText(name) for name in names()])
    standing = lesson.said.standing
    return text.format(
        me=me,
        dmytro=dmytro,
        maria=maria,
        bid=standing[1] if standing else 0,
        most=lesson.said.most,
    )


def _remark(lesson: Lesson) -> str:
    if isinstance(lesson.remark, Illegal):
        why = sentences.why_not(lesson.remark, names())
        return f"{why} {lesson.step.otherwise}"
    return _filled(lesson, lesson.remark)


def _keys(lesson: Lesson) -> list[Hint]:
    signs = palette.glyphs()
    keys = list(_asked(lesson.step))
    if lesson.place:
        keys.append((signs.left, _("back a step")))
    if isinstance(lesson.step.ask, Invite):
        return keys
    return [*keys, ("Esc", _("leave the lesson"))]


def _asked(step: Step) -> tuple[Hint, ...]:
    ask = step.ask
    if isinstance(ask, Invite):
        return (("p", _("play against three bots")), ("Enter", _("to the lobby")))
    if isinstance(ask, PutIn):
        return ((str(ask.coins), _("into the fist")),)
    if isinstance(ask, SayWord):
        letters = {ending: key for key, ending in ENDING_KEYS.items()}
        if isinstance(ask.word, Ending):
            return ((letters[ask.word], sentences.word_name(ask.word)),)
        return ((_("Enter"), _("bid {number}").format(number=ask.word.number)),)
    if ask is Act.PEEK:
        return ((_("space"), _("look into the fist")),)
    return ((_("Enter"), _("go on")),)
