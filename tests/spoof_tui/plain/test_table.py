"""A table in plain lines: what is asked, what a typed line does, and what is never printed."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Bid, Direction, Ending
from protocol.table.fold import Phase
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui.plain.lines import BELL, PROMPT
from spoof_tui.runtime.notices import (
    CodeAsked,
    Ended,
    Opened,
    Reopened,
    Saved,
    SeatHeld,
)
from spoof_tui.storage.identity import Holder
from spoof_tui.text import i18n, tokens
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at


def play(table: MemoryTable, *readers: Reader, seed: int = 0) -> None:
    """Have all play by what they are asked, to the end of the game."""
    chance = random.Random(seed)
    while not all(reader.all[-1].startswith("Play again?") for reader in readers):
        before = [len(reader.all) for reader in readers]
        for reader in readers:
            reader.look()
            asked = reader.all[-1]
            if asked.startswith("Your hand"):
                reader.type(str(chance.randint(0, 1)))
            elif asked.startswith("Your turn"):
                words = asked.rpartition("Say ")[2].rstrip(".").replace(" or ", ", ").split(", ")
                reader.type(chance.choice(words).split(" to ")[0])
            elif asked.startswith(("Your call", "That number")):
                reader.type(chance.choice(asked.rpartition(": ")[2].rstrip(".").split(", ")))
        assert before != [len(reader.all) for reader in readers], "nobody was asked anything"


@pytest.mark.parametrize("rules", ["milan", "bid-spoof", "three-coins", "hollywood"])
def test_a_game_is_played_by_what_is_asked(rules: str) -> None:
    table = MemoryTable(3, rules)
    readers = [Reader(table, place) for place in range(3)]
    for reader in readers:
        reader.type("")
    play(table, *readers)
    assert table.host.table.phase is Phase.GATHERING
    for reader in readers:
        assert all(line.isprintable() for line in reader.all)
        reader.type("ready")
    assert table.host.table.game and table.host.table.game.number == 2


@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 50))
def test_two_hands_print_the_same_until_the_fists_open(one: int, other: int, seed: int) -> None:
    printed = []
    for hand in (one, other):
        table = MemoryTable(2, seed=seed)
        table.ready()
        reader = Reader(table, is_terminal=True)
        reader.type(str(hand))
        table.choose(1)
        for command in ("who", "why", "rounds", "?", "odds", "2", "2"):
            reader.type(command)
        printed.append(reader.stream.getvalue())
    assert printed[0] == printed[1]


def test_what_may_be_a_hand_is_not_to_be_seen() -> None:
    table = at("gathering", players=2)
    reader = Reader(table)
    secret = [reader.table.is_secret]
    table.ready()
    reader.look()
    secret.append(reader.table.is_secret)
    reader.type("1")
    secret.append(reader.table.is_secret)
    table.choose(1)
    reader.look()
    secret.append(reader.table.is_secret)
    table.say(Bid(2), Ending.CALL)
    reader.begin_to_look()
    assert [*secret, reader.table.is_secret] == [False, True, False, False, True]


def test_a_hand_may_be_hidden_while_the_last_round_is_counted() -> None:
    table = at("answering", players=2)
    reader = Reader(table)
    table.say(Ending.CALL)
    reader.begin_to_look()
    reader.table.typed("1", 0.0)
    assert table.clients[0].guest.own_hand == 1
    assert "Your fist is in, and it is locked." in reader.look()


def test_a_word_that_was_typed_before_the_count_was_heard_is_not_said() -> None:
    table = at("answering", players=2)
    reader = Reader(table)
    table.say(Ending.CALL)
    table.choose(0, 0)
    reader.begin_to_look()
    reader.table.typed("call", 0.0)
    told = reader.look()
    assert "The table moved on before this arrived. Look, and say it again." in told
    assert table.host.table.game and table.host.table.game.round_number == 2


def test_a_bad_word_is_refused_in_a_sentence_and_asked_again() -> None:
    table = at("answering")
    reader = Reader(table, table.clients.index(table.speaker()))
    question = reader.all[-1]
    assert reader.type("1") == ["A bid must beat the standing bid of 2.", question]
    assert reader.type("zero") == ["Zero may only be the opening word here.", question]


def test_what_means_nothing_loses_nothing() -> None:
    reader = Reader(at("choosing"))
    assert reader.type("abracadabra\x1b[2J") == [
        "That means nothing here: “abracadabra[2J”. Type ? to hear what you can type."
    ]


def test_enter_alone_tells_the_question_again() -> None:
    reader = Reader(at("choosing"))
    question = reader.all[-1]
    assert reader.type("") == [question]


def test_when_all_others_are_ready_one_is_asked_again() -> None:
    table = at("gathering", players=2)
    reader = Reader(table)
    table.ready(table.clients[1])
    assert reader.look() == ["Player2 is ready.", "Everybody is ready but you. Press Enter."]


def test_enter_alone_tells_the_rest_of_a_count() -> None:
    table = at("answering", players=2)
    reader = Reader(table)
    table.say(Ending.CALL)
    reader.begin_to_look()
    reader.table.typed("", 0.0)
    reader.table.show()
    assert any(line.startswith("The fists held") for line in reader.heard())


def test_while_others_are_waited_for_enter_tells_whom() -> None:
    table = at("answering")
    others = [place for place, each in enumerate(table.clients) if each is not table.speaker()]
    reader = Reader(table, others[0])
    assert any(line.endswith(" is to speak.") for line in reader.type(""))


def test_the_direction_is_turned_with_the_opening_bid() -> None:
    table = at("speaking")
    reader = Reader(table, table.clients.index(table.speaker()))
    assert reader.type("turn") == ["Direction: counter-clockwise."]
    assert reader.type("2")[0] == "You: 2. Direction: counter-clockwise."
    game = table.host.table.game
    assert game and game.round and game.round.direction is Direction.COUNTER_CLOCKWISE


def test_my_turn_rings_once_at_a_terminal() -> None:
    table = at("answering")
    reader = Reader(table, table.clients.index(table.speaker()), is_terminal=True)
    reader.type("who")
    assert reader.stream.getvalue().count(BELL) == 1
    assert PROMPT not in reader.stream.getvalue()


def test_a_saved_game_is_not_told_before_its_end() -> None:
    table = MemoryTable(2)
    table.ready()
    reader = Reader(table)
    while not (table.host.table.game and table.host.table.game.winner is not None):
        table.choose(0, 0)
        reader.look()
        table.say(Bid(1), Ending.CALL)
    reader.begin_to_look()
    assert reader.hear(Saved(Path("game.spoof"))) == []
    told = reader.look()
    assert told.index("Game saved: game.spoof") > next(
        place for place, line in enumerate(told) if "wins" in line or "win the game" in line
    )


# The way in


def test_a_join_code_is_asked_for_until_it_is_one() -> None:
    reader = Reader(at("gathering"))
    assert "type it" in reader.hear(CodeAsked(Farewell.NO_CODE))[-1]
    assert reader.type("nonsense") == ["A join code is five letters and digits, such as K7M4Q."]
    reader.type("k7m 4q")
    assert reader.client.asked == ["K7M4Q"]


def test_whoever_has_no_code_may_leave() -> None:
    reader = Reader(at("gathering"))
    reader.hear(CodeAsked(Farewell.NO_CODE))
    reader.type("q")
    assert reader.left == [None]


@pytest.mark.parametrize(("typed", "asked"), [("yes", "take_over"), ("no", "sit_apart")])
def test_a_seat_in_another_window_is_taken_over_or_left(typed: str, asked: str) -> None:
    reader = Reader(at("gathering"))
    reader.hear(SeatHeld(Holder(7, "/dev/pts/3"), is_other_free=True))
    reader.type(typed)
    assert reader.client.asked == [(asked,)]


def test_what_does_not_say_whether_to_take_a_seat_over_is_asked_again() -> None:
    reader = Reader(at("gathering"))
    reader.hear(SeatHeld(Holder(7, "/dev/pts/3"), is_other_free=True))
    for typed in ("ready", ""):
        assert reader.type(typed) == ["Type yes or no, or q to leave."]
    reader.type("q")
    assert reader.left == [None] and reader.client.asked == []


def test_a_table_is_not_told_before_the_seat_is_there() -> None:
    table = MemoryTable(1)
    table.add(sit=False)
    reader = Reader(table, 1)
    assert reader.all == []
    assert reader.type("ready")[0] == "You are at the table “Table”. Rules: Milan."


def test_the_host_hears_how_others_come() -> None:
    reader = Reader(at("gathering"))
    told = reader.hear(Opened(7763, None, "K7M4Q", "10.0.0.2:7763"))
    assert told[0].endswith("spoof join 10.0.0.2 K7M4Q")
    assert told[1] == "Join code: K 7 M 4 Q"
    assert reader.type("invite")[:2] == told[:2]


# The way out, and links


def test_a_table_that_is_over_says_why_and_lets_go() -> None:
    reader = Reader(at("choosing"))
    assert reader.hear(Ended(Farewell.CLOSED)) == ["The host has closed the table."]
    reader.type("3")
    assert reader.table.is_asked and not reader.left
    reader.type("")
    assert reader.left == [None]


def test_a_table_that_is_open_again_is_one_enter_away() -> None:
    reader = Reader(at("gathering"))
    reader.hear(Ended(Farewell.CLOSED))
    reader.hear(Reopened())
    reader.type("")
    assert reader.client.asked == [("come_back",)] and not reader.left


def test_a_lost_link_and_its_return_are_told() -> None:
    table = at("gathering")
    reader = Reader(table)
    table.cut(table.clients[0])
    assert reader.begin_to_look() == ["connection lost, trying again …"]
    table.connect(table.clients[0])
    assert table.clients[0].view.link is LinkState.UP
    assert "Back at the table." in reader.look()


def test_a_table_of_buttons_speaks_of_buttons() -> None:
    reader = Reader(at("choosing", rules="three-coins token=buttons"), 0)
    reader.look()
    i18n.play_with(tokens.COINS)
    told = " ".join(reader.all)
    assert "buttons" in told and "coins in play" not in told
