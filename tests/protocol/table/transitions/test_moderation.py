"""Measures: who carries them, and what a table is without a seat that was removed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Reason
from protocol.notation import check, game_records
from protocol.rules.words import Bid, Direction, Ending, Offence
from protocol.table.announcements import Decide
from protocol.table.fold import check_intent, check_statement
from protocol.table.log import Intent
from protocol.table.state import Phase, Table
from protocol.table.statements import (
    NO_ONE,
    Fist,
    Gesticulate,
    Gesture,
    Leave,
    Measure,
    Open,
    Ready,
    Speak,
    Vote,
)
from protocol.table.transitions.moderation import needed
from protocol.wire.messages import Farewell
from tests.protocol.stories import Desk, Pair, Story, decision, few, refused, signing_key, vote

HOST = 255
"""The participant whose key is the host's."""

GAMES = ["milan", "hollywood", "hollywood first_caller=toss"]


def key(who: int) -> bytes:
    return signing_key(who).public


def seated(table: Table) -> list[bytes]:
    return [seat.key for seat in table.seats]


# A majority


@pytest.mark.parametrize("seats", range(2, 10))
def test_more_than_half_of_all_seats_carry_a_measure(seats: int) -> None:
    story = Story(seats)
    for voter in range(seats):
        assert (key(0) in story.table.muted) == (voter > seats / 2)
        if key(0) in story.table.muted:
            break
        story.vote(Measure.MUTE, 0, voter)
    assert key(0) in story.table.muted


@pytest.mark.parametrize(
    ("seats", "votes"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4), (8, 5), (9, 5)]
)
def test_so_many_votes_are_needed(seats: int, votes: int) -> None:
    assert needed(seats) == votes


def test_of_two_nobody_removes_the_other() -> None:
    story = Story(2).vote(Measure.REMOVE, 1, 0)
    assert seated(story.table) == [key(0), key(1)]
    assert seated(story.vote(Measure.REMOVE, 1, 1).table) == [key(0)]


def test_a_vote_counts_once() -> None:
    story = Story(3).vote(Measure.MUTE, 0, 1)
    with refused(Reason.REPEATED):
        check_statement(story.table, key(1), vote(Measure.MUTE, 0))


def test_a_vote_that_is_taken_back_counts_no_more() -> None:
    story = Story(3).vote(Measure.MUTE, 0, 1).tell(1, vote(Measure.MUTE, 0, yes=False))
    assert story.table.votes == {}
    story.vote(Measure.MUTE, 0, 2)
    assert story.table.muted == frozenset()


def test_votes_for_different_measures_and_seats_are_not_added_up() -> None:
    story = Story(3).vote(Measure.MUTE, 0, 1).vote(Measure.REMOVE, 0, 2).vote(Measure.MUTE, 1, 2)
    assert story.table.muted == frozenset() and len(story.table.seats) == 3


def test_a_measure_that_is_carried_forgets_its_votes() -> None:
    story = Story(3).vote(Measure.MUTE, 0, 1, 2)
    assert (story.table.muted, story.table.votes) == (frozenset({key(0)}), {})
    story.vote(Measure.UNMUTE, 0, 0)
    assert story.table.muted == {key(0)}
    assert story.vote(Measure.UNMUTE, 0, 2).table.muted == frozenset()


def test_what_the_host_decides_forgets_the_votes_for_it() -> None:
    story = Story(3).vote(Measure.MUTE, 0, 1).decide(Measure.MUTE, 0)
    assert (story.table.muted, story.table.votes) == (frozenset({key(0)}), {})


def test_the_votes_of_who_leaves_are_gone() -> None:
    story = Story(5).vote(Measure.MUTE, 0, 1, 2).tell(1, Leave())
    assert story.table.votes == {(Measure.MUTE, key(0)): {key(2)}}
    assert story.tell(2, Leave()).table.votes == {}


