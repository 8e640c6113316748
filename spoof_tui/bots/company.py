"""What a word is worth with three players or more: the chance to win, if all play on as the
strongest bot does.

It is known how often that bot says each word with each hand, and it says few words often, so the
tree of what may follow in the round is small. What the others hold is estimated from their words by
Bayes' rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import BiddingRules
from protocol.rules.words import Word
from protocol.views import TableView
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import hand_odds, odds_by_hand
from spoof_tui.bots.odds import Distribution, normalised, total_of
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.bots.values import RARE, winning_chances

SPARED: Final = 0.01
"""With three players, a word that is less likely than this is left out, unless it is the likeliest.
With each further player the limit rises by as much, because less depends on each word."""

USUAL: Final = 0.01
"""A word that the strongest bot says at least this often (0 to 1) is examined with full weight."""

HASTE: Final = 0.25
"""The weight of all other words: the smaller it is, the more of what may follow is left out."""

Hands = Mapping[int, Distribution]
"""For each seat, the chances of its possible hands."""


@dataclass(frozen=True)
class Company:
    """A round among three players or more, as one of them sees it."""

    said: BiddingRound
    """The words that were said so far."""
    me: int
    hands: Hands
    """The chances of the others' hands after those words, and the player's own hand as certain."""
    past: tuple[PlayedRound, ...]
    _outcomes: dict[tuple[object, ...], float] = field(default_factory=dict)

    @classmethod
    def of(cls, view: TableView, hand: int) -> Company:
        """The round of the bidding game that `view` shows, for its viewer, who holds `hand`."""
        assert view.me is not None and isinstance(view.rules, BiddingRules)
        coins = tuple(seat.coins for seat in view.seats)
        assert view.starter is not None
        begun = BiddingRound(view.rules, coins, view.starter, view.direction)
        hands = {seat: _usual(begun, seat, view.past) for seat in begun.players}
        hands[view.me] = tuple(float(held == hand) for held in range(coins[view.me] + 1))
        found = cls(begun, view.me, hands, view.past)
        for speaker, word in view.words:
            found = found._heard(speaker, word)
        return found

    def _heard(self, speaker: int, word: Word) -> Company:
        """This round after one more word of `speaker`."""
        hands = dict(self.hands)
        if speaker != self.me:
            likely = self._likely(self.said, hands[speaker]).get(word, {})
            # Nobody is taken for somebody who never says anything else.
            hands[speaker] = normalised(
                max(likely.get(hand, 0.0), RARE * chance)
                for hand, chance in enumerate(hands[speaker])
            )
        said = self.said.said(speaker, word, self.said.direction)
        return Company(said, self.me, hands, self.past)

    @property
    def others(self) -> Distribution:
        """The chance of each possible sum of all other hands."""
        return total_of(hand for seat, hand in self.hands.items() if seat != self.me)

    def words(self, allowed: Iterable[Word], often: Mapping[Word, float]) -> dict[Word, float]:
        """The chance to win after each of these words, said now; `often` is the chance that the
        strongest bot says each."""
        found = {}
        for word in allowed:
            weight = 1.0 if often.get(word, 0.0) >= USUAL else HASTE
            found[word] = self._after(self.said, word, self.hands, weight)
        return found

    def _after(self, before: BiddingRound, word: Word, hands: Hands, reached: float) -> float:
        """The chance to win after a word; `reached` is the chance that play gets that far."""
        speaker = before.speaker
        assert speaker is not None
        said = before.said(speaker, word, before.direction)
        if said.speaker is None:
            return self._counted(said, hands)
        return self._answered(said, said.speaker, hands, reached)

    def _answered(self, said: BiddingRound, speaker: int, hands: Hands, reached: float) -> float:
        answers = self._likely(said, hands[speaker])
        often = {word: sum(held.values()) for word, held in answers.items()}
        likeliest = max(often, key=often.__getitem__)
        spared = SPARED * (len(self.said.players) - 2)
        worth = followed = 0.0
        for word, chance in often.items():
            if chance * reached < spared and word is not likeliest:
                continue
            held = answers[word]
            after = tuple(held.get(hand, 0.0) / chance for hand in range(len(hands[speaker])))
            known = {**hands, speaker: after}
            worth += chance * self._after(said, word, known, chance * reached)
            followed += chance
        return worth / followed

    def _likely(self, said: BiddingRound, hands: Distribution) -> dict[Word, dict[int, float]]:
        """For each word that the next speaker may say, its chance together with each of the hands
        that `hands` allows."""
        assert said.speaker is not None
        held = {hand: chance for hand, chance in enumerate(hands) if chance > SPARED}
        view = view_of_round(said, said.speaker, self.past)
        found: dict[Word, dict[int, float]] = {}
        for hand, odds in odds_by_hand(view, held, Level.HARD).items():
            for word, chance in odds.items():
                found.setdefault(word, {})[hand] = held[hand] * chance
        return found

    def _counted(self, said: BiddingRound, hands: Hands) -> float:
        total = total_of(hands.values())
        return sum(chance * self._outcome(said, each) for each, chance in enumerate(total))

    def _outcome(self, said: BiddingRound, total: int) -> float:
        """The chance to win after a round with this total was counted."""
        key = (said.words[-1], said.standing, total)
        if key not in self._outcomes:
            hands, left = {}, total
            for seat in said.players:
                hands[seat] = min(left, said.coins[seat])
                left -= hands[seat]
            after = said.count(hands)
            chances = winning_chances(said.rules, after.coins, after.next_starter)
            self._outcomes[key] = chances[self.me]
        return self._outcomes[key]


def _usual(begun: BiddingRound, seat: int, past: tuple[PlayedRound, ...]) -> Distribution:
    """The chances of the hands that the strongest bot would hold in this seat at the beginning of a
    round."""
    return normalised(hand_odds(view_of_round(begun, seat, past), Level.HARD))
