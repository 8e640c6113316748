"""Short texts of the manual: the game in ten lines, and what holds for this particular system."""

from __future__ import annotations

from spoof_tui.text.i18n import _


def how_a_round_goes(*, is_guessing: bool = False) -> tuple[str, ...]:
    """Sentences saying how a round goes; in the bidding game without the words that end it."""
    if is_guessing:
        return (
            _("In every round, everybody hides up to three coins in a fist."),
            _(
                "In turn, each player makes one call: how many coins all the fists hold "
                "together. A number that has been called is taken; call another."
            ),
            _("Whoever is exactly right leaves, and the others play on."),
        )
    return (
        _("Everybody owns three coins and hides some of them, or none, in a fist."),
        _(
            "In turn, each player says one word: a bid on how many coins all the fists hold "
            "together, always higher than the last; or a word that opens the fists:"
        ),
    )


def ending_meanings() -> tuple[tuple[str, str], ...]:
    """Each word that opens the fists, with what it claims and costs."""
    return (
        (_("call"), _("the bid is too high; the player who is wrong loses a coin")),
        (_("cliff"), _("the bid is exact; right: you win a coin, wrong: you lose one")),
        (_("spoof"), _("every coin is in a fist; right: nobody loses, wrong: you lose a coin")),
        (_("zero"), _("every fist is empty; right: all others lose a coin, wrong: you do")),
    )


def how_it_ends(*, is_guessing: bool = False) -> str:
    """How a game ends, and in the guessing game what costs a drink."""
    if is_guessing:
        return _(
            "The first to leave orders the drinks, and the last to remain pays. A third taken "
            "number, a call that your own hand makes impossible, and gloating are fined."
        )
    return _("Whoever has no coins left is out; the last player wins.")


def wall(has_wall: bool) -> str:
    """What keeps visitors who come by ssh away from this user's files, in sentences.

    `has_wall`: this system can confine their programs.
    """
    if has_wall:
        return _(
            "This computer confines every visitor’s program (Landlock, seccomp): it has a folder "
            "of its own and cannot reach your other files, other programs or other visitors. "
            "Started by root, it also runs as a different user."
        )
    return _(
        "This computer cannot confine a visitor’s program (Linux can, with Landlock and seccomp). "
        "If a bug let a visitor run code, that code could read whatever you can. Open a door only "
        "to people you trust, or run it as a separate user."
    )