def test_of_two_measures_that_are_carried_at_once_the_lower_key_goes_first() -> None:
    lower, higher = sorted((0, 1), key=key)
    story = Story(5).vote(Measure.REMOVE, lower, higher, 2).vote(Measure.REMOVE, higher, lower, 2)
    story.tell(3, Leave()).tell(4, Leave())
    assert key(lower) not in seated(story.table) and key(higher) in seated(story.table)


def test_of_two_measures_that_are_carried_at_once_a_removal_goes_before_a_ban() -> None:
    story = Story(5).vote(Measure.BAR, 1, 0, 2).vote(Measure.REMOVE, 0, 1, 2)
    story.tell(3, Leave()).tell(4, Leave())
    assert story.table.barred == frozenset() and seated(story.table) == [key(1), key(2)]


def test_votes_about_who_leaves_are_gone_but_those_to_refuse_it() -> None:
    story = Story(5).vote(Measure.MUTE, 0, 1).vote(Measure.BAR, 0, 1).vote(Measure.REMOVE, 0, 1)
    assert story.tell(0, Leave()).table.votes == {(Measure.BAR, key(0)): {key(1)}}


def test_a_seat_that_goes_may_leave_a_majority_behind() -> None:
    story = Story(4).vote(Measure.MUTE, 0, 1, 2).tell(3, Leave())
    assert (story.table.muted, story.table.votes) == (frozenset({key(0)}), {})


def test_one_removal_may_carry_the_next() -> None:
    story = Story(6).vote(Measure.REMOVE, 0, 2, 3, 4).vote(Measure.MUTE, 1, 2, 3, 4)
    story.decide(Measure.REMOVE, 5)
    assert seated(story.table) == [key(who) for who in (1, 2, 3, 4)]
    assert (story.table.muted, story.table.votes) == (frozenset({key(1)}), {})


def test_who_sat_here_once_can_be_refused_by_the_players() -> None:
    story = Story(3).tell(0, Leave()).vote(Measure.BAR, 0, 1, 2)
    assert story.table.barred == {key(0)}


def test_the_host_refuses_a_key_that_never_sat() -> None:
    assert Story(2).decide(Measure.BAR, 7).table.barred == {key(7)}


@pytest.mark.parametrize("measure", [Measure.BAR, Measure.REMOVE])
def test_nobody_votes_the_host_out(measure: Measure) -> None:
    story = Story(2).sit(HOST)
    with refused(Reason.HOST_STAYS):
        check_statement(story.table, key(0), vote(measure, HOST))


@pytest.mark.parametrize("measure", Measure)
def test_the_host_decides_nothing_about_itself(measure: Measure) -> None:
    with refused(Reason.OWN_SEAT):
        check_statement(Story(2).sit(HOST).table, None, decision(measure, HOST))


def test_the_players_may_mute_the_host() -> None:
    assert Story(2).sit(HOST).vote(Measure.MUTE, HOST, 0, 1).table.muted == {key(HOST)}


@pytest.mark.parametrize("measure", [Measure.MUTE, Measure.BAR])
def test_a_measure_in_force_is_not_carried_again(measure: Measure) -> None:
    story = Story(3).decide(measure, 0).table
    expected = Reason.NO_CHANGE
    with refused(expected):
        check_statement(story, None, decision(measure, 0))
    with refused(expected):
        check_statement(story, key(1), vote(measure, 0))


@pytest.mark.parametrize("measure", [Measure.UNMUTE, Measure.PARDON])
def test_what_is_not_in_force_is_not_lifted(measure: Measure) -> None:
    with refused(Reason.NO_CHANGE):
        check_statement(Story(3).table, key(1), vote(measure, 0))


@pytest.mark.parametrize("measure", [Measure.MUTE, Measure.REMOVE])
def test_who_has_no_seat_is_neither_muted_nor_removed(measure: Measure) -> None:
    with refused(Reason.NO_SEAT):
        check_statement(Story(3).tell(0, Leave()).table, None, decision(measure, 0))


