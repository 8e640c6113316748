"""A table apart from what is said at it: its first entry, its secrets, and who moves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Reason
from protocol.table.electorate import is_support, sign_support
from protocol.table.fold import check_statement, fold
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry
from protocol.table.state import KEPT_TALK
from protocol.table.statements import Away, Backing, HostMoved, Measure, Open, Say, Toss
from protocol.version import PROTOCOL
from tests.protocol.stories import GRACE, Story, public, refused, signing_key, vote


def opening(epoch: int = 0, after: Head = EMPTY, protocol: int = PROTOCOL) -> Entry:
    opened = replace(Story(0).table.opened, protocol=protocol)
    return Entry.sign(signing_key(255), epoch, after, 0, opened)


@pytest.mark.parametrize(
    "entry",
    [Story(1).entries[1], opening(epoch=1), opening(after=Head(1, bytes(32))), opening(protocol=9)],
)
def test_a_log_begins_with_the_opening_of_its_table_in_this_protocol(entry: Entry) -> None:
    assert fold(None, opening())
    with pytest.raises(BrokenLog, match=r"begins with|speaks protocol 9"):
        fold(None, entry)


def test_a_secret_that_is_being_told_does_not_show_itself() -> None:
    assert repr(Open(3, b"n" * 32)) == "Open()"
    assert repr(Toss(b"s" * 32, b"n" * 32)) == "Toss()"


def test_the_table_remembers_the_last_lines_of_talk() -> None:
    story = Story(1)
    for number in range(KEPT_TALK + 1):
        story.tell(0, Say(ForeignText(str(number))))
    assert [line.said for line in story.table.talk[:1]] == [ForeignText("1")]
    assert len(story.table.talk) == KEPT_TALK
    assert story.table.talk[-1].position == len(story.entries) - 1


def test_without_a_time_nothing_is_too_soon_and_a_clock_behind_the_log_counts_from_the_log() -> (
    None
):
    story = Story(2).start(0, 1).toss(0, 1).away(1)
    said, now = vote(Measure.PLAY_ON, 1), story.table.time
    check_statement(story.table, public(0), said)
    check_statement(story.table, public(0), said, now + GRACE * 1000)
    for time in (now, now + GRACE * 1000 - 1, 0):
        with refused(Reason.TOO_SOON):
            check_statement(story.table, public(0), said, time)


# Moving it: what nobody can forge (G7)


def gathering() -> Story:
    return Story(4).call_off(*range(4))


def test_a_support_is_good_for_its_host_epoch_table_and_log_only() -> None:
    terms = public(0), b"t" * 32, 3, public(1), Head(7, b"h" * 32)
    other = public(2), b"o" * 32, 4, public(2), Head(8, b"h" * 32)
    voter, *signed_terms = terms
    signature = sign_support(signing_key(0), *signed_terms)  # type: ignore[arg-type]
    for changed in range(-1, 5):
        asked = [other[n] if n == changed else term for n, term in enumerate(terms)]
        who, *rest = asked
        assert is_support(who, signature, *rest) == (changed == -1)  # type: ignore[arg-type]
    assert not is_support(voter, signature, b"t" * 32, 3, public(1), Head(7, b"o" * 32))


def first(moved: HostMoved, vote: Backing) -> HostMoved:
    return replace(moved, votes=(vote, *moved.votes[1:]))


FORGED: dict[str, Callable[[Story, HostMoved], HostMoved]] = {
    "nobody": lambda _, m: replace(m, votes=()),
    "a vote for another": lambda s, m: first(m, s.support(0, 1, 1)),
    "a vote of another epoch": lambda s, m: first(m, s.support(0, 2, 0)),
    "a vote in another's name": lambda _, m: first(m, Backing(public(3), m.votes[0].signature)),
    "a vote that is not signed": lambda _, m: first(m, Backing(public(0), bytes(64))),
    "votes for another host": lambda _, m: replace(m, host=public(3)),
    "votes of another epoch": lambda _, m: replace(m, epoch=2),
    "votes at another table": lambda *_: Story(4, salt=77).call_off(0, 1, 2, 3).moving(0, 0, 1, 2),
    "votes behind a shorter log": lambda *_: Story(3).moving(0, 0, 1, 2),
    "votes behind a longer log": lambda s, _: s.copy().ready(0).moving(0, 0, 1, 2),
}


@pytest.mark.parametrize("how", FORGED)
def test_no_table_is_moved_by(how: str) -> None:
    story = gathering()
    with pytest.raises(BrokenLog, match="Too few"):
        fold(story.table, story.moved_entry(FORGED[how](story, story.moving(0, 0, 1, 2)), 0))


@pytest.mark.parametrize("epoch", [0, 2])
def test_an_entry_of_an_epoch_that_is_not_due_is_refused(epoch: int) -> None:
    story, after = gathering(), gathering().move(0, 0, 1, 2)
    for at, said in ((story, story.moving(0, 0, 1, 2)), (after, Away(public(1)))):
        entry = Entry.sign(signing_key(0), epoch, at.table.head, at.table.time, said)
        with pytest.raises(BrokenLog, match=f"epoch {epoch} where 1 is due"):
            fold(at.table, entry)
