"""Times in words: on a clock, in a few cells, and how long ago."""

from __future__ import annotations

from spoof_tui.text.i18n import _, ngettext


def duration(seconds: float) -> str:
    """Seconds as on a clock: 0:42, 12:05, 1:02:05."""
    whole = max(int(seconds), 0)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def short_duration(seconds: float) -> str:
    """Seconds in about three cells: 42s, 12m, 3h."""
    whole = max(int(seconds), 0)
    if whole < 60:
        return _("{count}s").format(count=whole)
    if whole < 3600:
        return _("{count}m").format(count=whole // 60)
    return _("{count}h").format(count=min(whole // 3600, 99))


def ago(seconds: float) -> str:
    """How long ago something was, given in seconds: "5 minutes ago"."""
    minutes = max(int(seconds), 0) // 60
    if minutes < 1:
        return _("a moment ago")
    if minutes < 60:
        return ngettext("{count} minute ago", "{count} minutes ago", minutes).format(count=minutes)
    hours = minutes // 60
    if hours < 48:
        return ngettext("{count} hour ago", "{count} hours ago", hours).format(count=hours)
    return ngettext("{count} day ago", "{count} days ago", hours // 24).format(count=hours // 24)