# Removal, phase by phase


def reached(phase: Phase, rules: str, opener: int) -> Story:
    """A game of three that is somewhere in its first round, or before it."""
    story = Story(3, rules, opener=opener)
    if phase is Phase.GATHERING:
        return story
    story.start(0, 1, 2)
    if phase is Phase.LOT:
        return story.toss(1)
    story.toss(0, 1, 2)
    if phase is Phase.CHOOSING:
        return story
    story.fists(1, 1, 1).say(Bid(4))
    if phase is Phase.SPEAKING:
        return story
    story.say(*([Bid(5), Bid(6)] if story.table.has_slate else [Ending.CALL]))
    return story if phase is Phase.WITNESSING else story.open(0)


MIDDLE = [Phase.SPEAKING, Phase.WITNESSING, Phase.OPENING]
EVERYWHERE = [(phase, rules, who) for phase in Phase for rules in GAMES for who in range(3)]


@pytest.mark.parametrize(("phase", "rules", "gone"), EVERYWHERE)
@pytest.mark.parametrize("opener", range(3))
def test_a_game_is_played_to_its_end_without_who_is_removed(
    phase: Phase, rules: str, gone: int, opener: int
) -> None:
    story = reached(phase, rules, opener).decide(Measure.REMOVE, gone)
    assert (key(gone) in story.table.leaving) == (phase in MIDDLE)
    assert (story.table.seat(key(gone)) is None) == (phase not in MIDDLE)
    if story.table.phase is Phase.GATHERING:
        story.start(*({0, 1, 2} - {gone}))
    story.play_on(opener)
    assert key(gone) not in seated(story.table)
    assert story.table.leaving == ()
    assert story.game.winner is not None


def test_who_is_removed_in_the_middle_of_a_round_plays_it_to_its_end() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).decide(Measure.REMOVE, 2)
    assert story.game.coins == (3, 3, 3)
    story.say(Ending.CALL).open()
    assert (story.game.coins, story.game.removed) == ((2, 3, 0), {2: 1})


def test_the_first_fist_is_the_middle_of_a_round() -> None:
    story = reached(Phase.CHOOSING, "milan", 0).fists_of({1: 1}).decide(Measure.REMOVE, 2)
    assert story.table.leaving == (key(2),)
    with refused(Reason.NO_CHANGE):
        check_statement(story.table, None, decision(Measure.REMOVE, 2))


@pytest.mark.parametrize("phase", [Phase.CHOOSING, *MIDDLE])
@pytest.mark.parametrize("rules", GAMES)
@pytest.mark.parametrize("measure", [Measure.REMOVE, Measure.BAR])
def test_a_seat_that_the_table_has_waited_for_goes_at_once_and_the_round_is_void_g5(
    phase: Phase, rules: str, measure: Measure
) -> None:
    story = reached(phase, rules, 0)
    if phase is Phase.CHOOSING:
        story.fists_of({0: 2})
    gone, number = story.awaited[-1], story.game.round_number
    story.wait().decide(measure, gone)
    assert (story.table.phase, story.game.past) == (Phase.CHOOSING, ())
    assert story.game.coins == tuple(0 if who == gone else 3 for who in range(3))
    assert story.game.round and story.game.round.starter == (gone + 1) % 3
    assert story.game.round_number == number + 1
    assert story.awaited == tuple({0, 1, 2} - {gone})
    assert story.table.slate.fines == () and story.game.first_out is None


def test_a_majority_removes_who_never_speaks() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).wait().vote(Measure.REMOVE, 1, 0, 2)
    assert story.game.removed == {1: 0} and story.awaited == (0, 2)


def test_who_is_leaving_and_moves_no_more_is_removed_again() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).decide(Measure.REMOVE, 2).say(Bid(5)).away(2)
    with refused(Reason.NO_CHANGE):
        check_statement(story.table, None, decision(Measure.REMOVE, 2), story.table.time)
    assert story.wait().decide(Measure.REMOVE, 2).game.removed == {2: 0}


