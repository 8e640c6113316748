"""The language of the interface."""

import gettext
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spoof_tui import i18n
from spoof_tui.i18n import _, install, ngettext


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    install("en")


class Shouting(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        return message.upper()


def test_a_language_without_a_catalogue_is_english() -> None:
    install("tlh")
    assert _("Not believed") == "Not believed"
    assert [ngettext("coin", "coins", n) for n in (1, 2)] == ["coin", "coins"]


def test_the_language_of_the_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "tlh")
    install(None)
    assert _("Call") == "Call"


def test_a_word_is_looked_up_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_translation", Shouting())
    assert _("call") == "CALL"


def test_a_catalogue_is_found_by_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "uk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "spoof.mo").write_bytes(_catalogue(b"Call", "Не вірю".encode()))
    monkeypatch.setattr(i18n, "CATALOGUES", tmp_path)
    install("uk_UA.UTF-8")
    assert _("Call") == "Не вірю"


def _catalogue(message: bytes, meaning: bytes) -> bytes:
    """The bytes of a gettext catalogue with one message, and a header that says UTF-8."""
    texts = [b"", b"Content-Type: text/plain; charset=UTF-8\n", message, meaning]
    data, places = b"", []
    for text in texts:
        places.append((len(text), 28 + 32 + len(data)))
        data += text + b"\0"
    numbers = [0x950412DE, 0, 2, 28, 44, 0, 60]
    for length, place in (places[0], places[2], places[1], places[3]):
        numbers += [length, place]
    return b"".join(number.to_bytes(4, "little") for number in numbers) + data


def test_wording_loads_no_interface() -> None:
    program = "import sys, spoof_tui.i18n; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
