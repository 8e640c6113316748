"""What the commands at a table do."""

import pytest

from protocol.errors import Illegal
from protocol.rules.words import Bid, Drink
from protocol.table.fold import Phase
from protocol.table.statements import Measure
from spoof_tui.plain.typed import Command
from spoof_tui.runtime.notices import Opened, SeatState
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school


@pytest.mark.parametrize("command", Command)
@pytest.mark.parametrize("moment", ["gathering", "choosing", "answering", "over"])
def test_every_command_answers_or_acts_at_any_time(command: Command, moment: str) -> None:
    table = at(moment)
    reader = Reader(table)
    before = table.host.log.head
    told = reader.type(command.word)
    acted = table.host.log.head != before or reader.client.asked
    assert told or acted or reader.left or reader.spoken or reader.examined
    assert all(line.isprintable() for line in told)


@pytest.mark.parametrize(
    "command", [Command.TALK, Command.SHOUT, Command.GESTURE, Command.PAUSE, Command.MEASURE]
)
def test_who_only_watches_has_no_voice(command: Command) -> None:
    table = MemoryTable(2)
    table.add(sit=False)
    table.ready(*table.clients[:2])
    assert Reader(table, 2).type(f"{command.word} x")[0] == "You have no seat at this table."


def test_talk_is_said_and_heard_with_my_name() -> None:
    reader = Reader(at("gathering"))
    assert reader.type("say Hello, all!") == ["You say: “Hello, all!”"]
    assert reader.type("say") == ["Type what you want to say behind it: say hello."]


def test_a_gesture_is_chosen_by_its_number_and_told() -> None:
    table = at("answering")
    reader = Reader(table)
    told = reader.type("gesture")
    number = next(line.split(":")[0] for line in told if ": sweat: " in line)
    assert "Player1 sweats." in reader.type(f"gesture {number}")


def test_the_odds_are_for_practice_only_and_only_on_my_turn() -> None:
    table = at("answering")
    speaker = table.clients.index(table.speaker())
    reader = Reader(table, speaker)
    assert reader.type("odds") == ["The coach sits at practice tables only."]
    reader.hear(Opened(None, None, None))
    assert any(line.startswith("call: true ") for line in reader.type("odds"))
    other = Reader(table, (speaker + 1) % 3)
    other.hear(Opened(None, None, None))
    assert other.type("odds") == ["The coach speaks when it is your turn to bid."]


def test_a_vote_is_chosen_by_its_number() -> None:
    table = at("gathering")
    reader = Reader(table)
    told = reader.type("vote")
    number = next(line.split(":")[0] for line in told if line.endswith("mute: Player2."))
    assert any("to mute Player2: 1 of 2" in line for line in reader.type(f"vote {number}"))


def test_a_host_decides_at_once() -> None:
    table = at("gathering")
    reader = Reader(table)
    reader.client.is_host = True
    assert reader.type("vote")[0].startswith("You host this table: it counts at once.")
    table.decide(Measure.MUTE, table.clients[1].guest.key)
    assert "Player2 is muted." in reader.look()


def test_a_pause_is_a_vote_for_players() -> None:
    reader = Reader(at("choosing"))
    assert any("votes for a pause: 1 of 2" in line for line in reader.type("pause"))


def test_whoever_left_a_school_first_orders_by_a_number() -> None:
    table = a_school((0, 0), 0, 1)
    orders = [place for place, each in enumerate(table.clients) if each.view.may_order]
    reader = Reader(table, orders[0])
    reader.look()
    assert any("order the drinks" in line for line in reader.type("slate"))
    reader.type("slate 2")
    assert [drink for _n, _k, drink in table.clients[0].view.slate.orders] == [list(Drink)[1]]


def test_only_the_host_adds_bots_and_invites() -> None:
    reader = Reader(at("gathering"))
    assert reader.type("bot") == ["Only the host can add a bot."]
    assert reader.type("invite")[0].startswith("Only the host can invite")
    reader.client.is_host = True
    reader.type("bot hard")
    assert reader.client.asked[0][0] == "add_bot"
    assert reader.type("bot strong") == ["a level is one of easy, medium, hard"]


def test_a_code_is_renewed_and_an_open_table_is_locked() -> None:
    reader = Reader(at("gathering"))
    assert reader.type("code") == ["This table has no code to change."]
    reader.client.is_shut = False
    assert reader.type("code")[0].startswith("The table is locked")
    reader.hear(Opened(7763, None, "K7M4Q", "10.0.0.2:7763"))
    reader.type("code")
    assert ("renew_code",) in reader.client.asked


def test_strangers_are_named_before_they_are_sent_away() -> None:
    table = at("gathering")
    reader = Reader(table)
    assert reader.type("strangers") == ["No stranger sits at an open table of yours."]
    key = table.clients[1].guest.key
    reader.client.known = SeatState(strangers=(key,))
    assert "Player2" in reader.type("strangers")[0] and not reader.client.asked
    reader.type("strangers yes")
    assert reader.client.asked == [("clear", (key,))]


def test_ready_sits_down_somebody_who_watches() -> None:
    table = MemoryTable(2)
    table.add(sit=False)
    Reader(table, 2).type("ready")
    assert len(table.clients[0].view.seats) == 3


def test_a_number_out_of_turn_is_refused_in_a_sentence() -> None:
    table = at("gathering")
    assert table.host.table.phase is Phase.GATHERING
    with pytest.raises(Illegal):
        table.clients[0].guest.speak(Bid(2))
    assert Reader(table).type("2")[0] == "There is no game running."
