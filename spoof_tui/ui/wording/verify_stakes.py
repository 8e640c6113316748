"""The stakes at the end of a stored log, in lines for `spoof verify` (S1, S2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from protocol.rules.stakes import Stakes
from spoof_tui.text.i18n import _, ngettext


def told_of(stakes: Stakes, names: Mapping[bytes, str]) -> Iterator[str]:
    """The stakes at the end of a log, for `spoof verify`; nothing where nothing was kept."""
    if stakes.chips:
        chips = sorted(stakes.chips.items(), key=lambda each: -each[1])
        told = ", ".join(f"{names[key]} {count:+d}" for key, count in chips)
        yield _("Chips: {names}.").format(names=told)
    if stakes.pot:
        text = ngettext(
            "{count} chip lies in the pot (S1).", "{count} chips lie in the pot (S1).", stakes.pot
        )
        yield text.format(count=stakes.pot)
    if stakes.paid:
        told = ", ".join(f"{names[key]} {count}" for key, count in Counter(stakes.paid).items())
        yield _("Rounds paid: {names}.").format(names=told)
