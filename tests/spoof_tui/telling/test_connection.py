"""What is claimed about a table that is not heard."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.statements import HostMoved
from protocol.timeouts import LEASE, UNSTEADY_DELAY
from protocol.views import LinkState, SeatStatus, TableView
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.notices import (
    AddressesChanged,
    Opened,
    OpenElsewhere,
    SeatState,
    WhileAway,
)
from spoof_tui.telling import connection
from spoof_tui.telling.connection import (
    ALONE_DELAY,
    STEADY,
    TAKES_OVER,
    UNHEARD_DELAY,
    Claim,
    Steady,
)
from spoof_tui.telling.notices import note
from spoof_tui.telling.table_state import TableState
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at

LOST = 1_000
"""When the link was lost, or most were last heard."""


def a_view(**changed: Any) -> TableView:
    table = MemoryTable(4)
    view = replace(table.clients[2].view, host=table.clients[0].guest.key, phase=Phase.SPEAKING)
    return replace(view, **{"link": LinkState.DOWN, **changed})


VIEW = a_view()
HEARD = frozenset({VIEW.seats[1].key})
ENOUGH = SeatState(heard=HEARD, can_move=True, could_move=True)
SOON, LATE = 1, ALONE_DELAY + 1
"""Seconds without a link."""


def state_of(
    known: SeatState, seconds: float, link: LinkState = LinkState.DOWN, *, asks: bool = False
) -> TableState:
    state = TableState(view=replace(VIEW, link=link), known=known, cut_off_at=LOST)
    state.is_standing, state.wall = asks, LOST + round(seconds * 1000)
    return state


@pytest.mark.parametrize(
    ("claim", "known", "seconds", "link", "asks"),
    [
        (Claim.NO_NETWORK, replace(ENOUGH, has_network=False), SOON, LinkState.DOWN, True),
        (Claim.UNHEARD, SeatState(unheard_since=LOST), 4, LinkState.UP, False),
        (None, SeatState(unheard_since=LOST), 3.9, LinkState.UP, False),
        (Claim.NO_NETWORK, SeatState(unheard_since=LOST, has_network=False), 4, LinkState.UP,
         False),
        (Claim.ANSWERED, ENOUGH, SOON, LinkState.MEETING, True),
        (Claim.TAKING_OVER, ENOUGH, SOON, LinkState.DOWN, True),
        (Claim.MOVING, ENOUGH, SOON, LinkState.MOVING, False),
        (Claim.HEIR, replace(ENOUGH, heir=VIEW.seats[1].key), SOON, LinkState.DOWN, False),
        (Claim.SUCCESSION, replace(ENOUGH, heir=VIEW.seats[1].key), LATE, LinkState.DOWN, False),
        (Claim.SUCCESSION, ENOUGH, SOON, LinkState.DOWN, False),
        (Claim.TOO_FEW, SeatState(heard=HEARD), SOON, LinkState.DOWN, True),
        (Claim.SOME, SeatState(heard=HEARD, could_move=True), LATE, LinkState.MOVING, True),
        (Claim.NOBODY_YET, SeatState(could_move=True), SOON, LinkState.DOWN, True),
        (Claim.NOBODY, SeatState(could_move=True), LATE, LinkState.DOWN, True),
    ],
)  # fmt: skip
def test_the_first_line_that_is_true_stands(
    claim: Claim | None, known: SeatState, seconds: float, link: LinkState, asks: bool
) -> None:
    assert state_of(known, seconds, link, asks=asks).claim is claim


def test_who_is_gone_along_with_the_host_is_named_where_too_few_are_left() -> None:
    bots = frozenset(seat.key for seat in VIEW.seats[1:2])
    said = " ".join(state_of(SeatState(gone_along=bots), SOON).of_connection)
    assert "Player2 played on the same computer as the host." in said
    assert "goes on once Player1 is back." in said
    assert "same computer" not in " ".join(state_of(SeatState(), SOON).of_connection)


@pytest.mark.parametrize("known", [SeatState(), SeatState(gone_along=HEARD)])
def test_who_hosted_the_table_last_is_not_told_to_wait_for_themselves(known: SeatState) -> None:
    state = state_of(known, SOON)
    assert state.view is not None and "Player1 is back" in " ".join(state.of_connection)
    state.view = replace(state.view, host=VIEW.seats[2].key)
    first, *more = state.of_connection
    assert first == "No connection to the host for 0:01."
    assert "Player3" not in " ".join(more) and "once the host is back" in " ".join(more)


def test_most_of_the_players_are_not_heard_or_nobody_is() -> None:
    state = state_of(SeatState(unheard_since=LOST), 9, LinkState.UP)
    assert state.of_connection[0].startswith("Most of the players have not")
    assert state.view is not None
    silent = (each if each.is_me else replace(each, presence=SeatStatus.UNSTEADY)
              for each in state.view.seats)  # fmt: skip
    state.view = replace(state.view, seats=tuple(silent))
    assert state.of_connection[0].startswith("Nobody else at the table has")


def everything() -> Iterator[TableState]:
    """Every combination of facts."""
    flags = itertools.product((False, True), repeat=5)
    for is_heard, can, could, net, asks in flags:
        heard = HEARD if is_heard else frozenset()
        known = SeatState(False, (), HEARD, VIEW.seats[1].key, heard, can, could)
        known = replace(known, has_network=net)
        for link, seconds in itertools.product((LinkState.DOWN, LinkState.MOVING), (1, 5, 99)):
            yield state_of(known, seconds, link, asks=asks)


def test_nobody_takes_over_who_does_not_hear_enough_to_move_the_table() -> None:
    for state in everything():
        may_move = state.known.can_move and state.known.has_network
        assert (state.claim in TAKES_OVER) is may_move


def test_there_are_always_words_and_never_a_place_on_this_machine() -> None:
    near = Address("127.0.0.1", 7763), Address("::1", 7763)
    for state in everything():
        state.known = replace(state.known, tried=near)
        said = state.of_connection
        assert len(said) >= 2 and not any("127." in each or "::1" in each for each in said)


NO_NETWORK = SeatState(has_network=False)


@pytest.mark.parametrize(
    ("known", "seconds", "link"),
    [
        (NO_NETWORK, SOON, LinkState.DOWN),
        (SeatState(could_move=True), LATE, LinkState.DOWN),
        (SeatState(unheard_since=LOST), 9, LinkState.UP),
    ],
)
def test_whose_own_network_is_down_is_told_that_the_others_may_play_on_if_they_may(
    known: SeatState, seconds: float, link: LinkState
) -> None:
    """And only then is not promised that the player's coins stay the same."""

    def is_warned(view: TableView) -> bool:
        state = state_of(known, seconds, link)
        state.view = replace(view, link=link)
        warns = "after waiting 1:00 for you " in " ".join(state.of_connection)
        assert warns is not bool(connection.promise(state.silence, state.claim))
        return warns

    def mine(view: TableView, **changed: Any) -> TableView:
        seats = (replace(seat, **changed) if seat.is_me else seat for seat in view.seats)
        return replace(view, seats=tuple(seats))

    view = at("answering", 3).clients[1].view
    assert is_warned(view)
    assert not is_warned(replace(view, paused=True))
    assert not is_warned(replace(view, phase=Phase.GATHERING))
    assert not is_warned(mine(view, coins=0)), "nothing is waited for"
    assert not is_warned(mine(view, is_set_aside=True)), "they play on already"
    # One other player is no majority, but a host may have lost more than it knows of.
    two = at("answering", 2).clients[1].view
    assert is_warned(two) is (known.unheard_since is not None)


