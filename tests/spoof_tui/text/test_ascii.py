"""What is drawn where a terminal shows nothing but ASCII."""

from __future__ import annotations

from dataclasses import fields

import pytest

from spoof_tui.text.ascii import in_ascii, is_ascii
from spoof_tui.ui.canvas.palette import Glyphs
from spoof_tui.ui.canvas.sprite import pictures


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "C"}, True),
        ({"LC_ALL": "POSIX", "LANG": "uk_UA.UTF-8"}, True),
        ({"LANG": "C.UTF-8"}, False),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({}, False),
    ],
)
def test_only_a_locale_that_says_so_is_ascii(
    environ: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LANG"):
        monkeypatch.delenv(name, raising=False)
        if name in environ:
            monkeypatch.setenv(name, environ[name])
    assert is_ascii() is expected


def test_every_sign_that_is_drawn_has_one_like_it() -> None:
    signs = "".join(each.default for each in fields(Glyphs) if isinstance(each.default, str))
    lines = "".join("".join(rows) for rows in pictures("lines").values())
    text = signs + lines + "█▀▄▌▐▘▗─│╭╮╰╯━╌├┤…“”’×"
    assert in_ascii(text).isascii() and len(in_ascii(text)) == len(text)


def test_letters_stay_as_they_are() -> None:
    assert in_ascii("Хто? — я") == "Хто? - я"
