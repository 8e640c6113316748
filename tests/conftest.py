"""What every test runs with: a plain environment, its own state directory, bounded properties."""

import asyncio
import functools
import gc
import itertools
import os
import secrets
import sys
from collections.abc import Generator, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from protocol.crypto import keys
from tests.helpers import warm
from tests.helpers.namespaces import enter_network, why_not
from tests.helpers.signals import let_children_hear
from tests.helpers.unix import fcntl, need, need_more_than_wine

# Textual reads its settings when it is imported, so these come before anything imports it.
os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ["LANG"] = "C.UTF-8"
for name in (
    "NO_COLOR",
    "LC_ALL",
    "LC_MESSAGES",
    "LANGUAGE",
    "SPOOF_LANG",
    "SPOOF_CODE",
    "TEXTUAL_THEME",
):
    os.environ.pop(name, None)

# All who sit at a table of one process check the same signatures, which is a third of the work.
keys.is_signed = functools.lru_cache(1 << 16)(keys.is_signed)  # before anybody imports it by name

# `python -m tests` names a new seed in every run; HYPOTHESIS_PROFILE=search looks longer.
settings.register_profile(
    "suite", max_examples=40, stateful_step_count=40, deadline=None, database=None, print_blob=True
)
settings.register_profile("search", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))

if sys.platform == "win32":
    # The program's own loops are of this kind, too.
    asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())

LONG: Final = "waits for minutes: only with --long"

MAY_BE_SKIPPED: Final = (LONG, "network namespace", "Python 3.12")
"""The reasons for skipping that `--no-skips` accepts."""

WAITING: Final = ("tests/benchmarks/", "tests/end_to_end/")
"""Tests that mostly wait for other programs."""

_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long` also runs what waits for minutes, and every program begins from nothing."""
    parser.addoption("--long", action="store_true", help="also run what waits for minutes")
    parser.addoption("--update", action="store_true", help="accept the screens as they are drawn")
    parser.addoption(
        "--no-skips", action="store_true", help="fail a test that lacks what it needs here"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Programs under test hear signals, and meet only those of the same process of xdist."""
    config.addinivalue_line("markers", "long: waits for minutes, and is run with --long only")
    config.addinivalue_line("markers", "unix(what): needs what Windows has not")
    config.addinivalue_line("markers", "beyond_wine(what): needs what Wine has not")
    let_children_hear()
    if config.getoption("--long"):
        warm.begin_from_nothing()
    if hasattr(config, "workerinput") and why_not() is None:
        enter_network()


def pytest_report_header(config: pytest.Config) -> str | None:
    """The seed folder of evenings that nobody has played before."""
    seed = config.getoption("hypothesis_seed")
    return None if seed is None else f"new evenings: python -m tests.simulation --first {seed}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect in one process of xdist after the other: what the first has compiled, others read."""
    with Path(__file__).open() as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the waiting modules among the others, so that no process gets only those."""
    modules = [list(each) for _path, each in groupby(items, lambda item: item.path)]
    waiting = [each for each in modules if each[0].nodeid.startswith(WAITING)]
    busy = [each for each in modules if not each[0].nodeid.startswith(WAITING)]
    items[:] = itertools.chain.from_iterable(_spread(waiting, busy))


def _spread(
    few: list[list[pytest.Item]], many: list[list[pytest.Item]]
) -> Iterator[list[pytest.Item]]:
    """Both, mixed in the same proportion from beginning to end."""
    share = sum(map(len, many)) / max(sum(map(len, few)), 1)
    done = 0
    rest = iter(many)
    for number, module in enumerate(few):
        due = share * sum(map(len, few[:number]))
        while done < due and (other := next(rest, None)) is not None:
            done += len(other)
            yield other
        yield module
    yield from rest


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep the garbage collector away from the tests themselves: that saves a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what waits for minutes in ordinary runs, and what a system lacks."""
    if lacking := item.get_closest_marker("unix"):
        need(*lacking.args)
    if lacking := item.get_closest_marker("beyond_wine"):
        need_more_than_wine(*lacking.args)
    if item.get_closest_marker("long") and not item.config.getoption("--long"):
        pytest.skip(LONG)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With `--no-skips`, fail tests that are skipped for a reason not on the list."""
    report = yield
    if report.skipped and item.config.getoption("--no-skips"):
        reason = str(report.longrepr)
        if not any(each in reason for each in MAY_BE_SKIPPED):
            report.outcome = "failed"
            report.longrepr = f"may not be skipped here: {reason}"
    return report


@pytest.fixture(scope="session")
def run_seed(request: pytest.FixtureRequest) -> int:
    """The seed of this run, `--hypothesis-seed`, or a random one."""
    given = request.config.getoption("hypothesis_seed")
    return secrets.randbelow(1 << 32) if given is None else int(given)


@pytest.fixture(scope="session")
def _states(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("states")


@pytest.fixture(autouse=True)
def state(_states: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty state directory for this test alone, named by $SPOOF_STATE."""
    # Not tmp_path: for every test it lists all its siblings to find a number.
    path = _states / str(next(_numbers))
    path.mkdir(mode=0o700)
    monkeypatch.setenv("SPOOF_STATE", str(path))
    return path
