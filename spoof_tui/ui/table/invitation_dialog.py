"""How to invite somebody to the own table: a line to read aloud or to paste, and its QR code."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

from textual.content import Content

from spoof_tui.network.addresses import Address
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.canvas.palette import has_pixels
from spoof_tui.ui.dialogs.qr import qr_lines
from spoof_tui.ui.dialogs.reading import Reading, stacked
from spoof_tui.ui.table.inviting import door_line, invitation
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording.told import sentence
from spoof_tui.ui.wording.ways_out import hotspot, one_machine
from spoof_tui.visiting import is_visitor

_GAP: Final = 3


class InvitationDialog(Reading):
    """The invitation to the own table."""

    BINDINGS = [("i", "close", "")]

    def __init__(self, scene: Scene) -> None:
        super().__init__(_("Invite"), lambda width: invitation_page(scene, width))


def invitation_page(scene: Scene, width: int) -> Content:
    """The line, how to use it, and beside it its picture, where there is room."""
    line = invitation(scene)
    by_ssh = door_line(scene)
    picture = qr_lines("\n".join(filter(None, (line, by_ssh)))) if has_pixels() else []
    beside = max((each.cell_length for each in picture), default=0)
    room = width - beside - _GAP if beside else width
    is_beside = room >= len(line)
    words = _words(scene, line, room if is_beside else width)
    if not is_beside:
        return stacked([*words, Content(), *picture] if picture else words)
    rows = zip_longest(words, picture, fillvalue=Content())
    return stacked(
        [
            Content.assemble(text, " " * (room + _GAP - text.cell_length), squares)
            for text, squares in rows
        ]
    )


def _by_ssh(scene: Scene) -> list[tuple[str, str]]:
    """How those come in who have no program, and by what they know this machine."""
    if scene.door is None:
        if is_visitor():
            return []
        return [(_("a lets people in by ssh who have no Spoof."), "$quiet")]
    return [
        (_("Without Spoof, with any ssh client:"), ""),
        (door_line(scene), "bold $accent"),
        (_("Its key: {fingerprint}").format(fingerprint=scene.door.fingerprint), "$quiet"),
    ]


def _words(scene: Scene, line: str, width: int) -> list[Content]:
    short = Address.parse(scene.address).short
    aloud = _("Say aloud: {address}").format(address=short)
    if scene.code:
        aloud += " · " + _("code {code}").format(code=scene.code)
    parts: list[tuple[str, str]] = [
        (_("In the lobby your table is on the list."), ""),
        (aloud, "bold"),
        (_("To paste, in a terminal or after a in the lobby:"), ""),
        (line, "bold $accent"),
        *_by_ssh(scene),
        (_("Somebody is on another network, or this one keeps devices apart?"), "$quiet"),
        (sentence(hotspot()) + ".", "$quiet"),
        (sentence(one_machine()) + ".", "$quiet"),
    ]
    lines: list[Content] = []
    for text, look in parts:
        lines += [Content.styled(each, look) for each in wrap(text, width)]
        lines += [Content()] if look != "$quiet" else []
    return lines
