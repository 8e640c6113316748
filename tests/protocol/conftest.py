"""The protocol touches no file, so its tests make none: a directory each would take a third of
their time."""

import pytest


@pytest.fixture(autouse=True)
def state() -> None:
    """In place of the state directory that other tests get."""
