"""The panel under the table: what is going on, and what I can do now, key by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from protocol.guest.guest import LinkState
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.views import FistState, Option, SeatStatus, TableView
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Piece, Place, fit, wrap
from spoof_tui.ui.table import guessing as school
from spoof_tui.ui.table.controls import ENDING_KEYS
from spoof_tui.ui.table.framed import MARGIN, Rule, beside_length, fixed, panel_parts
from spoof_tui.ui.table.hints import hint_lines
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import absence, new_table, sentences
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.calls import call_name
from spoof_tui.ui.wording.telling import beat_words

_LETTERS: Final = {ending: key for key, ending in ENDING_KEYS.items()}
_CLOCK_CELLS: Final = 10
"""Cells of the bar of a turn clock."""

_FULL_TURN: Final = 7
"""Rows of a panel that are too few for a line of its own for every ending word."""


def table_panel(scene: Scene, place: Place) -> list[Part]:
    """The panel: a rule with a title, what there is to say, and the keys."""
    text, lines = _content(scene, place.width - 2 * MARGIN, place.height)
    lines += hint_lines(scene, place.width - 2 * MARGIN)
    title = (f" {text} ", palette.STRONG if _is_mine(scene) else palette.QUIET)
    room = place.width - cell_len(title[0]) - 6
    rule = Rule((title,), fixed(_state(scene, room)))
    return panel_parts(place, rule, lines, [_foot(scene, place.width)])


def _is_mine(scene: Scene) -> bool:
    return scene.view is not None and (scene.view.my_turn or scene.view.own_fist_due)


def _state(scene: Scene, room: int) -> list[list[Piece]]:
    """At the right end of the rule: the own table's code, and whether the link is private."""
    view = scene.view
    if view is None or scene.over:
        return []
    parts: list[list[Piece]] = []
    if not scene.is_stale and (left := _time_left(scene, view)) is not None:
        parts.append(_clock(left, view.clock))
    if scene.code:
        parts.append([(" " + _("code") + " ", palette.QUIET), (scene.code + " ", palette.STRONG)])
    if view.link is LinkState.UP:
        parts.append([(f" {palette.glyphs().sealed} " + _("sealed") + " ", palette.QUIET)])
    glance = _glance(scene, view)
    while parts and beside_length([*parts, *glance]) > room:
        del parts[-1]
    return [*parts, *glance]


def _glance(scene: Scene, view: TableView) -> list[list[Piece]]:
    """The own hand while its owner looks at it: small, dim, and as wide as any other."""
    if scene.glance is None:
        return []
    owned = view.my_seat.coins if view.my_seat else 0
    return [[(f" {scene.glance:>{len(str(owned))}} ", palette.QUIET)]]


def _time_left(scene: Scene, view: TableView) -> int | None:
    """Seconds of the turn clock: the own one, else that of the speaker (G4)."""
    seat = view.my_seat
    left = absence.time_left(seat, scene.now) if seat else None
    if left is None and view.speaker is not None:
        left = absence.time_left(view.seats[view.speaker], scene.now)
    return left


