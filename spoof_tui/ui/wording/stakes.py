"""What is played for, in words: chips up and down, the pot, and who pays the round (S1, S2)."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.rules.options import Stake
from protocol.rules.stakes import stake_of
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.palette import glyphs


def signed(chips: int) -> str:
    """Chips up or down, with a sign as wide as a digit; 0 without one."""
    if not chips:
        return "0"
    return f"+{chips}" if chips > 0 else f"{glyphs().minus}{-chips}"


def score(view: TableView, seat: int) -> str:
    """What the evening has brought a seat so far: chips, or rounds that it paid; maybe nothing."""
    key, stake = view.seats[seat].key, stake_of(view.rules)
    if stake is Stake.POT:
        return f"{glyphs().chip}{signed(view.stakes.up(key))}"
    rounds = view.stakes.rounds(key)
    if view.is_guessing and view.phase is Phase.GATHERING:
        rounds = view.slate.paid.count(key)  # no sooner than the last count is told (H12)
    if not rounds:
        return ""
    return _("paid {count}×").format(count=rounds)


def standing(view: TableView, names: Sequence[str]) -> str:
    """How everybody who sits here stands, the best first; empty where nothing is kept."""
    called = [_("you") if seat == view.me else name for seat, name in enumerate(names)]
    pairs = [(called[place], seat.key) for place, seat in enumerate(view.seats)]
    if stake_of(view.rules) is Stake.POT and view.stakes.chips:
        chips = [(name, view.stakes.up(key)) for name, key in pairs if key in view.stakes.chips]
        chips.sort(key=lambda each: -each[1])
        told = ", ".join(f"{name} {signed(count)}" for name, count in chips)
        return _("Chips: {names}.").format(names=told)
    if stake_of(view.rules) is Stake.DRINKS and view.stakes.paid:
        rounds = [(name, view.stakes.rounds(key)) for name, key in pairs]
        rounds.sort(key=lambda each: -each[1])
        told = ", ".join(f"{name} {count}" for name, count in rounds if count)
        return _("Rounds paid: {names}.").format(names=told) if told else ""
    return ""


def own(view: TableView) -> str:
    """How the player stands, over all games of the evening; empty where nothing is kept."""
    chips = view.stakes.up(view.my_seat.key) if view.my_seat else 0
    if chips > 0:
        text = ngettext("You are {count} chip up.", "You are {count} chips up.", chips)
    else:
        text = ngettext("You are {count} chip down.", "You are {count} chips down.", -chips)
    return text.format(count=abs(chips)) if chips else ""


def result(view: TableView, names: Sequence[str]) -> str:
    """Who takes the pot of the game that is over, or pays its round; empty if nobody does."""
    if view.winner is None:
        return ""
    if stake_of(view.rules) is Stake.POT:
        if view.winner == view.me:
            return _("You take the pot.")
        return _("{name} takes the pot.").format(name=names[view.winner])
    out = next((each.outcome.went_out for each in view.past if each.outcome.went_out), ())
    if stake_of(view.rules) is not Stake.DRINKS or not out or not _pays(view, out[0]):
        return ""
    if out[0] == view.me:
        return _("You were the first out, and pay the round.")
    return _("{name} was the first out, and pays the round.").format(name=names[out[0]])


def _pays(view: TableView, seat: int) -> bool:
    """Whether the last round was paid by this seat: at a new table perhaps by nobody (G8)."""
    return bool(view.stakes.paid) and view.stakes.paid[-1] == view.seats[seat].key
