"""The messages of argparse itself, in the current language."""

from __future__ import annotations

from spoof_tui.text.i18n import _


def said(message: str) -> str:
    """A message of argparse in the current language."""
    return {
        "usage: ": _("usage: "),
        "options": _("options"),
        "positional arguments": _("arguments"),
        "show this help message and exit": _("show this help"),
        "argument %(argument_name)s: %(message)s": "%(argument_name)s: %(message)s",
        "the following arguments are required: %s": _("missing: %s"),
        "unrecognized arguments: %s": _("not known: %s"),
        "not allowed with argument %s": _("cannot be said together with %s"),
        "one of the arguments %s is required": _("one of these is missing: %s"),
        "expected one argument": _("a value is missing"),
        "expected at most one argument": _("too many values"),
        "expected at least one argument": _("a value is missing"),
        "ignored explicit argument %r": _("takes no value, but got %r"),
        "ambiguous option: %(option)s could match %(matches)s": _(
            "%(option)s may mean each of %(matches)s"
        ),
    }.get(message, message)


def counted(one: str, many: str, count: int) -> str:
    """The same for a message with a number."""
    return said(one if count == 1 else many)
