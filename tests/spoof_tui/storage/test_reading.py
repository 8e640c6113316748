"""Anything may lie in the state folder in place of a file: it blocks nothing, the rest is read."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.guest.effects import Promise
from spoof_tui.network.addresses import Address
from spoof_tui.network.known_addresses import keep_of_table, remember, remember_seats
from spoof_tui.runtime.saved_tables import continuable, resumable
from spoof_tui.storage import files, paths, settings
from spoof_tui.storage.archive import Archive
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.journal import HostingTerms, Journal
from spoof_tui.storage.settings import Settings
from tests.helpers.histories import fill
from tests.helpers.tables import MemoryTable

ROOT = Path(__file__).resolve().parents[3]
LIMIT = 60.0
MOST_MEMORY = 200 << 20

posix_only = pytest.mark.unix("pipes with a name")

DEEP = b"[" * 100_000
HALF = b'{"name": "Ann", "theme": "\\ud800", "seen": ["\\udfff"], "midnight\\ud800": {}}'

PROGRAM = """
import os, shutil, sys
from pathlib import Path
from spoof_tui.history.index import consult
from spoof_tui.history.queries import games
from spoof_tui.network import known_addresses
from spoof_tui.runtime.saved_tables import continuable
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Identity, keys_in_use
from spoof_tui.storage.journal import Journal
from spoof_tui.storage.settings import Settings
from spoof_tui.ui.themes import own_themes

os.fsync = lambda descriptor: None  # nothing here is about crashes
DEEP, HALF = b"[" * 100_000, HALF_TEXT
KINDS = dict(
    pipe=os.mkfifo,
    folder=os.mkdir,
    endless=lambda path: os.symlink("/dev/zero", path),
    huge=lambda path: (path.touch(), os.truncate(path, 1 << 40)),
    binary=lambda path: path.write_bytes(bytes(range(256)) * 300),
    deep=lambda path: path.write_bytes(DEEP),
    half=lambda path: path.write_bytes(HALF),
)

def use_everything():
    Settings.load().save()
    own_themes()
    identity = Identity.claim()
    keys_in_use()
    identity.release()
    known_addresses.addresses(), known_addresses.seats(), known_addresses.of_table(bytes(32))
    for table in continuable():
        known_addresses.of_table(table.table)
        try:
            Journal(table.table, bytes(32)).read()
        except OSError:
            pass
    try:
        consult(games)
    except OSError:
        assert path.parent == home

home = paths.state_folder()
use_everything()
whole = home.with_name("whole")
shutil.copytree(home, whole)
names = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file())
names += [Path("history.sqlite" + end) for end in ("-journal", "-wal", "-shm")]
for kind, make in KINDS.items():
    for name in names:
        if kind in ("deep", "half") and name.suffix != ".json":
            continue
        print(kind, name, flush=True)
        home = whole.with_name(kind + str(names.index(name)))
        shutil.copytree(whole, home)
        os.environ[paths.STATE_VARIABLE] = str(home)
        path = home / name
        path.unlink(missing_ok=True)
        make(path)
        use_everything()
# Of this program alone: `getrusage` tells also of the one that has started it.
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else ["VmHWM: 0 kB"]
[most] = [line.split()[1] for line in lines if line.startswith("VmHWM:")]
print("memory", int(most) * 1024)
"""


def lived_in(state: Path) -> None:
    """A folder with a file of every kind."""
    fill(state, 2)
    Settings("Ann").save()
    paths.themes_path().write_text('{"midnight": {"like": "night"}}', "utf-8")
    Identity.claim().release()
    table = MemoryTable(2)
    table.ready()
    host = Journal(table.host.table.id, table.host.key)
    host.write(table.host.log[0], HostingTerms("Ann", 2, None, 7763, True))
    seat = Journal(table.host.table.id, bytes(32))
    seat.write(*table.host.log, Promise(1))
    table.play_on()
    Archive().save(table.host.table, table.host.log)
    remember(Address("10.1.2.3", 7763))
    remember_seats([Address("10.1.2.4", 7763)])
    keep_of_table(table.host.table.id, [Address("10.1.2.3", 7763)])


@posix_only
def test_no_file_of_the_folder_can_keep_a_program_waiting(state: Path) -> None:
    home = state / "home"
    home.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(paths.STATE_VARIABLE, str(home))
        lived_in(home)
        program = subprocess.run(
            [sys.executable, "-c", PROGRAM.replace("HALF_TEXT", repr(HALF))],
            cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False,
        )  # fmt: skip
    last = program.stdout.splitlines()[-1:]
    assert program.returncode == 0, (last, program.stderr)
    assert int(last[0].removeprefix("memory ")) < MOST_MEMORY


DAMAGED = [
    DEEP, HALF, b"", b"\xff\xfe", b"[]", b"3", b"null", b"{", b'{"a": 1', b'"name"',
    b'{"name": "\\ud800"}',
    b" " * (files.MAX_JSON + 1), b"{}".ljust(files.MAX_JSON + 1),
]  # fmt: skip


@pytest.mark.parametrize("written", DAMAGED)
def test_damaged_settings_are_put_aside_and_told_of(written: bytes) -> None:
    paths.settings_path().write_bytes(written)
    assert paths.chosen_language() is None
    aside = paths.damaged_settings()
    assert aside is not None and aside.read_bytes() == written
    assert str(aside) in settings.trouble()
    assert Settings.load() == Settings()
    Settings("Ann").save()
    assert Settings.load() == Settings("Ann")


@posix_only
def test_one_table_that_is_damaged_hides_no_other(state: Path) -> None:
    lived_in(state)
    for number in range(3):
        folder = state / "tables" / f"{number:032}"
        folder.mkdir()
        (folder / "ab.journal").symlink_to("/dev/zero" if number else "/nowhere")
        os.mkfifo(folder / f"{number:016}.journal")
        os.mkfifo(folder / f"{number:016}.log")
    assert len(resumable()) == len(continuable()) == 1
