"""Gestures in words: their names, their descriptions, and what others are told about them."""

from __future__ import annotations

from typing import Final

from protocol.table.statements import Gesture
from protocol.views import TableView
from spoof_tui.text.i18n import _

SHOUTS: Final = frozenset({Gesture.MITT_FULL, Gesture.NEVER, Gesture.START, Gesture.HURRY})
"""Gestures that are heard: their names are what is shouted."""


def gesture_name(gesture: Gesture) -> str:
    """A gesture's name; for a shout, what is shouted."""
    return {
        Gesture.MITT_FULL: _("Mitt-full!"),
        Gesture.NEVER: _("Never!"),
        Gesture.START: _("Start us off!"),
        Gesture.HURRY: _("Hurry up!"),
        Gesture.WOBBLE: _("the Wobble"),
        Gesture.SWEAT: _("sweat"),
        Gesture.INDECISION: _("waver"),
        Gesture.SMUGNESS: _("look smug"),
        Gesture.GLOAT: _("gloat"),
    }[gesture]


def gesture_help(gesture: Gesture, view: TableView) -> str:
    """The description of a gesture, for a player who is about to make it."""
    if gesture is Gesture.GLOAT:
        return _gloat_help(view)
    return {
        Gesture.MITT_FULL: _("Your fist is full, or so you say. It binds you to nothing."),
        Gesture.NEVER: _("You do not believe it, or so you say."),
        Gesture.START: _("Tell the first one out (“crap”) to open the game."),
        Gesture.HURRY: _("Tell the first one out (“crap”) to hurry up."),
        Gesture.WOBBLE: _("Your fist trembles, but stays shut."),
        Gesture.SWEAT: _("Beads of sweat on your brow, real or feigned."),
        Gesture.INDECISION: _("You cannot make up your mind, or so it seems."),
        Gesture.SMUGNESS: _("You know something, or so it seems."),
    }[gesture]


def _gloat_help(view: TableView) -> str:
    if view.is_guessing:
        # A trap with a sign on it is none; a player who has read the rules knows (H13).
        return _("You were right. Let them know, if you dare.")
    if view.has_slate:
        return _("You have won. Gloating costs a fine here.")
    return _("You won. Gloat while you can: “Hopeless!” “A pleasure doing business!”")


def gesture_words(gesture: Gesture, name: str) -> str:
    """A sentence that tells everybody of a gesture that the player called `name` made."""
    if gesture in SHOUTS:
        return f"{name}: {gesture_name(gesture)}"
    return {
        Gesture.WOBBLE: _("{name} wobbles."),
        Gesture.SWEAT: _("{name} sweats."),
        Gesture.INDECISION: _("{name} wavers."),
        Gesture.SMUGNESS: _("{name} looks smug."),
        Gesture.GLOAT: _("{name} gloats."),
    }[gesture].format(name=name)


def shout_in_short(gesture: Gesture) -> str:
    """What is shouted, in one word, where there is no room for all of it."""
    return {
        Gesture.MITT_FULL: _("Full!"),
        Gesture.NEVER: _("Never!"),
        Gesture.START: _("Start!"),
        Gesture.HURRY: _("Hurry!"),
    }[gesture]


def gesture_note(gesture: Gesture) -> str:
    """A gesture in a word or two, beside a seat that has no room for its picture."""
    if gesture in SHOUTS:
        return gesture_name(gesture)
    return {
        Gesture.WOBBLE: _("wobbles"),
        Gesture.SWEAT: _("sweats"),
        Gesture.INDECISION: _("wavers"),
        Gesture.SMUGNESS: _("smug"),
        Gesture.GLOAT: _("gloats"),
    }[gesture]
