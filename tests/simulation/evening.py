"""One evening at one table: its people and machines, and when it is over."""

from __future__ import annotations

from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import LinkState
from protocol.host.host import HostPolicy
from protocol.rules.options import Rules
from protocol.table.fold import Phase, Table
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.statements import TableOpened
from protocol.version import PROTOCOL
from tests.simulation.laws import Laws
from tests.simulation.players import Character
from tests.simulation.programs import Program, Setting
from tests.simulation.wires import Network
from tests.simulation.world import Machine, World

RULES: Final = ("milan", "milan", "bid-spoof", "three-coins", "hollywood")
PLAYERS: Final = (2, 3, 3, 3, 3, 4, 4, 5, 6)


class Evening:
    """A table, who comes to it, and what happens to their machines."""

    def __init__(self, world: World) -> None:
        self.world: Final = world
        self.network: Final = Network(world)
        self.laws: Final = Laws(world)
        self.is_calm = False
        """Whether nothing bad happens any more, and people only want to finish."""
        self.dead: Final[set[str]] = set()
        """Machines that never come back."""
        dice = world.random
        self._count = dice.choice(PLAYERS)
        self.games: Final = dice.choice((1, 1, 1, 2))
        self.machines: Final[dict[str, Machine]] = {}
        self.programs: Final[dict[str, Program]] = {}
        self._keys: dict[str, SigningKey] = {}
        self._characters: dict[str, Character] = {}
        self._open(dice.choice(RULES))

    def _open(self, rules: str) -> None:
        dice = self.world.random
        key = SigningKey(dice.randbytes(HASH_BYTES))
        machine = self._machine("p0", key, Character("p0"))
        opened = TableOpened(
            protocol=PROTOCOL,
            host=key.public,
            name=ForeignText("Table"),
            rules=Rules.parse(rules),
            seats=max(self._count, 2),
            locked=dice.random() < 0.15,
            grace=dice.choice((5, 10, 20)),
            clock=dice.choice((0, 0, 0, 8)),
            salt=dice.randbytes(HASH_BYTES),
        )
        entry = Entry.sign(key, 0, EMPTY, machine.now().wall, opened)
        self._table_id = entry.hash
        self._setting = Setting(
            world=self.world,
            network=self.network,
            laws=self.laws,
            policy=HostPolicy(ForeignText("HostPolicy"), start_when=self._count, games=self.games),
            games=self.games,
            may_move=lambda: not self.is_calm,
            code=self._code,
        )
        machine.do(lambda: self._program("p0").open([entry]))
        for number in range(1, self._count):
            character = Character(f"p{number}", opens=dice.random() > 0.05)
            self._arrive(character, dice.uniform(0, 2))
        for number in range(dice.choice((0, 0, 0, 1, 2))):
            self._arrive(Character(f"w{number}", sits=False), dice.uniform(0, 20))

    def _machine(self, name: str, key: SigningKey, character: Character) -> Machine:
        machine = Machine(self.world, name)
        self.machines[name], self._keys[name] = machine, key
        self._characters[name] = character
        machine.on_crash = lambda: self._gone(machine)
        return machine

    def _arrive(self, character: Character, delay: float) -> None:
        key = SigningKey(self.world.random.randbytes(HASH_BYTES))
        machine = self._machine(character.name, key, character)
        machine.later(delay, lambda: self._program(character.name).start())

    def _program(self, name: str) -> Program:
        program = Program(
            self._setting,
            self.machines[name],
            self._keys[name],
            self._table_id,
            self._characters[name],
        )
        self.programs[name] = program
        return program

    def _gone(self, machine: Machine) -> None:
        self.programs.pop(machine.name, None)
        self.network.crashed(machine, is_told=self.world.random.random() < 0.5)

    def _code(self) -> str:
        """Somebody reads the code aloud; now and then somebody mishears it."""
        codes = [p.server.host.code for p in self.programs.values() if p.server]
        known = [code for code in codes if code]
        if not known or self.world.random.random() < 0.2:
            return "AAAAA"
        return self.world.random.choice(known)

    def restart(self, name: str) -> None:
        """Start the program again, if it does not run and its machine lives."""
        machine = self.machines[name]
        if not machine.is_up and name not in self.dead:
            machine.start(lambda: self._program(name).start())

    def may_die(self, name: str) -> bool:
        """Whether a machine can go for good and leave a majority of the players behind."""
        players = [each for each in self.machines if self._characters[each].sits]
        left = [each for each in players if each not in self.dead and each != name]
        return 2 * len(left) > len(players)

    @property
    def host(self) -> Program | None:
        """The program that serves the table in the latest epoch."""
        serving = [p for p in self.programs.values() if p.server and p.is_host]
        return max(
            serving, key=lambda p: p.server.host.table.epoch if p.server else 0, default=None
        )

    @property
    def present(self) -> list[Program]:
        """Programs that run and were not told to stay away."""
        return [program for program in self.programs.values() if not program.is_over]

    @property
    def is_over(self) -> bool:
        """Whether the games are over and everybody knows."""
        host = self.host
        if host is None or host.server is None or not host.server.host.is_done:
            return False
        head = host.server.host.log.head
        return all(
            program.guest.link is LinkState.UP and program.guest.log.head == head
            for program in self.present
        )

    @property
    def turn(self) -> int:
        """Where in the log the present turn of the game began, as far as anybody knows."""
        return max((p.guest.table.turn for p in self.present if p.guest.table), default=0)

    @property
    def can_go_on(self) -> bool:
        """Whether those who are left are enough to finish."""
        logs = [p.guest.table for p in self.present if p.guest.table]
        if not logs:
            return False
        table = max(logs, key=lambda each: (each.epoch, each.head.length))
        here = {program.guest.key for program in self.present}
        seats = {seat.key for seat in table.seats}
        return self._is_led(table, here, seats) and self._has_players(table, here, seats)

    def _is_led(self, table: Table, here: set[bytes], seats: set[bytes]) -> bool:
        alive = 2 * len(seats & here)
        return alive > len(seats) or (alive == len(seats) and table.host in here)

    def _has_players(self, table: Table, here: set[bytes], seats: set[bytes]) -> bool:
        if table.phase is Phase.GATHERING:
            return len(seats & here) >= max(2, self._setting.policy.start_when)
        return bool(table.in_play & here)
