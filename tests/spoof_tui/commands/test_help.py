"""`spoof help`: topics, commands, and what is neither."""

from collections.abc import Iterator

import pytest

from spoof_tui.commands import help
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.text import i18n
from spoof_tui.ui.wording.manual import topic_names


@pytest.fixture(params=list(i18n.LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


def test_without_a_topic_all_are_listed(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert help.main([]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in topic_names().values())


@pytest.mark.parametrize("topic", topic_names())
def test_a_topic_is_printed_by_each_of_its_names(
    topic: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = set()
    for name in (topic, topic_names()[topic], topic.upper()):
        assert help.main([name]) == 0
        pages.add(capsys.readouterr().out)
    assert len(pages) == 1
    assert all(len(line) <= help.WIDEST for line in pages.pop().splitlines())


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in topic_names()])
def test_a_command_is_explained_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert help.main([name]) == 0
    assert capsys.readouterr().out.startswith(f"usage: spoof {name} ")


def test_an_unknown_topic_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert help.main(["poker"]) == 2
    assert "'poker'" in capsys.readouterr().err
