"""The whole rulebook in the words of one rule set, clause by clause (protocol/RULES.md).

It speaks to a player. What other rule sets of the same game have otherwise is told beside each
clause, so that people who learned different books see at once where they differ.
"""

from __future__ import annotations

from typing import Final

from protocol.rules.options import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    BiddingRules,
    GuessingRules,
    Rules,
)
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording import bidding_clauses, guessing_clauses
from spoof_tui.ui.wording.clause import Chapter, Rulebook, clause
from spoof_tui.ui.wording.options import preset_words, rules_title


def rulebook(rules: Rules) -> Rulebook:
    """The book of these rules."""
    if isinstance(rules, GuessingRules):
        chapters, customs = guessing_clauses.chapters(rules), guessing_clauses.customs(rules)
    else:
        assert isinstance(rules, BiddingRules)
        chapters, customs = bidding_clauses.chapters(rules), bidding_clauses.customs(rules)
    return Rulebook(
        rules_title(rules),
        _about(rules),
        (*chapters, _both_games(rules), _gloating(rules)),
        Chapter(_("Customs of the table"), customs),
    )


def _about(rules: Rules) -> str:
    if not rules.changes:
        return preset_words(rules.preset)
    if isinstance(rules, GuessingRules):
        return _("The guessing game: call the total, once each, and leave if you are right.")
    return _("The bidding game: hide coins, raise bids, call bluffs.")


_IN_THE_GUESSING_GAME: Final = {
    "R1": "H4",
    "R2": "H4",
    "R3": "H4",
    "R4": "H5",
    "R5": "H9",
    **dict.fromkeys(("R6", "R7", "R8", "R9", "R10"), "H6"),
    "R11": "H9",
    "R12": "H10",
    "R13": "H12",
    "R14": "H11",
    "R15": "H3",
}
"""The clause of the guessing game about the matter of each clause of the bidding game."""


def cited(clause: str, rules: Rules) -> str:
    """A clause that the program cites, as the book of these rules numbers it."""
    if isinstance(rules, GuessingRules):
        return _IN_THE_GUESSING_GAME.get(clause, clause)
    return clause


def _both_games(rules: Rules) -> Chapter:
    clauses = (
        clause(
            rules,
            "G1",
            _("The lot is drawn from the sealed shares of all players, so nobody can steer it."),
        ),
        clause(rules, "G2", _("Late arrivals watch, and sit down for the next game.")),
        clause(
            rules,
            "G3",
            _("A player who is away keeps the seat, and has it back at once on returning."),
            _("After a minute of waiting, the others may vote to play on."),
            _away(rules),
            _("Nobody is ever thrown out by the house."),
        ),
        clause(
            rules,
            "G4",
            _("A table may have a turn clock. When it runs out, that turn is played as in G3."),
        ),
        clause(
            rules,
            "G5",
            _("Between rounds, the host or more than half of the players may remove a seat."),
            _("Its coins leave the table."),
            _("A seat that the table waits for may be removed at once; its round is void."),
        ),
        clause(
            rules,
            "G6",
            _("{least} to {most} play.").format(least=MIN_PLAYERS, most=MAX_PLAYERS),
        ),
        clause(
            rules,
            "G7",
            _("Half is counted among the seats of the running game that are not set aside."),
            _("Between games only those count who have opened a fist at this table."),
            _("The table plays on without a seat that is set aside, until its owner is back."),
            _("Bots agree with the people at the table."),
        ),
        clause(
            rules,
            "G8",
            _("If more than half are gone at once, those who are left may go on at a new table."),
            _("All of them must agree, and everybody keeps their coins."),
        ),
        clause(
            rules,
            "G9",
            _("A game begins when everybody is ready, or a minute after the first who was."),
            _("Whoever is not ready by then watches, and plays the next one."),
        ),
    )
    return Chapter(_("Both games"), clauses)


def _gloating(rules: Rules) -> Chapter:
    price = _("It costs a fine.") if rules.fines_gloating else ""
    clauses = (
        clause(
            rules,
            "S4",
            _("Whoever has just won may gloat, until the next fist is in."),
            price,
        ),
        clause(
            rules,
            "S5",
            _("A ban of the Wobble may be proposed at any table. Mr. A. L. Shearn vetoes it."),
        ),
    )
    return Chapter(_("Gloating and the Wobble"), clauses)


def _away(rules: Rules) -> str:
    if isinstance(rules, GuessingRules):
        return _(
            "Then a fist that is not in counts as empty, the player whose turn it is calls the "
            "lowest free number, and a fist that stays shut costs its owner a fine and voids the "
            "round."
        )
    return _(
        "Then a fist that is not in counts as empty, the player whose turn it is opens with "
        "1 or says call, and a fist that stays shut costs its owner a coin and voids the "
        "round."
    )
