"""Keeping order at the table (G5): what may be done about whom, and the messages about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, Measure
from protocol.views import FistState, Motion, SeatStatus, SeatView, TableView
from spoof_tui.telling.names import name_of
from spoof_tui.text.i18n import _, ngettext, pgettext


@dataclass(frozen=True, slots=True)
class Proposal:
    """A measure and the key of the player it concerns; `NO_ONE` if it concerns the whole table."""

    measure: Measure
    seat: bytes


def measure_name(measure: Measure) -> str:
    """The name of a measure, in a word or two."""
    return {
        Measure.MUTE: _("mute"),
        Measure.UNMUTE: _("let talk"),
        Measure.REMOVE: _("remove"),
        Measure.BAR: _("ban"),
        Measure.PARDON: _("let in"),
        Measure.PLAY_ON: _("play on"),
        Measure.PAUSE: _("pause"),
        Measure.GO_ON: _("go on"),
        Measure.LOCK: _("lock"),
        Measure.UNLOCK: _("unlock"),
        Measure.BAN_WOBBLE: _("ban the Wobble"),
    }[measure]


def measure_help(proposal: Proposal, view: TableView) -> str:
    """A sentence on the effect of a measure."""
    return {
        Measure.MUTE: _("{name} plays on, but can no longer talk or shout."),
        Measure.UNMUTE: _("{name} may talk and shout again."),
        Measure.REMOVE: _(
            "{name} loses their seat and coins between rounds, or at once if everybody is "
            "waiting for them; they may sit down again."
        ),
        Measure.BAR: _(
            "{name} loses their seat between rounds, or at once if everybody is waiting for "
            "them, and is banned; the join code, if there is one, changes."
        ),
        Measure.PARDON: _("{name} may come in again, with the current code."),
        Measure.PLAY_ON: _(
            "Until {name} is back, a missing fist counts as empty, and {name}’s turn counts as a "
            "bid of 1 or a call; a fist that is not opened costs {name} a coin."
        ),
        Measure.PAUSE: _("Nobody can play until the pause ends."),
        Measure.GO_ON: _("The game goes on."),
        Measure.LOCK: _("No newcomers; anybody who sat here before may come back."),
        Measure.UNLOCK: _("The table is open to everybody again."),
        Measure.BAN_WOBBLE: _("Nobody may let their fist tremble any more."),
    }[proposal.measure].format(name=name_of(view, proposal.seat))


def aim(measure: Measure, name: str) -> str:
    """A measure about the player called `name` as an infinitive, for sentences such as "… wants
    to"."""
    return {
        Measure.MUTE: _("mute {name}"),
        Measure.UNMUTE: _("let {name} talk"),
        Measure.REMOVE: _("remove {name}"),
        Measure.BAR: _("ban {name}"),
        Measure.PARDON: _("let {name} in"),
        Measure.PLAY_ON: _("play on without {name}"),
        Measure.PAUSE: _("pause the game"),
        Measure.GO_ON: pgettext("a vote to", "go on"),
        Measure.LOCK: _("lock the table"),
        Measure.UNLOCK: _("unlock the table"),
        Measure.BAN_WOBBLE: _("ban the Wobble"),
    }[measure].format(name=name)


def motion_words(motion: Motion, view: TableView) -> str:
    """A running vote as a sentence: who asks for what, and how many votes are needed.

    Empty for a vote that is vetoed anyway.
    """
    if motion.measure is Measure.BAN_WOBBLE:
        return ""
    count = len(motion.voters)
    text = ngettext(
        "{voters} asks to {aim} ({count} of {needed})",
        "{voters} ask to {aim} ({count} of {needed})",
        count,
    )
    if has_voted(proposal_of(motion), view):
        text = _("{voters} are asking to {aim} ({count} of {needed}): the others have yet to vote")
        if count == 1:
            text = _("You are asking to {aim} ({count} of {needed}): the others have yet to vote")
    elif view.my_seat is not None and motion.seat == view.my_seat.key:
        text = ngettext(
            "{voters} asks to {aim} ({count} of {needed}): this is about you, the others decide",
            "{voters} ask to {aim} ({count} of {needed}): this is about you, the others decide",
            count,
        )
    what = aim(motion.measure, name_of(view, motion.seat))
    voters = _voters(motion, view)
    return text.format(voters=voters, aim=what, count=count, needed=motion.needed)


_ASKED_APART: Final = (Measure.PLAY_ON, Measure.GO_ON, Measure.BAN_WOBBLE)
"""Measures that `motion_to_answer` leaves out.

Other messages ask about them (who is away, the pause), or they are vetoed at once.
"""


