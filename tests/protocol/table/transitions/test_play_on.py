"""Playing on without somebody: when a vote may, and what becomes of the round (G3, G4)."""

import functools
import random
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Reason
from protocol.notation import check, game_records
from protocol.notation.faults import Fault
from protocol.rules.game import Game
from protocol.rules.words import Bid, Direction, Ending, Offence
from protocol.table.announcements import Decide, TimeUp
from protocol.table.fold import check_intent, check_statement
from protocol.table.state import Phase
from protocol.table.statements import (
    NO_ONE,
    Fist,
    Leave,
    Measure,
    Open,
    Ready,
    Say,
    Seen,
    Speak,
    Vote,
    Witness,
)
from protocol.table.verify import verify
from protocol.viewer import view_of
from tests.helpers.offenders import offenders
from tests.protocol.stories import GRACE, Story, decision, few, refused, signing_key, vote

OTHER, GONE, THIRD, LATE, STRANGER = 0, 1, 2, 3, 9
"""Three play; it is `GONE` about whom the others vote. One more sits, and one does not."""

CLOCK = 30


def key(who: int) -> bytes:
    return signing_key(who).public


def time_up(who: int) -> TimeUp:
    return TimeUp(key(who))


def last_round(story: Story) -> Mapping[int, int]:
    return story.game.past[-1].hands


# Stages: each waits for GONE, and first for nobody else who has to speak


def lot(clock: int) -> Story:
    return Story(3, clock=clock).start(OTHER, GONE, THIRD).sit(LATE).toss(OTHER)


def choosing(clock: int, opener: int = OTHER) -> Story:
    story = Story(3, opener=opener, clock=clock).start(OTHER, GONE, THIRD).sit(LATE)
    return story.toss(OTHER, GONE, THIRD).fists_of({OTHER: 2})


def first_word(clock: int) -> Story:
    return choosing(clock, opener=GONE).fists_of({GONE: 1, THIRD: 0})


def later_word(clock: int) -> Story:
    return choosing(clock).fists_of({GONE: 1, THIRD: 0}).say(Bid(4))


def witnessing(clock: int) -> Story:
    return choosing(clock).fists_of({GONE: 1, THIRD: 0}).say(Ending.SPOOF)


def opening(clock: int) -> Story:
    return witnessing(clock).open(OTHER)


STAGES: Mapping[str, Callable[[int], Story]] = {
    "lot": lot,
    "choosing": choosing,
    "first-word": first_word,
    "later-word": later_word,
    "witnessing": witnessing,
    "opening": opening,
}


@functools.cache
def at(stage: str, clock: int = 0) -> Story:
    """The story up to a stage: to be copied before it goes on."""
    return STAGES[stage](clock)


# The grid


def voted(story: Story, who: int = OTHER, about: int = GONE) -> None:
    story.tell(who, vote(Measure.PLAY_ON, about))


FOR_IT, NOT_FOR_IT = (vote(Measure.PLAY_ON, GONE, yes) for yes in (True, False))

ACTS: Mapping[str, Callable[[Story], object]] = {
    "away-in-time": lambda s: voted(s.away(GONE).wait()),
    "away-too-early": lambda s: voted(s.away(GONE).wait(GRACE - 0.001)),
    "away-late-in-the-wait": lambda s: voted(s.wait().away(GONE).wait(1)),
    "present": lambda s: voted(s.wait()),
    "present-too-early": lambda s: voted(s.wait(GRACE - 1)),
    "returned": lambda s: voted(s.away(GONE).wait().back(GONE)),
    "gone-again": lambda s: voted(s.away(GONE).wait().back(GONE).away(GONE)),
    "second-vote": lambda s: voted(s.away(GONE).wait().tell(OTHER, FOR_IT)),
    "vote-taken-back": lambda s: s.away(GONE).wait().tell(OTHER, FOR_IT, NOT_FOR_IT),
    "paused": lambda s: voted(s.away(GONE).wait().pause()),
    "right-after-the-pause": lambda s: voted(s.away(GONE).wait().pause().go_on()),
    "long-after-the-pause": lambda s: voted(s.away(GONE).pause().go_on().wait()),
    "two-away": lambda s: voted(s.away(GONE, THIRD).wait()),
    "all-away-but-one": lambda s: voted(s.away(GONE, THIRD, LATE).wait()),
    "by-the-seat-itself": lambda s: voted(s.away(GONE).wait(), GONE),
    "by-a-watching-seat": lambda s: voted(s.away(GONE).wait(), LATE),
    "by-a-stranger": lambda s: voted(s.away(GONE).wait(), STRANGER),
    "by-the-host-alone": lambda s: s.away(GONE).wait().tell(None, decision(Measure.PLAY_ON, GONE)),
    "about-a-watching-seat": lambda s: voted(s.away(LATE).wait(), OTHER, LATE),
    "about-nobody": lambda s: s.wait().tell(OTHER, Vote(Measure.PLAY_ON, NO_ONE, True)),
    "time-up-without-a-clock": lambda s: s.wait(600).tell(None, time_up(GONE)),
}

