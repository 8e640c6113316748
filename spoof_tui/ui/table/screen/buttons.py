"""The buttons of a web page at a table, derived from the scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol.views import TableView
from spoof_tui.acts.act import key_of, named
from spoof_tui.acts.buttons import Button, Buttons, Rows, Way, in_rows, step
from spoof_tui.acts.table import NO, PEEK, READY, SKIP, TABLE, TALK, YES, TableAct, may_play
from spoof_tui.telling.gestures import gesture_name
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.felt.wheel import digit, offered
from spoof_tui.ui.table.panel.panel import key_labels
from spoof_tui.ui.table.panel.turn import WordRow, call_row, table_rows
from spoof_tui.ui.table.scene import Scene

_ALSO: Final = (named("turn", TABLE), named("odds", TABLE), TALK, named("gesture", TABLE))
"""The acts of the last row, which may be wanted at any moment."""

_UNLABELLED: Final = ("turn", "vote", "menu", "network", "lines")
"""Acts that a page always offers if possible, even if the line of keys does not show them."""

_ROWS: Final = 3
"""The most rows of large buttons, and of those in the menu."""

_MOST_IN_ROW: Final = 4
"""The most buttons for a hand that stand in one row as high as three."""


def table_buttons(scene: Scene) -> Buttons:
    """The buttons for what can be done now, the likely act first."""
    view = scene.view
    if scene.talking is not None:
        return Buttons()
    if view is None or scene.over:
        ways = [Button(key_of(key) or key, words) for key, words in key_labels(scene)]
        ways[0] = ways[0]._replace(way=Way.LIKELY)
        return Buttons([[each] for each in ways])
    if scene.wheel is not None:
        gestures = (Button(digit(each), gesture_name(each)) for each in offered(view))
        return Buttons(in_rows(gestures, 3), [Button("escape", _("back"))])
    main = _main(scene, view)
    peek = [_peek(scene)] if PEEK.is_listed(scene) and scene.reveal is None else []
    if not main and peek:
        main, peek = [[peek[0]._replace(label=_("hold to peek"))]], []
    also = [_of_act(act, scene) for act in _ALSO if _is_offered(act, scene)]
    taken = (*_ALSO, READY, PEEK, SKIP, YES, NO)
    # Who leaves has meant it: that is the farthest from a thumb.
    more = [act for act in reversed(TABLE) if act not in taken and _is_offered(act, scene)]
    columns = -(-len(more) // _ROWS)
    return Buttons(main, [*peek, *also], in_rows((_of_act(act, scene) for act in more), columns))


def _main(scene: Scene, view: TableView) -> Rows:
    """Rows of large buttons for what moves the game on."""
    if scene.pacing.is_again and scene.is_counted:
        return [[Button("escape", _("back to the table"), way=Way.LIKELY)]]
    if scene.reveal is not None and not scene.is_counted:
        words = _("go on") if scene.is_judged else _("skip to the verdict")
        return [[Button("escape", words, way=Way.LIKELY)]]
    on = Button(
        "escape", _("back to the table") if scene.leads_back else _("go on"), way=Way.LIKELY
    )
    if scene.pacing.is_resting:
        return [[on]]
    rows: list[Sequence[Button]] = []
    if may_play(scene):
        rows += _of_game(scene, view)
    asked = [[_of_act(act, scene) for act in acts if act.label(scene)]
             for acts in ((YES, NO), (READY,), (SKIP,))]  # fmt: skip
    # A no alone takes something back, and comes last.
    asked.sort(key=lambda row: [each.key for each in row] == [NO.key])
    asked = [row for row in asked if row]
    if asked and not rows:
        asked[0][0] = asked[0][0]._replace(way=Way.LIKELY)
    rows += asked[: _ROWS - len(rows)]
    if not rows and scene.has_news:
        rows = [[on]]
    return rows


def _of_game(scene: Scene, view: TableView) -> Rows:
    """Rows of buttons for a word or a hand, if the table waits for one."""
    if view.my_turn and view.is_guessing:
        return [_number(call_row(scene, view))]
    if view.my_turn:
        words = table_rows(scene, view)
        bids = [_number(each) for each in words if each.number is not None]
        return [*bids, *in_rows((_ending(each, scene) for each in words if each.word), 2)]
    if view.own_fist_due and view.my_seat is not None:
        return _hands(scene, view.my_seat.coins)
    return []


def _number(row: WordRow) -> Sequence[Button]:
    """A row with the number to say between the arrows that change it."""
    say = Button("enter", f"{row.say} {row.number}", way=Way.LIKELY)
    return [step("left", _("a lower number")), say, step("right", _("a higher number"))]


def _ending(row: WordRow, scene: Scene) -> Button:
    if row.word is scene.controls.armed:
        return Button(row.key, row.say, _("tap again"), Way.ARMED)
    return Button(row.key, row.say, row.claims)


def _hands(scene: Scene, coins: int) -> Rows:
    if scene.covers:
        hide = Button("enter", _("hide"), _("from the hidden list"), Way.LIKELY)
        return [
            [step("left", _("one coin fewer")), hide, step("right", _("one coin more"))],
            [_peek(scene)],
        ]
    about = _("hide {number}")
    hands = [
        Button(str(each), str(each), way=Way.HAND, about=about.format(number=each))
        for each in range(min(coins, 9) + 1)
    ]
    if coins > 9:
        typed = [Button("backspace", _("clear")), Button("enter", _("hide"), way=Way.LIKELY)]
        return [*in_rows((each._replace(about="") for each in hands), 5), typed]
    return in_rows(hands, _MOST_IN_ROW if coins < _MOST_IN_ROW else 5)


def _peek(scene: Scene) -> Button:
    """The button that shows the player's hand for as long as it is held."""
    return _of_act(PEEK, scene)._replace(way=Way.HOLD)


def _is_offered(act: TableAct, scene: Scene) -> bool:
    if act.label(scene) is not None:
        return act.button is not None
    return act.id in _UNLABELLED and act.is_listed(scene)


def _of_act(act: TableAct, scene: Scene) -> Button:
    label, name = act.label(scene), act.button() if act.button else act.id
    way = Way.TALK if act is TALK else Way.PLAIN
    return Button(act.key, label.words if label else name, way=way, about=act.about())
