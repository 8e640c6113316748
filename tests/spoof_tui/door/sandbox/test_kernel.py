"""Calls of Linux that Python has no names for."""

import errno
import sys

import pytest

from spoof_tui.door import sandbox
from tests.spoof_tui.door.sandbox.walled import needs_filter, told

GIVEN_UP = """
from spoof_tui.door import sandbox
sandbox.give_up_privileges()
print(open("/proc/self/status").read())
"""


@needs_filter
def test_what_was_given_up_is_gone_for_good() -> None:
    lines = told(GIVEN_UP).splitlines()
    said = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    assert {int(said[f"Cap{kind}"], 16) for kind in ("Eff", "Prm", "Inh", "Amb")} == {0}
    assert said["NoNewPrivs"] == "1"


def test_what_the_kernel_refuses_is_an_error() -> None:
    with pytest.raises(OSError) as error:
        sandbox.prctl(-1)
    assert error.value.errno == (errno.EINVAL if sys.platform == "linux" else errno.ENOSYS)
