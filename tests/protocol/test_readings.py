"""The pages by themselves: their tables, obeyed row by row, give what the vectors tell.

Nothing of the program decides here: the values of options and the rows are read from the pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.helpers.vectors import Case, each_case
from tests.protocol.test_pages import rows

PRESETS = ("milan", "bid-spoof", "three-coins")

OPTIONS = rows("option", "values", *PRESETS)

COUNT = rows(
    "ending", "test", "coins", "opens next with starter=loser", "with starter=ender"
)  # fmt: skip


def options(rules: str) -> Mapping[str, str]:
    """The options of a written rule set, as the table of presets says."""
    preset, *changes = rules.split()
    of_preset = {row[0]: row[2 + PRESETS.index(preset)] for row in OPTIONS}
    return of_preset | dict(change.split("=") for change in changes)


@dataclass
class Count:
    """A round that is to be counted, in the letters of the page."""

    coins: Sequence[int]
    total: int
    bid: int
    ender: int
    last_bidder: int
    step: int
    """1 clockwise, −1 counter-clockwise."""
    options: Mapping[str, str]

    def holds(self, words: str) -> bool:
        """Whether the second column of a row is so."""
        t, b, w, cap = self.total, self.bid, sum(self.coins), self.options["cap"]
        is_below = cap == "none" or self.coins[self.ender] < int(cap)
        known = {
            "T >= B": t >= b, "T < B": t < b, "T = B": t == b, "T ≠ B": t != b, "T = W": t == w,
            "T < W": t < w, "T = 0": t == 0, "T > 0": t > 0, "E owns less than cap": is_below,
            "E owns cap or more": not is_below,
        }  # fmt: skip
        return all(known[part] for part in words.split(", "))

    def changes(self, words: str) -> list[int]:
        """What the third column does to the coins of each seat."""
        if words == "everybody else in −1":
            return [-(owned > 0 and seat != self.ender) for seat, owned in enumerate(self.coins)]
        if words == "none":
            return [0] * len(self.coins)
        who, change = words.split()
        place = {"E": self.ender, "L": self.last_bidder}[who]
        by = int(change.replace("−", "-"))
        return [by * (seat == place) for seat in range(len(self.coins))]

    def opens(self, words: str, after: Sequence[int]) -> int:
        """Who opens next, by one of the last columns."""
        seat = {"E": self.ender, "L": self.last_bidder}[words.strip("*next()")[0]]
        if words == "E" or ("*" in words and after[seat]):
            return seat
        around = ((seat + self.step * way) % len(after) for way in range(1, len(after) + 1))
        return next(place for place in around if after[place])


@each_case("bidding", having="then")
def test_the_table_of_the_count_gives_what_a_case_tells(case: Case) -> None:
    hands, said, then = case["hands"], case["said"], case["then"]
    if None in hands:
        return  # A round that is void: another part of the page.
    bids = [(seat, word) for seat, word, *_ in said if isinstance(word, int)]
    last_bidder, bid = bids[-1] if bids else (0, 0)
    ender, ending, *_ = said[-1]
    count = Count(
        case["coins"], sum(hands), bid, ender, last_bidder, -1 if "<" in said[0] else 1,
        options(case["rules"]),
    )  # fmt: skip
    [row] = [row for row in COUNT if row[0] == ending and count.holds(row[1])]
    changes = count.changes(row[2])
    after = [owned + change for owned, change in zip(case["coins"], changes, strict=True)]
    assert (changes, after) == (then["changes"], then["coins"])
    in_after = [seat for seat, owned in enumerate(after) if owned]
    if len(in_after) == 1:
        assert (then["winner"], then["starter"]) == (in_after[0], None)
        return
    option = "zero_starter" if "zero_starter" in row[3] else "starter"
    cell = row[3 + ("loser", "ender").index(count.options[option])]
    assert then["starter"] == count.opens(cell.partition(": ")[2] or cell, after)
