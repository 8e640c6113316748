"""Writing: the text of a game, its tags and names, and the round trip."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.notation import GameRecord, Header, check, read, record_of, write
from protocol.notation.tokens import is_tag
from protocol.notation.writing import reduced, tags_for
from protocol.rules.game import Game
from protocol.table.statements import Measure
from tests.protocol.notation.games import (
    KYIV,
    NAMES,
    RULES,
    game_of,
    only,
    records,
    rounds_of,
    text_of,
)
from tests.protocol.stories import Story

any_game = st.builds(
    game_of,
    st.integers(0, 10_000),
    st.integers(2, 9),
    st.sampled_from(RULES),
    st.permutations(NAMES),
)


@given(any_game)
def test_what_the_program_wrote_is_read_without_fault_and_written_the_same(game: Game) -> None:
    text = text_of(game)
    (record,) = records(text)
    assert check(record).faults == ()
    assert write(record) == text


@given(any_game)
def test_a_record_tells_the_coins_and_the_winner_of_the_game(game: Game) -> None:
    text = text_of(game)
    checked = only(text)
    winner = None if game.winner is None else checked.seats[game.winner]
    assert checked.winner == winner
    for found, played in zip(rounds_of(text), game.past, strict=True):
        assert tuple(found.coins.values()) == tuple(
            played.outcome.coins[seat] for seat in played.words.players
        )


def removing(rules: str, *gone: tuple[int, int]) -> Game:
    """A game of four in which after so many rounds a seat is removed, played to its end."""
    story = Story(4, rules).start(0, 1, 2, 3).toss(0, 1, 2, 3)
    for rounds, seat in gone:
        while len(story.game.past) < rounds and story.game.winner is None:
            story.play_on(rounds, steps=1)
        story.decide(Measure.REMOVE, seat)
    return story.play_on(7).game


def part(text: str, number: int) -> list[str]:
    """The headers of one record of a text, from its rules on."""
    return [f"{h.name} {h.value}" for h in records(text)[number].headers[2:]]


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
    assert part(text, 0)[2:] == ["Result *", "Removed Pl"]
    assert part(text, 1)[1] == "Seats P:Player0 Pla:Player2 Pa:Player3"
    assert part(text, 1)[2] == " ".join(
        ["Coins", *(f"{tag}{coins[tag]}" for tag in ("P", "Pla", "Pa"))]
    )


def test_who_is_removed_before_the_first_round_is_not_in_the_record() -> None:
    (record,) = records(text_of(removing("milan", (0, 1))))
    assert record.value("Seats") == "P:Player0 Pla:Player2 Pa:Player3"
    assert record.value("Coins") is None


def test_a_game_won_by_a_removal_is_unfinished_on_paper() -> None:
    game = removing("milan", (1, 0), (1, 1), (1, 2))
    assert game.winner == 3
    assert part(text_of(game), 0)[2:] == ["Result *", "Removed P Pl Pla"]


def test_the_example_of_the_kyiv_guide_is_written_as_it_was_read() -> None:
    (record,) = records(KYIV)
    assert write(record) == KYIV


def test_a_round_is_one_line_in_the_order_of_the_seats() -> None:
    (record,) = records("1.<\nS4\nD!\n(D2 S0)\n.\n= S3 D3")
    assert record.rounds[0].text == "1.< S4 D! (D2 S0) . = S3 D3"


def test_a_game_before_its_first_round_is_its_headers() -> None:
    game = next(game for seed in range(99) if not (game := game_of(seed)).past)
    assert text_of(game).endswith('[Result "*"]\n')
    assert only(text_of(game)).faults == ()


def test_the_first_out_of_the_last_game_is_told_when_that_seat_opens_r15() -> None:
    game = next(game for seed in range(99) if (game := game_of(seed)).crap == 2)
    assert '[Crap "So"]' in text_of(game)


def test_a_fist_that_stayed_shut_is_a_question_mark_g3() -> None:
    texts = [text_of(game_of(seed)) for seed in range(20)]
    assert any("?" in text for text in texts)


def test_quotes_backslashes_and_unknown_headers_pass_through() -> None:
    record = GameRecord((Header("Event", '"\\"'), Header("Wiki", "x ] y"), Header("Wiki", "")), ())
    (again,) = read([write(record).encode()])
    assert again == record


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
        (["", "...", "42"], "A B C"),
        (["A", "a", "A_a"], "A B Aa"),
        (["ß", "名前"], "ß 名"),
    ],
)
def test_tags_are_the_shortest_that_are_unique(names: list[str], tags: str) -> None:
    assert " ".join(tags_for(names)) == tags


@given(st.lists(st.text(max_size=8), min_size=2, max_size=9))
def test_any_names_make_a_seats_header_that_can_be_read(names: list[str]) -> None:
    kept = [reduced(ForeignText(name)) for name in names]
    tags = tags_for(kept)
    assert all(map(is_tag, tags))
    assert len({tag.casefold() for tag in tags}) == len(names)
    seats = " ".join(f"{tag}:{name or tag}" for tag, name in zip(tags, kept, strict=True))
    checked = only(f'[Rules "milan"]\n[Seats "{seats}"]\n[Result "*"]\n')
    assert (checked.seats, checked.faults) == (tags, ())
