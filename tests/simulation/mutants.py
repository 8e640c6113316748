"""Deliberate bugs, and how many evenings find each: `python -m tests.simulation.mutants`.

A simulator that finds nothing proves nothing: each mutant changes one function of the protocol
or of the shell round it, and some law has to be broken within its number of seeds.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final
from unittest.mock import patch

from protocol.crypto.seals import SealedHand
from protocol.encoding.framing import frame
from protocol.encoding.replacing import replace
from protocol.failover import election
from protocol.failover.election import Election
from protocol.failover.roles import HandingOver, Hosting, Standing
from protocol.guest import voter
from protocol.guest.effects import Changed, Keep, Promise, Sync
from protocol.guest.link import HostLink
from protocol.guest.outbox import Outbox
from protocol.guest.secrets import OwnSecrets
from protocol.guest.voter import Voter
from protocol.host import later_epochs
from protocol.host.connections import GuestLink
from protocol.host.effects import HostEffect, Record
from protocol.host.host import Host
from protocol.host.later_epochs import LaterEpochs
from protocol.host.lease import Lease
from protocol.host.sequencer import Sequencer
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game
from protocol.rules.slate import Slate
from protocol.rules.stakes import Stakes
from protocol.rules.words import Ending, Verdict
from protocol.table import continuation, electorate, state
from protocol.table.electorate import voters_of
from protocol.table.head import Head
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import Away, HostMoved
from protocol.table.transitions import seating
from protocol.timeouts import Moment, RoundTrip
from protocol.wire.messages import Ping
from spoof_tui.network import locator
from spoof_tui.network.probe import FoundTable
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime import session
from spoof_tui.runtime.connection import _Silence
from spoof_tui.runtime.failover_driver import FailoverDriver
from spoof_tui.runtime.hosted_table import HostedTable
from spoof_tui.runtime.seat import Seat
from spoof_tui.runtime.session import Session
from spoof_tui.storage import files
from spoof_tui.storage.disk import DiskTask, OrderedEffects
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.journal import Journal, JournalRecord
from spoof_tui.telling import connection
from spoof_tui.telling.connection import Claim, Saying, Silence
from spoof_tui.telling.table_state import TableState
from tests.simulation import lies, mishaps, successions, world
from tests.simulation.runs import Failure, run

WITHIN: Final = 100
"""Seeds within which every bug must be found."""

Change = tuple[Any, str, Any]
"""A class or a module, the name of something in it, and its replacement."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One bug."""

    what: str
    changes: tuple[Change, ...]
    run: Callable[[int], object] = run
    """The run for each seed."""
    seed: int = 0
    """The seed that last found it, which is tried first."""

    def find(self) -> Failure | None:
        """The first failure; None if every law held in all of these evenings."""
        return next((found for seed in self.seeds if (found := self.found_by(seed))), None)

    @property
    def seeds(self) -> list[int]:
        """The seeds to try, in this order."""
        return sorted(range(WITHIN), key=lambda seed: (seed != self.seed, seed))

    def found_by(self, seed: int) -> Failure | None:
        """The failure with this seed; None if every law holds."""
        with contextlib.ExitStack() as stack:
            for change in self.changes:
                stack.enter_context(patch.object(*change))
            try:
                self.run(seed)
            except Failure as failure:
                return failure
        return None


def _support_anybody(original: Callable[..., Any]) -> Callable[..., Any]:
    def support(voter: Any, link: Any, table: Any, at: Any) -> Any:
        if link.is_candidate:
            voter.promised = min(voter.promised, link.epoch - 1)
        return original(voter, link, table, at)

    return support


def _supports_with(enough: Callable[[int, int], bool]) -> Callable[..., bool]:
    def supports(table: Table, moved: HostMoved, head: Head) -> bool:
        return enough(len(moved.votes), len(table.seats))

    return supports


async def _counts(seat: FailoverDriver, answer: FoundTable) -> bool:
    return True


def _unasked(claim: Claim, when: Callable[[Silence], bool]) -> tuple[Saying, ...]:
    """The list of what is claimed, with another condition of one claim."""
    return tuple(
        replace(saying, when=when) if saying.claim is claim else saying
        for saying in connection.SAYINGS
    )


def _unordered(owner: type[Session] | type[TableServer], what: type) -> Change:
    """Carry on with later effects before an effect is on the disk."""
    original = owner.kind_of

    def kind_of(self: Any, effect: Any) -> DiskTask:
        kind = original(self, effect)
        inner = getattr(effect, "effect", effect)
        late = DiskTask.ACT if what is Sync else DiskTask.WRITE
        return late if isinstance(inner, what) else kind

    return owner, "kind_of", kind_of