def _clock(left: int, whole: int) -> list[Piece]:
    """The turn clock as a bar that empties, and in digits."""
    full = min(-(-left * _CLOCK_CELLS // max(whole, 1)), _CLOCK_CELLS)
    look = palette.WRONG if left <= absence.HURRY else palette.BRIGHT
    return [
        (" " + "━" * full, look),
        ("╌" * (_CLOCK_CELLS - full), palette.BORDER),
        (f" {absence.duration(left)} ", look),
    ]


def _foot(scene: Scene, width: int) -> list[Piece]:
    if scene.talking is not None:
        prompt = _("Say: ")
        room = width - MARGIN - cell_len(prompt) - 2
        typed = scene.talking
        while len(typed) and len(fit(typed, room)) < len(typed):
            typed = typed[1:]
        return [(prompt, palette.KEY), (typed, palette.TEXT), ("█", palette.BRIGHT)]
    keys = _keys(scene)
    room = width - 2 * MARGIN
    while len(keys) > 2 and sum(cell_len(k) + cell_len(words) + 3 for k, words in keys) - 2 > room:
        # The way out stays, and the help that tells the other keys.
        del keys[max(len(keys) - 3, 0)]
    return [piece for hint in keys for piece in _hint(*hint)]


def _hint(key: str, meaning: str) -> list[Piece]:
    return [(key, palette.KEY), (f" {meaning}  ", palette.QUIET)]


def _keys(scene: Scene) -> list[tuple[str, str]]:
    view = scene.view
    keys: list[tuple[str, str]] = []
    if view and not scene.over:
        keys += [*_due_keys(scene, view), *_table_keys(view)]
    elif not scene.over:
        keys.append(("t", _("talk")))
    elif scene.reopened:
        keys.append(("Enter", _("come back")))
    return [*keys, ("?", _("keys")), ("q", _("leave"))]


def _due_keys(scene: Scene, view: TableView) -> list[tuple[str, str]]:
    """The keys that bring the table on."""
    keys: list[tuple[str, str]] = []
    gathering = view.phase is Phase.GATHERING
    if not measures.sits(view):
        keys.append(("r", _("sit down")))
    elif gathering and not view.paused:
        again = view.winner is not None
        keys.append(("r", _("play again") if again else _("ready")))
    if gathering and scene.may_add_bots and len(view.seats) < view.seat_count:
        keys.append(("b", _("add a bot")))
    if scene.continued is not None:
        keys.append(("o", _("go there")))
    elif new_table.is_asked(view):
        keys.append(("o", _("stay") if new_table.has_agreed(view) else _("new table")))
    elif measures.sits(view) and not scene.is_stale:
        if votes := absence.next_votes(view, scene.now):
            keys.append(("y", _("play on") if votes[0].yes else _("keep waiting")))
        if measures.open_motion(view):
            keys.append(("v", _("vote")))
        if view.paused:
            keys.append(("p", _("go on")))
    return keys


def _table_keys(view: TableView) -> list[tuple[str, str]]:
    """What one can do at any time; a player who only watches has no fist and no voice."""
    plays = view.phase is not Phase.GATHERING
    keys: list[tuple[str, str]] = []
    if measures.sits(view):
        keys += [(_("space"), _("peek"))] if plays else []
        keys += [("t", _("talk"))]
        keys += [("m", _("Mitt-full!"))] if plays else []
    keys += [("w", _("why?")), ("h", _("rules"))]
    keys += [("f", _("slate"))] if view.is_guessing else []
    if measures.sits(view) and not view.paused:
        keys.append(("p", _("pause")))
    return keys


def _content(scene: Scene, width: int, height: int) -> tuple[str, list[list[Piece]]]:
    if scene.over and scene.reopened:
        again = _("The table is open again. Press Enter to come back to your seat.")
        return _("The table is open again"), _prose([again, _saved(scene)], width)
    if scene.over:
        return _("The table is over"), _prose([scene.over, _saved(scene)], width)
    view = scene.view
    if scene.turned_away and (view is None or view.link is not LinkState.UP):
        return _("Not at the table"), _prose([scene.turned_away], width, palette.WRONG)
    if view is None:
        return _("Joining"), _prose([scene.remark or _("Reading the table's log …")], width)
    if new_table.is_urgent(view, scene.continued):
        asked = _prose([new_table.words(view, scene.continued)], width, palette.BOLD)
        return _("A new table"), [*asked, *_remark(scene, width), *_count(scene, width)]
    if scene.is_stale and scene.cut_off_at is not None:
        return _("No connection"), _cut_off(scene, view, width)
    if scene.news:
        return scene.news_title, _news(scene, view, width, height)
    if view.paused:
        return _("Paused"), _paused(scene, view, width)
    if view.my_turn and view.is_guessing:
        return _("Your call"), _calling(scene, view, width)
    if view.my_turn:
        turn = _turn(scene, view, width) if height > _FULL_TURN else _short_turn(scene, view)
        return _("Your turn"), [_headline(scene), *turn]
    if view.own_fist_due:
        return _("Your hand"), _choosing(scene, view, width)
    if view.phase is Phase.GATHERING:
        return _("Between games"), _gathering(scene, view, width)
    return _("Round {number}").format(number=view.round_number), _watching(scene, view, width)


def _cut_off(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """What is known and what is tried while there is no link; the table stays in sight."""
    first, *more = absence.cut_off_words(
        view, scene.cut_off_for, scene.heirs, scene.tried, is_standing=scene.is_standing
    )
    kept = _("Your seat, your coins and your fist stay yours.") if measures.sits(view) else ""
    return [
        *_prose([first], width, palette.WRONG),
        *_prose([new_table.words(view, None)], width, palette.BRIGHT),
        *_prose(more, width),
        *_prose([kept], width, palette.QUIET),
        *_remark(scene, width),
    ]


def _news(scene: Scene, view: TableView, width: int, height: int) -> list[list[Piece]]:
    """What happened meanwhile, above the shortest form of what is to be done now."""
    todo = _todo(scene, view, width)
    told = _prose(scene.news, width, palette.BRIGHT)
    room = max(height - 2 - len(todo), 1)
    return [*told[:room], *todo]


def _todo(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    if view.my_turn and not view.is_guessing and not view.paused:
        return [_headline(scene), *_short_turn(scene, view)]
    if view.my_turn and not view.paused:
        return _calling(scene, view, width)[:2]
    if view.own_fist_due and not view.paused:
        return _choosing(scene, view, width)[:2]
    gathering = view.phase is Phase.GATHERING and not view.paused
    now = _gathering(scene, view, width)[:2] if gathering else []
    if view.phase is not Phase.GATHERING:
        now = _prose([_waiting(scene, view)], width)
    return [
        *now,
        *_prose([_("Press any key to go on.")], width, palette.QUIET),
    ]


def _paused(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    words = absence.pause_words(view, scene.hosts)
    return [*_prose([words], width, palette.BOLD), *_remark(scene, width), *_count(scene, width)]


def _prose(texts: Sequence[str], width: int, style: Style | None = None) -> list[list[Piece]]:
    look = style or palette.TEXT
    return [[(row, look)] for text in texts if text for row in wrap(text, width)]


def _remark(scene: Scene, width: int) -> list[list[Piece]]:
    return _prose([scene.remark], width, palette.WRONG)


def _headline(scene: Scene) -> list[Piece]:
    if scene.remark:
        return [(scene.remark, palette.WRONG)]
    armed = scene.controls.armed
    if armed is not None:
        said = sentences.word_name(armed)
        letter = _LETTERS[armed]
        text = _("Really {word}? Press {key} again to say it, or any other key to think again.")
        return [(text.format(word=said, key=letter), palette.STRONG)]
    return [(_("Bid, or say a word that opens the fists."), palette.BOLD)]


def _turn(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    lines = [_raise_line(scene, view)]
    lines += [_ending_line(scene, option, view, width) for option in view.options]
    return lines


def _calling(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    number = scene.controls.raise_to(view)
    signs = palette.glyphs()
    head = school.head_of_call(view)
    style = palette.WRONG if scene.remark or view.my_attempts else palette.BOLD
    pieces: list[Piece] = [
        (_("Enter") + " ", palette.KEY),
        (pgettext("a number", "call") + " ", palette.TEXT),
        (f"{signs.left} {number} {signs.right}", palette.STRONG),
        (f"  {call_name(number or 0)}", palette.BOLD),
        ("  " + _("0 to {most}: type it or use arrows").format(most=view.most), palette.QUIET),
    ]
    free = _("Free: {numbers}").format(numbers=" ".join(str(each) for each in view.free))
    return [
        [(scene.remark or head, style)],
        pieces,
        *_prose([free], width, palette.QUIET),
    ]


def _short_turn(scene: Scene, view: TableView) -> list[list[Piece]]:
    endings: list[Piece] = []
    for option in view.options:
        key_style = palette.BORDER if option.forbidden else palette.KEY
        name_style = palette.BORDER if option.forbidden else palette.TEXT
        name = sentences.word_name(option.word)
        endings += [(_LETTERS[option.word] + " ", key_style), (name + "   ", name_style)]
    return [_raise_line(scene, view), endings]


def _raise_line(scene: Scene, view: TableView) -> list[Piece]:
    bid = scene.controls.raise_to(view)
    if bid is None:
        text = _("The bid is as high as it can go: no raise is left.")
        return [("    ", palette.QUIET), (text, palette.QUIET)]
    signs = palette.glyphs()
    pieces: list[Piece] = [
        (_("Enter") + " ", palette.KEY),
        (_("bid") + " ", palette.TEXT),
        (f"{signs.left} {bid} {signs.right}", palette.STRONG),
        (
            "  "
            + _("{low} to {most}: type it or use arrows").format(
                low=view.lowest_bid, most=view.most
            ),
            palette.QUIET,
        ),
    ]
    if view.may_turn:
        turned = scene.controls.counter_clockwise
        way = _("counter-clockwise") if turned else _("clockwise")
        pieces += [("   d ", palette.KEY), (way, palette.TEXT)]
    return pieces


def _ending_line(scene: Scene, option: Option, view: TableView, width: int) -> list[Piece]:
    name = sentences.word_name(option.word)
    longest = max(cell_len(sentences.word_name(each.word)) for each in view.options)
    label = name + " " * (longest + 2 - cell_len(name))
    if option.forbidden is not None:
        why = sentences.why_not(option.forbidden, scene.names)
        text = f"{_LETTERS[option.word]} {label}" + why
        return [("    ", palette.QUIET), (fit(text, width - 4), palette.BORDER)]
    armed = scene.controls.armed is option.word
    return [
        ("    ", palette.TEXT),
        (f"{_LETTERS[option.word]} ", palette.KEY),
        (label, palette.STRONG if armed else palette.TEXT),
        (_claim(option.word, view), palette.QUIET),
    ]


def _claim(word: Ending, view: TableView) -> str:
    """What an ending word claims, with the numbers of this round."""
    bid = view.standing[1] if view.standing else 0
    claims = {
        Ending.CALL: _("fewer than {bid} in the fists; if not, you lose a coin"),
        Ending.CLIFF: _("exactly {bid} in the fists: you win a coin; if not, you lose one"),
        Ending.SPOOF: _("all {most} coins are out: nobody loses; if not, you lose a coin"),
        Ending.ZERO: _("every fist is empty: everybody else loses a coin; if not, you do"),
    }
    return claims[word].format(bid=bid, most=view.most)


def _choosing(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    owned = view.my_seat.coins if view.my_seat else 0
    digits = _("Press 0 to {coins} to hide that many coins. Nobody sees it, not even here.")
    if owned > 9:
        digits = _("Type 0 to {coins} and Enter to hide that many coins. Nobody sees it.")
    if scene.controls.cover_keys:
        digits = _("← → and Enter hide 0 to {coins} coins. Space shows for a moment how many.")
    lines = _prose([digits.format(coins=owned)], width, palette.BOLD)
    return [*lines, *_remark(scene, width), *_absent(scene, width), *_count(scene, width)]


def _absent(scene: Scene, width: int) -> list[list[Piece]]:
    """Who is away while the table waits, and what may be done about it (G3)."""
    if scene.view is None or (scene.last is not None and not scene.is_counted):
        return []
    if offered := new_table.words(scene.view, None):
        return _prose([offered], width, palette.BRIGHT)
    return _prose(list(absence.waiting_words(scene.view, scene.now)), width, palette.BRIGHT)


def _count(scene: Scene, width: int) -> list[list[Piece]]:
    """How the last round ended, while it is on show."""
    last = scene.last
    if last is None or not scene.is_judged:
        return []
    count = sentences.the_count(last, scene.names, scene.order)
    # At the end of a school there is more to say, and the seats show the same.
    is_end = isinstance(last.words, GuessingRound) and last.outcome.winner is not None
    lines = [] if is_end else _prose([count], width, palette.QUIET)
    me = scene.view.me if scene.view else None
    result = sentences.outcome(last, scene.names, me)
    return [*lines, *_prose([result, sentences.went_out(last, scene.names, me)], width)]


def _gathering(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    lines = _count(scene, width)
    seat = view.my_seat
    if scene.last is not None and not scene.is_counted:
        return lines
    if view.is_guessing:
        lines += _prose(school.drinks(view, scene.names), width)
    if scene.removed:
        lines += _prose([_removed(view)], width, palette.WRONG)
    elif seat is None or not measures.sits(view):
        lines += _prose([absence.place_words(view)], width)
    elif seat.ready:
        lines += _prose([_waits_for(scene, view)], width, palette.BOLD)
    else:
        lines += _prose([_("Press r when you are ready to play.")], width, palette.BOLD)
    return [*lines, *_remark(scene, width), *_prose(_how_to_come(scene, view), width)]


def _removed(view: TableView) -> str:
    text = _(
        "Your seat was taken away, by the host or by a majority of the players. You are "
        "watching now."
    )
    if view.phase is not Phase.GATHERING:
        return text + " " + _("When the game is over you can ask for a seat again.")
    return text + " " + _("Press r to ask for a seat again.")


def _waits_for(scene: Scene, view: TableView) -> str:
    missing = [
        name for seat, name in zip(view.seats, scene.names, strict=True)
        if not seat.ready and seat.presence in (SeatStatus.HERE, SeatStatus.UNSTEADY)
    ]  # fmt: skip
    if len(view.seats) < 2 or not missing:
        return _("You are ready. Waiting for others to sit down.")
    return _("You are ready. Waiting for {names}.").format(names=", ".join(missing))


def _how_to_come(scene: Scene, view: TableView) -> list[str]:
    if view.winner is not None:
        return [_saved(scene)]
    if not scene.address:
        return []
    table = show(view.table_name, 30)
    text = _("Others find “{table}” in their lobby, or type: spoof join {address}")
    return [text.format(table=table, address=scene.address), _code(scene), scene.trouble or ""]


def _code(scene: Scene) -> str:
    """What the host is to tell whoever comes."""
    if scene.code is None:
        return ""
    told = _("Players are asked once for the code: tell them {code}.").format(code=scene.code)
    return scene.code_news or told


def _saved(scene: Scene) -> str:
    if scene.record is None:
        return ""
    return _("Game saved: {path}").format(path=scene.record)


def _watching(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    lines = _count(scene, width)
    now = _removed(view) if scene.removed else _waiting(scene, view)
    place = "" if scene.removed else absence.place_words(view)
    return [
        *lines,
        *_prose([now], width),
        *_absent(scene, width),
        *_prose([place], width, palette.QUIET),
        *_remark(scene, width),
    ]


def _waiting(scene: Scene, view: TableView) -> str:
    if scene.reveal is not None and not scene.is_counted:
        if scene.is_judged:
            return ""
        opened = scene.order[: scene.opened]
        return beat_words(scene.reveal.played, opened, scene.reveal.beat, scene.names, view.me)
    if view.phase is Phase.LOT:
        return _("The lot is drawn from everybody's sealed shares: nobody can steer it.")
    if view.phase in (Phase.WITNESSING, Phase.OPENING):
        return _("The fists open.")
    if view.speaker is not None and view.is_guessing:
        return school.calling(view, scene.names)
    if view.speaker is not None:
        return _("{name}'s turn.").format(name=scene.names[view.speaker])
    missing = [
        name for seat, name in zip(view.seats, scene.names, strict=True)
        if seat.fist is FistState.NOT_IN
    ]  # fmt: skip
    mine = _("Your fist is in, and it is locked.") if _has_fist_in(view) else ""
    wait = _("Waiting for {names}.").format(names=", ".join(missing)) if missing else ""
    return f"{mine} {wait}".strip()


def _has_fist_in(view: TableView) -> bool:
    return view.my_seat is not None and view.my_seat.fist is FistState.IN
