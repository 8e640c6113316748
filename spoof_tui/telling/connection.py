"""What is said about a table from which nothing is heard (G7).

`SAYINGS` is an ordered list of claims with their conditions; only the first true one is said, and
none claims what this program cannot know. The electorate decides who is enough to move a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final

from protocol.table.fold import Phase
from protocol.timeouts import GONE_DELAY, STAND_INTERVAL, SUPPORT_DELAY
from protocol.views import LinkState, SeatStatus, SeatView, TableView
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling import measures, sentences
from spoof_tui.telling.durations import duration
from spoof_tui.telling.names import called, name_of, seat_names
from spoof_tui.telling.pressing import press
from spoof_tui.telling.resumable import NAME_CELLS
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show

UNHEARD_DELAY: Final = GONE_DELAY
"""Seconds without a sign of most of the table after which the player is told so."""

ALONE_DELAY: Final = 15
"""Seconds without a sign of anybody after which it is unlikely that only the host is gone."""

RECONNECT_DELAY: Final = 3.0
"""Seconds on a network again in which nothing is said of the others: most of them are back by
then."""

STEADY: Final = 1.5
"""Seconds for which another claim has to stay true before it replaces the current one."""

MAX_ADDRESSES: Final = 2
"""The most addresses named in the message that the table is being searched for."""


class Claim(Enum):
    """A claim about the table while nothing new is heard from it."""

    NO_NETWORK = "no-network"
    """This machine is on no network."""
    RECONNECTING = "reconnecting"
    """This machine is on a network again, as it was not a moment ago."""
    UNHEARD = "unheard"
    """The host, which may be this program, does not hear most of the table."""
    ANSWERED = "answered"
    """A program of the table has answered, and is sending what happened meanwhile."""
    TAKING_OVER = "taking-over"
    """This program is taking the table over."""
    MOVING = "moving"
    """Another program is taking the table over."""
    HEIR = "heir"
    """A known program will take the table over soon."""
    SUCCESSION = "succession"
    """Some program will take the table over if its host is gone."""
    TOO_FEW = "too-few"
    """Too few players are left to move the table to another host."""
    NOBODY_YET = "nobody-yet"
    """No program of the table has been heard so far, though it is early."""
    NOBODY = "nobody"
    """No program of the table is heard."""
    SOME = "some"
    """Some programs of the table are heard, but too few to move it."""


TAKES_OVER: Final = (Claim.TAKING_OVER, Claim.MOVING, Claim.HEIR, Claim.SUCCESSION)
"""Claims that are made only if those who are left are enough to move the table."""


@dataclass(frozen=True, slots=True)
class Silence:
    """What this program knows about a table at a moment when nothing new is heard from it."""

    view: TableView
    """The last view of the table."""
    known: SeatState
    seconds: float
    """Seconds since something was last heard."""
    is_standing: bool = False
    """Whether this program asks the others to elect it host."""
    is_unheard: bool = False
    """Whether there is a host that has not heard most of the table for a while."""
    is_arriving: bool = False
    """Whether this program has yet to reach the table for the first time."""
    connected_for: float = inf
    """Seconds for which this machine has been on a network again; infinity if it always was."""

    @property
    def until_heir(self) -> int:
        """Seconds until the first seat asks to be elected host, if nothing changes; 0 once it
        should have."""
        return max(int(SUPPORT_DELAY + STAND_INTERVAL - self.seconds), 0)


@dataclass(frozen=True, slots=True)
class Saying:
    """A claim, the condition under which it is true, and its words."""

    claim: Claim
    when: Callable[[Silence], bool]
    words: Callable[[Silence], str]


def _of_heir(silence: Silence) -> str:
    view, heir = silence.view, silence.known.heir
    is_me = view.my_seat is not None and view.my_seat.key == heir
    if is_me:
        text = _("If the host stays away, this computer takes over in {left} s …")
    else:
        text = _("If the host stays away, {name}’s computer takes over in {left} s …")
    return text.format(name=name_of(view, heir or b""), left=silence.until_heir)


def _of_too_few(silence: Silence) -> str:
    view, known, host = silence.view, silence.known, _host_name(silence.view)
    gone = [seat for seat in measures.sitting(view) if seat.key in known.gone_along]
    along = ngettext(
        "{names} played on the same computer as the host.",
        "{names} played on the same computer as the host.",
        len(gone),
    )
    text = _(
        "Too few players are left to move the table to another computer. The game is kept, and "
        "goes on once {host} is back."
    )
    if not host:
        text = _(
            "Too few players are left to move the table to another computer. The game is kept, and "
            "goes on once the host is back."
        )
    said = text.format(host=host)
    return f"{along.format(names=_joined(gone, view))} {said}" if gone else said


def _of_some(silence: Silence) -> str:
    view, known = silence.view, silence.known
    heard = [seat for seat in measures.sitting(view) if seat.key in known.heard]
    text = _(
        "Only {names} can be reached: too few to move the table, which takes more than half of the "
        "players. The game is kept, and goes on once enough are back."
    )
    return text.format(names=_joined(heard, view))


def _joined(seats: Iterable[SeatView], view: TableView) -> str:
    return _(" and ").join(name_of(view, seat.key) for seat in seats)


def _of_nobody(silence: Silence) -> str:
    if silence.is_arriving:
        return _(
            "Nobody else from this table is here yet. The game is kept, and goes on once the host "
            "or more than half of the players are back."
        )
    text = _(
        "Nobody else at the table can be heard either: your own network may be down. Check the "
        "cable or Wi-Fi."
    )
    return f"{text} {_meanwhile(silence)}"


def _of_no_network(silence: Silence) -> str:
    text = _("This computer is not connected to any network: plug in the cable, or turn on Wi-Fi.")
    return f"{text} {_meanwhile(silence)}"


def _of_unheard(silence: Silence) -> str:
    text = _(
        "Your own network may be down: check the cable or Wi-Fi. Your moves are kept until the "
        "others answer. They may have moved the table."
    )
    if _may_be_played_without(silence):
        text = _(
            "Your own network may be down: check the cable or Wi-Fi. Your moves are kept until the "
            "others answer. They may have moved the table, and after waiting {time} for you they "
            "can vote to play on without you."
        )
    return text.format(time=duration(silence.view.grace))


def _meanwhile(silence: Silence) -> str:
    """What becomes of the game as long as this player's own network is down."""
    if not _may_be_played_without(silence):
        return _("The game is kept, and goes on once you are back.")
    text = _(
        "Your seat is kept, but after waiting {time} for you the others can vote to play on "
        "without you."
    )
    return text.format(time=duration(silence.view.grace))