GRID = """
                          lot            choosing       first-word     later-word     witnessing     opening
away-in-time              legal          legal          legal          legal          legal          legal
away-too-early            too-soon       too-soon       too-soon       too-soon       too-soon       too-soon
away-late-in-the-wait     too-soon       too-soon       too-soon       too-soon       too-soon       too-soon
present                   legal          not-away       not-away       not-away       legal          legal
present-too-early         too-soon       not-away       not-away       not-away       too-soon       too-soon
returned                  legal          not-away       not-away       not-away       legal          legal
gone-again                too-soon       too-soon       too-soon       too-soon       too-soon       too-soon
second-vote               repeated       repeated       repeated       repeated       repeated       repeated
vote-taken-back           legal          legal          legal          legal          legal          legal
paused                    paused         paused         paused         paused         paused         paused
right-after-the-pause     too-soon       too-soon       too-soon       too-soon       too-soon       too-soon
long-after-the-pause      legal          legal          legal          legal          legal          legal
two-away                  legal          legal          legal          legal          legal          legal
all-away-but-one          legal          legal          legal          legal          legal          legal
by-the-seat-itself        others-decide  others-decide  others-decide  others-decide  others-decide  others-decide
by-a-watching-seat        legal          legal          legal          legal          legal          legal
by-a-stranger             no-seat        no-seat        no-seat        no-seat        no-seat        no-seat
by-the-host-alone         vote-only      vote-only      vote-only      vote-only      vote-only      vote-only
about-a-watching-seat     not-awaited    not-awaited    not-awaited    not-awaited    not-awaited    not-awaited
about-nobody              not-awaited    not-awaited    not-awaited    not-awaited    not-awaited    not-awaited
time-up-without-a-clock   no-clock       no-clock       no-clock       no-clock       no-clock       no-clock
"""  # noqa: E501

CLOCK_ACTS: Mapping[str, Callable[[Story], object]] = {
    "in-time": lambda s: s.wait(CLOCK).tell(None, time_up(GONE)),
    "too-early": lambda s: s.wait(CLOCK - 1).tell(None, time_up(GONE)),
    "away-in-time": lambda s: s.away(GONE).wait(CLOCK).tell(None, time_up(GONE)),
    "away-late-in-the-turn": lambda s: s.wait(CLOCK).away(GONE).tell(None, time_up(GONE)),
    "paused": lambda s: s.wait(CLOCK).pause().tell(None, time_up(GONE)),
    "right-after-the-pause": lambda s: s.wait(CLOCK).pause().go_on().tell(None, time_up(GONE)),
    "about-somebody-else": lambda s: s.wait(CLOCK).tell(None, time_up(OTHER)),
    "twice": lambda s: s.wait(CLOCK).tell(None, time_up(GONE), time_up(GONE)),
}

CLOCK_GRID = """
                          lot            choosing       first-word     later-word     witnessing     opening
in-time                   no-clock       legal          legal          legal          no-clock       no-clock
too-early                 no-clock       too-soon       too-soon       too-soon       no-clock       no-clock
away-in-time              no-clock       legal          legal          legal          no-clock       no-clock
away-late-in-the-turn     no-clock       too-soon       too-soon       too-soon       no-clock       no-clock
paused                    paused         paused         paused         paused         paused         paused
right-after-the-pause     no-clock       too-soon       too-soon       too-soon       no-clock       no-clock
about-somebody-else       no-clock       not-awaited    not-awaited    not-awaited    no-clock       no-clock
twice                     no-clock       not-awaited    not-awaited    no-clock       no-clock       no-clock
"""  # noqa: E501


def cells(grid: str) -> list[tuple[str, str, str]]:
    """Act, stage and verdict of every cell."""
    header, *rows = grid.strip().splitlines()
    return [
        (act, stage, verdict)
        for act, *verdicts in map(str.split, rows)
        for stage, verdict in zip(header.split(), verdicts, strict=True)
    ]


def tried(act: Callable[[Story], object], story: Story, verdict: str) -> None:
    """The act folds, or its last entry is refused for this reason and changes nothing."""
    if verdict == "legal":
        act(story)
        return
    with pytest.raises(BrokenLog) as error:
        act(story)
    reason = next(reason for reason in Reason if reason.code == verdict)
    assert error.value.why.startswith(reason.template)


