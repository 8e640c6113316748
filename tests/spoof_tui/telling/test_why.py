"""Why: what may be said now and why not the rest, and what decided a round."""

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending
from protocol.views import TableView, view_of
from spoof_tui.telling.explanations import Explanation, why
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.rulebook import rulebook
from tests.protocol.stories import Story, few, signing_key

CLAUSE = re.compile(r"\b[RHG]\d+\b")


def dealt(players: int, rules: str = "milan") -> Story:
    """A table at which the first fists are asked for."""
    everybody = range(players)
    return Story(players, rules).start(*everybody).toss(*everybody)


def views(story: Story, players: int) -> list[TableView]:
    """What everybody sees, and somebody who only watches."""
    return [view_of(story.table, signing_key(who).public) for who in range(players + 1)]


def asked(view: TableView, after: bool = False) -> list[Explanation]:
    return why(view, seat_names(view), view.last if after else None)


def text(answers: list[Explanation]) -> str:
    return "\n".join(
        [a.question + "\n" + "\n".join(f"{n.label} {n.text}" for n in a.lines) for a in answers]
    )


def test_a_later_opener_is_not_explained_twice() -> None:
    story = dealt(3).fists(0, 0, 0).say(Bid(2), Ending.CALL).open()
    told = text(asked(views(story, 3)[0], after=True))
    assert told.count("the player who lost the coin opens the next round") == 1


def test_a_round_that_is_void_because_somebody_was_removed_is_not_passed_over() -> None:
    view = views(dealt(3).fists(0, 0, 0).say(Bid(2), Ending.CALL).open(), 3)[0]
    assert "Is a round missing?" not in text(asked(view, after=True))
    void = replace(view, round_number=view.round_number + 1)
    assert "1 round is void and is not listed" in text(asked(void, after=True))


# Always


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
    story, book = dealt(players, rules).play_on(seed, steps=steps), rulebook(PRESETS[rules])
    for view in views(story, players):
        for after in (False, view.last is not None):
            told = asked(view, after)
            assert told and all(answer.lines for answer in told)
            assert all(line.text.endswith((".", ")")) for each in told for line in each.lines)
            assert "{" not in text(told)
            assert not CLAUSE.search(text(told))
            assert {clause for each in told for clause in each.clauses} <= set(book.clauses)


@few
@given(st.sampled_from(sorted(PRESETS)), st.permutations([0, 1, 2, 3]))
def test_no_hand_is_told_before_the_fists_open(rules: str, hands: list[int]) -> None:
    told = []
    for chosen in ((0, 0, 0, 0), hands):
        story = dealt(4, rules).fists(*chosen).say(Bid(3))
        told.append([text(asked(view)) for view in views(story, 4)])
    assert told[0] == told[1]