def _may_be_played_without(silence: Silence) -> bool:
    """Whether the others, if only this player is cut off, could vote to play on (G3): they are
    more than half of the electors, or may be more than this host knows of."""
    view, seat = silence.view, silence.view.my_seat
    if view.phase is Phase.GATHERING or view.paused or seat is None or not measures.sits(view):
        return False
    counted = [each for each in measures.sitting(view) if each.counts]
    others = [each for each in counted if not each.is_me]
    is_enough = silence.is_unheard or 2 * len(others) > len(counted)
    return is_enough and seat.coins > 0 and not seat.is_set_aside


SAYINGS: Final = (
    Saying(
        Claim.NO_NETWORK,
        lambda s: not s.known.has_network,
        _of_no_network,
    ),
    Saying(
        Claim.ANSWERED,
        lambda s: s.view.link is LinkState.MEETING,
        lambda s: _("The table answers: catching up …"),
    ),
    Saying(
        Claim.RECONNECTING,
        lambda s: s.connected_for < RECONNECT_DELAY,
        lambda s: _("This computer is on a network again: looking for the others …"),
    ),
    Saying(
        Claim.UNHEARD,
        lambda s: s.is_unheard,
        _of_unheard,
    ),
    Saying(
        Claim.TAKING_OVER,
        lambda s: s.known.can_move and s.is_standing,
        lambda s: _("This computer is taking over the table: asking the others to follow …"),
    ),
    Saying(
        Claim.MOVING,
        lambda s: s.known.can_move and s.view.link is LinkState.MOVING,
        lambda s: _("Another player’s computer is taking over the table …"),
    ),
    Saying(
        Claim.HEIR,
        lambda s: s.known.can_move and s.known.heir is not None and s.until_heir > 0,
        _of_heir,
    ),
    Saying(
        Claim.SUCCESSION,
        lambda s: s.known.can_move,
        lambda s: _("If the host stays away, another player’s computer takes over."),
    ),
    Saying(
        Claim.TOO_FEW,
        lambda s: not s.known.could_move,
        _of_too_few,
    ),
    Saying(Claim.SOME, lambda s: bool(s.known.heard), _of_some),
    Saying(
        Claim.NOBODY_YET,
        lambda s: s.seconds <= ALONE_DELAY,
        lambda s: _("Nobody else at the table can be heard yet. The game is kept."),
    ),
    Saying(Claim.NOBODY, lambda s: True, _of_nobody),
)
"""The claims in order; only the first one that is true is said."""