def test_the_grid_of_votes() -> None:
    def voted(act: str, stage: str, verdict: str) -> None:
        tried(ACTS[act], at(stage).copy(), verdict)

    assert offenders(voted, cells(GRID)) == []


def test_the_grid_of_the_turn_clock() -> None:
    def timed(act: str, stage: str, verdict: str) -> None:
        tried(CLOCK_ACTS[act], at(stage, CLOCK).copy(), verdict)

    assert offenders(timed, cells(CLOCK_GRID)) == []


@pytest.mark.parametrize("stage", STAGES)
def test_without_a_time_nothing_is_too_soon(stage: str) -> None:
    story = at(stage, CLOCK).copy().away(GONE)
    check_statement(story.table, key(OTHER), vote(Measure.PLAY_ON, GONE))
    now = story.table.time
    with refused(Reason.TOO_SOON):
        check_statement(story.table, key(OTHER), vote(Measure.PLAY_ON, GONE), now)
    check_statement(story.table, key(OTHER), vote(Measure.PLAY_ON, GONE), now + GRACE * 1000)


def test_a_host_whose_clock_is_behind_its_own_log_counts_from_the_log() -> None:
    story = at("choosing").copy().away(GONE)
    with refused(Reason.TOO_SOON):
        check_statement(story.table, key(OTHER), vote(Measure.PLAY_ON, GONE), 0)


# What a pause forbids, and what it does not


@pytest.mark.parametrize(
    ("stage", "statement"), [("choosing", Fist(bytes(32))), ("later-word", Speak(Bid(5)))]
)
def test_nobody_plays_while_the_game_is_paused(stage: str, statement: Fist | Speak) -> None:
    story = at(stage).copy().pause()
    with refused(Reason.PAUSED):
        check_statement(story.table, key(GONE), statement)
    check_statement(story.go_on().table, key(GONE), statement)


def test_no_game_begins_in_a_pause() -> None:
    story = Story(3).ready(OTHER, GONE).pause()
    with refused(Reason.PAUSED):
        check_statement(story.table, None, story.starting())
    with refused(Reason.PAUSED):
        check_statement(story.table, key(THIRD), Ready(bytes(32)))


def test_what_nobody_has_to_choose_goes_on_in_a_pause() -> None:
    story = lot(0).pause().toss(GONE, THIRD).go_on().fists(1, 1, 1).say(Ending.SPOOF)
    story.pause().witness(GONE, THIRD).open(OTHER, GONE, THIRD)
    assert story.table.phase is Phase.CHOOSING and story.table.paused


def test_most_of_all_seats_pause_and_go_on() -> None:
    story = Story(3)
    for measure, paused in ((Measure.PAUSE, True), (Measure.GO_ON, False)):
        story.tell(0, Vote(measure, NO_ONE, True))
        assert story.table.paused != paused
        story.tell(1, Vote(measure, NO_ONE, True))
        assert (story.table.paused, story.table.votes) == (paused, {})


@pytest.mark.parametrize("measure", [Measure.PAUSE, Measure.GO_ON])
def test_a_pause_concerns_nobody_and_changes_something(measure: Measure) -> None:
    story = Story(3) if measure is Measure.PAUSE else Story(3).pause()
    with refused(Reason.NO_SEAT):
        check_statement(story.table, key(0), vote(measure, 1))
    check_statement(story.table, key(0), Vote(measure, NO_ONE, True))
    story.tell(None, Decide(measure, NO_ONE))
    with refused(Reason.NO_CHANGE):
        check_statement(story.table, key(0), Vote(measure, NO_ONE, True))


def test_a_pause_forgets_the_votes_to_play_on() -> None:
    story = at("choosing").copy().away(GONE).wait().vote(Measure.PLAY_ON, GONE, OTHER).pause()
    assert story.table.votes == {}
    assert story.go_on().table.waiting_since[key(GONE)] == story.table.time


# Who carries it


@functools.cache
def _four() -> Story:
    story = Story(4, opener=GONE).start(OTHER, GONE, THIRD, LATE).toss(OTHER, GONE, THIRD, LATE)
    return story.fists(1, 0, 2, 1)


def four() -> Story:
    """A round of four that waits for the first word of GONE."""
    return _four().copy()


