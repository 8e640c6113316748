"""Cases in which a law fails are named."""

import pytest

from tests.helpers.offenders import offenders


def small(number: int, text: str = "") -> None:
    assert number < 3, "too large"
    if text:
        with pytest.raises(KeyError):
            {"a": 1}[text]


def test_every_case_in_which_a_law_fails_is_named_with_how() -> None:
    assert offenders(small, zip(range(3))) == []
    told = offenders(small, [(2, "b"), (3, "b"), (1, "a"), (None,)])
    assert [each[:10] for each in told] == ["3, b: Asse", "1, a: Fail", "None: Type"]
    assert "too large" in told[0]
