"""The key of a door."""

from spoof_tui.door.ssh_door import host_key, key_path


def test_a_key_that_is_damaged_is_made_anew() -> None:
    host_key()
    key_path().write_bytes(b"no key")
    assert host_key().get_fingerprint() == host_key().get_fingerprint()
