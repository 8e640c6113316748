"""A table of the guessing game: what may be stated when, and its games from toss to payer."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import draw_lot, draw_toss
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Illegal, Reason
from protocol.limits import TALK_BURST
from protocol.rules.game import Game
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Direction, Drink, Ending, Offence
from protocol.table.announcements import Away
from protocol.table.fold import check_statement, fold
from protocol.table.log import Intent
from protocol.table.state import Phase
from protocol.table.statements import (
    AwardFine,
    Elect,
    Fist,
    Leave,
    LiftFine,
    Open,
    Order,
    Ready,
    Say,
    Speak,
)
from protocol.wire.messages import Refusal
from tests.helpers.offenders import offenders
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Desk, Pair, Story, refused, signing_key, very_few

FIRST, SECOND, THIRD, GONE, LATE, STRANGER = range(6)
"""Who calls in which place, who has left the school, who only watches, who does not even sit."""


def gathering() -> Story:
    """A school is over: the fourth left first and did not order yet; two are ready again."""
    return opening().open().play_on().ready(FIRST, SECOND)


def lot() -> Story:
    """The first has opened the share."""
    return Story(4, "hollywood").start(FIRST, SECOND, THIRD, GONE).sit(LATE).toss(FIRST)


def choosing() -> Story:
    """The fourth has guessed right, and the first fist of the second round is in."""
    story = lot().toss(SECOND, THIRD, GONE).fists(0, 0, 0, 1)
    story.say(Bid(2), Bid(3), Bid(4), Bid(1)).open().tell(FIRST, AwardFine(key(SECOND), OTHER))
    return story.fists_of({FIRST: 1})


def first_call() -> Story:
    """All fists are in; the second is to call first now."""
    return choosing().fists_of({SECOND: 2, THIRD: 0})


def third_attempt() -> Story:
    """The second called 4, and the third tried that twice."""
    return first_call().say(Bid(4), Bid(4), Bid(4))


def free_call() -> Story:
    """The third tried it once more."""
    return third_attempt().say(Bid(4))


def opening() -> Story:
    """Everybody has called, nobody right, and one fist is open."""
    return free_call().say(Bid(5), Bid(6)).open(FIRST)


OTHER = Offence.OTHER

STAGES: Mapping[str, Callable[[], Story]] = {
    "gathering": gathering,
    "lot": lot,
    "choosing": choosing,
    "first-call": first_call,
    "third-attempt": third_attempt,
    "free-call": free_call,
    "opening": opening,
}


@functools.cache
def at(stage: str) -> Story:
    """The story up to a stage: to be looked at, and copied before it goes on."""
    return STAGES[stage]()


def key(who: int) -> bytes:
    return signing_key(who).public


def caller(story: Story) -> int:
    """Whose call it is; the second, when it is nobody's."""
    running = story.game.round
    return story.speaker if running and running.speaker is not None else SECOND


def opened(story: Story, who: int) -> Message:
    hand = story.hands.get(who) or story.hand(who, 0)
    return Open(hand.coins, hand.nonce)


Said = tuple[int | None, Message]

