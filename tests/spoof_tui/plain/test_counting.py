"""The count of a round in lines, beat by beat."""

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.beats import Beat
from spoof_tui.plain.counting import step_lines, whole_count
from spoof_tui.ui.table.presentation import Reveal
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at


def counted(rules: str = "milan", players: int = 3) -> tuple[MemoryTable, list[list[str]]]:
    """A round that is counted, and the lines of each of its steps."""
    table = at("counted", rules=rules, players=players)
    view = table.clients[0].view
    reveal = Reveal.of(view.past[0], together=view.rules.opens_together)
    steps = range(len(reveal.steps))
    return table, [list(step_lines(reveal, at, seat_names(view), view.me)) for at in steps]


@pytest.mark.parametrize("players", [2, 3, 9])
@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_every_fist_is_told_once_and_adds_up(players: int, rules: str) -> None:
    table, steps = counted(rules, players)
    told = [line for lines in steps for line in lines]
    played = table.clients[0].view.past[0]
    total = sum(played.hands.values())
    opened = [line for line in told if " opens " in line or "You open " in line]
    assert len([line for line in opened if ": " in line]) == players
    assert opened[-1].endswith(f"{total} in all.")


def test_the_last_fist_waits_and_what_it_decides_is_said() -> None:
    _table, steps = counted()
    held = [
        lines for lines in steps if any("decides" in line or "last one" in line for line in lines)
    ]
    assert len(held) == 1 and len(held[0]) == 2


def test_the_price_is_the_last_thing() -> None:
    _table, steps = counted()
    assert steps[-1][0].startswith("The fists held ")
    assert not any("held" in line for lines in steps[:-1] for line in lines)


def test_fists_that_open_together_are_told_together() -> None:
    _table, steps = counted("milan reveal=together")
    told = [line for lines in steps for line in lines]
    assert len([line for line in told if " + " in line and line.endswith(".")]) == 1


def test_without_motion_the_hands_are_told_all_the_same() -> None:
    view = at("counted").clients[0].view
    reveal = Reveal.of(view.past[0], still=True)
    told = [line for step in range(len(reveal.steps))
            for line in step_lines(reveal, step, seat_names(view), view.me)]  # fmt: skip
    assert [step.beat for step in reveal.steps] == [Beat.WORD, Beat.STAMP, Beat.PAID]
    assert told == list(whole_count(view.past[0], seat_names(view), view.me))


def test_who_is_out_is_told_behind_the_price() -> None:
    table = MemoryTable(2)
    table.ready()
    while table.host.table.game and table.host.table.game.winner is None:
        table.choose(0, 0)
        table.say(Bid(1), Ending.CALL)
    view = table.clients[0].view
    assert list(whole_count(view.past[-1], seat_names(view), view.me))[-1].endswith(" out.")
