"""Rounds for tests of the history, read from lines of the notation."""

from collections.abc import Sequence

from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.rules.game import PlayedRound


def rounds(*lines: str, rules: str = "milan", seats: str = "S:Sue D:Dan M:Max") -> (
    Sequence[PlayedRound]
):  # fmt: skip
    """The rounds of these lines; seats are S, D and M unless others are named."""
    text = record(*lines, rules=rules, seats=seats)
    (game,) = read([text.encode()])
    found = []
    for each in check(game).rounds:
        assert each.said is not None and each.outcome is not None, each.fault
        found.append(PlayedRound(each.said, each.hands, each.outcome))
    return found


def record(
    *lines: str,
    rules: str = "milan",
    seats: str = "S:Sue D:Dan M:Max",
    result: str = "*",
    more: str = "",
) -> str:
    """A record with these rounds."""
    head = f'[Event "Night train"]\n[Rules "{rules}"]\n[Seats "{seats}"]\n[Result "{result}"]\n'
    return head + more + "\n" + "\n".join(lines) + "\n"
