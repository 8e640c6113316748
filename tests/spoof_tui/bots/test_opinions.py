"""What bots think and say at chosen moments, as accepted: `tests/golden/bots`."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import pytest

from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS, Rules
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.characters import CHARACTERS, Character, CharacterMind, name_of, occasion_of
from spoof_tui.bots.coach import advise
from spoof_tui.bots.engine_protocol import ask_hand, ask_word, hello, line_of
from spoof_tui.bots.guessing import read_calls
from spoof_tui.bots.learned import learned_hands
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind, patience
from spoof_tui.bots.odds import read_table
from spoof_tui.bots.tournament import PLANS, SimpleMind, view_of_round
from spoof_tui.bots.values import mean_coin, share, share_alone, winning_chances
from tests.helpers import golden
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.bots.schools import guessing

TIMES = 40


def played(coins: tuple[int, ...], *hands: int) -> PlayedRound:
    """A round that seat 0 opened with four, and seat 1 called."""
    running = bidding(coins, (0, Bid(4)), (1, Ending.CALL))
    return PlayedRound(running, dict(enumerate(hands)), running.count(dict(enumerate(hands))))


PAST = (played((3, 3, 3), 1, 1, 0), played((2, 3, 3), 2, 1, 0))
BIDDING = {
    "the opening": view_of_round(bidding((3, 3, 3)), 0),
    "an answer": view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1),
    "an answer at the cap": view_of_round(bidding((3, 3, 3), (0, Bid(4)), rules="bid-spoof"), 1),
    "after bids": view_of_round(bidding((2, 3, 3), (0, Bid(1)), (1, Bid(2)), (2, Bid(5))), 0, PAST),
    "a high bid": view_of_round(bidding((1, 0, 2, 4), (0, Bid(6))), 2),
    "a big bid": view_of_round(bidding((2, 4, 2, 2), (0, Bid(4))), 1),
    "two": view_of_round(bidding((3, 2), (0, Bid(2))), 1),
    "two and other rules": view_of_round(bidding((3, 4), rules="milan cap=5"), 0),
    "the last coins": view_of_round(bidding((1, 1), (0, Bid(2))), 1),
}
GUESSING = {
    "the first call": view_of_round(guessing(3), 0),
    "a call": view_of_round(guessing(4, 5, 6), 2),
    "the last call": view_of_round(guessing(2, 3), 1),
    "allowed bluffs": view_of_round(guessing(3, rules="hollywood impossible=allow"), 0),
    "who has left": view_of_round(guessing(4, gone=[1, 3]), 0),
    "a taken number": view_of_round(guessing(3, 8, 8), 1),
}  # fmt: skip


def shown(word: Word, way: Direction | None = None) -> str:
    return f"{word.number if isinstance(word, Bid) else word.value}{way.value if way else ''}"


def tally(said: Iterable[object]) -> str:
    return ", ".join(f"{each} {times}" for each, times in sorted(
        Counter(map(str, said)).items(), key=lambda item: (-item[1], item[0])))  # fmt: skip


def rounded(*numbers: float) -> str:
    return " ".join(f"{number:.2f}" for number in numbers)


def of(view: TableView) -> range:
    assert view.me is not None
    return range(view.seats[view.me].coins + 1)


def plain_mind(level: Level) -> BotMind:
    return BotMind(level, random.Random(7))


def character(who: Character) -> BotMind:
    return CharacterMind(who, Level.EASY, random.Random(7))


def minds() -> Iterator[tuple[str, Callable[[], BotMind]]]:
    for level in Level:
        yield level.value, partial(plain_mind, level)
    for name, who in CHARACTERS.items():
        yield name, partial(character, who)


def words() -> Iterator[str]:
    """What each of the bots says with each hand."""
    for moment, view in (BIDDING | GUESSING).items():
        for name, mind in minds():
            yield f"# {moment}, {name}"
            for hand in of(view):
                bot = mind()
                said = (bot.choose_word(view, hand) for _ in range(TIMES))
                yield f"{hand}: {tally(shown(*each) for each in said)}"


def manners() -> Iterator[str]:
    """How long each of the bots thinks, what it does meanwhile, and what it hides."""
    hiding = view_of_round(bidding((3, 3, 3)), 0, speaking=False)
    over = replace(BIDDING["an answer"], may_gloat=True, game_number=2)
    fined = replace(over, rules=Rules.parse("milan gloating=fined"))
    for name, mind in minds():
        yield f"# {name}"
        bot = mind()
        yield f"hands {tally(bot.choose_hand(hiding) for _ in range(TIMES))}"
        for moment, view in (BIDDING | GUESSING).items():
            bot = mind()
            done = tally(bot.choose_gesture(view, 1) for _ in range(TIMES))
            seconds = sum(bot.think_seconds(view) for _ in range(TIMES)) / TIMES
            yield f"{moment}: {rounded(seconds, bot.think_seconds(view, 0.0))} {done}"
        gloats = [sum(mind().gloats(replace(each, game_number=n)) for n in range(20))
                  for each in (over, fined)]  # fmt: skip
        yield f"gloats {gloats}, remarks {mind().remark(BIDDING['after bids'])}"
    yield from map(name_of, CHARACTERS)


def opinions() -> Iterator[str]:
    """The coach's advice, the reading of words, and the worth of coins."""
    for moment, view in BIDDING.items():
        for hand in of(view):
            yield f"# {moment}, {hand}"
            for each in advise(view, hand):
                yield f"{shown(each.word)}: {rounded(each.true, each.winning, each.often)}"
        for level in Level:
            hands = read_table(view, level.traits).hands
            yield f"{level.value} reads {' | '.join(rounded(*hand) for hand in hands)}"
        yield f"waits {rounded(patience(view, 0.0), patience(view, 1.0))}, {occasion_of(view)}"
    for owns, opened in (((3, 3), (0, 1)), ((3, 3), (3, 1)), ((1, 1), (0, 0)), ((3, 1), (3, 1))):
        school = guessing(2, 1, 2)
        held = dict(enumerate(opened))
        for past in (played(owns, *opened), PlayedRound(school, held, school.count(held))):
            now = past.words if past.words is school else bidding(owns)
            seen = [view_of_round(now, me, (past,), speaking=False) for me in (0, 1)]
            yield f"{opened} of {owns}: {[str(occasion_of(each)) for each in seen]}"
    for moment, view in GUESSING.items():
        for level in Level:
            read = read_calls(view, level.traits)
            yield f"{moment}, {level.value}: {' | '.join(rounded(*hand) for hand in read)}"
    for owned in ((3, 3, 3), (2, 3, 0, 1), (1, 3, 3), (4, 3, 3)):
        shares = (share(owned, 0), share(owned, 0, 1, -1), share(owned, 0, 0, 1))
        yield f"{owned}: {rounded(*shares, share_alone(owned, 0), mean_coin(owned))}"
        for preset, rules in BIDDING_PRESETS.items():
            yield f"  {preset} {rounded(*winning_chances(rules, owned, 0))}"
    for players in range(2, 10):
        learned = [learned_hands(players, coins) for coins in (1, 2, 3, 5, 12)]
        yield f"{players}: {' | '.join(rounded(*odds or ()) for odds in learned)}"


def plans() -> Iterator[str]:
    """The choices of simple players."""
    hiding = view_of_round(bidding((3, 3, 3)), 0, speaking=False)
    for name, plan in PLANS.items():
        yield f"# {name}"
        mind = SimpleMind(plan, random.Random(7))
        yield f"hands {tally(mind.choose_hand(hiding) for _ in range(TIMES))}"
        for moment, view in (BIDDING | GUESSING).items():
            for hand in of(view):
                said = (mind.choose_word(view, hand) for _ in range(20))
                yield f"{moment}, {hand}: {tally(shown(*each) for each in said)}"


def questions() -> Iterator[str]:
    """The questions to an engine."""
    yield line_of(1, hello()).decode()
    for view in (BIDDING | GUESSING).values():
        for question in (ask_word(view, 1), ask_hand(view)):
            yield json.dumps(json.loads(line_of(2, question)), sort_keys=True)


def test_bots_think_and_speak_as_was_accepted(request: pytest.FixtureRequest) -> None:
    told = {each.__name__: "\n".join(each()) + "\n"
            for each in (words, manners, opinions, plans, questions)}  # fmt: skip
    golden.check(request, golden.FOLDER / "bots", told)