def _unsynced(kind: type | UnionType) -> Change:
    """Nobody waits until a record of this kind is on the disk."""

    def write(journal: Journal, *records: JournalRecord) -> None:
        if not any(isinstance(each, kind) for each in records):
            _WRITE_RECORDS(journal, *records)
            return
        with patch.object(files, "sync", lambda file: None):
            _WRITE_RECORDS(journal, *records)

    return Journal, "write", write


def _reading(**changes: Any) -> Change:
    """A journal is read with these parts of it replaced."""
    return Journal, "read", lambda journal: replace(_READ(journal), **changes)


def _forget_refused(effects: Any, items: Any, done: Any) -> None:
    effects._is_writing = False
    done.exception()
    for item in items:
        item.is_written = True
    effects._act()


def _cut_first(journal: Journal, *records: JournalRecord) -> None:
    """Drop the entries that another host has not, and then write what that one says."""
    log = journal._stored.log
    entries = [each for each in records if isinstance(each, Entry) and not log.holds(each.head)]
    start = min((each.position for each in entries), default=len(log))
    if start < len(log):
        dropped = {entry.blob for entry in log[start:]}
        kept = [payload for payload in journal._frames.read() if payload not in dropped]
        files.write_private(journal._frames._path, b"".join(map(frame, kept)))
        journal._read()
    _WRITE_RECORDS(journal, *records)


def _take_for_kept(frames: Frames) -> list[bytes]:
    payloads = _READ_FRAMES(frames)
    frames._is_synced = True
    return payloads


def _leave_torn(frames: Frames, file: Any) -> None:
    frames._torn = None


def _rank_of_all(own: Election, table: Table) -> int:
    key = own.guest.key
    heirs = [seat.key for seat in table.seats if seat.key != table.host]
    return 0 if table.host == key else heirs.index(key)


def _everybody_left(own: Election, table: Table) -> frozenset[bytes]:
    return voters_of(table) - {table.host} | {own.guest.key}


def _only_away(host: Host, at: Any) -> list[HostEffect]:
    effects: list[HostEffect] = []
    for seat in host.table.seats:
        if not seat.away and not host.connections.of(seat.key) and not host._candidacy:
            effects += host._append(Away(seat.key), at)
    return effects


async def _carry_on_nothing(*what: object) -> None:
    return None


def _remember_only(secrets: OwnSecrets, secret: Any) -> Changed:
    _REMEMBER(secrets, secret)
    return Changed()


def _wrong_call(words: BiddingRound, ending: Ending, ender: int, total: int) -> Any:
    if ending is Ending.CALL and words.standing and total == words.standing[1]:
        return Verdict.CALL_BID_FALSE, {words.standing[0]: -1}
    return _JUDGE(words, ending, ender, total)


def _one_more(table: Table, along: Set[bytes]) -> dict[bytes, int]:
    return {key: coins + 1 for key, coins in _COINS(table, along).items()}


def _count_sent(lease: Lease, connection: GuestLink, ping: Ping, at: Moment) -> None:
    _ANSWERED(lease, connection, ping, at)
    connection.held = connection.sent


def _written_anyway(session: Session, effects: Sequence[Any]) -> None:
    with contextlib.suppress(OSError):
        _WRITE(session, effects)


def _last_pays(slate: Slate, game: Game) -> Slate:
    after = _AFTER_ROUND(slate, game)
    if after.paid == slate.paid:
        return after
    return replace(after, paid=(*slate.paid, game.players[0].key))


_ANSWERED = Lease.answered
_WRITE = Session.write
_WRITE_RECORDS = Journal.write
_READ = Journal.read
_READ_FRAMES = Frames.read
_AFTER_ROUND = Slate.after_round
_COINS = continuation._coins
_NEVER = property(lambda role: False, lambda *_: None)
_REMEMBER = OwnSecrets.remember
_JUDGE = BiddingRound._judge

_ASKS_ALONE: Final = (Lease, "most_are_here", lambda *_: True)

