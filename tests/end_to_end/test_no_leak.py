"""Nobody can know a hand before it opens: not from any link, any screen or any other file.

Two games are played that are the same to the last nonce, but for one hand in one round. Up to
the opening of that hand everything that anybody else gets must be the same.
"""

import asyncio
import logging
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from unittest.mock import Mock

import pytest

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import SealedHand, SealedShare
from protocol.guest.effects import Secret
from protocol.guest.guest import Guest
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.fold import Phase
from protocol.table.statements import Say
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from spoof_tui.runtime.notices import ViewChanged
from spoof_tui.storage.journal import JournalRecord, SeatStore
from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen import screen, timers
from spoof_tui.ui.table.screen.screen import TableScreen
from tests.end_to_end.leaves import BLIND, Frame, before_opening, differences, frames
from tests.helpers.laying import drawn
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.chairs import MemoryClient
from tests.spoof_tui.runtime.local_table import LocalTable, until
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable

PRESETS = ("milan", "bid-spoof", "three-coins")


@dataclass
class Script:
    """A game that can be played twice: its seed, and the hand that differs."""

    seed: int
    players: int
    rules: str
    round: int
    """The round in which a hand differs, from 1."""
    who: int
    """The seat whose hand it is."""
    shift: int
    """What is added to that hand, modulo the coins and 1."""

    @classmethod
    def of(cls, seed: int) -> "Script":
        """A script from a seed."""
        dice = random.Random(seed)
        players = dice.randint(2, 5)
        rules = PRESETS[seed % len(PRESETS)]
        return cls(
            seed, players, rules, dice.randint(1, 3), dice.randrange(players), dice.randint(1, 3)
        )


class Played:
    """A game up to the opening of the round that counts, and what everybody saw of it."""

    def __init__(self, script: Script, other: bool) -> None:
        self.script = script
        self._other = other
        self.table = MemoryTable(script.players, script.rules, script.seed)
        self.views: list[str] = []
        """After every act, the advertised card and the views of all seats."""
        self.prints: list[str] = []
        """After every act, the printed forms of the program's own objects."""
        self.hand: int | None = None
        """The hand that differs; None if its owner was out before."""
        self.rounds = 0
        """Rounds in which its owner had a fist."""
        self._dice = random.Random(script.seed)
        self._play()

    @property
    def owner(self) -> GuestSide:
        """The seat whose hand differs."""
        return self.table.clients[self.script.who]

    @property
    def others(self) -> list[GuestSide]:
        """All other seats."""
        return [client for client in self.table.clients if client is not self.owner]

    def heard(self, client: GuestSide) -> list[Frame]:
        """The bytes that came on a link before the hand was opened there."""
        return before_opening(frames(bytes(client.received)), self.owner.guest.key, self.rounds)

    def said(self, client: GuestSide) -> list[Frame]:
        """The bytes that a seat sent before it opened its fist."""
        return before_opening(frames(client.sent), client.guest.key, self.rounds)

    def _play(self) -> None:
        self.table.ready()
        while self.table.host.table.phase is Phase.CHOOSING:
            game = self.table.host.table.game
            assert game
            last = game.round_number == self.script.round
            self._choose(last)
            self._speak()
            if last:
                self.secrets = [client.kept[-1] for client in self.table.clients if client.kept]
                self.streams = [
                    *self.table.recorded,
                    *(bytes(client.received) for client in self.table.clients),
                    *(client.sent for client in self.table.clients),
                ]
            self.table.say(self._ending())
            if last:
                break

    def _choose(self, last: bool) -> None:
        for client in self.table.clients:
            seat = client.view.my_seat
            if not client.view.own_fist_due or not seat:
                continue
            hand = self._dice.randint(0, seat.coins)
            if client is self.owner:
                self.rounds += 1
                if last:
                    hand = (hand + self._other * self.script.shift) % (seat.coins + 1)
                    self.hand = hand
            self.table.act(client, client.guest.choose(hand, self.table.entropy()))
            self._look()

    def _speak(self) -> None:
        for _ in range(self._dice.randint(1, 3)):
            client = self.table.speaker()
            if client.view.lowest_bid is None:
                break
            turn = client.view.may_turn and self._dice.random() < 0.5
            way = Direction.COUNTER_CLOCKWISE if turn else None
            self.table.act(client, client.guest.speak(Bid(client.view.lowest_bid), way))
            self.table.act(client, client.guest.propose(Say(client.view.table_name)))
            self.table.pass_time(0.5)
            self._look()

    def _ending(self) -> Word:
        return Ending.CALL if self.table.speaker().view.standing else Ending.SPOOF

    def _look(self) -> None:
        views = [client.view for client in self.table.clients]
        self.views.append(repr((self.table.host.card, views)))
        printed = [
            (guest, guest.table, guest.waiting, client.effects)
            for client in self.table.clients
            for guest in [client.guest]
        ]
        self.prints.append(without_bytes(repr(printed)))


