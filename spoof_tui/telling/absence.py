"""Who is away, for how long, and what the table does about it: the wording of waiting (G3, G4).

Times are in milliseconds since 1970 by the host's clock, unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Final

from protocol.rules.words import Bid, Direction, speaking_order
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.statements import (
    NO_ONE,
    Away,
    GameStarted,
    HostMoved,
    Leave,
    Measure,
    Say,
    Sit,
    Speak,
)
from protocol.timeouts import UNSTEADY_DELAY
from protocol.views import FistState, LinkState, SeatStatus, SeatView, TableView
from protocol.wire.messages import Card
from spoof_tui.telling import measures, sentences
from spoof_tui.telling.durations import duration, short_duration
from spoof_tui.telling.measures import Proposal
from spoof_tui.telling.names import listed, name_of, seat_names
from spoof_tui.telling.outcomes import outcome_for
from spoof_tui.telling.pressing import key_name, press
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show

if TYPE_CHECKING:
    from protocol.wire.messages import Offer

STALE: Final = (LinkState.DOWN, LinkState.MEETING, LinkState.MOVING)
"""Link states in which nothing new is heard of the table."""

HURRY: Final = 10
"""Seconds left on a turn clock below which it is shown in red."""


_OPENING: Final = 1_000
"""Milliseconds in which a table that is opened again says who is away."""

_TALK_CELLS: Final = 60
"""Cells of the last line of talk."""


def unseen(entries: Sequence[Entry], view: TableView) -> frozenset[bytes]:
    """Keys of the absent seats that a host did not find when it opened the table again: nobody
    knows since when they have been away.

    The host says so of all at once, and so of this player's seat, too, unless that is its own.
    `entries` is the part of the log that this player missed.
    """
    me = view.my_seat.key if view.my_seat else None
    gone = [(each.time, each.statement.seat) for each in entries
            if isinstance(each.statement, Away)]  # fmt: skip
    times = {time for time, key in gone if me in (key, view.host)}
    absent = {seat.key for seat in view.seats if seat.presence is SeatStatus.AWAY}
    return frozenset(key for time, key in gone if time in times and key in absent)


def unseen_by_host(view: TableView) -> frozenset[bytes]:
    """The same for the host itself, which is just opening the table again."""
    absent = {seat.key: seat.away_since for seat in view.seats if seat.away_since is not None}
    return frozenset(key for key, since in absent.items() if view.time - since < _OPENING)


def away_note(seat: SeatView, now: int | None, *, is_unseen: bool = False) -> str:
    """The note on an absent seat: that it is away, and for how long if that is a second or more.

    If the seat `is_unseen`, the note says only that it is not back. `now` is None if the time at
    the host is not known.
    """
    if is_unseen:
        return _("not back")
    if now is None or seat.away_since is None:
        return _("away")
    seconds = (now - seat.away_since) / 1000
    if seconds < 1:
        return _("away")
    return _("away {time}").format(time=short_duration(seconds))


def since(view: TableView, missed: Mapping[bytes, int]) -> TableView:
    """The view, with each absence counted from when the seat was first `missed`, if that was
    earlier than the host says."""
    seats = tuple(
        replace(seat, away_since=missed[seat.key])
        if seat.away_since is not None and missed.get(seat.key, inf) < seat.away_since
        else seat
        for seat in view.seats
    )
    return view if seats == view.seats else replace(view, seats=seats)


def came_and_went(before: TableView, view: TableView) -> Iterator[str]:
    """Without whom the table plays on now, and who is back, a sentence each; only about others."""
    if before.link in STALE or view.link in STALE:
        # What was missed meanwhile is told apart.
        return
    were = {seat.key: seat for seat in before.seats}
    for seat in view.seats:
        was, is_here = were.get(seat.key), seat.presence in (SeatStatus.HERE, SeatStatus.UNSTEADY)
        if was is None or seat.is_me:
            continue
        was_missing = was.presence is SeatStatus.AWAY or was.is_set_aside
        if is_here and was_missing and not seat.is_set_aside:
            yield _("{name} is back.").format(name=name_of(view, seat.key))
        elif _is_played_without(seat, view) and not was.is_set_aside:
            yield _played_without(seat, view)


def played_without(view: TableView) -> tuple[str, ...]:
    """A sentence about each other player without whom the table plays on, with what counts until
    they are back (G3)."""
    others = (seat for seat in view.seats if not seat.is_me)
    return tuple(_played_without(seat, view) for seat in others if _is_played_without(seat, view))


def _played_without(seat: SeatView, view: TableView) -> str:
    text = _(
        "The table plays on without {name} until {name} is back: the seat is kept, the fist counts "
        "as empty, and a turn as a bid of 1 or a call."
    )
    if view.is_guessing:
        text = _(
            "The table plays on without {name} until {name} is back: the seat is kept, the fist "
            "counts as empty, and a turn as a call of the lowest free number."
        )
    return text.format(name=name_of(view, seat.key))


def _is_played_without(seat: SeatView, view: TableView) -> bool:
    is_left = seat.presence is not SeatStatus.GONE
    return seat.is_set_aside and seat.coins > 0 and is_left and view.phase is not Phase.GATHERING


def time_left(seat: SeatView, now: int) -> int | None:
    """Seconds left on a seat's turn clock; None without one (G4)."""
    if seat.time_up_from is None:
        return None
    return max(-(-(seat.time_up_from - now) // 1000), 0)


# Playing on without somebody (G3)


@dataclass(frozen=True, slots=True)
class Absentee:
    """A seat that does not move although the table waits for it."""

    seat: SeatView
    seconds: int
    """Seconds that the player has been away, or that the table has waited for a connected
    program."""
    wait: int
    """Seconds until the others may vote to play on; 0 if they may now."""


def absentees(view: TableView, now: int) -> tuple[Absentee, ...]:
    """The seats that keep the table waiting and do not answer, in the order of the seats.

    The player's own is one of them only if its secret is on another computer.
    """
    found = []
    for seat in measures.sitting(view):
        if seat.play_on_from is None or seat.waits_since is None:
            continue
        if seat.is_me and not view.lacks_secret:
            # This program is here, and answers as soon as it can.
            continue
        since = seat.waits_since if seat.away_since is None else seat.away_since
        seconds = max(now - since, 0) // 1000
        if seat.away_since is None and seconds < UNSTEADY_DELAY:
            # A program that is connected answers in a moment, every round.
            continue
        found.append(Absentee(seat, seconds, max(-(-(seat.play_on_from - now) // 1000), 0)))
    return tuple(found)


def waiting_words(
    view: TableView, now: int, unseen: Container[bytes] = frozenset()
) -> Iterator[str]:
    """A message about each player who keeps the table waiting, with what the others can do about
    it; of those who are `unseen` it tells no time."""
    for absent in absentees(view, now):
        told = _absence(absent, view, is_unseen=absent.seat.key in unseen)
        yield f"{told} {_remedy(absent, view)}"


def unsteady_words(view: TableView) -> Iterator[str]:
    """A sentence about each player who keeps the table waiting with a connection that is lost or
    slow, as long as nothing can be done about it."""
    for seat in measures.sitting(view):
        is_waited_for = seat.waits_since is not None and seat.play_on_from is None
        if is_waited_for and seat.presence is SeatStatus.UNSTEADY and not seat.is_me:
            text = _("{name}’s connection is unsteady.")
            yield text.format(name=name_of(view, seat.key))


def elsewhere_words(view: TableView) -> tuple[str, ...]:
    """Sentences for a player who sealed a hand or a lot on another computer: start Spoof there.

    For a hand, the second one says what a fist that stays shut costs.
    """
    if view.phase is Phase.LOT:
        text = _(
            "You got ready on another computer, and the draw is waiting for that computer: "
            "start Spoof there."
        )
        return (text,)
    text = _("You hid this hand on another computer; only that one can open it: start Spoof there.")
    cost = _("If your fist stays shut, that costs you a coin.")
    if view.is_guessing:
        cost = _("If your fist stays shut, that costs you a drink.")
    return text, cost


def _absence(absent: Absentee, view: TableView, *, is_unseen: bool) -> str:
    if absent.seat.is_me and view.lacks_secret:
        return elsewhere_words(view)[0]
    text = _("{name} has been away for {time}.")
    if absent.seat.away_since is None:
        text = _("{name}’s program has not answered for {time}.")
    elif is_unseen:
        text = _("{name} is not back yet.")
    elif not absent.seconds:
        text = _("{name} is away.")
    return text.format(name=name_of(view, absent.seat.key), time=duration(absent.seconds))


def _remedy(absent: Absentee, view: TableView) -> str:
    seat, name, key = view.my_seat, name_of(view, absent.seat.key), absent.seat.key
    values = {"name": name, "what": consequence(absent.seat, view), "time": duration(absent.wait)}
    if absent.wait:
        text = _(
            "In {time} the players here can vote to play on without {name} until {name} is back "
            "({what})."
        )
        return text.format(**values)
    if seat is None or not measures.sits(view) or absent.seat.is_me:
        text = _(
            "The players here can vote to play on without {name} until {name} is back ({what})."
        )
        return text.format(**values)
    proposal = Proposal(Measure.PLAY_ON, key)
    if measures.has_voted(proposal, view):
        text = _(
            "You have voted to play on without {name} until {name} is back ({what}); {key} "
            "withdraws your vote."
        )
        text = text.format(key=key_name("n", _("withdraw your vote")), **values)
    else:
        text = _("{press} to play on without {name} until {name} is back ({what}), or wait.")
        text = text.format(press=press("y", _("play on")), **values)
    more = _("{key} can remove {name} from this game.")
    more = more.format(key=key_name("v", _("vote")), name=name)
    is_removable = Measure.REMOVE in measures.possible(view, key)
    return f"{text} {measures.tally(proposal, view)}" + (f" {more}" if is_removable else "")


def consequence(seat: SeatView, view: TableView) -> str:
    """What happens to this round if the others play on without this seat (G3), as a clause without
    a full stop."""
    if view.phase is Phase.LOT:
        text = _("the game is called off")
    elif view.phase is Phase.CHOOSING:
        text = _("{name}’s fist counts as empty")
    elif view.phase is Phase.SPEAKING:
        text = _("{name}’s turn counts as a call")
        if view.is_guessing:
            text = _("{name}’s turn counts as a call of {number}")
        elif view.standing is None:
            text = _("{name}’s turn counts as a bid of 1")
    else:
        text = _("this round is void, and {name} loses a coin")
        if view.is_guessing:
            text = _("this round is void, and {name} pays a drink")
    return text.format(name=name_of(view, seat.key), number=min(view.free, default=0))


def wait_warnings(view: TableView) -> tuple[str, ...]:
    """A warning, in several wordings, the longest first, that the round will not be counted at
    once when this player ends it, because the owner of a fist is away (G3), and that a bid waits,
    too, if that player speaks next; empty without such a fist."""
    if not view.allowed_endings:
        return ()
    away = [seat for seat in view.seats
            if seat.presence is SeatStatus.AWAY and seat.fist is FistState.IN]  # fmt: skip
    set_aside = [seat for seat in away if seat.is_set_aside]
    if not away:
        return ()
    texts = (
        ngettext(
            "{names} is away: if you end the round, it has to wait, or a vote voids it.",
            "{names} are away: if you end the round, it has to wait, or a vote voids it.",
            len(away),
        ),
        ngettext(
            "{names} is away: a count has to wait.",
            "{names} are away: a count has to wait.",
            len(away),
        ),
    )
    if set_aside:
        texts = (
            ngettext(
                "{names} is away: if you end the round before {names} is back, it is void.",
                "{names} are away: if you end the round before they are back, it is void.",
                len(set_aside),
            ),
            ngettext(
                "{names} is away: ending the round voids it.",
                "{names} are away: ending the round voids it.",
                len(set_aside),
            ),
        )
    after, too = None if set_aside else _next_if_away(view), ""
    if after is not None:
        too = " " + _("A bid waits for {name}, too.").format(name=name_of(view, after.key))
        both = ngettext(
            "{names} is away: a bid or a count has to wait.",
            "{names} are away: a bid or a count has to wait.",
            len(away),
        )
        texts = (texts[0], both)
    names = _(" and ").join(name_of(view, seat.key) for seat in set_aside or away)
    long, short = (text.format(names=names) for text in texts)
    return long + too, short


def _next_if_away(view: TableView) -> SeatView | None:
    """The seat that speaks after this player, in either direction if that can be chosen, if it is
    away; otherwise None."""
    coins, ways = [seat.coins for seat in view.seats], [view.direction]
    if view.lowest_bid is None or view.me is None:
        return None
    if view.may_turn:
        ways = list(Direction)
    after = {speaking_order(coins, view.me, way)[1] for way in ways}
    seats = [view.seats[place] for place in after]
    return seats[0] if len(seats) == 1 and seats[0].presence is SeatStatus.AWAY else None


def votes_due(view: TableView, now: int) -> tuple[Proposal, ...]:
    """The votes to play on that can be cast now: one against each other player who has kept the
    table waiting for long enough."""
    me = view.my_seat.key if view.my_seat else None
    due = (each.seat.key for each in absentees(view, now) if not each.wait)
    return tuple(Proposal(Measure.PLAY_ON, key) for key in due if key != me)


def too_soon(view: TableView, now: int) -> str:
    """How long until a vote to play on can be cast; empty if the table waits for nobody who is
    away."""
    waits = [each.wait for each in absentees(view, now)]
    if not waits:
        return ""
    return _("In {time} you can vote to play on.").format(time=duration(min(waits)))


def unready(view: TableView) -> tuple[SeatView, ...]:
    """The seats whose players are here but not ready, while the game could begin without them (G9).

    Empty if no game could begin now.
    """
    if view.phase is not Phase.GATHERING or view.paused or view.starts_from is None:
        return ()
    here = (SeatStatus.HERE, SeatStatus.UNSTEADY)
    return tuple(seat for seat in view.seats if not seat.ready and seat.presence in here)


def unready_names(view: TableView) -> str:
    """The names of the `unready` seats, in the order of the seats."""
    return ", ".join(name_of(view, seat.key) for seat in unready(view))


def idle_words(view: TableView, now: int) -> str:
    """Advice to remove players who are here but never get ready; empty before the grace time is
    over."""
    is_idle = now - view.time >= view.grace * 1000
    return _("{key} can remove a player.").format(key=key_name("v", _("vote"))) if is_idle else ""


# A pause (G5)


def pause_words(view: TableView, is_host: bool) -> str:
    """The message of a paused table, and how to go on: as host at once, otherwise by a vote."""
    text = _("Nobody can play now.")
    if not measures.sits(view):
        return text
    if is_host:
        return text + " " + _("{press} to go on.").format(press=press("y", _("go on")))
    proposal = Proposal(Measure.GO_ON, NO_ONE)
    back = key_name("n", _("withdraw your vote"))
    asked = (
        _("You have voted to go on; {key} withdraws your vote.").format(key=back)
        if measures.has_voted(proposal, view)
        else _("{press} to vote to go on.").format(press=press("y", _("go on")))
    )
    return f"{text} {asked} {measures.tally(proposal, view)}"


# The host


def moved_words(view: TableView) -> str:
    """The message that the table has another host now, which may be this computer."""
    if view.my_seat is not None and view.my_seat.key == view.host:
        return _("This computer now hosts the table.")
    return _("{name} now hosts the table.").format(name=name_of(view, view.host))


# The player's place


def _watching_words(view: TableView) -> str:
    text = _("You are watching. {press} to sit down for the next game.")
    text = text.format(press=press("r", _("sit down")))
    if len(measures.sitting(view)) >= view.seat_count:
        text = _("You are watching: the table is full.")
    freed = _("You were away before your first game, so your seat was given up.")
    return f"{freed} {text}" if view.vacated else text


def missing_fists(view: TableView, names: Sequence[str]) -> list[str]:
    """The players whose fists are not in."""
    missing = (place for place, seat in enumerate(view.seats) if seat.fist is FistState.NOT_IN)
    return listed(missing, names, view.me)


def place_words(view: TableView) -> str:
    """The status of a player whom the running game does not include; empty for all others (G2)."""
    seat = view.my_seat
    if seat is None or not measures.sits(view):
        return _watching_words(view)
    if not seat.plays:
        return _("You have a seat, and will play from the next game on.")
    if seat.is_set_aside and seat.coins:
        text = _(
            "The table is playing on without you. Say anything ({key}) to take your seat back."
        )
        return text.format(key=key_name("t", _("talk")))
    if seat.coins:
        return ""
    if view.is_guessing:
        return _("You have left the school. You can watch the rest.")
    text = _("You’re out: watch the rest. {press} for the rounds.")
    return text.format(press=press("g", _("rounds"), is_more=True))


_NAME_CELLS = 30
"""Maximum cells of another player's name in a sentence."""


def is_asked_along(view: TableView) -> bool:
    """Whether this player can agree now to go on at a new table."""
    offer, seat = view.new_table, view.my_seat
    return offer is not None and not offer.wait and seat is not None and seat.key in offer.along


def has_agreed_to_go(view: TableView) -> bool:
    """Whether this player has agreed to go on at a new table."""
    offer, seat = view.new_table, view.my_seat
    return offer is not None and seat is not None and seat.key in offer.agreed


def is_new_table_urgent(view: TableView, continued: Card | None) -> bool:
    """Whether the offer of a new table takes precedence over everything else at this table.

    `continued` is the new table where the game went on without this player; None if there is none.
    """
    # A host that offers a new table accepts nothing at this one.
    is_stuck = view.new_table is not None and view.link not in STALE
    return continued is not None or view.went_along or is_asked_along(view) or is_stuck


def new_table_words(view: TableView, continued: Card | None) -> str:
    """The message about a new table; empty if there is none.

    `continued` is the new table where the game went on without this player; None if there is none.
    """
    if continued is not None:
        return _went_on(continued)
    if view.went_along:
        return _(
            "You have moved to the new table with the others. Looking for it … "
            "Press r to stay here."
        )
    offer = view.new_table
    return "" if offer is None else _offered(offer, view)


def _offered(offer: Offer, view: TableView) -> str:
    seats = len(measures.sitting(view))
    gone = seats - len(offer.along)
    text = ngettext("{gone} of {seats} is gone.", "{gone} of {seats} are gone.", gone)
    text = text.format(gone=gone, seats=seats)
    if offer.wait:
        later = _("In {time} you can carry on at a new table.")
        return f"{text} {later.format(time=duration(offer.wait))}"
    if not is_asked_along(view):
        return f"{text} {_('The players here can carry on at a new table.')}"
    if has_agreed_to_go(view):
        question = _("You have voted to carry on at a new table; {key} withdraws your vote.")
        question = question.format(key=key_name("n", _("stay")))
    elif view.phase is Phase.GATHERING:
        question = _("Go on at a new table? {press}.").format(press=press("y", _("new table")))
    else:
        question = _("Carry the game on at a new table? {press}.")
        question = question.format(press=press("y", _("new table")))
    agree = _("{count} of {all} agree.").format(count=len(offer.agreed), all=len(offer.along))
    return f"{text} {question} {agree}"


def _went_on(card: Card) -> str:
    text = _("The game goes on at {name}’s new table. {press} to go there.")
    asked = press("y", _("go there"))
    return text.format(name=show(card.host, _NAME_CELLS), press=asked)


def too_soon_to_agree(view: TableView) -> str:
    """In how many seconds the player can decide on the new table, as a sentence."""
    wait = view.new_table.wait if view.new_table else 0
    return _("In {time} you can decide on the new table.").format(time=duration(wait))


def missed(entries: Sequence[Entry], view: TableView) -> tuple[str, ...]:
    """Up to three lines about what happened in `entries`, the last part of the log that `view`
    shows."""
    lines = (_game(entries, view), _people(entries, view), _talk(entries, view))
    return tuple(line for line in lines if line)


def _game(entries: Sequence[Entry], view: TableView) -> str:
    """How many rounds ended, how the last one did, and whether a game began, as sentences."""
    started = sum(isinstance(entry.statement, GameStarted) for entry in entries)
    words = sum(isinstance(entry.statement, Speak) for entry in entries)
    rounds = _rounds_since(entries, view)
    parts = []
    if started:
        parts.append(_("Game {number} began.").format(number=view.game_number))
    if rounds:
        ended = view.past[-rounds:]
        text = ngettext("{count} round ended:", "{count} rounds ended:", rounds)
        parts.append(text.format(count=rounds))
        parts.append(outcome_for(view.me, ended[-1], seat_names(view)).sentences)
    elif words:
        said = next(e for e in reversed(entries) if isinstance(e.statement, Speak))
        assert isinstance(said.statement, Speak) and said.intent
        text = _("{name} said {word}.")
        word = sentences.word_name(said.statement.word)
        parts.append(text.format(name=name_of(view, said.intent.author), word=word))
    if view.winner is not None and rounds and not view.is_guessing:
        parts.append(_("{name} has won.").format(name=seat_names(view)[view.winner]))
    return " ".join(parts)


def _rounds_since(entries: Sequence[Entry], view: TableView) -> int:
    """Rounds of the last game that ended within these entries."""
    endings = 0
    for entry in entries:
        statement = entry.statement
        if isinstance(statement, GameStarted):
            endings = 0
        elif isinstance(statement, Speak) and not isinstance(statement.word, Bid):
            endings += 1
    return min(endings, len(view.past))


def _people(entries: Sequence[Entry], view: TableView) -> str:
    """Which others came and went, and where the table moved."""
    parts = []
    me = view.my_seat.key if view.my_seat else None
    for entry in entries:
        statement, author = entry.statement, entry.intent.author if entry.intent else b""
        if author == me:
            continue
        if isinstance(statement, Sit):
            parts.append(_("{name} sat down.").format(name=name_of(view, author)))
        elif isinstance(statement, Leave):
            parts.append(_("{name} left.").format(name=name_of(view, author)))
    if any(isinstance(entry.statement, HostMoved) for entry in entries):
        parts.append(moved_words(view))
    return " ".join(parts)


def _talk(entries: Sequence[Entry], view: TableView) -> str:
    """The last line of talk, and how many lines came before it; empty if nobody talked."""
    said = [entry for entry in entries if isinstance(entry.statement, Say)]
    if not said:
        return ""
    last = said[-1]
    assert isinstance(last.statement, Say) and last.intent
    line = f"{name_of(view, last.intent.author)}: “{show(last.statement.text, _TALK_CELLS)}”"
    if len(said) == 1:
        return line
    more = ngettext("and {count} earlier line of talk", "and {count} earlier lines of talk",
                    len(said) - 1)  # fmt: skip
    return f"{line} ({more.format(count=len(said) - 1)})"