ACTS: Mapping[str, Callable[[Story], Said]] = {
    "caller-calls-0": lambda s: (caller(s), Speak(Bid(0))),
    "caller-calls-4": lambda s: (caller(s), Speak(Bid(4))),
    "caller-calls-3n": lambda s: (caller(s), Speak(Bid(9))),
    "caller-calls-too-much": lambda s: (caller(s), Speak(Bid(10))),
    "caller-says-call": lambda s: (caller(s), Speak(Ending.CALL)),
    "caller-says-spoof": lambda s: (caller(s), Speak(Ending.SPOOF)),
    "caller-turns": lambda s: (caller(s), Speak(Bid(0), Direction.CLOCKWISE)),
    "first-calls-out-of-turn": lambda s: (FIRST, Speak(Bid(0))),
    "who-left-calls": lambda s: (GONE, Speak(Bid(0))),
    "watcher-calls": lambda s: (LATE, Speak(Bid(0))),
    "fist-goes-in": lambda s: (THIRD, Fist(bytes(32))),
    "fist-goes-in-again": lambda s: (FIRST, Fist(bytes(32))),
    "who-left-puts-fist-in": lambda s: (GONE, Fist(bytes(32))),
    "fist-opens": lambda s: (SECOND, opened(s, SECOND)),
    "fist-opens-again": lambda s: (FIRST, opened(s, FIRST)),
    "fist-opens-with-four": lambda s: (SECOND, Open(4, bytes(32))),
    "fist-opens-otherwise": lambda s: (SECOND, Open(1, bytes(32))),
    "who-left-opens": lambda s: (GONE, Open(0, bytes(32))),
    "player-leaves": lambda s: (FIRST, Leave()),
    "who-left-leaves": lambda s: (GONE, Leave()),
    "watcher-leaves": lambda s: (LATE, Leave()),
    "player-is-ready": lambda s: (THIRD, Ready(bytes(32))),
    "who-left-orders": lambda s: (GONE, Order(Drink.PORT)),
    "player-orders": lambda s: (FIRST, Order(Drink.PORT)),
    "stranger-orders": lambda s: (STRANGER, Order(Drink.PORT)),
    "chairman-fines": lambda s: (FIRST, AwardFine(key(LATE), OTHER)),
    "chairman-fines-stranger": lambda s: (FIRST, AwardFine(key(STRANGER), OTHER)),
    "player-fines": lambda s: (SECOND, AwardFine(key(FIRST), OTHER)),
    "chairman-lifts": lambda s: (FIRST, LiftFine(0)),
    "player-lifts": lambda s: (SECOND, LiftFine(0)),
    "watcher-elects": lambda s: (LATE, Elect(key(GONE))),
    "stranger-elects": lambda s: (STRANGER, Elect(key(GONE))),
    "watcher-talks": lambda s: (LATE, Say(ForeignText("hi"))),
    "host-says-player-is-away": lambda s: (None, Away(key(FIRST))),
    "host-calls": lambda s: (None, Speak(Bid(0))),
    "host-fines": lambda s: (None, AwardFine(key(FIRST), OTHER)),
}
"""What anybody may try, by its name in the grid."""

GRID = """
                          gathering       lot             choosing        first-call      third-attempt   free-call       opening
caller-calls-0            no-game         fists-not-in    fists-not-in    legal           legal           legal           round-is-over
caller-calls-4            no-game         fists-not-in    fists-not-in    legal           legal           call-from-free  round-is-over
caller-calls-3n           no-game         fists-not-in    fists-not-in    legal           legal           legal           round-is-over
caller-calls-too-much     no-game         fists-not-in    fists-not-in    call-too-high   call-too-high   call-too-high   round-is-over
caller-says-call          no-game         fists-not-in    fists-not-in    numbers-only    numbers-only    numbers-only    round-is-over
caller-says-spoof         no-game         fists-not-in    fists-not-in    numbers-only    numbers-only    numbers-only    round-is-over
caller-turns              no-game         fists-not-in    fists-not-in    direction-rule  direction-rule  direction-rule  round-is-over
first-calls-out-of-turn   no-game         fists-not-in    fists-not-in    not-your-call   not-your-call   not-your-call   round-is-over
who-left-calls            no-game         fists-not-in    fists-not-in    has-left        has-left        has-left        round-is-over
watcher-calls             no-game         fists-not-in    fists-not-in    not-playing     not-playing     not-playing     round-is-over
fist-goes-in              no-game         no-fists-now    legal           fist-is-in      fist-is-in      fist-is-in      no-fists-now
fist-goes-in-again        no-game         no-fists-now    fist-is-in      fist-is-in      fist-is-in      fist-is-in      no-fists-now
who-left-puts-fist-in     no-game         no-fists-now    has-left        fist-is-in      fist-is-in      fist-is-in      no-fists-now
fist-opens                no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  legal
fist-opens-again          no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  opened-already
fist-opens-with-four      no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  hand-too-big
fist-opens-otherwise      no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  wrong-opening
who-left-opens            no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  no-opening-now  has-left
player-leaves             legal           game-running    game-running    game-running    game-running    game-running    game-running
who-left-leaves           legal           game-running    legal           legal           legal           legal           legal
watcher-leaves            legal           legal           legal           legal           legal           legal           legal
player-is-ready           legal           game-running    game-running    game-running    game-running    game-running    game-running
who-left-orders           legal           not-first-out   legal           legal           legal           legal           legal
player-orders             not-first-out   not-first-out   not-first-out   not-first-out   not-first-out   not-first-out   not-first-out
stranger-orders           no-seat         no-seat         no-seat         no-seat         no-seat         no-seat         no-seat
chairman-fines            legal           legal           legal           legal           legal           legal           legal
chairman-fines-stranger   no-seat         no-seat         no-seat         no-seat         no-seat         no-seat         no-seat
player-fines              not-chairman    not-chairman    not-chairman    not-chairman    not-chairman    not-chairman    not-chairman
chairman-lifts            legal           no-such-fine    legal           legal           legal           legal           legal
player-lifts              not-chairman    not-chairman    not-chairman    not-chairman    not-chairman    not-chairman    not-chairman
watcher-elects            legal           legal           legal           legal           legal           legal           legal
stranger-elects           no-seat         no-seat         no-seat         no-seat         no-seat         no-seat         no-seat
watcher-talks             legal           legal           legal           legal           legal           legal           legal
host-says-player-is-away  legal           legal           legal           legal           legal           legal           legal
host-calls                player-only     player-only     player-only     player-only     player-only     player-only     player-only
host-fines                player-only     player-only     player-only     player-only     player-only     player-only     player-only
"""  # noqa: E501