def test_a_clock_that_is_set_back_changes_nothing_of_how_long_a_table_was_not_heard() -> None:
    state = state_of(ENOUGH, 30)
    at_host = state.now
    state.learn(state.known, state.wall - 3_600_000)
    assert (state.cut_off_for, state.now) == (30, at_host)
    state.learn(state.known, state.wall + 5_000)
    assert state.cut_off_for == 35


def test_a_table_that_is_heard_has_nothing_claimed_about_it() -> None:
    for known in (SeatState(), SeatState(has_network=False), ENOUGH):
        state = state_of(known, LATE, LinkState.UP)
        assert state.claim is None and not state.of_connection and not state.is_stale


def test_between_games_a_host_that_hears_nobody_says_so_and_still_takes_what_is_said() -> None:
    state = state_of(SeatState(unheard_since=LOST), 9, LinkState.UP)
    assert state.is_stale
    state.view = replace(VIEW, link=LinkState.UP, phase=Phase.GATHERING)
    assert state.claim is Claim.UNHEARD and not state.is_stale


def test_what_is_true_for_a_moment_only_is_not_said() -> None:
    steady, told = Steady(), []
    for tenth in range(100):
        # A second of every five.
        state = state_of(ENOUGH, LATE, asks=30 <= tenth % 50 < 40)
        steady.follow(state.silence, tenth / 10)
        told.append(steady.claim)
    assert set(told) == {Claim.SUCCESSION}
    for moment in (20.0, 20.0 + STEADY):
        steady.follow(state_of(ENOUGH, LATE, asks=True).silence, moment)
    assert steady.claim is Claim.TAKING_OVER


