"""Answers to what a player types: what can be typed, who is there, why, the rounds, the odds."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import Rules
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.views import FistState, SeatStatus, SeatView, TableView
from spoof_tui.acts import table
from spoof_tui.acts.act import plain_help
from spoof_tui.acts.lobby import LOBBY
from spoof_tui.plain.narrator import (
    at_start,
    coins_line,
    fine_line,
    opener,
    round_line,
    seats_line,
    whole_count,
    word_line,
)
from spoof_tui.telling import sentences
from spoof_tui.telling.absence import missing_fists, place_words, waiting_words
from spoof_tui.telling.explanations import WhyLine, why, why_opening
from spoof_tui.telling.manual import ending_meanings, how_a_round_goes, how_it_ends
from spoof_tui.telling.measures import sitting
from spoof_tui.telling.names import listed, name_of
from spoof_tui.telling.pacing import Reveal
from spoof_tui.telling.rulebook import rulebook
from spoof_tui.telling.sentences import drink_name, payers, sentence, word_name
from spoof_tui.telling.table_state import TableState
from spoof_tui.telling.titles import call_words
from spoof_tui.text.i18n import _, ngettext


def who_lines(
    view: TableView, names: Sequence[str], now: int, unseen: Container[bytes] = frozenset()
) -> Iterator[str]:
    """Who is at the table, what they own, and whom the table waits for; `now` is the host's clock,
    `unseen` the seats that have not come back since the table was opened again."""
    yield seats_line(view, names)
    if any(seat.coins for seat in view.seats) and not view.is_guessing:
        yield coins_line(view, names)
    for place, seat in enumerate(view.seats):
        if seat in sitting(view) and (words := ", ".join(_about(seat, view))):
            yield f"{at_start(place, names, view.me)}: {words}."
    yield sentences.standing(view, names)
    yield from _awaited(view, names)
    yield from waiting_words(view, now, unseen)
    if own := place_words(view):
        yield own


def state_lines(view: TableView, names: Sequence[str]) -> Iterator[str]:
    """The table in two lines: who has how many coins, then what was said and whose turn it is."""
    if view.phase is Phase.GATHERING:
        yield seats_line(view, names)
    else:
        yield round_line(view, names)
    yield " ".join(_now(view, names))


def _now(view: TableView, names: Sequence[str]) -> Iterator[str]:
    if view.paused:
        yield _("The table is paused.")
    if view.phase is Phase.GATHERING:
        ready = sum(seat.ready for seat in view.seats)
        yield _("{ready} ready").format(ready=ready) + "."
    elif view.phase is Phase.CHOOSING:
        playing = sum(seat.coins > 0 for seat in view.seats)
        fists = sum(seat.fist is FistState.IN for seat in view.seats)
        yield _("{fists} of {count} fists in").format(fists=fists, count=playing) + "."
        yield opener(view, names)
    elif view.words:
        first = 0 if view.is_guessing else len(view.words) - 1
        yield from (word_line(view.words, at, view, names) for at in range(first, len(view.words)))
    else:
        yield _("All fists are in.")
    yield from _awaited(view, names)


def _awaited(view: TableView, names: Sequence[str]) -> Iterator[str]:
    """Whose turn it is, and whose fists are awaited or who is to be ready; may be nothing."""
    if view.speaker is not None:
        text = _("It is your turn.") if view.speaker == view.me else _("It is {name}’s turn.")
        yield text.format(name=names[view.speaker])
    missing = missing_fists(view, names)
    if view.phase is Phase.GATHERING:
        here = sitting(view)
        late = (i for i, seat in enumerate(view.seats) if seat in here and not seat.ready)
        missing = listed(late, names, view.me)
    if missing:
        yield _("Waiting for {names}.").format(names=", ".join(missing))


def _about(seat: SeatView, view: TableView) -> Iterator[str]:
    """What a seat is or has done: host, chairman, away, ready, out, muted."""
    if seat.key == view.host:
        yield _("host")
    if seat.key == view.chairman:
        yield _("chairman")
    if seat.presence is SeatStatus.AWAY:
        yield _("away")
    if seat.ready:
        yield _("ready")
    if seat.plays and not seat.coins and view.winner is None and view.game_number:
        yield _("out")
    if seat.is_muted:
        yield _("muted")


def why_lines(view: TableView, names: Sequence[str], reveal: Reveal | None) -> Iterator[str]:
    """What the player may say now, why not the rest, and what decided the last round.

    While a count is running, nothing that it has not shown yet.
    """
    if reveal is not None and not reveal.is_paid:
        explanations = why_opening(view)
    else:
        explanations = why(view, names, reveal.played if reveal else None)
    for explanation in explanations:
        yield explanation.question
        yield from map(_because, explanation.lines)
        if explanation.clauses:
            yield explanation.reference


def _because(line: WhyLine) -> str:
    if not line.label:
        return line.text
    if line.allowed is False:
        return _("{word}, not now: {why}").format(word=sentence(line.label), why=line.text)
    return f"{sentence(line.label)}: {line.text}"


def round_lines(view: TableView, names: Sequence[str]) -> Iterator[str]:
    """Every finished round of this game: its words, its hands, and who won or lost coins."""
    past = view.past
    if not past:
        yield _("No round of this game is over yet.")
    for number, played in enumerate(past, 1):
        said = sentence(_said(played, names, view.me))
        yield f"{_('Round {number}').format(number=number)}. {said}."
        yield " ".join(whole_count(played, names, view.me))


def _said(played: PlayedRound, names: Sequence[str], me: int | None) -> str:
    """The words of a round in order, each after its speaker's name."""
    words = played.words
    is_school = isinstance(words, GuessingRound)
    speakers = listed((seat for seat, _word in words.words), names, me)
    heard = [
        call_words(word.number) if is_school and isinstance(word, Bid) else word_name(word)
        for _seat, word in words.words
    ]
    return ", ".join(f"{who} {what}" for who, what in zip(speakers, heard, strict=True))


