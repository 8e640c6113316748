"""What it costs to play with a browser: a scan, a tap, a bid on the wire, nine visitors.

The baseline of a tap is a key by ssh at the same table; beside them a round of a table at rest and
one whose page is besieged.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import signal
import sys
import time
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.limits import TALK_INTERVAL
from spoof_tui.network.addresses import Address
from tests.benchmarks import door
from tests.benchmarks.company import PATIENCE, Company
from tests.benchmarks.figures import MEGABYTES, TAIL, Amount, Delay, Figure, Ratio, in_turns
from tests.benchmarks.siege import PLAYERS, play_round
from tests.benchmarks.stage import Stage, spoof
from tests.end_to_end import markers
from tests.end_to_end.browsers import TALK, Browsers, Wire
from tests.end_to_end.homes import free_port
from tests.helpers.player import Asked, KeyPlayer, Screen, asked, is_over
from tests.helpers.pty import Terminal
from tests.spoof_tui.door.pages import HELLO, Caller, socket_to

COUNT: Final = 12
VISITORS: Final = 9
FRAME_AIM: Final = 2.0
BID_AIM: Final = 1024
ON_PAGE: Final = "of 9 seats"
"""On the page of a table that waits for players, with its first frame."""

FLOODERS: Final = 8
FRIENDS: Final = 3
FRIEND_AIM: Final = 5.0
POURING: Final = "tests.benchmarks.programs.pouring"

HEARTBEATS: Final = 120
"""Bytes that heartbeats and their answers take in less than two seconds; a picture takes more."""

REST: Final = 1.0
"""Seconds after a word in which all that it paints has been painted."""

_NAMED: Final = "localStorage.setItem('spoof-name', 'Ottilie')"
_CAN_BID: Final = "bid "
"""Shown at a turn unless all coins are bid already."""

_PAGE: Final = re.compile(r"With a phone: (http://\S+)")
_LISTENS: Final = re.compile(r"port (\d+)")


def measure(count: int = COUNT, visitors: int = VISITORS) -> list[Figure]:
    """All of it."""
    return [*_one(count), _bids(count), _many(visitors), _besieged(count), *_flooded(count)]


def _open(stage: Stage, *words: str) -> tuple[int, int, str]:
    """A table with both entrances of a door: its port, that of ssh, and the address to scan."""
    by_ssh = free_port()
    options = ("--headless", "--open", "--port", "0", "--table", "Bench", "--web")
    env = {**os.environ, **stage.state("Host")}
    process = stage.process(spoof("host", *options, "--ssh", str(by_ssh), *words), env)
    assert process.stdout
    said = ""
    while not (found := _PAGE.search(said)):
        line = process.stdout.readline()
        assert line, said
        said += line
    listens = _LISTENS.search(said)
    assert listens
    port = int(listens[1])
    stage.afterwards(lambda: door.all_gone(port))
    return port, by_ssh, found[1]


def _one(count: int) -> list[Figure]:
    with Stage() as stage, Browsers() as browsers:
        port, by_ssh, address = _open(stage)

        # The same two people again and again: others would find the table full.
        telephone, env = browsers.telephone(), stage.state("Eva")
        telephone.run(telephone.context.add_init_script(_NAMED))

        def scan() -> float:
            begun = time.perf_counter()
            telephone.run(telephone.tab.goto(address))
            telephone.wait(ON_PAGE)
            seconds = time.perf_counter() - begun
            telephone.run(telephone.tab.goto("about:blank"))
            door.all_gone(port)
            return seconds

        def start() -> float:
            terminal = Terminal(spoof("join", f"127.0.0.1:{port}"), env=env)
            try:
                return terminal.wait(door.AT_TABLE)
            finally:
                terminal.close(signal.SIGKILL)

        in_turns(1, scan, start)
        scans, starts = in_turns(count, scan, start)
        reader = stage.screen(spoof("join", f"127.0.0.1:{port}"), "Dan")
        speaker = stage.screen(door.client(by_ssh, "Ben"))
        tapper = browsers.telephone()
        tapper.sit(address, "Bo")
        for terminal in (reader, speaker):
            terminal.wait(door.SEATED)
            terminal.send("u")
        tapper.wait("Bo @")
        words = (f"word {number}" for number in itertools.count(1))
        turns = itertools.count(time.perf_counter(), TALK_INTERVAL / 2)

        def next_word() -> str:
            """Something to say, once the host takes it from either of the two."""
            turn = next(turns)
            while time.perf_counter() < turn:
                time.sleep(TALK_INTERVAL / 10)
            return next(words)

        def by_key() -> float:
            word = next_word()
            speaker.send("t")
            for letter in word:
                speaker.send(letter)
            speaker.wait(word)
            begun = time.perf_counter()
            speaker.send("\r")
            return reader.started + reader.wait(f": {word}") - begun

        def by_tap() -> float:
            word = next_word()
            tapper.press(TALK)
            tapper.wait_until(lambda shown: shown.is_typing())
            tapper.run(tapper.tab.fill("#line", word))
            begun = time.perf_counter()
            # Not by the driver's own tap, which looks for a while before it taps.
            tapper.run(tapper.tab.evaluate("at('tell').click()"))
            return reader.started + reader.wait(f": {word}") - begun

        taps, keys = in_turns(count, by_tap, by_key)
    return [
        Delay("scan to first frame", scans, FRAME_AIM),
        Ratio("scan to first frame / start of the program", scans, starts, aim=1.5),
        Ratio("tap to another screen / key by ssh", taps, keys, aim=1.5),
    ]


def _bids(count: int) -> Figure:
    """What a bid makes pass between the page of who bids and its door, both ways."""
    sizes: list[int] = []
    with Stage() as stage, Browsers() as browsers:
        port, _by_ssh, address = _open(stage)
        with Wire(browsers, address) as wire:
            bo = browsers.telephone()
            bo.sit(wire.address, "Bo")
            dan = stage.screen(spoof("join", f"127.0.0.1:{port}"), "Dan")
            both: tuple[Screen, ...] = (dan, bo)
            tapping, typing = KeyPlayer(bo, 1), KeyPlayer(dan, 2)
            while len(sizes) < count:
                if is_over(dan):
                    for each in both:
                        each.send("r")
                    for each in both:
                        each.wait_until(lambda shown: not is_over(shown))
                if asked(dan) is not None:
                    typing.answer()
                if asked(bo) is Asked.WORD and _CAN_BID in bo.text():
                    _settle(wire)
                    before = wire.carried
                    bo.send("\r")
                    dan.wait(markers.WORD)
                    _settle(wire)
                    sizes.append(wire.carried - before)
                elif asked(bo) is not None:
                    tapping.answer()
    return Amount("bytes of a bid on the wire of who bids", sizes, BID_AIM)


def _settle(wire: Wire) -> None:
    """Wait until nothing but heartbeats has passed for a moment."""
    carried = -HEARTBEATS
    while wire.carried - carried >= HEARTBEATS:
        carried = wire.carried
        time.sleep(REST)


def _many(visitors: int) -> Figure:
    """What visitors take who only sit there."""
    with Stage() as stage:
        port, _by_ssh, address = _open(stage)
        memory = asyncio.run(_sitting(port, address, visitors))
    return Amount(f"memory of each of {visitors} visitors", memory, door.MEMORY_AIM, MEGABYTES)


async def _sitting(port: int, address: str, visitors: int) -> list[float]:
    place, _, word = address.partition("/#")
    at = int(place.rpartition(":")[2])
    callers = []
    for number in range(visitors):
        said, browser = {**HELLO, "name": f"Guest{number}"}, SigningKey(bytes([number]) * 32)
        own = word.partition(".")[0]
        callers.append(await Caller.introduce(await socket_to(at), own, said, browser))
    # Who does not answer has left.
    staying = [asyncio.create_task(_stay(each)) for each in callers]
    while not all(ON_PAGE.encode() in each.shown for each in callers):  # noqa: ASYNC110
        await asyncio.sleep(REST)
    memory = [door.proportional(pid) / 1e6 for pid in door.visits(port)]
    for each in callers:
        await each.socket.close()
    await asyncio.gather(*staying)
    return memory


async def _stay(caller: Caller) -> None:
    await caller.sees(ON_PAGE.encode(), PATIENCE)
    await caller.stay()


def _besieged(count: int) -> Figure:
    """A round of a table while somebody knocks at the page of its door."""
    with Stage() as stage:
        port, _by_ssh, address = _open(stage)
        at = int(address.partition("/#")[0].rpartition(":")[2])
        with Company(Address("127.0.0.1", port), PLAYERS) as company:
            company.wait(lambda: len(company.view.seats) == len(PLAYERS))
            play_round(company)
            rest = [play_round(company) for _ in range(count)]
            with door.knocking(at, "GET /door HTTP/1.1"):
                besieged = [play_round(company) for _ in range(count)]
    return Ratio("a round while the page is besieged", besieged, rest, 2.0, (TAIL,))


def _flooded(count: int) -> list[Figure]:
    """A round of a table, and how soon a friend is there, while visitors flood their programs."""
    friends: list[float] = []
    with Stage() as stage:
        port, _by_ssh, address = _open(stage, "--seats", str(len(PLAYERS)))
        with Company(Address("127.0.0.1", port), PLAYERS) as company:
            company.wait(lambda: len(company.view.seats) == len(PLAYERS))
            play_round(company)
            rest = [play_round(company) for _ in range(count)]
            flood = stage.process([sys.executable, "-m", POURING, address, str(FLOODERS)])
            assert flood.stdout and flood.stdout.readline()
            flooded = [play_round(company) for _ in range(count)]
            for number in range(FRIENDS):
                friends.append(asyncio.run(_arrival(address, number)))
    return [
        Ratio("a round while visitors flood", flooded, rest, 2.0, (TAIL,)),
        Delay("a friend comes in beside them", friends, FRIEND_AIM),
    ]


async def _arrival(address: str, number: int) -> float:
    """Seconds until somebody new sees the table."""
    place, _, word = address.partition("/#")
    said, browser = {**HELLO, "name": f"Friend{number}"}, SigningKey(bytes([98, number]) * 16)
    begun = time.perf_counter()
    async with socket_to(int(place.rpartition(":")[2])) as socket:
        friend = await Caller.introduce(socket, word.partition(".")[0], said, browser)
        await friend.sees(PLAYERS[0].encode(), PATIENCE)
        return time.perf_counter() - begun
