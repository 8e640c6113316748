"""Typed lines: words of the game, numbers and commands, in every language and layout."""

from collections.abc import Iterator

import pytest

from protocol.rules.words import Ending
from spoof_tui.plain.typed import (
    Asked,
    Command,
    LobbyCommand,
    asked,
    meaning,
    name,
)
from spoof_tui.text import i18n
from spoof_tui.ui.wording.sentences import word_name
from tests.spoof_tui.ui.table.scenes import at

BIDDING = at("answering").clients[0].view
GUESSING = at("answering", rules="hollywood").clients[0].view


@pytest.fixture(params=list(i18n.LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


@pytest.mark.parametrize("word", Ending)
def test_an_ending_word_is_said_by_its_names_and_its_letter(word: Ending, language: str) -> None:
    letter = {"call": "c", "cliff": "l", "spoof": "s", "zero": "z"}[word.value]
    for text in (word.value, word.value.upper() + "!", word_name(word), letter):
        assert meaning(text, BIDDING) is word


def test_a_letter_of_another_layout_is_that_of_its_key() -> None:
    assert meaning("с", BIDDING) is Ending.CALL
    assert meaning("к", BIDDING) == Asked(Command.READY)


def test_in_the_guessing_game_a_call_has_a_name() -> None:
    assert meaning("Flowers", GUESSING) == 3
    assert meaning("call", GUESSING) is None


@pytest.mark.parametrize("command", Command)
def test_every_command_is_asked_for_by_its_names_and_its_letter(
    command: Command, language: str
) -> None:
    for text in filter(None, (command.letter, command.word, name(command), name(command).upper())):
        assert asked(f"{text} 2", Command) == Asked(command, "2"), text


@pytest.mark.parametrize("commands", [Command, LobbyCommand])
def test_no_two_commands_share_a_name(
    commands: type[Command] | type[LobbyCommand], language: str
) -> None:
    names = [text for each in commands for text in {each.word, name(each).casefold()}]
    letters = [each.letter for each in commands if each.letter]
    assert len(set(names)) == len(names)
    assert len(set(letters)) == len(letters)


def test_no_command_hides_a_word_of_the_game(language: str) -> None:
    words = {word_name(word).split()[0].casefold() for word in Ending}
    assert not words & {name(each).casefold() for each in Command}


@pytest.mark.parametrize("text", ["", "  ", "-3", "99999", "callx", "9 coins", "³"])
def test_what_means_nothing_is_told_apart(text: str) -> None:
    assert meaning(text, BIDDING) is None
