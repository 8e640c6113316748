"""The words of the system, in the player's language."""

import errno
import os

import pytest

from spoof_tui.text import i18n
from spoof_tui.text.system_errors import reason_of


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    i18n.install(request.param)
    request.addfinalizer(lambda: i18n.install("en"))
    return str(request.param)


def test_what_the_system_says_is_said_in_the_players_language(language: str) -> None:
    told = reason_of(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    assert told.isascii() is (language == "en")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOENT, "the file has gone"), "the file has gone"),
        (OSError(errno.EXDEV, os.strerror(errno.EXDEV)), os.strerror(errno.EXDEV)),
        (OSError("no number"), "no number"),
        (ValueError("five"), "five"),
        (ValueError(), "ValueError()"),
    ],
)
def test_other_words_stay_as_they_are(error: Exception, told: str, language: str) -> None:
    assert reason_of(error) == told
