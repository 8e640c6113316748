"""A new table for those who stay: what it takes along, who has signed it, and what cannot be
forged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import BrokenLog, Malformed
from protocol.table.continuation import follows, sign, signed
from protocol.table.fold import Origin, fold, origin_of, went_on
from protocol.table.state import Table
from protocol.table.statements import TableContinued
from tests.protocol.continuing import HOST, SALT, drafted, old_table, opening, signed_by
from tests.protocol.stories import Story, public, signing_key, very_few


def continued(story: Story, *along: int) -> Table:
    """The new table of these participants."""
    return fold(None, opening(signed_by(drafted(story.table, *along), *along)))


def story_of(table: Table) -> Story:
    """A story that goes on at a new table."""
    story = Story(2)
    story.table, story.host_key, story.hands = table, signing_key(HOST), {}
    return story


# What goes along


def test_who_is_barred_needs_the_code_at_the_new_table_and_older_logs_still_follow() -> None:
    story = old_table(4)
    barring = replace(story.table, barred=frozenset({public(3)}))
    table = drafted(barring, 0, 1)
    assert table.behind == (public(2),)
    assert follows(table, barring)
    assert follows(replace(table, behind=(public(2), public(3))), barring)


@very_few
@given(st.integers(2, 6), st.integers(0, 60), st.integers(0, 999), st.data())
def test_coins_are_conserved_and_everybody_finds_the_same(
    players: int, steps: int, seed: int, data: st.DataObject
) -> None:
    story = old_table(players).play_on(seed, steps=steps)
    along = data.draw(st.sets(st.integers(0, players - 1), min_size=2))
    table = continued(story, *along)
    old = story.game
    if table.game is not None:
        assert {p.key: c for p, c in zip(table.game.players, table.game.coins, strict=True)} == {
            p.key: c
            for p, c in zip(old.players, old.coins, strict=True)
            if p.key in set(map(public, along))
        }
    assert table.continues and follows(table.continues, story.table)


# Who has signed it


@very_few
@given(st.sets(st.integers(0, 4), min_size=2), st.data())
def test_without_the_signature_of_one_nothing_is_opened(
    along: set[int], data: st.DataObject
) -> None:
    forger = data.draw(st.sampled_from(sorted(along)))
    plain = drafted(old_table().table, *along)
    by = {public(who): sign(signing_key(who), plain) for who in along}
    by[public(forger)] = sign(signing_key(9), plain)
    with pytest.raises(BrokenLog, match="has not signed"):
        fold(None, opening(signed(plain, by)))


def _by_all(it: TableContinued) -> TableContinued:
    return signed_by(
        it, *(who for who in range(5) if public(who) in {seat.key for seat in it.seats})
    )


BEHIND: dict[str, Callable[[TableContinued], TableContinued]] = {
    "somebody who goes along": lambda it: replace(it, behind=(public(3), public(0))),
    "somebody twice": lambda it: replace(it, behind=(public(3), public(3))),
}


@pytest.mark.parametrize("who", BEHIND)
def test_nobody_stays_behind_who_goes_along_and_nobody_twice_though_all_sign_it(who: str) -> None:
    it = drafted(old_table().table, 0, 1, 2)
    assert fold(None, opening(_by_all(it)))
    with pytest.raises(BrokenLog, match="once"):
        fold(None, opening(_by_all(BEHIND[who](it))))


def _with_coins(it: TableContinued) -> TableContinued:
    first, *others = it.seats
    return replace(it, seats=(replace(first, coins=2), *others))


def _with_a_name(it: TableContinued) -> TableContinued:
    *others, last = it.seats
    return replace(it, seats=(*others, replace(last, name=it.opened.name)))


FORGERIES: dict[str, Callable[[TableContinued], TableContinued]] = {
    "coins": _with_coins,
    "a name": _with_a_name,
    "the starter": lambda it: replace(it, starter=it.seats[1].key),
    "the first out": lambda it: replace(it, first_out=public(4)),
    "the old table": lambda it: replace(it, table=SALT),
    "the entry": lambda it: replace(it, length=it.length - 1),
    "its hash": lambda it: replace(it, last=SALT),
    "the host": lambda it: replace(it, opened=replace(it.opened, host=public(1))),
    "the rules": lambda it: replace(it, opened=replace(it.opened, clock=30)),
    "the salt": lambda it: replace(it, opened=replace(it.opened, salt=b"o" * 32)),
    "who stays behind": lambda it: replace(it, behind=()),
    "one less": lambda it: replace(it, seats=it.seats[:-1]),
    "one seat twice": lambda it: replace(it, seats=(*it.seats, it.seats[0])),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_whoever_changes_what_was_signed_opens_nothing(what: str) -> None:
    forged = FORGERIES[what](signed_by(drafted(old_table().table, 0, 1, 2), 0, 1, 2))
    host = 1 if what == "the host" else HOST
    with pytest.raises(BrokenLog):
        fold(None, opening(forged, host))


@pytest.mark.parametrize("what", ["coins", "a name", "the starter", "the first out"])
def test_those_who_sign_together_what_does_not_follow_are_found_out(what: str) -> None:
    story = old_table()
    made_up = signed_by(FORGERIES[what](drafted(story.table, 0, 1, 2)), 0, 1, 2)
    assert fold(None, opening(made_up)).continues == made_up
    assert origin_of(made_up, story.entries) is Origin.OTHER_GAME


def _in_a_school(coins: int) -> TableContinued:
    it = drafted(old_table(3, "hollywood").table, 0, 1)
    return replace(it, seats=tuple(replace(seat, coins=coins) for seat in it.seats))


IMPOSSIBLE: dict[str, Callable[[], TableContinued]] = {
    "two coins in a school": lambda: _in_a_school(2),
    "more than the cap": lambda: replace(
        (it := drafted(old_table(3, "bid-spoof").table, 0, 1)),
        seats=tuple(replace(seat, coins=4) for seat in it.seats),
    ),
    "one who owns coins": lambda: replace(
        (it := drafted(old_table().table, 0, 1)),
        seats=tuple(replace(each, coins=2 * (each.key == it.starter)) for each in it.seats),
    ),
    "a starter without coins": lambda: replace(drafted(old_table().table, 0, 1), starter=public(3)),
    "coins without a game": lambda: replace(drafted(old_table().table, 0, 1), starter=None),
    "players behind others": lambda: replace(
        (it := drafted(old_table(3).sit(3).table, 0, 1, 3)), seats=it.seats[::-1]
    ),
    "one seat": lambda: replace((it := drafted(old_table().table, 0, 1)), seats=it.seats[:1]),
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_no_table_can_become_is_no_table_though_all_sign_it(what: str) -> None:
    impossible = IMPOSSIBLE[what]()
    everybody = signed(
        impossible,
        {public(who): sign(signing_key(who), impossible) for who in range(4)},
    )
    with pytest.raises(BrokenLog):
        fold(None, opening(everybody))


@very_few
@given(st.integers(3, 7), st.data())
def test_parts_that_each_find_a_new_table_share_nobody(players: int, data: st.DataObject) -> None:
    """Everybody signs once: a participant who signed for one part is missing in all others."""
    story = old_table(players)
    first = data.draw(st.sets(st.integers(0, players - 1), min_size=2, max_size=players - 1))
    second = data.draw(st.sets(st.integers(0, players - 1), min_size=2))
    plain = drafted(story.table, *second)
    by = {public(who): sign(signing_key(who), plain) for who in second - first}
    by |= {public(who): bytes(64) for who in second & first}
    if second & first:
        with pytest.raises(BrokenLog):
            fold(None, opening(signed(plain, by)))
    else:
        assert fold(None, opening(signed(plain, by))).game


# Where it goes on from


def test_a_shorter_log_does_not_tell() -> None:
    story = old_table()
    it = signed_by(drafted(story.table, 1, 4), 1, 4)
    assert origin_of(it, story.entries[:-1]) is Origin.OTHER_ENTRY


def test_more_coins_than_a_new_table_takes_over_are_no_draft() -> None:
    story = old_table()
    rich = replace(story.game, carried=(1000,) * 5)
    with pytest.raises(Malformed):
        drafted(replace(story.table, game=rich), 0, 1)


def test_who_holds_less_believes_that_its_game_went_on_of_its_table_and_two_of_its_seats() -> None:
    old = old_table()
    story = old.copy().fists(1, 1, 1, 1, 1)
    it, entries = signed_by(drafted(story.table, 0, 1, 2), 0, 1, 2), old.entries
    assert went_on(it, story.entries, story.table) and went_on(it, entries, old.table)
    assert not went_on(replace(it, opened=replace(it.opened, clock=9)), entries, old.table)
    assert not went_on(replace(it, table=SALT), entries, old.table)
    assert not went_on(replace(it, seats=it.seats[:1]), entries, old.table)
    strangers = [replace(seat, key=public(20 - n)) for n, seat in enumerate(it.seats)]
    assert not went_on(replace(it, seats=(it.seats[0], *strangers[1:])), entries, old.table)
    later = drafted(story_of(continued(story, 0, 1, 2)).table, 0, 1)
    assert went_on(later, entries, old.table)
