"""Why: what may be said now and why not the rest, and what decided a round."""

import re

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending, Word
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.ui.table.why import Explanation, why
from spoof_tui.ui.wording.clauses import rulebook
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.stories import few

CLAUSE = re.compile(r"\b[RHG]\d+\b")


def a_table(rules: str = "milan", players: int = 3, seed: int = 0) -> MemoryTable:
    """A table at which the first game has begun."""
    table = MemoryTable(players, rules, start_when=players, seed=seed)
    table.ready()
    return table


def asked(view: TableView, after: bool = False) -> list[Explanation]:
    return why(view, seat_names(view), view.last if after else None)


def text(answers: list[Explanation]) -> str:
    return "\n".join(
        [a.question + "\n" + "\n".join(f"{n.label} {n.text}" for n in a.lines) for a in answers]
    )


def test_a_later_opener_is_not_explained_twice() -> None:
    table = a_table("milan")
    table.choose(0, 0, 0)
    table.say(Bid(2), Ending.CALL)
    told = text(asked(table.clients[0].view, after=True))
    assert told.count("the player who lost the coin opens the next round") == 1


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
