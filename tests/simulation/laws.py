"""Laws that must hold in every world: watched while it lives, and judged when it is over.

Nothing here asks a program what it believes it has done: what counts is what is sure to survive on
its disk, and what leaves its machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from protocol.crypto.seals import SealedHand, SealPlace
from protocol.encoding.framing import FrameReader, frame
from protocol.guest.effects import Promise
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.rules.game import Game
from protocol.rules.words import Offence
from protocol.table.electorate import groups_of, is_majority
from protocol.table.fold import Phase, Table, fold
from protocol.table.log import Entry, Intent
from protocol.table.statements import (
    Decide,
    Fist,
    GameStarted,
    HostMoved,
    Open,
    Speak,
    TableContinued,
    Toss,
    Witness,
)
from protocol.table.verify import verify
from protocol.wire.messages import (
    Farewell,
    HandOver,
    Ping,
    Propose,
    Support,
    read_from_guest,
    read_from_host,
)
from spoof_tui.storage import journal
from spoof_tui.storage.journal import JournalRecord
from spoof_tui.storage.paths import JOURNAL
from spoof_tui.storage.stored_log import StoredLog
from tests.simulation.recount import fines, misplaced, paid_out, recount, rounds_paid
from tests.simulation.world import Machine, World

PLAY: Final = (GameStarted, Toss, Fist, Speak, Witness, Open)
"""What two hosts must never both put into a log. Sitting down and talking may be lost."""

_WATCHED: Final = tuple(kind.KIND.encode() for kind in (Propose, Support, Ping))
_HANDED: Final = HandOver.KIND.encode()


class Broken(AssertionError):
    """A law does not hold."""


@dataclass(frozen=True, slots=True)
class _Move:
    """How a table came to a later host."""

    movers: frozenset[bytes]
    """Keys that wanted it, and its own."""
    seats: frozenset[bytes]
    """Keys that had a seat there."""
    past: frozenset[int]
    """The epochs that it continues."""

    @classmethod
    def of(cls, moved: HostMoved, host: Host) -> _Move:
        """The move that this host announces."""
        movers = frozenset([moved.host, *(each.voter for each in moved.votes)])
        seats = frozenset(seat.key for seat in host.table.seats)
        return cls(movers, seats, frozenset(term.epoch for term in host.log.terms))


class Laws:
    """An observer who sees everything at once, as nobody at the table can."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables: dict[bytes, Table] = {}
        """The table after every entry that anybody ever held, by the hash of the entry."""
        self._readers: dict[bytes, set[bytes]] = {}
        """Keys whose disks hold an entry, by its hash."""
        self._holders: dict[bytes, set[bytes]] = {}
        """Of these, the keys that followed its host when they got it."""
        self.acknowledged: Final[dict[bytes, int]] = {}
        """Positions of entries that a majority of the electors had on disk, by hash: of those
        before the entry and after it, and of the former ones."""
        self._removals: dict[bytes, tuple[Entry, ...]] = {}
        """By entry: what its host has decided before it, or by it, since the table moved there."""
        self._vouched: set[bytes] = set()
        """Hashes of the entries that were made while their host could go on."""
        self._hosts: dict[int, bytes] = {}
        """The host of each epoch, by the entry that made it so."""
        self._moves: dict[int, _Move] = {}
        """How each epoch after the first has begun."""
        self._sealed: dict[bytes, tuple[str, SealedHand]] = {}
        """Hands that were put on a disk, by seal, with the machine."""
        self._shown: dict[SealPlace, bytes] = {}
        """The only seal that was sent for each place."""
        self._opened: dict[SealPlace, bytes] = {}
        """Where a fist was opened: the hash of the ending word that it answers."""
        self._due: dict[str, dict[bytes, bytes]] = {}
        """By machine and nonce: the ending word after which a fist may leave that machine."""
        self._shut: dict[str, dict[bytes, SealedHand]] = {}
        """By machine and nonce: hands that have not left it."""
        self._signed: dict[str, tuple[int, bytes]] = {}
        """By machine: the highest epoch that its program is bound in, and to whom, if it knows."""
        self._promised: dict[str, int] = {}
        """By machine: the highest epoch that it has promised, on its disk."""
        self._copies: dict[str, StoredLog] = {}
        """By machine: the copy of the log on its disk, as far as its program could read it."""
        self._made: set[bytes] = set()
        """Hashes of the entries that any host has made."""
        self._unsafe: dict[str, dict[bytes, Entry]] = {}
        """By machine: entries that its host has made but not put on its disk."""
        self._bots: set[str] = set()
        """Machines of bots, which keep everything in memory; after a restart it is another bot."""
        self.table: bytes | None = None
        """Id of the table, once somebody sits at it."""
        self.keys: Final[dict[str, bytes]] = {}
        """Public key of the player at a machine."""
        self.guest_of: Callable[[Machine], Guest | None] = lambda machine: None
        self.hosts: Callable[[], Iterable[tuple[Machine, Host]]] = lambda: ()
        """Every program that takes itself for the host."""
        self.is_over = False
        """Whether the game has gone on at another table: only this one is watched."""
        self.is_closed = False
        """Whether a host has closed the table, so that nobody is to go on."""

    # What is on a disk

    def durable(self, machine: Machine, path: str, data: bytes, is_whole: bool) -> None:
        """Something is now sure to survive on a disk: what was added to a file, or all of it."""
        if self.is_over:
            return
        if not path.endswith(JOURNAL):
            return
        for payload in _frames(data):
            self._unsafe.get(machine.name, {}).pop(payload, None)
            said = journal._read(payload)
            if isinstance(said, Promise):
                before = self._promised.get(machine.name, 0)
                self._promised[machine.name] = max(before, said.epoch)
            else:
                self._kept(machine, said)
        self._follow_log(machine, PurePosixPath(path).stem, data, is_whole)

    def _kept(self, machine: Machine, secret: object) -> None:
        if isinstance(secret, SealedHand):
            self._sealed[secret.seal] = machine.name, secret
            if secret.place not in self._opened:
                self._shut.setdefault(machine.name, {})[secret.nonce] = secret

    def _follow_log(self, machine: Machine, stem: str, data: bytes, is_whole: bool) -> None:
        key = self.keys[machine.name]
        if stem != journal._stem_of(key):
            return
        stored = self._copies.setdefault(machine.name, StoredLog())
        if is_whole:
            self._forgotten(key, stored.log)
            stored = self._copies[machine.name] = StoredLog()
        for blob in _frames(data):
            self._take(machine, stored, blob)

    def _take(self, machine: Machine, stored: StoredLog, blob: bytes) -> None:
        before = stored.log[:]
        taken = stored.take(blob)
        if taken.cut is not None:
            self._world.note(machine.name, f"cuts {len(before) - taken.cut}")
            self._forgotten(self.keys[machine.name], before[taken.cut :])
        for entry in taken.entries:
            self._held(machine, entry)

    def _held(self, machine: Machine, entry: Entry) -> None:
        guest = self.guest_of(machine)
        epoch = max(guest.epoch if guest else 0, self._promised.get(machine.name, 0))
        self._stored(self.keys[machine.name], entry, epoch)

    # What bots remember

    def sits_down(self, machine: Machine, bot: Guest) -> None:
        """A bot begins to play on a machine, with a key of its own.

        What one before it had there in its memory went with it, and binds nobody else.
        """
        self._bots.add(machine.name)
        for kept in (self._copies, self._promised, self._signed):
            kept.pop(machine.name, None)
        self.keys[machine.name] = bot.key

    def shows_views(self, guest: Guest) -> bool:
        """Whether a player decides by a guest's views."""
        return any(self.keys[name] == guest.key for name in self._bots)

    def remembers(self, machine: Machine, what: JournalRecord) -> None:
        """A bot has something in its memory, which counts as its disk: both go for good."""
        if machine.name not in self._bots or self.is_over:
            return
        if isinstance(what, Promise):
            self._promised[machine.name] = max(self._promised.get(machine.name, 0), what.epoch)
        elif isinstance(what, Entry):
            self._take(machine, self._copies.setdefault(machine.name, StoredLog()), what.blob)
        else:
            self._kept(machine, what)

    def crashed(self, machine: Machine) -> None:
        """What was not on the disk of a machine is nowhere."""
        self._unsafe.pop(machine.name, None)

    # What leaves a machine

    def left(self, machine: Machine, data: bytes) -> None:
        """Bytes leave a machine."""
        if self.is_over:
            return
        shut, due = self._shut.get(machine.name, {}), self._due.get(machine.name, {})
        for nonce in [nonce for nonce in shut if nonce in data]:
            hand = shut.pop(nonce)
            if nonce not in due:
                self._break(f"{machine.name} shows its hand of {_where(hand.place)}")
            self._opened[hand.place] = due[nonce]

        guest = self.guest_of(machine) if _HANDED in data else None
        if guest and guest.table:
            for said in map(read_from_host, FrameReader().feed(data)):
                if isinstance(said, HandOver) and said.support:
                    self._supported(machine, guest.table.epoch + 1)

        for blob, entry in self._unsafe.get(machine.name, {}).items():
            if blob in data:
                what = f"{entry.epoch}:{entry.position} {entry.statement.KIND}"
                self._break(f"{machine.name} shows {what} before it is on its disk")

    def transmitted(self, machine: Machine, data: bytes) -> None:
        """A guest sends bytes to a host or candidate."""
        guest = self.guest_of(machine)
        if guest is None or self.is_over or not any(kind in data for kind in _WATCHED):
            return
        for payload in FrameReader().feed(data):
            message = read_from_guest(payload)
            if isinstance(message, Propose):
                self._said(machine, guest, Intent.read(message.blob))
            elif isinstance(message, Support):
                self._supported(machine, guest.card.epoch if guest.card else 0)
            elif isinstance(message, Ping):
                self._attests(machine, message)

    def _attests(self, machine: Machine, ping: Ping) -> None:
        stored = self._copies.get(machine.name)
        held = len(stored.log) if stored else 0
        if ping.held > held:
            self._break(f"{machine.name} says that it keeps {ping.held} entries, not {held}")

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
        """A fist opens: the ending word is said, and everybody with a fist in has seen it."""
        place = hand.place
        ending = self._ending(guest, place)
        if ending is None:
            self._break(f"{machine.name} opens {_where(place)} before the ending word")
            return
        game = self._tables[ending.hash].game
        assert game is not None
        self._due.setdefault(machine.name, {})[hand.nonce] = ending.hash
        # Its author has signed the word, and need not get it back.
        knowing = {
            guest.key,
            *(game.players[seat].key for seat in (game.ender,) if seat is not None),
        }
        owners = {game.players[seat].key for seat in game.seals} - knowing
        readers = self._readers.get(ending.hash, set())
        for key in owners - readers:
            self._break(f"{machine.name} opens before {key.hex()[:6]} has seen the ending word")
        # If only one fist is in, nobody else's hand is known in a round that is played again.
        # Who could go on without the word judges by the log before it (FAILOVER, "A group that
        # shrinks"): whoever has confirmed a change since then holds the word.
        for group in groups_of(self._tables[ending.previous]) if owners else ():
            if is_majority(group - readers, group):
                self._break(f"{machine.name} opens on a word that most could go on without")

    def _ending(self, guest: Guest, place: SealPlace) -> Entry | None:
        """The entry that ended the words of a round, if this guest has seen its fists open.

        The round may be over: with a full disk an opened fist waits, and others play on without it.
        """
        ending, is_open = None, False
        for entry in reversed(guest.log[:]):
            table = self._tables[entry.hash]
            game = table.game
            if game is None or (game.number, game.round_number) < (place.game, place.round):
                break
            if (game.number, game.round_number) == (place.game, place.round):
                if table.phase in (Phase.WITNESSING, Phase.OPENING):
                    ending, is_open = entry, is_open or table.phase is Phase.OPENING
                elif ending:
                    break
        return ending if is_open else None

    def signs(self, machine: Machine, epoch: int, host: bytes) -> None:
        """A seat signs its support: for one host in an epoch, and for none in an earlier one."""
        if self.is_over:
            return
        bound, to = self._signed.get(machine.name, (0, b""))
        if epoch < bound or (epoch == bound and host != to):
            self._break(f"{machine.name} signs in epoch {epoch}, and is bound in epoch {bound}")
        self._signed[machine.name] = epoch, host

    def _supported(self, machine: Machine, epoch: int) -> None:
        """A support leaves its owner, for a candidate or with the role of its host."""
        if self._promised.get(machine.name, 0) < epoch:
            self._break(f"{machine.name} supports in epoch {epoch} before that is on its disk")

    def started(self, machine: Machine, guest: Guest) -> None:
        """A program starts: what it promised before still binds it."""
        if self.is_over:
            return
        self.table = self.table or guest._copy.table_id
        epoch = self._promised.get(machine.name, 0)
        if guest.epoch < epoch:
            self._break(f"{machine.name} has forgotten that it promised epoch {epoch}")
        self._signed[machine.name] = epoch, b""

    def _stored(self, key: bytes, entry: Entry, epoch: int) -> None:
        """An entry is on the disk of a participant who has promised to follow this epoch.

        A seat that has promised itself to a later host vouches for nothing that an earlier one
        said, and a host vouches for nothing that people say while others could have moved the
        table.
        """
        table = self.learn(entry)
        self._readers.setdefault(entry.hash, set()).add(key)
        if entry.epoch < epoch or entry.hash not in self._vouched:
            return
        holders = self._holders.setdefault(entry.hash, set())
        holders.add(key)
        if entry.hash in self.acknowledged:
            return
        # Those who do not know of a removal may move the table as it was before.
        removals = [
            (each, self._readers.get(each.hash, set())) for each in self._removals[entry.hash]
        ]
        known = [(self._tables[each.previous], readers) for each, readers in removals]
        before = self._tables.get(entry.previous, table)
        having = [(before, holders), (table, holders), *known]
        if all(is_majority(keys, group) for each, keys in having for group in groups_of(each)):
            self.acknowledged[entry.hash] = entry.position

    def _forgotten(self, key: bytes, entries: Iterable[Entry]) -> None:
        """A participant drops entries that another host has not."""
        for entry in entries:
            for keys in (self._readers, self._holders):
                keys.get(entry.hash, set()).discard(key)

    # What a host and a guest do

    def made(self, machine: Machine, host: Host, entry: Entry) -> None:
        """A host makes an entry."""
        if entry.hash in self._made or self.is_over:
            return
        self._made.add(entry.hash)
        if entry.previous not in self._tables:
            for each in host.log:
                self.learn(each)
        self.learn(entry)
        self._unsafe.setdefault(machine.name, {})[entry.blob] = entry
        if host.may_go_on(machine.now()):
            self._vouched.add(entry.hash)
        self._world.note(machine.name, f"{entry.epoch}:{entry.position} {entry.statement.KIND}")
        if isinstance(entry.statement, HostMoved):
            self._moves[entry.epoch] = _Move.of(entry.statement, host)
            self._deposed(entry.epoch)
        elif isinstance(entry.statement, PLAY):
            for reign in self._moves:
                if entry.epoch < reign and not self._are_apart(host.table, reign):
                    self._break(f"{machine.name} plays on in epoch {entry.epoch}, {reign} reigns")

    def _are_apart(self, table: Table, epoch: int) -> bool:
        """Whether a host has removed, from a table of an earlier epoch or from that of this one,
        everybody who moved the other one.

        A person said that they were gone for good, so no host waits for them ("The lease"): they
        are at a table of their own, until they hear of the later epoch and drop what they said.
        """
        earlier, later = self._moves.get(table.epoch), self._moves[epoch]
        seats = {seat.key for seat in table.seats}
        if not seats & later.movers:
            return True
        has_parted = earlier is not None and table.epoch not in later.past
        return has_parted and not (earlier and later.seats & earlier.movers)

    def _deposed(self, epoch: int) -> None:
        """A table moves: no earlier host could let its game go on now."""
        for machine, host in self.hosts():
            is_earlier = host.table.id == self.table and host.table.epoch < epoch
            if not (is_earlier and machine.is_awake) or self._are_apart(host.table, epoch):
                continue
            if host.may_go_on(machine.now()):
                self._break(f"{machine.name} may go on though epoch {epoch} has begun")

    def learn(self, entry: Entry) -> Table:
        """The table after an entry that is on a disk."""
        known = self._tables.get(entry.hash)
        if known is not None:
            return known
        before = self._tables.get(entry.previous)
        table = fold(before, entry)
        self._tables[entry.hash] = table
        if wrong := misplaced(table):
            self._break(f"after entry {entry.position}: {wrong}")
        moved, removals = entry.statement, self._removals.get(entry.previous, ())
        self._removals[entry.hash] = (*removals, entry) if isinstance(moved, Decide) else removals
        if isinstance(moved, HostMoved):
            self._removals[entry.hash] = ()
            chosen = self._hosts.setdefault(moved.epoch, moved.host)
            if chosen != moved.host:
                self._break(f"epoch {moved.epoch} has two hosts")
        return table

    def halted(self, machine: Machine, why: Exception) -> None:
        """A guest says that its host cheats: here nobody does."""
        self._break(f"{machine.name} stops: {why}")

    def sent_away(self, machine: Machine, why: Farewell) -> None:
        """A session is over: the only reason that anybody here gives is a refused seat."""
        is_meant = why is Farewell.BARRED or (why is Farewell.CLOSED and self.is_closed)
        if not is_meant:
            self._break(f"{machine.name} is sent away: {why.value}")

    def continued(self, entry: Entry) -> None:
        """The game goes on at a new table, with the coins of the last count (G8)."""
        opening = entry.statement
        assert isinstance(opening, TableContinued)
        old = self._tables.get(opening.last)
        if self.is_over or opening.table != self.table:
            return
        if old is None or old.head.length != opening.length:
            self._break("a new table goes on from an entry that nobody has")
            return
        self.is_over = True
        owned = _owned(old)
        for seat in opening.seats:
            if seat.coins != owned.get(seat.key) and any(each.coins for each in opening.seats):
                self._break(f"{seat.name.raw} has {seat.coins} coins at the new table")
        if wrong := misplaced(fold(None, entry)):
            self._break(f"at the new table: {wrong}")

    def judge(self, guests: Iterable[tuple[Machine, Guest]]) -> None:
        """At the end, of all who can talk: one log, nothing lost, nothing against the rules."""
        logs = {machine.name: list(guest.log) for machine, guest in guests if len(guest.log)}
        longest = max(logs.values(), key=len, default=[])
        for name, log in logs.items():
            if log[-1].hash != longest[len(log) - 1].hash:
                self._break(f"the log of {name} is no beginning of the longest one")
        for hash_, position in self.acknowledged.items():
            if position < len(longest) and longest[position].hash == hash_:
                continue
            if self._was_apart(hash_, longest):
                continue
            self._break(f"entry {position}, which most seats had, is lost")
        said = [entry.intent.blob for entry in longest if entry.intent]
        if len(set(said)) < len(said):
            self._break("something stands in the log twice")
        self._judge_log(longest)

    def _was_apart(self, hash_: bytes, log: Iterable[Entry]) -> bool:
        """Whether an entry was said at a table apart from that of the log."""
        table = self._tables[hash_]
        moves = (each for each in log if isinstance(each.statement, HostMoved))
        later = next((each.epoch for each in moves if each.epoch > table.epoch), None)
        return later is not None and self._are_apart(table, later)

    def _judge_log(self, log: list[Entry]) -> None:
        held = {entry.hash for entry in log}
        for place, ending in self._opened.items():
            if ending not in held and not self._was_apart(ending, log):
                self._break(f"{_where(place)} was opened after an ending word that was lost")
        verdict = verify(frame(entry.blob) for entry in log)
        if verdict.fault is not None:
            self._break(f"the log does not hold: {verdict.fault.message}")
        for game in verdict.games:
            if wrong := recount(game):
                self._break(f"game {game.number}: {wrong}")
        self._judge_chips(log, verdict.games)
        self._judge_slate(log, verdict.games)

    def _judge_chips(self, log: list[Entry], games: Iterable[Game]) -> None:
        table = self._tables[log[-1].hash] if log else None
        if table is None or table.phase is not Phase.GATHERING:
            return
        chips = {key: count for key, count in table.stakes.chips.items() if count}
        if chips != paid_out(games):
            self._break(f"chips {sorted(chips.values())}, not {sorted(paid_out(games).values())}")

    def _judge_slate(self, log: list[Entry], games: Iterable[Game]) -> None:
        if not log:
            return
        slate, stakes = self._tables[log[-1].hash].slate, self._tables[log[-1].hash].stakes
        given = [(fine.key, fine.offence, fine.lifted) for fine in slate.fines]
        counted = fines(log, self._tables)
        if given != counted:
            self._break(f"the slate has {_told(given)}, not {_told(counted)}")
        if [*slate.paid, *stakes.paid] != (paid := rounds_paid(games)):
            self._break(f"{len(slate.paid + stakes.paid)} rounds are paid, not {len(paid)}")

    def _break(self, why: str) -> None:
        self._world.note("LAW", why)
        broken = Broken(why)
        # A program that catches the exception here cannot hide it.
        self._world.trouble = self._world.trouble or broken
        raise broken


def _frames(data: bytes) -> Iterator[bytes]:
    yield from FrameReader().feed(data)


def _owned(table: Table) -> dict[bytes, int]:
    """Everybody's coins in the running game, as they were last counted, for those with a seat."""
    game = table.game
    if game is None or table.phase is Phase.GATHERING:
        return {}
    pairs = enumerate(zip(game.players, game.coins, strict=True))
    return {player.key: coins for seat, (player, coins) in pairs if seat not in game.removed}


def _told(given: Iterable[tuple[bytes, Offence, bool]]) -> str:
    return " ".join(f"{why.value}{' lifted' * lifted}" for _, why, lifted in given)


def _where(place: SealPlace) -> str:
    return f"game {place.game} round {place.round} of {place.seat.hex()[:6]}"
