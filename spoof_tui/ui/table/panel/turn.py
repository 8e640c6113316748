"""The player's turn in the panel: a question, and a table of the words that the player may say.

Each word has its claim, and whose coins change if that is right or wrong, computed by the rules
from a round that ends with this word. The player's own hand is not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules
from protocol.rules.words import Direction, Ending, RoundOutcome, Verdict, speaking_order
from protocol.views import TableView
from spoof_tui.acts.act import key_of
from spoof_tui.acts.table import LETTERS
from spoof_tui.telling import absence, sentences
from spoof_tui.telling.titles import call_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext, pgettext
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece, clickable, first_fitting, fit, length, prose
from spoof_tui.ui.dialogs.labels import key_pieces
from spoof_tui.ui.table.felt import guessing as school
from spoof_tui.ui.table.felt.tone import change_words
from spoof_tui.ui.table.frame import flowing
from spoof_tui.ui.table.scene import Scene
from spoof_tui.visiting import has_page

_KEY: Final = 6
"""Cells of the column of keys."""


class Columns(NamedTuple):
    """Widths in cells of the columns word, claim and "if right"; "if wrong" gets the rest."""

    word: int
    claim: int
    right: int


_WIDE: Final = Columns(16, 17, 20)
_TIGHT: Final = Columns(14, 15, 12)
_AMPLE: Final = Columns(18, 20, 36)

_NARROW_WORD: Final = 14
"""Cells of the word column in a narrow panel, which leave room for the claim."""

_WITH_CLAIM: Final = 42
"""Columns of a panel from which lines show the claim."""

_WITH_PRICES: Final = 57
"""Columns of a panel from which lines show what a word costs, in few words."""

_ROOMY: Final = 70
"""Columns of a panel from which lines show what a word costs in full."""

_SPACIOUS: Final = 98
"""Columns of a panel from which the lines show it in whole sentences."""

_FULL: Final = 7
"""Rows of a panel up to which there is no line for every word."""

BRIEF: Final = 5
"""Rows of a panel in which everything is as short as possible."""


@dataclass(frozen=True, slots=True)
class WordRow:
    """A word that the player may say, as a row of the table."""

    key: str
    """The name of its key."""
    say: str
    claims: str
    if_right: Sequence[str] = ()
    if_wrong: Sequence[str] = ()
    """What the word costs if it is wrong, in several wordings, the longest first (`if_right`:
    likewise)."""
    if_called: Sequence[str] = ()
    """What a bid costs where `if_right` and `if_wrong` have no room, likewise."""
    prize: Sequence[str] = ()
    """What the word wins where no column tells it, if that is less than usual: two wordings that
    follow the claim, the longer one first; otherwise empty."""
    number: int | None = None
    """The number to bid or call, which the arrows change; None for an ending word."""
    word: Ending | None = None


def turn_lines(
    scene: Scene, view: TableView, width: int, height: int, hinted: int = 0
) -> list[list[Piece]]:
    """The question and the table, for a panel of `height` rows in all, of which a hint below them
    needs `hinted`."""
    rows = table_rows(scene, view)
    # The page's buttons are the words, with what each claims.
    is_told = has_page() and width < _ROOMY
    # In the table an armed word has its claim beside it.
    is_brief = is_told or height <= _FULL or width < _WITH_PRICES
    asked = (_question if is_brief else _doubt)(scene, view, width)
    warnings = absence.wait_warnings(view) if any(row.word for row in rows) else ()
    warned, heads = _warning(warnings, width, is_brief), _heads(scene, asked, width)
    if warned and is_brief and not (scene.said or view.may_turn):
        # The felt shows what the question is about, too.
        heads = []
    *above, head = [*warned, *heads]
    if is_told or (has_page() and height - len(above) <= _FULL):
        return [*above, head]
    if height > _FULL and width >= _WITH_PRICES:
        lines = [*above, *_table(rows, scene, view, head, width, height - len(above))]
        if height - len(above) > _FULL or len(lines) <= height - 2:
            return lines
    most = max(height - len(above) - hinted, BRIEF) - 3
    return [*above, head, *_in_brief(_told_apart(rows, view), scene, width, most)]


def _table(
    rows: Sequence[WordRow],
    scene: Scene,
    view: TableView,
    head: list[Piece],
    width: int,
    height: int,
) -> list[list[Piece]]:
    """The rows under `head` and the titles of the columns, if any row has columns."""
    if not any(_has_columns(row, width) for row in rows):
        heads = [head]
    elif scene.is_first_round or len(rows) + 4 > height:
        heads = _head_and_titles(scene, view, head, width)
    else:
        heads = [head, _titles(width)]
    return [*heads, *(_row_pieces(row, scene, width) for row in rows)]


def calling_lines(scene: Scene, view: TableView, width: int, height: int) -> list[list[Piece]]:
    """The question and the number to call in the guessing game, for a panel of `height` rows."""
    attempts = school.head_of_call(view) if view.my_attempts else ""
    row = call_row(scene, view)
    free = _("Free: {numbers}").format(numbers=" ".join(str(each) for each in view.free))
    if attempts and not scene.said:
        heads = prose(attempts, width, palette.WRONG)
    else:
        asked = _("How many coins are in the {fists} fists?").format(fists=_fists(view))
        heads = _heads(scene, first_fitting(width, asked, _("How many coins?")), width)
    body = [_row_pieces(row, scene, width)]
    if height <= BRIEF:
        return [*heads, *body]
    titles = [_titles(width)] if width >= _WITH_PRICES else []
    return [*heads, *titles, *body, *prose(free, width, palette.QUIET)]


def word_lines(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """The words that the player may say, in as few lines as possible."""
    return _in_brief(table_rows(scene, view), scene, width, 1)


def call_row(scene: Scene, view: TableView) -> WordRow:
    """The row for the number that the player can call in the guessing game."""
    number = scene.controls.raise_to(view) or 0
    return WordRow(
        key=_("Enter"),
        say=pgettext("a number", "call"),
        claims=call_name(number) or _("exactly {number}").format(number=number),
        if_right=[_("you are safe"), _("safe")],
        if_wrong=[_("you stay in"), _("still in")],
        number=number,
    )


# The question


def _question(scene: Scene, view: TableView, width: int) -> str:
    if word := scene.controls.armed:
        return _("You claim: {claim}.").format(claim=_claim(word, view))
    return _doubt(scene, view, width)


def _doubt(scene: Scene, view: TableView, width: int) -> str:
    """The question whether the standing bid is true; that for an opening bid if there is none."""
    if _is_low(scene, view):
        return _("Too low: bid {bid} or more.").format(bid=view.lowest_bid)
    if view.standing is None:
        text = _("At least how many coins are in the {fists} fists?")
        return first_fitting(width, text.format(fists=_fists(view)), _briefly(view))
    bid = view.standing[1]
    text = ngettext(
        "Is there {bid} coin or more in the {fists} fists?",
        "Are there {bid} coins or more in the {fists} fists?",
        bid,
    ).format(bid=bid, fists=_fists(view))
    return first_fitting(width, text, _briefly(view))


def _is_low(scene: Scene, view: TableView) -> bool:
    """Whether the typed number is lower than any bid allowed now."""
    bid = scene.controls.raise_to(view)
    return bid is not None and view.lowest_bid is not None and bid < view.lowest_bid


def _briefly(view: TableView) -> str:
    if view.standing is None:
        return _("At least how many coins?")
    bid = view.standing[1]
    return ngettext("Is there {bid} or more?", "Are there {bid} or more?", bid).format(bid=bid)


def _fists(view: TableView) -> str:
    """The number of fists in play, as a word."""
    count = sum(seat.coins > 0 for seat in view.seats)
    words = {
        2: pgettext("fists", "two"),
        3: pgettext("fists", "three"),
        4: pgettext("fists", "four"),
        5: pgettext("fists", "five"),
        6: pgettext("fists", "six"),
        7: pgettext("fists", "seven"),
        8: pgettext("fists", "eight"),
        9: pgettext("fists", "nine"),
    }
    return words.get(count, str(count))


def _heads(scene: Scene, question: str, width: int) -> list[list[Piece]]:
    """The lines above the table: the program's message, or else the question."""
    return prose(scene.said, width, palette.WRONG) or [_head(scene, question, width)]