def test_ones_own_network_is_told_first_from_its_loss_until_the_others_had_time_to_answer() -> None:
    off, steady = replace(ENOUGH, has_network=False), Steady()
    state, told = state_of(ENOUGH, LATE, asks=True), []
    for second, known in enumerate((ENOUGH, ENOUGH, off, off, ENOUGH, ENOUGH, ENOUGH, ENOUGH)):
        state.learn(known, LOST + (LATE + second) * 1000)
        steady.follow(state.silence, float(second))
        told.append(steady.claim)
    assert told == [
        *[Claim.TAKING_OVER] * 2,
        *[Claim.NO_NETWORK] * 2,
        *[Claim.RECONNECTING] * 2,
        *[Claim.TAKING_OVER] * 2,
    ]


def test_what_is_no_longer_true_is_not_said_for_a_moment_more() -> None:
    steady = Steady()
    for moment in (0.0, 9.0):
        steady.follow(state_of(ENOUGH, LATE, asks=True).silence, moment)
    steady.follow(state_of(SeatState(could_move=True), LATE, asks=True).silence, 9.1)
    assert steady.claim is Claim.NOBODY


def test_what_is_said_for_a_start_gives_way_at_once() -> None:
    steady, told = Steady(), []
    for tenth, known in enumerate((SeatState(could_move=True), ENOUGH)):
        state = state_of(known, SOON)
        steady.follow(state.silence, tenth / 10)
        told.append(steady.claim)
    steady.follow(None, 0.2)
    assert [*told, steady.claim] == [Claim.NOBODY_YET, Claim.SUCCESSION, None]


def test_the_time_of_the_table_stands_still_while_its_host_hears_nobody() -> None:
    state = state_of(SeatState(unheard_since=LOST), LEASE + 9, LinkState.UP)
    state.ahead = 10_000_000_000_000
    assert state.now == LOST + state.ahead and state.is_ticking


def arriving(*links: LinkState) -> Iterator[TableState]:
    """A table that somebody goes back to who has played there before, after each of these."""
    state = TableState(wall=LOST, known=SeatState(could_move=True))
    for link in links:
        state.receive(replace(VIEW, link=link))
        state.wall += 1_000
        yield state


def test_who_goes_back_to_a_table_is_told_at_once_that_it_is_looked_for() -> None:
    for second, state in enumerate(arriving(LinkState.DOWN, LinkState.MOVING, LinkState.DOWN), 1):
        first, *_ = state.of_connection
        assert first == f"Looking for the host of “{VIEW.table_name.raw}”, 0:0{second} so far."


def test_who_goes_back_and_finds_nobody_is_told_what_has_to_happen() -> None:
    (state,) = arriving(LinkState.DOWN)
    state.wall = LOST + LATE * 1000
    assert state.claim is Claim.NOBODY
    assert "more than half of the players are back" in state.of_connection[1]


def test_who_has_just_come_to_a_table_is_not_told_to_be_back_there() -> None:
    told = TableState(wall=LOST)
    for link in (LinkState.DOWN, LinkState.MOVING, LinkState.DOWN, LinkState.UP):
        assert told.receive(replace(VIEW, link=link)) == []
    assert not told.is_arriving and told.claim is None


