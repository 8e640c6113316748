"""What has changed at a table, as lines: each change once, in order, and none before it may be
shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import GuessingRules
from protocol.rules.slate import Fine
from protocol.rules.words import Direction, Ending, Offence, Word
from protocol.table.fold import Phase
from protocol.table.state import Talk
from protocol.views import Motion, SeatView, TableView
from spoof_tui.beats import Beat
from spoof_tui.clock import now
from spoof_tui.telling import absence, doors, sentences
from spoof_tui.telling.absence import STALE, moved_words
from spoof_tui.telling.connection import Claim
from spoof_tui.telling.counts import beat_words, ending_words, last_coins, last_fist
from spoof_tui.telling.gestures import gesture_words
from spoof_tui.telling.measures import happened, motion_to_answer, motion_words, sitting
from spoof_tui.telling.names import listed, name_of, seat_names
from spoof_tui.telling.outcomes import outcome_for, went_out
from spoof_tui.telling.pacing import Reveal, opening_order
from spoof_tui.telling.pronouncements import pronounced
from spoof_tui.telling.rule_options import rules_title
from spoof_tui.telling.sentences import offence_name, said_aloud, sentence, the_count, way
from spoof_tui.telling.story import headline, opens_next, standings, story
from spoof_tui.telling.table_state import TableState
from spoof_tui.telling.titles import call_words
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show

_TALK_CELLS: Final = 400
"""The most cells of a line of talk; the protocol allows no longer one."""


def at_start(seat: int, names: Sequence[str], me: int | None) -> str:
    """The name of a seat at the start of a line; "You" for the seat `me`."""
    return sentence(_("you")) if seat == me else names[seat]


def word_line(
    words: Sequence[tuple[int, Word]], place: int, view: TableView, names: Sequence[str]
) -> str:
    """The line on one word of a round and who said it; `place` is its index in `words`."""
    seat, word = words[place]
    if isinstance(word, Ending):
        return ending_words(words[: place + 1], view.most, names, view.me)
    if isinstance(view.rules, GuessingRules):
        return _call_line(place, view, names)
    said = f"{at_start(seat, names, view.me)}: {said_aloud(word)}."
    is_turned = not place and view.direction is Direction.COUNTER_CLOCKWISE
    turned = sentence(_("direction: {way}").format(way=way(view.direction)))
    return f"{said} {turned}." if is_turned else said


def _call_line(place: int, view: TableView, names: Sequence[str]) -> str:
    call = view.calls[place]
    text = f"{at_start(call.seat, names, view.me)}: {call_words(call.number)}."
    return f"{text} {_('That number is taken.')}" if call.taken else text


def talk_line(talk: Talk, view: TableView) -> str:
    """The line on something that was said, or on a gesture."""
    is_mine = view.my_seat is not None and view.my_seat.key == talk.author
    if isinstance(talk.said, ForeignText):
        text = _("You say: “{text}”") if is_mine else _("{name} says: “{text}”")
        said = show(talk.said, _TALK_CELLS)
        return text.format(name=name_of(view, talk.author), text=said)
    return gesture_words(talk.said, name_of(view, talk.author))


def step_lines(reveal: Reveal, at: int, names: Sequence[str], me: int | None) -> Iterator[str]:
    """The lines that one step of a count adds; `at` is the step's index.

    In the bidding game the ending word is left out, since it is printed with the other words.
    """
    step, played, order = reveal.steps[at], reveal.played, reveal.order
    before = reveal.steps[at - 1].opened if at else 0
    if step.beat is Beat.WORD:
        if not isinstance(played.words, BiddingRound):
            yield beat_words(played, (), Beat.WORD, names, me)
        yield from last_coins(played, names, me)
        return
    if step.opened > before + 1:
        yield sentence(the_count(played, names, order, me)) + "."
    elif step.opened > before:
        beat = Beat.LAST if step.beat >= Beat.LAST else Beat.FIST
        yield beat_words(played, order[: step.opened], beat, names, me)
        if 1 < step.opened == len(order):
            yield sentence(the_count(played, names, order, me)) + "."
    if step.beat is Beat.HELD:
        yield last_fist(played, order[: step.opened], names, me)
    if step.beat is Beat.PAID:
        yield from price_lines(played, names, me)


def price_lines(played: PlayedRound, names: Sequence[str], me: int | None) -> Iterator[str]:
    """Lines on whether the ender was right, whose coins change, and who is out."""
    yield outcome_for(me, played, names).sentences
    if out := went_out(played, names, me):
        yield out


def whole_count(played: PlayedRound, names: Sequence[str], me: int | None) -> Iterator[str]:
    """The lines of a whole count, for a round whose count was not shown step by step."""
    if played.hands:
        yield sentence(the_count(played, names, opening_order(played), me)) + "."
    yield from price_lines(played, names, me)


class Narrator:
    """Prints each change of one table once; call `follow` after every change of what may be
    shown."""

    def __init__(self) -> None:
        self._before: TableView | None = None
        """The view up to which everything is printed."""
        self._rounds = 0
        """Number of rounds of this game whose count is printed in full."""
        self._step = -1
        """Index of the last printed step of the count of the next round; -1 before the first."""
        self._words = 0
        """Number of printed words of the round that is being bid or counted."""
        self._begun = (0, 0)
        """Game and number of the round whose beginning was printed last."""
        self._spoken = (0, 0)
        """Game and number of the round whose beginning of bidding was printed last."""
        self._talk = -1
        """Position in the log of the last printed line of talk."""
        self._finished = 0
        """Number of the last game whose end was printed."""
        self._house = -1
        """Position in the log of the last printed remark of the house."""
        self._lifted: list[bool] = []
        """For each printed fine, whether its lifting is printed, too."""

    def follow(self, view: TableView, reveal: Reveal | None) -> list[str]:
        """The new lines of what may be shown now; for a table seen for the first time, its
        description."""
        before = self._before
        is_other = before is not None and before.table_id != view.table_id
        self._before = view
        if before is None or is_other:
            return self._arrive(view, reveal)
        names = seat_names(view)
        return [
            *_elsewhere(before, view),
            *self._game(before, view, names),
            *self._count(view, reveal, names),
            *self._pronounced(view, reveal),
            *self._round(view, reveal, names),
            *self._end(view, reveal, names),
            *_people(before, view),
            *absence.came_and_went(before, view),
            *_measures(before, view),
            *self._fines(view),
            *self._voices(view),
        ]

    # Arriving

    def _arrive(self, view: TableView, reveal: Reveal | None) -> list[str]:
        """Lines that describe the table as it is; everything before counts as printed."""
        names = seat_names(view)
        running = reveal is not None and not reveal.is_paid
        self._rounds, self._step, self._words = len(view.past), -1, 0
        self._finished = view.game_number if view.phase is Phase.GATHERING else 0
        self._talk = max((talk.position for talk in view.talk), default=-1)
        self._house = max((said.position for said in view.pronounced), default=-1)
        self._lifted = [fine.lifted for fine in view.slate.fines]
        self._begun = self._spoken = (0, 0)
        by_ssh = (told for seat in sitting(view) for told in _by_ssh(view, seat))
        begun = [] if running else self._round(view, reveal, names)
        return [*table_lines(view, names), *by_ssh, *begun, *_elsewhere(None, view)]

    # A game

    def _game(self, before: TableView, view: TableView, names: Sequence[str]) -> Iterator[str]:
        if view.game_number == before.game_number or view.phase is Phase.GATHERING:
            return
        self._rounds, self._step, self._words = 0, -1, 0
        text = (
            _("School {number} begins: {names}.")
            if view.is_guessing
            else _("Game {number} begins: {names}.")
        )
        playing = [seat for seat, each in enumerate(view.seats) if each.plays]
        players = ", ".join(listed(playing, names, view.me))
        yield text.format(number=view.game_number, names=players)

    def _count(self, view: TableView, reveal: Reveal | None, names: Sequence[str]) -> Iterator[str]:
        running = reveal is not None and not reveal.is_paid
        number = len(view.past) + running
        while self._rounds < number - 1:
            yield from self._missed(view, names)
        if reveal is None or self._rounds >= number:
            if self._rounds < len(view.past):
                yield from self._missed(view, names)
            return
        yield from self._said(view, reveal, names)
        for at in range(self._step + 1, reveal.at + 1):
            yield from step_lines(reveal, at, names, view.me)
        self._step = reveal.at
        if reveal.is_paid:
            self._rounds, self._step, self._words = number, -1, 0

    def _said(self, view: TableView, reveal: Reveal, names: Sequence[str]) -> Iterator[str]:
        """Lines for the words of the round being counted that are not printed yet."""
        words = reveal.played.words
        for place in range(self._words, len(words.words)):
            if view.is_guessing and len(view.calls) <= place:
                break
            spoken = replace(view, most=words.most, direction=words.direction)
            yield word_line(words.words, place, spoken, names)
        self._words = max(self._words, len(words.words))

    def _missed(self, view: TableView, names: Sequence[str]) -> Iterator[str]:
        """Lines for a whole round that ended before any of it was printed."""
        played = view.past[self._rounds]
        number = self._rounds + 1
        self._rounds, self._step, self._words = number, -1, 0
        yield _("Round {number}").format(number=number) + ":"
        yield from whole_count(played, names, view.me)

    def _pronounced(self, view: TableView, reveal: Reveal | None) -> Iterator[str]:
        """Lines for new remarks of the house; none while a count is running."""
        if reveal is not None and not reveal.is_paid:
            return
        for said in view.pronounced:
            if said.position > self._house:
                text = _("The house: “{said}”").format(said=pronounced(view, said))
                seat = view.my_seat
                # The house calls everybody by name.
                is_mine = seat is not None and said.key == seat.key
                yield f"{text} {_('That is you.')}" if is_mine else text
        self._house = max((said.position for said in view.pronounced), default=self._house)

    # A round

    def _round(self, view: TableView, reveal: Reveal | None, names: Sequence[str]) -> Iterator[str]:
        if (reveal is not None and not reveal.is_paid) or view.phase is Phase.GATHERING:
            return
        now = (view.game_number, view.round_number)
        if view.phase is Phase.LOT:
            return
        if self._begun != now:
            self._begun, self._words = now, 0
            yield f"{round_line(view, names)} {opener(view, names)}"
        if view.phase is not Phase.CHOOSING and self._spoken != now:
            self._spoken = now
            yield _("All fists are in.")
        for place in range(self._words, len(view.words)):
            yield word_line(view.words, place, view, names)
        self._words = max(self._words, len(view.words))

    def _end(self, view: TableView, reveal: Reveal | None, names: Sequence[str]) -> Iterator[str]:
        running = reveal is not None and not reveal.is_paid
        is_over = view.phase is Phase.GATHERING and view.winner is not None
        if running or not is_over or self._finished >= view.game_number:
            return
        self._finished = view.game_number
        yield from end_lines(view, names)

    # Talk, and who is there

    def _voices(self, view: TableView) -> Iterator[str]:
        for talk in view.talk:
            if talk.position > self._talk:
                self._talk = talk.position
                yield talk_line(talk, view)

    def _fines(self, view: TableView) -> Iterator[str]:
        """Lines for new and lifted fines, except those that are told with the count of their
        round."""
        for at, fine in enumerate(view.slate.fines):
            if at == len(self._lifted):
                self._lifted.append(False)
                if fine.offence not in _COUNTED:
                    yield fine_line(view, fine)
            if fine.lifted and not self._lifted[at]:
                self._lifted[at] = True
                text = _("{name}’s fine for {what} is lifted.")
                what = offence_name(fine.offence)
                yield text.format(name=name_of(view, fine.key), what=what)


def opener(view: TableView, names: Sequence[str]) -> str:
    """Who speaks first in this round."""
    if view.starter == view.me:
        return _("You speak first.")
    return _("{name} speaks first.").format(name=names[view.starter or 0])


def table_lines(view: TableView, names: Sequence[str]) -> Iterator[str]:
    """Lines that introduce a table: its name, its rules, and who sits there."""
    text = _("You are at the table “{name}”. Rules: {rules}.")
    yield text.format(name=show(view.table_name, MAX_NAME), rules=rules_title(view.rules))
    yield seats_line(view, names)


def seats_line(view: TableView, names: Sequence[str]) -> str:
    """A line on how many seats are taken, and by whom, clockwise."""
    here = sitting(view)
    sat = listed((i for i, seat in enumerate(view.seats) if seat in here), names, view.me)
    text = sentence(
        _("{taken} of {seats} seats taken").format(taken=len(sat), seats=view.seat_count)
    )
    return f"{text}: {', '.join(sat)}." if sat else f"{text}."


def round_line(view: TableView, names: Sequence[str]) -> str:
    """The line that begins a round: its number, who has how many coins, and how many are in
    play."""
    number = _("Round {number}").format(number=view.round_number)
    if view.is_guessing:
        school = listed((i for i, seat in enumerate(view.seats) if seat.coins), names, view.me)
        return f"{number}. " + _("In the school: {names}.").format(names=", ".join(school))
    text = ngettext("{count} coin in play.", "{count} coins in play.", view.most)
    return f"{number}. {coins_line(view, names)} {text.format(count=view.most)}"


def coins_line(view: TableView, names: Sequence[str]) -> str:
    """A sentence saying who has how many coins."""
    owned = [place for place, seat in enumerate(view.seats) if seat.coins]
    told = zip(listed(owned, names, view.me), owned, strict=True)
    return _("Coins: {coins}.").format(
        coins=", ".join(f"{name} {view.seats[seat].coins}" for name, seat in told)
    )


def end_lines(view: TableView, names: Sequence[str]) -> Iterator[str]:
    """Lines on a finished game: who won, everybody's place, and the game's boldest and sharpest
    moments."""
    is_mine = view.winner == view.me and not view.is_guessing
    yield _("You win the game.") if is_mine else sentence(headline(view, names)) + "."
    if not view.past:
        return
    yield f"{sentences.result(view, names)} {sentences.own(view)}"
    places = standings(view, names, None)
    yield " ".join(f"{each.place}. {sentence(each.name)}: {each.note}." for each in places)
    for told in story(view, names):
        yield f"{sentence(told.about)}: {told.ways[0]}."
    if opener := opens_next(view, names):
        yield opener


# Who comes and goes


def _people(before: TableView, view: TableView) -> Iterator[str]:
    were, are = _by_key(before), _by_key(view)
    yield from doors.brought(before, view)
    for key, seat in are.items():
        if seat.is_me:
            continue
        if key not in were:
            yield _("{name} sat down.").format(name=name_of(view, key))
            yield from doors.told(seat, name_of(view, key))
        elif _has_gone(were[key], seat) and view.link not in STALE:
            yield _("{name} is away.").format(name=name_of(view, key))
        if seat.ready and not (key in were and were[key].ready):
            yield _("{name} is ready.").format(name=name_of(view, key))
    for key, seat in were.items():
        if key not in are and not seat.is_me and not seat.is_leaving:
            yield _("{name} left.").format(name=name_of(view, key))


def _by_ssh(view: TableView, seat: SeatView) -> Iterator[str]:
    """The note on a seat, when it is first seen, whose hand the owner of another computer could
    look at."""
    if not seat.is_me:
        yield from doors.told(seat, name_of(view, seat.key))
    else:
        yield from doors.brought(None, view)


def _elsewhere(before: TableView | None, view: TableView) -> Iterator[str]:
    if view.lacks_secret and not (before and before.lacks_secret):
        yield from absence.elsewhere_words(view)


def _has_gone(was: SeatView, now: SeatView) -> bool:
    return was.away_since is None and now.away_since is not None


def _by_key(view: TableView) -> Mapping[bytes, SeatView]:
    return {seat.key: seat for seat in sitting(view)}


def _measures(before: TableView, view: TableView) -> Iterator[str]:
    if view.host != before.host:
        yield moved_words(view)
    yield from happened(before, view)
    were = {_matter(motion) for motion in before.votes}
    for motion in view.votes:
        words = motion_words(motion, view)
        if words and _matter(motion) not in were:
            is_asked = motion is motion_to_answer(view)
            yield f"{words}. {_('Type yes or no.')}" if is_asked else f"{words}."


_COUNTED: Final = frozenset({Offence.DUPLICATE, Offence.IMPOSSIBLE, Offence.SHUT_FIST})
"""Offences whose fines are printed with the count of their round."""


def fine_line(view: TableView, fine: Fine) -> str:
    """A sentence saying who is fined, and for what."""
    text = _("{name} is fined for {what}.")
    return text.format(name=name_of(view, fine.key), what=offence_name(fine.offence))


def _matter(motion: Motion) -> tuple[object, bytes]:
    return motion.measure, motion.seat


CUT_OFF_INTERVAL: Final = 15.0
"""Seconds between two messages about the lost connection."""

_FIRST: Final = 4.0
"""Seconds without a connection before the first message."""


class Waiting:
    """Prints what the table waits for, each thing once; call `follow` about every second."""

    def __init__(self) -> None:
        self._due: float | None = None
        """When the next message about the lost connection is due, in monotonic seconds; None while
        connected."""
        self._told: tuple[Claim | None, Word | None] | None = None
        """The claim printed last about the lost connection, and the word that waits to be sent;
        None before the first."""
        self._absent: frozenset[tuple[bytes, bool]] = frozenset()
        """Keys of players known to be away, each with whether the others may play on."""
        self._offer = ""

    def follow(self, table: TableState) -> Iterator[str]:
        """The new lines about absent players, a new table or a lost connection; none before the
        first view."""
        view, at = table.view, now().monotonic
        if view is None:
            return
        if table.is_stale:
            yield from self._cut_off(table, at)
            return
        self._due = self._told = None
        yield from self._new_table(view, absence.new_table_words(view, table.continued))
        yield from self._away(view, table)

    def _cut_off(self, table: TableState, at: float) -> Iterator[str]:
        if self._due is None:
            self._due = at + _FIRST - table.cut_off_for
        telling = table.claim, table.view.own_word if table.view else None
        if at < self._due and self._told in (None, telling):
            return
        self._due, self._told = at + CUT_OFF_INTERVAL, telling
        yield from table.of_connection

    def _new_table(self, view: TableView, offer: str) -> Iterator[str]:
        """`offer`, the question whether to go on at a new table, if it has changed since it was
        last printed."""
        asked = view.new_table
        stage = f"{asked.agreed}{asked.wait > 0}" if asked else offer
        if stage != self._offer:
            self._offer = stage
            yield offer

    def _away(self, view: TableView, table: TableState) -> Iterator[str]:
        absent = absence.absentees(view, table.now)
        now_absent = frozenset((each.seat.key, not each.wait) for each in absent)
        is_new, self._absent = not now_absent <= self._absent, now_absent
        if is_new:
            yield from absence.waiting_words(view, table.now, table.unseen)
