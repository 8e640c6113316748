"""Evenings of whole programs in memory, told line by line: `programs.json`.

A letter is a guest, in the order of coming: A is the first. A line is a verb and its arguments:
the methods of `Programs` whose names begin with `do_` and `is_` are the verbs, and what they do and
check. A line that begins with `+` lets so many seconds pass, one that begins with `not` fails if
the check holds, and one that ends with `!` and a code is refused by the own program.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.effects import CodeWanted, Hangup, Refused, WentOn
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.limits import GUESS_INTERVAL
from protocol.table.fold import fold
from protocol.table.state import Table
from protocol.table.statements import NO_ONE, Gesticulate, Gesture, Leave, Measure, Say, Sit, Vote
from protocol.timeouts import LEASE, SUPPORT_DELAY
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.helpers.vectors import word_of
from tests.protocol import moving
from tests.protocol.joining import newcomer

FILE: Final = Path(__file__).with_suffix(".json")

TIMES: Final = {
    "support": SUPPORT_DELAY,
    "soon": SUPPORT_DELAY + 0.5,
    "lease": LEASE + 0.5,
    "grace": float(moving.GRACE),
}
"""Names of seconds."""


class Programs:
    """A host and its guests while a script runs."""

    table: MemoryTable

    def __init__(self) -> None:
        self.length = 0
        """Length of the host's log at the last `mark`."""
        self.old: tuple[Host, object] | None = None
        """The host before the last `stand`."""

    def play(self, lines: list[str]) -> None:
        """Run line after line."""
        for line in lines:
            said, _, code = (part.strip() for part in line.partition("!"))
            if said.startswith("+"):
                seconds = self._seconds(said[1:])
                self.table.pass_time(seconds, step=1.0 if seconds > 30 else 0.25)
            elif code:
                try:
                    self._do(said)
                except Illegal as error:
                    assert error.reason.code == code, line
                else:
                    raise AssertionError(f"not refused: {line}")
            elif not self._do(said):
                raise AssertionError(line)

    def _do(self, line: str) -> bool:
        verb, *arguments = line.split()
        if verb == "not":
            return not self._do(line.partition(" ")[2])
        name = verb.replace("-", "_")
        if check := getattr(self, f"is_{name}", None):
            return bool(check(*arguments))
        getattr(self, f"do_{name}")(*arguments)
        return True

    def _seconds(self, name: str) -> float:
        return TIMES[name] if name in TIMES else float(name)

    def _client(self, letter: str) -> GuestSide:
        if letter == "speaker":
            return self.table.speaker()
        return self.table.clients[ord(letter) - ord("A")]

    def _clients(self, letters: str) -> list[GuestSide]:
        return [self._client(letter) for letter in letters]

    def _letters(self, keys: object) -> str:
        by = {each.guest.key: chr(65 + n) for n, each in enumerate(self.table.clients)}
        return "".join(by[key] for key in keys)  # type: ignore[attr-defined]

    # How it begins

    def do_table(self, seats: str = "0", *rules: str) -> None:
        self.table = MemoryTable(int(seats), " ".join(rules) or "milan")

    def do_locked(self) -> None:
        self.table = MemoryTable(0, locked=True)

    def do_playing(self, players: str) -> None:
        self.table = moving.playing(int(players))

    def do_after_a_game(self, players: str) -> None:
        self.table = moving.after_a_game(int(players))

    def do_moved(self, players: str = "3") -> None:
        self.table = moving.moved(int(players))

    def do_stuck(self, players: str = "5", gone: str = "3") -> None:
        self.table = moving.stuck(int(players), int(gone))

    def do_orphaned(self) -> None:
        """The host is gone with three of five players; A stands."""
        self.do_playing("5")
        self.do_later("support")
        self.do_stand("A")
        self.table.host = Host(
            self.table.host_key, HostPolicy(ForeignText("H")), list(self._client("A").guest.log),
            self.table.random.randbytes, standing=1, silent=SUPPORT_DELAY,
        )  # fmt: skip
        self.do_connect("AB")

    # Who comes and goes

    def do_add(self, count: str) -> None:
        for _ in range(int(count)):
            self.table.add()

    def do_watch(self, count: str) -> None:
        for _ in range(int(count)):
            self.table.add(sit=False)

    def do_newcomer(self, code: str = "", address: str = "192.0.2.1") -> None:
        newcomer(self.table, self._code(code), address)

    def do_types(self, who: str, code: str) -> None:
        guest = self._client(who).guest
        self.table.now(GUESS_INTERVAL)
        self.table.act(
            self._client(who), guest.use_code(self._code(code) or "", self.table.random.randbytes)
        )

    def _code(self, which: str) -> str | None:
        right = self.table.host.admission.code or ""
        if which == "remembered":
            return self.remembered
        return {"": None, "right": right, "wrong": "AAAAA" if right != "AAAAA" else "CCCCC"}[which]

    def do_remember(self) -> None:
        self.remembered = self.table.host.admission.code or ""

    def is_same_code(self) -> bool:
        return self.remembered == self.table.host.admission.code

    def do_cut(self, who: str) -> None:
        for client in self._clients(who):
            self.table.cut(client)

    def do_connect(self, who: str) -> None:
        for client in self._clients(who):
            self.table.now(GUESS_INTERVAL)
            self.table.connect(client)

    def do_outside(self, who: str) -> None:
        """These come from another machine, at which they could serve the table."""
        for client in self._clients(who):
            client.address, client.guest._port = "192.0.2.1", 7000
            self.do_cut(self._letters([client.guest.key]))
            self.table.connect(client)

    def do_lose(self, who: str) -> None:
        self.table.lose_at_once(*self._clients(who))

    def do_silent(self, who: str) -> None:
        moving.silent(self.table, *self._clients(who))

    def do_ignorant(self, who: str) -> None:
        """These hear nothing any more, and nobody has noticed."""
        for client in self._clients(who):
            self.table.host.connections[client.link or 0].clogged_since = self.table.time

    def do_later(self, seconds: str) -> None:
        self.table.now(self._seconds(seconds))

    def do_restart(self) -> None:
        self.table.restart_host()

    def do_stand(self, who: str, epoch: str = "") -> None:
        self.old = self.table.host, self.table.host_key
        self.table.stand(self._client(who), int(epoch) if epoch else None)

    def do_old_host(self) -> None:
        """The host before is reachable again."""
        assert self.old is not None
        self.table.host, self.table.host_key = self.old  # type: ignore[assignment]
        self.table.shown_key = self.table.host_key.public

    def do_promised(self, who: str, epoch: str) -> None:
        self._client(who).guest.voter.promised = int(epoch)

    def do_hand_over(self, who: str) -> None:
        self.table.hand_over(self._client(who).guest.key)

    # What is said

    def do_ready(self, who: str = "") -> None:
        self.table.ready(*self._clients(who))

    def do_choose(self, *hands: str) -> None:
        self.table.choose(*map(int, hands))

    def do_say(self, *words: str) -> None:
        self.table.say(*map(word_of, words))

    def do_says(self, who: str, kind: str, about: str = "") -> None:
        guest = self._client(who).guest
        said = {
            "leave": Leave(), "sit": Sit(ForeignText("Name")), "hm": Say(ForeignText("hm")),
            "sweat": Gesticulate(Gesture.SWEAT),
        }.get(kind)  # fmt: skip
        if said is None:
            said = Vote(Measure(kind), self._client(about).guest.key, yes=True)
        self.table.act(self._client(who), guest.propose(said))

    def do_decide(self, measure: str, about: str = "") -> None:
        seat = self._client(about).guest.key if about else NO_ONE
        self.table.decide(Measure(measure), seat)

    def do_play_on(self) -> None:
        self.table.play_on()

    def do_mark(self) -> None:
        self.length = len(self.table.host.log)

    def do_agree(self, who: str, yes: str = "yes") -> None:
        for client in self._clients(who):
            self.table.act(client, client.guest.departure.agree(yes=yes == "yes"))

    # What is so

    def is_grown(self, by: str = "") -> bool:
        grown = len(self.table.host.log) - self.length
        return grown == int(by) if by else grown > 0

    def is_standing(self) -> bool:
        return self.table.host.is_standing

    def is_leading(self) -> bool:
        return self.table.host.may_go_on(self.table.now())

    def is_epoch(self, epoch: str) -> bool:
        return self.table.host.table.epoch == int(epoch)

    def is_host(self, who: str) -> bool:
        return self.table.host.table.host == self._client(who).guest.key

    def is_phase(self, *names: str) -> bool:
        return self.table.host.table.phase.value in names

    def is_link(self, who: str, state: str) -> bool:
        return {each.guest.link.value for each in self._clients(who)} == {state}

    def is_told(self, who: str, *kinds: str) -> bool:
        """The last things that a guest reported: farewells, codes wanted, refusals."""
        told = [_named(event) for event in self._client(who).effects]
        return [name for name in told if name][-len(kinds) :] == list(kinds)

    def is_ignorant_of_the_table(self, who: str) -> bool:
        return self._client(who).guest.table is None

    def is_seats(self, who: str) -> bool:
        return self._letters(seat.key for seat in self.table.host.table.seats) == who

    def is_seated(self, who: str) -> bool:
        return all(self.table.host.table.seat(each.guest.key) for each in self._clients(who))

    def is_away(self, who: str = "") -> bool:
        return self._letters(seat.key for seat in self.table.host.table.seats if seat.away) == who

    def is_in_play(self, who: str) -> bool:
        return self.table.host.table.in_play == {each.guest.key for each in self._clients(who)}

    def is_logged(self, kind: str, times: str = "") -> bool:
        count = [entry.statement.KIND for entry in self.table.host.log].count(kind)
        return count == int(times) if times else count > 0

    def is_promised_by(self, who: str, epoch: str) -> bool:
        return {each.guest.epoch for each in self._clients(who)} == {int(epoch)}

    def is_alike(self, who: str) -> bool:
        """These hold exactly the host's log."""
        return {each.guest.log.head for each in self._clients(who)} == {self.table.host.log.head}

    def is_shown(self, kind: str, epoch: str = "") -> bool:
        """The last thing that the host reported to its owner."""
        told = self.table.told[-1] if self.table.told else None
        return type(told).__name__.lower() == kind and (
            not epoch or getattr(told, "epoch", None) == int(epoch)
        )

    def is_offered(self, who: str, agreed: str = "-") -> bool:
        offers = [each.view.new_table for each in self._clients(who)]
        if agreed == "-":
            return all(offers)
        return all(offer and self._letters(offer.agreed) == agreed for offer in offers)

    def is_waiting(self, who: str, least: str, most: str) -> bool:
        offer = self._client(who).view.new_table
        return offer is not None and int(least) < offer.wait <= int(most)

    def is_founded(self, by: str = "", seats: str = "", phase: str = "") -> bool:
        """All of these were told of the same new table, with these seats."""
        if not by:
            return any(type(effect).__name__ == "Found" for effect in self.table.told)
        found = [self._new_table(each) for each in self._clients(by)]
        if None in found or len({table and table.id for table in found}) != 1:
            return False
        new = found[0]
        assert new is not None
        keys = sorted(self._letters(seat.key for seat in new.seats))
        return (not seats or keys == sorted(seats)) and phase in ("", new.phase.value)

    def _new_table(self, client: GuestSide) -> Table | None:
        went = [event.entry for event in client.events(WentOn)]
        return fold(None, went[-1]) if went else None


def _named(event: object) -> str:
    if isinstance(event, Hangup | CodeWanted):
        kind = "" if isinstance(event, Hangup) else "code:"
        return kind + event.why.value
    return event.reason.code if isinstance(event, Refused) else ""
