"""Writing: the text of a game, its tags and names, its stakes, and the round trip."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.notation.records import GameRecord, Header
from protocol.notation.signs import is_tag
from protocol.notation.writing import record_of, reduced, tags_for, write
from protocol.rules.game import Game
from protocol.table.statements import Gesticulate, Gesture, Measure
from tests.protocol.notation.games import (
    KYIV,
    NAMES,
    RULES,
    SCHOOL,
    SCHOOL_RULES,
    game_of,
    only,
    records,
    school_of,
    text_of,
)
from tests.protocol.stories import Story, few

seeds, sizes, names = st.integers(0, 10_000), st.integers(2, 9), st.permutations(NAMES)
any_game = st.builds(game_of, seeds, sizes, st.sampled_from(RULES), names) | st.builds(
    school_of, seeds, sizes, st.sampled_from(SCHOOL_RULES), names
)


@given(any_game)
def test_what_the_program_wrote_is_read_without_fault_and_tells_the_game(game: Game) -> None:
    text = text_of(game)
    (record,) = records(text)
    checked = check(record)
    tags = checked.seats
    assert checked.faults == () and write(record) == text
    assert checked.end.winner == (None if game.winner is None else tags[game.winner])
    assert len(checked.rounds) == len(game.past)
    for found, played in zip(checked.rounds, game.past, strict=True):
        assert found.outcome is not None and found.said is not None
        assert found.said.words == played.words.words and found.hands == played.hands
        assert found.outcome.coins == played.outcome.coins
        assert Counter(found.outcome.fined) == Counter(played.outcome.fined)


@pytest.mark.parametrize("text", [KYIV, SCHOOL], ids=["the guide", "a school"])
def test_a_record_by_hand_is_written_as_it_was_read(text: str) -> None:
    assert "".join(map(write, records(text))) == text


def test_the_first_out_of_the_last_game_is_told_when_that_seat_opens_r15() -> None:
    game = next(game for seed in range(99) if (game := game_of(seed)).crap == 2)
    assert '[Crap "So"]' in text_of(game)


@pytest.mark.parametrize("gloats", [True, False])
def test_a_winner_who_did_not_gloat_after_the_game_before_is_named_s4(gloats: bool) -> None:
    story = Story(2).start(0, 1).play_on()
    assert story.game.winner is not None
    if gloats:
        story.tell(story.who(story.game.winner), Gesticulate(Gesture.GLOAT))
    story.start(0, 1).play_on()
    (record,) = records(text_of(story.game))
    assert (record.value("Silent") is None) == gloats and check(record).faults == ()


# Removals and stakes: one game may be several records


def removing(rules: str, *gone: tuple[int, int]) -> Game:
    """A game of four, played to its end, in which a seat is removed after this many rounds."""
    story = Story(4, rules).start(0, 1, 2, 3).toss(0, 1, 2, 3)
    for rounds, seat in gone:
        while len(story.game.past) < rounds and story.game.winner is None:
            story.play_on(rounds, steps=1)
        story.decide(Measure.REMOVE, seat)
    return story.play_on(7).game


def part(text: str, number: int) -> list[str]:
    """The headers of one record of a text, from its seats on."""
    return [f"{h.name} {h.value}" for h in records(text)[number].headers[3:]]


@pytest.mark.parametrize("rules", ["milan", "three-coins", "hollywood"])
@pytest.mark.parametrize(
    "gone", [[(0, 1)], [(1, 1)], [(1, 0), (1, 1)], [(0, 3), (1, 2)], [(1, 0), (2, 1), (2, 2)]]
)
def test_a_game_with_a_removal_is_written_without_fault_and_written_the_same(
    rules: str, gone: list[tuple[int, int]]
) -> None:
    game = removing(rules, *gone)
    text = text_of(game)
    assert [check(record).faults for record in records(text)] == [()] * len(records(text))
    assert "\n".join(map(write, records(text))) == text
    assert sum(len(record.rounds) for record in records(text)) == len(game.past)


def test_where_a_seat_was_removed_one_record_ends_and_the_next_begins_g5() -> None:
    text = text_of(removing("milan", (1, 1)))
    coins = check(records(text)[0]).rounds[-1].as_json()["coins"]
    assert isinstance(coins, dict)
    left = " ".join(f"{tag}{coins[tag]}" for tag in ("P", "Pla", "Pa"))
    assert part(text, 0)[1:] == ["Result *", "Removed Pl"]
    assert part(text, 1)[:2] == ["Seats P:Player0 Pla:Player2 Pa:Player3", f"Coins {left}"]
    assert records(text)[1].value("Pot") == "4"


def test_a_game_won_by_a_removal_is_unfinished_on_paper() -> None:
    game = removing("milan", (1, 0), (1, 1), (1, 2))
    assert game.winner == 3
    assert part(text_of(game), 0)[1:] == ["Result *", "Removed P Pl Pla"]


# Headers, names and tags


def test_quotes_backslashes_and_unknown_headers_pass_through() -> None:
    record = GameRecord((Header("Event", '"\\"'), Header("Wiki", "x ] y"), Header("Wiki", "")), ())
    (again,) = read([write(record).encode()])
    assert again == record and again.value("Wiki") == "x ] y"


def test_a_line_break_or_an_escape_in_an_event_cannot_leave_its_header() -> None:
    text = record_of(game_of(1), event='a\n[Rules "x"]\x1b[2J\u202eb', date="2026-11-21")
    assert text.startswith('[Event "a [Rules \\"x\\"][2Jb"]\n')
    assert only(text).faults == ()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Anna Maria", "Anna_Maria"),
        (" a \t b ", "a_b"),
        ("Мар'яна", "Марʼяна"),
        ("हिन्दी", "हिन्दी"),
        ('"q\\[]{}():\x1b\u202e\u200d🎲', "q"),
        ("e\u0301" + "\u0301" * 9, "é\u0301\u0301"),
        ("\u3164\ufe0f", ""),
        ("R2-D2.x", "R2-D2.x"),
        ("x" * 999, "x" * 64),
    ],
)
def test_a_name_keeps_letters_digits_and_a_few_marks(name: str, kept: str) -> None:
    assert reduced(ForeignText(name)) == kept


@pytest.mark.parametrize(
    ("names", "tags"),
    [
        (["Svitlana", "Dmytro", "Maria"], "S D M"),
        (["Ann", "Anna", "ann", "ANN"], "A An Ann B"),
        (["олена", "Остап"], "О Ос"),
        (["Olha", "Остап", "Макс", "Max"], "O Ос М Ma"),
        (["", "...", "42"], "A B C"),
        (["A", "a", "A_a"], "A B Aa"),
        (["ß", "名前"], "ß 名"),
    ],
)
def test_tags_are_the_shortest_that_are_unique(names: list[str], tags: str) -> None:
    assert " ".join(tags_for(names)) == tags


@few
@given(st.lists(st.text(max_size=8), min_size=2, max_size=9))
def test_any_names_make_a_seats_header_that_can_be_read(names: list[str]) -> None:
    kept = [reduced(ForeignText(name)) for name in names]
    tags = tags_for(kept)
    assert all(map(is_tag, tags))
    assert len({tag.casefold() for tag in tags}) == len(names)
    seats = " ".join(f"{tag}:{name or tag}" for tag, name in zip(tags, kept, strict=True))
    checked = only(f'[Rules "milan"]\n[Seats "{seats}"]\n[Result "*"]\n')
    assert (checked.seats, checked.faults) == (tags, ())
