"""Dialogs and pages over a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Final

from textual.content import Content

from protocol.crypto.join_code import ALPHABET, CODE_LENGTH
from protocol.rules.words import Bid
from protocol.table.statements import VOTED, Measure
from protocol.views import TableView
from protocol.wire.messages import Farewell
from spoof_tui.acts.buttons import Buttons, Way
from spoof_tui.acts.table import DOOR, LETTERS, TableAct
from spoof_tui.bots.coach import Advice, advise
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.notices import SeatHeld
from spoof_tui.telling import leaving, practice, sentences
from spoof_tui.telling.absence import absentees
from spoof_tui.telling.coaching import advice_lines, coach_note
from spoof_tui.telling.explanations import Explanation, WhyLine, why, why_opening
from spoof_tui.telling.findings import hotspot, one_machine
from spoof_tui.telling.leaving import Parting
from spoof_tui.telling.measures import (
    Proposal,
    concerned,
    has_voted,
    measure_help,
    measure_name,
    motion_to_answer,
    possible,
    proposal_of,
    subject,
    tally,
)
from spoof_tui.telling.names import name_of
from spoof_tui.telling.sentences import code_asked, sentence
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.layouts import latin
from spoof_tui.text.safe_text import own_text, show
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.canvas.palette import has_blocks
from spoof_tui.ui.dialogs.choices import Choice, digits
from spoof_tui.ui.dialogs.dialog import Dialog, Field, Keys, Pick
from spoof_tui.ui.dialogs.reading import Reading, Study, hanging, stacked, wrapped
from spoof_tui.ui.table.dialogs.inviting import (
    qr_lines,
)
from spoof_tui.ui.table.scene import Scene
from spoof_tui.visiting import has_page, is_visitor

LOOK_INTERVAL: Final = 0.5
"""Seconds between two checks of which programs could take over the table."""


class LeaveDialog(Dialog[Parting]):
    """Asks whether to leave and, as host, what becomes of the table; pressing q again leaves."""

    WIDTH = 66
    BINDINGS = [("q", "accept")]

    def __init__(
        self, scene: Scene, view: TableView, look: Callable[[], None] = lambda: None
    ) -> None:
        """`look` updates the scene; no notice says when another program becomes able to host the
        table."""
        self._scene = scene
        self._look = look
        self._view = view
        self._ways: tuple[Parting, ...] = (Parting(),)
        self._way = Choice("", [""], keys="123456789")
        title, accept = _("Leave the table?"), _("leave")
        if scene.is_practice:
            title = practice.leave_question(scene.waiting)
            accept = accept if scene.waiting is None else _("go back")
        super().__init__(title, accept, choices=[self._way], back=_("stay"))
        self.follow()

    def on_mount(self) -> None:
        self.set_interval(LOOK_INTERVAL, self._look_again)

    def _look_again(self) -> None:
        before = self._scene.known.heirs
        self._look()
        if self._scene.known.heirs != before:
            self.present()

    def buttons(self) -> Buttons:
        """The buttons of a web page; to stay is the prominent one, since leaving cannot be
        undone."""
        usual = super().buttons()
        stay, (leave, *change) = usual.also[-1], usual.main
        parting = next(each for each in leave if each.key == "enter")
        return Buttons(
            [[stay._replace(way=Way.LIKELY)], *change], [parting._replace(way=Way.PLAIN)]
        )

    def result(self) -> Parting:
        """The chosen way to leave."""
        self.follow()
        return self._ways[self._way.index]

    def follow(self) -> None:
        """Update the ways to leave; the chosen one stays chosen while it is possible."""
        view, scene = self._scene.view or self._view, self._scene
        chosen = self._ways[self._way.index]
        self._view = view
        hosts = scene.known.is_host and not scene.is_practice
        self._ways = leaving.ways(view, scene.known.heirs, hosts=hosts)
        index = self._ways.index(chosen) if chosen in self._ways else 0
        words = [leaving.words(each, view) for each in self._ways]
        is_asked = len(words) > 1
        self._way.label = _("The table") if is_asked else f"{_('The table')} {words[0]}."
        if scene.is_practice:
            self._way.label = practice.leave_meaning(scene.waiting)
        self._way.values = words if is_asked else [""]
        self._way.index = index
        meaning = leaving.meaning(self._ways[index], view)
        self._way.note = "" if scene.is_practice else meaning


@dataclass(frozen=True, slots=True)
class MeasureChoice:
    """A measure that the host takes, or that a player votes for or no longer votes for."""

    proposal: Proposal
    yes: bool
    """Whether to vote for the measure, rather than take a vote back."""


class MeasuresDialog(Dialog[MeasureChoice]):
    """Asks for a measure and whom it concerns; updated with the table below."""

    WIDTH = 66

    def __init__(self, scene: Scene, view: TableView, is_host: bool) -> None:
        """A measure that is asked for at the table is chosen at first."""
        self._scene = scene
        self._view = view
        self._is_host = is_host
        self._seats: tuple[bytes, ...] = ()
        self._measures: tuple[Measure, ...] = ()
        self._chosen = _asked(scene, view) or _first(view)
        self._is_other = False
        """Whether an update replaced the player's choice, which was no longer possible."""
        self._whom = Choice(_("Who"), [""], keys="123456789")
        self._what = Choice(_("What"), [""], keys="1234", spread=True)
        title = _("Decide at the table") if is_host else _("Vote at the table")
        super().__init__(title, "", choices=[self._whom, self._what])
        self.follow()

    def on_mount(self) -> None:
        self.focus_choice(self._what)

    def result(self) -> MeasureChoice:
        """The chosen measure; raises `ValueError` with a sentence if it is no longer possible."""
        self.follow()
        if self._is_other:
            self._is_other = False
            raise ValueError(_("That is no longer possible: look again."))
        yes = self._decides or not has_voted(self._chosen, self._view)
        return MeasureChoice(self._chosen, yes)

    def changed(self) -> None:
        """Take over the choice that the lines show."""
        measures = self._measures
        measure = measures[min(self._what.index, len(measures) - 1)]
        self._chosen, self._is_other = Proposal(measure, self._seats[self._whom.index]), False

    def follow(self) -> None:
        """Update the lines from the table; the choice is kept while it is possible."""
        view = self._view = self._scene.view or self._view
        self._seats = concerned(view)
        key = self._chosen.seat if self._chosen.seat in self._seats else self._seats[0]
        self._measures = possible(view, key)
        same = self._chosen.measure in self._measures
        measure = self._chosen.measure if same else self._measures[0]
        self._is_other |= self._chosen != Proposal(measure, key)
        self._chosen = Proposal(measure, key)
        self._whom.values = [subject(view, each) for each in self._seats]
        self._whom.index = self._seats.index(key)
        self._what.values = [measure_name(each) for each in self._measures]
        self._what.index = self._measures.index(measure)
        self._tell(view)

    @property
    def _decides(self) -> bool:
        """Whether the host takes the chosen measure without a vote."""
        return self._is_host and self._chosen.measure not in VOTED

    def _tell(self, view: TableView) -> None:
        self._whom.help = self._what.help = measure_help(self._chosen, view)
        if self._decides:
            note, self.accept = (
                _("You are the host: your decision takes effect at once."),
                _("do it"),
            )
        else:
            voted = has_voted(self._chosen, view)
            self.accept = _("withdraw your vote") if voted else _("vote for it")
            note = tally(self._chosen, view)
        self._whom.note = self._what.note = note


