"""`spoof doctor`: what it prints, and its exit status."""

from __future__ import annotations

import json

import pytest

from spoof_tui.commands import doctor
from spoof_tui.commands.doctor import main, report, status
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.diagnosis.observations import Observations
from tests.spoof_tui.network.diagnosis.seen import ALONE, HOST, WELL

PROBLEM = Finding(Code.HOST_SILENT, Severity.PROBLEM, HOST)
WARNING = Finding(Code.LOSSY_LINK, Severity.WARNING, figure=0.3)
NOTE = Finding(Code.QUIET, Severity.NOTE)


@pytest.mark.parametrize(
    ("findings", "expected"),
    [((), 0), ((NOTE,), 0), ((WARNING, NOTE), 1), ((PROBLEM, WARNING), 3)],
)
def test_the_worst_finding_is_the_status(findings: tuple[Finding, ...], expected: int) -> None:
    assert status(findings) == expected


def test_a_finding_is_told_in_lines_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = list(report([PROBLEM], []))
    assert any("[host-silent]" in line for line in lines)
    assert [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "] == [
        "tried",
        "seen",
        "means",
        "do",
    ]


def test_a_way_out_is_offered_only_where_something_is_wrong() -> None:
    assert any("hotspot" in line for line in report([PROBLEM], []))
    assert not any("hotspot" in line for line in report([NOTE], []))
    assert list(report([], [HOST])) == [
        "✓ A table answers at 192.168.1.20:7763.",
        "✓ Nothing is in the way.",
    ]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The examinations that were asked for; each says that nobody is there."""
    asked: list[Request] = []

    async def examine(request: Request) -> Observations:
        asked.append(request)
        return ALONE if request.target is None else WELL

    monkeypatch.setattr(doctor, "examine", examine)
    return asked


def test_json_says_the_same(seen: list[Request], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [each["code"] for each in said["findings"]] == ["quiet"]
    assert (said["status"], said["tables"]) == (0, [])
    assert set(said["findings"][0]) >= {"headline", "tried", "seen", "means", "do", "severity"}


def test_an_address_is_examined(seen: list[Request], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["192.168.1.20"]) == 0
    assert seen[0].target == Address("192.168.1.20", 7763)
    assert "192.168.1.20:7763" in capsys.readouterr().out


def test_what_is_no_address_is_refused(
    seen: list[Request], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["a b"]) == 2
    assert seen == []
    assert "spoof doctor:" in capsys.readouterr().err