@pytest.mark.parametrize(
    ("away", "voters"), [((GONE,), 2), ((GONE, LATE), 2), ((GONE, THIRD, LATE), 1)]
)
def test_more_than_half_of_those_who_are_there_carry_it(away: tuple[int, ...], voters: int) -> None:
    story = four().away(*away).wait()
    there = [who for who in (OTHER, THIRD, LATE) if who not in away]
    for who in there[:voters]:
        assert story.awaited == (GONE,)
        story.vote(Measure.PLAY_ON, GONE, who)
    assert story.awaited == (THIRD,)


def test_who_is_late_to_sit_down_has_no_weight_before_the_next_game_g7() -> None:
    story = at("first-word").copy().away(GONE).wait().vote(Measure.PLAY_ON, GONE, LATE, THIRD)
    assert story.awaited == (GONE,)
    assert story.vote(Measure.PLAY_ON, GONE, OTHER).awaited == (THIRD,)


def test_of_two_players_the_one_who_is_left_decides() -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists_of({0: 2}).away(1).wait()
    story.vote(Measure.PLAY_ON, 1, 0).say(Bid(2))
    assert story.table.phase is Phase.WITNESSING and story.awaited == (0,)
    assert story.witness(0).awaited == (0,)
    assert story.open(0).game.coins == (3, 2)


def test_nobody_decides_when_nobody_is_there() -> None:
    story = four().away(OTHER, GONE, THIRD, LATE).wait()
    story.vote(Measure.PLAY_ON, GONE, OTHER, THIRD, LATE)
    assert story.awaited == (GONE,)
    assert story.back(OTHER).back(THIRD).awaited == (GONE,)


def test_a_vote_of_who_goes_away_does_not_count_until_it_is_back() -> None:
    story = four().away(GONE).wait().vote(Measure.PLAY_ON, GONE, OTHER)
    story.away(OTHER).vote(Measure.PLAY_ON, GONE, THIRD)
    assert story.awaited == (GONE,)
    assert story.vote(Measure.PLAY_ON, GONE, LATE).awaited == (THIRD,)


def test_who_goes_away_may_leave_a_majority_behind() -> None:
    story = four().away(GONE).wait().vote(Measure.PLAY_ON, GONE, OTHER)
    assert story.away(THIRD).awaited == (GONE,)
    assert story.away(LATE).awaited == (THIRD,)


