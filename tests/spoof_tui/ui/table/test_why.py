"""Why: what may be said now and why not the rest, and what decided a round."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending, Word
from protocol.table.fold import Phase
from protocol.table.statements import Measure
from protocol.viewer import view_of
from protocol.views import TableView
from spoof_tui.ui.table.why import why
from spoof_tui.ui.table.why_count import Explanation, Line
from spoof_tui.ui.wording.clauses import rulebook
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.stories import Story, few, signing_key

CLAUSE = re.compile(r"\b[RHG]\d+\b")


def a_table(rules: str = "milan", players: int = 3, seed: int = 0) -> MemoryTable:
    """A table at which the first game has begun."""
    table = MemoryTable(players, rules, start_when=players, seed=seed)
    table.ready()
    return table


def speaking(rules: str = "milan", hands: Sequence[int] = (1, 2, 3)) -> MemoryTable:
    """A table at which all fists are in."""
    table = a_table(rules, len(hands))
    table.choose(*hands)
    return table


def counted(rules: str, hands: Sequence[int], *words: Word) -> MemoryTable:
    """A table at which one round is over."""
    table = speaking(rules, hands)
    table.say(*words)
    return table


def asked(view: TableView, after: bool = False) -> list[Explanation]:
    return why(view, seat_names(view), view.last if after else None)


def lines(view: TableView, after: bool = False) -> list[Line]:
    return [line for answer in asked(view, after) for line in answer.lines]


def word(view: TableView, label: str) -> Line:
    return next(line for line in lines(view) if line.label == label)


def decided(table: MemoryTable, label: str) -> str:
    view = table.clients[0].view
    return next(line.text for line in asked(view, True)[0].lines if line.label == label)


def text(answers: list[Explanation]) -> str:
    return "\n".join(
        [a.question + "\n" + "\n".join(f"{n.label} {n.text}" for n in a.lines) for a in answers]
    )


# What may I say now


def test_no_raise_is_left_above_all_coins() -> None:
    table = speaking()
    table.say(Bid(9))
    assert word(table.speaker().view, "bid").allowed is False


def test_a_cliff_at_the_cap_is_told_to_win_nothing() -> None:
    for rules, told in (("bid-spoof", "at the cap of 3"), ("milan", "you win a coin")):
        table = speaking(rules)
        table.say(Bid(4))
        assert told in word(table.speaker().view, "cliff").text


def test_a_watcher_hears_when_to_sit() -> None:
    table = a_table()
    assert "(G2)" in lines(table.add(sit=False).view)[0].text


# Whose turn


def without(story: Story, gone: int) -> str:
    """Why somebody opens, once a seat is removed."""
    view = view_of(story.decide(Measure.REMOVE, gone).table, signing_key(3).public)
    return lines(view)[-1].text


def test_the_next_one_opens_for_who_lost_the_seat_g5() -> None:
    story = Story(3).sit(3).start(0, 1, 2).toss(0, 1, 2)
    assert "Player1 opens (G1, G5)" in without(story.copy(), 0)
    story.fists(0, 0, 0).say(Ending.SPOOF).open()
    assert "Player1 is the next one still in (G5)" in without(story.copy(), 0)
    assert "(G5)" not in without(story.copy(), 1)


def test_the_lot_picks_the_first_opener() -> None:
    view = speaking().clients[0].view
    assert "opens, drawn by lot" in lines(view)[-1].text and "(G1)" in lines(view)[-1].text


def test_crap_opens_the_next_game() -> None:
    table = counted("milan", (0, 3), Bid(1), Ending.SPOOF)
    table.play_on()
    table.ready()
    view = table.clients[0].view
    assert "opens as crap" in lines(view)[-1].text and "(R15)" in lines(view)[-1].text


@pytest.mark.parametrize(
    ("rules", "rule"),
    [("milan", "the player who lost the coin"), ("three-coins", "the player who called")],
)
def test_a_later_opener_is_explained_by_the_round_before(rules: str, rule: str) -> None:
    view = counted(rules, (0, 0, 0), Bid(2), Ending.CALL).clients[0].view
    opener = seat_names(view)[view.starter or 0]
    assert f"{rule} opens the next round. That is {opener}. (R14)" in lines(view)[-1].text
    # What stands under the round that is on show is not told twice.
    assert text(asked(view, after=True)).count(rule) == 1


# The guessing game


@pytest.mark.parametrize(
    ("rules", "told"), [("fine", "fined"), ("refuse", "refused"), ("allow", "allowed")]
)
def test_what_becomes_of_an_impossible_call_is_told_before(rules: str, told: str) -> None:
    view = speaking(f"hollywood impossible={rules}").speaker().view
    assert told in word(view, "your hand").text


# Always


def play_some(table: MemoryTable, steps: int) -> None:
    """Random moves, through rounds and games."""
    for _ in range(steps):
        phase = table.host.table.phase
        if phase is Phase.GATHERING:
            table.ready()
        elif phase is Phase.CHOOSING:
            client = next(client for client in table.clients if client.view.own_fist_due)
            seat = client.view.my_seat
            assert seat is not None
            hand = table.random.randint(0, seat.coins)
            table.act(client, client.guest.choose(hand, table.entropy()))
        else:
            table.say(_any_word(table, table.speaker()))


def _any_word(table: MemoryTable, client: SeatedGuest) -> Word:
    view = client.view
    if view.is_guessing:
        return Bid(table.random.randint(0, view.most) if view.my_attempts < 3 else view.free[0])
    legal: list[Word] = [option.word for option in view.options if option.forbidden is None]
    if view.lowest_bid is not None:
        legal += [Bid(view.lowest_bid)] * 2
    return table.random.choice(legal)


@few
@given(
    st.sampled_from(sorted(PRESETS)),
    st.integers(2, 4),
    st.integers(0, 40),
    st.integers(0, 999),
)
def test_at_any_moment_everybody_gets_whole_sentences_from_the_book(
    rules: str, players: int, steps: int, seed: int
) -> None:
    table = a_table(rules, players, seed)
    play_some(table, steps)
    book = rulebook(PRESETS[rules])
    for client in (*table.clients, table.add(sit=False)):
        for after in (False, client.view.last is not None):
            told = asked(client.view, after)
            assert told and all(answer.lines for answer in told)
            assert all(line.text.endswith((".", ")")) for each in told for line in each.lines)
            assert "{" not in text(told)
            assert set(CLAUSE.findall(text(told))) <= set(book.clauses)


@few
@given(st.sampled_from(sorted(PRESETS)), st.permutations([0, 1, 2, 3]), st.integers(0, 99))
def test_no_hand_is_told_before_the_fists_open(rules: str, hands: list[int], seed: int) -> None:
    told = []
    for chosen in ((0, 0, 0, 0), hands):
        table = a_table(rules, 4, seed)
        table.choose(*chosen)
        table.say(Bid(3))
        told.append([text(asked(client.view)) for client in table.clients])
    assert told[0] == told[1]