def test_nobody_is_removed_from_a_round_in_a_pause() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).pause().wait().decide(Measure.REMOVE, 1)
    assert story.table.leaving == (key(1),)


def test_the_next_in_the_direction_of_a_void_round_opens_another_one() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists(0, 0, 0)
    story.tell(0, Speak(Bid(1), Direction.COUNTER_CLOCKWISE)).wait().decide(Measure.REMOVE, 2)
    assert story.game.round is not None and story.game.round.starter == 1


def test_a_hand_of_a_void_round_is_chosen_anew() -> None:
    story = reached(Phase.OPENING, "milan", 0).wait().decide(Measure.REMOVE, 1)
    assert story.fists(2, 0).say(Bid(2), Ending.CALL).open().game.past[0].hands == {0: 2, 2: 0}


def test_a_record_holds_though_a_seat_was_taken_away_from_a_round() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).say(Ending.CALL).open()
    story.fists(1, 1, 1).wait().decide(Measure.REMOVE, story.speaker).play_on(7)
    records = game_records(story.game, event="", date="2026-11-21")
    assert [check(record).faults for record in records] == [(), ()]


def test_who_is_to_leave_is_refused_on_top_and_still_plays_the_round() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).decide(Measure.REMOVE, 1).decide(Measure.BAR, 1)
    assert (story.table.leaving, story.table.barred) == ((key(1),), frozenset({key(1)}))
    assert story.table.refused == frozenset()
    story.say(Ending.CALL).open()
    assert story.table.refused == {key(1)}
    assert (story.table.leaving, seated(story.table)) == ((), [key(0), key(2)])


def test_a_seat_that_only_waits_is_taken_away_between_rounds_too() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).sit(3).decide(Measure.REMOVE, 3)
    assert story.table.leaving == (key(3),)
    story.say(Ending.CALL).open()
    assert story.table.seat(key(3)) is None and story.game.removed == {}


def test_who_is_out_and_to_leave_may_leave_at_once() -> None:
    story = reached(Phase.SPEAKING, "milan", 0).sit(3).decide(Measure.REMOVE, 3).tell(3, Leave())
    assert story.table.leaving == ()


def test_without_a_share_of_its_lot_a_game_is_called_off() -> None:
    story = reached(Phase.LOT, "milan", 0).decide(Measure.REMOVE, 2)
    table = story.table
    assert (table.phase, table.turn, table.era) == (Phase.GATHERING, *[table.head.length] * 2)
    assert (story.game.number, story.game.winner, table.ready_seats) == (1, None, ())
    assert story.start(0, 1).game.number == 2


def test_a_lot_goes_on_without_a_seat_that_does_not_play() -> None:
    story = reached(Phase.LOT, "milan", 0).sit(3).decide(Measure.REMOVE, 3)
    assert (story.table.phase, story.table.seat(key(3))) == (Phase.LOT, None)


def test_a_host_lets_who_is_barred_play_the_round_to_its_end() -> None:
    story = reached(Phase.OPENING, "milan", 0).open(1)
    desk = Desk(story)
    link = desk.join(2)
    desk.carry_out(desk.host.decide(Measure.BAR, key(2), desk.now()))
    assert desk.closed == {}
    hand = story.hands[2]
    last = Intent.sign(signing_key(2), 99, desk.host.log.head, Open(hand.coins, hand.nonce))
    desk.propose(link, last)
    assert desk.closed == {link: Farewell.BARRED}
    assert desk.host.table.phase is Phase.CHOOSING


def test_a_guest_votes() -> None:
    pair = Pair(Story(3))
    pair.act(pair.guest.state(Vote(Measure.MUTE, key(1), yes=True)))
    assert pair.logged[-1] == vote(Measure.MUTE, 1)
    pair.act(pair.guest.state(Vote(Measure.MUTE, key(1), yes=False)))
    assert pair.desk.host.table.votes == {}


