"""What is told of a player who came by ssh."""

from dataclasses import replace

from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Sit
from protocol.viewer import view_of
from protocol.views import TableView
from spoof_tui.ui.wording.doors import MARK, brought, came, legend, seen_by_others
from tests.protocol.stories import Story, signing_key

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
    told = brought(None, looking(story))
    assert told is not None and told.startswith("You play by ssh")
    assert brought(looking(story), looking(story)) is None
    assert list(came(None, looking(story))) == []


def test_of_those_who_sat_there_before_the_mark_tells() -> None:
    story = Story(1).tell(2, Sit(ForeignText("Cleo"), through_door=True))
    assert list(came(None, looking(story))) == []


def test_nothing_is_told_of_the_others() -> None:
    story = Story(1)
    assert brought(None, looking(story)) is None
    assert list(came(looking(story), looking(story.sit(1)))) == []


def test_the_mark_is_explained() -> None:
    assert legend().startswith(f"{MARK} plays by ssh")
    assert seen_by_others().startswith("came by ssh")


def test_who_is_gone_is_told_no_more() -> None:
    view = looking(Story(1))
    seat = replace(view.seats[0], through_door=True, is_me=False)
    assert len(list(came(replace(view, seats=()), replace(view, seats=(seat,))))) == 1
