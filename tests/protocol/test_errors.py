"""Errors: the blame is in the type, the clause on the exception."""

import string

from protocol.errors import (
    REASONS,
    Illegal,
    Reason,
)
from protocol.limits import MAX_CODE
from tests.helpers.offenders import offenders


def names(template: str) -> list[str]:
    """Values for the placeholders of a sentence."""
    return [name for _, name, _, _ in string.Formatter().parse(template) if name]


def well_formed(reason: Reason) -> None:
    assert REASONS[reason.code] is reason
    assert len(reason.code) <= MAX_CODE and reason.code == reason.code.lower()
    assert reason.clause[0] in "RHGS" and reason.clause[1:].isdigit()
    assert reason.template[0].isupper() and reason.template.endswith(".")
    error = Illegal(reason, **dict.fromkeys(names(reason.template), 7))
    assert str(error).endswith(f" ({reason.clause})") and "{" not in str(error)


def test_a_reason_is_a_code_a_clause_and_a_sentence() -> None:
    assert offenders(well_formed, zip(Reason)) == []


def test_two_refusals_that_say_the_same_are_equal() -> None:
    low, same = Illegal(Reason.BID_TOO_LOW, standing=4), Illegal(Reason.BID_TOO_LOW, standing=4)
    assert low == same and hash(low) == hash(same)
    assert low != Illegal(Reason.BID_TOO_LOW, standing=5)
    assert low != Illegal(Reason.BID_BELOW_ONE) != Reason.BID_BELOW_ONE
