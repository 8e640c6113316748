"""What stays on this machine, and what a torn, broken or full disk does to it."""

import errno
import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.encoding.framing import frame
from protocol.limits import MAX_FRAME, MAX_NAME, MAX_NUMBER
from spoof_tui.storage import paths as places
from spoof_tui.storage import storage
from spoof_tui.storage.storage import Frames, Identity, Settings

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written(path: Path, *parts: bytes) -> Frames:
    path.write_bytes(b"".join(parts))
    return Frames(path)


# Where


def test_the_variable_names_the_state_directory(state: Path) -> None:
    assert storage.home() == state


def test_the_state_directory_is_made(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(places.STATE_VARIABLE, str(state / "deep" / "down"))
    assert storage.home().is_dir()


def test_without_the_variable_the_system_says_where(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(places.STATE_VARIABLE, "")
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "xdg"))
    monkeypatch.setattr(Path, "home", lambda: state)
    monkeypatch.setenv("HOME", str(state))
    assert state in storage.home().parents


@posix_only
def test_everything_is_private(state: Path) -> None:
    state.chmod(0o755)
    Settings("Maria").save()
    Identity.claim().release()
    Frames(storage.table_folder(bytes(32)) / "host.log").append(b"entry")
    storage.games_folder()
    modes: dict[bool, set[int]] = {True: set(), False: set()}
    for path in [state, *state.rglob("*")]:
        modes[path.is_dir()].add(mode(path))
    assert modes == {True: {0o700}, False: {0o600}}


# Frames


def test_a_file_that_is_not_there_holds_nothing(state: Path) -> None:
    frames = Frames(state / "none")
    frames.cut_torn_end()
    assert frames.read() == []
    assert not (state / "none").exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payloads, payloads)
def test_what_was_appended_is_read_again(
    state: Path, before: list[bytes], after: list[bytes]
) -> None:
    path = state / "frames"
    path.unlink(missing_ok=True)
    for payload in before:
        Frames(path).append(payload)
    for payload in after:
        Frames(path).append(payload)
    assert Frames(path).read() == before + after


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payloads, st.binary(min_size=1, max_size=40), st.integers(0, 50))
def test_a_torn_last_frame_is_dropped_and_the_file_goes_on(
    state: Path, whole: list[bytes], last: bytes, cut: int
) -> None:
    torn = frame(last)[: min(cut, len(last) + 3)]
    frames = written(state / "frames", *map(frame, whole), torn)
    assert frames.read() == whole
    frames.cut_torn_end()
    frames.append(b"next")
    assert frames.read() == [*whole, b"next"]


@pytest.mark.parametrize("length", [0, MAX_FRAME + 1, 2**32 - 1])
def test_what_follows_an_impossible_length_is_dropped(state: Path, length: int) -> None:
    garbage = length.to_bytes(4, "big") + frame(b"lost")
    frames = written(state / "frames", frame(b"kept"), garbage)
    assert frames.read() == [b"kept"]
    frames.cut_torn_end()
    frames.append(b"next")
    assert frames.read() == [b"kept", b"next"]


def test_a_whole_file_is_not_touched(state: Path) -> None:
    frames = written(state / "frames", frame(b"one"), frame(b"two"))
    before = (state / "frames").stat().st_mtime_ns
    frames.cut_torn_end()
    assert (state / "frames").stat().st_mtime_ns == before


def test_a_file_longer_than_one_read_is_read_whole(state: Path) -> None:
    large = [bytes([number]) * (MAX_FRAME - 1) for number in range(1, 5)]
    assert written(state / "frames", *map(frame, large)).read() == large


def raising(error: OSError) -> Callable[[object], None]:
    def fail(_: object) -> None:
        raise error

    return fail


class NearlyFull:
    """A file on a disk that has room for so many bytes more."""

    def __init__(self, path: Path, room: int) -> None:
        self._file = path.open("ab", buffering=0)
        self._room = room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> "NearlyFull":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        return self._file.write(data[: self._room])


