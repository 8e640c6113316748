"""The drawing where a terminal shows nothing but ASCII."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import pytest

import spoof_tui
from protocol.encoding.untrusted import ForeignText
from spoof_tui import console
from spoof_tui.text.ascii import cells_in_ascii, in_ascii, in_old_font, is_ascii, respelling
from spoof_tui.text.glyphs import Glyphs, glyphs
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas.cells import fit, left_open
from spoof_tui.ui.canvas.sprite import pictures
from tests.helpers.sheet import mode

ROOT = Path(spoof_tui.__file__).parent


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "C"}, True),
        ({"LANG": "uk_UA.KOI8-U", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
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


def test_every_sign_that_is_drawn_has_one_like_it_in_one_cell() -> None:
    signs = "".join(each.default for each in fields(Glyphs) if isinstance(each.default, str))
    lines = "".join("".join(rows) for rows in pictures("lines").values())
    text = signs + lines + "█▀▄▌▐▘▗─│╭╮╰╯━╌├┤…“”’×"
    drawn = cells_in_ascii(text)
    assert drawn.isascii() and len(drawn) == len(text)


@pytest.mark.parametrize("name", ["ascii", "console"])
def test_no_sign_beside_a_number_reads_as_arithmetic(name: str) -> None:
    with mode(name):
        signs = glyphs()
        told = f"{signs.yes} 9 {signs.dot} 8 in all, {signs.no} 5"
    assert not set(told + in_ascii("✓ 9 · 8 in all, ✗ 5")) & set("+-*/=")


def test_an_ellipsis_is_three_dots_where_there_is_no_sign_for_it() -> None:
    with mode("ascii"):
        assert _("reading …") == "reading ..." == in_ascii("reading …")
        assert [fit("Svitlana", width) for width in (7, 4, 2, 0)] == ["Svit...", "S...", "..", ""]
        assert left_open("one two three", 12) == "one two ..."
        shown = [show(ForeignText(name), 10) for name in ("So …", "Svitlana the Great")]
        assert shown == ["So ...", "Svitlan..."]
    assert _("reading …") == "reading …"


@pytest.mark.unix("tmux")
@pytest.mark.parametrize(("told", "expected"), [("0", True), ("1", False), ("", False)])
def test_tmux_is_asked_whether_it_draws_more_than_ascii(
    told: str, expected: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tmux = tmp_path / "tmux"
    tmux.write_text(f"#!/bin/sh\necho {told}\n", "utf-8")
    tmux.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, value in {"LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "", "TMUX": "here"}.items():
        monkeypatch.setenv(name, value)
    console.is_in_ascii_tmux.cache_clear()
    assert is_ascii() is expected
    monkeypatch.setenv("LANG", "uk_UA.UTF-8")
    monkeypatch.delenv("LC_CTYPE")
    assert not is_ascii(), "the locale is believed"
    console.is_in_ascii_tmux.cache_clear()


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
