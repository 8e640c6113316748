"""The figures of a benchmark: samples, beside samples of a baseline from the same run.

Absolute times say something about the machine; a ratio to something bare, measured in turns with
it, says something about the program.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

MIDDLE: Final = 50
TAIL: Final = 95
"""The percentiles shown."""


def percentile(samples: Sequence[float], percent: int) -> float:
    """The value that `percent` of the samples do not exceed, between two of them if need be."""
    if len(samples) < 2:
        return samples[0]
    return statistics.quantiles(samples, n=100, method="inclusive")[percent - 1]


def seconds(act: Callable[[], object]) -> float:
    """How long this takes."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def in_turns(
    count: int, measured: Callable[[], float], baseline: Callable[[], float]
) -> tuple[list[float], list[float]]:
    """`count` samples of each, taken in turns so that both meet the same load of the machine."""
    ours, bare = [], []
    for _ in range(count):
        ours.append(measured())
        bare.append(baseline())
    return ours, bare


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, as text."""

    name: str
    measured: str
    baseline: str = ""
    ratio: str = ""
    aim: str = ""
    is_met: bool | None = None
    """None if there is no aim."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """Seconds of something beside the seconds of its bare baseline."""

    name: str
    measured: Sequence[float]
    baseline: Sequence[float]
    aim: float | None = None
    """The largest good ratio; None: just for information."""
    percents: tuple[int, ...] = (MIDDLE,)
    """The percentiles for which the aim counts."""

    def at(self, percent: int) -> float:
        """The ratio of the two percentiles."""
        return percentile(self.measured, percent) / percentile(self.baseline, percent)

    def row(self) -> Row:
        """The line of the table."""
        name = f"{self.name} (n={len(self.measured)})"
        told = _milliseconds(self.measured), _milliseconds(self.baseline)
        ratio = f"{self.at(MIDDLE):.2f} / {self.at(TAIL):.2f}"
        if self.aim is None:
            return Row(name, *told, ratio)
        is_met = all(self.at(percent) <= self.aim for percent in self.percents)
        return Row(name, *told, ratio, f"{self.aim:g}", is_met)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount of something, beside the most that it should be."""

    name: str
    measured: Sequence[float]
    aim: float
    form: str = "{:.0f} B"
    """How an amount is written: as bytes unless told otherwise."""

    def row(self) -> Row:
        """The line of the table: median and most."""
        name, most = f"{self.name} (n={len(self.measured)})", max(self.measured)
        shown = (percentile(self.measured, MIDDLE), most, self.aim)
        middle, top, aim = map(self.form.format, shown)
        return Row(name, f"{middle} / max {top}", aim=aim, is_met=most <= self.aim)


MEGABYTES: Final = "{:.0f} MB"
OF_A_CORE: Final = "{:.1%}"
"""Other forms of an amount."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many of something, beside the most that it should be in the middle."""

    name: str
    measured: Sequence[float]
    aim: float | None = None
    """None: only to be looked at."""

    def row(self) -> Row:
        """The line of the table: median and least."""
        middle, least = percentile(self.measured, MIDDLE), min(self.measured)
        told, is_met = f"{middle:.0f} / min {least:.0f}", None
        if self.aim is not None:
            is_met = middle <= self.aim
        aim = "" if self.aim is None else f"{self.aim:.0f}"
        return Row(f"{self.name} (n={len(self.measured)})", told, "", "", aim, is_met)


@dataclass(frozen=True, slots=True)
class Rate:
    """How much is done per second, beside something bare; more is better."""

    name: str
    unit: str
    measured: Sequence[float]
    baseline: Sequence[float]

    def row(self) -> Row:
        """The line of the table; the ratio is how much longer one of ours takes."""
        ours, bare = percentile(self.measured, MIDDLE), percentile(self.baseline, MIDDLE)
        tail = percentile(self.baseline, TAIL) / percentile(self.measured, 100 - TAIL)
        name, ratio = f"{self.name} (n={len(self.measured)})", f"{bare / ours:.2f} / {tail:.2f}"
        return Row(name, f"{ours:.0f} {self.unit}", f"{bare:.0f} {self.unit}", ratio)


@dataclass(frozen=True, slots=True)
class Share:
    """Seconds per step of something, beside its allowance; just for information."""

    name: str
    measured: Sequence[float]
    budget: float
    """Milliseconds on a calm machine."""

    def row(self) -> Row:
        """The line of the table."""
        return Row(f"  {self.name}", _milliseconds(self.measured), aim=f"{self.budget:g} ms")


@dataclass(frozen=True, slots=True)
class Delay:
    """Seconds from a mishap until it is shown, or over; timers decide them."""

    name: str
    measured: Sequence[float]
    aim: float | None = None
    """Seconds that nearly all should stay below; None: just for information."""

    def row(self) -> Row:
        """The line of the table."""
        middle, tail = (percentile(self.measured, percent) for percent in (MIDDLE, TAIL))
        row = Row(f"{self.name} (n={len(self.measured)})", f"{middle:.2f} / {tail:.2f} s")
        if self.aim is None:
            return row
        return replace(row, aim=f"{self.aim:g} s", is_met=tail <= self.aim)


SURE: Final = 3.0
"""How many standard errors a chance may miss its aim by, and is still taken to meet it."""


@dataclass(frozen=True, slots=True)
class Chance:
    """How often something happens, beside how often it should at most, or at least."""

    name: str
    part: float
    error: float
    """Standard error; 0 for exact values."""
    aim: float
    least: bool = False

    def row(self) -> Row:
        """The line of the table."""
        missed = self.aim - self.part if self.least else self.part - self.aim
        is_met = missed <= SURE * self.error
        told = f"{self.part:.3f}" + (f" ± {self.error:.3f}" if self.error else "")
        aim = f"{'≥' if self.least else '≤'} {self.aim:.3f}"
        return Row(self.name, told, aim=aim, is_met=is_met)


Figure = Ratio | Amount | Count | Rate | Share | Delay | Chance


def table(figures: Sequence[Figure]) -> str:
    """All figures as a table of text."""
    heads = ("", "measured p50/p95", "baseline p50/p95", "ratio p50/p95", "aim", "met")
    lines = [heads, *(_cells(figure.row()) for figure in figures)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _cells(row: Row) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: ""}[row.is_met]
    return row.name, row.measured, row.baseline, row.ratio, row.aim, met


def _milliseconds(samples: Sequence[float]) -> str:
    middle, tail = (percentile(samples, percent) * 1000 for percent in (MIDDLE, TAIL))
    return f"{middle:.2f} / {tail:.2f} ms"