MUTANTS: Final = (
    Mutant(
        "a promise is not in the epoch that is followed",
        ((Voter, "epoch", lambda voter, table_epoch: table_epoch),),
        mishaps.role_is_given_to_who_is_gone,
    ),
    Mutant("a promise is not synced", (_unsynced(Promise),), seed=4),
    Mutant(
        "a promise is not kept over a crash",
        (_reading(promised=0),),
        mishaps.torn_support,
        seed=3,
    ),
    Mutant(
        "what a full disk refuses is never written",
        ((OrderedEffects, "_end_write", _forget_refused),),
        seed=4,
    ),
    Mutant(
        "a full disk is not tried again before something more is to be written",
        ((OrderedEffects, "_try_again", lambda effects: setattr(effects, "_retry", None)),),
        mishaps.full_for_a_moment,
    ),
    Mutant(
        "half a frame stays in the middle of a log",
        ((Frames, "_cut", _leave_torn), (Frames, "cut_torn_end", lambda frames: frames.read())),
        seed=1,
    ),
    Mutant(
        "what a program has read counts as kept",
        ((Frames, "read", _take_for_kept),),
        mishaps.back_at_a_full_disk,
    ),
    Mutant(
        "a log is cut before what takes its place is on the disk",
        ((Journal, "write", _cut_first),),
        mishaps.torn_move,
        seed=7,
    ),
    Mutant("a secret is not synced", (_unsynced(SealedHand),), seed=4),
    Mutant("a secret is not kept", ((OwnSecrets, "remember", _remember_only),), seed=4),
    Mutant("the host's log is not synced", (_unsynced(Entry),)),
    Mutant("a seal is sent before it is on the disk", (_unordered(Session, Keep),), seed=4),
    Mutant("an entry is sent before it is on the disk", (_unordered(TableServer, Record),)),
    Mutant("a support is sent before it is on the disk", (_unordered(Session, Promise),), seed=4),
    Mutant(
        "an ending word is attested before it is on the disk",
        (_unordered(Session, Sync),),
        seed=1,
    ),
    Mutant(
        "two are supported in one epoch",
        ((Voter, "support", _support_anybody(Voter.support)),),
        mishaps.torn_support,
        seed=5,
    ),
    Mutant(
        "somebody is supported while the host is heard",
        ((voter, "SUPPORT_DELAY", 0.0), (election, "SUPPORT_DELAY", 0.0)),
        successions.unplugged_host,
    ),
    Mutant(
        "half of the seats are a majority",
        (
            (electorate, "supports", _supports_with(lambda votes, all: 2 * votes >= all)),
            _ASKS_ALONE,
        ),
        mishaps.half_is_gone,
    ),
    Mutant(
        "a table moves without support enough",
        ((electorate, "supports", _supports_with(lambda votes, all: votes > 0)), _ASKS_ALONE),
        seed=23,
    ),
    Mutant(
        "a host plays on without a majority",
        ((Lease, "holds", lambda lease, table, at: True),),
        seed=16,
    ),
    Mutant(
        "a host forgets what it held back",
        ((Host, "_take_held_back", lambda host, at: []),),
        mishaps.host_holds_back,
        seed=4,
    ),
    Mutant(
        "a fist opens before its witnesses",
        ((Game, "witnesses_missing", property(lambda game: ())),),
        seed=8,
    ),
    Mutant(
        "the seats' turns wait for those who are away",
        ((Election, "rank", _rank_of_all),),
        successions.dead_host,
        seed=1,
    ),
    Mutant(
        "those whose programs went with the host are counted on",
        ((Election, "left", _everybody_left),),
        successions.bots_go_with_the_host,
        seed=2,
    ),
    Mutant(
        "of two that stand none gives way",
        # Nor because a seat that both want has promised itself to the other one.
        (
            (Standing, "gives_way", _NEVER),
            (Voter, "is_bound", lambda voter, epoch, candidate: False),
        ),
        mishaps.torn_support,
        seed=12,
    ),
    Mutant("nobody is back after a move", ((Host, "resume", _only_away),), seed=22),
    Mutant(
        "nothing is said again after a loss",
        ((Outbox, "say_again", lambda outbox, log: []),),
        seed=9,
    ),
    Mutant(
        "those who go along to a new table never get there",
        ((HostedTable, "carry_on", _carry_on_nothing),),
        mishaps.most_leave,
        seed=12,
    ),
    Mutant(
        "a new table gives everybody a coin",
        ((continuation, "_coins", _one_more),),
        mishaps.most_leave,
    ),
    Mutant(
        "a new table has no pot",
        ((state, "dealt_in", lambda table: table),),
        mishaps.most_leave,
        seed=1,
    ),
    Mutant(
        "nobody goes on without who is away",
        ((Table, "play_on_from", lambda table, key: None),),
        seed=11,
    ),
    Mutant(
        "the clock of a table stops with that of its host",
        ((Sequencer, "time", lambda log, at: max(at.wall, log.table.time)),),
        mishaps.clock_set_back,
    ),
    Mutant(
        "the silence of who gave the role away has no end",
        ((election, "isfinite", lambda seconds: True),),
        seed=33,
    ),
    Mutant(
        "a host that ends gives its role to nobody",
        ((HostedTable, "successor", lambda table, at: None),),
        successions.host_leaves,
    ),
    Mutant(
        "an offer holds a seat for ever",
        ((_Silence, "is_held", lambda silence, at: False),),
        mishaps.held_by_offer,
        seed=5,
    ),
    Mutant(
        "nobody takes a role that is handed over",
        ((Election, "hand_over", lambda own, what, at: None),),
        successions.host_leaves,
    ),
    Mutant(
        "a host counts what it has sent as kept",
        ((Lease, "answered", _count_sent),),
        mishaps.few_are_left_in_the_game,
    ),
    Mutant(
        "a host is deaf to a later epoch",
        ((Hosting, "is_outrun", _NEVER),),
        mishaps.role_is_given_to_who_is_gone,
    ),
    Mutant(
        "a support is pledged before its promise is on the disk",
        ((HandingOver, "is_pledged", property(lambda role: True, lambda *_: None)),),
        successions.host_leaves_its_slow_disk,
    ),
    Mutant(
        "a host forgets whom it removed",
        ((Lease, "is_doubted", lambda lease, table, heard: False),),
        mishaps.host_removes_whom_it_misses,
        seed=3,
    ),
    Mutant(
        "a host gives its table up for one seat",
        ((later_epochs, "can_move", lambda *_: True),),
        lies.liar_before_a_game,
    ),
    Mutant(
        "who lies is believed again and again",
        ((LaterEpochs, "_takes", lambda *_: True),),
        lies.liar_in_a_game,
    ),
    Mutant(
        "a host believes nobody who has promised a later epoch",
        ((LaterEpochs, "told", lambda *_, **__: []),),
        mishaps.bound_to_the_dead,
    ),
    Mutant(
        "whoever says that the table has moved there is heard as its host",
        ((HostLink, "is_of_host", lambda link, table: True),),
        lies.false_server,
    ),
    Mutant(
        "who led nowhere is given way to",
        ((FailoverDriver, "_counts", _counts),),
        lies.false_server,
    ),
    Mutant(
        "a bot asks for a seat once",
        ((session, "PASSING", frozenset()),),
        mishaps.arrivals_as_the_game_starts,
        seed=1,
    ),
    Mutant(
        "a support goes out though its promise was not written",
        ((Session, "write", _written_anyway),),
        seed=17,
    ),
    Mutant(
        "a host whose packets are lost is given up after three seconds",
        ((RoundTrip, "gone_delay", property(lambda trip: 3.0)),),
        successions.nobody_is_away_where_packets_are_lost,
        seed=16,
    ),
    Mutant(
        "clocks go apart by a fifth", ((world, "DRIFT", 0.2),), successions.unplugged_host, seed=84
    ),
    Mutant(
        "the others wait for a silent host",
        ((election, "SUPPORT_DELAY", 30.0),),
        successions.silent_host,
    ),
    Mutant(
        "another window forgets the hands of the first",
        (_reading(secrets=()),),
        mishaps.another_window,
        seed=3,
    ),
    Mutant(
        "who stands for host claims to take the table over, whoever is heard",
        (
            (
                connection,
                "SAYINGS",
                _unasked(Claim.TAKING_OVER, lambda silence: silence.is_standing),
            ),
        ),
    ),
    Mutant(
        "a host that hears nobody is told nothing",
        ((Seat, "_note_silence", lambda seat, at: None),),
        seed=14,
    ),
    Mutant(
        "a vote is offered where nothing counts",
        ((TableState, "_may_vote", lambda state, view: view.my_seat is not None),),
        seed=21,
    ),
    Mutant(
        "who was heard once is heard for ever",
        ((locator, "HEARD_FOR", 3600.0),),
        seed=87,
    ),
    Mutant("a gloat costs nothing", ((seating, "_gloated", lambda table, author: table),), seed=8),
    Mutant("the same one always pays", ((Slate, "after_round", _last_pays),), seed=19),
    Mutant("nobody takes the pot", ((Stakes, "over", lambda stakes, game: stakes),), seed=8),
    Mutant("a call that is just right is wrong", ((BiddingRound, "_judge", _wrong_call),), seed=11),
)


def main(arguments: Sequence[str]) -> int:
    """Look for every mutant, or for those whose names contain an argument; 1 if one survives."""
    survivors = 0
    for mutant in MUTANTS:
        if not all(word in mutant.what for word in arguments):
            continue
        began, failure = time.process_time(), mutant.find()
        spent = time.process_time() - began
        told = f"seed {failure.seed}: {failure.why[:90]}" if failure else "SURVIVES"
        print(f"{mutant.what}: {told} ({spent:.1f} s)", flush=True)
        survivors += failure is None
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