def _warning(wordings: Sequence[str], width: int, is_brief: bool) -> list[list[Piece]]:
    """The longest of these wordings; if `is_brief`, of those that fit in one line."""
    if not wordings:
        return []
    words = first_fitting(width, *wordings) if is_brief else wordings[0]
    return prose(words, width, palette.WRONG)


def _head(scene: Scene, question: str, width: int) -> list[Piece]:
    """The question as a line; on an opening bid with the direction beside it."""
    if scene.view is not None and scene.view.may_turn:
        turned = scene.controls.counter_clockwise
        way = sentences.way(Direction.COUNTER_CLOCKWISE if turned else Direction.CLOCKWISE)
        names = pgettext("in short", "clockwise"), pgettext("in short", "counter-clockwise")
        short = names[turned]
        label = _("direction: {way}").format(way=way)
        brief = _briefly(scene.view)
        for asked, said in (
            (question, label), (brief, label), (question, way), (brief, way), (brief, short),
            (_("Coins, at least?"), short), ("", way),
        ):  # fmt: skip
            room = width - cell_len(asked) - cell_len(said) - 5
            if room >= 0:
                return [
                    (asked, palette.BOLD), (" " * (room + 2), palette.TEXT), *key_pieces("d", said),
                ]  # fmt: skip
    return [(fit(question, width), palette.BOLD)]


