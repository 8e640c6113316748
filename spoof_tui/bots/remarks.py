"""What characters are called, and what they say of a round that is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from protocol.views import TableView
from spoof_tui.text.i18n import _


class Occasion(Enum):
    """What a character has a line for, once the fists are open."""

    RIGHT = "right"
    """It ended the round and was right, or guessed the number."""
    LOST = "lost"
    """It lost a coin, or pays."""
    WON = "won"
    """It won the game."""


def occasion_of(view: TableView) -> Occasion | None:
    """What the last round was to the player; None: nothing to speak of."""
    last, me = view.last, view.me
    if last is None or me is None or me not in last.hands:
        return None
    outcome, is_last_in = last.outcome, last.outcome.winner == me
    if view.is_guessing:
        if is_last_in:
            return Occasion.LOST
        return Occasion.RIGHT if me in outcome.went_out else None
    if is_last_in:
        return Occasion.WON
    if outcome.changes.get(me, 0) < 0:
        return Occasion.LOST
    return Occasion.RIGHT if outcome.ender == me and outcome.verdict.ender_is_right else None


def name_of(character: str) -> str:
    """What a character is called at the table, in the language that is spoken now."""
    return {
        "cliffer": _("Cliffer"),
        "bluffer": _("Bluffer"),
        "accountant": _("Accountant"),
        "wobbler": _("Wobbler"),
        "miser": _("Miser"),
        "loudmouth": _("Loudmouth"),
    }[character]


def lines_of(character: str) -> Mapping[Occasion, Sequence[str]]:
    """What a character may say of a round, in the language that is spoken now."""
    return {
        "cliffer": {
            Occasion.RIGHT: (_("Exactly. I felt it."), _("On the nose!")),
            Occasion.LOST: (_("So close."), _("Next time it will be exact.")),
            Occasion.WON: (_("And they say cliffers go home with nothing."),),
        },
        "bluffer": {
            Occasion.RIGHT: (_("You should have believed me."), _("Would I lie to you?")),
            Occasion.LOST: (_("I nearly had you."), _("Fine, that one was air.")),
            Occasion.WON: (_("Nothing up my sleeve. Nothing in my fist either."),),
        },
        "accountant": {
            Occasion.RIGHT: (_("It adds up."), _("As budgeted.")),
            Occasion.LOST: (_("A rounding error."), _("I shall write it off.")),
            Occasion.WON: (_("The books are balanced."),),
        },
        "wobbler": {
            Occasion.RIGHT: (_("Oh! Was I right?"), _("I nearly said something else.")),
            Occasion.LOST: (_("I knew it. Or did I?"), _("I had it the other way first.")),
            Occasion.WON: (_("Are you sure it was me?"),),
        },
        "miser": {
            Occasion.RIGHT: (_("Mine."), _("A coin saved.")),
            Occasion.LOST: (_("My coin!"), _("That one was my favourite.")),
            Occasion.WON: (_("All mine. Count them again."),),
        },
        "loudmouth": {
            Occasion.RIGHT: (_("Ha! Read them and weep."), _("Who wants some more?")),
            Occasion.LOST: (_("Lucky! You were lucky!"), _("I was only warming up.")),
            Occasion.WON: (_("Drinks are on everybody else!"),),
        },
    }[character]
