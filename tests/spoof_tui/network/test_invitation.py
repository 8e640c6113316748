"""The line that a host prints and a guest types."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.join_code import ALPHABET, CODE_LENGTH
from spoof_tui.network.addresses import Address
from spoof_tui.network.invitation import Invitation

four = st.ip_addresses(v=4).map(str)
six = st.ip_addresses(v=6).map(str)
scoped = st.integers(1, 2**64 - 1).map(lambda number: f"fe80::{number & 0xFFFF or 1:x}%wlan0")
names = st.sampled_from(["localhost", "annas-laptop", "pub.example"])
addresses = st.builds(Address, four | six | scoped | names, st.sampled_from([7763, 1, 80, 65535]))
codes = st.none() | st.text(ALPHABET, min_size=CODE_LENGTH, max_size=CODE_LENGTH)
invitations = st.builds(Invitation, addresses, codes)


@given(invitations)
def test_what_a_host_prints_a_guest_may_type_or_give_to_a_shell(invitation: Invitation) -> None:
    assert Invitation.parse(invitation.line) == invitation
    words = shlex.split(invitation.line)
    assert words[:2] == ["spoof", "join"]
    assert Invitation.parse(" ".join(words[2:])) == invitation
    assert Address.parse(words[2]) == invitation.address


@pytest.mark.parametrize(
    "text",
    [
        "192.168.1.20 K7M4Q",
        "  $ spoof join 192.168.1.20 k7m4q ",
        "“spoof join 192.168.1.20 K7M4Q”",
        "192.168.1.20:7763 K7M 4Q",
        "spoof join 192.168.1.20 --code K7M4Q",
    ],
)
def test_it_is_read_however_it_was_pasted(text: str) -> None:
    assert Invitation.parse(text) == Invitation(Address("192.168.1.20", 7763), "K7M4Q")


@pytest.mark.parametrize("text", ["", "spoof join", "192.168.1.20 K7", "a b c d", "1.2.3.4 K7M4QQ"])
def test_what_leads_nowhere_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        Invitation.parse(text)


@given(st.text(max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    try:
        read = Invitation.parse(text)
    except ValueError:
        return
    assert Invitation.parse(read.line) == read
