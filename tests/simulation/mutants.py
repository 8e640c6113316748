"""Deliberate bugs, and how many evenings find each: `python -m tests.simulation.mutants`.

A simulator that finds nothing proves nothing: each mutant changes one function of the protocol
or of the model, and some law has to be broken within its number of seeds.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import patch

from protocol.guest import voter
from protocol.guest.effects import Changed, GuestEffect, Store
from protocol.guest.outbox import Outbox
from protocol.guest.secrets import OwnSecrets
from protocol.guest.voter import Voter
from protocol.host.host import Host, HostEffect, Record
from protocol.host.lease import Lease
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game
from protocol.rules.outcome import Verdict
from protocol.rules.words import Ending
from protocol.table.head import Head
from protocol.table.state import Table
from protocol.table.statements import Away, HostMoved
from protocol.table.transitions import succession
from tests.simulation import programs
from tests.simulation.disks import Vault
from tests.simulation.programs import Program
from tests.simulation.runs import Failure, run
from tests.simulation.servers import Server

Change = tuple[Any, str, Any]
"""A class or a module, the name of something in it, and what takes its place."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One bug."""

    what: str
    changes: tuple[Change, ...]
    within: int = 300
    """Seeds within which it is found, counted from 0."""

    def find(self) -> Failure | None:
        """The first failure; None if every law held in all of these evenings."""
        with contextlib.ExitStack() as stack:
            for change in self.changes:
                stack.enter_context(patch.object(*change))
            for seed in range(self.within):
                try:
                    run(seed)
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


def _send_first(original: Callable[..., None]) -> Callable[..., None]:
    def carry_out(server: Server, effects: Iterable[HostEffect]) -> None:
        listed = list(effects)
        original(server, [each for each in listed if not isinstance(each, Record)])
        original(server, [each for each in listed if isinstance(each, Record)])

    return carry_out


def _transmit_first(original: Callable[..., None]) -> Callable[..., None]:
    def carry_out(program: Program, effects: Iterable[GuestEffect]) -> None:
        listed = list(effects)
        original(program, [each for each in listed if not isinstance(each, Store)])
        original(program, [each for each in listed if isinstance(each, Store)])

    return carry_out


def _only_away(host: Host, at: Any) -> list[HostEffect]:
    effects: list[HostEffect] = []
    for seat in host.table.seats:
        if not seat.away and not host.connections.of(seat.key) and not host._candidacy:
            effects += host._append(Away(seat.key), at)
    return effects


def _keep_unsynced(vault: Vault, secret: Any) -> None:
    with patch.object(vault._disk, "sync", lambda name: None):
        _KEEP(vault, secret)


def _remember_only(secrets: OwnSecrets, secret: Any) -> Changed:
    _REMEMBER(secrets, secret)
    return Changed()


def _record_unsynced(vault: Vault, blob: bytes) -> None:
    with patch.object(vault._disk, "sync", lambda name: None):
        _RECORD(vault, blob)


def _promise_unsynced(vault: Vault, epoch: int) -> None:
    with patch.object(vault._disk, "sync", lambda name: None):
        _PROMISE(vault, epoch)


def _wrong_call(words: BiddingRound, ending: Ending, ender: int, total: int) -> Any:
    if ending is Ending.CALL and words.standing and total == words.standing[1]:
        return Verdict.CALL_BID_FALSE, {words.standing[0]: -1}
    return _JUDGE(words, ending, ender, total)


_REMEMBER = OwnSecrets.remember
_KEEP, _RECORD, _PROMISE = Vault.keep, Vault.record, Vault.promise
_JUDGE = BiddingRound._judge

_ASKS_ALONE: Final = (Lease, "most_are_here", lambda lease, table: True)

MUTANTS: Final = (
    Mutant(
        "a promise is not in the epoch that is followed",
        ((Voter, "epoch", lambda voter, table_epoch: table_epoch),),
    ),
    Mutant("a promise is not synced", ((Vault, "promise", _promise_unsynced),)),
    Mutant("a promise is not kept over a crash", ((Vault, "promised", lambda vault: 0),)),
    Mutant("a secret is not synced", ((Vault, "keep", _keep_unsynced),)),
    Mutant("a secret is not kept", ((OwnSecrets, "remember", _remember_only),), 3),
    Mutant("the host's log is not synced", ((Vault, "record", _record_unsynced),)),
    Mutant(
        "a host sends before it records", ((Server, "carry_out", _send_first(Server.carry_out)),)
    ),
    Mutant(
        "a guest confirms before it stores",
        ((Program, "_carry_out", _transmit_first(Program._carry_out)),),
        600,
    ),
    Mutant(
        "two are supported in one epoch",
        ((Voter, "support", _support_anybody(Voter.support)),),
        1000,
    ),
    Mutant(
        "somebody is supported while the host is heard",
        ((voter, "SUPPORT_DELAY", 0.0), (programs, "SUPPORT_DELAY", 0.0)),
    ),
    Mutant(
        "half of the seats are a majority",
        (
            (succession, "supports", _supports_with(lambda votes, all: 2 * votes >= all)),
            _ASKS_ALONE,
        ),
    ),
    Mutant(
        "a table moves without support enough",
        ((succession, "supports", _supports_with(lambda votes, all: votes > 0)), _ASKS_ALONE),
    ),
    Mutant(
        "a host plays on without a majority", ((Lease, "holds", lambda lease, table, at: True),), 20
    ),
    Mutant(
        "a host forgets what it held back", ((Host, "_take_held_back", lambda host, at: []),), 900
    ),
    Mutant(
        "a fist opens before its witnesses",
        ((Game, "witnesses_missing", property(lambda game: ())),),
        3,
    ),
    Mutant("nobody is back after a move", ((Host, "resume", _only_away),), 1000),
    Mutant("nothing is said again after a loss", ((Outbox, "say_again", lambda outbox, log: []),)),
    Mutant("a call that is just right is wrong", ((BiddingRound, "_judge", _wrong_call),), 30),
)


def main(arguments: Sequence[str]) -> int:
    """Look for every mutant, or for those whose words hold what is given; 1 if one survives."""
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