def test_a_full_disk_tears_no_frame(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = written(state / "frames", frame(b"one"))
    with monkeypatch.context() as full:
        full.setattr("spoof_tui.system.open_private_append", lambda path: NearlyFull(path, 5))
        with pytest.raises(OSError, match="No space left") as error:
            frames.append(b"torn")
    assert error.value.errno == errno.ENOSPC
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"]


def test_frames_that_are_added_together_are_added_all_or_none(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = written(state / "frames", frame(b"one"))
    frames.append(b"two", b"three")
    frames.close()
    with monkeypatch.context() as full:
        full.setattr("spoof_tui.system.open_private_append", lambda path: NearlyFull(path, 9))
        with pytest.raises(OSError, match="No space left"):
            frames.append(b"four", b"five")
    assert frames.read() == [b"one", b"two", b"three"]


def test_the_file_is_opened_once(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = written(state / "frames")
    frames.append(b"one")
    monkeypatch.setattr("spoof_tui.system.open_private_append", None)
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"]


def test_what_could_not_be_put_on_the_disk_is_not_in_the_file(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = written(state / "frames", frame(b"one"))
    with monkeypatch.context() as broken:
        broken.setattr("spoof_tui.system.sync", raising(OSError(errno.EIO, "Input/output error")))
        with pytest.raises(OSError, match="Input/output"):
            frames.append(b"two")
    assert frames.read() == [b"one"]


def test_a_file_is_replaced_whole_and_goes_on(state: Path) -> None:
    frames = Frames(state / "deep" / "frames")
    frames.append(b"old")
    frames.replace([b"new", b"newer"])
    frames.append(b"newest")
    assert frames.read() == [b"new", b"newer", b"newest"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_device_that_is_full_raises() -> None:
    with pytest.raises(OSError, match="No space left"):
        Frames(Path("/dev/full")).append(b"entry")


# Settings


def test_settings_survive() -> None:
    Settings("Марія 🪙", confirm_endings=False).save()
    assert Settings.load() == Settings("Марія 🪙", confirm_endings=False)


def test_the_language_survives() -> None:
    Settings("Ann", language="uk").save()
    assert Settings.load().language == places.chosen_language() == "uk"


def test_without_a_choice_there_is_no_language() -> None:
    Settings("Ann").save()
    assert Settings.load().language is places.chosen_language() is None


@pytest.mark.parametrize("language", ["tlh", 7, ["uk"], {}])
def test_a_language_that_is_not_spoken_here_is_passed_over(state: Path, language: object) -> None:
    (state / "settings.json").write_text(json.dumps({"name": "Ann", "language": language}))
    assert Settings.load() == Settings("Ann")


def test_missing_settings_are_the_defaults() -> None:
    assert Settings.load() == Settings("", confirm_endings=True)


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "null", '"name"', "\x00\xff", '{"name": 3, "confirm_endings": "no"}']
)
def test_broken_settings_count_as_none(state: Path, text: str) -> None:
    (state / "settings.json").write_text(text, "latin-1")
    assert Settings.load() == Settings()


def test_unknown_settings_are_passed_over(state: Path) -> None:
    (state / "settings.json").write_text(json.dumps({"name": "Ann", "colour": "blue"}))
    assert Settings.load() == Settings("Ann")


@pytest.mark.parametrize("name", ["\ud800", "\x1b[31m", "a\nb", "x" * (MAX_NAME + 1)])
def test_a_name_that_others_could_not_be_told_counts_as_none(state: Path, name: str) -> None:
    (state / "settings.json").write_text(json.dumps({"name": name}))
    assert Settings.load() == Settings()


def test_a_directory_in_the_place_of_the_settings_is_no_crash(state: Path) -> None:
    (state / "settings.json").mkdir()
    assert Settings.load() == Settings()
    with pytest.raises(OSError, match="settings"):
        Settings("Ann").save()


# Identities


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
    code = "from spoof_tui.storage.storage import Identity; print(Identity.claim().seed.hex())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = Identity.claim()
    assert mine.seed.hex() == other.stdout.strip()
    mine.release()


def test_more_programs_than_slots_get_passing_identities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MAX_SLOTS", 1)
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
    monkeypatch.setenv(places.STATE_VARIABLE, str(state / "file" / "below"))
    assert len(Identity.claim().seed) == 32


def test_an_identity_does_not_show_its_secret() -> None:
    identity = Identity.passing()
    assert repr(identity) == "<Identity>"


# Finished games


def test_a_game_is_named_by_its_time_its_table_and_its_number() -> None:
    stem = storage.game_stem(1_700_000_000_000, "the-golden-pier", 3)
    assert stem.startswith("2023-11-1")
    assert stem.endswith("-the-golden-pier-game-3")


@pytest.mark.parametrize("time", [0, 2**31 * 1000, 10**15, MAX_NUMBER])
def test_no_time_that_a_host_can_sign_keeps_a_game_from_being_named(time: int) -> None:
    assert storage.game_stem(time, "table", 1).endswith("-table-game-1")