@pytest.mark.parametrize("seconds", [1, round(UNHEARD_DELAY)])
@pytest.mark.parametrize("has_seat", [True, False])
def test_who_goes_back_to_a_seat_and_had_to_wait_is_told_to_be_back(
    seconds: int, has_seat: bool
) -> None:
    state = TableState(wall=LOST)
    view = VIEW if has_seat else replace(VIEW, me=None)
    state.receive(view)
    state.wall += seconds * 1000
    told = [line for each in state.receive(replace(view, link=LinkState.UP)) for line in each.lines]
    has_waited = seconds >= UNHEARD_DELAY
    assert told == (["Back at the table."] if has_seat and has_waited else [])


def test_who_was_told_that_the_table_has_moved_is_not_told_so_by_its_log_again() -> None:
    for is_told in (True, False):
        state = TableState(wall=LOST)
        state.receive(VIEW)
        if is_told:
            note(OpenElsewhere(ForeignText("Bob")), state)
        moved = state.receive(replace(VIEW, link=LinkState.UP, host=VIEW.seats[1].key))
        assert [told.title for told in moved] == ([] if is_told else ["The table has moved"])


def test_who_hosts_a_table_from_now_on_is_told_which_code_newcomers_need() -> None:
    for is_anew, is_opening, title in (
        (True, False, "The table has moved"),
        (True, True, "Hosting"),
        (False, True, ""),
    ):
        state = TableState(is_opening=is_opening)
        told = note(Opened(7763, None, "K7M4Q", "10.0.0.7:7763", is_anew), state)
        assert (told.title, "K7M4Q" in " ".join(told.lines)) == (title, is_anew)
        assert "K 7 M 4 Q" in " ".join(told.plain) and not state.is_opening


def test_an_address_of_this_machine_alone_was_never_told_to_anybody() -> None:
    for before, is_news in (("", False), ("127.0.0.1:7763", False), ("10.0.0.9:7763", True)):
        told = note(AddressesChanged("10.0.0.7:7763", None), TableState(address=before))
        assert bool(told.lines) is is_news and "10.0.0.7" in " ".join(told.plain)


def test_who_is_told_that_the_table_has_moved_does_not_hear_so_of_the_time_away_too() -> None:
    view, nothing = MemoryTable(3).clients[2].view, bytes(32)
    said = HostMoved(1, view.host, ())
    moved = Entry(1, view.position, nothing, LOST, None, said, nothing, b"")
    for is_told in (True, False):
        state = TableState(view=view)
        if is_told:
            state.receive(replace(view, host=view.seats[1].key))
            state.receive(view)
        assert bool(note(WhileAway((moved,)), state).lines) is not is_told


def test_an_absence_is_told_from_when_the_seat_was_first_missed() -> None:
    host, other = VIEW.seats[0], VIEW.seats[1]
    state = TableState(wall=LOST)
    state.receive(replace(VIEW, link=LinkState.UP))
    state.receive(replace(VIEW, link=LinkState.DOWN))
    state.wall = LOST + 9_000
    # The table has moved; the new host says a moment later that the old one is gone.
    up = replace(VIEW, link=LinkState.UP, host=other.key)
    gone = replace(host, presence=SeatStatus.AWAY, away_since=LOST + 8_000)
    for seats in (VIEW.seats, (gone, *VIEW.seats[1:])):
        state.receive(replace(up, seats=seats))
    assert state.view and state.view.seats[0].away_since == LOST + state.ahead
    state.receive(replace(up, seats=VIEW.seats))
    later = replace(gone, away_since=LOST + 20_000)
    state.receive(replace(up, seats=(later, *VIEW.seats[1:])))
    assert state.view.seats[0].away_since == LOST + 20_000, "another absence"


def test_a_seat_that_falls_silent_is_missed_from_its_last_word() -> None:
    state, first, rest = TableState(wall=LOST), VIEW.seats[0], VIEW.seats[1:]
    unsteady = replace(first, presence=SeatStatus.UNSTEADY)
    gone = replace(first, presence=SeatStatus.AWAY, away_since=LOST + 12_000)
    for seat in (first, unsteady, gone):
        state.receive(replace(VIEW, link=LinkState.UP, seats=(seat, *rest)))
        state.wall += 12_000
    since = LOST + 12_000 - UNSTEADY_DELAY * 1000 + state.ahead
    assert state.view and state.view.seats[0].away_since == since


