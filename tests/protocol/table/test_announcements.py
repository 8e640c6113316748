"""What the host announces, beside what its players state."""

import pytest

from protocol.encoding.codec import pack, read_message, unpack
from protocol.errors import Malformed
from protocol.limits import MAX_STATEMENT
from protocol.table.announcements import HOSTS, Backing, GameStarted, HostMoved
from protocol.table.statements import PLAYERS


def test_no_word_of_the_host_is_a_word_of_a_player() -> None:
    assert not set(PLAYERS) & set(HOSTS)


def test_the_longest_announcement_fits_the_limit() -> None:
    moved = HostMoved(2**53 - 1, bytes(32), (Backing(bytes(32), bytes(64)),) * 9)
    assert len(pack(moved.packable())) < MAX_STATEMENT - 250
    assert read_message(HOSTS, unpack(pack(moved.packable()))) == moved


def test_a_game_of_ten_is_malformed() -> None:
    assert read_message(HOSTS, ("game-started", (bytes(32),) * 9)) == GameStarted((bytes(32),) * 9)
    with pytest.raises(Malformed):
        read_message(HOSTS, ("game-started", (bytes(32),) * 10))
