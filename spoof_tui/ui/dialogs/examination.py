"""A page on the network's examination: what is wrong, how the program knows, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from spoof_tui.telling.findings import hotspot, one_machine, told
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.app_protocol import actions
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.dialogs.dialog import Keys
from spoof_tui.ui.dialogs.reading import Reading, hanging, stacked
from spoof_tui.ui.messages import Examined

if TYPE_CHECKING:
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.findings import Finding

_LABEL = 12
"""Columns of the label before a line."""


class ExaminationDialog(Reading):
    """Examines the network when it opens, and again on the key x."""

    BINDINGS = [("x", "look_again")]

    def __init__(self, address: Address | None = None) -> None:
        """`address` is where a table should answer; None if the player looks for none in
        particular."""
        title = _("The network") if address is None else address.text
        super().__init__(title, self._page)
        self._address = address
        self._result: Examined | None = None

    def keys(self) -> Keys:
        """The key that examines again, once there is a result."""
        return [("x", _("look again"))] if self._result else []

    def on_mount(self) -> None:
        self._examine()

    def _examine(self) -> None:
        def told(findings: tuple[Finding, ...], found: Sequence[Address]) -> None:
            self.post_message(Examined(findings, found))

        actions(self.app).examine(told, self._address)

    def on_examined(self, message: Examined) -> None:
        """Show the result."""
        self._result = message
        self.present()

    def action_look_again(self) -> None:
        """Examine the network again, unless that is still going on."""
        if self._result:
            self._result = None
            self.present()
            self._examine()

    def _page(self, width: int) -> Content:
        if self._result is None:
            return Content(_("Checking the network. This takes about four seconds …"))
        return examination_page(self._result.findings, self._result.found, width)


def examination_page(findings: Sequence[Finding], found: Sequence[Address], width: int) -> Content:
    """The findings, and where tables answered, in lines of `width` columns."""
    lines = [
        hanging(
            Content.styled(glyphs().yes, "$accent"),
            _("A table answers at {address}.").format(address=address.text),
            2,
            width,
            "$accent",
        )
        for address in found
    ]
    if not findings:
        lines.append(Content(_("Nothing is in the way.")))
    for finding in findings:
        lines += [Content(), *_lines(finding, width)] if lines else _lines(finding, width)
    if any(each.severity for each in findings):
        ways = _("When nothing helps: {hotspot}; or {ssh}.")
        words = ways.format(hotspot=hotspot(), ssh=one_machine())
        lines += [Content(), *(Content.styled(line, "$quiet") for line in wrap(words, width))]
    return stacked(lines)


def _lines(finding: Finding, width: int) -> Iterator[Content]:
    words = told(finding)
    yield from (Content.styled(line, "bold") for line in wrap(words.means, width))
    for label, text, look in (
        (_("seen"), words.seen, "$quiet"),
        (_("do"), words.todo, "bold"),
    ):
        yield hanging(Content.styled(f"  {label}", "$quiet"), text, _LABEL, width, look)
