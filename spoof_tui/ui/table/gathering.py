"""What is said between games: what to press, who is awaited, and how others come to the table."""

from __future__ import annotations

from protocol.table.fold import Phase
from protocol.views import SeatStatus, TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import absence


def invitation(scene: Scene, view: TableView) -> str:
    """What to press before a game, and how long the others wait for that."""
    text = _to_press(scene, view)
    if left := absence.start_delay(view, scene.now):
        begins = _("The game begins without you in {time}.").format(time=absence.duration(left))
        return f"{text} {begins}"
    return text


def _to_press(scene: Scene, view: TableView) -> str:
    here = (SeatStatus.HERE, SeatStatus.UNSTEADY)
    others = [seat for seat in view.seats if not seat.is_me and seat.presence in here]
    if view.winner is None and others and all(seat.ready for seat in others):
        return _("Everybody is ready but you. Press Enter.")
    if not others and scene.may_add_bots:
        return _("Waiting for one more player. Press m to add a bot.")
    return _("Press Enter when you are ready to play.")


def removed(view: TableView) -> str:
    """That the own seat was taken away, and how to ask for one."""
    text = _(
        "Your seat was taken away, by the host or by a majority of the players. You are "
        "watching now."
    )
    if view.phase is not Phase.GATHERING:
        return text + " " + _("When the game is over you can ask for a seat again.")
    return text + " " + _("Press r to ask for a seat again.")


def waits_for(scene: Scene, view: TableView) -> str:
    """Whom a player waits for who is ready."""
    missing = [
        name for seat, name in zip(view.seats, scene.names, strict=True)
        if not seat.ready and seat.presence in (SeatStatus.HERE, SeatStatus.UNSTEADY)
    ]  # fmt: skip
    if len(view.seats) < 2 or not missing:
        return _("You are ready. Waiting for others to sit down.")
    text = _("You are ready. Waiting for {names}.").format(names=", ".join(missing))
    if left := absence.start_delay(view, scene.now):
        return text + " " + _("{time} at the most.").format(time=absence.duration(left))
    return f"{text} {absence.idle_words(view, scene.now)}".rstrip()
