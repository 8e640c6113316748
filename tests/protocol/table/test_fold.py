"""The table: what may be stated when, and what a log folds into."""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import SealedHand
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Illegal, Reason
from protocol.rules.words import Bid, Direction, Ending
from protocol.table.announcements import Admitted, Away, Back, GameStarted
from protocol.table.fold import check_intent, check_statement, fold
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry
from protocol.table.state import KEPT_TALK, Phase, Table
from protocol.table.statements import (
    Fist,
    Gesticulate,
    Gesture,
    Leave,
    Measure,
    Open,
    Ready,
    Say,
    Sit,
    Speak,
    Toss,
    Witness,
)
from protocol.version import PROTOCOL
from tests.helpers.offenders import offenders
from tests.protocol.stories import Story, decision, refused, signing_key, very_few, vote

LATE, STRANGER = 3, 4
"""Who sits and does not play, and who does not even sit."""

FIRST, SECOND, THIRD = 0, 1, 2
"""The players in the order of their words: in a story the first lot falls on 0."""


def gathering() -> Story:
    """Three sit, the third of them not ready yet, and one more."""
    return Story(4).ready(FIRST, SECOND)


def lot() -> Story:
    """A game of three has started and the first of them has opened the share."""
    return Story(3).start(0, 1, 2).sit(LATE).toss(FIRST)


def choosing() -> Story:
    """The first fist is in."""
    return lot().toss(SECOND, THIRD).fists_of({FIRST: 1})


def opening_word() -> Story:
    """All fists are in."""
    return choosing().fists_of({SECOND: 2, THIRD: 0})


def later_word() -> Story:
    """The first has bid 4."""
    return opening_word().say(Bid(4))


def witnessing() -> Story:
    """The second has called, and the first has seen it."""
    return later_word().say(Ending.CALL).witness(FIRST)


def opening() -> Story:
    """The third has seen it, too, and the first fist is open."""
    return witnessing().open(FIRST)


STAGES: Mapping[str, Callable[[], Story]] = {
    "gathering": gathering,
    "lot": lot,
    "choosing": choosing,
    "opening-word": opening_word,
    "later-word": later_word,
    "witnessing": witnessing,
    "opening": opening,
}


@functools.cache
def at(stage: str) -> Story:
    """The story up to a stage: to be looked at, and copied before it goes on."""
    return STAGES[stage]()


Said = tuple[int | None, Message]


