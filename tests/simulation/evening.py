"""One evening at one table: its people and machines, and when it is over."""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import Final, Self

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS, Rules
from protocol.table.electorate import can_move, could_move, voters_of
from protocol.table.fold import Phase, Table
from protocol.timeouts import MAX_UNSTEADY_DELAY
from protocol.views import LinkState
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.runtime.hosted_table import TablePlan
from tests.simulation.laws import Laws
from tests.simulation.players import STRANGER, Character
from tests.simulation.programs import BotProgram, HeadlessProgram, Program, Setting
from tests.simulation.substitutes import no_search, simulated
from tests.simulation.wires import Network
from tests.simulation.world import Machine, World

RULES: Final = (
    "milan",
    "milan gloating=fined",
    "bid-spoof stake=drinks",
    "three-coins",
    "hollywood",
    "hollywood impossible=allow first_caller=toss",
)
PLAYERS: Final = (2, 3, 3, 3, 4, 4, 5, 5, 6)
HEADLESS: Final = 0.15
"""How often the host has no seat."""
SYNC_TIMES: Final = (0.0, 0.0, 1.0)
"""Seconds, at most, that guests' disks take to keep something while nothing is wrong with them."""

SELDOM: Final = 0.1
"""How often somebody lies about the epoch, and how often bots come as a game starts."""

LIES: Final = (0.3, 0.3, 4.0)
"""Seconds between two of these lies."""

LIAR: Final = "liar"

GIVEN_UP_AFTER: Final = 2 * MAX_UNSTEADY_DELAY
"""Seconds after which the link of a player who is gone without a word is given up, at most: where
packets were lost, after more than `LOST_DELAY`."""

AWAITS: Final = 0.1
"""Seconds between two looks whether a game is about to start."""

HOST: Final = "p0"
"""The player who opens the table."""


