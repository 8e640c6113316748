"""Every benchmark runs and prints plausible figures; how good they are is not tested."""

from collections.abc import Callable

import pytest

from protocol.notation.checking import check
from protocol.notation.reading import read
from tests.benchmarks import (
    calls,
    checking,
    door,
    folding,
    history,
    listing,
    lobby,
    painting,
    reaction,
    stage,
    web,
)
from tests.benchmarks.__main__ import main
from tests.benchmarks.figures import (
    Amount,
    Chance,
    Count,
    Delay,
    Figure,
    Rate,
    Ratio,
    Share,
    percentile,
    table,
)
from tests.end_to_end.homes import SWIFT

pytestmark = pytest.mark.timeout(180)

TINY: dict[str, Callable[[], list[Figure]]] = {
    "calls": lambda: calls.measure(count=2),
    "checking": lambda: checking.measure(count=1, rounds=20),
    "folding": lambda: folding.measure(count=2, games=1),
    "history": lambda: history.measure(count=1, many=30),
    "lobby": lambda: lobby.measure(count=1),
}

SMALL: dict[str, Callable[[], list[Figure]]] = {
    "listing": lambda: listing.measure(count=1, crowd=5, rest=0.2),
    "painting": lambda: painting.measure(count=3, idle_seconds=0.2),
    "reaction": lambda: reaction.measure(count=2),
    "door": lambda: door.measure(count=1, visitors=1, rest=0.1),
    "web": lambda: web.measure(count=1, visitors=1),
}
"""Those that start many programs and wait for them."""


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program starts as a fork and shows counts in a moment, so that nobody waits for those."""
    monkeypatch.setattr(stage, "program", lambda: SWIFT)
    monkeypatch.setattr(painting, "AFTER_COUNT", 0.5)


@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize(
    "name", [*TINY, *(pytest.param(each, marks=pytest.mark.long) for each in SMALL)]
)
def test_a_benchmark_measures_something(name: str) -> None:
    figures = (TINY | SMALL)[name]()
    assert table(figures).count("\n") == len(figures)
    for figure in figures:
        assert not isinstance(figure, Chance) and figure.measured
        if isinstance(figure, Amount | Count | Delay | Share):
            assert all(0 <= amount < 100_000 for amount in figure.measured)
        else:
            assert len(figure.baseline) == len(figure.measured)
            assert min(*figure.measured, *figure.baseline) > 0


def test_the_rounds_that_are_checked_have_no_fault() -> None:
    (game,) = read([checking.long_record(20).encode()])
    assert len(game.rounds) == 20
    assert not check(game).faults


def test_a_percentile_lies_between_the_samples() -> None:
    assert percentile([3.0], 95) == 3.0
    assert percentile([1.0, 2.0, 3.0], 50) == 2.0
    assert percentile([0.0, 10.0], 95) == pytest.approx(9.5)


STEADY, RAGGED = [1.0] * 20, [1.0] * 18 + [9.0] * 2


@pytest.mark.parametrize(
    ("figure", "is_met"),
    [
        (Ratio("r", [5.0], [1.0]), None),
        (Ratio("r", RAGGED, STEADY, aim=2.0), True),
        (Ratio("r", RAGGED, STEADY, aim=2.0, percents=(50, 95)), False),
        (Delay("d", STEADY, aim=1.0), True),
        (Delay("d", RAGGED, aim=1.0), False),
        (Amount("a", [0.0, 600.0], aim=600), True),
        (Amount("a", [0.0, 601.0], aim=600), False),
        (Chance("by far too often", 0.60, 0.01, 0.56), False),
        (Chance("too often, by chance", 0.60, 0.02, 0.56), True),
        (Chance("too rarely, by chance", 0.60, 0.02, 0.65, least=True), True),
        (Chance("too often, exactly", 0.501, 0.0, 0.5), False),
    ],
)
def test_an_aim_is_met_by_nearly_all_times_and_by_every_amount(
    figure: Figure, is_met: bool | None
) -> None:
    assert figure.row().is_met is is_met


def test_a_rate_is_told_as_how_much_longer_one_of_ours_takes() -> None:
    assert Rate("r", "rounds/s", [5.0], [10.0]).row().ratio == "2.00 / 2.00"


def test_a_benchmark_that_does_not_exist_is_a_wrong_argument() -> None:
    with pytest.raises(SystemExit):
        main(["speed"])
