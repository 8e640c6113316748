"""Solving the last two of a school: who calls first, and what each holds and calls.

A round is four numbers: both hands and both calls. `Callers` says how one side plays both parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spoof_tui.bots.guessing import HANDS, NUMBERS, CallPlan
from tests.solver.tables import weights
from tests.solver.tree import Array

TREMBLE: Final = 0.01
"""How often the first caller is assumed to call anything, so that any call is answered well."""

_FIRST, _SECOND, _CALL, _ANSWER = np.ogrid[:HANDS, :HANDS, :NUMBERS, :NUMBERS]
_TOTAL = _FIRST + _SECOND

POSSIBLE: Final = np.array(
    [[hand <= call <= hand + HANDS - 1 for call in range(NUMBERS)] for hand in range(HANDS)]
)
"""Hand, number: whether it may be right (H7)."""


@dataclass(frozen=True)
class Callers:
    """A strategy for both parts, each choice a row of chances."""

    first: Array
    """Hand, number: the chance to hold and call it as the first caller; they sum up to 1."""
    second: Array
    """Hand, number heard, number: the chance of that answer; and of the hand."""


def of_table(plan: CallPlan) -> Callers:
    """The strategy in a table."""
    calls = np.array([plan.call_odds(hand, None) for hand in range(HANDS)])
    answers = np.array(
        [[plan.call_odds(hand, heard) for heard in range(NUMBERS)] for hand in range(HANDS)]
    )
    first, second = np.array(plan.hand_odds(True)), np.array(plan.hand_odds(False))
    return Callers(first[:, None] * calls, second[:, None, None] * answers)


def written(callers: Callers) -> bytes:
    """The table of a strategy."""
    table = weights(callers.first.sum(axis=1)) + weights(callers.second[:, 0].sum(axis=1))
    for calls in callers.first:
        table += weights(calls)
    for heard in range(NUMBERS):
        for answers in callers.second[:, heard]:
            table += weights(answers)
    return table


def _payoffs(later: float) -> Array:
    """The worth of a round for the first caller: hands, call, answer. `later`: that of the next
    one."""
    found = np.where(_TOTAL == _CALL, 1.0, np.where(_TOTAL == _ANSWER, 0.0, later))
    return np.where(_CALL == _ANSWER, -1.0, found)


def best_against(callers: Callers) -> float:
    """How often a perfect opponent who knows `callers` leaves first; mean of both parts.

    That opponent may also call what its own hand makes impossible.
    """
    first = second = 0.5
    for _ in range(60):
        first, second = _first_against(callers, second), _second_against(callers, first)
    return (first + second) / 2


def _first_against(callers: Callers, later: float) -> float:
    answered = np.einsum("sca,fsca->fc", callers.second, _payoffs(later))
    return float(answered.max())


def _second_against(callers: Callers, later: float) -> float:
    lost = np.where(_CALL == _ANSWER, 9.0, _payoffs(1.0 - later))
    heard = np.einsum("fc,fsca->sca", callers.first, lost)
    return float(1.0 - heard.min(axis=2).sum(axis=1).min())


def met_by(callers: Callers, others: Callers) -> float:
    """How often `others` leave before these; mean of both parts."""
    first = second = 0.5
    for _ in range(60):
        first, second = (
            _between(others, callers, second),
            1.0 - _between(callers, others, 1.0 - first),
        )
    return (first + second) / 2


def _between(first: Callers, second: Callers, later: float) -> float:
    """How often the first caller leaves before the second."""
    return float(np.einsum("fc,sca,fsca->", first.first, second.second, _payoffs(later)))


class _Round:
    """The regrets of both in a round (CFR+), `first` and `second` saying what each may call."""

    def __init__(self, first: Array, second: Array) -> None:
        self._may = (first, second[:, None, :] & ~np.eye(NUMBERS, dtype=bool)[None])
        self._hands = np.zeros((2, HANDS))
        self._calls = [np.zeros(may.shape) for may in self._may]
        self.sums = [np.zeros(may.shape) for may in self._may]
        self.worth = 0.5

    def step(self, later: float, weight: float) -> None:
        """Both learn from one round with this weight."""
        payoffs = _payoffs(later)
        hands = [_matched(each, np.ones(HANDS, bool)) for each in self._hands]
        calls, answers = map(_matched, self._calls, self._may)
        said = (1 - TREMBLE) * calls + TREMBLE * self._may[0] / self._may[0].sum(1, keepdims=True)
        called = np.einsum("s,sca,fsca->fc", hands[1], answers, payoffs)
        answered = -np.einsum("f,fc,fsca->sca", hands[0], said, payoffs)
        firsts, seconds = (calls * called).sum(1), (answers * answered).sum(2)
        self.worth = float(hands[0] @ firsts)
        for player, worths in enumerate((firsts, seconds.sum(1))):
            _add(self._hands[player], worths - hands[player] @ worths)
        _add(self._calls[0], called - firsts[:, None])
        _add(self._calls[1], answered - seconds[:, :, None])
        self.sums[0] += weight * hands[0][:, None] * calls
        self.sums[1] += weight * hands[1][:, None, None] * answers


def solved(steps: int = 20000) -> Callers:
    """How to call against one other player, who may also call what cannot be right."""
    anything = np.ones_like(POSSIBLE)
    first, second = _Round(POSSIBLE, anything), _Round(anything, POSSIBLE)
    mine, others = 0.5, 0.5
    for step in range(steps):
        first.step(1.0 - others, step)
        second.step(1.0 - mine, step)
        mine += 0.02 * (first.worth - mine)
        others += 0.02 * (second.worth - others)
    return Callers(first.sums[0] / first.sums[0].sum(), _answers(second.sums[1]))


def mistaken(callers: Callers, part: float) -> Callers:
    """The same players, who call any possible number in this part of all rounds."""
    free = POSSIBLE[:, None, :] & ~np.eye(NUMBERS, dtype=bool)[None]
    any_call, any_answer = (may / may.sum(axis=-1, keepdims=True) for may in (POSSIBLE, free))
    first, second = (each.sum(axis=-1, keepdims=True) for each in (callers.first, callers.second))
    return Callers(
        (1 - part) * callers.first + part * first * any_call,
        (1 - part) * callers.second + part * second * any_answer,
    )


def _answers(sums: Array) -> Array:
    """Odds of answers from their sums; each number heard has the same odds of hands."""
    return np.asarray(sums / sums.sum(axis=(0, 2), keepdims=True))


def _matched(regrets: Array, may: Array) -> Array:
    legal = np.where(may, regrets, 0.0)
    whole = legal.sum(axis=-1, keepdims=True)
    even = may / may.sum(axis=-1, keepdims=True)
    return np.where(whole > 0, legal / np.where(whole > 0, whole, 1.0), even)


def _add(regrets: Array, gains: Array) -> None:
    regrets += gains
    np.maximum(regrets, 0.0, out=regrets)