# The table


def table_rows(scene: Scene, view: TableView) -> list[WordRow]:
    """The rows of the words that the player may say now, the bid first; for newcomers without
    words that they do not know yet."""
    rows = []
    bid = scene.controls.raise_to(view)
    if bid is not None:
        claims = _("{bid} or more").format(bid=bid)
        one = change_words(-1)
        # Nobody else can call it.
        named = _named(scene.names[_next(scene, view)])
        if_right = [_("{name} {price} if called").format(name=named[0], price=one)]
        if_wrong = [_("you {price} if called").format(price=one)]
        if_called = [
            _("if called: {name} or you {price}").format(name=name, price=one) for name in named
        ]
        if_called.append(_("the caller or you {price}").format(price=one))
        if _is_low(scene, view):
            # Typed, and perhaps not to the end.
            claims, if_right, if_wrong, if_called = _("too low"), [], [], []
        row = WordRow(_("Enter"), _("bid"), claims, if_right, if_wrong, if_called, number=bid)
        rows.append(row)
    return rows + [
        _ending_row(word, view, scene.names) for word in view.allowed_endings if scene.offers(word)
    ]


def _ending_row(word: Ending, view: TableView, names: Sequence[str]) -> WordRow:
    right, wrong = prices(word, view)
    even = _("+0 or {price}").format(price=change_words(-1))
    return WordRow(
        key=LETTERS[word],
        say=sentences.word_name(word),
        claims=_claim(word, view),
        if_right=_price(right, view, names),
        if_wrong=_price(wrong, view, names),
        prize=(f": {even}", " +0") if right.verdict is Verdict.CLIFF_AT_CAP else (),
        word=word,
    )