def without_bytes(printed: str) -> str:
    """A printed form without hashes and addresses of objects."""
    return re.sub(r"""b'(?:[^'\\]|\\.)*'|b"(?:[^"\\]|\\.)*"|0x[0-9a-f]+""", "…", printed)


def pair(seed: int) -> tuple[Played, Played] | None:
    """Two games that differ in one hand; None if they do not."""
    script = Script.of(seed)
    one, other = Played(script, other=False), Played(script, other=True)
    return None if one.hand is None or one.hand == other.hand else (one, other)


@pytest.fixture(scope="module", params=range(len(PRESETS)), ids=PRESETS)
def pairs(request: pytest.FixtureRequest) -> list[tuple[Played, Played]]:
    """Games by one rulebook: another process may have those by the next one."""
    found = [each for each in map(pair, range(request.param, 18, len(PRESETS))) if each]
    assert len(found) >= 4
    return found


def assert_alike(one: Sequence[Frame], other: Sequence[Frame]) -> None:
    """The same messages in the same order and size, that differ only where a hash must."""
    assert [frame.outline for frame in one] == [frame.outline for frame in other]
    for a, b in zip(one, other, strict=True):
        assert differences(a, b) <= BLIND


def test_no_link_tells_a_hand_before_it_opens(pairs: list[tuple[Played, Played]]) -> None:
    for one, other in pairs:
        for a, b in zip(one.table.clients, other.table.clients, strict=True):
            assert_alike(one.heard(a), other.heard(b))
            assert_alike(one.said(a), other.said(b))


def test_the_hand_is_told_when_it_opens(pairs: list[tuple[Played, Played]]) -> None:
    """The comparison above does find a hand where there is one."""
    for one, other in pairs:
        for a, b in zip(one.others, other.others, strict=True):
            told, told_too = frames(bytes(a.received)), frames(bytes(b.received))
            at = len(one.heard(a))
            assert told[at].outline != told_too[at].outline


def test_only_the_seal_itself_differs_at_first(pairs: list[tuple[Played, Played]]) -> None:
    for one, other in pairs:
        heard, heard_too = one.heard(one.others[0]), other.heard(other.others[0])
        changes = [
            found for a, b in zip(heard, heard_too, strict=True) if (found := differences(a, b))
        ]
        assert changes[0] == {"signature", "seal"}
        assert all("seal" not in later for later in changes[1:])


def test_no_unopened_nonce_is_in_any_stream(pairs: list[tuple[Played, Played]]) -> None:
    for game in chain.from_iterable(pairs):
        hands = [secret for secret in game.secrets if isinstance(secret, SealedHand)]
        assert hands
        for stream in game.streams:
            assert not any(secret.nonce in stream for secret in hands)


def test_no_view_knows_a_hand_before_it_opens(pairs: list[tuple[Played, Played]]) -> None:
    for one, other in pairs:
        assert one.views == other.views


def test_nothing_that_is_printed_tells_a_hand(pairs: list[tuple[Played, Played]]) -> None:
    for one, other in pairs:
        assert one.prints == other.prints


class Memory(SeatStore):
    """A store that lets the test see what is kept."""

    def __init__(self) -> None:
        self.kept: list[Secret] = []

    def write(self, *records: JournalRecord) -> None:
        self.kept += [each for each in records if isinstance(each, SealedHand | SealedShare)]


