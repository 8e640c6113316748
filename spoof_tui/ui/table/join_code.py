"""The dialog that asks for the join code of a table."""

from __future__ import annotations

from typing import Final

from textual import on
from textual.message import Message

from protocol.crypto.join_code import ALPHABET, CODE_LENGTH
from protocol.wire.messages import Farewell
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.dialogs.field import Field
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.wording.sentences import code_asked

_ALIKE: Final = ("B8", "I1", "O0", "S5", "Z2")
"""Letters and digits that are left out of every code, because they are taken for one another."""

_PASSED_OVER: Final = frozenset("-–_.")
"""What people write between the letters of a code, besides blanks."""


class CodeField(Field):
    """Takes the letters of a code in any case, and by their place on any keyboard."""

    class Refused(Message):
        """A letter was typed that is in no code."""

        def __init__(self, letter: str) -> None:
            super().__init__()
            self.letter = letter

    def __init__(self, text: str, *, is_wrong: bool) -> None:
        super().__init__(_("Code"), text, max_length=CODE_LENGTH)
        self._is_wrong = is_wrong
        """Whether the text is one that was wrong: the next letter begins a new one."""

    def replace(self, text: str, start: int, end: int) -> None:
        """Put letters in; the first one after a wrong code takes its place."""
        if self._is_wrong and text:
            start, end = 0, len(self.value)
        self._is_wrong = False
        super().replace(text, start, end)

    def admitted(self, text: str) -> str:
        """The letters and digits of a code; of others it is told why."""
        letters = [latin(letter).upper() for letter in text]
        for letter in letters:
            is_between = letter.isspace() or letter in _PASSED_OVER
            if letter not in ALPHABET and not is_between:
                self.post_message(self.Refused(letter))
        return "".join(letter for letter in letters if letter in ALPHABET)


class CodeDialog(Dialog[str]):
    """A join code to type, in any case and with any layout of the keyboard."""

    WIDTH = 54

    def __init__(self, table: str, why: Farewell, typed: str = "") -> None:
        """Ask for the code of `table`; `why` says what became of `typed`, if it was tried."""
        title = _("The code of “{table}”").format(table=table) if table else _("The join code")
        help = _("It is on the host’s screen: ask the host. You need it only the first time.")
        self._code = CodeField(typed, is_wrong=why is Farewell.WRONG_CODE)
        super().__init__(title, _("sit down"), [self._code], help=help, back=_("lobby"))
        self._refusal = ""
        """Why a letter was refused, while others are missing."""
        self.wrong = code_asked(why)

    def touched(self) -> None:
        """Letters came; why others did not is told until the code is whole."""
        super().touched()
        if len(self._code.value) == CODE_LENGTH:
            self._refusal = ""
        self.wrong = self._refusal
        self.present()

    def result(self) -> str:
        """The code; raises `ValueError` while letters are missing."""
        missing = CODE_LENGTH - len(self._code.value)
        if missing:
            sentence = ngettext(
                "A code has {length} letters or digits: {missing} is missing.",
                "A code has {length} letters or digits: {missing} are missing.",
                missing,
            )
            raise ValueError(sentence.format(length=CODE_LENGTH, missing=missing))
        return self._code.value

    @on(CodeField.Refused)
    def _refused(self, event: CodeField.Refused) -> None:
        event.stop()
        self.wrong = self._refusal = _never(event.letter)
        self.present()


def _never(letter: str) -> str:
    """Why a letter is in no code."""
    for one, other in _ALIKE:
        if letter in (one, other):
            text = _("A code has no {one} and no {other}: they look too much alike.")
            return text.format(one=one, other=other)
    return _("A code has Latin letters and digits only.")
