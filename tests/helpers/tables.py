"""A whole table in one process: a host, guests, and links that deliver in order, from a seed."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.untrusted import ForeignText
from protocol.guest import guest as guest_side
from protocol.guest.guest import Guest, GuestEffect
from protocol.host import host as host_side
from protocol.host.host import Host, HostEffect, House
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Word
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.statements import Measure, TableOpened
from protocol.timing import Moment
from protocol.version import PROTOCOL
from protocol.views import TableView, view_for


@dataclass
class Chair:
    """One guest and what its outside world saw."""

    guest: Guest
    kept: list[guest_side.Secret] = field(default_factory=list)
    stored: list[Entry] = field(default_factory=list)
    events: list[GuestEffect] = field(default_factory=list)
    """Refusals, hang-ups and halts, in order."""
    everything: list[GuestEffect] = field(default_factory=list)
    """All that it wanted, in order."""
    link: int | None = None
    address: str | None = None
    """Where it comes from; None is the host's own program."""
    received: bytearray = field(default_factory=bytearray)
    """Every byte that came on its links."""
    sent: bytearray = field(default_factory=bytearray)
    """Every byte that it sent."""

    @property
    def view(self) -> TableView:
        return view_for(self.guest)


class MemoryTable:
    """A host and its guests; every act is delivered to the end before it returns."""

    def __init__(
        self,
        players: int,
        rules: str = "milan",
        seed: int = 0,
        seats: int = 9,
        start_when: int = 2,
        sit: bool = True,
        locked: bool = False,
    ) -> None:
        self.random = random.Random(seed)
        self.time = 0.0
        key = SigningKey(self.entropy())
        opened = TableOpened(
            PROTOCOL,
            key.public,
            ForeignText("Table"),
            Rules.parse(rules),
            seats,
            locked,
            60,
            0,
            self.entropy(),
        )
        self.house = House(ForeignText("House"), start_when)
        self.host_key = key
        self.host, effects = Host.open(key, self.house, opened, self.now(), self.random.randbytes)
        self.shown_key: bytes | None = None
        """The key in the host's certificate; None as in memory."""
        self.recorded: list[bytes] = []
        self.told: list[HostEffect] = []
        """What its host told of other hosts."""
        self._wires: deque[tuple[Callable[[int, bytes], None], int, bytes]] = deque()
        self._next_link = 0
        self.chairs: list[Chair] = []
        self._host(effects)
        for _ in range(players):
            self.add(sit=sit)

    def entropy(self) -> bytes:
        """32 bytes from the seed."""
        return self.random.randbytes(HASH_BYTES)

    def now(self, later: float = 0.001) -> Moment:
        """The time after `later` seconds more."""
        self.time += later
        return Moment(self.time, 1_700_000_000_000 + int(self.time * 1000))

    def add(self, sit: bool = True, name: str | None = None) -> Chair:
        """One more guest, connected and seated."""
        chair = Chair(Guest(SigningKey(self.entropy())))
        self.chairs.append(chair)
        self.connect(chair)
        if sit:
            self.act(chair, chair.guest.sit(ForeignText(name or f"Player{len(self.chairs)}")))
        return chair

    def connect(self, chair: Chair) -> None:
        """A fresh link between the guest and the host."""
        chair.link = self._next_link
        self._next_link += 1
        own = chair.guest.key == self.host_key.public
        shown = None if own else self.shown_key
        self._guest(chair, chair.guest.connected(b"", self.now(), shown))
        self._host(self.host.connected(chair.link, self.entropy(), b"", self.now(), chair.address))
        self.deliver()

    def restart_host(self) -> None:
        """The host's program ends and begins again with its log; nobody is connected."""
        for chair in self.chairs:
            chair.link = None
            self._guest(chair, chair.guest.disconnected())
        self._wires.clear()
        entries = [Entry.read(self.recorded[0])]
        entries += [Entry.read(blob, self.host_key.public) for blob in self.recorded[1:]]
        self.host = Host(self.host_key, self.house, entries, self.random.randbytes)
        self._host(self.host.resume(self.now()))

    def stand(self, chair: Chair, epoch: int | None = None) -> None:
        """The host is gone, and this guest's program stands for host; nobody is connected to it."""
        for each in self.chairs:
            each.link = None
            self._guest(each, each.guest.disconnected())
        self._wires.clear()
        self.host_key = chair.guest._key
        self.shown_key = self.host_key.public
        self.host = Host(
            self.host_key,
            self.house,
            list(chair.guest.log),
            self.random.randbytes,
            chair.guest.epoch + 1 if epoch is None else epoch,
        )

    def hand_over(self, seat: bytes) -> None:
        """The host gives its role to a seat."""
        self._host(self.host.hand_over(seat))
        self.deliver()

    def greeting(self) -> bytes:
        """What the host says to a connection that comes now."""
        effects = self.host.connected(-1, self.entropy(), b"", self.now(), None)
        return b"".join(e.data for e in effects if isinstance(e, host_side.Send))

    def decide(self, measure: Measure, seat: bytes) -> None:
        """The host carries a measure."""
        self._host(self.host.decide(measure, seat, self.now()))
        self.deliver()

    def cut(self, chair: Chair) -> None:
        """Both ends notice that the link is gone."""
        link, chair.link = chair.link, None
        self._guest(chair, chair.guest.disconnected())
        if link is not None:
            self._host(self.host.lost(link, self.now()))
        self.deliver()

    def act(self, chair: Chair, effects: Iterable[GuestEffect]) -> None:
        """Carry out what a guest wants, and all that follows."""
        self._guest(chair, effects)
        self.deliver()

    def pass_time(self, seconds: float, step: float = 0.25) -> None:
        """Let both sides tick for so long."""
        end = self.time + seconds
        while self.time < end:
            self._host(self.host.tick(self.now(step)))
            for chair in self.chairs:
                self._guest(chair, chair.guest.tick(self.now(0)))
            self.deliver()

    def ready(self, *chairs: Chair) -> None:
        """These, or all who sit, say ready."""
        for chair in chairs or self.chairs:
            self.act(chair, chair.guest.ready(self.entropy(), self.entropy()))

    def choose(self, *hands: int) -> None:
        """The fists of everybody who owes one, in the order of the chairs."""
        owing = [chair for chair in self.chairs if chair.view.own_fist_due]
        for chair, coins in zip(owing, hands, strict=True):
            self.act(chair, chair.guest.choose(coins, self.entropy()))

    def speaker(self) -> Chair:
        """Whose turn it is."""
        return next(chair for chair in self.chairs if chair.view.my_turn)

    def say(self, *words: Word) -> None:
        """The words of whoever is to speak, one after the other."""
        for word in words:
            chair = self.speaker()
            self.act(chair, chair.guest.speak(word))

    def play_on(self, raise_odds: float = 0.6) -> None:
        """Random play to the end of the running game."""
        while self.host.table.phase is not Phase.GATHERING:
            self._play_fists()
            self._play_words(raise_odds)

    def _play_fists(self) -> None:
        for chair in self.chairs:
            seat = chair.view.my_seat
            if chair.view.own_fist_due and seat:
                self.act(
                    chair, chair.guest.choose(self.random.randint(0, seat.coins), self.entropy())
                )

    def _play_words(self, raise_odds: float) -> None:
        while self.host.table.phase is Phase.SPEAKING:
            chair = self.speaker()
            view = chair.view
            if view.is_guessing:
                # Up to two attempts at numbers that are taken, now and then.
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
        for chair in self.chairs:
            if chair.link == link:
                chair.received += data
                self._guest(chair, chair.guest.received(data, self.now(0)))

    def _to_host(self, link: int, data: bytes) -> None:
        self._host(self.host.received(link, data, self.now(0)))

    def _host(self, effects: Iterable[HostEffect]) -> None:
        for effect in effects:
            if isinstance(effect, host_side.Send):
                self._wires.extend((self._to_guest, link, effect.data) for link in effect.links)
            elif isinstance(effect, host_side.Record):
                self.recorded.append(effect.blob)
            elif isinstance(effect, host_side.Elected | host_side.Superseded | host_side.Stranded):
                self.told.append(effect)
            elif isinstance(effect, host_side.More):
                self._host(self.host.pump(effect.link))
            elif isinstance(effect, host_side.Compute):
                self._host(self.host.computed(effect.link, effect.work(), self.now(0)))

    def _guest(self, chair: Chair, effects: Iterable[GuestEffect]) -> None:
        for effect in effects:
            chair.everything.append(effect)
            if isinstance(effect, guest_side.Transmit) and chair.link is not None:
                chair.sent += effect.data
                self._wires.append((self._to_host, chair.link, effect.data))
            elif isinstance(effect, guest_side.Keep):
                chair.kept.append(effect.secret)
            elif isinstance(effect, guest_side.Store):
                chair.stored.append(effect.entry)
            elif isinstance(effect, guest_side.Cut):
                del chair.stored[effect.length :]
                chair.events.append(effect)
            elif not isinstance(effect, guest_side.Changed | guest_side.Settle):
                chair.events.append(effect)
