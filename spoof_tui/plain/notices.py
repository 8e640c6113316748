"""What a notice from the background says to a player who reads plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from protocol.guest.effects import CodeWanted
from spoof_tui.door.program import DoorFailed
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.invitation import Invitation
from spoof_tui.runtime.notices import (
    ContinuedAt,
    DoorChanged,
    Explained,
    NewCode,
    Opened,
    Reopened,
    Saved,
    SeatHeld,
    Standing,
    WhileAway,
)
from spoof_tui.telling import sentences
from spoof_tui.telling.absence import new_table_words
from spoof_tui.telling.doors import door_lines
from spoof_tui.telling.notices import About, code_renewed, told
from spoof_tui.text.i18n import _


@singledispatch
def notice_lines(notice: object, about: About) -> list[str]:
    """The lines of a notice; none if the views show the same."""
    return list(told(notice, about).lines)


@notice_lines.register
def _while_away(notice: WhileAway, about: About) -> list[str]:
    words = told(notice, about)
    return [f"{words.title}:", *words.lines] if words.lines else []


@notice_lines.register
def _saved(notice: Saved, about: About) -> list[str]:
    return [_("Game saved: {path}").format(path=notice.record)]


@notice_lines.register
def _opened(notice: Opened, about: About) -> list[str]:
    if not notice.address:
        return []
    return [*invitation_lines(notice.address, notice.code), notice.trouble or ""]


def invitation_lines(address: str, code: str | None) -> list[str]:
    """What the host tells the others, so that they can find the table and get in."""
    line = Invitation(Address.parse(address), code).line
    lines = [_("Others find your table in their lobby, or type: {line}").format(line=line)]
    if code is not None:
        lines.append(_("Join code: {code}").format(code=" ".join(code)))
    return lines


@notice_lines.register
def _door_changed(notice: DoorChanged, about: About) -> list[str]:
    said = notice.said
    if said is None:
        return [_("The door is closed.")]
    if isinstance(said, DoorFailed):
        return [said.why]
    return [*door_lines(said, about.code)]


@notice_lines.register
def _explained(notice: Explained, about: About) -> list[str]:
    return finding_lines(notice.findings)


def finding_lines(findings: Sequence[Finding]) -> list[str]:
    """The worst problem, and what to do about it; none if there is none."""
    from spoof_tui.telling.findings import in_the_way

    return [f"{told.rstrip('.')}." for told in in_the_way(findings)]


@notice_lines.register
def _new_code(notice: NewCode, about: About) -> list[str]:
    return [code_renewed(notice.why, " ".join(notice.code))]


@notice_lines.register
def _code_asked(notice: CodeWanted, about: About) -> list[str]:
    asked = _("The table asks for its join code: type it, or q to leave.")
    return [sentences.code_asked(notice.why), asked]


@notice_lines.register
def _seat_held(notice: SeatHeld, about: About) -> list[str]:
    other = _("Type yes to take it over, or q to leave.")
    if notice.is_other_free:
        other = _("Type yes to take it over, no to sit down as somebody else, or q to leave.")
    return [sentences.seat_held(notice.holder), other]


@notice_lines.register
def _standing(notice: Standing, about: About) -> list[str]:
    return [_("This computer is taking over the table: asking the others to follow …")]


@notice_lines.register
def _continued_at(notice: ContinuedAt, about: About) -> list[str]:
    return [new_table_words(about.view, notice.card)] if about.view else []


@notice_lines.register
def _reopened(notice: Reopened, about: About) -> list[str]:
    return [_("The table is open again. Press Enter to come back to your seat.")]
