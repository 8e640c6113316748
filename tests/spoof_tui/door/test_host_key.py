"""The key of a door."""

from pathlib import Path

from spoof_tui.door.server import host_key, key_path


def test_nobody_else_can_read_the_key(state: Path) -> None:
    host_key()
    assert key_path().stat().st_mode & 0o777 == 0o600
    assert key_path().is_relative_to(state)


def test_a_key_that_is_damaged_is_made_anew() -> None:
    host_key()
    key_path().write_bytes(b"no key")
    assert host_key().get_fingerprint() == host_key().get_fingerprint()