def cells() -> list[tuple[str, str, str]]:
    """Act, stage and verdict of every cell of the grid."""
    header, *rows = GRID.strip().splitlines()
    return [
        (act, stage, verdict)
        for act, *verdicts in map(str.split, rows)
        for stage, verdict in zip(header.split(), verdicts, strict=True)
    ]


def decided(act: str, stage: str, verdict: str) -> None:
    """An act in a stage is legal, or refused for the reason of this code."""
    story = at(stage)
    author, statement = ACTS[act](story)
    said_by = None if author is None else key(author)
    if verdict == "legal":
        check_statement(story.table, said_by, statement)
        return
    with refused(next(reason for reason in Reason if reason.code == verdict)):
        check_statement(story.table, said_by, statement)


def test_the_grid() -> None:
    assert offenders(decided, cells()) == []


def test_every_act_has_a_row() -> None:
    assert [row.split()[0] for row in GRID.strip().splitlines()[1:]] == list(ACTS)


@pytest.mark.parametrize("stage", STAGES)
def test_an_entry_that_the_grid_forbids_breaks_the_log_and_leaves_the_table(stage: str) -> None:
    story = at(stage).copy()
    before = story.table
    for author, statement in (act(story) for act in ACTS.values()):
        try:
            check_statement(before, None if author is None else key(author), statement)
        except Illegal as error:
            with pytest.raises(BrokenLog, match=re.escape(str(error))):
                story.tell(author, statement)
    assert story.table is before


# Games


@pytest.mark.parametrize("rules", ["hollywood", "hollywood first_caller=toss"])
def test_the_lot_picks_the_first_caller_of_a_school_h3(rules: str) -> None:
    story = Story(3, rules, salt=1).start(0, 1, 2).toss(0, 1, 2)
    shares = [story.share(who).share for who in range(3)]
    assert story.game.round is not None
    assert story.game.round.starter == draw_lot(story.table.id, 1, shares)


def test_the_next_school_has_a_new_toss_whoever_left_first_h12() -> None:
    story = at("gathering").copy().tell(None, at("gathering").starting())
    assert (story.table.phase, story.game.crap, story.game.number) == (Phase.LOT, None, 2)


def test_a_call_at_a_number_that_is_taken_is_said_and_called_again_h8() -> None:
    story = at("free-call")
    assert isinstance(story.game.round, GuessingRound)
    assert [call.taken for call in story.game.round.calls] == [False, True, True, True]
    assert story.speaker == THIRD and story.table.turn == len(story.entries)


