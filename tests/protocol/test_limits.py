"""The limits agree with each other, and leave room for what is honest."""

from protocol import limits
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Say
from protocol.wire.messages import Entries, write
from tests.protocol.stories import Story


def longest_talk() -> Story:
    """A table at which somebody has said as much as one may say at once."""
    return Story(2).tell(0, Say(ForeignText("x" * limits.MAX_TALK)))


def test_every_limit_lets_something_through() -> None:
    bounds = {name: value for name, value in vars(limits).items() if name.isupper()}
    assert [name for name, value in bounds.items() if not value > 0] == []


def test_a_batch_and_one_more_entry_fit_into_a_frame() -> None:
    assert limits.MAX_BATCH + limits.MAX_ENTRY < limits.MAX_FRAME
    blobs = (bytes(limits.MAX_ENTRY),) * (limits.MAX_BATCH // limits.MAX_ENTRY + 1)
    assert len(frame(write(Entries(blobs)))) < limits.MAX_FRAME


def test_the_longest_line_of_talk_fits_into_a_statement_and_an_entry() -> None:
    entry = longest_talk().entries[-1]
    assert entry.intent and len(entry.intent.blob) <= limits.MAX_STATEMENT
    assert len(entry.blob) <= limits.MAX_ENTRY


def test_an_entry_may_be_larger_than_the_statement_in_it() -> None:
    entry = longest_talk().entries[-1]
    assert entry.intent
    assert limits.MAX_STATEMENT + len(entry.blob) - len(entry.intent.blob) < limits.MAX_ENTRY


def test_what_one_address_may_take_leaves_room_for_others() -> None:
    assert limits.MAX_WATCHERS_OF_ADDRESS < limits.MAX_LINKS
    assert limits.MAX_UNPROVEN_OF_ADDRESS < limits.MAX_UNPROVEN
    assert limits.MAX_HANDSHAKES_OF_ADDRESS < limits.MAX_HANDSHAKES


def test_who_has_not_proven_itself_may_send_less_than_others() -> None:
    assert limits.MAX_EARLY_FRAME < limits.MAX_ENTRY < limits.MAX_FRAME


def test_a_log_that_is_almost_full_still_has_room_for_a_game() -> None:
    story = Story(9).start(*range(9)).toss(*range(9)).play_on()
    assert len(story.entries) < limits.LOG_RESERVE < limits.MAX_LOG
