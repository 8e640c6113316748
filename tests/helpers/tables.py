"""A whole table in one process: a host, guests, and links that deliver in order, from a seed."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import GuestEffect, Transmit
from protocol.guest.guest import Guest
from protocol.guest.secrets import OwnSecrets
from protocol.host import effects as host_side
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Word
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.statements import Backing, Measure, Sit, TableOpened
from protocol.timeouts import Moment
from protocol.version import PROTOCOL
from tests.helpers.sides import GuestSide, HostSide


class MemoryTable(HostSide):
    """A host and its guests; every act is delivered to the end before it returns."""

    began = 1_700_000_000_000

    def __init__(
        self,
        players: int,
        rules: str = "milan",
        seed: int = 0,
        seats: int = 9,
        start_when: int = 2,
        sit: bool = True,
        locked: bool = False,
        clock: int = 0,
    ) -> None:
        super().__init__()
        self.random = random.Random(seed)
        key = SigningKey(self.entropy())
        opened = TableOpened(
            PROTOCOL,
            key.public,
            ForeignText("Table"),
            Rules.parse(rules),
            seats,
            locked,
            60,
            clock,
            self.entropy(),
        )
        self.policy = HostPolicy(ForeignText("HostPolicy"), start_when)
        self.host_key = key
        self.host, effects = Host.open(key, self.policy, opened, self.now(), self.random.randbytes)
        self.shown_key: bytes | None = None
        """The key in the host's certificate; None as in memory."""
        self._wires: deque[tuple[Callable[[int, bytes], None], int, bytes]] = deque()
        self._next_link = 0
        self.clients: list[GuestSide] = []
        self.carry_out(effects)
        for _ in range(players):
            self.add(sit=sit)

    def entropy(self) -> bytes:
        """32 bytes from the seed."""
        return self.random.randbytes(HASH_BYTES)

    def now(self, later: float = 0.001) -> Moment:
        return super().now(later)

    def add(
        self,
        sit: bool = True,
        name: str | None = None,
        address: str | None = None,
        port: int = 0,
    ) -> GuestSide:
        """One more guest, connected and seated; at `port` it could serve the table."""
        client = GuestSide(Guest(SigningKey(self.entropy()), port=port), address)
        self.clients.append(client)
        self.connect(client)
        if sit:
            self.act(
                client, client.guest.propose(Sit(ForeignText(name or f"Player{len(self.clients)}")))
            )
        return client

    def connect(self, client: GuestSide) -> None:
        """A fresh link between the guest and the host."""
        client.link = self._next_link
        self._next_link += 1
        own = client.guest.key == self.host_key.public
        shown = None if own else self.shown_key
        self._guest(client, client.guest.connected(b"", self.now(), shown))
        self.carry_out(
            self.host.connected(client.link, self.entropy(), b"", self.now(), client.address)
        )
        self.deliver()

    def restart_host(self) -> None:
        """The host's program ends and starts again with its log; nobody is connected."""
        for client in self.clients:
            client.link = None
            self._guest(client, client.guest.disconnected())
        self._wires.clear()
        entries = [Entry.read(self.recorded[0])]
        entries += [Entry.read(blob, self.host_key.public) for blob in self.recorded[1:]]
        self.host = Host(self.host_key, self.policy, entries, self.random.randbytes)
        self.carry_out(self.host.resume(self.now()))

    def stand(
        self, client: GuestSide, epoch: int | None = None, pledges: Iterable[Backing] = ()
    ) -> None:
        """The host is gone, and this guest's program stands for host; nobody is connected to it.

        It was given `pledges` in advance.
        """
        for each in self.clients:
            each.link = None
            self._guest(each, each.guest.disconnected())
        self._wires.clear()
        told = self.host.later_epochs if self.host_key is client.guest._key else None
        self.host_key = client.guest._key
        self.shown_key = self.host_key.public
        self.host = Host(
            self.host_key,
            self.policy,
            list(client.guest.log),
            self.random.randbytes,
            client.guest.epoch + 1 if epoch is None else epoch,
            pledges=pledges,
            later_epochs=told,
        )

    def hand_over(self, seat: bytes, support: bytes | None = None) -> None:
        """The host hands its role to a seat, perhaps with the support of its own one."""
        self.carry_out(self.host.hand_over(seat, support))
        self.deliver()

    def greeting(self) -> bytes:
        """The host's answer to a connection that comes now."""
        effects = self.host.connected(-1, self.entropy(), b"", self.now(), None)
        return b"".join(e.data for e in effects if isinstance(e, host_side.Send))

    def decide(self, measure: Measure, seat: bytes) -> None:
        """The host takes a measure."""
        self.carry_out(self.host.decide(measure, seat, self.now()))
        self.deliver()

    def cut(self, client: GuestSide) -> None:
        """Both ends notice that the link is gone."""
        self.lose_at_once(client)

    def go_on_with_copy(self, client: GuestSide) -> None:
        """The guest's program runs on another computer now: its files were copied there before it
        sealed anything."""
        client.guest._secrets = OwnSecrets(client.guest.key, ())

    def lose_at_once(self, *clients: GuestSide) -> None:
        """The host loses all of these before anybody can answer to the first loss."""
        for client in clients:
            link, client.link = client.link, None
            self._guest(client, client.guest.disconnected())
            if link is not None:
                self.carry_out(self.host.lost(link, self.now()))
        self.deliver()

    def act(self, client: GuestSide, effects: Iterable[GuestEffect]) -> None:
        """Carry out what a guest wants, and everything that follows."""
        self._guest(client, effects)
        self.deliver()

    def pass_time(self, seconds: float, step: float = 0.25) -> None:
        """Let both sides tick for this many seconds."""
        end = self.time + seconds
        while self.time < end:
            self.carry_out(self.host.tick(self.now(step)))
            for client in self.clients:
                self._guest(client, client.guest.tick(self.now(0)))
            self.deliver()

    def ready(self, *clients: GuestSide) -> None:
        """These, or all who sit, say ready."""
        for client in clients or self.clients:
            self.act(client, client.guest.ready(self.entropy(), self.entropy()))

    def choose(self, *hands: int) -> None:
        """Fists of everybody who owes one, in seat order."""
        owing = [client for client in self.clients if client.view.own_fist_due]
        for client, coins in zip(owing, hands, strict=True):
            self.act(client, client.guest.choose(coins, self.entropy()))

    def speaker(self) -> GuestSide:
        """Whose turn it is."""
        return next(client for client in self.clients if client.view.my_turn)

    def say(self, *words: Word) -> None:
        """These words, each by the player whose turn it is."""
        for word in words:
            client = self.speaker()
            self.act(client, client.guest.speak(word))

    def play_on(self, raise_odds: float = 0.6) -> None:
        """Random play to the end of the running game."""
        while self.host.table.phase is not Phase.GATHERING:
            self._play_fists()
            self._play_words(raise_odds)

    def _play_fists(self) -> None:
        for client in self.clients:
            seat = client.view.my_seat
            if client.view.own_fist_due and seat:
                self.act(
                    client, client.guest.choose(self.random.randint(0, seat.coins), self.entropy())
                )

    def _play_words(self, raise_odds: float) -> None:
        while self.host.table.phase is Phase.SPEAKING:
            client = self.speaker()
            view = client.view
            if view.is_guessing:
                # Now and then, up to two attempts at numbers that are taken.
                all_numbers = range(view.most + 1)
                any_will_do = view.my_attempts < 2 and self.random.random() < 0.2
                self.say(Bid(self.random.choice(all_numbers if any_will_do else view.free)))
            elif view.lowest_bid is not None and self.random.random() < raise_odds:
                self.say(
                    Bid(self.random.randint(view.lowest_bid, min(view.lowest_bid + 2, view.most)))
                )
            else:
                legal = [option.word for option in view.options if option.forbidden is None]
                self.say(self.random.choice(legal))

    def deliver(self) -> None:
        """Carry every byte that is on its way, in order."""
        while self._wires:
            receive, link, data = self._wires.popleft()
            receive(link, data)

    def _to_guest(self, link: int, data: bytes) -> None:
        for client in self.clients:
            if client.link == link:
                client.received += data
                effects = client.guest.received(data, self.now(0))
                self._guest(client, effects)

    def _to_host(self, link: int, data: bytes) -> None:
        self.carry_out(self.host.received(link, data, self.now(0)))

    def sent(self, link: int, data: bytes) -> None:
        self._wires.append((self._to_guest, link, data))

    def record(self, blob: bytes) -> None:
        assert not any(blob in data for *_, data in self._wires), "sent before it is kept"
        super().record(blob)

    def _guest(self, client: GuestSide, effects: Iterable[GuestEffect]) -> None:
        for effect in effects:
            client.effects.append(effect)
            if isinstance(effect, Transmit) and client.link is not None:
                self._wires.append((self._to_host, client.link, effect.data))