def test_who_leaves_may_leave_a_majority_behind() -> None:
    story = Story(4, opener=LATE).start(OTHER, GONE, THIRD, LATE).toss(OTHER, GONE, THIRD, LATE)
    for _ in range(3):
        story.fists(0, 0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    story.fists(0, 0, 0).say(Bid(1)).away(GONE, THIRD).wait().vote(Measure.PLAY_ON, GONE, OTHER)
    assert story.awaited == (GONE,)
    assert story.tell(LATE, Leave()).awaited == (OTHER, THIRD)


def test_votes_about_who_comes_back_are_gone() -> None:
    story = at("opening").copy().away(GONE).wait().vote(Measure.PLAY_ON, GONE, OTHER).back(GONE)
    assert story.table.votes == {}


def test_votes_about_who_goes_away_are_gone() -> None:
    story = at("opening").copy().wait().vote(Measure.PLAY_ON, GONE, OTHER).away(GONE)
    assert story.table.votes == {}


@pytest.mark.parametrize(
    ("stage", "move"),
    [
        ("lot", lambda s: s.toss(GONE)),
        ("witnessing", lambda s: s.witness(GONE)),
        ("opening", lambda s: s.open(GONE)),
    ],
)
def test_votes_about_who_moves_are_gone_and_the_others_stay(
    stage: str, move: Callable[[Story], Story]
) -> None:
    story = at(stage).copy().wait()
    story.vote(Measure.PLAY_ON, GONE, OTHER).vote(Measure.PLAY_ON, THIRD, OTHER)
    assert set(move(story).table.votes) == {(Measure.PLAY_ON, key(THIRD))}


def test_a_vote_about_an_older_turn_is_stale() -> None:
    story = four().away(GONE).wait()
    late = story.intent(OTHER, vote(Measure.PLAY_ON, GONE))
    check_intent(story.table, late)
    story.vote(Measure.PLAY_ON, GONE, THIRD, LATE)
    with refused(Reason.STALE):
        check_intent(story.table, late)


def test_how_long_a_seat_is_awaited_begins_with_each_turn() -> None:
    story = at("first-word").copy().wait(10).say(Bid(1))
    assert story.table.waiting_since == {key(THIRD): story.table.time}
    story.wait(10).tell(LATE, Leave())
    assert story.table.waiting_since == {key(THIRD): story.table.time - 10_000}


def test_those_who_are_awaited_together_are_awaited_each_since_its_own_time() -> None:
    story = at("choosing").copy()
    begun = story.table.waiting_since[key(THIRD)]
    story.wait(10).away(GONE)
    assert story.table.waiting_since == {key(GONE): story.table.time, key(THIRD): begun}


def test_nobody_is_awaited_between_games() -> None:
    table = Story(3).ready(0, 1).table
    assert (table.waiting_for, table.waiting_since) == ((), {})


# What becomes of the round


def state_of(story: Story) -> tuple[object, ...]:
    """What changes as soon as anybody moves, or is played on without."""
    return story.table.turn, story.table.waiting_for


def carried(story: Story, about: int = GONE) -> Story:
    """The others vote to play on without somebody who is away."""
    story.away(about).wait()
    turn = state_of(story)
    while state_of(story) == turn:
        voted = story.table.votes.get((Measure.PLAY_ON, key(about)), frozenset())
        there = [seat.key for seat in story.table.seats if not seat.away]
        voter = next(who for who in range(9) if key(who) in there and key(who) not in voted)
        story.vote(Measure.PLAY_ON, about, voter)
    return story


def test_a_lot_that_nobody_completes_is_called_off() -> None:
    story = carried(at("lot").copy())
    assert story.table.phase is Phase.GATHERING and story.table.ready_seats == ()
    assert (story.game.winner, story.table.era) == (None, story.table.head.length)
    assert story.back(GONE).start(OTHER, GONE).game.number == 2


def test_a_fist_that_is_not_in_holds_none_openly() -> None:
    story = carried(at("choosing").copy())
    assert story.game.hands == {GONE: 0} and story.awaited == (THIRD,)
    assert story.fists_of({THIRD: 1}).table.phase is Phase.SPEAKING
    story.back(GONE).say(Bid(3)).say(Ending.CALL).open()
    assert last_round(story) == {OTHER: 2, GONE: 0, THIRD: 1}
    assert story.game.coins == (3, 2, 3)


def test_the_last_fist_that_is_not_in_lets_the_starter_speak() -> None:
    story = carried(at("choosing").copy().fists_of({THIRD: 1}))
    assert story.table.phase is Phase.SPEAKING and story.table.turn == story.table.head.length


@pytest.mark.parametrize("statement", [Fist(bytes(32)), Open(0, bytes(32)), Witness()])
def test_who_holds_none_has_no_fist_any_more(statement: Fist | Open | Witness) -> None:
    story = carried(at("choosing").copy()).back(GONE)
    if not isinstance(statement, Fist):
        story.fists_of({THIRD: 1}).say(Ending.SPOOF)
    if isinstance(statement, Open):
        story.witness()
    with refused(Reason.HOLDS_NONE):
        check_statement(story.table, key(GONE), statement)


def test_a_seat_whose_fist_holds_none_is_not_removed_before_the_round_is_over() -> None:
    story = carried(choosing(0))
    assert story.decide(Measure.REMOVE, LATE).decide(Measure.REMOVE, GONE).table.leaving


def test_the_next_round_knows_nothing_of_it() -> None:
    story = carried(at("choosing").copy()).fists_of({THIRD: 1}).back(GONE).say(Ending.SPOOF).open()
    assert story.game.hands == {} and story.awaited == (OTHER, GONE, THIRD)


def test_the_opening_word_of_who_is_away_is_bid_1() -> None:
    story = carried(at("first-word").copy())
    assert story.game.round and story.game.round.words == ((GONE, Bid(1)),)


def test_any_other_word_of_who_is_away_is_a_call() -> None:
    story = carried(at("later-word").copy())
    assert story.game.round and story.game.round.words[-1] == (GONE, Ending.CALL)
    assert story.table.phase is Phase.WITNESSING and story.awaited == (OTHER, THIRD)


@pytest.mark.parametrize("stage", ["witnessing", "opening"])
def test_a_fist_that_does_not_open_costs_a_coin_and_voids_the_round(stage: str) -> None:
    story = carried(at(stage).copy())
    played = story.game.past[-1]
    assert played.outcome.changes == {GONE: -1} and GONE not in played.hands
    assert story.game.coins == (3, 2, 3) and played.outcome.next_starter == THIRD
    assert story.table.phase is Phase.CHOOSING


def test_after_a_void_round_the_next_in_its_direction_starts() -> None:
    story = at("first-word").copy()
    story.tell(GONE, Speak(Bid(1), Direction.COUNTER_CLOCKWISE)).say(Ending.SPOOF)
    assert carried(story).game.past[-1].outcome.next_starter == OTHER


def test_the_ender_too_has_to_open() -> None:
    story = carried(at("witnessing").copy().witness().open(GONE, THIRD), OTHER)
    assert story.game.coins == (2, 3, 3) and story.game.past[-1].outcome.next_starter == GONE


def test_the_last_coin_is_lost_by_a_shut_fist_and_who_is_left_has_won() -> None:
    story = Story(2).start(0, 1).toss(0, 1)
    story.fists(1, 0).say(Bid(1), Ending.CALL).open()
    story.fists(0, 0).say(Bid(1), Ending.CALL).open()
    carried(story.fists(1, 1).say(Bid(1), Ending.SPOOF), 1)
    assert (story.game.coins, story.game.winner, story.game.first_out) == ((3, 0), 0, 1)


def test_where_nobody_has_a_fist_the_ending_word_counts_the_round() -> None:
    story = Story(2, clock=CLOCK).start(0, 1).toss(0, 1).wait(CLOCK)
    story.tell(None, time_up(0), time_up(1))
    for who in (0, 1):
        story.wait(CLOCK).tell(None, time_up(who))
    assert last_round(story) == {0: 0, 1: 0} and story.game.coins == (2, 3)


def test_the_only_fist_opens_without_a_witness_when_its_owner_ends() -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists_of({0: 2})
    carried(story, 1).back(1).say(Ending.SPOOF)
    assert story.table.phase is Phase.OPENING and story.awaited == (0,)


def test_who_is_to_leave_goes_after_a_void_round() -> None:
    story = carried(at("opening").copy().decide(Measure.REMOVE, THIRD))
    assert story.table.seat(key(THIRD)) is None and story.game.coins == (3, 2, 0)


def test_whoever_returns_plays_on_at_once() -> None:
    story = carried(at("first-word").copy()).back(GONE).say(Ending.SPOOF).open()
    assert story.game.coins == (3, 3, 2)


# A seat that is set aside (G3)


def test_the_table_goes_on_at_once_without_who_is_set_aside() -> None:
    story = carried(at("first-word").copy()).say(Bid(2), Ending.CALL)
    assert story.game.past[-1].outcome.changes == {GONE: -1}
    assert (story.game.hands, story.awaited) == ({GONE: 0}, (OTHER, THIRD))
    story.fists(1, 1).say(Bid(1))
    assert story.game.round and story.game.round.words[-1] in ((THIRD, Bid(1)), (GONE, Ending.CALL))


def test_one_grace_is_enough_for_the_rest_of_a_game() -> None:
    story = carried(at("choosing").copy())
    waited = story.table.time
    story.play_on(5)
    assert story.table.phase is Phase.GATHERING and story.game.winner is not None
    assert story.table.time - waited < GRACE * 1000


@pytest.mark.parametrize(
    "returns",
    [
        lambda s: s.back(GONE),
        lambda s: s.tell(GONE, Say(ForeignText("hm"))),
        lambda s: s.vote(Measure.MUTE, THIRD, GONE),
    ],
)
def test_whoever_returns_takes_the_seat_back_at_once(returns: Callable[[Story], Story]) -> None:
    story = carried(at("opening").copy())
    assert story.table.set_aside == {key(GONE)} and key(GONE) not in story.table.electors
    returns(story)
    assert story.table.set_aside == frozenset() and key(GONE) in story.table.electors


def test_what_a_program_confirms_by_itself_is_no_return() -> None:
    story = carried(at("opening").copy()).tell(GONE, Seen())
    assert story.table.set_aside == {key(GONE)}


def test_who_never_went_away_is_set_aside_and_may_come_back() -> None:
    story = at("opening").copy().wait().vote(Measure.PLAY_ON, GONE, OTHER, THIRD)
    assert story.table.set_aside == {key(GONE)} and not story.table.seats[GONE].away
    assert story.back(GONE).table.set_aside == frozenset()


def test_a_clock_sets_aside_who_is_away_and_nobody_else() -> None:
    here = at("later-word", CLOCK).copy().wait(CLOCK).tell(None, time_up(GONE))
    gone = at("later-word", CLOCK).copy().away(GONE).wait(CLOCK).tell(None, time_up(GONE))
    assert here.table.set_aside == frozenset()
    assert gone.table.set_aside == {key(GONE)}


def test_nothing_is_played_where_all_who_have_coins_are_set_aside() -> None:
    story = Story(2, clock=CLOCK).start(0, 1).toss(0, 1).away(0, 1).wait(CLOCK)
    story.tell(None, time_up(0), time_up(1)).wait(CLOCK)
    assert (story.table.phase, story.awaited) == (Phase.SPEAKING, (0,))
    assert story.back(1).awaited == (1,)


def test_a_pause_is_kept_for_who_is_set_aside_too() -> None:
    story = carried(at("choosing").copy()).fists_of({THIRD: 1}).say(Ending.SPOOF).pause().open()
    assert story.awaited == (OTHER, GONE, THIRD)
    assert story.go_on().awaited == (OTHER, THIRD)


# The turn clock


def test_when_the_clock_runs_out_the_seat_calls_none() -> None:
    story = at("later-word", CLOCK).copy().wait(CLOCK)
    assert story.table.out_of_time(story.now) == (key(GONE),)
    assert story.table.out_of_time(story.now - 1) == ()
    story.tell(None, time_up(GONE))
    assert story.game.round and story.game.round.words[-1] == (GONE, Ending.CALL)


def test_several_fists_may_be_late_at_once() -> None:
    story = at("choosing", CLOCK).copy().wait(CLOCK)
    assert story.table.out_of_time(story.now) == (key(GONE), key(THIRD))
    story.tell(None, time_up(GONE), time_up(THIRD))
    assert story.table.phase is Phase.SPEAKING and story.game.hands == {GONE: 0, THIRD: 0}


def test_nobody_runs_out_of_time_without_a_clock_or_in_a_pause() -> None:
    assert at("later-word").table.out_of_time(2**50) == ()
    assert at("later-word", CLOCK).copy().pause().table.out_of_time(2**50) == ()
    assert at("opening", CLOCK).table.out_of_time(2**50) == ()


# The guessing game


def school(clock: int = 0, option: str = "") -> Story:
    """Three in a school, of whom `OTHER` has called 0, and `GONE` is to call."""
    rules = f"hollywood {option}".strip()
    story = Story(3, rules, clock=clock).start(OTHER, GONE, THIRD).toss(OTHER, GONE, THIRD)
    return story.fists(0, 3, 0).say(Bid(0))


def fines(story: Story) -> list[tuple[bytes, Offence]]:
    return [(fine.key, fine.offence) for fine in story.table.slate.fines]


def test_in_a_school_who_is_away_calls_the_lowest_free_number() -> None:
    story = carried(school())
    assert story.game.round and story.game.round.words[-1] == (GONE, Bid(1))
    assert fines(story) == []


def test_refusing_to_call_is_fined_when_the_clock_runs_out_h13() -> None:
    story = school(CLOCK).wait(CLOCK).tell(None, time_up(GONE))
    assert fines(story) == [(key(GONE), Offence.REFUSING)]
    late = Story(2, "hollywood", clock=CLOCK).start(0, 1).toss(0, 1).wait(CLOCK)
    assert fines(late.tell(None, time_up(0))) == []


@pytest.mark.parametrize("option", ["", "impossible=refuse", "impossible=allow"])
def test_the_call_of_the_house_costs_one_fine_whatever_the_hand_h13(option: str) -> None:
    story = school(CLOCK, option).wait(CLOCK).tell(None, time_up(GONE)).say(Bid(3)).open()
    assert fines(story) == [(key(GONE), Offence.REFUSING)]
    assert story.game.past[-1].outcome.fined == () and faults(story.game) == []


def test_a_shut_fist_in_a_school_is_fined_and_all_stay_h13() -> None:
    story = carried(school().say(Bid(5), Bid(4)))
    assert fines(story) == [(key(GONE), Offence.SHUT_FIST)]
    assert story.game.coins == (3, 3, 3) and story.game.past[-1].outcome.next_starter == THIRD


@pytest.mark.parametrize("option", ["", "impossible=refuse", "impossible=allow"])
def test_a_call_of_who_is_away_may_be_impossible(option: str) -> None:
    story = carried(school(option=option)).back(GONE).say(Bid(9)).open()
    offences = [] if option == "impossible=allow" else [Offence.IMPOSSIBLE] * 2
    assert [offence for _, offence in fines(story)] == offences
    assert story.game.past[-1].outcome.fined == (GONE, THIRD)[: len(offences)]
    assert faults(story.game) == []


# Laws


def faults(game: Game) -> list[Fault]:
    """What `spoof check` finds in the record of a game."""
    records = game_records(game, event="", date="2026-11-21")
    return [fault for record in records for fault in check(record).faults]


def told(story: Story, seed: int, restless: float, most: int = 3000) -> Story:
    """Random play in which people come and go, while those who are there vote whenever they may.

    One is always there.
    """
    draw = random.Random(seed)
    for _ in range(most):
        if story.table.phase is Phase.GATHERING:
            return story
        if draw.random() < restless:
            come_or_go(story, draw)
        there = [who for who in story.awaited if not is_away(story, who)]
        if there:
            story.act(draw.choice(there), draw)
        else:
            carried_by_all(story, story.awaited[0])
    return story


def is_away(story: Story, who: int) -> bool:
    seat = story.table.seat(key(who))
    return seat is not None and seat.away


def come_or_go(story: Story, draw: random.Random) -> None:
    who = draw.randrange(1, len(story.table.seats))
    if is_away(story, who):
        story.back(who)
    else:
        story.away(who)


def carried_by_all(story: Story, about: int) -> None:
    turn = state_of(story)
    for who in range(len(story.table.seats)):
        if not is_away(story, who) and state_of(story) == turn:
            story.wait().vote(Measure.PLAY_ON, about, who)
    assert state_of(story) != turn


SCENES = st.tuples(st.integers(2, 5), st.integers(0, 10**6), st.sampled_from([0.02, 0.1, 0.4]))


@few
@given(SCENES, st.sampled_from(["milan cap=3", "three-coins", "bid-spoof", "hollywood"]))
def test_every_game_ends_when_those_who_are_there_vote_whenever_they_may(
    scene: tuple[int, int, float], rules: str
) -> None:
    players, seed, restless = scene
    story = told(Story(players, rules).start(*range(players)), seed, restless)
    assert story.table.phase is Phase.GATHERING
    if story.game.past:
        assert story.game.winner is not None
    assert faults(story.game) == []
    verdict = verify([b"".join(frame(entry.blob) for entry in story.entries)])
    assert verdict.holds and verdict.table == story.table


@few
@given(SCENES)
def test_no_coin_is_made_or_lost_but_by_the_rules(scene: tuple[int, int, float]) -> None:
    players, seed, restless = scene
    story = told(Story(players, "milan cap=3").start(*range(players)), seed, restless)
    coins: tuple[int, ...] = (3,) * players
    for played in story.game.past:
        changes = played.outcome.changes
        assert played.words.coins == coins
        coins = tuple(owned + changes.get(seat, 0) for seat, owned in enumerate(coins))
        assert played.outcome.coins == coins
        if played.outcome.total is None:
            (owner,) = changes
            assert owner not in played.hands and changes[owner] == -1


def test_such_games_have_void_rounds_and_empty_fists_in_them() -> None:
    games = [told(Story(4).start(0, 1, 2, 3), seed, 0.1).game for seed in range(12)]
    played = [each for game in games for each in game.past]
    assert any(each.outcome.total is None for each in played)
    assert any(game.winner is not None for game in games)


def test_the_record_of_a_void_round_names_whose_fist_it_was() -> None:
    (record,) = game_records(carried(at("witnessing").copy()).game, event="", date="2026-11-21")
    assert record.rounds[-1].text.endswith("max (P? Pl? Pla?) Pl- = P3 Pl2 Pla3")
    assert check(record).faults == ()


@pytest.mark.parametrize("stage", ["witnessing", "opening"])
def test_a_verdict_tells_that_the_table_played_on(stage: str) -> None:
    story = carried(at(stage).copy())
    happenings = verify([b"".join(frame(entry.blob) for entry in story.entries)]).happenings
    assert [each.carried for each in happenings if each.carried] == [
        ((Measure.PLAY_ON, key(GONE)),)
    ]


# Thinking time


def seconds(story: Story) -> list[int]:
    """How long the table waited for each word of this round."""
    return [round(each / 1000) for each in story.table.thought]


@pytest.mark.parametrize("rules", ["milan thinking=shown", "hollywood thinking=shown"])
def test_the_time_that_the_table_waited_for_each_word_is_known(rules: str) -> None:
    story = Story(2, rules).start(0, 1).toss(0, 1).fists(1, 1)
    assert not seconds(story)
    story.wait(7).say(Bid(1)).wait(12)
    story.say(Bid(2))
    took = [7, 12]
    assert seconds(story) == took
    if rules.startswith("milan"):
        story.say(Ending.CALL)
        took.append(0)
    story.open()
    assert seconds(story) == took


def test_thinking_begins_anew_with_every_round() -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 1).wait(7).say(Bid(1), Ending.CALL).open()
    assert len(story.fists(1, 1).table.thought) == 0


def test_thinking_time_is_in_the_view_only_where_the_table_shows_it() -> None:
    for rules, shown in (("milan", 0), ("milan thinking=shown", 1)):
        story = Story(2, rules).start(0, 1).toss(0, 1).fists(1, 1).say(Bid(1))
        assert len(view_of(story.table, key(OTHER)).thought) == shown