def _asked(scene: Scene, view: TableView) -> Proposal | None:
    """The measure asked for at the table: about a player who keeps it waiting, or a running vote.

    None if there is none.
    """
    me = view.my_seat.key if view.my_seat else None
    absent = (each.seat.key for each in absentees(view, scene.now) if each.seat.key != me)
    if (key := next(absent, None)) is not None:
        return Proposal(possible(view, key)[0], key)
    motion = motion_to_answer(view, scene.refused)
    return proposal_of(motion) if motion else None


def _first(view: TableView) -> Proposal:
    """The measure that is chosen at first if none is asked for."""
    key = concerned(view)[0]
    return Proposal(possible(view, key)[0], key)


def menu_dialog(acts: Sequence[TableAct], facts: Scene) -> Dialog[TableAct]:
    """A list of acts that concern the table; Enter does the highlighted one."""

    def line(act: TableAct) -> Choice:
        help = act.outcome(facts) if act.outcome else ""
        return Choice(sentence(act.told(facts)), [""], help=help)

    return Pick(_("The table"), _("do it"), acts, line)


def strangers_dialog(view: TableView, strangers: Sequence[bytes]) -> Dialog[tuple[bytes, ...]]:
    """Asks which of these keys to ban; each can be let stay."""
    note = _("They’ll be banned (v undoes it) and the table locked (m unlocks it).")
    help = _("This player has never opened a fist at this table.")
    values = [_("goes"), _("stays")]
    asked = {
        key: Choice(name_of(view, key), values, help=help, note=note, keys="12")
        for key in strangers
    }
    return Dialog(
        _("Send the strangers away?"),
        _("send away"),
        choices=[*asked.values()],
        answer=lambda: tuple(key for key, choice in asked.items() if choice.index == 0),
        width=66,
    )


