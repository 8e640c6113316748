"""What stays the same when a door is opened again."""

from __future__ import annotations

from pathlib import Path

import pytest

from spoof_tui.door import kept_page
from spoof_tui.door.kept_page import KeptPage

ONE, OTHER = b"1" * 32, b"2" * 32


def test_a_page_is_kept_with_its_table() -> None:
    one, other = kept_page.recall(ONE)._replace(port=7764), kept_page.recall(OTHER)
    assert one.word != other.word and other.port == 0
    kept_page.keep(ONE, one)
    assert kept_page.recall(ONE) == one
    assert kept_page.recall(OTHER).word not in (one.word, other.word)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"word": "ABCD", "port": 1}',
        '{"word": "abcd-efgh-jklm", "port": 1}',
        '{"word": "", "port": 1}',
        "x" * 999,
    ],
)
def test_a_file_that_is_none_is_a_new_page(text: str, state: Path) -> None:
    kept_page.keep(ONE, KeptPage("ABCD-EFGH-JKLM", 1))
    (path,) = (state / "door" / "pages").iterdir()
    path.write_text(text)
    word, _port = kept_page.recall(ONE)
    assert len(word) == len("ABCD-EFGH-JKLM") and word != "ABCD-EFGH-JKLM"


def test_the_pages_that_were_opened_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_page, "_MAX_PAGES", 2)
    for table in (b"1", b"2", b"3"):
        kept_page.keep(table, KeptPage("ABCD-EFGH-JKLM", 1))
    assert kept_page.recall(b"3").word == "ABCD-EFGH-JKLM" != kept_page.recall(b"1").word
