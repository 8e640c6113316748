"""Keys of programs that run one after the other, or at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.crypto.keys import SigningKey
from spoof_tui.storage import identity as identities
from spoof_tui.storage import paths
from spoof_tui.storage.identity import MAX_SLOTS, Identity, keys_in_use, seeds
from tests.spoof_tui.storage.refusing import without_locks

CLAIM = "from spoof_tui.storage.identity import Identity; mine = Identity.claim()\n"


def public(identity: Identity) -> bytes:
    return SigningKey(identity.seed).public


def other_program(code: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", CLAIM + code], stdin=pipe, stdout=pipe, text=True
    )


def test_each_of_several_programs_has_an_identity_and_the_first_is_always_the_same() -> None:
    first, second = Identity.claim(), Identity.claim()
    assert first.seed != second.seed and len(first.seed) == 32
    first.release()
    first.release()
    third = Identity.claim()
    assert third.seed == first.seed
    for identity in (third, second):
        identity.release()
    again = [Identity.claim(), Identity.claim()]
    assert [identity.seed for identity in again] == [first.seed, second.seed]
    for identity in again:
        identity.release()


def test_an_identity_is_in_use_as_long_as_its_program_lives_and_free_when_it_died() -> None:
    with other_program("print(mine.seed.hex(), flush=True); input()") as other:
        assert other.stdout
        seed = bytes.fromhex(other.stdout.readline())
        key = SigningKey(seed).public
        assert keys_in_use() == [key] and Identity.of(key) is None
        mine = Identity.claim()
        assert mine.seed != seed and mine.may_be_wanted
        holder = Identity.holder(key)
        assert holder is not None and holder.pid == other.pid
        other.kill()
    assert keys_in_use() == [] and Identity.holder(key) is None
    again = Identity.of(key)
    assert again is not None and again.seed == seed
    for identity in (again, mine):
        identity.release()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_without_locks_the_first_identity_is_the_same_after_a_crash_and_the_second_another(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with without_locks(state):
        crashed, second = Identity.claim(), Identity.claim()
        assert crashed.may_be_wanted and second.may_be_wanted and crashed.seed != second.seed
        assert public(crashed) in {SigningKey(seed).public for _path, seed in seeds(state)}
        second.release()
        crashed.release()
        again = Identity.claim()
        assert again.seed == crashed.seed
        again.release()


def test_more_programs_than_slots_get_passing_identities(state: Path) -> None:
    claimed = [Identity.claim() for _ in range(MAX_SLOTS + 2)]
    assert len({identity.seed for identity in claimed}) == MAX_SLOTS + 2
    assert [identity.may_be_wanted for identity in claimed] == [True] * MAX_SLOTS + [False] * 2
    assert len(list((state / "identities").glob("*.key"))) == MAX_SLOTS
    for identity in claimed:
        identity.release()


def test_a_key_file_of_a_wrong_length_is_made_anew(state: Path) -> None:
    Identity.claim().release()
    (state / "identities" / "1.key").write_bytes(bytes(33))
    mended = Identity.claim()
    mended.release()
    assert len(mended.seed) == 32
    assert (state / "identities" / "1.key").read_bytes() == mended.seed


def test_where_nothing_can_be_written_an_identity_is_passing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").touch()
    monkeypatch.setenv(paths.STATE_VARIABLE, str(state / "file" / "below"))
    identity = Identity.claim()
    assert len(identity.seed) == 32 and not identity.may_be_wanted
    assert repr(identity) == "<Identity>"


def test_a_request_reaches_who_has_the_identity_until_it_is_taken_back_or_answered() -> None:
    mine = Identity.claim()
    key = public(mine)
    holder = Identity.holder(key)
    assert holder is not None and holder.pid == os.getpid() and mine.wanted() is None
    identities.ask_for(key)
    asker = mine.wanted()
    assert asker is not None and asker.pid == os.getpid()
    identities.ask_no_more(key)
    assert mine.wanted() is None
    identities.ask_for(key)
    mine.release()
    assert mine.wanted() is None and Identity.holder(key) is None
    again = Identity.claim()
    assert again.seed == mine.seed and again.wanted() is None
    again.release()


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x /dev/pts/1", b"7 " * 101])
def test_a_line_that_no_program_wrote_asks_for_nothing(data: bytes, state: Path) -> None:
    mine = Identity.claim()
    (state / "identities" / "1.wanted").write_bytes(data)
    assert mine.wanted() is None
    (state / "identities" / "1.holder").write_bytes(data)
    holder = Identity.holder(public(mine))
    assert holder is not None and (holder.pid, holder.terminal) == (0, "")
    (state / "identities" / "1.holder").write_bytes(b"7 pts\x1b[2J")
    holder = Identity.holder(public(mine))
    assert holder is not None and (holder.pid, holder.terminal) == (7, "pts[2J")
    mine.release()
