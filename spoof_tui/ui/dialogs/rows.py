"""What follows from a screen's rows of acts: its bindings, a line of keys, and its help."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from spoof_tui.ui.actions import tell
from spoof_tui.ui.acts.act import AnyAct, KeyAct, key_acts, key_of, named
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece


def bindings(acts: Iterable[AnyAct]) -> list[Binding]:
    """The keys of these acts; the screen carries them out in `action_do`."""
    return [Binding(",".join((each.key, *each.also)), f"do({each.id!r})", show=False)
            for each in acts if each.key]  # fmt: skip


def key_line(
    labels: Iterable[tuple[str, str]], between: str = "  ", look: str = "$quiet"
) -> Content:
    """Keys and what they do, each clickable; `look` is that of the words."""
    shown = (Content("").join(_label(*each, look)) for each in labels)
    return Content(between).join(shown)


def _label(caption: str, words: str, look: str) -> Iterator[Content]:
    """Each key separately; a click on the words presses the last one."""
    click = Style()
    for key in caption.split():
        click = Style.from_meta({"@click": f"app.simulate_key({key_of(key)!r})"})
        yield Content.styled(palette.key_sign(key), "bold $accent").stylize(click)
        yield Content(" ")
    yield Content.styled(words, look).stylize(click)


def key_pieces(caption: str, words: str = "") -> list[Piece]:
    """A key, or several, and what it does: each can be clicked; a click on the words presses the
    last key."""
    pieces: list[Piece] = []
    parts = caption.split()
    pressed = ""
    for key in parts if key_of(parts[-1]) else [caption]:
        pressed = key_of(key) or ""
        look = palette.pressing(palette.KEY, pressed)
        pieces += [(" ", palette.QUIET)] * bool(pieces) + [(palette.key_sign(key), look)]
    if words:
        pieces.append((f" {words}", palette.pressing(palette.QUIET, pressed)))
    return pieces


def clickable_line(id: str) -> Static:
    """A line whose pieces can be clicked, and keep their own style."""
    line = Static(id=id, markup=False)
    line.auto_links = False
    return line


class ActScreen(Screen[None]):
    """A screen that carries out rows of acts."""

    ACTS: ClassVar[Sequence[AnyAct]] = ()

    @property
    def facts(self) -> Any:
        """What the acts depend on."""
        return None

    def adapt(self) -> None:
        """Apply changed settings, and redraw."""

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here now, for the command palette and the help."""
        return tuple(key_acts(self.ACTS, self.facts))

    def action_do(self, name: str) -> None:
        """Carry out the act of this name, or say why not; nothing while it is not listed."""
        act = named(name, self.ACTS)
        if why := act.why_not(self.facts):
            tell(self.app, why)
        elif act.is_listed(self.facts):
            act.do(self, "")

    def show_help(self) -> None:
        """Show the keys."""
        from spoof_tui.ui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.acts()))
