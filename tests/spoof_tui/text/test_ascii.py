"""The drawing where a terminal shows nothing but ASCII."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import pytest

import spoof_tui
from spoof_tui.text.ascii import in_ascii, in_old_font, is_ascii, respelling
from spoof_tui.text.glyphs import Glyphs
from spoof_tui.ui.canvas.sprite import pictures

ROOT = Path(spoof_tui.__file__).parent


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "C"}, True),
        ({"LC_ALL": "POSIX", "LANG": "uk_UA.UTF-8"}, True),
        ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False),
        ({"LANG": "de_DE.ISO-8859-1@euro"}, True),
        ({"LC_CTYPE": "uk_UA.utf8", "LANG": "uk_UA.KOI8-U"}, False),
        ({}, False),
    ],
)
def test_only_a_locale_that_says_so_is_ascii(
    environ: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
        if name in environ:
            monkeypatch.setenv(name, environ[name])
    assert is_ascii() is expected


def test_every_sign_that_is_drawn_has_one_like_it() -> None:
    signs = "".join(each.default for each in fields(Glyphs) if isinstance(each.default, str))
    lines = "".join("".join(rows) for rows in pictures("lines").values())
    text = signs + lines + "█▀▄▌▐▘▗─│╭╮╰╯━╌├┤…“”’×"
    assert in_ascii(text).isascii() and len(in_ascii(text)) == len(text)


WGL4 = frozenset("«»±·×–—‘’“”…−√←↑→↓─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬▀▄█▌▐░▒▓■□▪▫▲►▼◄◊○●◦♦")
"""Signs that resemble something that is drawn."""


def test_every_sign_that_is_drawn_has_one_in_the_old_font() -> None:
    sources = (path for kind in ("py", "txt", "po") for path in ROOT.rglob(f"*.{kind}"))
    text = "".join(path.read_text("utf-8") for path in sources if path.name != "ascii.py")
    drawn = in_old_font(text)
    assert {sign for sign in drawn if not (sign.isascii() or sign.isalpha())} <= WGL4
    assert len(drawn) == len(text)


@pytest.mark.parametrize(("language", "expected"), [("", in_old_font), ("C", in_ascii)])
def test_the_old_console_of_windows_is_spared_signs(
    language: str, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "TERM", "WT_SESSION", "TERM_PROGRAM", "ConEmuPID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", language)
    monkeypatch.setattr(sys, "platform", "win32")
    assert respelling() is expected
