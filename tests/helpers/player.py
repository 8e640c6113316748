"""Plays the real program by its keys, knowing no more than what its screen says.

    players = [KeyPlayer(terminal, seed) for seed, terminal in enumerate(terminals)]
    play(*players)
    assert_one_winner(*terminals)

What a player chooses comes from its seed. A choice that is not allowed is followed by one that
is, so that a game always goes on.
"""

import contextlib
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import Any, Protocol

from tests.end_to_end import markers

PATIENCE = 0.5
"""Seconds after which a key that changed nothing on the screen counts as lost."""

GAME_SECONDS = 60.0
"""Seconds after which a game must have gone wrong."""


class Asked(Enum):
    """What a screen waits for."""

    NEWS = "news"
    """Something to read first."""
    READY = markers.READY
    HAND = markers.HAND
    WORD = markers.WORD


class Screen(Protocol):
    """A screen that a player sees and types on: a `Terminal`, or anything that shows the same."""

    def text(self) -> str:
        """The text on it."""

    def send(self, keys: str) -> None:
        """Press keys."""

    def wait_until(self, holds: Callable[[Any], bool], timeout: float = ...) -> object:
        """Wait until `holds(self)`; TimeoutError if it is not in time."""


Condition = Callable[[Any], bool]


def is_over(terminal: Screen) -> bool:
    """Whether the screen shows a winner."""
    return markers.winner(terminal.text()) is not None


def assert_one_winner(*screens: Screen) -> None:
    """All screens on which a game is over name the same winner, who is at most one of them."""
    names = Counter(markers.winner(each.text()) for each in screens)
    assert names.pop("you", 0) <= 1 and len(names) <= 1 and None not in names


def asked(terminal: Screen) -> Asked | None:
    """What the screen waits for; None if it waits for others."""
    text = terminal.text()
    if markers.is_told(text) or markers.is_judged(text):
        return Asked.NEWS
    if markers.LAST_READY in text:
        return Asked.READY
    return next((each for each in Asked if each.value in text), None)


class KeyPlayer:
    """One person at one terminal."""

    def __init__(self, terminal: Screen, seed: int, raise_odds: float = 0.45) -> None:
        self.terminal = terminal
        self._random = random.Random(seed)
        self._raise_odds = raise_odds
        self._before: Asked | None = None
        self._tries = 0
        """How often the present question has been answered already."""

    def play(self, until: Condition = is_over, timeout: float = GAME_SECONDS) -> None:
        """Answer whatever is asked until `until(terminal)`; TimeoutError after `timeout`."""
        end = time.monotonic() + timeout
        while not until(self.terminal):
            left = end - time.monotonic()
            self.terminal.wait_until(lambda t: until(t) or asked(t) is not None, left)
            if not until(self.terminal):
                self.answer()

    def answer(self) -> None:
        """Do what the screen asks for now, and wait until something on it changes."""
        question = asked(self.terminal)
        self._tries = self._tries + 1 if question is self._before else 0
        self._before = question
        if question is Asked.NEWS:
            self._press("u")
        elif question is Asked.READY:
            self._press("r")
        elif question is Asked.HAND:
            # Enter completes a hand of two digits, and does nothing after another one.
            self._press("0\r" if self._tries else str(self._random.randint(0, 3)))
        elif question is Asked.WORD:
            self._speak()

    def bid(self) -> None:
        """Make the lowest bid."""
        self._press("\r")

    def end_by(self, letter: str) -> bool:
        """Say an ending word by its letter; returns whether it was allowed."""
        self._press(letter)
        if markers.REALLY not in self.terminal.text():
            return False
        self._press(letter)
        return True

    def _speak(self) -> None:
        raising = self._random.random() < self._raise_odds
        letter = self._random.choice("ccccls")
        # One of these two is always allowed, whatever was refused.
        if self._tries % 3 == 1 or (raising and not self._tries):
            self.bid()
        else:
            self.end_by(letter if not self._tries else "c")

    def _press(self, keys: str) -> None:
        before = self.terminal.text()
        self.terminal.send(keys)
        with contextlib.suppress(TimeoutError):
            self.terminal.wait_until(lambda t: t.text() != before, PATIENCE)


def play(*players: KeyPlayer, until: Condition = is_over, timeout: float = GAME_SECONDS) -> None:
    """Have all play at once, each until its own screen says that the game is over.

    When one fails the others stop too, and the first failure is raised.
    """
    failed = threading.Event()

    def stop(terminal: Screen) -> bool:
        return failed.is_set() or until(terminal)

    def run(player: KeyPlayer) -> None:
        try:
            player.play(stop, timeout)
        except BaseException:
            failed.set()
            raise

    with ThreadPoolExecutor(len(players)) as pool:
        games = [pool.submit(run, player) for player in players]
        for game in games:
            game.result()
