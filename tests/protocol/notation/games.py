"""Whole games from a seed, without keys and seals, and the transcript of the Kyiv guide."""

from __future__ import annotations

import random
from collections.abc import Sequence

from protocol.encoding.untrusted import ForeignText
from protocol.notation.checking import CheckedGame, check
from protocol.notation.reading import read
from protocol.notation.records import GameRecord
from protocol.notation.writing import record_of
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Game, GamePlayer, PlayedRound
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import START_COINS, BiddingRules, GameStarter, GuessingRules
from protocol.rules.words import Bid, Direction, Ending, Word

KYIV = """\
[Event "Night train Kyiv-Lviv"]
[Date "2026-11-21"]
[Rules "three-coins"]
[Seats "S:Svitlana D:Dmytro M:Maria"]
[Result "*"]

1. D4 M6 S! (S0 D2 M2) M- = S3 D3 M2
2. S1 D2 M3 S4 D! (S3 D0 M2) D- = S3 D2 M2
3. D3 M= (S1 D1 M1) M+ = S3 D2 M3
"""
"""The example of NOTATION.md; its rounds are on lines 7 to 9."""

SCHOOL = """\
[Event "Bangkok"]
[Date "2026-11-21"]
[Rules "hollywood"]
[Seats "S:Sam D:Dan M:Mia"]
[Result "M"]

1. S4 D4? D5 M4? M5? M4? M0 (S1 D2 M1) S* M$ M$ = D M
2. D4 M2 (D0 M0) D$ = D M
3. M3 D2 (D1 M1) D* = M
"""
"""A school by hand, on lines 7 to 9: M has three failures and an impossible call, D another."""

RULES = (
    "milan",
    "bid-spoof",
    "three-coins",
    "milan cap=5 zero=first-action",
    "milan stake=drinks",
)

SCHOOL_RULES = (
    "hollywood",
    "hollywood impossible=refuse",
    "hollywood impossible=allow",
    "hollywood first_caller=toss",
)

NAMES = ("Svitlana", "Dmytro", "Sofia", "Олена", "о'", "名前", "D", "", "[x] {y}")


def document_of(checked: CheckedGame) -> dict[str, object]:
    """A game as `spoof check --json` shows it."""
    return {
        "rules": checked.rules,
        "seats": list(checked.seats),
        **checked.end.as_json(),
        "errors": [fault.as_json() for fault in checked.faults],
        "rounds": [each.as_json() for each in checked.rounds],
    }


def records(text: str) -> list[GameRecord]:
    """The games in a text."""
    return list(read([text.encode()]))


def only(text: str) -> CheckedGame:
    """The only game of a text, checked."""
    (record,) = records(text)
    return check(record)


def faults(text: str) -> list[tuple[int, str]]:
    """Line and clause of every fault in the only game of a text."""
    return [(fault.line, fault.clause) for fault in only(text).faults]


def game_of(
    seed: int, players: int = 3, rules: str = "milan", names: Sequence[str] = NAMES
) -> Game:
    """A game of at most 12 rounds with random choices."""
    chance = random.Random(seed)
    seated = tuple(GamePlayer(b"", ForeignText(names[seat]), b"") for seat in range(players))
    options = BiddingRules.parse(rules)
    starter = chance.randrange(players)
    crap = starter if options.game_starter is GameStarter.CRAP and chance.random() < 0.5 else None
    coins = (START_COINS,) * players
    past: list[PlayedRound] = []
    for _ in range(chance.randint(0, 12)):
        played = _round(BiddingRound(options, coins, starter), chance)
        past.append(played)
        if played.outcome.next_starter is None:
            break
        coins, starter = played.outcome.coins, played.outcome.next_starter
    return Game(b"", 1, options, seated, 0, crap=crap, past=tuple(past))


def school_of(
    seed: int, players: int = 3, rules: str = "hollywood", names: Sequence[str] = NAMES
) -> Game:
    """A school of at most 12 rounds with random choices; some numbers are popular."""
    chance = random.Random(seed)
    seated = tuple(GamePlayer(b"", ForeignText(names[seat]), b"") for seat in range(players))
    options = GuessingRules.parse(rules)
    coins, starter = (START_COINS,) * players, chance.randrange(players)
    past: list[PlayedRound] = []
    for _ in range(chance.randint(0, 12)):
        played = _calls(GuessingRound(options, coins, starter), chance)
        past.append(played)
        if played.outcome.next_starter is None:
            break
        coins, starter = played.outcome.coins, played.outcome.next_starter
    return Game(b"", 1, options, seated, 0, past=tuple(past))


def _calls(said: GuessingRound, chance: random.Random) -> PlayedRound:
    while (caller := said.speaker) is not None:
        free = said.attempts(caller) == ATTEMPTS or chance.random() < 0.6
        number = chance.choice(said.free) if free else chance.randint(0, min(3, said.most))
        said = said.say(caller, Bid(number))
    hands = {seat: chance.randint(0, START_COINS) for seat in said.players}
    if chance.random() < 0.1:
        owner = chance.choice(said.players)
        del hands[owner]
        return PlayedRound(said, hands, said.void(owner))
    return PlayedRound(said, hands, said.count(hands, chance.randrange(9)))


def text_of(game: Game) -> str:
    """The record of a game, with headers that are always the same."""
    return record_of(game, event="An evening", date="2026-11-21")


def _round(said: BiddingRound, chance: random.Random) -> PlayedRound:
    turn = said.may_choose_direction and chance.random() < 0.5
    while said.ending is None:
        speaker = said.speaker
        assert speaker is not None
        word = _word(said, chance)
        turned = Direction.COUNTER_CLOCKWISE if turn and isinstance(word, Bid) else None
        said = said.say(speaker, word, turned)
        turn = False
    hands = {seat: chance.randint(0, said.coins[seat]) for seat in said.players}
    if said.ending is Ending.ZERO and chance.random() < 0.5:
        hands = dict.fromkeys(hands, 0)
    if chance.random() < 0.1:
        owner = chance.choice(said.players)
        outcome = said.void(owner)
        del hands[owner]
    else:
        outcome = said.count(hands)
    return PlayedRound(said, hands, outcome)


def _word(said: BiddingRound, chance: random.Random) -> Word:
    lowest = said.standing[1] + 1 if said.standing else 1
    if lowest <= said.most and chance.random() < 0.7:
        return Bid(min(lowest + chance.randint(0, 2), said.most))
    if not said.words and chance.random() < 0.7:
        return Ending.ZERO
    return chance.choice([Ending.CALL, Ending.CLIFF, Ending.SPOOF]) if said.words else Ending.SPOOF