@dataclass(frozen=True)
class Acts:
    """Everything that anybody may try, by its name in the grid."""

    story: Story

    def named(self, name: str) -> Said:
        """Who says what."""
        said = getattr(self, name.replace("-", "_"))
        return said() if callable(said) else said  # type: ignore[no-any-return]

    def hand(self, who: int) -> SealedHand:
        """A hand that was put in, or any."""
        return self.story.hands.get(who) or SealedHand(self.story.share(who).place, 0, bytes(32))

    def opened(self, who: int, more: int = 0) -> Said:
        return who, Open(self.hand(who).coins + more, self.hand(who).nonce)

    def tossed(self, who: int) -> Said:
        return who, Toss(self.story.share(who).share, self.story.share(who).nonce)

    def readied(self, who: int) -> Said:
        return who, Ready(self.story.share(who).seal)

    stranger_sits = (STRANGER, Sit(ForeignText("New")))
    player_sits_again = (FIRST, Sit(ForeignText("Again")))
    player_leaves = (FIRST, Leave())
    waiting_seat_leaves = (LATE, Leave())
    stranger_leaves = (STRANGER, Leave())

    def player_is_ready(self) -> Said:
        return self.readied(THIRD)

    def player_is_ready_again(self) -> Said:
        return self.readied(FIRST)

    def stranger_is_ready(self) -> Said:
        return self.readied(STRANGER)

    def player_tosses(self) -> Said:
        return self.tossed(SECOND)

    def player_tosses_again(self) -> Said:
        return self.tossed(FIRST)

    def player_tosses_another_share(self) -> Said:
        return SECOND, Toss(bytes(32), bytes(32))

    def waiting_seat_tosses(self) -> Said:
        return self.tossed(LATE)

    fist_goes_in = (SECOND, Fist(bytes(32)))
    fist_goes_in_again = (FIRST, Fist(bytes(32)))
    waiting_seat_puts_fist_in = (LATE, Fist(bytes(32)))
    stranger_puts_fist_in = (STRANGER, Fist(bytes(32)))

    @property
    def turn(self) -> int:
        """Whose turn it is, if anybody's."""
        return SECOND if self.story.table.game and len(self.words) % 2 else FIRST

    @property
    def words(self) -> tuple[object, ...]:
        game = self.story.table.game
        return game.round.words if game and game.round else ()

    def speaker_bids(self) -> Said:
        return self.turn, Speak(Bid(5))

    def speaker_bids_nothing(self) -> Said:
        return self.turn, Speak(Bid(0))

    def speaker_bids_the_same(self) -> Said:
        return self.turn, Speak(Bid(4))

    def speaker_bids_too_much(self) -> Said:
        return self.turn, Speak(Bid(10))

    def speaker_calls(self) -> Said:
        return self.turn, Speak(Ending.CALL)

    def speaker_cliffs(self) -> Said:
        return self.turn, Speak(Ending.CLIFF)

    def speaker_spoofs(self) -> Said:
        return self.turn, Speak(Ending.SPOOF)

    def speaker_zeroes(self) -> Said:
        return self.turn, Speak(Ending.ZERO)

    def speaker_bids_and_turns(self) -> Said:
        return self.turn, Speak(Bid(5), Direction.COUNTER_CLOCKWISE)

    def speaker_spoofs_and_turns(self) -> Said:
        return self.turn, Speak(Ending.SPOOF, Direction.CLOCKWISE)

    third_bids_out_of_turn = (THIRD, Speak(Bid(5)))
    third_calls_out_of_turn = (THIRD, Speak(Ending.CALL))
    waiting_seat_bids = (LATE, Speak(Bid(5)))
    stranger_bids = (STRANGER, Speak(Bid(5)))

    last_witness_confirms = (THIRD, Witness())
    witness_confirms_again = (FIRST, Witness())
    ender_confirms = (SECOND, Witness())
    waiting_seat_confirms = (LATE, Witness())
    stranger_confirms = (STRANGER, Witness())

    def fist_opens(self) -> Said:
        return self.opened(SECOND)

    def fist_opens_again(self) -> Said:
        return self.opened(FIRST)

    def fist_opens_with_one_more(self) -> Said:
        return self.opened(SECOND, 1)

    def fist_opens_with_four(self) -> Said:
        return SECOND, Open(4, self.hand(SECOND).nonce)

    def fist_opens_as_another(self) -> Said:
        return SECOND, self.opened(FIRST)[1]

    def waiting_seat_opens(self) -> Said:
        return self.opened(LATE)

    player_talks = (FIRST, Say(ForeignText("hi")))
    waiting_seat_talks = (LATE, Say(ForeignText("hi")))
    stranger_talks = (STRANGER, Say(ForeignText("hi")))
    player_gestures = (FIRST, Gesticulate(Gesture.MITT_FULL))
    stranger_gestures = (STRANGER, Gesticulate(Gesture.MITT_FULL))

    player_votes = (FIRST, vote(Measure.REMOVE, SECOND))
    waiting_seat_votes = (LATE, vote(Measure.REMOVE, SECOND))
    stranger_votes = (STRANGER, vote(Measure.REMOVE, SECOND))
    player_votes_about_a_stranger = (FIRST, vote(Measure.BAR, STRANGER))
    player_takes_back_no_vote = (FIRST, vote(Measure.REMOVE, SECOND, yes=False))
    host_decides = (None, decision(Measure.MUTE, SECOND))
    host_decides_about_a_stranger = (None, decision(Measure.REMOVE, STRANGER))
    host_unmutes_who_is_not_muted = (None, decision(Measure.UNMUTE, SECOND))
    host_votes = (None, vote(Measure.REMOVE, SECOND))
    player_decides = (FIRST, decision(Measure.MUTE, SECOND))
    host_admits_to_an_open_table = (None, Admitted(signing_key(STRANGER).public))
    player_admits = (FIRST, Admitted(signing_key(STRANGER).public))

    def host_starts(self) -> Said:
        return None, self.story.starting()

    def host_starts_in_another_order(self) -> Said:
        return None, GameStarted(self.story.starting().order[::-1])

    def host_starts_with_a_stranger(self) -> Said:
        order = self.story.starting().order
        return None, GameStarted((*order, signing_key(STRANGER).public))

    host_says_player_is_away = (None, Away(signing_key(FIRST).public))
    host_says_player_is_back = (None, Back(signing_key(FIRST).public))
    host_says_stranger_is_away = (None, Away(signing_key(STRANGER).public))
    host_says_stranger_is_back = (None, Back(signing_key(STRANGER).public))

    def host_opens_the_table_again(self) -> Said:
        return None, self.story.table.opened

    host_bids = (None, Speak(Bid(5)))
    host_puts_fist_in = (None, Fist(bytes(32)))
    host_sits = (None, Sit(ForeignText("Host")))

    def player_starts(self) -> Said:
        return FIRST, self.story.starting()

    player_says_another_is_away = (FIRST, Away(signing_key(SECOND).public))