class Evening:
    """A table, its visitors, and what happens to their machines; use it as a context."""

    def __init__(
        self,
        world: World,
        players: int = 0,
        *,
        is_headless: bool | None = None,
        liars: int | None = None,
        serves: bool = False,
    ) -> None:
        """With this many players, 0: any number, and so many of them again who lie.

        Left out, chance decides about the host's seat and the liars. `serves`: they also serve the
        table, falsely.
        """
        self.world: Final = world
        self.laws: Final = Laws(world)
        self.network: Final = Network(world, self.laws)
        self.is_calm = False
        """Whether nothing bad happens any more, and people only want to finish."""
        self.goes_along = False
        """Whether people agree to a new table when most others are gone (G8)."""
        self.is_noticed = False
        """Whether every system reports that its program is gone; otherwise only some do."""
        self.dead: Final[set[str]] = set()
        """Machines whose players have left for good, in any way."""
        self.players: Final = players or world.random.choice(PLAYERS)
        self._bots = 0 if players else world.random.choice((0, 0, 0, 1, 2))
        self._is_headless = not players and world.random.random() < HEADLESS
        if is_headless is not None:
            self._is_headless = is_headless
        chance = random.Random(f"guests {world.seed}")
        some = int(not players and chance.random() < SELDOM)
        self._liars = some if liars is None else liars
        self._lie = chance.choice(LIES)
        self._serves = serves
        self._punctual = chance.randint(1, 3) if not players and chance.random() < SELDOM else 0
        self._late = 0 if players else world.random.choice((0, 0, 0, 1, 2))
        self.games: Final = world.random.choice((1, 1, 1, 2))
        self.network.is_quiet = world.random.random() < 0.3
        self.network.is_watched = world.random.random() < 0.1
        self.machines: Final = self.network.machines
        self.programs: Final[dict[str, Program]] = {}
        self._keys: dict[str, SigningKey] = {}
        self._characters: dict[str, Character] = {}
        self._plan = self._planned(world.random.choice(RULES))
        self._sync_time = 0.0 if players else world.random.choice(SYNC_TIMES)
        self._substitutes = ExitStack()
        self._setting = Setting(
            world=world,
            laws=self.laws,
            games=self.games,
            may_move=lambda: not self.is_calm,
            is_locked=self._plan.locked,
            code=self._code,
            serving=self._serving,
            goes_along=lambda: self.goes_along,
            missed=lambda: self._missed,
            closed=self._close,
        )
        self.laws.guest_of, self.laws.hosts = self._guest_of, self._hosts

    def __enter__(self) -> Self:
        self._substitutes.enter_context(simulated(self.network, self.laws))
        self._substitutes.enter_context(no_search())
        dice = self.world.random
        self._machine(Character(HOST, sits=not self._is_headless, is_headless=self._is_headless))
        self._program(HOST).open(self._plan)
        for number in range(1, self.players + self._is_headless):
            self.arrive(Character(f"p{number}", opens=dice.random() > 0.05), dice.uniform(0.1, 2))
        for number in range(self._liars):
            liar = Character(f"{LIAR}{number}", lies=self._lie, serves=self._serves)
            self.arrive(liar, 1.0)
        for number in range(self._bots):
            self.arrive(Character(f"b{number}", is_bot=True), dice.uniform(0.1, 2))
        for number in range(dice.choice((0, 0, 0, 1, 2))):
            self.arrive(Character(f"w{number}", sits=False), dice.uniform(0.1, 20))
        for number in range(self._late):
            self.arrive(Character(f"l{number}"), dice.uniform(2, 40))
        if not self._plan.locked:
            for number in range(dice.choice((0, 0, 0, 1, 3))):
                stranger = Character(f"{STRANGER} {number}", is_stranger=True)
                self.arrive(stranger, dice.uniform(0.5, 40))
        if self._punctual:
            self._await_start()
        return self

    def _await_start(self) -> None:
        """Have bots come just when everybody else is about to be ready."""
        host = self.host.host if self.host else None
        if host is None or len(host.table.ready_seats) < self._plan.start_when - 1:
            self.world.later(AWAITS, self._await_start)
            return
        for number in range(self._punctual):
            bot, delay = Character(f"s{number}", is_bot=True), self.world.random.uniform(0.0, 1.0)
            self.arrive(bot, delay)
            self.machines[bot.name].lag = self.world.random.uniform(0.0, delay)

    def _close(self) -> None:
        self.laws.is_closed = True

    def __exit__(self, *_: object) -> None:
        for machine in self.machines.values():
            machine.loop.die()
        self._substitutes.close()

    def _planned(self, rules: str) -> TablePlan:
        dice = self.world.random
        return TablePlan(
            name="Table",
            host="Host",
            rules=Rules.parse(rules),
            seats=MAX_PLAYERS,
            start_when=self.players + self._bots + self._liars,
            games=self.games,
            locked=dice.random() < 0.15,
            grace=dice.choice((5, 10, 20)),
            clock=dice.choice((0, 0, 0, 8)),
        )

    def _machine(self, character: Character) -> Machine:
        name, key = character.name, SigningKey(self.world.random.randbytes(HASH_BYTES))
        machine = Machine(self.world, name, len(self.machines))
        self.machines[name], self._keys[name] = machine, key
        self._characters[name], self.laws.keys[name] = character, key.public
        machine.on_crash = lambda is_told: self._gone(machine, is_told)
        machine.is_idle = lambda: self._is_idle(machine)
        machine.disk.sync_time = machine.disk.usual_sync_time = self._sync_time
        machine.disk.on_durable = lambda path, data, is_whole: self.laws.durable(
            machine, path, data, is_whole
        )
        return machine

    def arrive(self, character: Character, delay: float) -> None:
        """Somebody comes to the table after so many seconds."""
        machine = self._machine(character)
        self.world.later(delay, lambda: self._begin(machine))

    def _begin(self, machine: Machine) -> None:
        """Send a program to the table, where it was opened or found."""
        if machine.is_up and machine.name not in self.programs and self.table is not None:
            first = Address(self.machines[HOST].address, DEFAULT_PORT)
            self._program(machine.name).start(self.table, (first,))

    def _program(self, name: str) -> Program:
        character = self._characters[name]
        kinds = (character.is_bot, BotProgram), (character.is_headless, HeadlessProgram)
        kind = next((kind for is_such, kind in kinds if is_such), Program)
        program = kind(self._setting, self.machines[name], self._keys[name], character)
        self.programs[name] = program
        return program

    def _is_idle(self, machine: Machine) -> bool:
        """Whether a machine's program is at the table, with its host there."""
        guest = self._guest_of(machine)
        return guest is not None and guest.link is LinkState.UP

    def _guest_of(self, machine: Machine) -> Guest | None:
        program = self.programs.get(machine.name)
        return program.guest if program else None

    def _hosts(self) -> list[tuple[Machine, Host]]:
        return [(p.machine, p.host) for p in self.programs.values() if p.is_host and p.host]

    def _serving(self) -> list[Address]:
        serving = [p for p in self.programs.values() if p.host]
        return [Address(p.machine.address, p.port) for p in serving]

    @property
    def liars(self) -> set[bytes]:
        """Keys of those who say that they follow later epochs, and support nobody."""
        return {self.laws.keys[name] for name, each in self._characters.items() if each.lies}

    @property
    def grace(self) -> float:
        """Seconds that the table waits for somebody."""
        return self._plan.grace

    @property
    def table(self) -> bytes | None:
        """Id of the table, once it is open."""
        return self.laws.table

    def _gone(self, machine: Machine, is_told: bool) -> None:
        self.programs.pop(machine.name, None)
        self.laws.crashed(machine)
        if self._characters[machine.name].is_bot:
            self.dead.add(machine.name)
        is_told = is_told or self.is_noticed or self.world.random.random() < 0.5
        self.network.crashed(machine, is_told)

    def _code(self) -> str:
        """A player reads the code aloud; now and then somebody mishears it."""
        known = [
            p.host.admission.code
            for p in self.programs.values()
            if p.host and p.host.admission.code
        ]
        if not known or self.world.random.random() < 0.2:
            return "AAAAA"
        return self.world.random.choice(known)

    def open_window(self, name: str) -> None:
        """A player goes on in another window."""
        program = self.programs.get(name)
        if program and program.seat and not program.is_leaving:
            machine = program.machine

            def begin() -> None:
                del self.programs[name]
                self._begin(machine)

            program.give_way(begin)

    def restart(self, name: str) -> None:
        """Start the program again, if it does not run and its machine lives."""
        machine = self.machines[name]
        if not machine.is_up and name not in self.dead:
            machine.start()
            self._begin(machine)

    def may_die(self, name: str) -> bool:
        """Whether a machine can go for good and leave a majority of the players behind."""
        players = [each for each in self.machines if self._characters[each].sits]
        left = [each for each in players if each not in self.dead and each != name]
        return 2 * len(left) > len(players)

    @property
    def host(self) -> Program | None:
        """The program that serves the table in the latest epoch."""
        serving = [p for name, p in self.programs.items() if p.is_host and name not in self.dead]
        return max(serving, key=lambda p: p.host.table.epoch if p.host else 0, default=None)

    @property
    def present(self) -> list[tuple[Program, Guest]]:
        """Programs that run, have found the table, and were not sent away.

        Where nothing can be discovered, some cannot know where the table is now.
        """
        host = self.host
        served = host.host.table if host and host.host else None
        place = Address(host.machine.address, host.port) if host else None
        staying = [p for name, p in self.programs.items() if name not in self.dead]
        running = [(p, p.guest) for p in staying if p.guest and not p.is_over]
        return [
            (program, guest)
            for program, guest in running
            if guest.table is not None
            and not (self.network.is_quiet and (program.is_lost(place) or self._is_behind(guest)))
            and not (served and self._is_put_out(guest, served))
        ]

    def _is_behind(self, guest: Guest) -> bool:
        """Whether a guest is with a host from before, which does not know either where the table
        is now."""
        others = [p.host for p in self.programs.values() if p.is_host and p is not self.host]
        keys = {host.key for host in others if host}
        return guest.link is LinkState.UP and guest.table is not None and guest.table.host in keys

    def _is_put_out(self, guest: Guest, table: Table) -> bool:
        """Whether a player has lost the seat, and has promised to follow no host this early."""
        has_sat = guest.key in table.names
        return guest.epoch > table.epoch and has_sat and table.seat(guest.key) is None

    @property
    def is_over(self) -> bool:
        """Whether the games are over and everybody knows."""
        host = self.host
        if host is None or host.host is None or not self._is_done(host.host.table):
            return False
        head = host.host.log.head
        return all(
            guest.link is LinkState.UP and guest.log.head == head for _, guest in self.present
        )

    def _is_done(self, table: Table) -> bool:
        """Whether the agreed games were played; a later host need not know how many were agreed."""
        game = table.game
        return game is not None and table.phase is Phase.GATHERING and game.number >= self.games

    @property
    def turn(self) -> int:
        """Where the present turn of the game begins in the log, as far as anybody knows."""
        return max((guest.table.turn for _, guest in self.present if guest.table), default=0)

    @property
    def epoch(self) -> int:
        """The latest epoch in anybody's log."""
        return self.latest.epoch if self.latest else 0

    @property
    def led_by(self) -> bytes | None:
        """The host of that epoch."""
        return self.latest.host if self.latest else None

    @property
    def overlooked(self) -> set[str]:
        """Machines whose players are at the table, but away by the log of its host."""
        host = self.host.host if self.host else None
        if host is None:
            return set()
        away = {seat.key for seat in host.table.seats if seat.away}
        # Those who still serve the old table and do not reach this host are not at its table.
        up = [(p, g) for p, g in self.present if g.link is LinkState.UP and g.key in away]
        return {p.machine.name for p, g in up if g.table and g.table.host == host.key}

    @property
    def seatless(self) -> set[str]:
        """Machines of bots that are at the table, never had a seat there and do not know why."""
        bots = [(p, g) for p, g in self.present if self._characters[p.machine.name].is_bot]
        here = [(p, g) for p, g in bots if g.link is LinkState.UP and g.table]
        return {p.machine.name for p, g in here if g.table and g.key not in g.table.names}

    @property
    def latest(self) -> Table | None:
        """The table, by the longest log that anybody has."""
        tables = [guest.table for _, guest in self.present if guest.table]
        return max(tables, key=lambda table: (table.epoch, table.head.length), default=None)

    @property
    def can_go_on(self) -> bool:
        """Whether those who are left are enough to finish."""
        table = self.latest
        if table is None:
            return False
        present = [guest for _, guest in self.present]
        here = {guest.key for guest in present}
        following = {guest.key for guest in present if guest.epoch <= table.epoch}
        if self._is_headless and HOST in self.programs:
            following.add(self.laws.keys[HOST])
        is_led = self._is_led(table, here, following) and self._has_mover(table, here)
        return is_led and self.has_players(table, here)

    @property
    def is_doubted(self) -> bool:
        """Whether the host waits for players who may be elsewhere with somebody it has removed."""
        host = self.host.host if self.host else None
        here = {guest.key for _, guest in self.present}
        return host is not None and host.lease.is_doubted(host.table, here)

    @property
    def _missed(self) -> set[bytes]:
        """Keys that have left for good, if the host waits because it has removed others."""
        host = self.host.host if self.host else None
        if host is None or not (self.is_calm and self.is_doubted):
            return set()
        staying = {self.laws.keys[name] for name in self.machines if name not in self.dead}
        return {seat.key for seat in host.table.seats if seat.away} - staying

    def _is_led(self, table: Table, here: set[bytes], following: set[bytes]) -> bool:
        """Whether the host is here and may go on, or those who are here can choose another.

        A seat that has handed the role over is bound by that, even if nobody took it. One that has
        stepped down before a later candidate is a seat like any other. One that has removed
        somebody waits for those who may be with that player, or removes them, too; nobody is chosen
        instead, because by its log every candidate waits for the same ones (FAILOVER, rule 10).
        """
        voters = voters_of(table)
        host = self.host.host if self.host else None
        is_hosted = host is not None and host.key == table.host
        if is_hosted and self.is_doubted:
            return False
        if is_hosted and table.host in following and not could_move(table, voters - here):
            return True
        able = (self._hopeful - self.liars) & here & {seat.key for seat in table.seats}
        is_played = not table.in_play or bool(table.in_play & here)
        return is_played and any(
            can_move(table, voters & here & self._finders_of(key) - self.liars, key) for key in able
        )

    @property
    def _hopeful(self) -> set[bytes]:
        """People by whose log others could choose them; one of two does not stand alone.

        A bot does not stand, so nobody is chosen who holds another log than the latest, which only
        bots hold. Where nothing can be discovered, who is with a candidate in company does not
        stand, either: that stays to ask them whether to go on at a new table, and knows of no other
        one (G8).
        """
        held = self._company if self.network.is_quiet else set()
        people = [guest for program, guest in self.present if program.seat]
        logs = [(guest.key, guest.table) for guest in people if guest.key not in held]
        return {
            key
            for key, table in logs
            if table
            and table.epoch == self.epoch
            and can_move(table, voters_of(table) - {table.host} | {key}, key)
        }

    @property
    def _company(self) -> set[bytes]:
        """Those who are with a candidate for host, if there are two of them or more."""
        standing = [p.host for p, _ in self.present if p.host and p.host.is_standing]
        crowds = [(host.key, host.connections.seats_here) for host in standing]
        return {k for own, here in crowds if len(here) >= MIN_PLAYERS for k in here if k != own}

    def _finders_of(self, key: bytes) -> set[bytes]:
        """Those who are here and would find a candidate."""
        where = {m.address for name, m in self.machines.items() if self.laws.keys[name] == key}
        return {
            guest.key
            for program, guest in self.present
            if guest.key == key or not self.network.is_quiet or program.known & where
        }

    def _has_mover(self, table: Table, here: set[bytes]) -> bool:
        """Whether a person is here who plays, or can end a wait: bots and newcomers cannot (G7)."""
        people = [self._characters[n] for n, p in self.programs.items() if p.seat]
        seats = {self.laws.keys[each.name]: each for each in people if not each.is_stranger}
        waited = set(table.waiting_for)
        weighing = seats.keys() & here & table.electors
        return any(seats[key].opens or key not in waited for key in weighing)

    def has_players(self, table: Table, here: set[bytes]) -> bool:
        """Whether the players of the game are here, or enough people to begin one."""
        if table.phase is Phase.GATHERING:
            seats = {seat.key for seat in table.seats} if not self.is_left_to(table) else set()
            return len(seats & here) >= max(MIN_PLAYERS, self._plan.start_when)
        return bool(table.in_play & here)

    def is_left_to(self, table: Table) -> bool:
        """A host that puts no strangers out: a headless one, or none. People open their own
        fists."""
        characters = self._characters.items()
        lax = {self.laws.keys[n] for n, c in characters if c.is_stranger or c.is_headless}
        return table.host in lax
