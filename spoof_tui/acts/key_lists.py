"""Lists of a table's keys, for its help, the palette and the manual."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocol.views import TableView
from spoof_tui.acts import act, table
from spoof_tui.acts.act import KeyAct
from spoof_tui.telling.sentences import word_name
from spoof_tui.telling.table_state import TableState
from spoof_tui.text.i18n import _


def table_keys(facts: TableState) -> Iterator[KeyAct]:
    """The keys that do something at a table now, for help and palette."""
    if facts.view is not None and table.may_play(facts):
        yield from _of_game(facts, facts.view)
    acts = [each for each in table.TABLE if facts.view is not None or not each.needs_table]
    for each in act.key_acts(acts, facts):
        if each.key == "question_mark":
            yield KeyAct("", _("hide everything on the screen"), "Ctrl+L")
        ready = table.READY.label(facts) if each.key == table.READY.key else None
        # Enter, where the line of keys says so.
        yield each._replace(shown=ready.caption) if ready else each


def _of_game(facts: TableState, view: TableView) -> Iterable[KeyAct]:
    """The keys for hiding a hand, or for saying a word, if the table waits for that."""
    if view.own_fist_due and view.my_seat:
        yield from _hand(view.my_seat.coins, covers=facts.covers)
    if view.my_turn:
        yield KeyAct("enter", _("say the number on the screen"))
        yield KeyAct("up", _("a higher number"), "↑ →")
        yield KeyAct("down", _("a lower number"), "↓ ←")
        yield KeyAct("", _("type a number"), "0–9")
        for word in () if view.is_guessing else view.allowed_endings:
            if facts.offers(word):
                yield KeyAct(table.LETTERS[word], word_name(word))


def _hand(coins: int, *, covers: bool) -> Iterable[KeyAct]:
    if covers:
        yield KeyAct("", _("move through the list, which stays hidden"), "← →")
        yield KeyAct("enter", _("hide the selected hand"))
        yield KeyAct("space", _("see that hand for a moment"))
    elif coins > 9:
        yield KeyAct("", _("hide this many coins"), f"0–{coins} " + _("Enter"))
    else:
        for number in range(coins + 1):
            yield KeyAct(str(number), _("hide {number}").format(number=number))


def all_keys() -> Iterator[tuple[str, str]]:
    """Every key of a table and its description, for the manual."""
    yield "0–3", _("hide that many coins")
    yield _("Enter"), _("ready; say the number on the screen")
    yield " ".join(table.ENDING_KEYS), _("call, cliff, spoof, zero: press twice")
    for each in table.TABLE:
        if each.key:
            yield act.caption(each.key), each.about()
