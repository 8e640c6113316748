"""What must hold in every world: watched while it lives, and judged when it is over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocol.crypto.seals import Place, SealedHand
from protocol.encoding.framing import FrameReader, frame
from protocol.guest.guest import Guest, Secret
from protocol.host.host import Host
from protocol.table.fold import Phase, Table, fold
from protocol.table.log import Entry, Intent
from protocol.table.statements import Fist, GameStarted, HostMoved, Open, Speak, Toss, Witness
from protocol.table.verify import verify
from protocol.wire.messages import Propose, Support, read_from_guest
from tests.simulation.recount import recount
from tests.simulation.world import Machine, World

PLAY: Final = (GameStarted, Toss, Fist, Speak, Witness, Open)
"""What no two hosts may put into a log. Who sits down or talks meanwhile may do so in vain."""


class Broken(AssertionError):
    """A law does not hold."""


class Laws:
    """An observer who sees everything at once, as nobody at the table can."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables: dict[bytes, Table] = {}
        """The table after every entry that anybody ever had, by the hash of the entry."""
        self._readers: dict[bytes, set[bytes]] = {}
        """Keys whose disks hold an entry, by its hash."""
        self._holders: dict[bytes, set[bytes]] = {}
        """Of these, those that followed its host when they got it."""
        self.acknowledged: Final[dict[bytes, int]] = {}
        """Positions of the entries that a majority of the seats had on its disks, by hash."""
        self._vouched: set[bytes] = set()
        """Hashes of the entries that were made while their host could go on."""
        self._hosts: dict[int, bytes] = {}
        """Who was host in an epoch, by the entry that made it."""
        self._reigns = 0
        """The latest epoch that has begun."""
        self._sealed: dict[bytes, tuple[str, SealedHand]] = {}
        """Hands that were put on a disk, by their seals, and the machine."""
        self._shown: dict[Place, bytes] = {}
        """The one seal that was sent for each place."""
        self._opened: dict[Place, bytes] = {}
        """Where a fist was opened: the hash of the ending word that it answers."""
        self._due: dict[str, dict[bytes, bytes]] = {}
        """By machine and nonce: the ending word after which a fist may leave that machine."""
        self._shut: dict[str, dict[bytes, SealedHand]] = {}
        """By machine and nonce: hands that have not left it."""
        self._promises: dict[bytes, tuple[int, bytes]] = {}
        """The highest epoch that each key supported anybody in, and whom."""

    def kept(self, machine: Machine, secret: Secret) -> None:
        """A secret is on a disk."""
        if isinstance(secret, SealedHand):
            self._sealed[secret.seal] = machine.name, secret
            if secret.place not in self._opened:
                self._shut.setdefault(machine.name, {})[secret.nonce] = secret

    def left(self, machine: Machine, data: bytes) -> None:
        """Bytes leave a machine."""
        shut, due = self._shut.get(machine.name, {}), self._due.get(machine.name, {})
        for nonce in [nonce for nonce in shut if nonce in data]:
            hand = shut.pop(nonce)
            if nonce not in due:
                self._break(f"{machine.name} shows its hand of {_where(hand.place)}")
            self._opened[hand.place] = due[nonce]

    def transmitted(self, machine: Machine, guest: Guest, data: bytes, to: bytes) -> None:
        """A guest sends bytes to the owner of a key, who hosts the table or wants to."""
        if not any(kind.KIND.encode() in data for kind in (Propose, Support)):
            return
        for payload in FrameReader().feed(data):
            message = read_from_guest(payload)
            if isinstance(message, Propose):
                self._said(machine, guest, Intent.read(message.blob))
            elif isinstance(message, Support):
                self._supported(machine, guest, to)

    def _said(self, machine: Machine, guest: Guest, intent: Intent) -> None:
        statement = intent.statement
        if isinstance(statement, Fist):
            self._sealing(machine, statement)
        elif isinstance(statement, Open):
            hand = self._shut.get(machine.name, {}).get(statement.nonce)
            if hand is not None:
                self._opening(machine, guest, hand)

    def _sealing(self, machine: Machine, fist: Fist) -> None:
        """A seal leaves its owner: its content is on that owner's disk, and it is the only one."""
        name, hand = self._sealed.get(fist.seal, ("", None))
        if hand is None or name != machine.name:
            self._break(f"{machine.name} sends a seal whose hand it has not kept")
        elif self._shown.setdefault(hand.place, fist.seal) != fist.seal:
            self._break(f"{machine.name} seals {_where(hand.place)} twice")

    def _opening(self, machine: Machine, guest: Guest, hand: SealedHand) -> None:
        """A fist opens: the ending word is said, and whoever has a fist in has seen it."""
        table = guest.table
        assert table is not None and table.game is not None
        game, ending, place = table.game, self._ending(guest), hand.place
        if table.phase is not Phase.OPENING or ending is None:
            self._break(f"{machine.name} opens {_where(place)} before the ending word")
            return
        self._due.setdefault(machine.name, {})[hand.nonce] = ending.hash
        # Who said the word has signed it: that one need not have it back.
        knowing = {
            guest.key,
            *(game.players[seat].key for seat in (game.ender,) if seat is not None),
        }
        owners = {game.players[seat].key for seat in game.seals} - knowing
        for key in owners - self._readers.get(ending.hash, set()):
            self._break(f"{machine.name} opens before {key.hex()[:6]} has seen the ending word")

    def _ending(self, guest: Guest) -> Entry | None:
        """The entry that ended the words of this round, as this guest has it."""
        ending = None
        for entry in reversed(guest.log[:]):
            if self._tables[entry.hash].phase not in (Phase.WITNESSING, Phase.OPENING):
                break
            ending = entry
        return ending

    def _supported(self, machine: Machine, guest: Guest, to: bytes) -> None:
        """A support leaves its owner: for one host in an epoch, and for none in an earlier one."""
        asked = guest.card.epoch if guest.card else 0
        epoch, host = self._promises.get(guest.key, (0, b""))
        if (asked, to) != (epoch, host) and asked <= epoch:
            self._break(f"{machine.name} supports twice in epoch {asked}")
        self._promises[guest.key] = asked, to

    def started(self, machine: Machine, guest: Guest) -> None:
        """A program starts: what it promised before binds it still."""
        epoch, _ = self._promises.get(guest.key, (0, b""))
        if guest.epoch < epoch:
            self._break(f"{machine.name} has forgotten that it promised epoch {epoch}")

    def stored(self, key: bytes, entry: Entry, epoch: int) -> None:
        """An entry is on the disk of a participant, who has promised to follow this epoch.

        Who has promised itself to a later host vouches for nothing that an earlier one said, and
        a host vouches for nothing that people say while others could have moved the table.
        """
        table = self.learn(entry)
        self._readers.setdefault(entry.hash, set()).add(key)
        if entry.epoch < epoch or entry.hash not in self._vouched:
            return
        holders = self._holders.setdefault(entry.hash, set())
        holders.add(key)
        seats = {seat.key for seat in table.seats}
        if len(seats & holders) > len(seats) / 2:
            self.acknowledged.setdefault(entry.hash, entry.position)

    def forgotten(self, key: bytes, entries: Iterable[Entry]) -> None:
        """A participant drops entries that another host has not."""
        for entry in entries:
            for keys in (self._readers, self._holders):
                keys.get(entry.hash, set()).discard(key)

    def elected(self, machine: Machine, host: Host) -> None:
        """A host that stood has been chosen."""
        self._world.note(machine.name, f"is host in epoch {host.table.epoch}")

    def recorded(self, machine: Machine, host: Host, entry: Entry) -> None:
        """A host put an entry into its log."""
        self.learn(entry)
        if host.may_go_on(machine.now()):
            self._vouched.add(entry.hash)
        self._world.note(machine.name, f"{entry.epoch}:{entry.position} {entry.statement.KIND}")
        if isinstance(entry.statement, HostMoved):
            self._reigns = max(self._reigns, entry.epoch)
        elif isinstance(entry.statement, PLAY) and entry.epoch < self._reigns:
            self._break(f"{machine.name} plays on in epoch {entry.epoch}, {self._reigns} reigns")

    def learn(self, entry: Entry) -> Table:
        """The table after an entry that is on a disk."""
        known = self._tables.get(entry.hash)
        if known is not None:
            return known
        before = self._tables.get(entry.previous)
        table = fold(before, entry)
        self._tables[entry.hash] = table
        moved = entry.statement
        if isinstance(moved, HostMoved):
            chosen = self._hosts.setdefault(moved.epoch, moved.host)
            if chosen != moved.host:
                self._break(f"epoch {moved.epoch} has two hosts")
        return table

    def halted(self, machine: Machine, why: Exception) -> None:
        """A guest says that its host cheats: here nobody does."""
        self._break(f"{machine.name} stops: {why}")

    def judge(self, guests: Iterable[tuple[Machine, Guest]]) -> None:
        """At the end, of those who can talk: one log, nothing lost, nothing against the rules."""
        logs = {machine.name: list(guest.log) for machine, guest in guests if guest.log}
        longest = max(logs.values(), key=len, default=[])
        for name, log in logs.items():
            if log[-1].hash != longest[len(log) - 1].hash:
                self._break(f"the log of {name} is no beginning of the longest one")
        for hash_, position in self.acknowledged.items():
            if position >= len(longest) or longest[position].hash != hash_:
                self._break(f"entry {position}, which most seats had, is lost")
        said = [entry.intent.blob for entry in longest if entry.intent]
        if len(set(said)) < len(said):
            self._break("something stands in the log twice")
        self._judge_log(longest)

    def _judge_log(self, log: list[Entry]) -> None:
        held = {entry.hash for entry in log}
        for place, ending in self._opened.items():
            if ending not in held:
                self._break(f"{_where(place)} was opened after an ending word that was lost")
        verdict = verify(frame(entry.blob) for entry in log)
        if verdict.fault is not None:
            self._break(f"the log does not hold: {verdict.fault.message}")
        for game in verdict.games:
            if wrong := recount(game):
                self._break(f"game {game.number}: {wrong}")

    def _break(self, why: str) -> None:
        self._world.note("LAW", why)
        raise Broken(why)


def _where(place: Place) -> str:
    return f"game {place.game} round {place.round} of {place.seat.hex()[:6]}"
