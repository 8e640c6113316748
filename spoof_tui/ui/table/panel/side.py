"""The bar above the table, and the side column: words of the round, earlier rounds, and talk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound, Round
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import START_COINS
from protocol.rules.words import Bid, Ending, Verdict, Word, speaking_order
from protocol.table.fold import Phase, Talk
from protocol.table.statements import Gesture
from protocol.views import LinkState, TableView
from spoof_tui.acts.table import PAGE, TALK
from spoof_tui.telling import connection, sentences
from spoof_tui.telling.counts import stamp, verdict_sign
from spoof_tui.telling.durations import duration, short_duration
from spoof_tui.telling.gestures import gesture_words
from spoof_tui.telling.names import called, name_of, seat_names
from spoof_tui.telling.pronouncements import pronounced
from spoof_tui.telling.rule_options import rules_title
from spoof_tui.telling.titles import call_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Piece, Place, first_fitting, fit, length, wrap
from spoof_tui.ui.table.felt import guessing as school
from spoof_tui.ui.table.felt.heap import heap_of
from spoof_tui.ui.table.felt.middle import middle
from spoof_tui.ui.table.felt.seat_list import in_short, rows_below
from spoof_tui.ui.table.felt.tone import Tone, change_words
from spoof_tui.ui.table.felt.upright import is_upright
from spoof_tui.ui.table.frame import MARGIN, Bar, Column, Line, at_ends, fixed
from spoof_tui.ui.table.scene import Page, Scene

_NAME: Final = 7
"""The fewest cells of a name beside its player's words."""

_WITH_PERIODS: Final = 21
"""Columns from which a period after a number of two digits leaves room for the name of whoever
paid."""

_WITH_ALL: Final = 28
"""Columns from which a newcomer's first round lists who has not spoken yet."""

_MIN_TALK: Final = 2
"""Rows kept for the talk, however many calls there are."""

_OF_HOUSE: Final = 2
"""The most remarks of the house shown among the talk: the latest ones."""


def bar(scene: Scene) -> Bar:
    """The bar above the table: its name, its rules, the round, and the state of the link."""
    view = scene.view
    if view is None:
        return Bar("Spoof")
    end = (_("over"), palette.QUIET) if scene.over else _right_end(view, scene)
    slow = f"{sentences.slow_network(view.lag)} · " if view.lag else ""
    return Bar(show(view.table_name, 24), f"{slow}{rules_title(view.rules)}", end)


def short_bar(scene: Scene, place: Place) -> Bar:
    """The bar on a small screen: the round and, if a list of seats leaves no room below, the
    middle."""
    whole, view = bar(scene), scene.view
    if view is None or scene.over or view.link is not LinkState.UP:
        return whole
    seats = len(view.seats)
    is_below = is_upright(seats, place) or rows_below(seats, place.height) > 0
    text, tone = ("", Tone.PLAIN) if is_below else in_short(middle(scene))
    number, most = scene.round_on_show
    name = whole.name
    if most:
        name = _("round {round} · {most} coins").format(round=number, most=most)
        if scene.last is not None and scene.is_counted and not tone.is_plaque:
            name = _("round {round} is over").format(round=number)
        pot = heap_of(scene.of_pub).pot
        name += " · " + _("pot {chips}").format(chips=pot) if pot else ""
    look = tone.style if tone.is_plaque else palette.BOLD
    slow = sentences.slow_network(view.lag) if view.lag else ""
    return Bar(name, slow, (f" {text} " if tone.is_plaque else text, look))


