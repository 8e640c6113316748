"""The dialog that asks for the join code of a table."""

from __future__ import annotations

from typing import Final

from textual import events

from protocol.crypto.join_code import ALPHABET, CODE_LENGTH
from protocol.wire.messages import Farewell
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.dialog import Dialog
from spoof_tui.ui.canvas.form import CodeRow, Form, TextRow
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.wording.sentences import code_asked

_ALIKE: Final = ("B8", "I1", "O0", "S5", "Z2")
"""Letters and digits that are left out of every code, because they are taken for one another."""

_PASSED_OVER: Final = frozenset("-–_.")
"""What people write between the letters of a code, besides blanks."""

_WIDTH: Final = 54


class CodeDialog(Dialog[str]):
    """A join code to type, in any case and with any layout of the keyboard."""

    def __init__(self, table: str, why: Farewell, typed: str = "") -> None:
        """Ask for the code of `table`; `why` says what became of `typed`, if it was tried."""
        self._row = CodeRow(
            _("Code"),
            CODE_LENGTH,
            text=typed,
            help=_("The host's screen shows it: ask for it. You are asked this once."),
            refused=why is Farewell.WRONG_CODE,
        )
        keys = [("Enter", _("sit down")), ("Ctrl+U", _("clear")), ("Esc", _("lobby"))]
        title = _("The code of “{table}”").format(table=table) if table else _("The join code")
        form = Form(title, [self._row], keys, width=_WIDTH, wrong=code_asked(why))
        self._complaint = ""
        super().__init__(form)

    def result(self) -> str:
        """The code; raises `ValueError` while letters are missing."""
        missing = CODE_LENGTH - len(self._row.text)
        if missing:
            sentence = ngettext(
                "A code has {length} letters or digits: {missing} is missing.",
                "A code has {length} letters or digits: {missing} are missing.",
                missing,
            )
            raise ValueError(sentence.format(length=CODE_LENGTH, missing=missing))
        return self._row.text

    def edit(self, row: TextRow | CodeRow, event: events.Key) -> bool:
        """Type a letter by its place on the keyboard, or take letters away."""
        edits = {
            "backspace": self._row.erase,
            "ctrl+h": self._row.erase,
            "delete": self._row.erase,
            "ctrl+u": self._row.clear,
        }
        if event.key in edits:
            edits[event.key]()
        elif event.is_printable and event.character:
            self._type(event.character)
        else:
            return False
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Type what was pasted."""
        self._type(event.text)
        self._touched()
        event.stop()

    def changed(self) -> None:
        """Say what cannot be typed, for as long as it is the last thing that was."""
        self.form.wrong, self._complaint = self._complaint, ""

    def _type(self, typed: str) -> None:
        for letter in (latin(letter).upper() for letter in typed):
            if letter in ALPHABET:
                self._row.type(letter)
            elif not letter.isspace() and letter not in _PASSED_OVER:
                self._complaint = _never(letter)


def _never(letter: str) -> str:
    """Why a letter is in no code."""
    for one, other in _ALIKE:
        if letter in (one, other):
            text = _("A code has no {one} and no {other}: they are taken for one another.")
            return text.format(one=one, other=other)
    return _("A code has Latin letters and digits only.")
