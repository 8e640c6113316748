"""The tallies of `protocol/vectors`, folded from a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.codec import Message, read_message
from protocol.errors import REASONS
from protocol.rules.house import KEPT, House, Pronouncement
from protocol.table.fold import check_statement
from protocol.table.state import Phase
from protocol.table.statements import PLAYERS, Measure
from tests.helpers.vectors import Case, each_case, word_of
from tests.protocol.stories import PARTICIPANTS, Story, refused, signing_key, very_few

HOST = 255


def key(who: int | str) -> bytes:
    return signing_key(HOST if who == "host" else int(who)).public


def number(found: bytes | None) -> int | str | None:
    """The participant who owns a key."""
    who = next((each for each in PARTICIPANTS if key(each) == found), None)
    return "host" if who == HOST else who


def statement(kind: str, *fields: Any) -> Message:
    """A statement with numbers in the place of keys."""
    keyed = [key(fields[0]), *fields[1:]] if kind in ("elect", "fine") else fields
    return read_message(PLAYERS, (kind, *keyed))


def game(story: Story, *players: int) -> None:
    story.start(*players)
    if story.table.phase is Phase.LOT:
        story.toss(*players)


def round_of(story: Story, hands: list[int | None], words: list[Any]) -> None:
    shut = [story.who(s) for s, h in zip(story.game.fists_missing, hands, strict=True) if h is None]
    story.fists(*(hand or 0 for hand in hands)).say(*map(word_of, words)).witness()
    story.open(*(story.who(seat) for seat in story.game.fists_shut if story.who(seat) not in shut))
    if shut:
        story.wait()
        for each in {0, 1, 2}.difference(shut):
            if story.table.phase is Phase.OPENING:
                story.vote(Measure.PLAY_ON, shut[0], each)


STEPS: dict[str, Callable[..., object]] = {
    "sit": lambda story, who: story.sit(HOST if who == "host" else who),
    "game": game,
    "starts": lambda story, *who: story.start(*who),
    "fists": lambda story, hands: story.fists_of({int(who): n for who, n in hands.items()}),
    "round": round_of,
    "decides": lambda story, measure, who: story.decide(Measure(measure), who),
    "says": lambda story, who, *said: story.tell(who, statement(*said)),
}


def told(case: Case, steps: list[Any]) -> Story:
    story = Story(case["players"], case["rules"])
    for step, *details in steps:
        STEPS[step](story, *details)
    return story


def shown(story: Story, players: int) -> dict[str, object]:
    """Everything that a case may say about a table."""
    table = story.table
    slate, stakes = table.slate, table.stakes
    sitting = range(max(players, len(table.seats)))
    return {
        "chips": [stakes.up(key(who)) for who in sitting],
        "pot": stakes.pot,
        "pile": stakes.pile,
        "lost": [stakes.lost.get(key(who), 0) for who in sitting],
        "won": [stakes.won.get(key(who), 0) for who in sitting],
        "paid": [number(each) for each in stakes.paid],
        "coins": list(story.game.coins) if table.game else [],
        "fines": [[number(f.key), f.offence.value, number(f.by), f.lifted] for f in slate.fines],
        "owed": [slate.owed(key(who)) for who in sitting],
        "orders": [[game, number(who), drink.value] for game, who, drink in slate.orders],
        "payers": [number(each) for each in slate.paid],
        "chairman": number(table.chairman),
        "winners": [who for who in sitting if table.gloats.may_gloat(key(who))],
        "silent": [number(each) for each in table.gloats.silent],
        "said": [[each.what.value, number(each.key)] for each in table.house.said],
        "counts": {what.value: count for what, count in table.house.counts.items()},
    }


@each_case("tallies", having="then")
def test_what_the_evening_keeps_is_as_the_case_says(case: Case) -> None:
    found = shown(told(case, case["steps"]), case["players"])
    assert {name: found[name] for name in case["then"]} == case["then"]


@each_case("tallies", having="refused")
def test_what_may_not_be_is_refused_for_the_reason_of_the_case(case: Case) -> None:
    *before, (_, who, *said) = case["steps"]
    story = told(case, before)
    with refused(REASONS[case["refused"]]):
        check_statement(story.table, key(who), statement(*said))


@very_few
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(0, 200))
def test_no_chip_is_made_or_lost_at_any_entry_s1(seed: int, players: int, steps: int) -> None:
    story = Story(players, "milan").start(*range(players)).play_on(seed, steps=steps)
    stakes = story.table.stakes
    assert sum(stakes.chips.values()) + stakes.pot == 0
    assert stakes.pot == (0 if story.table.phase is Phase.GATHERING else players)


def test_pronouncements_are_counted_and_the_last_ones_are_kept() -> None:
    house = House()
    for position in range(3 * KEPT):
        house = house.saying(position, Pronouncement.HOOVER, key(0))
    assert [each.ordinal for each in house.said] == [*range(2 * KEPT, 3 * KEPT)]