class Steady:
    """Keeps the claim on show from flickering.

    A claim that is still true is replaced only once another one has come first for `STEADY`
    seconds; `NOBODY_YET` is replaced at once.
    """

    def __init__(self) -> None:
        self.claim: Claim | None = None
        """The claim on show; None if there is nothing to say."""
        self._next: Claim | None = None
        self._since = 0.0

    def follow(self, silence: Silence | None, at: float) -> None:
        """Update `claim` to the first true one, if that has been first for long enough.

        `silence` is None while the table is heard; `at` is in seconds of a steady clock.
        """
        first = first_true(silence)
        if first is not self._next:
            self._next, self._since = first, at
        holds = self.claim is not Claim.NOBODY_YET and _is_true(self.claim, silence)
        # Without a network of one's own nothing else matters.
        if not holds or first is Claim.NO_NETWORK or at - self._since >= STEADY:
            self.claim = first


def first_true(silence: Silence | None) -> Claim | None:
    """The first claim of `SAYINGS` that is true; None if `silence` is None: the table is heard."""
    if silence is None:
        return None
    return next(saying.claim for saying in SAYINGS if saying.when(silence))


def _is_true(claim: Claim | None, silence: Silence | None) -> bool:
    return silence is not None and any(
        saying.claim is claim and saying.when(silence) for saying in SAYINGS
    )


def words(silence: Silence | None, claim: Claim | None) -> tuple[str, ...]:
    """Sentences saying since when nothing has been heard, what was said last, what is known, and
    where the table is looked for.

    Empty if the table is heard.
    """
    if silence is None or claim is None:
        return ()
    said = next(saying.words(silence) for saying in SAYINGS if saying.claim is claim)
    if claim is Claim.ANSWERED:
        return (said,)
    is_sought = claim not in (Claim.NO_NETWORK, Claim.RECONNECTING, Claim.UNHEARD)
    looking = [_looking(silence.known.tried)] if is_sought else []
    last = filter(None, [_last_known(silence.view)])
    return (_headline(silence), *last, said, *looking)


def promise(silence: Silence | None, claim: Claim | None) -> str:
    """What the player keeps meanwhile, as a sentence; empty without a seat, or if the words of
    the claim say it more exactly."""
    if silence is None or not measures.sits(silence.view):
        return ""
    is_own_fault = claim in (Claim.NO_NETWORK, Claim.UNHEARD, Claim.NOBODY)
    is_in_doubt = is_own_fault and not (claim is Claim.NOBODY and silence.is_arriving)
    if is_in_doubt and _may_be_played_without(silence):
        return ""
    return _("You keep your seat, your coins and your fist.")


