"""The sentences said at each beat of a count; each uses only the fists that are open by then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending, Verdict, Word
from spoof_tui.beats import Beat
from spoof_tui.telling.names import called, listed
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _


def beat_words(
    played: PlayedRound, opened: Sequence[int], beat: Beat, names: Sequence[str], me: int | None
) -> str:
    """The sentence of a beat before the verdict; `opened` are the seats whose fists are open.

    The seat `me` is addressed as "you".
    """
    if beat is Beat.WORD:
        said = ending_words(played.words.words, played.words.most, names, me)
        return " ".join([said, *last_coins(played, names, me)])
    total = sum(played.hands[seat] for seat in opened)
    if beat is Beat.HELD:
        return _held(played, opened, total, names, me)
    text = _("{total} so far.") if beat is Beat.FIST else _("{total} in all.")
    return f"{shows(played, opened[-1], names, me)}: {text.format(total=total)}"


def last_coins(played: PlayedRound, names: Sequence[str], me: int | None) -> list[str]:
    """For each player who may lose their last coin in this count, a sentence; that of `me` comes
    first."""
    if not isinstance(played.words, BiddingRound) or played.outcome.verdict is Verdict.VOID:
        return []
    # Only a call can cost the bidder (R7); all else costs whoever says it (R8 to R10).
    is_call = played.words.ending is Ending.CALL
    risked = at_odds(played) if is_call else {played.outcome.ender}
    last = [seat for seat in risked if played.words.coins[seat] == 1]
    return [
        _("Your last coin is at stake.") if seat == me
        else _("{name}’s last coin is at stake.").format(name=names[seat])
        for seat in sorted(last, key=lambda seat: (seat != me, seat))
    ]  # fmt: skip


def ending_words(
    said: Sequence[tuple[int, Word]], most: int, names: Sequence[str], me: int | None = None
) -> str:
    """A sentence saying who said the word that opens the fists, and what it claims.

    `most` is the number of coins that all players of the round own; the player at `me` is "you".
    """
    ender, word = said[-1] if said else (0, None)
    if not isinstance(word, Ending):
        return _("All have called. The fists open.")
    bid = next((each.number for _seat, each in reversed(said) if isinstance(each, Bid)), 0)
    others = {
        Ending.CALL: _("{name} calls: “fewer than {bid}.”"),
        Ending.CLIFF: _("{name} says cliff: “exactly {bid}.”"),
        Ending.SPOOF: _("{name} says spoof: “all {most} coins are in.”"),
        Ending.ZERO: _("{name} says zero: “every fist is empty.”"),
    }
    mine = {
        Ending.CALL: _("You call: “fewer than {bid}.”"),
        Ending.CLIFF: _("You say cliff: “exactly {bid}.”"),
        Ending.SPOOF: _("You say spoof: “all {most} coins are in.”"),
        Ending.ZERO: _("You say zero: “every fist is empty.”"),
    }
    text = (mine if ender == me else others)[word]
    return text.format(name=names[ender], bid=bid, most=most)


def shows(played: PlayedRound, seat: int, names: Sequence[str], me: int | None) -> str:
    """ "Anna shows 2": whose fist has opened, and what was in it; without a full stop."""
    text = _("You show {hand}") if seat == me else _("{name} shows {hand}")
    return text.format(name=names[seat], hand=played.hands[seat])


def _held(
    played: PlayedRound, opened: Sequence[int], total: int, names: Sequence[str], me: int | None
) -> str:
    """A sentence with the total of the open fists, and one on what the last fist decides."""
    so_far = _("{total} so far.").format(total=total)
    return f"{so_far[:1].upper()}{so_far[1:]} {last_fist(played, opened, names, me)}"


def last_fist(
    played: PlayedRound, opened: Sequence[int], names: Sequence[str], me: int | None
) -> str:
    """A sentence on the last fist: what it must hold for the claim to be true; if the claim is
    decided without it, only whose fist it is."""
    (last,) = (seat for seat in played.hands if seat not in opened)
    words, hands = played.words, {seat: played.hands[seat] for seat in opened}
    is_void = played.outcome.verdict is Verdict.VOID
    if is_void or not isinstance(words, BiddingRound) or not is_undecided(words, hands):
        # To say so would end the suspense, and the felt shows how far the coins have come.
        text = _("Yours is the last fist.") if last == me else _("{name} opens last.")
        return text.format(name=names[last])
    fist = _("Your fist") if last == me else _("{name}’s fist").format(name=names[last])
    more = missing(words, hands)
    return _decision(words, more).format(fist=fist, more=more, coins=words.coins[last])


def is_undecided(words: BiddingRound, hands: Mapping[int, int]) -> bool:
    """Whether the fists that are not among `hands`, by seat, decide if the claim is true."""
    more = missing(words, hands)
    owned = sum(words.coins[seat] for seat in words.players if seat not in hands)
    if words.ending is Ending.SPOOF:
        return more == owned
    return (words.ending is Ending.CALL) <= more <= owned


def missing(words: BiddingRound, hands: Mapping[int, int]) -> int:
    """How many more coins than in these hands, by seat, the claim speaks of.

    A call or a cliff speaks of the bid, a spoof of all coins, a zero of none. May be negative.
    """
    return (_claim(words) or 0) - sum(hands.values())


def _decision(words: BiddingRound, more: int) -> str:
    """The sentence about what the last fist decides, if the claim speaks of `more` coins in it."""
    if words.ending is Ending.CALL:
        return _("{fist} decides: if it holds {more} or more, the bid is good.")
    if words.ending is Ending.SPOOF:
        return _("{fist} decides: if it holds all {coins}, the spoof is right.")
    if words.ending is Ending.ZERO:
        return _("{fist} decides: if it is empty, the zero is right.")
    if not more:
        return _("{fist} decides: if it is empty, the cliff is right.")
    return _("{fist} decides: if it holds exactly {more}, the cliff is right.")


def claimed(played: PlayedRound) -> int | None:
    """The number of coins that the claim of a round is about; None in the guessing game."""
    return _claim(played.words) if isinstance(played.words, BiddingRound) else None


def _claim(words: BiddingRound) -> int | None:
    if words.ending is Ending.SPOOF:
        return words.most
    return words.standing[1] if words.standing and words.ending is not Ending.ZERO else None


def at_odds(played: PlayedRound) -> frozenset[int]:
    """The seats whose words the count decides on: whoever ended the round and, after a call or a
    cliff, whoever made the bid; in the guessing game, everybody."""
    words = played.words
    if not isinstance(words, BiddingRound):
        return frozenset(words.order)
    is_of_bid = words.ending in (Ending.CALL, Ending.CLIFF) and words.standing is not None
    bidders = words.standing[:1] if is_of_bid and words.standing else ()
    return frozenset((played.outcome.ender, *bidders))


def stamp(played: PlayedRound) -> tuple[str, bool]:
    """The verdict in two or three words with its sign, and whether the claim was true."""
    text, holds = _judged(played)
    return f"{verdict_sign(holds)} {text}", holds


def _judged(played: PlayedRound) -> tuple[str, bool]:
    return {
        Verdict.CALL_BID_TRUE: (_("good bid"), True),
        Verdict.CALL_BID_FALSE: (_("too high"), False),
        Verdict.CLIFF_RIGHT: (_("exact"), True),
        Verdict.CLIFF_AT_CAP: (_("exact"), True),
        Verdict.CLIFF_WRONG: (_("not exact"), False),
        Verdict.SPOOF_RIGHT: (_("all are in"), True),
        Verdict.SPOOF_WRONG: (_("not all in"), False),
        Verdict.ZERO_RIGHT: (_("all empty"), True),
        Verdict.ZERO_WRONG: (_("not empty"), False),
        Verdict.GUESSED: (_("guessed"), True),
        Verdict.NOT_GUESSED: (_("nobody guessed"), False),
    }.get(played.outcome.verdict, (_("void"), False))


def claim(played: PlayedRound) -> str:
    """What became of the claim of a bidding round, without a sign."""
    text = {
        Verdict.CALL_BID_TRUE: _("{bid} was good"),
        Verdict.CALL_BID_FALSE: _("{bid} was too high"),
        Verdict.CLIFF_RIGHT: _("exactly {bid}"),
        Verdict.CLIFF_AT_CAP: _("exactly {bid}"),
        Verdict.CLIFF_WRONG: _("not exactly {bid}"),
    }.get(played.outcome.verdict, _judged(played)[0])
    standing = played.words.standing if isinstance(played.words, BiddingRound) else None
    return text.format(bid=standing[1]) if standing else text


def verdict_sign(holds: bool) -> str:
    """The sign of a verdict."""
    return glyphs().yes if holds else glyphs().no


def moved(played: PlayedRound, names: Sequence[str], me: int | None = None) -> str:
    """Whose coins the round changed, and by how much: "Krona −1"; or that nobody pays."""
    if played.outcome.verdict is Verdict.GUESSED:
        out = " ".join(listed(played.outcome.went_out, names, me))
        return _("{names} left").format(names=out)
    signs = glyphs()
    told = [
        f"{called(seat, names, me)} {'+' if change > 0 else signs.minus}{abs(change)}"
        for seat, change in sorted(played.outcome.changes.items())
    ]
    return " ".join(told) or _("nobody pays")