# Who opens next


@pytest.mark.parametrize(("gone", "opens"), [(0, 1), (1, 0), (2, 0)])
def test_the_next_player_clockwise_opens_round_1_for_who_is_removed(gone: int, opens: int) -> None:
    story = reached(Phase.CHOOSING, "milan", 0).decide(Measure.REMOVE, gone)
    assert story.game.round is not None and story.game.round.starter == opens


def test_the_next_player_in_the_direction_of_the_round_opens_for_who_is_removed_r14() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists(0, 0, 0)
    story.tell(0, Speak(Bid(9), Direction.COUNTER_CLOCKWISE)).say(Ending.CALL).open()
    assert story.game.round is not None and story.game.round.starter == 0
    story.decide(Measure.REMOVE, 0)
    assert story.game.round is not None and story.game.round.starter == 2


def test_another_seat_changes_nobodys_opening() -> None:
    story = reached(Phase.CHOOSING, "hollywood", 1).decide(Measure.REMOVE, 0)
    assert story.game.round is not None and story.game.round.starter == 1


def test_crap_who_is_removed_before_opening_leaves_it_to_the_next_r15() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    for _ in range(3):
        story.fists(0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    story.play_on().start(1, 2, 0)
    crap = story.game.crap
    assert crap is not None and story.table.phase is Phase.CHOOSING
    story.decide(Measure.REMOVE, story.who(crap))
    assert story.game.crap is None
    assert story.game.round is not None and story.game.round.starter == (crap + 1) % 3


# What changes with it


def test_a_removal_begins_a_new_turn() -> None:
    story = reached(Phase.CHOOSING, "milan", 0)
    fist = story.intent(1, Fist(story.hand(1, 2).seal))
    story.decide(Measure.REMOVE, 2)
    with refused(Reason.STALE):
        check_intent(story.table, fist)


def test_the_coins_of_who_is_removed_cannot_be_bid_any_more_g5() -> None:
    story = reached(Phase.CHOOSING, "milan", 0).decide(Measure.REMOVE, 2)
    assert story.game.round is not None and story.game.round.most == 6
    assert story.game.fists_missing == (0, 1)


def test_who_was_removed_does_not_play_even_after_sitting_down_again() -> None:
    story = reached(Phase.CHOOSING, "hollywood", 0).decide(Measure.REMOVE, 2).sit(2)
    with refused(Reason.NOT_PLAYING):
        check_statement(story.table, key(2), Fist(bytes(32)))
    assert story.table.playing(key(2)) is None


@pytest.mark.parametrize("rules", GAMES)
def test_who_is_left_alone_has_won_or_pays(rules: str) -> None:
    story = reached(Phase.CHOOSING, rules, 0).decide(Measure.REMOVE, 0).decide(Measure.REMOVE, 2)
    assert (story.table.phase, story.game.winner, story.game.past) == (Phase.GATHERING, 1, ())
    assert story.table.era == story.table.turn == story.table.head.length
    assert story.table.slate.paid == ((key(1),) if story.table.has_slate else ())
    assert story.sit(0).start(1, 0).game.number == 2


def test_of_two_who_leave_after_one_round_the_second_has_won() -> None:
    story = reached(Phase.SPEAKING, "milan", 0)
    for gone in (0, 2, 1):
        story.decide(Measure.REMOVE, gone)
    story.say(Ending.CALL).open()
    assert (story.table.seats, story.game.winner) == ((), 1)


def test_a_game_that_ends_with_the_round_keeps_its_winner() -> None:
    story = Story(2).start(0, 1).toss(0, 1)
    for _ in range(2):
        story.fists(0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    story.fists(0, 0).say(Bid(4)).decide(Measure.REMOVE, 1).say(Ending.CALL).open()
    assert (story.game.winner, story.game.removed, seated(story.table)) == (1, {}, [key(0)])


def test_who_is_removed_from_the_school_did_not_guess_it() -> None:
    story = reached(Phase.CHOOSING, "hollywood", 0).decide(Measure.REMOVE, 0)
    assert story.game.first_out is None
    assert story.table.slate.fines == ()


def test_who_pays_and_is_removed_is_not_fined_for_leaving() -> None:
    story = reached(Phase.CHOOSING, "hollywood", 0).decide(Measure.REMOVE, 0)
    story.decide(Measure.REMOVE, 2).decide(Measure.REMOVE, 1)
    offences = [fine.offence for fine in story.table.slate.fines]
    assert Offence.LEFT_AFTER_LOSS not in offences


def test_a_seat_that_was_ready_is_ready_no_more() -> None:
    story = Story(3).ready(0, 1).decide(Measure.REMOVE, 0).sit(0)
    assert [seat.key for seat in story.table.ready_seats] == [key(1)]
    check_statement(story.table, key(0), Ready(bytes(32)))


# Laws


@few
@given(
    rules=st.sampled_from(GAMES[:2]),
    players=st.integers(2, 6),
    seed=st.integers(0, 10**6),
    removals=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5)), max_size=3),
)
def test_coins_are_conserved_except_by_what_a_round_or_a_removal_takes(
    rules: str, players: int, seed: int, removals: list[tuple[int, int]]
) -> None:
    story = Story(players, rules).start(*range(players)).toss(*range(players))
    for steps, gone in removals:
        story.play_on(seed, steps=steps)
        if story.table.seat(key(gone)) and key(gone) not in story.table.leaving:
            story.decide(Measure.REMOVE, gone)
    story.play_on(seed)
    game = story.game
    before = (3,) * players
    for number, played in enumerate(game.past):
        kept = [0 if game.removed.get(seat, 99) <= number else c for seat, c in enumerate(before)]
        assert played.words.coins == tuple(kept)
        after = played.outcome.coins
        if rules == "milan":
            changes = played.outcome.changes
            assert after == tuple(c + changes.get(seat, 0) for seat, c in enumerate(kept))
        before = after
    assert sum(1 for coins in game.coins if coins) == 1
    assert game.winner is not None and game.coins[game.winner]


