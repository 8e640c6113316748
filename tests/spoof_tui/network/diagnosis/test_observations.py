"""Values that were seen."""

from ipaddress import IPv4Interface, IPv6Interface

from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.network.diagnosis.observations import Adapter, LinkFigures


def test_an_address_that_was_made_up_is_no_network() -> None:
    made_up, real = IPv4Interface("169.254.3.4/16"), IPv4Interface("10.0.0.1/8")
    adapter = Adapter("eth0", (made_up, real, IPv6Interface("fd00::1/64")))
    assert adapter.networks == (real,)
    assert adapter.has_ipv6


@given(st.integers(0, 50), st.integers(0, 50))
def test_loss_is_a_part_of_one(answered: int, lost: int) -> None:
    figures = LinkFigures(answered + lost, answered, None)
    assert 0 <= figures.loss <= 1
    assert (figures.loss == 0) is (lost == 0)