def prices(word: Ending, view: TableView) -> tuple[RoundOutcome, RoundOutcome]:
    """The outcomes if this player ends the round with `word`: if it is right, and if it is
    wrong."""
    said = _round(view).said(view.me or 0, word)
    standing = said.standing[1] if said.standing else 0
    totals = {0, max(standing - 1, 0), standing, said.most}
    outcomes = [said.count(_holding(total, said)) for total in sorted(totals)]
    right = next(each for each in outcomes if each.verdict.ender_is_right)
    wrong = next(each for each in outcomes if not each.verdict.ender_is_right)
    return right, wrong


def _round(view: TableView) -> BiddingRound:
    """The round so far, rebuilt from what everybody has heard."""
    assert isinstance(view.rules, BiddingRules) and view.starter is not None
    coins = tuple(seat.coins for seat in view.seats)
    return BiddingRound(view.rules, coins, view.starter, view.direction, view.words)


def _holding(total: int, said: BiddingRound) -> Mapping[int, int]:
    """Some hands of all players, by seat, that add up to `total`."""
    hands = {}
    for seat in said.players:
        hands[seat] = min(total, said.coins[seat])
        total -= hands[seat]
    return hands


def _price(outcome: RoundOutcome, view: TableView, names: Sequence[str]) -> Sequence[str]:
    """Whose coins an outcome changes, in several wordings, the longest first."""
    if outcome.verdict is Verdict.CLIFF_AT_CAP:
        coins = view.my_seat.coins if view.my_seat else 0
        ways = (
            _("nothing to win: you already have {coins}"),
            _("you keep {coins}"),
        )
        return [each.format(coins=coins) for each in ways]
    if not outcome.changes:
        return [_("you are safe"), _("safe")]
    (seat, change), *more = outcome.changes.items()
    words = change_words(change)
    if more:
        every = (_("all others {change}"), _("others {change}"))
        return [each.format(change=words) for each in every]
    if seat == view.me:
        return [f"{_('you')} {words}"]
    return [f"{name} {words}" for name in _named(names[seat])]


def _named(name: str) -> Sequence[str]:
    """The name before a change of coins in the column "if right", in several lengths."""
    return [fit(name, each.right - 4) for each in (_AMPLE, _WIDE, _TIGHT)]


def _next(scene: Scene, view: TableView) -> int:
    """The seat whose turn comes after the player's, in the direction that is being composed."""
    is_turned = view.may_turn and scene.controls.counter_clockwise
    way = Direction.COUNTER_CLOCKWISE if is_turned else view.direction
    return speaking_order([each.coins for each in view.seats], view.me or 0, way)[1]


def _claim(word: Ending, view: TableView) -> str:
    """What an ending word would claim now: "fewer than 7"."""
    bid = view.standing[1] if view.standing else 0
    claims = {
        Ending.CALL: _("fewer than {bid}"),
        Ending.CLIFF: _("exactly {bid}"),
        Ending.SPOOF: _("all {most} are in"),
        Ending.ZERO: _("all are empty"),
    }
    return claims[word].format(bid=bid, most=view.most)


# Drawing


def _columns(width: int) -> Columns:
    if width >= _SPACIOUS:
        return _AMPLE
    return _TIGHT if _WITH_PRICES <= width < _ROOMY else _WIDE


def _titles(width: int) -> list[Piece]:
    word, claim, right = _columns(width)
    cells = [" " * (_KEY + 1), _cell(_("say"), word), _cell(_("it means"), claim)]
    if width >= _WITH_PRICES:
        cells += [_cell(_("if right"), right), _("if wrong")]
    return [(fit("".join(cells), width), palette.QUIET)]


def _head_and_titles(
    scene: Scene, view: TableView, head: list[Piece], width: int
) -> list[list[Piece]]:
    """The question, or what is said in its place, and the titles of the last two columns: in one
    line, if they fit."""
    word, claim, right = _columns(width)
    room = _KEY + 1 + word + claim
    if width < _WITH_PRICES:
        return [head]
    if not (scene.said or _is_low(scene, view) or view.may_turn):
        head = [(fit(_briefly(view), room - 1), palette.BOLD)]
    titles = fit(_cell(_("if right"), right) + _("if wrong"), width - room)
    beside = length(head) if length(head) < room else 0
    named = [(" " * (room - beside) + titles, palette.QUIET)]
    return [[*head, *named]] if beside else [head, named]


