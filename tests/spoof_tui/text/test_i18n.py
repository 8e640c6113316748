"""The language of the interface."""

from collections.abc import Iterator

import pytest

from spoof_tui.text import i18n
from spoof_tui.text.i18n import _, begin, install, ngettext


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    install("en")


def test_a_language_without_a_catalogue_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "tlh")
    for language in ("tlh", None):
        install(language)
        assert _("Not believed") == "Not believed"
        assert [ngettext("coin", "coins", n) for n in (1, 2)] == ["coin", "coins"]


@pytest.mark.parametrize(
    ("variable", "language", "spoken"),
    [
        *((each, "uk_UA.UTF-8", "uk") for each in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")),
        ("LANGUAGE", "tlh:uk", "uk"), ("LANGUAGE", "en:uk", "en"), ("LANGUAGE", "uk-UA", "uk"),
        ("LANGUAGE", "en_GB.UTF-8:uk", "en"), ("LANGUAGE", "C", "en"),
    ],
)  # fmt: skip
def test_the_first_language_of_the_locale_that_is_spoken_here_is_taken(
    variable: str, language: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, language)
    install(None)
    assert (i18n.spoken(), i18n.other()) == (spoken, "en" if spoken == "uk" else "uk")


@pytest.mark.parametrize(
    ("environ", "chosen", "spoken"),
    [
        ("LANG=uk_UA.UTF-8", "en", "en"),
        ("SPOOF_LANG=uk", "en", "uk"),
        ("LANG=uk_UA.UTF-8", "tlh", "uk"),
    ],
)
def test_the_variable_wins_over_the_players_choice_and_that_over_the_locale(
    environ: str, chosen: str, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*environ.split("="))
    begin(chosen)
    assert i18n.spoken() == spoken
