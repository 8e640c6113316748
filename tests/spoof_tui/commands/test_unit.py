"""What a unit of systemd needs to be true of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from spoof_tui.__main__ import main as spoof
from spoof_tui.commands import unit
from spoof_tui.commands.door import main


@pytest.mark.unix("systemd")
@pytest.mark.parametrize("is_link", [False, True])
def test_a_program_under_a_home_is_told_where_to_be_installed_instead(
    is_link: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home, place = tmp_path / "home", tmp_path / "opt"
    (home / "bin").mkdir(parents=True)
    if is_link:
        place.symlink_to(home)
    monkeypatch.setattr(unit, "HOMES", (home,))
    monkeypatch.setattr("sys.executable", str((place if is_link else home) / "bin" / "python"))
    assert main(["--unit", "--port", "22"]) == 1
    printed = capsys.readouterr()
    assert printed.out == "" and "/opt/spoof/bin/spoof door --port 22 --unit" in printed.err


@pytest.mark.parametrize("words", [["door"], ["host", "--headless"]])
def test_only_linux_has_units(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert spoof([*words, "--unit"]) == 1
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (
        "",
        "spoof: a unit is for systemd, which only Linux has\n",
    )