def _right_end(view: TableView, scene: Scene) -> tuple[str, Style]:
    state = ""
    if scene.claim is not None and scene.is_stale:
        state = connection.in_short(scene.claim)
    elif view.link is LinkState.UNSTEADY:
        state = sentences.link_state(view.link)
    if state:
        seconds = scene.cut_off_for
        return f"{state} {duration(seconds)}" if seconds >= 1 else state, palette.WRONG
    if not view.game_number:
        return _("no game yet"), palette.QUIET
    number, most = scene.round_on_show
    if view.phase is Phase.LOT:
        return _("game {game} · drawing lots").format(game=view.game_number), palette.QUIET
    if not most:
        over = _("school {game} is over") if view.is_guessing else _("game {game} is over")
        count = ngettext("{count} round", "{count} rounds", len(view.past))
        parts = (over.format(game=view.game_number), count.format(count=len(view.past)))
        return f" {glyphs().dot} ".join(parts), palette.QUIET
    text = _("round {round} · {most} coins in play")
    if scene.last is not None and scene.is_counted:
        # The panel may ask for the next hand already.
        text = _("round {round} is over")
    # The first game needs no number.
    if view.game_number > 1:
        text = _("game {game}") + f" {glyphs().dot} {text}"
    if view.is_guessing:
        text = _("school {game} · round {round} · {players} in the school")
    values = {"game": view.game_number, "round": number, "most": most}
    return text.format(**values, players=most // START_COINS), palette.QUIET


def side_parts(scene: Scene, place: Place) -> list[Part]:
    """The parts of the side column for the current page: this round, all rounds, or all talk."""
    view = scene.view
    if view is None:
        return []
    if scene.page is Page.ROUNDS:
        lines = _earlier_lines(view, scene.names, place.width) or _nothing()
        return [
            Part(place, Column(_("Rounds"), fixed(lines[-max(place.height - 1, 0) :])), PAGE.key)
        ]
    if scene.page is Page.TALK:
        talk = _talk(scene, place, place.height)
        if not talk.lines:
            talk = replace(talk, lines=fixed(_nothing()))
        return [Part(place, talk, TALK.key)]
    return _round_page(scene, view, place)


def _nothing() -> list[Line]:
    return [[(_("Nothing yet."), palette.QUIET)]]


def instead_of_table(scene: Scene, place: Place) -> list[Part]:
    """The side column's page in place of the table, on a screen too narrow for both.

    Empty during a count, or if the player has chosen to see the table.
    """
    if scene.page is Page.TABLE or scene.pacing.is_running:
        return []
    x, y, width, height = place
    return side_parts(scene, Place(x + MARGIN, y, width - 2 * MARGIN, height))


def _round_page(scene: Scene, view: TableView, place: Place) -> list[Part]:
    """The parts of the page of this round: its words, earlier rounds below them, and the talk."""
    height = place.height
    rows = max(height - _MIN_TALK - 4, 1)
    spoken = _spoken_rows(scene, view, place.width, rows)
    if not spoken and scene.page is Page.ROUND:
        spoken = _nothing()
    above = min(max(len(spoken), _players(scene, view)), rows) + 2
    earlier = _earlier_lines(view, scene.names, place.width)
    room = max(min(len(earlier), (height - above) // 3), 1)
    x, y, width, _height = place
    first = Column(_("This round"), fixed(spoken))
    if view.phase is Phase.GATHERING and not view.past:
        first = _players_page(view, scene.names, width)
        above = max(min(len(view.seats), rows) + 2, above)
    talk = max(height - above - room - 2, 0)
    parts = [Part(Place(x, y, width, above), first, PAGE.key)]
    if earlier:
        below = Column(_("Earlier"), fixed(earlier[-room:]))
        parts.append(Part(Place(x, y + above, width, room + 1), below, PAGE.key))
    if talk > 1:
        parts.append(
            Part(Place(x, y + height - talk, width, talk), _talk(scene, place, talk), TALK.key)
        )
    return parts


def _told_round(scene: Scene) -> PlayedRound | None:
    """The finished round on show, or being counted; None while the words of a new one are shown."""
    return scene.last or (scene.counted if scene.is_game_over else None)


def _players(scene: Scene, view: TableView) -> int:
    """The number of players in the round, and so of its lines at the end."""
    if played := _told_round(scene):
        return len(played.words.players)
    return sum(seat.coins > 0 for seat in view.seats)


def _spoken_rows(scene: Scene, view: TableView, width: int, most: int) -> list[Line]:
    """What was said in the round, and below it who has not spoken yet, in turn."""
    played = _told_round(scene)
    said: Sequence[tuple[int, object]] = [(call.seat, call) for call in view.calls]
    if view.is_guessing:
        lines = _calls_told(scene, view, width)[-most:]
        if played is not None and isinstance(played.words, GuessingRound):
            said = [(call.seat, call) for call in played.words.calls]
    else:
        said = words = played.words.words if played else view.words
        thought = view.thought if len(view.thought) == len(words) else ()
        lines = round_lines(words, scene.names, width, most, thought)
    spoken = {seat for seat, _said in said}
    waiting = [seat for seat in _in_turn(scene, view) if seat not in spoken]
    if scene.is_first_round and width < _WITH_ALL:
        # A newcomer has enough to read.
        waiting = []
    names = [[(fit(scene.names[seat], width), palette.TEXT)] for seat in waiting]
    return [*lines, *names][: max(most, len(lines))]


def _in_turn(scene: Scene, view: TableView) -> Sequence[int]:
    """The players of the round on show in the order of their turns; in that of their seats while
    nobody knows who begins."""
    if played := _told_round(scene):
        words = played.words
        return speaking_order(words.coins, words.starter, words.direction)
    coins = [seat.coins for seat in view.seats]
    if view.starter is None:
        return [index for index, owned in enumerate(coins) if owned]
    return speaking_order(coins, view.starter, view.direction)


def _players_page(view: TableView, names: Sequence[str], width: int) -> Column:
    """Who sits at the table before its first game, and who of them is ready."""
    ready = (_("ready"), palette.STRONG)
    rows = [
        at_ends([(fit(name, width - 1 - cell_len(ready[0])), palette.TEXT)],
                [ready] if seat.ready else [], width)
        for seat, name in zip(view.seats, names, strict=True)
    ]  # fmt: skip
    return Column(_("Players"), fixed(rows))


def round_lines(
    words: Sequence[tuple[int, Word]],
    names: Sequence[str],
    width: int,
    most: int,
    thought: Sequence[int] = (),
) -> list[Line]:
    """The words of a round, a line for each player, with the last word at the right.

    `thought` are the milliseconds that each word took; empty if they are not shown. A line keeps
    its place, so that a new word repaints one line. At most `most` players are listed: those who
    spoke last.
    """
    said: dict[int, list[Word]] = {}
    took = {seat: time_words(each) for (seat, _word), each in zip(words, thought, strict=False)}
    for seat, word in words:
        said.setdefault(seat, []).append(word)
    latest = list(dict.fromkeys(seat for seat, _word in reversed(words)))[:most]
    return [
        _round_line(seat, names, said[seat], width, took.get(seat, ""))
        for seat in said
        if seat in latest
    ]


def time_words(milliseconds: int) -> str:
    """How long a player thought, such as "4s", followed by a space."""
    return short_duration(milliseconds / 1000) + " "


def _round_line(
    seat: int, names: Sequence[str], words: Sequence[Word], width: int, took: str
) -> Line:
    last = sentences.said_aloud(words[-1])
    style = palette.BOLD if isinstance(words[-1], Bid) else palette.STRONG
    dot = glyphs().dot
    before = took or "".join(f"{sentences.said_aloud(word)} {dot} " for word in words[-3:-1])
    if cell_len(before + last) + min(cell_len(names[seat]), _NAME) + 2 > width:
        before = ""
    name = short_name(names[seat], names, width - 1 - cell_len(before + last))
    return at_ends([(name, palette.TEXT)], [(before, palette.QUIET), (last, style)], width)


def _earlier_lines(view: TableView, names: Sequence[str], width: int) -> list[Line]:
    """A line for each finished round: what was claimed, whether it was true, and whose coins
    changed; also whose claim it was, if two names fit beside each other."""
    # A period keeps the number apart from the bid: in every line, or in none.
    period = "." if len(view.past) < 10 or width >= _WITH_PERIODS else ""
    digits = len(str(len(view.past)))
    longest = sorted(cell_len(called(seat, names, view.me)) for seat in range(len(names)))[-2:]
    is_wide = cell_len(f"1. 12 {glyphs().yes}  {change_words(-1)}") + sum(longest) < width
    return [_earlier_line(f"{number:>{digits}}{period}", played, view, names, width, is_wide)
            for number, played in enumerate(view.past, 1)]  # fmt: skip


def _earlier_line(
    number: str,
    played: PlayedRound,
    view: TableView,
    names: Sequence[str],
    width: int,
    is_wide: bool,
) -> Line:
    outcome, signs = played.outcome, glyphs()
    right: Piece = (signs.dot, palette.QUIET)
    if isinstance(played.words, GuessingRound):
        told = _("void") if outcome.total is None else f"= {outcome.total}"
        left: list[Piece] = [(f"{number.rstrip('.')} {told}", palette.QUIET)]
        if outcome.went_out:
            right = (fit(called(outcome.went_out[0], names, view.me), width - 8), palette.RIGHT)
        return at_ends(left, [right], width)
    holds = stamp(played)[1]
    sign = f" {verdict_sign(holds)}"
    claimant, claim = _claim(played)
    whose, change = _moved(played)
    paid = _("others") if whose is None else called(whose, names, view.me)
    who = called(claimant, names, view.me) if is_wide else ""
    # Who paid is named once.
    paid = "" if who and whose == claimant else paid
    room = width - 1 - cell_len(f"{number} {claim} {change}")
    if cell_len(sign + paid) > room:
        # Coins won or lost tell as much.
        sign = ""
    room -= cell_len(sign)
    paid = short_name(paid, names, room) if paid else ""
    who = short_name(who, names, room - 1 - cell_len(paid)) if who else ""
    look = palette.QUIET
    if change:
        look = palette.RIGHT if max(outcome.changes.values()) > 0 else palette.WRONG
    left = [
        (f"{number} ", palette.QUIET),
        (f"{who} {claim}".strip(), palette.TEXT),
        (sign, palette.RIGHT if holds else palette.WRONG),
    ]
    return at_ends(left, [(f"{paid} {change}".strip(), look)], width)


def _claim(played: PlayedRound) -> tuple[int, str]:
    """The seat whose words were judged, and what it said: a bid, an ending word, or "void"."""
    words, outcome = played.words, played.outcome
    assert isinstance(words, BiddingRound)
    if outcome.verdict is Verdict.VOID or words.ending is None:
        return outcome.ender, _("void")
    if words.ending is Ending.CALL and words.standing:
        seat, bid = words.standing
        return seat, str(bid)
    return outcome.ender, sentences.word_name(words.ending)


def _moved(played: PlayedRound) -> tuple[int | None, str]:
    """The seat whose coins changed, and by how much: "−1".

    The seat is None if several changed. If none did, it is the seat of the claim, with an empty
    text.
    """
    changes = list(played.outcome.changes.items())
    if not changes:
        return _claim(played)[0], ""
    seat, change = changes[0]
    return (seat if len(changes) == 1 else None), change_words(change)


def short_name(name: str, names: Sequence[str], width: int) -> str:
    """The name in `width` cells: whole, reduced to a word that no other of `names` has, or cut."""
    others = {word for other in names if other != name for word in other.split()}
    words = [word for word in reversed(name.split()) if word not in others]
    return first_fitting(width, name, *sorted(words, key=cell_len, reverse=True), fit(name, width))


def words_of(said: Round) -> list[tuple[int, str]]:
    """The words of a round with their seats, as texts; a call that was taken ends with "?"."""
    if isinstance(said, GuessingRound):
        return [(call.seat, f"{call.number}{'?' * call.taken}") for call in said.calls]
    return [(seat, sentences.said_aloud(word)) for seat, word in said.words]


def word_lines(words: Iterable[tuple[int, str]], names: Sequence[str], width: int) -> list[Line]:
    """A line of `width` cells for each word and its player; a call with "?" does not count."""
    lines = []
    for seat, said in words:
        name = fit(names[seat], width - 1 - len(said))
        style = palette.BOLD if said.isdecimal() else palette.STRONG
        style = palette.WRONG if said.endswith("?") else style
        lines.append(at_ends([(name, palette.TEXT)], [(said, style)], width))
    return lines


def _calls_told(scene: Scene, view: TableView, width: int) -> list[Line]:
    """A line for each call, by name and number; calls that do not count are struck through."""
    played = _told_round(scene)
    calls = view.calls
    if played is not None and isinstance(played.words, GuessingRound):
        calls = played.words.calls
    lines = []
    hands = scene.order[: scene.opened] if scene.last else tuple(played.hands if played else ())
    tries: Counter[int] = Counter()
    thought = view.thought if len(view.thought) == len(calls) else (None,) * len(calls)
    for call, took in zip(calls, thought, strict=True):
        tries[call.seat] += 1
        name = scene.names[call.seat] if tries[call.seat] == 1 else ""
        attempt = f" {tries[call.seat]}/{ATTEMPTS}" if call.taken else ""
        words, number = str(call.number), ""
        if named := call_name(call.number):
            words, number = named, f" {words}"
        kept = min(cell_len(name), _NAME) + cell_len(number + attempt)
        words = first_fitting(width - kept - 1, words, "")
        look = school.call_look(call, played, hands)
        end = [(words, look), (number, palette.QUIET), (attempt, look)]
        if took is not None and length(end) + len(time_words(took)) + kept < width:
            end.insert(0, (time_words(took), palette.QUIET))
        left = fit(name, width - 1 - length(end))
        lines.append(at_ends([(left, palette.TEXT)], end, width))
    return lines


def _talk(scene: Scene, place: Place, rows: int) -> Column:
    if scene.view is None:
        return Column(_("Talk"), ())
    room = place.width
    told = _told(scene, scene.view, room, rows - 1)
    lines = [[(fit(" " * indent + text, room), style)] for indent, text, style in told]
    return Column(_("Talk"), fixed(lines))


_Line: TypeAlias = tuple[int, str, Style]
"""Columns to leave free, a text, and its style."""


def _told(scene: Scene, view: TableView, room: int, rows: int) -> list[_Line]:
    """The latest talk, measures and remarks of the house, in order, in `rows` lines of `room`
    columns.

    A remark of the house is shown whole or not at all; of a last line of talk that is too long, the
    beginning is shown. If there is not room for everything, only the last gesture is kept.
    """
    told = [
        (talk.position, _spoken(view, talk, room), False) for talk in view.talk[-max(rows, 0) :]
    ]
    for event in scene.events:
        lines = wrap(event.text, room)
        told.append((event.position, [(0, line, palette.BRIGHT) for line in lines], False))
    for each in scene.of_pub.pronounced[-_OF_HOUSE:] if scene.of_pub else ():
        lines = wrap(pronounced(view, each), room)
        told.append((each.position, [(0, line, palette.QUIET) for line in lines], True))
    told.sort(key=lambda each: each[0])
    if scene.page is not Page.TALK and sum(len(spoken) for _, spoken, _ in told) > rows:
        made = [talk.position for talk in view.talk if isinstance(talk.said, Gesture)]
        told = [each for each in told if each[0] not in made[:-1]]
    kept: list[_Line] = []
    for _position, spoken, is_whole in reversed(told):
        left = rows - len(kept)
        if len(spoken) <= left:
            kept = [*spoken, *kept]
        elif left > 0 and not kept and not is_whole:
            indent, text, style = spoken[left - 1]
            cut = fit(f"{text} {glyphs().ellipsis}", room - indent)
            kept = [*spoken[: left - 1], (indent, cut, style)]
    return kept


def _spoken(view: TableView, talk: Talk, room: int) -> list[_Line]:
    name = name_of(view, talk.author)
    if isinstance(talk.said, Gesture):
        rest = cell_len(gesture_words(talk.said, ""))
        name = short_name(name, seat_names(view), max(room - rest, 1))
        return [(0, fit(gesture_words(talk.said, name), room), palette.BRIGHT)]
    spoken = wrap(f"{name}: {show(talk.said, 200)}", room)
    return [(0 if not index else 1, text, palette.TEXT) for index, text in enumerate(spoken)]
