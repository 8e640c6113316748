"""`spoof` alone."""

import pytest

from spoof_tui.commands import lobby, play


@pytest.mark.parametrize(
    ("words", "meant"), [([], None), (["--plain"], True), (["--no-plain"], False)]
)
def test_the_lobby_opens_on_a_screen_or_in_lines(
    words: list[str], meant: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[object, bool | None]] = []

    def show(errand: object, name: str | None = None, *, is_plain: bool | None = None) -> int:
        shown.append((errand, is_plain))
        return 7

    monkeypatch.setattr(play, "show_app", show)
    assert lobby.main(words) == 7
    assert shown == [(None, meant)]
