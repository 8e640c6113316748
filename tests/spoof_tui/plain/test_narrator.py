"""What has changed, in lines: each thing once, in its order, and nothing too soon."""

import re
from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Gesticulate, Gesture, Measure, Say
from spoof_tui.plain.narrator import Narrator, round_line, seats_line
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school


def test_a_table_is_told_at_first_sight_with_who_sits_there() -> None:
    reader = Reader(at("gathering"))
    assert reader.all[:2] == [
        "You are at the table “Table”. Rules: Milan.",
        "3 of 9 seats taken: you, Player2, Player3.",
    ]


def test_a_game_and_its_round_begin_with_everybodys_coins() -> None:
    table = MemoryTable(2)
    reader = Reader(table)
    table.ready()
    told = reader.look()
    assert re.fullmatch(r"Game 1 begins: (you, Player2|Player2, you)\.", told[0])
    assert told[1].startswith("The house: “")
    assert told[2].startswith("Round 1. Coins: ") and told[2].endswith(" 6 coins in play.")


def test_words_are_told_once_behind_who_said_them() -> None:
    table = at("speaking")
    reader = Reader(table)
    me, speaker = table.clients[0], table.speaker()
    table.say(Bid(2))
    who = "You" if speaker is me else seat_names(me.view)[me.view.words[0][0]]
    assert reader.look()[0] == f"{who}: 2."
    assert reader.look() == []


def test_a_count_is_told_fist_by_fist_with_its_price_last() -> None:
    table = MemoryTable(2)
    table.ready()
    table.choose(1, 2)
    reader = Reader(table)
    table.say(Bid(3), Ending.CALL)
    told = reader.look()
    ender = next(place for place, line in enumerate(told) if "“fewer than 3.”" in line)
    opened = [place for place, line in enumerate(told) if " open" in line and ":" in line]
    price = next(place for place, line in enumerate(told) if line.startswith("The fists held 3"))
    assert [ender, *opened, price] == sorted([ender, *opened, price]) and len(opened) == 2
    assert told[price + 1].startswith("Round 2. ")


def test_nothing_tells_the_end_of_a_count_before_its_time() -> None:
    table = MemoryTable(2)
    table.ready()
    table.choose(1, 2)
    reader = Reader(table)
    table.say(Bid(3), Ending.CALL)
    told = reader.begin_to_look()
    assert any("“fewer than 3.”" in line for line in told)
    assert not any("in all" in line or "held" in line or "Round 2" in line for line in told)


@pytest.mark.parametrize("rules", ["milan", "hollywood", "milan reveal=together"])
def test_a_game_that_is_over_is_told_with_its_places(rules: str) -> None:
    table = MemoryTable(2, rules)
    table.ready()
    reader = Reader(table)
    table.play_on()
    told = reader.look()
    assert any(line.startswith("1. ") and "2. " in line for line in told)
    assert told[-1] == "Play again? Press Enter, or type quit."


def test_rounds_that_were_missed_are_told_in_short() -> None:
    table = MemoryTable(2)
    table.ready()
    table.choose(1, 2)
    reader = Reader(table)
    table.say(Bid(3), Ending.CALL)
    table.choose(0, 0)
    table.say(Ending.ZERO)
    told = reader.look()
    assert told.count("Round 1:") == 1
    assert any("Every fist was empty" in line for line in told)


def test_in_the_guessing_game_a_taken_number_is_told() -> None:
    table = a_school((1, 1), 2)
    reader = Reader(table)
    table.say(Bid(2))
    assert any(
        line.endswith(": Absent Friends (2). That number is taken.") for line in reader.look()
    )


def test_who_comes_goes_and_comes_back_is_told() -> None:
    table = at("gathering", players=2)
    reader = Reader(table)
    third = table.add(name="Cleo")
    assert "Cleo sat down." in reader.look()
    table.ready(third)
    assert "Cleo is ready." in reader.look()
    table.ready(*table.clients[:2])
    reader.look()
    table.cut(third)
    assert "Cleo is away." in reader.look()
    table.connect(third)
    assert "Cleo is back." in reader.look()


def test_talk_and_gestures_begin_with_who_they_are_of() -> None:
    table = at("gathering", players=2)
    reader, other = Reader(table), table.clients[1]
    table.act(other, other.guest.state(Say(ForeignText("\x1b[31m9\n5"))))
    table.act(other, other.guest.state(Gesticulate(Gesture.MITT_FULL)))
    assert reader.look() == ["Player2 says: “[31m9 5”", "Player2: Mitt-full!"]


def test_measures_and_votes_are_told() -> None:
    table = at("gathering", players=3)
    reader = Reader(table)
    table.decide(Measure.MUTE, table.clients[1].guest.key)
    assert "Player2 is muted." in reader.look()


def test_another_table_is_told_anew() -> None:
    view = at("answering").clients[0].view
    narrator = Narrator()
    first = narrator.follow(view, None)
    again = narrator.follow(replace(view, table_id=bytes(32)), None)
    assert first == again and first


def test_a_name_commands_nothing() -> None:
    table = MemoryTable(1)
    table.add(name="Ev\x1b[2Jil\r\n")
    assert seats_line(table.clients[0].view, seat_names(table.clients[0].view)).isprintable()


def test_a_school_has_no_coins() -> None:
    view = a_school((1, 1)).clients[0].view
    assert round_line(view, seat_names(view)).startswith("Round 1. In the school: ")


def test_the_house_speaks_after_a_count_and_never_over_it() -> None:
    table = MemoryTable(2)
    reader = Reader(table)
    table.ready()
    assert any(line.startswith("The house: ") for line in reader.look())
    while table.host.table.game and table.host.table.game.winner is None:
        table.choose(0, 0)
        reader.look()
        table.say(Bid(1), Ending.CALL)
        started = reader.begin_to_look()
        assert not any(line.startswith("The house: ") for line in started)
    told = reader.look()
    house = [place for place, line in enumerate(told) if line.startswith("The house: ")]
    assert house and min(house) > next(
        place for place, line in enumerate(told) if line.startswith("The fists held")
    )


def test_what_is_played_for_is_told_at_the_end_of_a_game() -> None:
    table = MemoryTable(2, "milan stake=pot")
    table.ready()
    reader = Reader(table)
    table.play_on()
    assert any("the pot." in line for line in reader.look())
    assert any(line.startswith("Chips: ") for line in reader.type("who"))