GRID = """
                              gathering      lot            choosing       opening-word    later-word      witnessing      opening
stranger-sits                 legal          legal          legal          legal           legal           legal           legal
player-sits-again             seat-taken     seat-taken     seat-taken     seat-taken      seat-taken      seat-taken      seat-taken
player-leaves                 legal          game-running   game-running   game-running    game-running    game-running    game-running
waiting-seat-leaves           legal          legal          legal          legal           legal           legal           legal
stranger-leaves               no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
player-is-ready               legal          game-running   game-running   game-running    game-running    game-running    game-running
player-is-ready-again         ready-already  game-running   game-running   game-running    game-running    game-running    game-running
stranger-is-ready             no-seat        game-running   game-running   game-running    game-running    game-running    game-running
player-tosses                 no-lot-now     legal          no-lot-now     no-lot-now      no-lot-now      no-lot-now      no-lot-now
player-tosses-again           no-lot-now     opened-already no-lot-now     no-lot-now      no-lot-now      no-lot-now      no-lot-now
player-tosses-another-share   no-lot-now     wrong-share    no-lot-now     no-lot-now      no-lot-now      no-lot-now      no-lot-now
waiting-seat-tosses           no-lot-now     not-playing    no-lot-now     no-lot-now      no-lot-now      no-lot-now      no-lot-now
fist-goes-in                  no-game        no-fists-now   legal          fist-is-in      fist-is-in      no-fists-now    no-fists-now
fist-goes-in-again            no-game        no-fists-now   fist-is-in     fist-is-in      fist-is-in      no-fists-now    no-fists-now
waiting-seat-puts-fist-in     no-game        no-fists-now   not-playing    fist-is-in      fist-is-in      no-fists-now    no-fists-now
stranger-puts-fist-in         no-game        no-fists-now   not-playing    fist-is-in      fist-is-in      no-fists-now    no-fists-now
speaker-bids                  no-game        fists-not-in   fists-not-in   legal           legal           round-is-over   round-is-over
speaker-bids-nothing          no-game        fists-not-in   fists-not-in   bid-below-one   bid-too-low     round-is-over   round-is-over
speaker-bids-the-same         no-game        fists-not-in   fists-not-in   legal           bid-too-low     round-is-over   round-is-over
speaker-bids-too-much         no-game        fists-not-in   fists-not-in   bid-too-high    bid-too-high    round-is-over   round-is-over
speaker-calls                 no-game        fists-not-in   fists-not-in   call-needs-bid  legal           round-is-over   round-is-over
speaker-cliffs                no-game        fists-not-in   fists-not-in   cliff-needs-bid legal           round-is-over   round-is-over
speaker-spoofs                no-game        fists-not-in   fists-not-in   legal           legal           round-is-over   round-is-over
speaker-zeroes                no-game        fists-not-in   fists-not-in   legal           zero-opens-only round-is-over   round-is-over
speaker-bids-and-turns        no-game        fists-not-in   fists-not-in   legal           direction-fixed round-is-over   round-is-over
speaker-spoofs-and-turns      no-game        fists-not-in   fists-not-in   direction-fixed direction-fixed round-is-over   round-is-over
third-bids-out-of-turn        no-game        fists-not-in   fists-not-in   not-your-turn   not-your-turn   round-is-over   round-is-over
third-calls-out-of-turn       no-game        fists-not-in   fists-not-in   not-your-turn   not-your-turn   round-is-over   round-is-over
waiting-seat-bids             no-game        fists-not-in   fists-not-in   not-playing     not-playing     round-is-over   round-is-over
stranger-bids                 no-game        fists-not-in   fists-not-in   not-playing     not-playing     round-is-over   round-is-over
last-witness-confirms         no-witness-now no-witness-now no-witness-now no-witness-now  no-witness-now  legal           no-witness-now
witness-confirms-again        no-witness-now no-witness-now no-witness-now no-witness-now  no-witness-now  repeated        no-witness-now
ender-confirms                no-witness-now no-witness-now no-witness-now no-witness-now  no-witness-now  own-ending      no-witness-now
waiting-seat-confirms         no-witness-now no-witness-now no-witness-now no-witness-now  no-witness-now  not-playing     no-witness-now
stranger-confirms             no-witness-now no-witness-now no-witness-now no-witness-now  no-witness-now  not-playing     no-witness-now
fist-opens                    no-opening-now no-opening-now no-opening-now no-opening-now  no-opening-now  not-seen-by-all legal
fist-opens-again              no-opening-now no-opening-now no-opening-now no-opening-now  no-opening-now  not-seen-by-all opened-already
fist-opens-with-one-more      no-opening-now no-opening-now no-opening-now no-opening-now  no-opening-now  not-seen-by-all wrong-opening
fist-opens-with-four          no-opening-now no-opening-now no-opening-now no-opening-now  no-opening-now  not-seen-by-all hand-too-big
fist-opens-as-another         no-opening-now no-opening-now no-opening-now no-opening-now  no-opening-now  not-seen-by-all wrong-opening
waiting-seat-opens            no-opening-now no-opening-now no-opening-now no-opening-now  no-opening-now  not-seen-by-all not-playing
player-talks                  legal          legal          legal          legal           legal           legal           legal
waiting-seat-talks            legal          legal          legal          legal           legal           legal           legal
stranger-talks                no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
player-gestures               legal          legal          legal          legal           legal           legal           legal
stranger-gestures             no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
player-votes                  legal          legal          legal          legal           legal           legal           legal
waiting-seat-votes            legal          legal          legal          legal           legal           legal           legal
stranger-votes                no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
player-votes-about-a-stranger no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
player-takes-back-no-vote     repeated       repeated       repeated       repeated        repeated        repeated        repeated
host-decides                  legal          legal          legal          legal           legal           legal           legal
host-decides-about-a-stranger no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
host-unmutes-who-is-not-muted no-change      no-change      no-change      no-change       no-change       no-change       no-change
host-votes                    player-only    player-only    player-only    player-only     player-only     player-only     player-only
player-decides                host-only      host-only      host-only      host-only       host-only       host-only       host-only
host-admits-to-an-open-table  no-code-here   no-code-here   no-code-here   no-code-here    no-code-here    no-code-here    no-code-here
player-admits                 host-only      host-only      host-only      host-only       host-only       host-only       host-only
host-starts                   legal          game-running   game-running   game-running    game-running    game-running    game-running
host-starts-in-another-order  wrong-order    game-running   game-running   game-running    game-running    game-running    game-running
host-starts-with-a-stranger   wrong-order    game-running   game-running   game-running    game-running    game-running    game-running
host-says-player-is-away      legal          legal          legal          legal           legal           legal           legal
host-says-player-is-back      repeated       repeated       repeated       repeated        repeated        repeated        repeated
host-says-stranger-is-away    no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
host-says-stranger-is-back    no-seat        no-seat        no-seat        no-seat         no-seat         no-seat         no-seat
host-opens-the-table-again    not-now        not-now        not-now        not-now         not-now         not-now         not-now
host-bids                     player-only    player-only    player-only    player-only     player-only     player-only     player-only
host-puts-fist-in             player-only    player-only    player-only    player-only     player-only     player-only     player-only
host-sits                     player-only    player-only    player-only    player-only     player-only     player-only     player-only
player-starts                 host-only      host-only      host-only      host-only       host-only       host-only       host-only
player-says-another-is-away   host-only      host-only      host-only      host-only       host-only       host-only       host-only
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
    author, statement = Acts(story).named(act)
    key = None if author is None else signing_key(author).public
    if verdict == "legal":
        check_statement(story.table, key, statement)
        return
    with refused(next(reason for reason in Reason if reason.code == verdict)):
        check_statement(story.table, key, statement)


def test_the_grid() -> None:
    assert offenders(decided, cells()) == []


@pytest.mark.parametrize("stage", STAGES)
def test_an_entry_that_the_grid_forbids_breaks_the_log_and_leaves_the_table(stage: str) -> None:
    story = at(stage).copy()
    before, forbidden = (
        story.table,
        [Acts(story).named(row.split()[0]) for row in GRID.splitlines()[2:]],
    )
    for author, statement in forbidden:
        key = None if author is None else signing_key(author).public
        try:
            check_statement(before, key, statement)
        except Illegal as error:
            with pytest.raises(BrokenLog, match=re.escape(str(error))):
                story.tell(author, statement)
    assert story.table is before


# Seats


def test_a_full_table_takes_nobody_g6() -> None:
    story = Story(2, seats=2)
    with refused(Reason.TABLE_FULL):
        check_statement(story.table, signing_key(STRANGER).public, Sit(ForeignText("New")))


def test_a_seat_that_is_left_is_free_and_its_name_is_remembered() -> None:
    story = Story(2, seats=2).tell(0, Leave()).sit(STRANGER)
    assert [seat.key for seat in story.table.seats] == [
        signing_key(w).public for w in (1, STRANGER)
    ]
    assert story.table.names[signing_key(0).public] == ForeignText("Player0")


def test_who_sits_again_sits_last_and_is_not_ready() -> None:
    story = Story(2).ready(0).tell(0, Leave()).sit(0)
    assert [seat.key for seat in story.table.seats] == [signing_key(w).public for w in (1, 0)]
    assert not story.table.ready_seats


@pytest.mark.parametrize("ready", [(), (1,)])
def test_a_game_needs_two_who_are_ready_g6(ready: tuple[int, ...]) -> None:
    story = Story(3).ready(*ready)
    with refused(Reason.TOO_FEW):
        check_statement(story.table, None, story.starting())


def test_who_sits_late_watches_and_plays_the_next_game_g2() -> None:
    story = lot().play_on()
    assert story.game.players[-1].key == signing_key(2).public
    story.start(0, 1, 2, LATE)
    assert len(story.game.players) == 4
    assert story.game.number == 2


def test_who_is_away_keeps_the_seat_and_the_coins_g3() -> None:
    story = later_word().tell(None, Away(signing_key(SECOND).public))
    seat = story.table.seat(signing_key(SECOND).public)
    assert seat is not None and seat.away
    assert story.game.coins == (3, 3, 3)
    assert story.speaker == SECOND


def test_who_goes_away_is_not_put_into_a_game() -> None:
    story = gathering().tell(None, Away(signing_key(FIRST).public))
    assert [seat.key for seat in story.table.ready_seats] == [signing_key(SECOND).public]
    story.tell(None, Back(signing_key(FIRST).public)).ready(FIRST)
    assert len(story.table.ready_seats) == 2


def test_away_is_said_once() -> None:
    story = Story(2).tell(None, Away(signing_key(0).public))
    with refused(Reason.REPEATED):
        check_statement(story.table, None, Away(signing_key(0).public))


def test_a_word_may_come_from_an_absent_seat_and_talk_too() -> None:
    story = later_word().tell(None, Away(signing_key(SECOND).public))
    story.tell(SECOND, Speak(Bid(5)), Say(ForeignText("I am in a tunnel")))
    assert story.speaker == THIRD


def test_the_table_remembers_the_last_lines_of_talk() -> None:
    story = Story(1)
    for number in range(KEPT_TALK + 1):
        story.tell(0, Say(ForeignText(str(number))))
    assert [line.said for line in story.table.talk[:1]] == [ForeignText("1")]
    assert len(story.table.talk) == KEPT_TALK
    assert story.table.talk[-1].position == len(story.entries) - 1


# The player who is out


@functools.cache
def one_out() -> Story:
    """The first player is out: everything was bid three times, and called."""
    story = lot().toss(SECOND, THIRD)
    for _ in range(3):
        story.fists(0, 0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    return story


def test_who_is_out_puts_no_fist_in_and_says_nothing_r12() -> None:
    story = one_out().copy()
    out = signing_key(FIRST).public
    with refused(Reason.IS_OUT):
        check_statement(story.table, out, Fist(bytes(32)))
    story.fists(0, 0)
    with refused(Reason.IS_OUT):
        check_statement(story.table, out, Speak(Bid(1)))
    story.say(Ending.SPOOF)
    with refused(Reason.IS_OUT):
        check_statement(story.table, out, Witness())
    story.witness()
    with refused(Reason.IS_OUT):
        check_statement(story.table, out, Open(0, bytes(32)))


def test_who_is_out_is_passed_over() -> None:
    story = one_out().copy().fists(0, 0)
    assert [story.speaker, story.say(Bid(1)).speaker, story.say(Bid(2)).speaker] == [1, 2, 1]


# The next game


@functools.cache
def finished() -> Story:
    """A game of two that the first lost, and a third who watched."""
    story = Story(2).start(0, 1).toss(0, 1).sit(2)
    for _ in range(3):
        story.fists(0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    return story


def test_a_finished_game_leaves_the_table_gathering() -> None:
    table = finished().table
    assert (table.phase, table.turn, table.era) == (
        Phase.GATHERING,
        table.head.length,
        table.head.length,
    )
    assert table.game is not None and table.game.winner == 1


def test_crap_opens_the_next_game_without_a_lot_r15() -> None:
    story = finished().copy().start(1, 2, 0)
    assert story.table.phase is Phase.CHOOSING
    assert story.game.crap == 0
    assert story.game.round is not None and story.who(story.game.round.starter) == 0


def test_crap_is_who_went_out_first() -> None:
    story = one_out().copy()
    for _ in range(3):
        story.fists(0, 0).say(Bid(sum(story.game.coins)), Ending.CALL).open()
    assert story.game.winner == 2
    assert story.start(1, 2, 0).game.crap == 0


def test_the_lot_is_drawn_when_crap_is_absent_r15() -> None:
    story = finished().copy().start(1, 2)
    assert (story.table.phase, story.game.crap) == (Phase.LOT, None)


def test_the_lot_is_drawn_every_time_when_the_rules_say_so_r15() -> None:
    story = Story(2, "milan game_starter=lot").start(0, 1).play_on().start(0, 1)
    assert (story.table.phase, story.game.crap, story.game.number) == (Phase.LOT, None, 2)


def test_a_share_of_the_last_game_opens_no_lot() -> None:
    old = Story(2).share(0)
    story = finished().copy()
    story.tell(1, Ready(old.seal)).ready(2)
    story.tell(None, story.starting())
    with refused(Reason.WRONG_SHARE):
        check_statement(story.table, signing_key(1).public, Toss(old.share, old.nonce))


# What an intent has seen


def head_at(story: Story, length: int) -> Head:
    return story.entries[length - 1].head if length else EMPTY


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "gathering"])
def test_a_move_must_have_seen_its_turn_begin(stage: str) -> None:
    story = at(stage)
    seen = story.table.turn
    assert seen > 1
    check_intent(story.table, story.intent(0, Speak(Bid(5)), head_at(story, seen)))
    with refused(Reason.STALE):
        check_intent(story.table, story.intent(0, Speak(Bid(5)), head_at(story, seen - 1)))


def test_talk_may_come_late() -> None:
    story = at("opening")
    check_intent(story.table, story.intent(0, Say(ForeignText("hi")), head_at(story, 1)))


@pytest.mark.parametrize(
    "statement", [Sit(ForeignText("x")), Ready(bytes(32)), Say(ForeignText("hi")), Speak(Bid(1))]
)
def test_who_has_seen_nothing_of_the_table_says_nothing_at_it(statement: Message) -> None:
    story = at("opening")
    with refused(Reason.OTHER_LOG):
        check_intent(story.table, story.intent(0, statement, EMPTY))


@pytest.mark.parametrize("statement", [Sit(ForeignText("New")), Leave()])
def test_a_seat_is_taken_and_left_by_who_has_seen_whether_a_game_runs(statement: Message) -> None:
    story = at("later-word")
    check_intent(story.table, story.intent(STRANGER, statement, head_at(story, story.table.era)))
    with refused(Reason.STALE):
        seen = head_at(story, story.table.era - 1)
        check_intent(story.table, story.intent(STRANGER, statement, seen))


@pytest.mark.parametrize("sequence", [1, 2])
def test_an_intent_counts_once(sequence: int) -> None:
    story = Story(2).ready(0)
    with refused(Reason.REPEATED):
        check_intent(story.table, story.intent(0, Leave(), sequence=sequence))


def test_the_future_was_seen_by_nobody() -> None:
    story = Story(2)
    with refused(Reason.OTHER_LOG):
        seen = Head(story.table.head.length + 1, bytes(32))
        check_intent(story.table, story.intent(0, Leave(), seen))


def test_who_was_ready_for_the_last_game_only_is_not_ready_for_the_next() -> None:
    story = finished().copy()
    late = story.intent(1, Ready(story.share(1).seal), head_at(story, story.table.turn - 1))
    with refused(Reason.STALE):
        check_intent(story.table, late)


# Folding


def folded(entries: list[Entry]) -> Table:
    table = None
    for entry in entries:
        table = fold(table, entry)
    assert table is not None
    return table


@very_few
@given(
    st.integers(2, 3), st.integers(0, 10**6), st.sampled_from(["milan", "bid-spoof", "three-coins"])
)
def test_a_game_comes_to_its_end_and_folds_to_the_same_table_again(
    players: int, seed: int, rules: str
) -> None:
    story = Story(players, rules).start(*range(players)).play_on(seed)
    assert folded(story.entries) == story.table
    assert story.game.winner is not None
    assert sum(1 for coins in story.game.coins if coins) == 1
    for played in story.game.past:
        change = sum(played.outcome.coins) - sum(played.words.coins)
        assert change == sum(played.outcome.changes.values())
        assert all(0 <= hand <= played.words.coins[seat] for seat, hand in played.hands.items())


def test_a_log_begins_with_the_opening_of_its_table() -> None:
    with pytest.raises(BrokenLog, match="begins with"):
        fold(None, Story(1).entries[1])


def test_a_table_of_another_protocol_is_not_folded() -> None:
    opened = replace(Story(0).table.opened, protocol=PROTOCOL + 1)
    with pytest.raises(BrokenLog, match=f"speaks protocol {PROTOCOL + 1}, this is {PROTOCOL}"):
        fold(None, Entry.sign(signing_key(255), 0, EMPTY, 0, opened))


def test_another_epoch_does_not_follow() -> None:
    story = Story(2)
    later = Entry.sign(
        story.host_key, 1, story.table.head, story.table.time, story.intent(0, Leave())
    )
    with pytest.raises(BrokenLog, match="epoch 1 where 0 is due"):
        fold(story.table, later)


def test_no_first_entry_is_of_a_later_epoch_or_place() -> None:
    opened = Story(0).table.opened
    for epoch, after in ((1, EMPTY), (0, Head(1, bytes(32)))):
        with pytest.raises(BrokenLog):
            fold(None, Entry.sign(signing_key(255), epoch, after, 0, opened))


def test_an_old_intent_of_the_log_does_not_fold_again() -> None:
    story = Story(2)
    again = story.entries[1].intent
    assert again is not None
    with pytest.raises(BrokenLog, match="said already"):
        fold(story.table, Entry.sign(story.host_key, 0, story.table.head, story.table.time, again))


def test_a_table_holds_no_hand_before_its_fist_is_open() -> None:
    one, other = choosing(), choosing()
    one.fists_of({SECOND: 0, THIRD: 0}).say(Ending.SPOOF)
    other.fists_of({SECOND: 3, THIRD: 2}).say(Ending.SPOOF)
    unsealed = [replace(s.table, head=EMPTY, game=replace(s.game, seals={})) for s in (one, other)]
    assert unsealed[0] == unsealed[1]