class TakeoverDialog(Dialog[bool]):
    """Asks whether to take over the seat from another window (True), or to sit down anew
    (False)."""

    WIDTH = 66

    def __init__(self, held: SeatHeld) -> None:
        values = [_("take over here")]
        notes = [
            _(
                "You keep your seat, your coins and your sealed fist. The other window is told, "
                "and closes the game there."
            )
        ]
        if held.is_other_free:
            values.append(_("sit down as another player"))
            notes.append(_("The other window keeps your seat, and plays on."))
        self._way = Choice(
            _("Your seat"),
            values,
            help=sentences.seat_held(held.holder),
            notes=notes,
            keys=digits(values),
        )
        super().__init__(_("Your seat is in another window"), "", choices=[self._way])
        self.follow()

    def result(self) -> bool:
        """Whether to take the seat over."""
        return self._way.index == 0

    def follow(self) -> None:
        """Label Enter with what it does, and say what that means."""
        way = self._way
        self.accept, way.note = way.values[way.index], way.notes[way.index]


class CoachDialog(Reading):
    """Shows the coach's advice on the words that the player may say with the hand in the fist."""

    def __init__(self, scene: Scene, hand: int) -> None:
        super().__init__(_("The coach"), lambda width: coach_page(scene, hand, width, self._advise))
        self._study = Study[tuple[Advice, ...]](self)

    def _advise(self, view: TableView, hand: int) -> tuple[Advice, ...] | None:
        return self._study.of((view.past, view.words, hand), partial(advise, view, hand))


Advises = Callable[[TableView, int], Sequence[Advice] | None]
"""Computes the advice for a player with a hand; returns None while that takes a moment."""


def coach_page(scene: Scene, hand: int, width: int, advises: Advises = advise) -> Content:
    """The coach's advice in lines of `width` columns."""
    view = scene.view
    if view is None or not view.my_turn or view.is_guessing:
        return Content(_("The coach speaks when it is your turn."))
    advice = advises(view, hand)
    if advice is None:
        return Content(_("The coach is thinking …"))
    advice = [each for each in advice if isinstance(each.word, Bid) or scene.offers(each.word)]
    titles, *rows = advice_lines(advice, width - 2)
    players = sum(seat.coins > 0 for seat in view.seats)
    note = hanging(Content(), coach_note(advice, players), 0, width, "$quiet")
    first, *others = rows
    best = Content.assemble((f"{glyphs().pointer} ", "$accent"), (first, "bold $accent"))
    table = [
        Content.styled(f"  {titles}", "$quiet"),
        best,
        *(Content(f"  {row}") for row in others),
    ]
    return stacked([*table, Content(), note])


_COLUMN: Final = 13
"""Columns of the table's words."""


class WhyDialog(Reading):
    """Shows the explanations for this moment, updated with the table; h leads to all rules."""

    BINDINGS = [("w", "close"), ("h", "rules")]

    def __init__(
        self,
        scene: Scene,
        signs: Callable[[Scene], Sequence[WhyLine]],
        show_rules: Callable[[], None],
    ) -> None:
        super().__init__(_("Why?"), lambda width: why_page(scene, width, signs(scene)))
        self._show_rules = show_rules

    def keys(self) -> Keys:
        return [("h", _("rules"))]

    def action_rules(self) -> None:
        """Show all rules of this table."""
        self._show_rules()


