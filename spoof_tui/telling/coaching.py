"""The coach's advice in words: on the words that may be said now, and on a game that is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from protocol.rules.words import Bid, Word
from spoof_tui.bots.coach import CHANCE_ERROR, SLIP, Advice, Decision, HandChoice, Mistake, Review
from spoof_tui.bots.values import OWNED
from spoof_tui.telling.sentences import word_name
from spoof_tui.text.i18n import _, ngettext


def percent(chance: float) -> str:
    """A chance from 0 to 1 as a whole percentage: "40%"."""
    return _("{number}%").format(number=round(100 * chance))


_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_WORD: Final = 10
_NUMBER: Final = 9
_GAP: Final = 3
_NAME: Final = 14
_MOST: Final = 8
"""Maximum number of words listed: those that end a round, those that the strongest bot says, and
the best."""

_NEARLY: Final = 0.005
"""Chances that differ by less are told as the same percentage."""

_USUAL: Final = 0.6
"""A hand that is hidden in this share of all rounds becomes predictable."""

MAX_LESSONS: Final = 3


def advice_lines(advice: Sequence[Advice], width: int) -> list[str]:
    """A table of at most `width` columns: titles, then a line for each word, the best first."""
    told, doubtful = all(each.is_told for each in advice), _doubtful(advice)
    wins = [_("win game")] * told
    often = _("how often experts say it")
    rows = [
        (
            _said(each.word),
            percent(each.true),
            *["?" if each in doubtful else percent(each.winning)] * told,
            percent(each.often),
        )
        for each in _worth_telling(advice)
    ]
    if _WORD + 2 * _NUMBER + cell_len(often) > width:
        often = _("experts say")
    lines = [(_("say"), _("right"), *wins, often), *rows]
    sizes = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    gap = max(min((width - sum(sizes)) // (len(sizes) - 1), _GAP), 1)
    return [_row(cells, [size + gap for size in sizes]) for cells in lines]


def advice_sentences(advice: Sequence[Advice]) -> list[str]:
    """A self-contained sentence for each word, the best first."""
    whole = _(
        "{word}: right {true} of the time; wins you the game {wins} of the time; experts choose "
        "it {often} of the time."
    )
    short = _("{word}: right {true} of the time; experts choose it {often} of the time.")
    told, doubtful = all(each.is_told for each in advice), _doubtful(advice)
    return [
        (whole if told and each not in doubtful else short).format(
            word=_said(each.word),
            true=percent(each.true),
            wins=percent(each.winning),
            often=percent(each.often),
        )
        for each in _worth_telling(advice)
    ]


def _said(word: Word) -> str:
    """The name of a word; a number is called a bid: "bid 7"."""
    name = word_name(word)
    return _("bid {number}").format(number=name) if isinstance(word, Bid) else name


def _equal(best: Advice, others: Sequence[Advice]) -> list[Advice]:
    """The words that are as good as the best one, within the error."""
    near = (each for each in others if abs(best.winning - each.winning) <= SLIP)
    return [each for each in near if each.is_said and each.is_told]


def _doubtful(advice: Sequence[Advice]) -> list[Advice]:
    """The words that are estimated to win more often than the best one, though the strongest bot
    rarely says them."""
    best, *others = advice
    equal, least = _equal(best, others), best.winning + _NEARLY
    return [each for each in others if each.winning > least and each not in equal]


def _listed(advice: Sequence[Advice]) -> str:
    return ", ".join(_said(each.word) for each in advice)


def _worth_telling(advice: Sequence[Advice]) -> list[Advice]:
    def matters(each: Advice) -> tuple[bool, bool]:
        return not isinstance(each.word, Bid), each.is_said

    # There are many bids, but every word that ends a round is listed.
    kept = sorted(advice, key=matters, reverse=True)[:_MOST]
    return [each for each in advice if each in kept]


def _row(cells: Sequence[str], sizes: Sequence[int]) -> str:
    return "".join(map(_left, cells, sizes)).rstrip()


def _left(text: str, width: int) -> str:
    return text + " " * max(width - cell_len(text), 1)


def coach_note(advice: Sequence[Advice], players: int) -> str:
    """Which words are as good as the best, what the numbers of the coach mean and how they were
    computed, for a game of `players`."""
    best = _(
        "The top line is your best move: of the words that experts often say, it wins most often."
    )
    first, *others = advice
    if equal := _equal(first, others):
        text = _("As good as the top line, within {error}: {words}.")
        best += " " + text.format(error=percent(SLIP), words=_listed(equal))
    if doubtful := _doubtful(advice):
        text = _("No chance is shown for {words}: experts rarely say that here.")
        best += " " + text.format(words=_listed(doubtful))
    if any(isinstance(each.word, Bid) for each in advice):
        best += " " + _("A bid costs you a coin only if it is called.")
    is_mixed = sum(each.is_said for each in advice) > 1
    mixed = _("Experts mix their bids, so nobody can read them.") if is_mixed else ""
    source = _("Based on your hand and the bids so far, if both players play perfectly.")
    if players > max(OWNED):
        best = _("The top line is your best move.")
        source = _(
            "Based on your hand and the bids so far, if the others bid like experts. With five or "
            "more players, no chances of winning are shown."
        )
    elif players != 2:
        text = _(
            "Based on your hand and the bids so far, if the others bid like experts. “Win game” is "
            "an estimate, ± {error}."
        )
        source = text.format(error=percent(CHANCE_ERROR))
    return " ".join(filter(None, (best, mixed, source)))


def review_lines(review: Review, names: Sequence[str]) -> Iterator[str]:
    """The review of a game: how many decisions there were, what the mistakes cost, and what to
    learn."""
    count = sum(each.said.is_told for each in review.decisions)
    others = len(review.decisions) - count
    if others:
        yield ngettext(
            "{count} decision with five or more players, where the cost of a mistake is not known.",
            "{count} decisions with five or more players, where the cost of a mistake is not "
            "known.",
            others,
        ).format(count=others)
    if count or not others:
        yield ngettext(
            "{count} decision. Without your mistakes, your chance of winning would be {cost} "
            "higher.",
            "{count} decisions. Without your mistakes, your chance of winning would be {cost} "
            "higher.",
            count,
        ).format(count=count, cost=_cost(review.cost, review.error))
    dear = [_slip(each, review) for each in review.decisions if each.slip]
    dear += [_dear_hand(each) for each in review.hands if each.cost > SLIP]
    if dear:
        yield ""
        yield from dear
    if dear and review.small_cost >= 0.005:
        yield _("Smaller mistakes together: {cost}.").format(cost=percent(review.small_cost))
    yield ""
    if review.hands:
        yield from hand_lines(review.hands)
        yield ""
    yield _("Chances of winning, round by round:")
    yield from chances(review, names)
    lessons = learned(review)
    yield ""
    yield _("What to learn:") if lessons else _("There is nothing to improve: well played.")
    yield from (f"· {lesson}" for lesson in lessons)


def _cost(cost: float, error: float) -> str:
    """A loss of chance to win as a percentage; "about … ± …" if `error`, from 0 to 1, is not 0."""
    if not error:
        return percent(cost)
    return _("about {number} ± {error}").format(number=percent(cost), error=percent(error))


def _slip(each: Decision, review: Review) -> str:
    values = {
        "round": each.round_number,
        "hand": each.hand,
        "bid": each.standing,
        "said": _said(each.said.word),
        "best": _said(each.best.word),
        "cost": _cost(each.cost, each.error),
    }
    if not each.said.is_told and each.standing:
        text = _(
            "Round {round}, holding {hand}, on a bid of {bid}: {best} would have been "
            "better than {said}."
        )
    elif not each.said.is_told:
        text = _(
            "Round {round}, opening with {hand} in hand: {best} would have been better than {said}."
        )
    elif each.standing:
        text = _(
            "Round {round}, holding {hand}, on a bid of {bid}: {said} cost {cost}; {best} "
            "would have been better."
        )
    else:
        text = _(
            "Round {round}, opening with {hand} in hand: {said} cost {cost}; {best} would "
            "have been better."
        )
    told = text.format(**values)
    if (each.round_number, each.said.word) not in review.proved:
        return told
    text = _("{mistake} You were right, with a chance of {chance}.")
    if each.said.true < 0.5:
        text = _("{mistake} You were right, but lucky: the chance was {chance}.")
    return text.format(mistake=told, chance=percent(each.said.true))


def _dear_hand(each: HandChoice) -> str:
    best = max(range(len(each.winning)), key=each.winning.__getitem__)
    return _("Round {round}: holding {hand} cost {cost}; {best} would have been better.").format(
        round=each.round_number, hand=each.hand, cost=percent(each.cost), best=best
    )


def hand_lines(hands: Sequence[HandChoice]) -> Iterator[str]:
    """How often the player held each hand, and how often the strongest bot would have."""
    yield _("How often each hand was hidden:")
    yield _left(_("hand"), _WORD) + _left(_("you"), _NUMBER) + _("experts")
    for hand in range(max(len(each.odds) for each in hands)):
        own = sum(each.hand == hand for each in hands) / len(hands)
        best = sum(each.odds[hand] for each in hands if hand < len(each.odds)) / len(hands)
        yield _left(str(hand), _WORD) + _left(percent(own), _NUMBER) + percent(best)


def chances(review: Review, names: Sequence[str]) -> Iterator[str]:
    """For each player a line with a bar chart of the chance to win, from the first round on."""
    for seat, name in enumerate(names):
        curve = [each[seat] if each else None for each in review.chances]
        last = curve[-1]
        yield (
            _left(name, _NAME)
            + "".join(map(_block, curve))
            + f" {percent(last) if last is not None else ''}"
        )


def _block(chance: float | None) -> str:
    """A chance from 0 to 1 as a bar of one cell; a dot if the chance is unknown (None)."""
    if chance is None:
        return "·"
    return _BLOCKS[min(int(chance * len(_BLOCKS)), len(_BLOCKS) - 1)]


def learned(review: Review) -> list[str]:
    """At most three sentences of advice; the costliest mistake first."""
    found = [
        _lesson(slip).format(rounds=_in_rounds(rounds)) for slip, _cost, rounds in review.slips
    ]
    hands = [each.hand for each in review.hands]
    usual = Counter(hands).most_common(1)
    if usual and len(hands) >= MAX_LESSONS and usual[0][1] > _USUAL * len(hands):
        hand, times = usual[0]
        text = _("In {times} of {rounds} rounds your hand was {hand}: others can count too.")
        found.append(text.format(hand=hand, times=times, rounds=len(hands)))
    return found[:MAX_LESSONS]


def _in_rounds(rounds: Sequence[int]) -> str:
    """ "Round 3" or "Rounds 3, 5": where mistakes were made, each round once."""
    told = [str(each) for each in dict.fromkeys(rounds)]
    text = ngettext("Round {rounds}", "Rounds {rounds}", len(told))
    return text.format(rounds=", ".join(told))


def _lesson(slip: Mistake) -> str:
    return {
        Mistake.CALLED: _(
            "{rounds}: you called a bid that was probably good. Add your own coins and half of "
            "the others’, and call only if the bid is higher."
        ),
        Mistake.RAISED: _(
            "{rounds}: you raised when the bid was probably too high already. A call is safer then."
        ),
        Mistake.HIGH: _("{rounds}: you bid higher than you had to. One more is enough."),
        Mistake.LOW: _(
            "{rounds}: you bid too low. A higher bid that is still likely leaves the next player "
            "no easy answer."
        ),
        Mistake.BOLD: _(
            "{rounds}: you took a risk with a cliff, a spoof or a zero when a bid or a call "
            "would have been safer."
        ),
        Mistake.TIMID: _(
            "{rounds}: you missed a cliff, a spoof or a zero that was likely enough to be "
            "worth the risk."
        ),
    }[slip]