def test_a_host_that_slept_has_missed_the_others_since_it_heard_most_of_them_last() -> None:
    first, rest = VIEW.seats[0], VIEW.seats[1:]
    state = TableState(wall=LOST + 40_000, known=SeatState(unheard_since=LOST))
    gone = replace(first, presence=SeatStatus.AWAY, away_since=LOST + 40_000)
    state.receive(replace(VIEW, link=LinkState.UP, seats=(gone, *rest)))
    assert state.view and state.view.seats[0].away_since == LOST


def test_everybody_but_the_player_is_told_to_be_back() -> None:
    state, (first, me), rest = TableState(wall=LOST), (VIEW.seats[0], VIEW.seats[2]), VIEW.seats[3:]
    assert me.is_me
    gone = [replace(each, presence=SeatStatus.AWAY, away_since=LOST) for each in (first, me)]
    up = replace(VIEW, link=LinkState.UP)
    state.receive(replace(up, seats=(gone[0], VIEW.seats[1], gone[1], *rest)))
    told = state.receive(up)
    assert [each.lines for each in told] == [(f"{first.name.raw} is back.",)]
    assert [event.text for event in state.events] == list(told[0].lines)


def test_who_is_back_takes_no_line_from_the_players_own_turn() -> None:
    state, first = TableState(wall=LOST), VIEW.seats[0]
    gone = replace(first, presence=SeatStatus.AWAY, away_since=LOST)
    mine = replace(VIEW, link=LinkState.UP, speaker=VIEW.me, own_word=None)
    assert mine.my_turn
    state.receive(replace(mine, seats=(gone, *VIEW.seats[1:])))
    assert state.receive(mine) == [] and len(state.events) == 1


def test_who_is_back_is_told_beside_the_question_for_a_hand() -> None:
    state, first = TableState(wall=LOST), VIEW.seats[0]
    gone = replace(first, presence=SeatStatus.AWAY, away_since=LOST)
    mine = replace(VIEW, link=LinkState.UP, own_fist_due=True)
    state.receive(replace(mine, seats=(gone, *VIEW.seats[1:])))
    assert [each.lines for each in state.receive(mine)] == [(f"{first.name.raw} is back.",)]


@pytest.mark.parametrize("seconds", [0, 0.9])
def test_no_silence_is_told_to_have_lasted_no_second(seconds: float) -> None:
    for link, host in itertools.product((LinkState.DOWN, LinkState.MOVING), (VIEW.host, b"")):
        for is_arriving in (False, True):
            state = state_of(ENOUGH, seconds, link)
            assert state.view
            state.view, state.is_arriving = replace(state.view, host=host), is_arriving
            assert "0:00" not in " ".join(state.of_connection)


def test_a_silent_table_is_told_with_its_last_word_and_the_word_that_waits() -> None:
    me = VIEW.me
    assert me is not None
    bid = replace(VIEW, standing=(0, 3), speaker=me)
    for view, told in (
        (replace(VIEW, speaker=None), None),
        (replace(VIEW, speaker=me),
         "There is no bid yet. Your turn: your word is sent once the table answers."),
        (bid,
         "The bid is 3, by Player1. "
         "Your turn: your word is sent once the table answers."),
        (replace(bid, standing=(me, 3), speaker=1), "The bid is 3, by you. Next: Player2."),
        (replace(bid, own_word=Bid(4)),
         "The bid is 3, by Player1. Your word “4” is waiting to be sent."),
        (replace(bid, own_word=Ending.CALL),
         "The bid is 3, by Player1. Your word “call!” is waiting to be sent."),
    ):  # fmt: skip
        state = state_of(ENOUGH, LATE)
        state.view = view
        assert (state.of_connection[1] == told) is (told is not None)


def test_a_table_that_answers_has_no_lost_connection() -> None:
    *_, state = arriving(LinkState.UP, LinkState.DOWN, LinkState.MEETING)
    assert state.of_connection == ("The table answers: catching up …",)


def test_who_waits_alone_for_the_grace_time_may_practise() -> None:
    alone = SeatState(could_move=True)
    for known, seconds, may in (
        (alone, VIEW.grace, True),
        (SeatState(), VIEW.grace, True),
        (alone, VIEW.grace - 1, False),
        (replace(alone, heard=HEARD), VIEW.grace, False),
    ):
        state = state_of(known, seconds)
        assert state.may_practise is may
        assert (connection.practice_words() in state.of_connection) is may
