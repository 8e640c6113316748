"""What has changed, in lines: each thing once, in its order, and nothing too soon."""

from dataclasses import replace

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Gesticulate, Gesture, Measure, Say, Sit
from spoof_tui.plain.narrator import Narrator, seats_line
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school


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


def test_who_plays_by_ssh_is_told_at_once_and_at_first_sight() -> None:
    table = at("gathering", players=2)
    reader = Reader(table)
    late = table.add(sit=False)
    table.act(late, late.guest.state(Sit(ForeignText("Cleo"), through_door=True)))
    told = reader.look()
    assert told[told.index("Cleo sat down.") + 1].startswith("Cleo plays by ssh: ")
    assert any(line.startswith("Cleo plays by ssh: ") for line in Reader(table).all)
    assert not any("by ssh" in line for line in reader.look())


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


def test_a_name_commands_nothing() -> None:
    table = MemoryTable(1)
    table.add(name="Ev\x1b[2Jil\r\n")
    assert seats_line(table.clients[0].view, seat_names(table.clients[0].view)).isprintable()


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


def test_another_table_is_told_anew() -> None:
    view = at("answering").clients[0].view
    narrator = Narrator()
    first = narrator.follow(view, None)
    again = narrator.follow(replace(view, table_id=bytes(32)), None)
    assert first == again and first
