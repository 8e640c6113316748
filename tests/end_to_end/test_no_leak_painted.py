"""What the real programs paint, send and keep of a hand that is shut: the same for every hand.

The same three people play the same game twice, key by key, with secrets drawn from the same
seeds; only Ben's hand is another one.
"""

import re
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from protocol.encoding.codec import unpack
from protocol.encoding.framing import FrameReader
from tests.end_to_end import markers
from tests.end_to_end.homes import STAGED, TABLE, Home, eventually, free_port
from tests.end_to_end.leaves import BLIND, Frame, differences, frames
from tests.end_to_end.relay import Relay
from tests.helpers.pty import Terminal

QUIET = 0.6
"""Seconds without any paint after which all screens count as finished."""

AT_REST = 2.0
"""The same before the first hand: what a screen paints late of its beginning belongs to no act."""

UNDER_WAY = {"Ben": 0.3, "Cleo": 0.25}
"""Seconds that the host's word is under way: what a key paints at once is painted before, and
what programs do by themselves, such as opening shares of the lot, has an order."""

NUMBERED = BLIND | {"sequence"}
"""What may differ in messages whose outlines are alike."""

HANDS = (0, 3)
SHOUT = "jm"

_TITLE = re.compile(rb"\x1b\][012];([^\x07\x1b]*)")

TITLES = {b"Spoof", b"Spoof: hide your coins", b"Spoof: your turn"}
"""All that the window of somebody is called who sits before it."""


class Evening:
    """One game up to its first opening, and all that could be seen of it."""

    def __init__(self, hand: int, parent: Path) -> None:
        self._hand = hand
        self._parent = parent
        parent.mkdir()
        self._terminals: dict[str, Terminal] = {}
        self._relays: dict[str, Relay] = {}
        self.painted: dict[str, list[bytes]] = {"Anna": [], "Ben": [], "Cleo": []}
        """What was painted for everybody, act by act, from the question for a hand on."""
        self.peek = b""
        """What Ben's terminal painted while he looked into his fist."""
        self.said: dict[str, tuple[list[Frame], list[Frame]]] = {}
        """What Ben and Cleo said and heard on their links in the same time."""
        self.streams: list[bytes] = []
        """Every byte on every link and every terminal."""
        with ExitStack() as stack:
            self._sit_down(stack)
            self._get_ready()
            before = {name: link(relay) for name, relay in self._relays.items()}
            self._play()
            for name, relay in self._relays.items():
                since = zip(link(relay), before[name], strict=True)
                guest, host = (frames(now[len(then) :]) for now, then in since)
                self.said[name] = guest, host
                self.streams += [bytes(way) for ways in relay.links for way in ways]
            self.streams += [terminal.output for terminal in self._everybody]
            self._look_at_the_disk()

    @property
    def titles(self) -> list[list[bytes]]:
        """What each window was called, one after the other."""
        return [_TITLE.findall(stream) for stream in self.streams[-len(self.painted) :]]

    @property
    def _everybody(self) -> list[Terminal]:
        return list(self._terminals.values())

    def _sit_down(self, stack: ExitStack) -> None:
        port = free_port()

        def start(name: str, *words: str) -> Terminal:
            home = Home.make(self._parent, name)
            program = [*STAGED, "--seed", str(len(self._terminals))]
            self._terminals[name] = terminal = home.start(*words, program=program)
            stack.callback(terminal.close)
            terminal.wait(markers.ALONE if name == "Anna" else markers.READY)
            return terminal

        anna = start("Anna", "host", "--open", "--name", TABLE, "--port", str(port))
        seed = (self._parent / "Anna" / "identities" / "1.key").read_bytes()
        for name, delay in UNDER_WAY.items():
            self._relays[name] = relay = stack.enter_context(Relay(port, seed, delay))
            start(name, "join", f"127.0.0.1:{relay.port}")
            anna.wait(markers.taken(len(self._terminals)))

    def _get_ready(self) -> None:
        for terminal in self._everybody:
            terminal.send("r")
            settle(self._everybody)
        for terminal in self._everybody:
            terminal.wait(markers.HAND)
        settle(self._everybody, AT_REST)

    def _play(self) -> None:
        self._act("Anna", "2")
        self._act("Ben", str(self._hand))
        self._act("Ben", SHOUT)
        self._act("Cleo", "1")
        for _ in range(4):
            turns = (name for name, each in self._terminals.items() if markers.WORD in each.text())
            self._act(next(turns), "\r")
        self._look_into_the_fist()
        self._act("Ben", SHOUT)

    def _act(self, actor: str, keys: str) -> None:
        marks = {name: terminal.mark() for name, terminal in self._terminals.items()}
        self._terminals[actor].send(keys)
        settle(self._everybody)
        for name, terminal in self._terminals.items():
            painted = terminal.painted_since(marks[name])
            if actor == name == "Anna":
                # Nothing is under way to the host: one paint or two is a matter of luck.
                painted = cells(terminal)
            self.painted[name].append(painted)

    def _look_into_the_fist(self) -> None:
        ben = self._terminals["Ben"]
        mark = ben.mark()
        ben.send(" ")
        ben.wait_until(lambda terminal: markers.is_peeking(terminal.text()))
        ben.wait_until(lambda terminal: not markers.is_peeking(terminal.text()))
        settle(self._everybody)
        self.peek = ben.painted_since(mark)

    def _look_at_the_disk(self) -> None:
        paths = [path for path in self._parent.rglob("*") if path.is_file()]
        self.files = {path.relative_to(self._parent): path.read_bytes() for path in paths}
        """Every file of everybody."""
        self.private = {
            path.relative_to(self._parent)
            for path in paths
            if stat.S_IMODE(path.stat().st_mode) == 0o600
        }
        """Those that only their owner can read."""
        (kept,) = (path for path in self.files if path.match("Ben/*/*/*.journal"))
        payloads = [unpack(payload) for payload in FrameReader().feed(self.files[kept])]
        (nonce,) = (each[-1] for each in payloads if isinstance(each, tuple) and each[0] == "hand")
        self.nonce = bytes(nonce)
        """What hides Ben's hand, from his own file."""