# The ban of the Wobble (S5)

BAN = Vote(Measure.BAN_WOBBLE, NO_ONE, yes=True)


@pytest.mark.parametrize("rules", ["milan", "bid-spoof", "three-coins", "hollywood"])
def test_a_ban_of_the_wobble_is_always_vetoed_whoever_is_for_it_s5(rules: str) -> None:
    story = Story(3, rules)
    for who in range(3):
        story.tell(who, BAN)
        assert story.table.vetoed == (key(who), story.table.head.length)
    assert not story.table.votes
    story.tell(0, Gesticulate(Gesture.WOBBLE), BAN)


def test_a_ban_of_the_wobble_is_proposed_in_every_phase_and_changes_nothing_else() -> None:
    story = Story(2).start(0, 1)
    while story.table.phase is not Phase.GATHERING:
        before = story.table
        table = story.copy().tell(1, BAN).table
        assert (table.game, table.phase, table.turn) == (before.game, before.phase, before.turn)
        story.play_on(0, steps=1)


def test_not_even_the_host_bans_the_wobble() -> None:
    with refused(Reason.VOTE_ONLY):
        check_statement(Story(2).table, None, Decide(Measure.BAN_WOBBLE, NO_ONE))


def test_there_is_no_vote_on_the_wobble_to_take_back_and_it_is_nobodys() -> None:
    story = Story(2).tell(0, BAN)
    with refused(Reason.REPEATED):
        check_statement(story.table, key(0), Vote(Measure.BAN_WOBBLE, NO_ONE, yes=False))
    with refused(Reason.NO_SEAT):
        check_statement(story.table, key(0), vote(Measure.BAN_WOBBLE, 1))