def in_short(claim: Claim) -> str:
    """A claim in two or three words, such as "no network"."""
    if claim in (Claim.TAKING_OVER, Claim.MOVING):
        return _("the table moves …")
    return {
        Claim.NO_NETWORK: _("no network"),
        Claim.UNHEARD: _("not heard"),
        Claim.RECONNECTING: _("joining …"),
        Claim.ANSWERED: _("joining …"),
    }.get(claim, _("no connection"))


def practice_words() -> str:
    """The offer of a practice game to a player who waits alone, with its key."""
    text = _("Play a practice game by the same rules meanwhile? {press}.")
    return text.format(press=press("y", _("practise")))


def _headline(silence: Silence) -> str:
    """A sentence saying from whom this program hears nothing and, after a second, for how long."""
    view, name, is_new = silence.view, _host_name(silence.view), silence.seconds < 1
    if silence.is_unheard:
        text = _("Most of the players have not been heard from for {time}.")
        others = [seat for seat in measures.sitting(view) if not seat.is_me]
        if all(seat.presence is not SeatStatus.HERE for seat in others):
            text = _("Nobody else at the table has been heard from for {time}.")
    elif silence.is_arriving:
        name = show(view.table_name, NAME_CELLS)
        text = _("Looking for the host of “{name}”, {time} so far.")
        text = _("Looking for the host of “{name}”.") if is_new else text
    elif not name:
        text = _("No connection to the host for {time}.")
        text = _("No connection to the host.") if is_new else text
    else:
        text = _("No connection to {name} for {time}.")
        text = _("No connection to {name}.") if is_new else text
    return text.format(name=name, time=duration(silence.seconds))


def _host_name(view: TableView) -> str:
    """The name of the host; empty if it never sat here, or is this player, whose program no longer
    hosts the table when it is cut off from it."""
    is_mine = view.my_seat is not None and view.my_seat.key == view.host
    name = name_of(view, view.host)
    return "" if is_mine or name == "?" else name


def _last_known(view: TableView) -> str:
    """What was said last and who is next, or which word of the player waits to be sent; empty
    unless words are being said."""
    if view.speaker is None:
        return ""
    names = seat_names(view)
    calls = [call for call in view.calls if not call.taken]
    if calls:
        by = _("{number} by {name}")
        told = (by.format(number=each.number, name=called(each.seat, names, view.me))
                for each in calls)  # fmt: skip
        said = _("Called so far: {calls}.").format(calls=", ".join(told))
    elif view.standing is not None:
        seat, bid = view.standing
        said = _("The bid is {bid}, by {name}.").format(bid=bid, name=called(seat, names, view.me))
    else:
        said = _("Nobody has called yet.") if view.is_guessing else _("There is no bid yet.")
    if view.own_word is not None:
        word = sentences.said_aloud(view.own_word)
        return f"{said} {_('Your word “{word}” is waiting to be sent.').format(word=word)}"
    if view.my_turn:
        return f"{said} {_('Your turn: your word is sent once the table answers.')}"
    following = _("Next: {name}.").format(name=called(view.speaker, names, view.me))
    return f"{said} {following}"


def _looking(tried: Sequence[Address]) -> str:
    """A sentence saying where the table is looked for; leaves out addresses of this machine
    (loopback)."""
    places = [address.text for address in tried if not address.is_loopback]
    if not places:
        return _("Looking for the table on this network …")
    named, more = ", ".join(places[:MAX_ADDRESSES]), len(places) - MAX_ADDRESSES
    if more > 0:
        text = ngettext(
            "Trying {addresses} and {more} more, and searching this network …",
            "Trying {addresses} and {more} more, and searching this network …",
            more,
        )
        return text.format(addresses=named, more=more)
    return _("Trying {addresses}, and searching this network …").format(addresses=named)