def why_page(scene: Scene, width: int, signs: Sequence[WhyLine] = ()) -> Content:
    """The explanations for this moment in lines of `width` columns, with the meaning of these
    signs."""
    if scene.view is None:
        return Content()
    is_opening = scene.last is not None and not scene.is_counted
    answers = why_opening(scene.view) if is_opening else why(scene.view, scene.names, scene.counted)
    if signs:
        answers = [*answers, Explanation(_("What do the signs mean?"), tuple(signs), ())]
    return Content("\n\n").join(stacked([*_answer(answer, width)]) for answer in answers)


def _answer(answer: Explanation, width: int) -> Iterator[Content]:
    yield Content.styled(answer.question, "bold $accent")
    for line in answer.lines:
        look = "$quiet" if line.allowed is False else ""
        label, column = (_label(line), _COLUMN) if line.label else (Content(), 2)
        yield hanging(label, line.text, column, width, look)
    if answer.clauses:
        yield hanging(Content(), answer.reference, 2, width, "$quiet")


def _label(line: WhyLine) -> Content:
    signs = glyphs()
    if line.allowed is None:
        return Content.assemble("  ", (line.label, "bold"))
    if line.allowed:
        key = f"{LETTERS[line.word]} " if line.word and not has_page() else ""
        return Content.assemble(
            (f"{signs.yes} ", "$success"), (key, "$accent"), (line.label, "bold")
        )
    return Content.assemble((f"{signs.no} ", "$line"), (line.label, "$quiet"))


_GAP: Final = 3


class InvitationDialog(Reading):
    """Shows how others get to the player's table; the key a opens a door for those without the
    program."""

    BINDINGS = [("a", "open_door")]

    def __init__(self, scene: Scene, open_door: Callable[[], None]) -> None:
        super().__init__(_("Invite"), partial(invitation_page, scene))
        self._scene = scene
        self._open_door = open_door

    def keys(self) -> Keys:
        if self._scene.door or not DOOR.is_listed(self._scene):
            return ()
        return [("a", DOOR.told(self._scene))]

    def action_open_door(self) -> None:
        """Open a door for people without the program, if there is none yet."""
        if self.keys():
            self._open_door()
            self.present()


def invitation_page(scene: Scene, width: int) -> Content:
    """The command to join, and how to use it, in lines of `width` columns.

    While a door is open, a QR code stands beside this, or above if it leads to a web page.
    """
    line = scene.invitation
    scanned = scene.page_address or scene.door_line
    picture = qr_lines(scanned) if scanned and has_blocks() else []
    beside = max((each.cell_length for each in picture), default=0)
    room = width - beside - _GAP if beside else width
    is_beside = room >= len(line)
    words = _words(scene, line, room if is_beside else width)
    if not is_beside:
        if scene.page_address:
            return stacked([*picture, *words])
        return stacked([*words, Content(), *picture] if picture else words)
    rows = zip_longest(words, picture, fillvalue=Content())
    return stacked(
        [
            Content.assemble(text, " " * (room + _GAP - text.cell_length), squares)
            for text, squares in rows
        ]
    )


def _by_browser(scene: Scene) -> list[tuple[str, str]]:
    """Lines with their styles on how people with a phone come in; none while the door has no web
    page."""
    if not (page := scene.page_address):
        return []
    address, _sign, word = page.partition("/#")
    return [
        (_("Scan with a phone, or type in any browser:"), ""),
        (address, "bold $accent"),
        (_("and the code {word}").format(word=word), "bold"),
    ]


def _by_ssh(scene: Scene) -> list[tuple[str, str]]:
    """Lines with their styles on how to come in by ssh, and how to recognise this machine.

    While there is no door, how to open one.
    """
    if scene.door is None:
        if is_visitor():
            return []
        offer = _(
            "Friends with a phone, or without Spoof? Press a again: they scan a code or use ssh."
        )
        return [(scene.remark or offer, "")]
    return [
        (_("Without Spoof, with any ssh client:"), ""),
        (scene.door_line, "bold $accent"),
        (
            _("The door’s key, as ssh shows it the first time: {fingerprint}").format(
                fingerprint=scene.door.fingerprint
            ),
            "$quiet",
        ),
    ]