def motion_to_answer(view: TableView, refused: Collection[Proposal] = frozenset()) -> Motion | None:
    """The newest vote that this player is asked about, or None.

    Left out are votes about this player, votes in which the player has taken part, and those in
    `refused`. A player who is no elector is never asked.
    """
    seat = view.my_seat
    if seat is None or not (sits(view) and seat.counts):
        return None
    asked = (each for each in reversed(_motions(view)) if seat.key not in (each.seat, *each.voters))
    return next((each for each in asked if proposal_of(each) not in refused), None)


def motion_on_show(view: TableView, refused: Collection[Proposal] = frozenset()) -> Motion | None:
    """The vote to be shown: the one to answer, or else the newest that is not `refused`, or else
    the newest; None if there is none."""
    if asked := motion_to_answer(view, refused):
        return asked
    motions = sorted(_motions(view), key=lambda each: proposal_of(each) not in refused)
    return motions[-1] if motions else None


def _motions(view: TableView) -> list[Motion]:
    return [each for each in view.votes if each.measure not in _ASKED_APART]


def proposal_of(motion: Motion) -> Proposal:
    """The proposal that a vote is about."""
    return Proposal(motion.measure, motion.seat)


def tally(proposal: Proposal, view: TableView) -> str:
    """A sentence on the votes for a measure so far, for a player who is about to vote."""
    if proposal.measure is Measure.BAN_WOBBLE:
        return _("Mr. A. L. Shearn will hear of it.")
    motion = motion_on(proposal, view)
    if motion is None:
        needed = _votes_needed(proposal, view)
        return _("No votes yet: {needed} needed.").format(needed=needed)
    return _("In favour: {voters}. {count} of {needed} votes.").format(
        voters=_voters(motion, view), count=len(motion.voters), needed=motion.needed
    )


def _votes_needed(proposal: Proposal, view: TableView) -> int:
    """How many votes carry a measure: more than half of the seats that count (G7).

    For playing on, more than half of those that are there, without the seat it is about (G3).
    """
    counted = tuple(seat for seat in sitting(view) if seat.counts)
    if proposal.measure is Measure.PLAY_ON:
        others = (seat for seat in counted if seat.key != proposal.seat)
        counted = tuple(seat for seat in others if seat.presence is not SeatStatus.AWAY)
    return len(counted) // 2 + 1


def _voters(motion: Motion, view: TableView) -> str:
    """The names of those who voted for a measure, in the order of the seats, joined by "and"."""
    keys = [seat.key for seat in view.seats if seat.key in motion.voters]
    return _(" and ").join(name_of(view, key) for key in keys)


def motion_on(proposal: Proposal, view: TableView) -> Motion | None:
    """The running vote on a measure; None if there is none."""
    for motion in view.votes:
        if (motion.measure, motion.seat) == (proposal.measure, proposal.seat):
            return motion
    return None


def has_voted(proposal: Proposal, view: TableView) -> bool:
    """Whether this player has voted for the measure."""
    motion, seat = motion_on(proposal, view), view.my_seat
    return motion is not None and seat is not None and seat.key in motion.voters


def sitting(view: TableView) -> tuple[SeatView, ...]:
    """The seats that are taken, without those that were given up."""
    return tuple(seat for seat in view.seats if seat.presence is not SeatStatus.GONE)


def sits(view: TableView) -> bool:
    """Whether this player still has a seat."""
    return view.my_seat is not None and view.my_seat.presence is not SeatStatus.GONE


def concerned(view: TableView) -> tuple[bytes, ...]:
    """Keys that a measure can be about: those of the others who sit here, of banned players, and
    `NO_ONE`, which stands for the table itself."""
    seated = [seat.key for seat in sitting(view) if not seat.is_me]
    return (*seated, *sorted(view.barred - set(seated)), NO_ONE)


def subject(view: TableView, key: bytes) -> str:
    """The name of a measure's target: somebody's name, or the table."""
    return _("the whole table") if key == NO_ONE else name_of(view, key)


def possible(view: TableView, key: bytes) -> tuple[Measure, ...]:
    """The measures possible now about a player or the table (`NO_ONE`), except those in force
    already."""
    if key == NO_ONE:
        pause = Measure.GO_ON if view.paused else Measure.PAUSE
        lock = () if view.shut is None else (Measure.UNLOCK if view.shut else Measure.LOCK,)
        return pause, *lock, Measure.BAN_WOBBLE
    seat = next((seat for seat in sitting(view) if seat.key == key), None)
    measures: list[Measure] = []
    if seat is not None and seat.play_on_from is not None:
        measures.append(Measure.PLAY_ON)
    if seat is not None:
        measures.append(Measure.UNMUTE if seat.is_muted else Measure.MUTE)
        # A seat that the table waits for is removed at once, even if it was to go later.
        if key != view.host and (not seat.is_leaving or seat.play_on_from is not None):
            measures.append(Measure.REMOVE)
    if key != view.host:
        measures.append(Measure.PARDON if key in view.barred else Measure.BAR)
    return tuple(measures)


