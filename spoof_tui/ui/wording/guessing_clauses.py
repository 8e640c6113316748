"""The rulebook of the guessing game, clause by clause."""

from __future__ import annotations

from protocol.rules.options import (
    FirstCaller,
    GuessingRules,
    Impossible,
)
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.calls import NAMED, call_name
from spoof_tui.ui.wording.clause import Chapter, Clause, clause, played_with, thinking


def chapters(rules: GuessingRules) -> tuple[Chapter, ...]:
    """The clauses of the game itself."""
    return (
        Chapter(_("The school"), _school(rules)),
        Chapter(_("Calling"), _calling(rules)),
        Chapter(_("The count, and what follows"), _leaving(rules)),
    )


def _school(rules: GuessingRules) -> tuple[Clause, ...]:
    return (
        clause(
            rules,
            "H1",
            _("A school has 4 to 9 players, best 6 or 7; here 2 are enough."),
        ),
        clause(
            rules,
            "H2",
            _(
                "The chairman awards and lifts fines: the host’s seat, until more than half of the "
                "seats elect another."
            ),
            _("The house fines automatically what it can know."),
        ),
        clause(rules, "H3", _("A toss decides who calls first in a school.")),
        clause(
            rules,
            "H4",
            _("Everyone has three coins in every round, whatever happened before."),
            _("Hide none, one, two or three coins. The last fist in locks them all."),
        ),
    )


def _calling(rules: GuessingRules) -> tuple[Clause, ...]:
    return (
        clause(
            rules,
            "H5",
            _(
                "Once all fists are in, the first caller calls, then the others, clockwise, once "
                "each."
            ),
        ),
        clause(
            rules,
            "H6",
            _("A call is a number from 0 to three times the players in the school."),
            _("Nobody may call a number that is taken."),
        ),
        clause(
            rules,
            "H7",
            _(
                "A call is possible if it is at least your own hand, and at most your hand plus "
                "three for each of the others."
            ),
            _impossible(rules),
            options=["impossible"],
        ),
        clause(
            rules,
            "H8",
            _("You have three attempts at a number of your own."),
            _("The third failure costs a fine; then you call one of the free numbers."),
        ),
    )


def _impossible(rules: GuessingRules) -> str:
    return {
        Impossible.FINE: _(
            "An impossible call is accepted, since refusing it would give the hand away, and "
            "fined when the fists open."
        ),
        Impossible.REFUSE: _(
            "Your program refuses an impossible call, and tells only you. One that another "
            "program lets through is fined when the fists open."
        ),
        Impossible.ALLOW: _("An impossible call is allowed, but cannot be right."),
    }[rules.impossible]


def _leaving(rules: GuessingRules) -> tuple[Clause, ...]:
    return (
        clause(rules, "H9", _("The first caller’s fist opens first, then the others clockwise.")),
        clause(
            rules,
            "H10",
            _(
                "The player who called the exact total leaves the school, which is what everybody "
                "wants."
            ),
            _("The first to leave orders the drinks."),
        ),
        clause(
            rules,
            "H11",
            _("The others play again; if nobody was right, all do."),
            next_first(rules),
            options=["first_caller"],
        ),
        clause(
            rules,
            "H12",
            _("The last one left is honoured to pay. The next school begins with a new toss."),
        ),
        clause(
            rules,
            "H13",
            _(
                "You are fined for three taken numbers, an impossible call, refusing to call, "
                "gloating, ordering nothing, leaving after a loss, and whatever the chairman adds."
            ),
            _(
                "The chairman knows of abuse of the chairman, eating at the table, and going back "
                "to work after a loss."
            ),
            _("A fine is a drink on the slate: port, Baileys or alien snot."),
        ),
    )


def next_first(rules: GuessingRules) -> str:
    """Who calls first in the next round (H11)."""
    if rules.first_caller is FirstCaller.ROTATE:
        return _("The first call moves on clockwise to the next player in the school.")
    return _("A toss picks the first caller of every round.")


def customs(rules: GuessingRules) -> tuple[Clause, ...]:
    """What is played along with it, and is no rule."""
    names = ", ".join(f"{number} {call_name(number)}" for number in NAMED)
    return (
        Clause(
            _("Names"),
            _("Calls have names: {names}. The others are said as numbers.").format(names=names),
        ),
        Clause(
            _("Hands out!"),
            _(
                "“When the hands are out!” Everybody holds a hand into the circle, and the calling "
                "begins."
            ),
        ),
        Clause(_("The stick"), _("In the pub the toss is drawn with a cocktail stick.")),
        Clause(_("Gloating"), _("Leave in silence: gloating is fined.")),
        played_with(rules),
        thinking(rules),
        Clause(
            _("The slate"),
            _("Fines and drinks are kept over the evening, as a tally and never as money."),
        ),
    )
