"""The player's own chair, as the painter's thread holds it; everything it does is backstage."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from protocol.errors import Illegal, ProtocolError
from protocol.guest import Guest
from protocol.keys import SigningKey
from protocol.limits import MAX_NAME
from protocol.messages import Card, OtherVersion
from protocol.slate import Drink, Offence
from protocol.statements import Gesture, Measure
from protocol.words import Direction, Word
from spoof_tui.backstage import Backstage
from spoof_tui.bots.levels import Level
from spoof_tui.bots.names import MAX_CELLS
from spoof_tui.bots.players import BotPlayers
from spoof_tui.hosting import HostedTable, Plan
from spoof_tui.network import known
from spoof_tui.network.addresses import Address, own_ways
from spoof_tui.network.links import Dial, Owner, dial
from spoof_tui.network.probe import ProbeFailed, probe_any
from spoof_tui.renewal import Renewal
from spoof_tui.session import NotAllowed, Notice, NotSaved, Session
from spoof_tui.storage import Identity
from spoof_tui.text import own_text, show
from spoof_tui.vault import DiskVault, NoVault, Vault


@dataclass(frozen=True, slots=True)
class CannotOpen:
    """The table could not be opened or reached."""

    error: Exception


@dataclass(frozen=True, slots=True)
class Opened:
    """The own table stands."""

    port: int | None
    """Where others reach it; None when it is for this machine only."""
    trouble: str | None
    """Why others may not find it; None when they can."""
    code: str | None
    """The join code to tell others; None where nobody else comes, or anybody may."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """The own table has another join code."""

    code: str
    why: Renewal


ChairNotice = Notice | CannotOpen | Opened | NewCode


class Chair:
    """A seat at one table, and the table itself when it is the player's own.

    `notify` is called backstage. Commands return at once; refusals come as notices.
    """

    def __init__(
        self,
        backstage: Backstage,
        identity: Identity,
        name: str,
        notify: Callable[[ChairNotice], None],
    ) -> None:
        self._backstage = backstage
        self._identity = identity
        self._name = name
        self._notify = notify
        self._session: Session | None = None
        self._staying: asyncio.Task[None] | None = None
        self._table: HostedTable | None = None
        self._bots: BotPlayers | None = None
        self._closed = False
        self.address: Address | None = None
        """Where somebody else's table was found."""
        self.card: Card | None = None
        """What that table says of itself; None until it has answered."""

    @property
    def is_host(self) -> bool:
        """Whether the table is the player's own."""
        return self._table is not None

    def open(self, plan: Plan, bots: int = 0, level: Level = Level.MEDIUM) -> None:
        """Open a table, sit down at it, and let `bots` sit down too."""
        self._backstage.spawn(self._open(plan, bots, level))

    def join(self, address: Address, code: str | None = None) -> None:
        """Sit down at the table at `address`, which may ask for its join code."""
        self.address = address
        self._backstage.spawn(self._join(address, code))

    def use_code(self, code: str) -> None:
        """Prove the join code that the table asked for."""
        self._tell(lambda session: session.use_code(code))

    def peek(self) -> int | None:
        """The coins in the own fist; None while it is not in."""
        return self._session.own_hand if self._session else None

    def sit(self) -> None:
        """Ask for a seat again, after having watched."""
        self._tell(lambda session: session.sit())

    def ready(self) -> None:
        """Be ready for the next game."""
        self._tell(lambda session: session.ready())

    def choose(self, coins: int) -> None:
        """Put the fist in."""
        self._tell(lambda session: session.choose(coins))

    def speak(self, word: Word, direction: Direction | None = None) -> None:
        """Say a word."""
        self._tell(lambda session: session.speak(word, direction))

    def say(self, line: str) -> None:
        """Say a line of talk."""
        self._tell(lambda session: session.say(line))

    def gesticulate(self, gesture: Gesture) -> None:
        """Make a gesture."""
        self._tell(lambda session: session.gesticulate(gesture))

    def elect(self, seat: bytes) -> None:
        """Want the owner of this key for chairman."""
        self._tell(lambda session: session.elect(seat))

    def award_fine(self, seat: bytes, offence: Offence) -> None:
        """As chairman, fine the owner of this key."""
        self._tell(lambda session: session.award_fine(seat, offence))

    def lift_fine(self, index: int) -> None:
        """As chairman, lift the fine of this number on the slate, from 0."""
        self._tell(lambda session: session.lift_fine(index))

    def order(self, drink: Drink) -> None:
        """Order the drinks."""
        self._tell(lambda session: session.order(drink))

    def vote(self, measure: Measure, seat: bytes, yes: bool = True) -> None:
        """Vote for a measure about the owner of this key, or take the vote back (G5)."""
        self._tell(lambda session: session.vote(measure, seat, yes))

    def decide(self, measure: Measure, seat: bytes) -> None:
        """As host, carry a measure about the owner of this key (G5)."""
        self._backstage.call(self._decide, measure, seat)

    def renew_code(self) -> None:
        """Take another join code for the own table."""
        if self._table:
            self._backstage.call(self._table.renew_code)

    def add_bot(self, level: Level = Level.MEDIUM) -> None:
        """Have one more bot sit down at the own table."""
        self._backstage.call(self._add_bots, 1, level)

    async def close(self) -> None:
        """Leave the table, and close it if it is the own one; runs backstage."""
        self._closed = True
        if self._table:
            # First, so that the others hear that it closes and not that people go away.
            await self._table.close()
        if self._bots:
            await self._bots.close()
        if self._session:
            self._session.close()
        if self._staying:
            await self._staying

    def _tell(self, command: Callable[[Session], None]) -> None:
        session = self._session
        if session:
            self._backstage.call(command, session)

    async def _open(self, plan: Plan, bots: int, level: Level) -> None:
        key = SigningKey(self._identity.seed)
        try:
            table = await HostedTable.open(plan, key)
        except (OSError, ProtocolError) as error:
            self._notify(CannotOpen(error))
            return
        if self._closed:
            await table.close()
            return
        self._table = table
        port, code = (table.port, table.code) if plan.public else (None, None)
        self._notify(Opened(port, table.trouble, code))
        if code is not None:
            self._watch_code(table, code)
        self._sit(key, table.server.host.table.id, table.server.connect)
        self._add_bots(bots, level)

    def _watch_code(self, table: HostedTable, shown: str) -> None:
        def look() -> None:
            nonlocal shown
            if table.code and table.renewal and table.code != shown:
                shown = table.code
                self._notify(NewCode(shown, table.renewal))

        table.listen(look)

    def _decide(self, measure: Measure, seat: bytes) -> None:
        if self._table is None:
            return
        try:
            self._table.decide(measure, seat)
        except Illegal as error:
            self._notify(NotAllowed(error))

    def _add_bots(self, count: int, level: Level) -> None:
        if self._table is None:
            return
        if self._bots is None:
            self._bots = BotPlayers(self._table.server.connect)
        seats = self._table.server.host.table.seats
        self._bots.add(count, level, lambda: [show(seat.name, MAX_CELLS) for seat in seats])

    async def _join(self, address: Address, code: str | None) -> None:
        try:
            answer = await probe_any(own_ways(address))
        except ProbeFailed as error:
            self._notify(CannotOpen(error))
            return
        if answer.card is None:
            self._notify(CannotOpen(OtherVersion(answer.protocol, answer.program)))
            return

        self.card = answer.card

        async def connect(owner: Owner) -> None:
            await dial(owner, answer.address)

        known.remember(answer.address)
        self._sit(SigningKey(self._identity.seed), answer.card.table, connect, code)

    def _sit(self, key: SigningKey, table: bytes, connect: Dial, code: str | None = None) -> None:
        if self._closed:
            return
        vault = self._open_vault(table, key.public)
        guest = Guest(key, table, vault.entries(), vault.secrets())
        name = own_text(self._name, MAX_NAME)
        self._session = Session(guest, connect, self._notify, name=name, vault=vault)
        if code is not None:
            self._session.use_code(code)
        self._staying = asyncio.get_running_loop().create_task(self._session.run())

    def _open_vault(self, table: bytes, key: bytes) -> Vault:
        try:
            return DiskVault(table, key)
        except OSError as error:
            self._notify(NotSaved(error))
            return NoVault()
