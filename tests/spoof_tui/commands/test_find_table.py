"""The sentences where no table is found, or one with a hostile name."""

import asyncio
import threading

import pytest

from protocol.encoding.untrusted import ForeignText
from spoof_tui.__main__ import main
from spoof_tui.commands import find_table, play
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.runtime import troubleshooting
from tests.spoof_tui.commands.shell import Network, Shell, found

Caught = pytest.CaptureFixture[str]


@pytest.fixture
def shell(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path_factory.mktemp("shell") / "here", monkeypatch)


def test_what_is_in_the_way_is_told(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: Caught
) -> None:
    async def find_out(request: Request) -> tuple[Finding, ...]:
        return (Finding(Code.OWN_FIREWALL, Severity.PROBLEM),)

    monkeypatch.setattr(Network, "trouble", "Nothing is heard of other machines.")
    assert main(["join"]) == 1
    assert "Nothing is heard of other machines." in capsys.readouterr().err
    monkeypatch.setattr(troubleshooting, "find_out", find_out)
    monkeypatch.setattr(troubleshooting, "EXPLAIN_DELAY", 0)
    assert main(["join"]) == 1
    told = capsys.readouterr().err
    assert "A firewall on this computer" in told and told.endswith("`spoof doctor` says more.\n")


def test_what_a_table_is_called_cannot_hurt_the_terminal(shell: Shell, capsys: Caught) -> None:
    shell.tables = (found(1, "a\x1b[2Jb"), found(2, ForeignText("c\u202ed").raw))
    assert main(["join"]) == 1
    assert capsys.readouterr().err.strip().isprintable()


def test_what_shows_the_table_is_imported_while_the_table_is_looked_for(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported, named = threading.Event(), list[str]()

    def import_module(name: str) -> None:
        named.append(name)
        imported.set()

    async def find(table: str | None) -> Address:
        assert imported.wait(5)
        return Address("127.0.0.1", 7763)

    monkeypatch.setattr(play, "import_module", import_module)
    monkeypatch.setattr(find_table, "find", find)
    monkeypatch.setattr(play, "show_app", lambda *_launch, **_settings: 0)
    assert main(["join", "Slow Oak"]) == 0 and main(["join", "Slow Oak", "--plain"]) == 0
    assert named == ["spoof_tui.ui.app", "spoof_tui.plain.app"]


@pytest.mark.parametrize(("is_heard", "is_found"), [(True, True), (False, False)])
async def test_a_table_that_is_heard_and_has_not_answered_yet_is_waited_for_twice_as_long(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, is_heard: bool, is_found: bool
) -> None:
    class Slow(Network):
        """Answers right after the usual time is over, which is when this is asked."""

        @property
        def is_waiting(self) -> bool:
            asyncio.get_running_loop().call_soon(self._answer)
            return is_heard

        def _answer(self) -> None:
            self.tables = (found(1, "Slow Oak"),)
            self._changed(self.tables)

    monkeypatch.setattr(find_table, "Browser", lambda changed: Slow(shell, changed))
    monkeypatch.setattr(find_table, "SEARCH_TIMEOUT", 0.1)
    monkeypatch.setattr(find_table, "SETTLE_DELAY", 0.0)
    if is_found:
        assert await find_table.find("Slow Oak") == found(1, "Slow Oak").address
    else:
        with pytest.raises(find_table.NotFound, match="no table called"):
            await find_table.find("Slow Oak")
