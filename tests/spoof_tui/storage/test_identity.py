"""Keys of programs that run one after the other, or at once."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from protocol.crypto.keys import SigningKey
from spoof_tui.storage import identity as identities
from spoof_tui.storage import paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.identity import Identity

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written(path: Path, *parts: bytes) -> Frames:
    path.write_bytes(b"".join(parts))
    return Frames(path)


def test_two_programs_at_once_have_different_identities() -> None:
    first, second = Identity.claim(), Identity.claim()
    assert first.seed != second.seed
    first.release()
    second.release()


def test_the_first_identity_is_always_the_same() -> None:
    first = Identity.claim()
    second = Identity.claim()
    seeds = [first.seed, second.seed]
    second.release()
    first.release()
    again = [Identity.claim(), Identity.claim()]
    assert [identity.seed for identity in again] == seeds
    for identity in again:
        identity.release()


def test_an_identity_that_was_released_is_free() -> None:
    first = Identity.claim()
    second = Identity.claim()
    first.release()
    first.release()
    third = Identity.claim()
    assert third.seed == first.seed
    third.release()
    second.release()


def test_an_identity_is_free_when_its_program_died() -> None:
    code = "from spoof_tui.storage.identity import Identity; print(Identity.claim().seed.hex())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = Identity.claim()
    assert mine.seed.hex() == other.stdout.strip()
    mine.release()


def test_more_programs_than_slots_get_passing_identities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identities, "MAX_SLOTS", 1)
    claimed = [Identity.claim() for _ in range(3)]
    assert len({identity.seed for identity in claimed}) == 3
    for identity in claimed:
        identity.release()


def test_a_key_file_of_a_wrong_length_is_made_anew(state: Path) -> None:
    Identity.claim().release()
    (state / "identities" / "1.key").write_bytes(b"short")
    mended = Identity.claim()
    mended.release()
    assert len(mended.seed) == 32
    assert (state / "identities" / "1.key").read_bytes() == mended.seed


def test_where_nothing_can_be_written_an_identity_is_passing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").touch()
    monkeypatch.setenv(paths.STATE_VARIABLE, str(state / "file" / "below"))
    assert len(Identity.claim().seed) == 32


def test_an_identity_does_not_show_its_secret() -> None:
    identity = Identity.passing()
    assert repr(identity) == "<Identity>"


# Who has an identity, and who wants it


def test_a_held_identity_names_the_program_that_has_it() -> None:
    mine = Identity.claim()
    holder = Identity.holder(SigningKey(mine.seed).public)
    assert holder is not None and holder.pid == os.getpid()
    mine.release()


def test_a_program_that_is_gone_is_named_no_more() -> None:
    mine = Identity.claim()
    mine.release()
    assert Identity.holder(SigningKey(mine.seed).public) is None


def test_a_key_of_somebody_else_has_no_holder_here() -> None:
    assert Identity.holder(bytes(32)) is None
    identities.ask_for(bytes(32))
    identities.ask_no_more(bytes(32))


def test_a_request_reaches_who_has_the_identity_until_it_is_taken_back() -> None:
    mine = Identity.claim()
    key = SigningKey(mine.seed).public
    identities.ask_for(key)
    asker = mine.wanted()
    assert asker is not None and asker.pid == os.getpid()
    identities.ask_no_more(key)
    assert mine.wanted() is None
    mine.release()


def test_a_request_to_who_is_gone_does_not_reach_the_next_one() -> None:
    mine = Identity.claim()
    identities.ask_for(SigningKey(mine.seed).public)
    mine.release()
    again = Identity.claim()
    assert again.seed == mine.seed and again.wanted() is None
    again.release()


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"x /dev/pts/1", b"\x00" * 400])
def test_a_line_that_no_program_wrote_asks_for_nothing(data: bytes, state: Path) -> None:
    mine = Identity.claim()
    (state / "identities" / "1.wanted").write_bytes(data)
    assert mine.wanted() is None
    mine.release()
