"""The evening of a table: stakes and pronouncements follow from any entry, and go on (G8)."""

from __future__ import annotations

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.rules.house import Pronouncement
from protocol.rules.words import Bid, Ending
from protocol.table.continuation import draft, sign, signed
from protocol.table.evening import after
from protocol.table.fold import fold
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.state import Phase, Table
from protocol.table.statements import Say
from tests.protocol.stories import Story, signing_key


def key(who: int) -> bytes:
    return signing_key(who).public


def playing(rules: str = "milan", players: int = 4) -> Story:
    return Story(players, rules).start(*range(players)).toss(*range(players))


def continued(table: Table, *along: int) -> Table:
    """The new table of these, hosted by the first of them."""
    drafted = draft(table, frozenset(map(key, along)), key(along[0]), b"n" * 32)
    opening = signed(drafted, {key(who): sign(signing_key(who), drafted) for who in along})
    host: SigningKey = signing_key(along[0])
    return fold(None, Entry.sign(host, 0, EMPTY, 1_700_000_900_000, opening))


def test_talk_changes_nothing_of_the_evening() -> None:
    story = playing()
    before = story.table
    story.tell(0, Say(ForeignText("Mine!")))
    assert (story.table.stakes, story.table.house) == (before.stakes, before.house)


def test_a_pronouncement_has_the_place_of_the_entry_that_it_follows_from() -> None:
    story = playing()
    assert story.table.house.said[-1].position == len(story.entries) - 1


def test_nothing_follows_from_no_change() -> None:
    table = playing().table
    assert after(table, table, 99) is table


def test_at_a_new_table_everybody_in_the_game_puts_a_chip_into_its_pot_s1_g8() -> None:
    story = playing().fists(1, 1, 1, 1).say(Bid(2), Ending.CALL).open()
    table = continued(story.table, 1, 2)
    assert table.stakes.pot == 2
    assert [table.stakes.up(key(who)) for who in range(4)] == [0, -1, -1, 0]


def test_the_old_table_keeps_its_pot_s1_g8() -> None:
    story = playing()
    before = story.table.stakes
    continued(story.table, 1, 2)
    assert story.table.stakes == before and before.pot == 4


def test_no_chip_is_put_in_where_no_game_goes_along_s1_g8() -> None:
    table = continued(playing().play_on().table, 0, 1)
    assert table.game is None and not table.stakes.pot


@pytest.mark.parametrize("seed", range(6))
def test_who_was_out_at_the_old_table_has_paid_there_s2_g8(seed: int) -> None:
    story = playing("milan stake=drinks")
    while not (story.game.past and story.game.past[-1].outcome.went_out):
        story.play_on(seed, steps=1)
    left = [story.who(seat) for seat, coins in enumerate(story.game.coins) if coins]
    new = Story(2)
    new.table, new.host_key, new.hands = continued(story.table, *left), signing_key(left[0]), {}
    new.play_on(seed)
    assert new.table.phase is Phase.GATHERING and new.table.stakes.paid == ()
    assert Pronouncement.FIRST_OUT not in new.table.house.counts
