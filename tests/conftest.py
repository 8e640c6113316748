"""What every test runs with: a plain environment, its own state directory, bounded properties."""

import functools
import gc
import itertools
import os
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from protocol.crypto import keys
from tests.helpers import warm
from tests.helpers.namespaces import enter_network
from tests.helpers.signals import let_children_hear

# Everybody at a table checks every signature, and in a test they all sit in one process: whether
# a signature holds is worked out once. Before anything else imports the function by its name.
setattr(keys, "is_signed", functools.lru_cache(20_000)(keys.is_signed))  # noqa: B010


class _Signer:
    """A key, alike to any other object of the same key."""

    def __init__(self, key: keys.SigningKey) -> None:
        self.key: Final = key

    def __hash__(self) -> int:
        return hash(self.key.public)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Signer) and self.key.public == other.key.public


_sign = keys.SigningKey.sign


@functools.lru_cache(20_000)
def _signed(signer: _Signer, purpose: bytes, message: bytes) -> bytes:
    return _sign(signer.key, purpose, message)


# A key signs the same words alike, and tables of the same seed are set up by many tests.
setattr(keys.SigningKey, "sign", lambda key, *said: _signed(_Signer(key), *said))  # noqa: B010

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

# The same examples on every machine and in every run, so that a failure is nobody's bad luck;
# HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile(
    "ci", derandomize=True, max_examples=40, stateful_step_count=40, deadline=None, database=None
)
settings.register_profile("search", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# The constants of all modules that happen to be imported would make the examples depend on what
# else is tested, and take seconds to be collected.
setattr(providers, "_get_local_constants", Constants)  # noqa: B010

_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--long` also runs what waits for minutes; `--own-network` keeps processes apart.

    With `--long` every program of a test begins from nothing, too.
    """
    parser.addoption("--long", action="store_true", help="also run what waits for minutes")
    parser.addoption("--update", action="store_true", help="accept the screens as they are drawn")
    parser.addoption(
        "--own-network",
        action="store_true",
        help="give each process of -n a network of its own (Linux, as root)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the mark of such a case, and mind that the programs under test hear signals."""
    config.addinivalue_line("markers", "long: waits for minutes, and is run with --long only")
    let_children_hear()
    if config.getoption("--long"):
        warm.begin_from_nothing()
    if hasattr(config, "workerinput"):
        if config.getoption("--own-network"):
            enter_network()
        _report_briefly(config)


def _report_briefly(config: pytest.Config) -> None:
    """Of what passed, tell the other process that alone: the rest takes as long as a small test."""
    [teller] = [each for each in config.pluginmanager.get_plugins() if hasattr(each, "sendevent")]
    send = teller.sendevent

    def send_what_matters(name: str, **said: Any) -> None:
        report = said.get("data", {})
        has_only_passed = report.get("outcome") == "passed" and report.get("when") != "call"
        if name != "logstart" and not (has_only_passed and not report["sections"]):
            send(name, **said)

    teller.sendevent = send_what_matters


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """The tests themselves are no garbage: looking for it in them takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave such cases out of ordinary runs."""
    if item.get_closest_marker("long") and not item.config.getoption("--long"):
        pytest.skip("waits for minutes: only with --long")


@pytest.fixture(scope="session")
def _states(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("states")


@pytest.fixture(autouse=True)
def state(_states: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty state directory of this test alone, to which $SPOOF_STATE points."""
    # Not tmp_path: it lists all its siblings to find a number, for every test of the suite.
    path = _states / str(next(_numbers))
    path.mkdir(mode=0o700)
    monkeypatch.setenv("SPOOF_STATE", str(path))
    return path
