"""The language of the interface."""

import gettext
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spoof_tui.text import i18n
from spoof_tui.text.i18n import _, begin, install, ngettext


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


@pytest.mark.parametrize("variable", ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"])
def test_the_locale_chooses_the_language(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "uk_UA.UTF-8")
    install(None)
    assert (i18n.spoken(), i18n.other()) == ("uk", "en")


@pytest.mark.parametrize(
    ("language", "spoken"),
    [("tlh:uk", "uk"), ("en:uk", "en"), ("en_GB.UTF-8:uk", "en"), ("C", "en"), ("uk-UA", "uk")],
)
def test_the_first_language_that_is_spoken_here_is_taken(
    language: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    install(None)
    assert i18n.spoken() == spoken


def test_the_players_choice_wins_over_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "uk_UA.UTF-8")
    begin("en")
    assert i18n.spoken() == "en"


def test_the_variable_wins_over_the_players_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPOOF_LANG", "uk")
    begin("en")
    assert i18n.spoken() == "uk"


def test_a_choice_that_nobody_could_make_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "uk_UA.UTF-8")
    begin("tlh")
    assert i18n.spoken() == "uk"


def test_the_languages_take_turns() -> None:
    install("en")
    assert i18n.other() == "uk"
    install(i18n.other())
    assert i18n.other() == "en"


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
    program = "import sys, spoof_tui.text.i18n; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