def _row_pieces(row: WordRow, scene: Scene, width: int) -> list[Piece]:
    """A row of the table as pieces; a click on the word presses its key, one on an arrow that
    arrow."""
    pressed, caption = key_of(row.key) or "", "" if has_page() else row.key
    armed, is_armed = scene.controls.armed, row.word and row.word is scene.controls.armed
    words, claim, right = _columns(width)
    words = words if width >= _WITH_CLAIM else _NARROW_WORD
    first = _KEY if width >= _WITH_CLAIM else _KEY - 1
    key = " " * max(first - cell_len(caption), 0) + caption + " "
    if is_armed:
        return clickable(_armed_pieces(row, key, width), pressed)
    pieces = clickable([(key, palette.BRIGHT), *_say(row, words)], pressed)
    if width < _WITH_PRICES:
        pieces.append((fit(row.claims, width - length(pieces)), palette.TEXT))
    else:
        pieces.append((_cell(row.claims, claim), palette.TEXT))
        if _has_columns(row, width):
            pieces += _price_pieces(row, width)
        else:
            room = right + _last_column(width)
            pieces.append((first_fitting(room, *row.if_called, ""), palette.TEXT))
    return pieces if armed is None else [*map(_dim, pieces)]


def _armed_pieces(row: WordRow, key: str, width: int) -> list[Piece]:
    """The row of a word that waits for its second press: what is to be done stands where the word
    was read, and its prices stay if they can."""
    press = _("tap again") if has_page() else _("press {key} again").format(key=row.key)
    again = press if has_page() else _("{key} again").format(key=row.key)
    said = f"{key}{row.say}: {press} "
    ways = f"{said} {row.claims} ", f"{said}{row.claims} ", f"{key}{row.say}: {again} {row.claims} "
    room = width - _columns(width).right - _last_column(width)
    has_prices = width >= _WITH_PRICES and _has_columns(row, width)
    if not has_prices or min(map(cell_len, ways)) > room:
        return [(first_fitting(width, *ways, said), palette.NO)]
    text = first_fitting(room, *ways)
    blank = " " * (room - cell_len(text))
    return [(text, palette.NO), (blank, palette.TEXT), *_price_pieces(row, width)]


def _price_pieces(row: WordRow, width: int) -> list[Piece]:
    """Whose coins change, in the columns "if right" and "if wrong"."""
    right = _columns(width).right
    return [
        (_cell(_price_within(row.if_right, right - 1), right), palette.RIGHT),
        (_price_within(row.if_wrong, _last_column(width)), palette.WRONG),
    ]


def _has_columns(row: WordRow, width: int) -> bool:
    """Whether a row tells its prices under the titles "if right" and "if wrong"."""
    rooms = (row.if_right, _columns(width).right - 1), (row.if_wrong, _last_column(width))
    is_long = any(prices and min(map(cell_len, prices)) > room for prices, room in rooms)
    return bool(row.if_right) and not (is_long and row.if_called)


def _last_column(width: int) -> int:
    """Cells of the column "if wrong"."""
    return width - _KEY - 1 - sum(_columns(width))


def _price_within(price: Sequence[str], room: int) -> str:
    return first_fitting(room, *price) if price else ""


def _dim(piece: Piece) -> Piece:
    """The piece dimmed, while another word waits for its second press; a click still works."""
    return piece[0], palette.pressing(palette.QUIET, palette.pressed_by(piece[1]))