def link(relay: Relay) -> tuple[bytes, bytes]:
    """What guest and host have said so far."""
    return relay.from_guest, relay.from_host


def cells(terminal: Terminal) -> bytes:
    """Everything that a screen shows, with its colours; a blank has no ink to be seen."""
    screen = terminal.screen
    rows = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    seen = [
        [
            cell._replace(fg="", bold=False, italics=False) if cell.data == " " else cell
            for cell in row
        ]
        for row in rows
    ]
    return repr(seen).encode()


def settle(terminals: list[Terminal], quiet: float = QUIET) -> None:
    """Wait until nothing is painted anywhere any more."""

    def last_paint() -> float:
        return max(terminal.raw[-1][0] for terminal in terminals)

    since = time.perf_counter()
    eventually(lambda: time.perf_counter() - max(since, last_paint()) > quiet, "an end of paint")


def outlines(said: list[Frame]) -> list[tuple[object, ...]]:
    """What shows of messages, where everybody's intents are numbered from the first one of these.

    What a host refused before it was heard and said once more has two numbers.
    """
    first: dict[object, int] = {}

    def counted(path: str, value: object, leaves: dict[str, object]) -> object:
        if not path.endswith("sequence") or not isinstance(value, int):
            return value
        return value - first.setdefault(leaves.get(path.removesuffix("sequence") + "author"), value)

    return [
        tuple(
            (each[0], counted(each[0], each[1], dict(frame.leaves)))
            if isinstance(each, tuple)
            else each
            for each in frame.outline
        )
        for frame in said
    ]


def test_no_byte_tells_a_hand_that_is_shut(state: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        evenings = (pool.submit(Evening, hand, state / f"hand{hand}") for hand in HANDS)
        one, other = (each.result() for each in list(evenings))
    # Everybody is painted the same, Ben himself included, and whoever presses nothing is painted.
    assert all(one.painted["Anna"][1:3]) and all(one.painted["Cleo"][1:3])
    assert one.painted == other.painted
    # Only a peek paints the hand, and its size says nothing.
    assert one.peek != other.peek
    assert len(one.peek) == len(other.peek)
    for name in UNDER_WAY:
        for said, said_too in zip(one.said[name], other.said[name], strict=True):
            assert said
            assert outlines(said) == outlines(said_too)
            assert all(differences(a, b) <= NUMBERED for a, b in zip(said, said_too, strict=True))
    assert one.titles == other.titles
    assert {title for titles in one.titles for title in titles} == TITLES
    for evening in (one, other):
        assert not any(evening.nonce in stream for stream in evening.streams)
        # One file has it, which is Ben's own and for nobody else to read.
        (kept,) = (path for path, content in evening.files.items() if evening.nonce in content)
        assert kept.parts[0] == "Ben"
        assert kept.suffix == ".journal"
        assert kept in evening.private
