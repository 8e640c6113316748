"""What a notice from the background changes in the scene."""

from __future__ import annotations

from functools import singledispatch
from pathlib import Path

from protocol.errors import Illegal
from spoof_tui.door.opening import DoorFailed, DoorOpened
from spoof_tui.runtime.notices import (
    Broken,
    CannotOpen,
    ContinuedAt,
    DiskTrouble,
    DoorChanged,
    Ended,
    Explained,
    HandedTo,
    KeyInUse,
    Moved,
    NewCode,
    NotAllowed,
    NotKept,
    NotSaved,
    Opened,
    OpenElsewhere,
    Reopened,
    Saved,
    Standing,
    TakenOver,
    TurnedAway,
    WentOn,
    WhileAway,
)
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.table.inviting import cannot_move, door_line
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import sentences
from spoof_tui.ui.wording.catch_up import missed
from spoof_tui.ui.wording.disk import disk_words, not_kept_words
from spoof_tui.ui.wording.names import name_of

_NAME_CELLS = 30
"""Cells of a foreign name in a sentence."""


@singledispatch
def noted(notice: object, scene: Scene) -> None:
    """Take down in `scene` what a notice tells of it; nothing, if it tells nothing of it."""


def forbidden(error: Illegal, scene: Scene) -> str:
    """Why something is not allowed at this table."""
    return sentences.why_not(error, scene.names)


@noted.register
def _not_allowed(notice: NotAllowed, scene: Scene) -> None:
    scene.remark = forbidden(notice.error, scene)


@noted.register
def _saved(notice: Saved, scene: Scene) -> None:
    scene.record = _short(notice.record)


@noted.register
def _not_saved(notice: NotSaved, scene: Scene) -> None:
    why = notice.error.strerror or str(notice.error)
    scene.remark = _("Not saved on this computer: {why}.").format(why=why)


@noted.register
def _disk_trouble(notice: DiskTrouble, scene: Scene) -> None:
    words = disk_words(notice)
    scene.disk, scene.remark = (words, "") if notice.error else ("", words)


@noted.register
def _not_kept(notice: NotKept, scene: Scene) -> None:
    scene.remark = not_kept_words(notice)


@noted.register
def _opened(notice: Opened, scene: Scene) -> None:
    scene.hosts = scene.may_add_bots = True
    scene.is_practice = notice.port is None
    scene.trouble, scene.code, scene.address = notice.trouble, notice.code, notice.address
    if scene.took_over and notice.code:
        text = _("Players are asked once for the code: tell them {code}.")
        scene.tell(_("The table has moved"), text.format(code=notice.code))


@noted.register
def _door_changed(notice: DoorChanged, scene: Scene) -> None:
    said = notice.said
    scene.door = said if isinstance(said, DoorOpened) else None
    if isinstance(said, DoorFailed):
        scene.remark = said.why
    elif isinstance(said, DoorOpened):
        text = _("The door is open: {command}").format(command=door_line(scene))
        scene.remark = f"{text} · {_('i says more')}"
    else:
        scene.remark = _("The door for ssh is closed.")


@noted.register
def _explained(notice: Explained, scene: Scene) -> None:
    is_news = not cannot_move(scene.findings)
    scene.findings = notice.findings
    if is_news and (words := cannot_move(notice.findings)):
        scene.remark = words


@noted.register
def _new_code(notice: NewCode, scene: Scene) -> None:
    scene.code = notice.code
    scene.remark = scene.code_news = sentences.code_renewed(notice.why, notice.code)


@noted.register
def _standing(notice: Standing, scene: Scene) -> None:
    scene.is_standing = True


@noted.register
def _open_elsewhere(notice: OpenElsewhere, scene: Scene) -> None:
    scene.may_add_bots = False
    text = _("{name} now hosts the table: you come back as a player.")
    scene.tell(_("The table has moved"), text.format(name=show(notice.host, _NAME_CELLS)))


@noted.register
def _while_away(notice: WhileAway, scene: Scene) -> None:
    if scene.view and (lines := missed(notice.entries, scene.view)):
        scene.tell(_("While you were away"), *lines)


@noted.register
def _went_on(notice: WentOn, scene: Scene) -> None:
    scene.tell(_("A new table"), _("The game goes on at a new table."))


@noted.register
def _continued_at(notice: ContinuedAt, scene: Scene) -> None:
    scene.continued = notice.card


@noted.register
def _handed_to(notice: HandedTo, scene: Scene) -> None:
    view = scene.view
    if view is None or notice.seat == view.host:
        # The host itself only wants to be chosen again.
        return
    name = name_of(view, notice.seat)
    text = _("The host gives the table to {name}.").format(name=name)
    if view.my_seat is not None and view.my_seat.key == notice.seat:
        text = _("The host gives the table to you.")
    scene.tell(_("The table moves"), text)


@noted.register
def _moved(notice: Moved, scene: Scene) -> None:
    """What a table tells of itself belongs to its host's screen alone."""
    scene.is_standing = False
    scene.took_over = notice.me
    if not notice.me:
        scene.code, scene.code_news, scene.address = None, "", ""
        scene.may_add_bots, scene.trouble = False, None


@noted.register
def _turned_away(notice: TurnedAway, scene: Scene) -> None:
    scene.turned_away = sentences.turned_away(notice.why, scene.found_at)


@noted.register
def _ended(notice: Ended, scene: Scene) -> None:
    scene.over = sentences.farewell(notice.why)


@noted.register
def _reopened(notice: Reopened, scene: Scene) -> None:
    scene.reopened = True


@noted.register
def _broken(notice: Broken, scene: Scene) -> None:
    why = str(notice.error)
    if notice.fault is not None:
        rules = scene.view.rules if scene.view else None
        why = sentences.fault(notice.fault, scene.names, rules)
    path = str(_short(notice.evidence)) if notice.evidence else None
    scene.over = sentences.broken(why, path)


@noted.register
def _cannot_open(notice: CannotOpen, scene: Scene) -> None:
    if isinstance(notice.error, KeyInUse):
        scene.over = sentences.key_in_use(notice.error.holder)
    else:
        scene.over_title = sentences.no_table_title(notice.error)
        scene.over = sentences.cannot_open(notice.error)


@noted.register
def _taken_over(notice: TakenOver, scene: Scene) -> None:
    scene.over = sentences.taken_over(notice.holder)
    scene.over_title = _("Your seat is in another window")


def _short(path: Path) -> Path:
    """The path with the home directory as ~."""
    try:
        return Path("~") / path.relative_to(Path.home())
    except ValueError:
        return path
