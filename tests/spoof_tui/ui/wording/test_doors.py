"""What is told of a player who came by ssh."""

from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Sit
from protocol.viewer import view_of
from protocol.views import TableView
from spoof_tui.ui.dialogs.help import help_page
from spoof_tui.ui.wording.doors import MARK, brought, came, legend, seen_by_others
from spoof_tui.visiting import WORD_VARIABLE
from tests.protocol.stories import Story, signing_key

PHONE = 45
"""Columns of a telephone that is held upright."""

ME = signing_key(0).public


def looking(story: Story) -> TableView:
    return view_of(story.table, ME)


def test_everybody_hears_once_who_comes_by_ssh() -> None:
    story = Story(2)
    before = looking(story)
    after = looking(story.tell(2, Sit(ForeignText("Cleo"), through_door=True)))
    (told,) = came(before, after)
    assert told.startswith("Cleo plays by ssh: ")
    assert list(came(after, after)) == []


def test_who_comes_by_ssh_hears_it_too() -> None:
    story = Story(0).tell(0, Sit(ForeignText("Ann"), through_door=True))
    (told,) = brought(None, looking(story))
    assert told.startswith("You play by ssh")
    assert not [*brought(looking(story), looking(story))]
    assert list(came(None, looking(story))) == []


def test_who_has_no_key_is_shown_the_word_to_come_back_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(WORD_VARIABLE, "FGK3-JP6J-N3FR")
    story = Story(0).tell(0, Sit(ForeignText("Ann"), through_door=True))
    word, _sentence = brought(None, looking(story))
    assert word.endswith(": FGK3-JP6J-N3FR") and len(word) < PHONE
    assert word in help_page((), 78).plain


def test_of_those_who_sat_there_before_the_mark_tells() -> None:
    story = Story(1).tell(2, Sit(ForeignText("Cleo"), through_door=True))
    assert list(came(None, looking(story))) == []


def test_nothing_is_told_of_the_others() -> None:
    story = Story(1)
    assert not [*brought(None, looking(story))]
    assert list(came(looking(story), looking(story.sit(1)))) == []


def test_the_mark_is_explained() -> None:
    assert legend().startswith(f"{MARK} plays by ssh")
    assert seen_by_others().startswith("came by ssh")


def test_who_is_gone_is_told_no_more() -> None:
    view = looking(Story(1))
    seat = replace(view.seats[0], through_door=True, is_me=False)
    assert len(list(came(replace(view, seats=()), replace(view, seats=(seat,))))) == 1
