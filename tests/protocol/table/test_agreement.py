"""Whatever is said and whatever goes wrong, host, guests and verifier have one table."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader, frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.guest.effects import Halt
from protocol.notation.checking import check
from protocol.notation.writing import game_records
from protocol.rules.words import Bid, Direction, Drink, Ending, Offence
from protocol.table.fold import advance
from protocol.table.log import Intent
from protocol.table.statements import (
    NO_ONE,
    AwardFine,
    Elect,
    Fist,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Open,
    Order,
    Ready,
    Say,
    Seen,
    Sit,
    Speak,
    Toss,
    Vote,
    Witness,
)
from protocol.table.verify import verify
from protocol.timeouts import SUPPORT_DELAY
from protocol.views import LinkState
from protocol.wire.messages import Entries, Propose, Refusal, read_from_host, write
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable

SEATS = st.integers(0, 3)
"""One of the guests, of whom there are two to four."""

WORDS = st.integers(0, 12).map(Bid) | st.sampled_from(Ending)
HASHES = st.sampled_from([bytes(32), b"x" * 32])

LIMITS = {Reason.TOO_FAST.code, Reason.LOG_FULL.code}
"""What a host may refuse though the table allows it."""


def statements(keys: Sequence[bytes]) -> st.SearchStrategy[Message]:
    """Anything that somebody may say about these seats, wise or not."""
    seats = st.sampled_from(keys)
    return st.one_of(
        st.builds(Speak, WORDS, st.none() | st.sampled_from(Direction)),
        st.builds(Fist, HASHES),
        st.builds(Open, st.integers(0, 4), HASHES),
        st.builds(Toss, HASHES, HASHES),
        st.builds(Ready, HASHES),
        st.sampled_from([Witness(), Seen(), Leave(), Sit(ForeignText("New")), LiftFine(0)]),
        st.just(Say(ForeignText("hm"))),
        st.builds(Gesticulate, st.sampled_from(Gesture)),
        st.builds(Vote, st.sampled_from(Measure), st.sampled_from([*keys, NO_ONE]), st.booleans()),
        st.builds(Elect, seats),
        st.builds(AwardFine, seats, st.sampled_from(Offence)),
        st.builds(Order, st.sampled_from(Drink)),
    )


class Evening(RuleBasedStateMachine):
    """An evening in memory, at which anybody may say anything at any time."""

    @initialize(
        players=st.integers(2, 4),
        rules=st.sampled_from(["milan cap=3", "bid-spoof", "three-coins", "hollywood"]),
        seed=st.integers(0, 99),
    )
    def sit_down(self, players: int, rules: str, seed: int) -> None:
        self.table = MemoryTable(players, rules, seed=seed, clock=20)
        self.draw = random.Random(seed)

    def client(self, number: int) -> GuestSide:
        return self.table.clients[number % len(self.table.clients)]

    @property
    def here(self) -> list[GuestSide]:
        return [client for client in self.table.clients if client.link is not None]

    @property
    def is_whole(self) -> bool:
        return len(self.here) == len(self.table.clients)

    @rule()
    def all_are_ready(self) -> None:
        for client in self.here:
            self._try(client, "ready")

    @rule(steps=st.integers(1, 12))
    def whoever_is_awaited_plays(self, steps: int) -> None:
        for _ in range(steps):
            for client in self.here:
                view, seat = client.view, client.view.my_seat
                if view.own_fist_due and seat:
                    self._try(client, "choose", self.draw.randint(0, seat.coins))
                elif view.my_turn:
                    legal = [option.word for option in view.options if option.forbidden is None]
                    numbers = [Bid(view.lowest_bid)] if view.lowest_bid else []
                    free = [Bid(number) for number in view.free] if view.is_guessing else []
                    if said := [*legal, *numbers, *free]:
                        self._try(client, "speak", self.draw.choice(said))

    def _try(self, client: GuestSide, act: str, *arguments: object) -> None:
        """An act of a guest's own program, which refuses what the table does not allow."""
        secrets = {"ready": 2, "choose": 1}.get(act, 0)
        bytes_ = [self.table.entropy() for _ in range(secrets)]
        try:
            self.table.act(client, getattr(client.guest, act)(*arguments, *bytes_))
        except Illegal:
            return

    @rule(who=SEATS, back=st.integers(0, 9), data=st.data())
    def somebody_says_anything(self, who: int, back: int, data: st.DataObject) -> None:
        client, host = self.client(who), self.table.host
        if client.link is None or client.guest.link is not LinkState.UP:
            return  # A barred guest is sent away.
        statement = data.draw(statements([each.guest.key for each in self.table.clients]))
        before, log = host.table, host.log
        seen = log[max(len(log) - 1 - back, 0)].head
        sequence = before.sequences.get(client.guest.key, 0) + data.draw(st.integers(0, 2))
        intent = Intent.sign(client.guest._key, sequence, seen, statement)
        expected = None
        try:
            advance(before, intent, host._sequencer.time(self.table.now(0)))
        except Illegal as error:
            expected = error.reason.code
        heard, length, holds = len(client.received), len(log), host.may_go_on(self.table.now(0))
        self.table._to_host(client.link, write(Propose(intent.blob)))
        self.table.deliver()
        received = FrameReader().feed(bytes(client.received[heard:]))
        said = [read_from_host(payload) for payload in received]
        codes = [each.code for each in said if isinstance(each, Refusal)]
        taken = [
            entry for entry in log[length:] if entry.intent and entry.intent.blob == intent.blob
        ]
        if taken:
            assert expected is None
            assert any(isinstance(each, Entries) for each in said)
        elif codes:
            assert codes[0] == expected or codes[0] in LIMITS
        else:
            assert sequence <= before.sequences.get(client.guest.key, 0) or not holds

    @rule(measure=st.sampled_from(Measure), who=SEATS)
    def the_host_decides(self, measure: Measure, who: int) -> None:
        if measure in (Measure.BAR, Measure.REMOVE) and len(self.table.host.table.seats) < 3:
            return
        try:
            self.table.decide(measure, self.client(who).guest.key)
        except Illegal as error:
            assert error.reason is not Reason.NOT_NOW

    @rule(pause=st.booleans())
    def the_host_pauses(self, pause: bool) -> None:
        try:
            self.table.decide(Measure.PAUSE if pause else Measure.GO_ON, NO_ONE)
        except Illegal as error:
            assert error.reason is Reason.NO_CHANGE

    @rule(who=SEATS)
    def a_link_breaks(self, who: int) -> None:
        if self.client(who).link is not None:
            self.table.cut(self.client(who))

    @rule(who=SEATS)
    def somebody_returns(self, who: int) -> None:
        if self.client(who).link is None:
            self.table.connect(self.client(who))

    @rule(seconds=st.sampled_from([1, 5, 25, 70]))
    def time_passes(self, seconds: int) -> None:
        self.table.pass_time(seconds, step=1.0)

    @precondition(lambda self: not self.table.host.table.epoch and not self.table.host.is_standing)
    @rule()
    def the_host_starts_again(self) -> None:
        self.table.restart_host()
        self.all_return()

    @precondition(lambda self: self.is_whole and self.table.host.may_go_on(self.table.now(0)))
    @rule(who=SEATS)
    def the_table_moves(self, who: int) -> None:
        heir = self.client(who)
        if (
            self.table.host.table.seat(heir.guest.key) is None
            or len(self.table.host.table.seats) < 2
        ):
            return
        self.table.now(SUPPORT_DELAY)
        self.table.stand(heir)
        self.all_return()
        self.table.pass_time(SUPPORT_DELAY + 1)
        assert not self.table.host.is_standing

    def all_return(self) -> None:
        for client in self.table.clients:
            if client.link is None:
                self.table.connect(client)
        self.table.pass_time(2, step=1.0)

    @invariant()
    def everybody_has_the_table_of_the_host(self) -> None:
        if not hasattr(self, "table"):
            return
        host = self.table.host
        for client in self.table.clients:
            assert not client.events(Halt)
            if client.link is not None and client.guest.link is LinkState.UP:
                assert client.guest.log.head == host.log.head
                assert client.guest.table == host.table

    def teardown(self) -> None:
        if not hasattr(self, "table"):
            return
        host = self.table.host
        verdict = verify([b"".join(frame(entry.blob) for entry in host.log)])
        assert verdict.holds and verdict.table == host.table
        for game in verdict.games:
            for record in game_records(game, event="", date="2026-11-21"):
                assert check(record).faults == ()


TestEvening = Evening.TestCase
TestEvening.settings = settings(
    max_examples=max(settings().max_examples // 5, 10), stateful_step_count=30
)