async def session_told(hand: int, caplog: pytest.LogCaptureFixture) -> tuple[str, bytes]:
    """The printed objects, notices, refusals and log lines of a session; and the nonce of its
    hand."""
    asyncio.get_running_loop().set_debug(True)
    caplog.set_level(logging.DEBUG)
    plan = TablePlan("Snug", "Anna", Rules.parse("milan"), public=False)
    table = await HostedTable.open(plan, SigningKey(bytes(32)))
    room, secrets = LocalTable(table.server, b""), Memory()
    anna, ben = (
        room.seat(name, Guest(SigningKey(name.encode() * 8)), store)
        for name, store in (("Anna", SeatStore()), ("Bens", secrets))
    )
    try:
        await until(lambda: anna.sits and ben.sits)
        await room.start(anna, ben)
        for coins in (9, hand, hand):
            ben.session.choose(coins)
        await until(lambda: not ben.session.guest.waiting)
        guest = ben.session.guest
        # Views are compared elsewhere; here the lot is truly random.
        said = [each for each in anna.notices + ben.notices if not isinstance(each, ViewChanged)]
        told = [*map(repr, (*said, ben.session, guest, guest.table, secrets.kept, table))]
    finally:
        await room.close()
        await table.close()
    (secret,) = (each for each in secrets.kept if isinstance(each, SealedHand))
    # How long a step took is chance.
    lines = [line for line in caplog.messages if "took" not in line]
    caplog.clear()
    return "\n".join(told + lines), secret.nonce


async def test_a_session_tells_no_hand_to_a_log(caplog: pytest.LogCaptureFixture) -> None:
    told = {}
    for hand in (0, 3):
        text, nonce = await session_told(hand, caplog)
        assert repr(nonce) not in text
        assert nonce.hex() not in text
        told[hand] = [plain(line) for line in text.splitlines()]
    assert told[0] == told[3]
    assert sum("NotAllowed" in line for line in told[0]) == 2


OWN, ANOTHER = 1, 0
"""The seats to look at: the one whose hand differs, and another one."""

PEEK = 6
"""The act in which the owner looks into the fist."""


def _waiting(start: Callable[..., object]) -> Callable[..., object]:
    """Like `start` for the timers of Textual; those of a table never fire."""
    own = (screen.__name__, timers.__name__)

    def begin(on: TableScreen, seconds: float, callback: Any, **options: Any) -> object:
        return Mock() if callback.__module__ in own else start(on, seconds, callback, **options)

    return begin


class Glass:
    """Everything that a table screen draws, titles and rings; each act takes a second."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.painted: list[object] = []
        self.now = 0.0
        patch.setattr(screen, "table_parts", self._draw)
        patch.setattr(TableScreen, "read_clock", lambda _: None)
        patch.setattr(TableScreen, "monotonic", lambda _: self.now)
        for timer in ("set_timer", "set_interval"):
            patch.setattr(TableScreen, timer, _waiting(getattr(TableScreen, timer)))
        # It is on its way to the host, and what the key paints is painted before.
        patch.setattr(MemoryClient, "choose", lambda *_: None)
        patch.setattr(AtTable, "entitle", lambda _, title: self.painted.append(title))
        patch.setattr(AtTable, "bell", lambda _: self.painted.append("bell"))

    def _draw(self, scene: Scene, width: int, height: int) -> list[Part]:
        parts = table_parts(scene, width, height)
        self.painted.append([repr(row) for row in drawn(parts, width, height).rows])
        return parts

    async def watch(self, seat: int, hand: int) -> list[list[object]]:
        """What is painted at this seat, act by act, while its owner hides and peeks at a hand."""
        table = at("choosing")
        acts: list[list[object]] = []
        app = AtTable(table, table.clients[seat])
        async with app.run_test(size=(80, 24)) as pilot:
            shown = await app.sit_down(pilot)

            async def done(*keys: str) -> None:
                await (pilot.press(*keys) if keys and seat == OWN else app.look(pilot))
                shown.redraw()
                await pilot.pause()
                acts.append(self.painted[:])
                self.painted.clear()
                self.now += 1

            await done()
            await done(str(hand))
            for number, client in enumerate(table.clients):
                coins = hand if number == OWN else 2
                table.act(client, client.guest.choose(coins, table.entropy()))
                await done()
            await done("8")
            await done("space")
            await done("space")
            for word in (Bid(2), Bid(3), Bid(4)):
                table.say(word)
                await done()
        return acts


@pytest.mark.parametrize("seat", [OWN, ANOTHER])
async def test_nothing_that_is_painted_tells_a_hand_that_is_shut(
    seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paint by paint, title by title: only a peek tells two hands apart."""
    glass = Glass(monkeypatch)
    one, other = [await glass.watch(seat, hand) for hand in (0, 3)]
    assert all(one)
    differing = [
        number for number, acts in enumerate(zip(one, other, strict=True)) if acts[0] != acts[1]
    ]
    assert differing == ([PEEK] if seat == OWN else [])


def plain(line: str) -> str:
    """A line without hashes, addresses, times and ports."""
    line = re.sub(r"(crap|starter|speaker)=\w+", "…", without_bytes(line))
    return re.sub(r"\d{2,}", "…", line)