def test_who_is_away_keeps_the_seat_and_the_call_g3() -> None:
    story = at("free-call").copy().tell(None, Away(key(THIRD)))
    assert story.speaker == THIRD
    assert story.say(Bid(0)).speaker == FIRST


def test_who_sits_late_watches_and_plays_the_next_school_g2() -> None:
    assert len(at("opening").game.players) == 4
    story = at("gathering").copy().ready(LATE)
    assert len(story.tell(None, story.starting()).game.players) == 3


def the_toss_of(story: Story, round_: int, order: list[int]) -> int:
    """The toss from the fists of a round, opened in this order."""
    nonces = [story.hand(who, 0).nonce for who in order]
    return draw_toss(story.table.id, story.game.number, round_, sorted(nonces))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_the_toss_comes_from_the_nonces_of_the_opened_fists_in_any_order_h11(
    order: tuple[int, ...],
) -> None:
    story = Story(3, "hollywood first_caller=toss").start(0, 1, 2).toss(0, 1, 2)
    story.fists(0, 0, 0).say(Bid(9), Bid(8), Bid(7))
    toss = the_toss_of(story, 1, list(order))
    story.open(*order)
    assert story.game.round is not None
    assert story.game.round.starter == toss % 3


def test_a_toss_falls_on_those_who_are_left_h11() -> None:
    story = Story(3, "hollywood first_caller=toss").start(0, 1, 2).toss(0, 1, 2)
    story.fists(0, 0, 0).say(Bid(0), Bid(8), Bid(7))
    toss = the_toss_of(story, 1, [0, 1, 2])
    story.open()
    assert story.game.round is not None
    assert story.game.round.starter == (1, 2)[toss % 2]


def test_every_fist_moves_the_toss_h11() -> None:
    tosses = [draw_toss(bytes(32), 1, 1, sorted([bytes([n]) * 32, b"b" * 32])) for n in range(40)]
    assert {toss % 3 for toss in tosses} == {0, 1, 2}
    assert draw_toss(bytes(32), 1, 2, [b"b" * 32]) != draw_toss(bytes(32), 1, 1, [b"b" * 32])


def test_the_fists_of_a_round_do_not_toss_for_the_one_after() -> None:
    story = Story(2, "hollywood first_caller=toss").start(0, 1).toss(0, 1)
    for _ in range(2):
        story.fists(0, 0).say(Bid(6), Bid(5)).open()
        assert story.game.nonces == ()
    assert story.game.round is not None
    assert story.game.round.starter == the_toss_of_last(story) % 2


def the_toss_of_last(story: Story) -> int:
    number = len(story.game.past)
    nonces = sorted(story.hands[who].nonce for who in (0, 1))
    return draw_toss(story.table.id, story.game.number, number, nonces)


GAMES = st.tuples(
    st.integers(2, 5),
    st.integers(0, 10**6),
    st.sampled_from(["", "impossible=allow", "impossible=refuse", "first_caller=toss"]),
)


@very_few
@given(GAMES)
def test_a_game_comes_to_its_payer_and_folds_to_the_same_table_again(
    chosen: tuple[int, int, str],
) -> None:
    players, seed, option = chosen
    story = Story(players, f"hollywood {option}").start(*range(players)).play_on(seed)
    table = None
    for entry in story.entries:
        table = fold(table, entry)
    assert table == story.table
    assert_is_a_school(story.game)
    assert table.slate.paid == (story.game.players[story.game.winner or 0].key,)
    fined = [seat for played in story.game.past for seat in played.outcome.fined]
    assert [fine.key for fine in table.slate.fines] == [story.game.players[s].key for s in fined]


def assert_is_a_school(game: Game) -> None:
    """One leaves after the other, until one is left."""
    left = [seat for played in game.past for seat in played.outcome.went_out]
    assert {*left, game.winner} == set(range(len(game.players)))
    assert len(left) == len(game.players) - 1
    assert game.first_out == left[0]
    for played in game.past:
        assert set(played.words.coins) <= {0, 3}
        assert set(played.hands) == set(played.words.players)
        assert len(played.outcome.went_out) <= 1