def happened(before: TableView, after: TableView) -> Iterator[str]:
    """A sentence for each measure that was taken between two views."""
    were = {seat.key: seat for seat in sitting(before)}
    are = {seat.key: seat for seat in sitting(after)}
    for key in sorted(after.barred - before.barred):
        yield _("{name} is banned.").format(name=name_of(after, key))
    for key in sorted(before.barred - after.barred):
        yield _("{name} may come in again.").format(name=name_of(after, key))
    for key, was in were.items():
        sentence = _change(was, are.get(key), before.phase)
        if sentence and key not in after.barred - before.barred:
            yield sentence.format(name=name_of(after, key))
    if _is_voided(before, after):
        yield _voided(before)
    if after.vetoed is not None and before.vetoed != after.vetoed:
        yield veto_words(after)
    silent = {seat.key for seat in before.seats if seat.did_not_gloat}
    for seat in after.seats:
        if seat.did_not_gloat and seat.key not in silent:
            yield _("{name} won and did not gloat. That is suspicious.").format(
                name=name_of(after, seat.key)
            )
    if before.paused != after.paused:
        yield _("The table is paused.") if after.paused else _("The game goes on.")
    if before.shut != after.shut:
        yield _lock_words(after)
    if after.winner is not None and before.winner is None and len(after.past) == len(before.past):
        yield _last_one(after).format(name=name_of(after, after.seats[after.winner].key))


def about_me(before: TableView, after: TableView) -> str:
    """Sentences on a measure that was taken against this player, or lifted, between two views;
    empty if there was none, or if the player does not sit here in both views."""
    if before.my_seat is None or after.my_seat is None or not (sits(before) and sits(after)):
        return ""
    said = _change(before.my_seat, after.my_seat, before.phase)
    if not said:
        return ""
    is_host = after.my_seat.key == after.host
    by = _("The others voted for that.") if is_host else _("The host or a majority decided that.")
    return f"{said} {by}"


def _is_voided(before: TableView, after: TableView) -> bool:
    """Whether a round was declared void between two views because somebody was removed (G5)."""
    if Phase.GATHERING in (before.phase, after.phase) or before.phase is Phase.LOT:
        return False
    rounds = [each.round_number - len(each.past) for each in (before, after)]
    return before.game_number == after.game_number and rounds[0] < rounds[1]


def _voided(before: TableView) -> str:
    """The sentence that the round of a view is void, with the hands that were open."""
    seen = [seat for seat in before.seats if seat.fist is FistState.OPEN and seat.hand is not None]
    if not seen:
        return _("The round is void, and a new one begins.")
    hands = ", ".join(f"{name_of(before, seat.key)} {seat.hand}" for seat in seen)
    text = _("The round is void, and a new one begins. Open fists: {hands}")
    return text.format(hands=hands) + "."


def _lock_words(view: TableView) -> str:
    if view.shut:
        return _("The table is locked: nobody new comes in.")
    return _("The table is open to everybody again.")


def _last_one(view: TableView) -> str:
    if view.is_guessing:
        return _("{name} is the last one, and has the honour of paying (H12).")
    return _("{name} is the last one, and has won.")


def _change(was: SeatView, now: SeatView | None, phase: Phase) -> str:
    """The sentence on a measure against one seat, with {name} unless it is the player's own; empty
    if none can be seen.

    `now` is None if the seat is gone; `phase` is that before the change.
    """
    if now is None:
        # A player who is in the game cannot give the seat up.
        plays = phase is not Phase.GATHERING and was.coins > 0
        said = _("{name} is removed."), _("You were removed.")
        return said[was.is_me] if plays or was.is_leaving else ""
    if now.is_leaving and not was.is_leaving:
        said = (
            _("{name} will be removed after this round."),
            _("You will lose your seat after this round."),
        )
    elif now.is_muted and not was.is_muted:
        said = (
            _("{name} is muted."),
            _("You are muted at this table: you play on, your talk and gestures are off."),
        )
    elif was.is_muted and not now.is_muted:
        said = _("{name} may talk again."), _("You may talk again.")
    else:
        return ""
    return said[was.is_me]


def veto_words(view: TableView) -> str:
    """The message that somebody wanted the Wobble banned, and that it was vetoed (S5); otherwise
    empty."""
    if view.vetoed is None:
        return ""
    text = _("{name} wants the Wobble banned. Mr. A. L. Shearn vetoes it.")
    return text.format(name=name_of(view, view.vetoed[0]))
