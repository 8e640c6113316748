"""`spoof`: the app, where there is a terminal to paint on."""

from __future__ import annotations

import pytest

from spoof_tui import system
from spoof_tui.commands import play
from spoof_tui.network.addresses import Address
from spoof_tui.plain import evening
from spoof_tui.runtime.errand import Errand
from spoof_tui.storage.settings import Settings
from spoof_tui.ui import terminal
from spoof_tui.ui.app import SpoofApp


@pytest.fixture
def apps(monkeypatch: pytest.MonkeyPatch) -> list[SpoofApp]:
    """The apps that would have run."""
    ran: list[SpoofApp] = []

    def run(app: SpoofApp) -> int:
        ran.append(app)
        return 7

    monkeypatch.setattr(system, "has_terminal", lambda: True)
    monkeypatch.setattr(terminal, "run_app", run)
    return ran


def end(app: SpoofApp) -> None:
    """What the app would do at its end."""
    app.background.stop()


def test_without_a_terminal_it_is_said_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "has_terminal", lambda: False)
    assert play.main([]) == 2
    assert capsys.readouterr().err == (
        "spoof: this needs a terminal to draw on (with ssh: ssh -t). Without one, try: "
        "spoof --plain, or spoof demo\n"
    )
    assert Settings.load().name == ""


def test_the_status_is_that_of_the_app(apps: list[SpoofApp]) -> None:
    assert play.main([]) == 7
    end(apps[0])


def test_on_the_first_run_a_name_is_made_up_and_kept(apps: list[SpoofApp]) -> None:
    for _ in range(2):
        play.main([])
    names = {app.settings.name for app in apps} | {Settings.load().name}
    assert len(names) == 1 and "" not in names
    for app in apps:
        end(app)


def test_a_name_for_this_time_is_not_kept(apps: list[SpoofApp]) -> None:
    Settings("Olha", confirm_endings=False).save()
    play.show_app(Errand(address=Address("127.0.0.1", 7000)), "Maria")
    assert apps[0].settings == Settings("Maria", confirm_endings=False)
    assert Settings.load().name == "Olha"
    end(apps[0])


# In plain lines


Evenings = list[tuple[str, Errand | None]]


@pytest.fixture
def evenings(monkeypatch: pytest.MonkeyPatch) -> Evenings:
    """The evenings in plain lines that would have begun: the name, and the errand."""
    begun: Evenings = []

    def run(settings: Settings, errand: Errand | None) -> int:
        begun.append((settings.name, errand))
        return 5

    monkeypatch.setattr(evening, "run_evening", run)
    monkeypatch.setattr(system, "has_terminal", lambda: False)
    return begun


def test_plain_lines_need_no_terminal(evenings: Evenings) -> None:
    assert play.show_app(Errand(practice=True), "Maria", is_plain=True) == 5
    assert evenings == [("Maria", Errand(practice=True))]


def test_play_begins_at_once_against_bots(evenings: Evenings) -> None:
    Settings("Olha").save()
    assert play.main(["--plain"]) == 5
    assert evenings == [("Olha", Errand(practice=True))]


def test_a_setting_or_a_terminal_without_cursor_chooses_plain_lines(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    Settings("Olha", plain=True).save()
    assert play.show_app(None) == 5
    assert play.show_app(None, is_plain=False) == 2
    Settings("Olha").save()
    assert play.show_app(None) == 2
    monkeypatch.setattr(system, "has_line_terminal", lambda: True)
    assert play.show_app(None) == 5
    assert len(evenings) == 2
