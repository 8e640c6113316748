"""The rulebook of the bidding game, clause by clause."""

from __future__ import annotations

from protocol.rules.options import (
    BiddingRules,
    ChosenDirection,
    GameStarter,
    Gloating,
    Reveal,
    Stake,
    Starter,
    Zero,
)
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.clause import Chapter, Clause, clause, played_with, thinking


def chapters(rules: BiddingRules) -> tuple[Chapter, ...]:
    """The clauses of the game itself."""
    return (
        Chapter(_("Coins and fists"), _coins_and_fists(rules)),
        Chapter(_("Speaking"), _speaking(rules)),
        Chapter(_("The words that end a round"), _endings(rules)),
        Chapter(_("The count, and what follows"), _count(rules)),
    )


def _coins_and_fists(rules: BiddingRules) -> tuple[Clause, ...]:
    return (
        clause(rules, "R1", _("Everyone starts with three coins.")),
        clause(
            rules,
            "R2",
            _(
                "In each round, everybody still in hides some of their coins in a fist: none, all, "
                "or any number in between."
            ),
        ),
        clause(
            rules,
            "R3",
            _("You choose again each round. The last fist in locks them all."),
            _("Nobody bids before that."),
        ),
    )


def _speaking(rules: BiddingRules) -> tuple[Clause, ...]:
    if rules.direction is ChosenDirection.STARTER:
        way = _(
            "The starter may turn the direction with the opening bid, when more than two are in."
        )
    else:
        way = _("It always goes clockwise.")
    return (
        clause(
            rules,
            "R4",
            _("The starter speaks first, then the next player still in, one word each."),
            way,
            _("You may not pass."),
            options=["direction"],
        ),
        clause(
            rules,
            "R5",
            _("A word is a bid, call, cliff, spoof or zero."),
            _("A bid keeps the round going; the other four end it."),
        ),
        clause(
            rules,
            "R6",
            _("A bid says how many coins all fists hold together."),
            _("It is at least 1, higher than the bid before, and at most all coins in play."),
            _("Any raise will do."),
        ),
    )


def _endings(rules: BiddingRules) -> tuple[Clause, ...]:
    return (
        clause(
            rules,
            "R7",
            _("Call: the bid is too high."),
            _("If it is, the bidder loses a coin. If not, you do."),
            _("It needs a bid."),
        ),
        clause(
            rules,
            "R8",
            _("Cliff: the bid is exact."),
            _("If it is, you win a coin. If not, you lose one."),
            _("It needs a bid."),
            _cap(rules),
            options=["cap"],
        ),
        clause(
            rules,
            "R9",
            _("Spoof: every coin in play is in a fist."),
            _("If so, nobody wins or loses. If not, you lose a coin."),
            _("You may say it on any turn, even to open."),
        ),
        clause(
            rules,
            "R10",
            _("Zero: every fist is empty."),
            _("If so, everybody else loses a coin. If not, you do."),
            _("Only the opening word of a round may be zero.")
            if rules.zero is Zero.OPENING_ONLY
            else _("It may only be your first word of the round."),
            options=["zero"],
        ),
    )


def _cap(rules: BiddingRules) -> str:
    if rules.cap is None:
        return _("There is no cap: a right cliff wins a coin however many you own.")
    return _("The cap is {cap}: with {cap} coins or more, a right cliff wins nothing.").format(
        cap=rules.cap
    )


def _count(rules: BiddingRules) -> tuple[Clause, ...]:
    return (
        clause(
            rules,
            "R11",
            _("A word that ends the round opens all fists at once for the count."),
            _("The fist of the player who said it is shown first.")
            if rules.reveal is Reveal.ENDER_FIRST
            else _("All fists are shown together."),
            options=["reveal"],
        ),
        clause(rules, "R12", _("Without coins you are out.")),
        clause(rules, "R13", _("The last player left wins.")),
        clause(
            rules,
            "R14",
            after_call(rules),
            after_others(),
            after_zero(rules),
            _("If that player is out, the next one still in opens, the way the round went."),
            options=["starter", "zero_starter"],
        ),
        clause(
            rules,
            "R15",
            _(
                "The next game is opened by crap, the first player out of the last; the first game "
                "by lot."
            )
            if rules.game_starter is GameStarter.CRAP
            else _("The lot picks who opens each game."),
            options=["game_starter"],
        ),
    )


def after_call(rules: BiddingRules) -> str:
    """Who opens after a call (R14)."""
    if rules.starter is Starter.LOSER:
        return _("After a call, the player who lost the coin opens the next round.")
    return _("After a call, the player who called opens the next round.")


def after_others() -> str:
    """Who opens after a cliff, a spoof or a wrong zero (R14)."""
    return _("After a cliff, a spoof or a wrong zero, the player who said it opens.")


def after_zero(rules: BiddingRules) -> str:
    """Who opens after a right zero (R14)."""
    if rules.zero_starter is Starter.LOSER:
        return _("After a right zero, the nearest loser still in opens.")
    return _("After a right zero, the player who said it opens.")


def customs(rules: BiddingRules) -> tuple[Clause, ...]:
    """What is played along with it, and is no rule."""
    kyiv = (
        Clause(
            _("Anywhere"),
            _("Kyiv plays with pebbles or buttons too: in trains, in queues, on mountain tops."),
        ),
    )
    return (
        Clause(_("Mitt-full!"), _("Talk the table up. Talk binds nobody.")),
        Clause(
            _("Shearn Wobble"),
            _("The feint of opening the hand. Every attempt to ban it has been vetoed."),
        ),
        Clause(_("The hand"), _("Opening your hand is the call: your own fist opens first.")),
        Clause(_("Sweat"), _("Faked sweat and indecision are part of the game.")),
        Clause(_("The Hoover"), _("Sucked into a big bid with hardly a coin out.")),
        Clause(_("Cliff"), _("Cliff giveth and Cliff taketh away: what it wins is soon lost.")),
        Clause(_("Crap"), _("The first one out hears: “Start us off!” and “Hurry up!”")),
        clause(rules, _("Gloating"), _gloating(rules), options=["gloating"]),
        clause(rules, _("The stake"), _stake(rules), options=["stake"]),
        played_with(rules),
        thinking(rules),
        *(kyiv if rules.preset == "three-coins" else ()),
    )


def _gloating(rules: BiddingRules) -> str:
    return {
        Gloating.EXPECTED: _("The winner gloats. A winner who does not is viewed with suspicion."),
        Gloating.FINED: _("A winner who gloats is fined."),
        Gloating.FREE: _("The winner may gloat, or leave it."),
    }[rules.gloating]


def _stake(rules: BiddingRules) -> str:
    return {
        Stake.POT: _("Everybody puts a chip into the pot, and the winner takes it: never money."),
        Stake.DRINKS: _("The first one out pays the round: counted here, never bought."),
        Stake.NONE: _("You play for the honour."),
    }[rules.stake]