@pytest.mark.parametrize("players", [2, 3])
def test_guests_and_their_host_play_a_whole_game(players: int) -> None:
    table = MemoryTable(players, "hollywood", seed=3)
    table.ready()
    table.play_on()
    assert table.host.table.game is not None
    assert_is_a_school(table.host.table.game)
    for client in table.clients:
        assert client.guest.table == table.host.table
        assert [entry.blob for entry in client.stored] == table.recorded
        assert client.events == []


# What a guest does


def calling(rules: str = "hollywood", hand: int = 3) -> Pair:
    """The first is to call, with this hand."""
    return Pair(Story(2, rules).start(0, 1).toss(0, 1).fists(hand, 0))


def test_the_own_program_refuses_an_impossible_call_and_nobody_hears_of_it_h7() -> None:
    pair = calling("hollywood impossible=refuse")
    with refused(Reason.CALL_IMPOSSIBLE):
        pair.guest.speak(Bid(2))
    assert pair.proposed == [] and not pair.guest.waiting
    pair.act(pair.guest.speak(Bid(3)))
    assert pair.logged[-1] == Speak(Bid(3))


def test_an_impossible_call_leaves_the_own_program_if_it_is_only_fined_h7() -> None:
    pair = calling()
    pair.act(pair.guest.speak(Bid(2)))
    assert pair.logged[-1] == Speak(Bid(2))


def test_an_attempt_that_failed_leaves_the_next_one_free_h8() -> None:
    story = Story(2, "hollywood").start(0, 1).toss(0, 1).fists(0, 0).say(Bid(4))
    pair = Pair(story, 1)
    pair.act(pair.guest.speak(Bid(4)))
    pair.act(pair.guest.speak(Bid(4)))
    pair.act(pair.guest.speak(Bid(5)))
    assert [said for said in pair.proposed if isinstance(said, Speak)] == [
        Speak(Bid(4)),
        Speak(Bid(4)),
        Speak(Bid(5)),
    ]
    assert pair.desk.host.table.phase is Phase.WITNESSING


def test_a_fist_opens_by_itself_after_the_last_call_h9() -> None:
    pair = calling()
    pair.act(pair.guest.speak(Bid(4)))
    assert not any(isinstance(said, Open) for said in pair.proposed)
    pair.desk.propose(
        pair.desk.join(1),
        Intent.sign(signing_key(1), 99, pair.desk.host.log.head, Speak(Bid(5))),
    )
    pair.act([])
    assert isinstance(pair.proposed[-1], Open)


def test_a_guest_elects_fines_lifts_and_orders() -> None:
    story = at("gathering")
    pair, orders = Pair(story, FIRST), Pair(story, GONE)
    pair.act(pair.guest.state(Elect(key(SECOND))))
    pair.act(pair.guest.state(AwardFine(key(LATE), Offence.GLOATING)))
    pair.act(pair.guest.state(LiftFine(0)))
    orders.act(orders.guest.state(Order(Drink.PORT)))
    assert pair.logged[-3:] == [
        Elect(key(SECOND)),
        AwardFine(key(LATE), Offence.GLOATING),
        LiftFine(0),
    ]
    assert orders.logged[-1] == Order(Drink.PORT)


# What a host does


@pytest.mark.parametrize("kind", [Elect, LiftFine, AwardFine, Say])
def test_votes_and_fines_are_rationed_like_talk(kind: type[Message]) -> None:
    statements: dict[type[Message], Message] = {
        Elect: Elect(key(FIRST)),
        LiftFine: LiftFine(0),
        AwardFine: AwardFine(key(LATE), OTHER),
        Say: Say(ForeignText("hi")),
    }
    desk = Desk(at("gathering"))
    link = desk.join(FIRST)
    desk.heard(link)
    for number in range(TALK_BURST + 1):
        statement = statements[kind] if number == TALK_BURST else Elect(key(FIRST))
        desk.propose(
            link, Intent.sign(signing_key(FIRST), 99 + number, desk.host.log.head, statement)
        )
    refusals = [said.code for said in desk.heard(link) if isinstance(said, Refusal)]
    assert refusals == [Reason.TOO_FAST.code]
