"""One law for many small cases: a test that names those for which it does not hold.

As tests of their own they would take longer to report than to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def offenders(law: Callable[..., None], cases: Iterable[tuple[Any, ...]]) -> list[str]:
    """The cases that fail `law`, each with its failure."""
    return [told for case in cases for told in _trial(law, case)]


def _trial(law: Callable[..., None], case: tuple[Any, ...]) -> list[str]:
    try:
        law(*case)
    except (Exception, pytest.fail.Exception) as error:
        return [f"{', '.join(map(str, case))}: {type(error).__name__}: {error}"]
    return []
