"""Rule sets in words: what a preset is, and what an option's value means."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.rules.options import (
    BIDDING_OPTIONS,
    GUESSING_OPTIONS,
    MAX_PLAYERS,
    PRESETS,
    START_COINS,
    Rules,
    written,
)
from spoof_tui.telling.titles import preset_name
from spoof_tui.text.i18n import _, pgettext


def preset_words(preset: str) -> str:
    """One sentence on what a preset is."""
    return {
        "milan": _(
            "The bidding game as Milan plays it: whoever says that a bid is exact, and is right, "
            "wins a coin, and the first player out opens the next game."
        ),
        "bid-spoof": _(
            "Milan with house changes: never more than three coins,"
            " and zero may be your first word of any round."
        ),
        "three-coins": _(
            "The game of Kyiv: never more than three coins, always clockwise, and the player who "
            "ends a round opens the next."
        ),
        "hollywood": _(
            "The guessing game of Bangkok: each player calls the total once; the player who "
            "is right leaves, and the last one left pays."
        ),
    }[preset]


def rules_title(rules: Rules) -> str:
    """The preset, with its changes in words: "Milan, but cap 5, played for drinks"."""
    name = preset_name(rules.preset)
    if not rules.changes:
        return name
    changes = ", ".join(option_words(*change) for change in rules.changes.items())
    return _("{preset}, but {changes}").format(preset=name, changes=changes)


def option_values(option: str) -> Sequence[str]:
    """Every value worth choosing, as written; no table holds more coins than the last cap."""
    kinds = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}[option]
    if kinds is None:
        most = MAX_PLAYERS * START_COINS
        return [written(None), *(str(cap) for cap in range(START_COINS, most + 1))]
    return [written(kind) for kind in kinds]


def is_change(rules: Rules, option: str) -> bool:
    """Whether the option differs from the preset."""
    return bool(getattr(rules, option) != getattr(PRESETS[rules.preset], option))


def option_words(option: str, value: str) -> str:
    """A change as part of a sentence: "cap 5", "zero as first word"."""
    if option == "cap":
        return (
            _("no limit for a cliff") if value == "none" else _("cap {coins}").format(coins=value)
        )
    return {
        ("zero", "opening-only"): _("zero only to open"),
        ("zero", "first-action"): _("zero as first word"),
        ("starter", "loser"): _("the loser opens after a call"),
        ("starter", "ender"): _("the caller opens the next round"),
        ("zero_starter", "loser"): _("the nearest loser opens after a zero"),
        ("zero_starter", "ender"): _("the player who said zero opens the next round"),
        ("direction", "starter"): _("the opener picks the direction"),
        ("direction", "clockwise"): _("always clockwise"),
        ("game_starter", "crap"): _("the first player out opens the next game"),
        ("game_starter", "lot"): _("the lot opens every game"),
        ("reveal", "ender-first"): _("the last speaker’s fist opens first"),
        ("reveal", "together"): _("all fists open together"),
        ("gloating", "expected"): _("the winner must gloat"),
        ("gloating", "fined"): _("gloating is fined"),
        ("gloating", "free"): _("gloating as you like"),
        ("stake", "pot"): _("played for the pot"),
        ("stake", "drinks"): _("played for drinks"),
        ("stake", "none"): _("played for nothing"),
        ("token", "coins"): pgettext("token", "played with coins"),
        ("token", "pebbles"): _("played with pebbles"),
        ("token", "buttons"): _("played with buttons"),
        ("thinking", "hidden"): _("nobody sees how long you thought"),
        ("thinking", "shown"): _("everybody sees how long you thought"),
        ("impossible", "fine"): _("impossible calls are fined"),
        ("impossible", "refuse"): _("impossible calls are refused"),
        ("impossible", "allow"): _("impossible calls are allowed"),
        ("first_caller", "rotate"): _("the first call moves on"),
        ("first_caller", "toss"): _("a toss for every first call"),
    }[option, value]


def option_label(option: str) -> str:
    """What an option decides, as the label of a choice."""
    return {
        "cap": _("Cap for a cliff"),
        "zero": _("Zero may be said"),
        "starter": _("Opener after a call"),
        "zero_starter": _("Opener after a zero"),
        "direction": _("Direction"),
        "game_starter": _("The next game is opened by"),
        "reveal": _("Fists open"),
        "gloating": _("Gloating"),
        "stake": _("Played for"),
        "token": _("Played with"),
        "thinking": _("Thinking time"),
        "impossible": _("An impossible call is"),
        "first_caller": _("The first call"),
    }[option]


def value_label(option: str, value: str) -> str:
    """A value as the answer to its option's label."""
    if option == "cap":
        return _("no limit") if value == "none" else value
    return {
        ("zero", "opening-only"): _("only to open a round"),
        ("zero", "first-action"): _("as your first word"),
        ("starter", "loser"): _("the loser"),
        ("starter", "ender"): _("the caller"),
        ("zero_starter", "loser"): _("the nearest loser"),
        ("zero_starter", "ender"): _("whoever said it"),
        ("direction", "starter"): _("picked by the opener"),
        ("direction", "clockwise"): _("always clockwise"),
        ("game_starter", "crap"): _("the first player out"),
        ("game_starter", "lot"): _("the lot"),
        ("reveal", "ender-first"): _("the last speaker’s first"),
        ("reveal", "together"): _("all together"),
        ("gloating", "expected"): _("expected of the winner"),
        ("gloating", "fined"): _("fined"),
        ("gloating", "free"): _("as you like"),
        ("stake", "pot"): _("the pot"),
        ("stake", "drinks"): _("drinks"),
        ("stake", "none"): _("nothing"),
        ("token", "coins"): pgettext("token", "coins"),
        ("token", "pebbles"): _("pebbles"),
        ("token", "buttons"): _("buttons"),
        ("thinking", "hidden"): _("not shown"),
        ("thinking", "shown"): _("shown after each word"),
        ("impossible", "fine"): _("fined when the fists open"),
        ("impossible", "refuse"): _("refused, and only the caller is told"),
        ("impossible", "allow"): _("allowed"),
        ("first_caller", "rotate"): _("moves on clockwise"),
        ("first_caller", "toss"): _("is tossed for"),
    }[option, value]


def option_help(option: str) -> str:
    """One sentence on an option, with its clause if there is one."""
    return {
        "cap": _("A correct cliff wins a coin, but never takes you above this number."),
        "zero": _("Zero says that every fist is empty: if right, all the others pay (R10)."),
        "starter": _("The player who opens the next round after a call."),
        "zero_starter": _("The player who opens the next round after a correct zero."),
        "direction": _("Which way round the table the words go."),
        "game_starter": _("The player who opens the games after the first."),
        "reveal": _("The order in which the fists are shown when a round ends."),
        "gloating": _("What the table thinks of a winner who gloats."),
        "stake": _("Only a tally is kept, never money."),
        "token": _("What you hide in your fist: the game is the same."),
        "thinking": _("How long each player thought, shown beside the word."),
        "impossible": _("A call that the caller’s own hand rules out (H7)."),
        "first_caller": _("The player who calls first in the next round of a school."),
    }[option]