def odds_lines(view: TableView, hand: int) -> Iterator[str]:
    """What the coach thinks of each word for a player with this hand; only for practice games."""
    from spoof_tui.bots.coach import advise
    from spoof_tui.telling.coaching import advice_sentences, coach_note

    advice = advise(view, hand)
    yield from advice_sentences(advice)
    yield coach_note(advice, sum(seat.coins > 0 for seat in view.seats))


def slate_lines(view: TableView, names: Sequence[str]) -> Iterator[str]:
    """The slate: who owes how many drinks, what for, and who has paid."""
    if view.chairman is not None:
        text = _("{name} is in the chair.")
        yield text.format(name=name_of(view, view.chairman))
    for place, seat in enumerate(view.seats if view.has_slate else ()):
        owed = view.slate.owed(seat.key)
        text = ngettext("{count} drink", "{count} drinks", owed).format(count=owed)
        yield f"{at_start(place, names, view.me)}: {text}."
    for fine in view.slate.fines:
        if not fine.lifted:
            yield fine_line(view, fine)
    for number, key, drink in view.slate.orders:
        text = _("School {number}: {name} ordered {drink}.")
        values = {"name": name_of(view, key), "drink": drink_name(drink)}
        yield text.format(number=number, **values)
    yield from payers(view)


def rule_lines(rules: Rules) -> Iterator[str]:
    """The whole rulebook, one line per heading and clause."""
    book = rulebook(rules)
    yield f"{book.title}."
    yield book.about
    for chapter in (*book.chapters, book.customs):
        yield f"{chapter.title}."
        for clause in chapter.clauses:
            yield f"{clause.mark}: {clause.text}"


def game_lines() -> Iterator[str]:
    """The bidding game in some ten lines."""
    yield from how_a_round_goes()
    for word, meaning in ending_meanings():
        yield f"{word}: {meaning}."
    yield how_it_ends()


def lobby_help() -> Iterator[str]:
    """What can be typed in the lobby."""
    yield _("You can type any of these, then Enter:")
    yield from plain_help(LOBBY, None)


def table_help(facts: TableState) -> Iterator[str]:
    """What can be typed at a table now; anything the player cannot do is left out."""
    view = facts.view
    yield _("You can type any of these, then Enter:")
    if view is not None and view.own_fist_due:
        yield _("a number: hide that many coins; what you type is not shown")
    if view is not None and view.my_turn:
        yield _("a number: bid or call it")
        if not view.is_guessing:
            for word, meaning in ending_meanings():
                yield f"{word}: {meaning}"
    acts = [each for each in table.TABLE if view is not None or not each.needs_table]
    yield from plain_help(acts, facts)
    yield _(
        "Enter on its own: go on, finish a count at once, or repeat the question. If a "
        "line comes in while you type, what you typed is kept."
    )


def is_yes(text: str) -> bool:
    """Whether a typed answer is "yes", in the player's language or in English."""
    return text.strip().casefold() in ("yes", _("yes").casefold())
