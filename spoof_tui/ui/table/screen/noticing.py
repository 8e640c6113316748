"""What a notice from the background changes in the scene."""

from __future__ import annotations

from functools import singledispatch

from spoof_tui.door.program import DoorFailed, DoorOpened
from spoof_tui.runtime.notices import (
    ContinuedAt,
    DiskTrouble,
    DoorChanged,
    Explained,
    Moved,
    NewCode,
    Opened,
    OpenElsewhere,
    Reopened,
    Saved,
    Standing,
    TurnedAway,
)
from spoof_tui.telling.notices import About, Told, code_renewed, short, told
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.dialogs.inviting import cannot_move, door_line
from spoof_tui.ui.table.scene import Scene


@singledispatch
def noted(notice: object, scene: Scene) -> None:
    """Note in `scene` what a notice says about it, if anything."""
    words = _told(notice, scene)
    if words.is_over:
        scene.over = " ".join(words.lines)
        scene.over_title = words.title or scene.over_title
    elif words.title:
        scene.tell(words.title, *words.lines)
    elif words.lines:
        scene.remark = " ".join(words.lines)


def _told(notice: object, scene: Scene) -> Told:
    return told(notice, About(scene.view, scene.found_at))


@noted.register
def _saved(notice: Saved, scene: Scene) -> None:
    scene.record = short(notice.record)


@noted.register
def _disk_trouble(notice: DiskTrouble, scene: Scene) -> None:
    (words,) = _told(notice, scene).lines
    scene.disk, scene.remark = (words, "") if notice.error else ("", words)


@noted.register
def _opened(notice: Opened, scene: Scene) -> None:
    scene.is_practice = notice.port is None
    scene.trouble, scene.code, scene.address = notice.trouble, notice.code, notice.address


@noted.register
def _door_changed(notice: DoorChanged, scene: Scene) -> None:
    said = notice.said
    scene.door = said if isinstance(said, DoorOpened) else None
    if isinstance(said, DoorFailed):
        scene.remark = said.why
    elif isinstance(said, DoorOpened):
        text = _("The door is open: {command}").format(command=door_line(scene))
        scene.remark = f"{text} · {_('press a to invite')}"
    else:
        scene.remark = _("The door is closed.")


@noted.register
def _explained(notice: Explained, scene: Scene) -> None:
    is_news = not cannot_move(scene.findings)
    scene.findings = notice.findings
    if is_news and (words := cannot_move(notice.findings)):
        scene.remark = words


@noted.register
def _new_code(notice: NewCode, scene: Scene) -> None:
    scene.code = notice.code
    scene.remark = scene.code_news = code_renewed(notice.why, notice.code)


@noted.register
def _standing(notice: Standing, scene: Scene) -> None:
    scene.is_standing = True


@noted.register
def _open_elsewhere(notice: OpenElsewhere, scene: Scene) -> None:
    scene.address = ""
    words = _told(notice, scene)
    scene.tell(words.title, *words.lines)


@noted.register
def _continued_at(notice: ContinuedAt, scene: Scene) -> None:
    scene.continued = notice.card


@noted.register
def _moved(notice: Moved, scene: Scene) -> None:
    """A host's own information belongs on its host's screen alone."""
    scene.is_standing = False
    if not notice.me:
        scene.code, scene.code_news, scene.address, scene.trouble = None, "", "", None


@noted.register
def _turned_away(notice: TurnedAway, scene: Scene) -> None:
    (scene.turned_away,) = _told(notice, scene).lines


@noted.register
def _reopened(notice: Reopened, scene: Scene) -> None:
    scene.reopened = True