def _say(row: WordRow, words: int) -> list[Piece]:
    if row.number is None:
        return [(_cell(row.say, words), palette.BRIGHT)]
    stepper = _stepper(row.number, palette.CHOSEN)
    room = max(words - 1 - length(stepper) - 1, 0)
    word = fit(row.say, room)
    blank = " " * (words - 1 - cell_len(word) - length(stepper))
    return [(f"{word} ", palette.BRIGHT), *stepper, (blank, palette.TEXT)]


def _stepper(number: int, look: Style) -> list[Piece]:
    """A number between clickable arrows that change it."""
    signs = glyphs()
    return [
        (f"{signs.less} ", palette.pressing(look, "left")),
        (str(number), look),
        (f" {signs.more}", palette.pressing(look, "right")),
    ]


def _cell(text: str, width: int) -> str:
    """The text cut or padded to `width` cells, with a space at its end."""
    text = fit(text, width - 1)
    return text + " " * (width - cell_len(text))


def _told_apart(rows: Sequence[WordRow], view: TableView) -> list[WordRow]:
    """The rows, where a call and a zero claim the same with what each wins instead."""
    same = (Ending.CALL, Ending.ZERO)
    if sum(row.word in same for row in rows) < 2 or not view.standing or view.standing[1] != 1:
        return [*rows]
    return [replace(row, claims=row.if_right[-1]) if row.word in same else row for row in rows]


def _in_brief(rows: Sequence[WordRow], scene: Scene, width: int, most: int) -> list[list[Piece]]:
    """The words in at most `most` lines: with their claims, in two columns or in one, if these
    fit."""
    in_full, in_short = (_with_prizes(rows, way) for way in (0, 1))
    if 0 < len(lines := _in_columns(in_full, scene, width)) <= most:
        return lines
    if len(rows) <= most:
        return [_brief(row, scene, width) for row in in_full]
    if 0 < len(lines := _in_columns(in_short, scene, width)) <= most:
        return lines
    return flowing([_brief(row, scene, width, claims=False) for row in rows], width)


def _with_prizes(rows: Sequence[WordRow], way: int) -> list[WordRow]:
    """The rows, with this wording of their prizes behind the claims."""
    return [replace(row, claims=row.claims + row.prize[way]) if row.prize else row for row in rows]


def _in_columns(rows: Sequence[WordRow], scene: Scene, width: int) -> list[list[Piece]]:
    """The words in two columns, which keep their widths while one waits for its second press.

    Empty if they do not fit.
    """
    left, right = (
        max(map(length, map(_chip, column)), default=0) for column in (rows[::2], rows[1::2])
    )
    if left + 2 + right > width:
        return []
    lines = []
    for at, row in enumerate(rows[::2]):
        line = _brief(row, scene, left)
        beside = [_brief(each, scene, width - left - 2) for each in rows[2 * at + 1 : 2 * at + 2]]
        lines.append(
            [*line, (" " * (left + 2 - length(line)), palette.TEXT), *beside[0]] if beside else line
        )
    return lines


def _brief(row: WordRow, scene: Scene, room: int, *, claims: bool = True) -> list[Piece]:
    """A word in as few cells as possible; while it waits for its second press, in at most `room`
    cells."""
    looks = _chip(row) if claims or row.number is not None else _chip(row)[:2]
    if row.word and row.word is scene.controls.armed:
        ways = (_("press {key} again"), _("{key} again"))
        again = (f" {row.say}: {each.format(key=row.key)} " for each in ways)
        looks = [(first_fitting(room, *again), palette.NO)]
    return clickable(looks, key_of(row.key) or "")


def _chip(row: WordRow) -> list[Piece]:
    """The pieces for a word in brief: its key, its name, and its claim or number."""
    key = (f"{row.key} ", palette.KEY)
    if row.number is not None:
        stepper = _stepper(row.number, palette.STRONG)
        return [key, (f"{row.say} ", palette.STRONG), *stepper]
    return [key, (f"{row.say} ", palette.TEXT), (row.claims, palette.QUIET)]