def _words(scene: Scene, line: str, width: int) -> list[Content]:
    short = Address.parse(scene.address).short
    aloud = _("Say aloud: {address}").format(address=short)
    if scene.code:
        aloud += " · " + _("code {code}").format(code=scene.code)
    parts: list[tuple[str, str]] = [
        *_by_browser(scene),
        (_("Friends who have Spoof see your table in their lobby."), ""),
        (aloud, "bold"),
        (_("Paste this into a terminal, or into the lobby after pressing a:"), ""),
        (line, "bold $accent"),
        *_by_ssh(scene),
        (_("Somebody can’t connect?"), "$quiet"),
        (sentence(hotspot()) + ".", "$quiet"),
        (sentence(one_machine()) + ".", "$quiet"),
    ]
    lines: list[Content] = []
    for text, look in parts:
        lines += [Content.styled(each, look) for each in wrap(text, width)]
        lines += [Content()] if look != "$quiet" else []
    return lines


_ALIKE: Final = ("B8", "I1", "O0", "S5", "Z2")
"""Pairs of letters and digits that no code contains, because they are easily confused."""

_PASSED_OVER: Final = frozenset("-–_.")
"""Characters, besides spaces, that people write between the letters of a code; ignored."""


class CodeField(Field):
    """A field for a join code; takes letters in any case and, by the position of the key, from any
    keyboard layout."""

    def __init__(self, text: str, refuse: Callable[[str], None], *, is_wrong: bool) -> None:
        """`refuse` is called with each typed letter that no code contains; `is_wrong`: the code
        `text` was refused."""
        super().__init__(_("Code"), text, max_length=CODE_LENGTH)
        self._refuse = refuse
        self._is_wrong = is_wrong
        """Whether the text is a code that was refused, so that the next letter starts a new one."""

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a part of the text; a code that was refused is replaced as a whole."""
        if self._is_wrong and text:
            start, end = 0, len(self.value)
        self._is_wrong = False
        super().replace(text, start, end)

    def admitted(self, text: str) -> str:
        """The letters and digits of `text` that a code may contain; `refuse` is told of the
        others."""
        letters = [latin(letter).upper() for letter in text]
        for letter in letters:
            is_between = letter.isspace() or letter in _PASSED_OVER
            if letter not in ALPHABET and not is_between:
                self._refuse(letter)
        return "".join(letter for letter in letters if letter in ALPHABET)


class CodeDialog(Dialog[str]):
    """Asks for a join code."""

    WIDTH = 54

    def __init__(self, table: str, why: Farewell, typed: str = "") -> None:
        """Ask for the code of the table called `table`; `why` says why `typed` was not accepted."""
        title = _("The code of “{table}”").format(table=table) if table else _("The join code")
        help = _("The code is on the host’s screen. You’ll only need it once.")
        self._code = CodeField(typed, self._refused, is_wrong=why is Farewell.WRONG_CODE)
        super().__init__(title, _("sit down"), [self._code], help=help, back=_("lobby"))
        self._refusal = ""
        """Why a typed letter was refused; empty once the code is complete."""
        self.wrong = code_asked(why)

    def touched(self) -> None:
        """Handle a change of the text; why a letter was refused is shown until the code is
        complete."""
        super().touched()
        if len(self._code.value) == CODE_LENGTH:
            self._refusal = ""
        self.wrong = self._refusal
        self.present()

    def result(self) -> str:
        """The typed code; raises `ValueError` with a sentence while letters are missing."""
        missing = CODE_LENGTH - len(self._code.value)
        if missing:
            sentence = ngettext(
                "A code has {length} letters or digits: {missing} is missing.",
                "A code has {length} letters or digits: {missing} are missing.",
                missing,
            )
            raise ValueError(sentence.format(length=CODE_LENGTH, missing=missing))
        return self._code.value

    def _refused(self, letter: str) -> None:
        self.wrong = self._refusal = _never(letter)
        self.present()


def _never(letter: str) -> str:
    """Why no code contains this letter, as a sentence."""
    for one, other in _ALIKE:
        if letter in (one, other):
            text = _("A code has no {one} and no {other}: they look too much alike.")
            return text.format(one=one, other=other)
    text = _("No code contains “{letter}”: codes have only Latin letters and digits.")
    return text.format(letter=show(own_text(letter, 1), 2))


def postcard_dialog(lines: Sequence[str]) -> Reading:
    """Shows the copied lines, to be selected by hand if the terminal does not allow copying."""
    told = _("Copied: paste it anywhere. If nothing is pasted, select these lines instead.")
    return Reading(_("Postcard"), partial(wrapped, [*lines, "", told]))
