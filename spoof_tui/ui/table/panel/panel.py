"""The panel below the table: what is happening, what the player can do, and how a game begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Verdict, speaking_order
from protocol.table.fold import Phase
from protocol.table.statements import VOTED, Gesture
from protocol.views import FistState, LinkState, SeatStatus, SeatView, TableView
from spoof_tui.acts import table
from spoof_tui.acts.act import caption, labels
from spoof_tui.telling import absence, measures, practice, sentences
from spoof_tui.telling.company import introductions
from spoof_tui.telling.connection import Claim, promise
from spoof_tui.telling.counts import beat_words, ending_words, shows
from spoof_tui.telling.durations import duration
from spoof_tui.telling.gestures import gesture_name
from spoof_tui.telling.names import name_of
from spoof_tui.telling.notices import open_again
from spoof_tui.telling.outcomes import Fortune, outcome_for, went_out
from spoof_tui.telling.pressing import key_name, press
from spoof_tui.telling.pronouncements import of_count
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import (
    Part,
    Piece,
    Place,
    first_fitting,
    fit,
    labels_within,
    length,
    prose,
)
from spoof_tui.ui.dialogs.labels import MORE, key_pieces
from spoof_tui.ui.table.dialogs.inviting import how_to_come, in_the_way
from spoof_tui.ui.table.felt import guessing as school
from spoof_tui.ui.table.felt.wheel import wheel_lines
from spoof_tui.ui.table.frame import MARGIN, NARROW, Rule, fixed, panel_parts
from spoof_tui.ui.table.panel.game_over import after_lines, again_lines
from spoof_tui.ui.table.panel.hints import asked_hint, with_hint
from spoof_tui.ui.table.panel.rule_end import rule_end
from spoof_tui.ui.table.panel.turn import (
    BRIEF,
    calling_lines,
    turn_lines,
    word_lines,
)
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.visiting import has_page

_HERE: Final = (SeatStatus.HERE, SeatStatus.UNSTEADY)


def invitation(scene: Scene, view: TableView) -> str:
    """What to press to get ready, and when the game begins without this player."""
    text = _to_press(scene, view)
    if left := scene.start_delay:
        begins = _("The game begins without you in {time}.").format(time=duration(left))
        return f"{text} {begins}"
    return text


def _to_press(scene: Scene, view: TableView) -> str:
    others, asked = _others(view), press(_("Enter"), _("ready"))
    if view.winner is None and others and all(seat.ready for seat in others):
        return _("Everybody is ready but you. {press}.").format(press=asked)
    if not others and scene.known.is_host:
        return f"{_('Waiting for one more player.')} {_a_bot()}"
    return _("{press} when you are ready.").format(press=asked)


def _a_bot() -> str:
    return _("{press} to add a bot.").format(press=press("m", _("menu"), is_more=True))


def _others(view: TableView) -> list[SeatView]:
    """The other players' seats, without those of players who are away."""
    return [seat for seat in view.seats if not seat.is_me and seat.presence in _HERE]


def removed(view: TableView) -> str:
    """The message that the player was removed, and how to ask for a seat again."""
    text = _("The host or a majority removed you. You are watching now.")
    if view.phase is not Phase.GATHERING:
        return text + " " + _("When the game is over you can ask for a seat again.")
    again = _("{press} to ask for a seat again.")
    return text + " " + again.format(press=press("r", _("sit down")))


def waits_for(scene: Scene, view: TableView) -> str:
    """A sentence saying whom a player who is ready is waiting for."""
    missing = [
        name for seat, name in zip(view.seats, scene.names, strict=True)
        if not seat.ready and seat.presence in _HERE
    ]  # fmt: skip
    if not _others(view) and scene.known.is_host:
        return f"{_('You are ready. Waiting for one more player.')} {_a_bot()}"
    if len(view.seats) < 2 or not missing:
        return _("You are ready. Waiting for others to sit down.")
    text = _("You are ready. Waiting for {names}.").format(names=", ".join(missing))
    if left := scene.start_delay:
        wait = _("{time} at most.")
        if scene.may_start:
            wait = _("{time} at most; {key} starts now.")
        key = key_name("y", _("start now"))
        return f"{text} {wait.format(time=duration(left), key=key)}"
    return f"{text} {absence.idle_words(view, scene.now)}".rstrip()


def key_line(scene: Scene, width: int) -> list[Piece]:
    """The last line: the line of talk being typed, or the keys."""
    if scene.talking is not None:
        prompt = _("Talk: ")
        room = width - MARGIN - cell_len(prompt) - 2
        typed = scene.talking
        while len(typed) and len(fit(typed, room)) < len(typed):
            typed = typed[1:]
        line = [(prompt, palette.KEY), (typed, palette.TEXT), ("█", palette.BRIGHT)]
        ways = [*_hint(_("Enter"), _("say it")), *_hint(_("Esc"), _("back"))] * (not has_page())
        is_room = length(line) + 2 + length(ways) <= width - MARGIN
        return [*line, ("  ", palette.TEXT), *ways] if is_room else line
    do_it = f"1–9 {_('Enter')}", _("do it")
    keys = [("← →", _("another gesture")), do_it, (_("Esc"), _("back"))]
    if scene.wheel is None or scene.over:
        keys = key_labels(scene)
    # From another page the way back is always shown.
    way = _("any key") if scene.pacing.is_resting else caption(table.PAGE.key)
    kept = (way, caption("escape")) if scene.page is not Page.TABLE else ()
    shown = labels_within(keys, width - 2 * MARGIN, kept)
    return [piece for hint in shown for piece in _hint(*hint)]


def _hint(key: str, meaning: str) -> list[Piece]:
    return [*key_pieces(key, meaning), ("  ", palette.QUIET)]


def key_labels(scene: Scene) -> list[tuple[str, str]]:
    """The keys that have an effect now, each with what it does."""
    if scene.pacing.is_again and scene.is_counted:
        return [(_("any key"), _("goes back to the table"))]
    is_counting = scene.reveal is not None and not scene.is_judged
    if is_counting and scene.is_first_round:
        return []
    if (is_counting or scene.pacing.is_again) and not scene.over:
        return [any_key_in_a_count(scene)]
    if scene.view is not None and not scene.over:
        on = [(_("any key"), _("goes on"))] if scene.pacing.is_resting else []
        # As long as a verdict stands, their keys only go on.
        waits: tuple[table.TableAct, ...] = (
            (table.READY, table.TURN, table.PEEK, table.SKIP) if on else ()
        )
        waits += table.LATER if scene.is_first_round and scene.is_practice else ()
        shown = labels([each for each in table.TABLE if each not in waits], scene)
        if scene.leads_back:
            page = caption(table.PAGE.key)
            # Beside the key that led here, so that no label before it moves.
            here = [key for key, _words in shown].index(page) + 1 if page in dict(shown) else 0
            shown.insert(here, (caption("escape"), _("back")))
        return [*on, *shown]
    keys = [(_("Enter"), _("come back"))] if scene.over and scene.reopened else []
    if scene.findings:
        keys.append(("x", _("network")))
    return [*keys, ("q", _("lobby"))]


def any_key_in_a_count(scene: Scene) -> tuple[str, str]:
    """The label of "any key" during a count: it skips to the verdict and then to the end."""
    return _("any key"), _("goes on") if scene.is_judged else _("skips to the verdict")


_WITH_NAMES: Final = 60
"""Columns from which a count names the players even if it then needs several lines."""


def wanted_rows(scene: Scene, place: Place) -> int:
    """Rows of a panel in which nothing is cut.

    During a game and its last count the panel keeps its height, so that nothing moves, unless there
    is news, the connection is lost, the player may vote to play on, or a remark or a hint concerns
    the player's turn.
    """
    view, width = scene.view, place.width - 2 * MARGIN
    is_playing = view is not None and not view.paused and is_in_game(scene, view)
    is_told = scene.has_news or scene.is_stale or (scene.remark and view and view.my_turn)
    may_vote = view is not None and absence.votes_due(view, scene.now)
    motion, hint = _motion(scene, width), asked_hint(scene, width)
    if is_playing and not (is_told or may_vote or hint):
        return place.height + len(motion)
    _title, lines = _content(scene, width, place.height + len(hint))
    below = [*_todo(scene, width), *_talk(scene, width)[0], *motion, *hint]
    return len(lines) + len(below) + 2


def is_in_game(scene: Scene, view: TableView) -> bool:
    """Whether a game is played, or its last count is on show; that of a school has more to say."""
    is_last = scene.last is not None and not view.is_guessing
    return view.phase is not Phase.GATHERING or is_last


def table_panel(scene: Scene, place: Place) -> list[Part]:
    """The parts of the panel at `place`: a rule with a title, the text, and the keys."""
    width = place.width - 2 * MARGIN
    below = [*_motion(scene, width), *_todo(scene, width)]
    talk, is_my_talk = _talk(scene, width)
    kept = len(talk) * is_my_talk + len(_motion(scene, width))
    text, lines = _content(scene, width, place.height - kept)
    room = place.height - 2 - len(below)
    if talk and (is_my_talk or len(lines) < room):
        below = [*talk, *below]
    elif scene.wheel is None:
        lines = with_hint(scene, lines, width, room)
    # What matters more than anything on the table.
    mine = (_("Your turn"), _("Your hand"), _("Your call"), _("Game over"), _("Paused"),
            _("No connection"), _("Going back"))  # fmt: skip
    is_mine = text in mine
    text = text.upper() if is_mine else text
    titles = [(f" {text} ", palette.CHOSEN if is_mine else palette.QUIET)]
    if due := _also_due(scene):
        titles.insert(0, (f" {due.upper()} ", palette.CHOSEN))
    room = place.width - length(titles) - 6
    rule = Rule(tuple(titles), fixed(rule_end(scene, room)))
    # A question comes before more of a text.
    more = "" if scene.to_refuse else MORE
    foot = key_line(scene, place.width)
    return panel_parts(place, rule, lines, below, [foot] if foot else [], more)


def _talk(scene: Scene, width: int) -> tuple[list[list[Piece]], bool]:
    """The last line of talk, if no side column shows it, or the player's own gesture on a page
    without their fist; and whether it is the player's own."""
    said, view = scene.last_talk, scene.view
    if said is None or view is None:
        return [], False
    is_gesture = isinstance(said.said, Gesture)
    if is_gesture and scene.page is Page.TABLE:
        return [], False
    told_here = {Page.ROUNDS} if width + 2 * MARGIN >= NARROW else {Page.ROUNDS, Page.TABLE}
    if scene.page not in told_here or scene.over:
        return [], False
    is_mine = view.my_seat is not None and said.author == view.my_seat.key
    name = _("You") if is_mine else name_of(view, said.author)
    what = gesture_name(said.said) if isinstance(said.said, Gesture) else show(said.said, width)
    line = f"{name}: {what}"
    return [[(fit(line, width), palette.BRIGHT)]], is_mine


def _content(scene: Scene, width: int, height: int) -> tuple[str, list[list[Piece]]]:
    if scene.over and scene.reopened:
        return _("The table is open again"), _prose([open_again(), _saved(scene)], width)
    if scene.over:
        title = practice.end_title(scene)
        advice = "" if in_the_way(scene) else scene.over_advice
        why = _prose([f"{scene.over} {advice}".rstrip(), _saved(scene)], width)
        return title, [*why, *_in_the_way(scene, width), *_elsewhere(scene, width)]
    view = scene.view
    if scene.turned_away and (view is None or view.link is not LinkState.UP):
        return _("Not at the table"), _prose([scene.turned_away], width, palette.WRONG)
    if view is None:
        is_own = scene.known.is_host or scene.is_opening
        waits = _("Opening the table …") if is_own else _("Reading the table’s log …")
        lines = [*_prose([scene.said or waits], width), *_in_the_way(scene, width)]
        return _("Hosting") if is_own else _("Joining"), lines
    if scene.wheel is not None:
        return _("A gesture"), wheel_lines(scene.wheel, view, width, height - 2)
    if absence.is_new_table_urgent(view, scene.continued):
        asked = _prose([absence.new_table_words(view, scene.continued)], width, palette.BOLD)
        return _("A new table"), [*asked, *_remark(scene, width), *_count(scene, width)]
    if scene.is_stale and scene.silent_since is not None:
        is_going = scene.is_arriving or scene.claim is Claim.ANSWERED
        title = _("Going back") if is_going else _("No connection")
        return title, _cut_off(scene, view, width)
    if scene.has_news:
        return scene.news_title, _news(scene, view, width)
    if scene.pacing.is_again:
        again = _("Round {number} again").format(number=scene.round_on_show[0])
        beat = _waiting(scene, view) if scene.reveal and not scene.is_counted else ""
        return again, [*_count(scene, width), *_prose([beat], width)]
    if view.paused:
        return _("Paused"), _paused(scene, view, width)
    # The verdict is shown alone until it is read, and then what to do next.
    is_read = not scene.pacing.is_resting
    if view.my_turn and view.is_guessing and is_read:
        return _("Your call"), calling_lines(scene, view, width, height)
    if view.my_turn and is_read:
        hinted = len(asked_hint(scene, width))
        return _("Your turn"), turn_lines(scene, view, width, height, hinted)
    if view.own_fist_due and is_read:
        return _("Your hand"), _choosing(scene, view, width)
    if view.phase is Phase.GATHERING:
        between = _("Between games") if view.game_number else _("Waiting for players")
        title = between if view.winner is None else _("Game over")
        return title, _gathering(scene, view, width, height)
    if view.phase in (Phase.WITNESSING, Phase.OPENING):
        return _("The fists open"), _watching(scene, view, width, height)
    if view.phase is Phase.LOT:
        return _("Drawing lots"), _watching(scene, view, width, height)
    if scene.is_counted and view.past:
        # Its hands are still on show, however far the next one has come.
        over = _("Round {number} is over").format(number=scene.round_on_show[0])
        return over, _watching(scene, view, width, height)
    return _("Round {number}").format(number=view.round_number), _watching(
        scene, view, width, height
    )


def _cut_off(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """Lines on what is known and being tried while the connection is lost."""
    first, *more = scene.of_connection
    kept = promise(scene.silence, scene.claim)
    asked = _asked_meanwhile(scene, view, width)
    # The keys follow what was said last, before the reasons: on a small screen these are cut.
    said = more[: view.speaker is not None]
    return [
        *_prose([first], width, palette.WRONG),
        *_prose([absence.new_table_words(view, None)], width, palette.BRIGHT),
        *_prose(said, width),
        *asked,
        *_remark(scene, width),
        *_prose(more[len(said) :], width),
        *_prose([] if asked else [kept], width, palette.QUIET),
    ]


def _asked_meanwhile(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """Lines with the keys for a hand or a word that can be given while the connection is lost;
    empty if neither is due."""
    if has_page():
        # The page's buttons are these keys.
        return []
    if view.my_turn and not view.is_guessing:
        return word_lines(scene, view, width)
    if view.own_fist_due:
        return [_hand_keys(scene, view.my_seat.coins if view.my_seat else 0, width)]
    return []


def _news(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """Lines with the news, and what the table waits for."""
    told = [*_prose(scene.news, width, palette.BRIGHT), *_result(scene, width)]
    if not view.paused and view.phase is Phase.GATHERING:
        told += [] if scene.pacing.is_resting else _asked(scene, view, width)
    elif not (view.my_turn or view.own_fist_due):
        told += _prose([_waiting(scene, view)], width)
    return [*told, *_absent(scene, width)]


def _also_due(scene: Scene) -> str:
    """The title of what the player has to do while news or, for long, a verdict is on show; empty
    if there is nothing."""
    view = scene.view
    is_told = scene.keeps_waiting or (scene.has_news and not scene.pacing.is_resting)
    if view is None or view.paused or not is_told:
        return ""
    if view.my_turn:
        return _("Your call") if view.is_guessing else _("Your turn")
    return _("Your hand") if view.own_fist_due else ""


def _todo(scene: Scene, width: int) -> list[list[Piece]]:
    """Lines below news: what the player can do now, as short as possible; empty without news."""
    view = scene.view
    if view is None or not scene.has_news:
        return []
    is_read = not scene.pacing.is_resting
    if view.my_turn and is_read and not view.paused:
        turn = calling_lines if view.is_guessing else turn_lines
        return turn(scene, view, width, BRIEF)
    if view.own_fist_due and (is_read or not scene.covers) and not view.paused:
        return _question(scene, view, width)
    if has_page() or scene.to_agree_to or scene.to_refuse:
        # A question has keys of its own.
        return []
    go_on = palette.pressing(palette.QUIET, "escape")
    return _prose([_("Any key closes this message.")], width, go_on)


def _paused(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    words = absence.pause_words(view, scene.known.is_host)
    return [*_prose([words], width, palette.BOLD), *_remark(scene, width), *_count(scene, width)]


def _prose(texts: Sequence[str], width: int, style: Style | None = None) -> list[list[Piece]]:
    return [line for text in texts for line in prose(text, width, style)]


def _in_the_way(scene: Scene, width: int) -> list[list[Piece]]:
    """Lines on the worst network problem, and how to read about all of them."""
    first, *more = in_the_way(scene) or ("",)
    return [*_prose([first], width, palette.WRONG), *_prose(more, width)]


def _elsewhere(scene: Scene, width: int) -> list[list[Piece]]:
    """A line for each address where another table answers, with the key that leads there."""
    text = _("{press} to join the table at {address}.")
    lines: list[list[Piece]] = []
    for number, address in enumerate(scene.elsewhere, 1):
        key = str(number)
        asked = text.format(press=press(key, address.text), address=address.text)
        lines += _prose([asked], width, palette.pressing(palette.BRIGHT, key))
    return lines


def _remark(scene: Scene, width: int) -> list[list[Piece]]:
    return _prose([scene.said], width, palette.WRONG)


def _choosing(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    is_second = (view.game_number, view.round_number) == (1, 2)
    is_due = is_second and scene.is_practice and scene.introduces
    who = introductions(scene.names, view.me) if is_due else ""
    asked = [*_question(scene, view, width), *_remark(scene, width), *_absent(scene, width)]
    return [*asked, *_prose([who], width, palette.QUIET)]


def _question(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """Lines that ask for a hand, with the keys for it."""
    owned = view.my_seat.coins if view.my_seat else 0
    digits = _("Hide 0 to {coins} coins. Nothing shows.")
    if owned == 1:
        digits = _("Hide your coin, or nothing.")
    asked = digits.format(coins=owned)
    keys = [] if has_page() else [_hand_keys(scene, owned, width)]
    return [*_prose([asked], width, palette.BOLD), *keys]


def _hand_keys(scene: Scene, owned: int, width: int) -> list[Piece]:
    """The keys that hide a hand of up to `owned` coins: digits, digits with Enter, or a hidden
    list."""
    if scene.controls.cover_keys:
        return [
            *_first_keys("← → " + _("Enter")),
            (_("choose from a hidden list; space shows where you are"), palette.QUIET),
        ]
    if owned > 9:
        every_digit = " ".join(map(str, range(10)))
        keys, words = _first_keys(f"{every_digit} {_('Enter')}"), _("type the number")
        return [*keys, (first_fitting(width - length(keys), words, ""), palette.QUIET)]
    digits = [
        (f"  {digit} ", palette.pressing(palette.KEY, str(digit))) for digit in range(owned + 1)
    ]
    return [*digits, ("  " + _("press one"), palette.QUIET)]


def _first_keys(caption: str) -> list[Piece]:
    """The caption of keys at the beginning of a line, with spaces around it."""
    return [("  ", palette.TEXT), *key_pieces(caption), (" ", palette.TEXT)]


def _absent(scene: Scene, width: int) -> list[list[Piece]]:
    """Lines on who is away while the table waits, and what the others may do (G3)."""
    if scene.view is None or (scene.last is not None and not scene.is_counted):
        return []
    if offered := absence.new_table_words(scene.view, None):
        return _prose([offered], width, palette.BRIGHT)
    told = absence.waiting_words(scene.view, scene.now, scene.unseen)
    return _prose([*told, *absence.unsteady_words(scene.view)], width, palette.BRIGHT)


def _count(scene: Scene, width: int, room: int | None = None) -> list[list[Piece]]:
    """Lines saying how the round on show ended, and its count, if both fit in `room` rows; with
    None, there is no limit."""
    last = scene.last
    if last is None or not scene.is_judged:
        return []
    count = sentences.the_count(
        last, scene.names, scene.order, scene.view.me if scene.view else None
    )
    if len(count) > width < _WITH_NAMES:
        count = sentences.short_count(last, scene.order)
    # At the end of a school there is more to say, and the seats show the same.
    is_end = isinstance(last.words, GuessingRound) and last.outcome.winner is not None
    # It comes with the price, so that little is painted at the verdict.
    lines = [] if is_end or not scene.is_counted else _prose([count], width, palette.QUIET)
    if room is None:
        return [*_result(scene, width), *lines]
    # What a verdict means comes before its facts, and these before its sum.
    room -= len(asked_hint(scene, width))
    result = _result(scene, width, room)
    return [*result, *lines] if len(result) + len(lines) <= room else result


def _look_of(fortune: Fortune) -> Style:
    """The style of a verdict's text."""
    return {
        Fortune.WON: palette.MONEY,
        Fortune.RIGHT: palette.RIGHT,
        Fortune.LOST: palette.WRONG,
        Fortune.NEITHER: palette.BOLD,
    }[fortune]


def _result(scene: Scene, width: int, room: int | None = None) -> list[list[Piece]]:
    """Lines with the verdict of the round on show and who went out; facts only if `room` rows hold
    them."""
    last = scene.last
    if last is None or not scene.is_judged:
        return []
    me = scene.view.me if scene.view else None
    told, out = outcome_for(me, last, scene.names), went_out(last, scene.names, me)
    # The stamp tells the player's own place.
    out = _("You are out.") if last.outcome.went_out == (me,) else out
    first = f"{told.lead} {out}".strip()
    lead = _prose([first], width, _look_of(told.fortune))
    lines = [*lead, *_prose([told.facts], width)]
    return lead if lead and room is not None and len(lines) > room else lines


def _heard(scene: Scene, width: int) -> list[list[Piece]]:
    """Lines with remarks of the house on the counted round, if there is no side column to show
    them."""
    is_heard = width + 2 * MARGIN < NARROW and scene.last is not None and scene.is_counted
    heard = of_count(scene.of_pub) if scene.of_pub and is_heard else ()
    return _prose(heard, width, palette.MONEY)


def _gathering(scene: Scene, view: TableView, width: int, height: int) -> list[list[Piece]]:
    lines = _count(scene, width, height - 2 if is_in_game(scene, view) else None)
    if scene.last is not None and not scene.is_counted:
        return lines
    if view.is_guessing:
        lines += _prose(school.drinks(view, scene.names), width)
    lines += _prose(scene.of_connection, width, palette.WRONG)
    if scene.pacing.is_resting:
        return lines
    lines += _asked(scene, view, width)
    if view.winner is not None:
        more = [*after_lines(scene, view, width), *_heard(scene, width)]
        return [*lines, *_remark(scene, width), *more]
    return [
        *lines,
        *_remark(scene, width),
        *_prose([_standing(scene)], width, palette.QUIET),
        *_in_the_way(scene, width),
        *_prose(how_to_come(scene, view), width),
    ]


def _asked(scene: Scene, view: TableView, width: int) -> list[list[Piece]]:
    """Lines on what the player can do between games, or waits for."""
    seat = view.my_seat
    if scene.removed:
        return _prose([removed(view)], width, palette.WRONG)
    if seat is None and scene.known.is_host:
        return _prose([_("Opening the table …")], width)
    if seat is None or not measures.sits(view):
        return _prose([absence.place_words(view)], width)
    if seat.ready:
        return _prose([waits_for(scene, view)], width, palette.BOLD)
    if view.winner is not None:
        return again_lines(view, width, is_practice=scene.is_practice)
    return _prose([invitation(scene, view)], width, palette.BOLD)


def _motion(scene: Scene, width: int) -> list[list[Piece]]:
    """Lines on the running vote, with the keys that answer it; they stand below all others."""
    view = scene.view
    if view is None or scene.over or scene.is_stale or scene.wheel is not None:
        return []
    motion = measures.motion_on_show(view, scene.refused)
    if motion is None:
        return []
    proposal, keys = measures.proposal_of(motion), []
    asked = measures.motion_words(motion, view)
    if has_page():
        return _prose([f"{asked}."], width, palette.BOLD)
    if proposal in scene.to_agree_to:
        decides = scene.known.is_host and motion.measure not in VOTED
        keys.append(("y", _("yes, at once") if decides else _("yes")))
    if proposal in scene.to_refuse:
        has_voted = measures.has_voted(proposal, view)
        keys.append(("n", _("withdraw your vote") if has_voted else _("no")))
    lines = _prose([f"{asked}:" if keys else f"{asked}."], width, palette.BOLD)
    answers: list[Piece] = []
    for key, words in keys:
        answers += [("  " if answers else " ", palette.TEXT), *key_pieces(key, words)]
    if not lines or length(lines[-1]) + length(answers) > width:
        return [*lines, answers[1:]]
    return [*lines[:-1], [*lines[-1], *answers]]


def _saved(scene: Scene) -> str:
    if scene.record is None:
        return ""
    return _("Game saved: {path}").format(path=scene.record)


def _watching(scene: Scene, view: TableView, width: int, height: int) -> list[list[Piece]]:
    now = removed(view) if scene.removed else _waiting(scene, view)
    # It names keys that would now only skip or, without a seat, go on.
    skips = scene.pacing.takes_any_key or (scene.pacing.is_resting and not measures.sits(view))
    place = "" if scene.removed or skips else absence.place_words(view)
    is_void = scene.last is not None and scene.last.outcome.verdict is Verdict.VOID
    missing = absence.played_without(view) if is_void and scene.is_counted else ()
    parts = [
        _prose([now], width),
        _prose(missing, width) or _remark(scene, width),
        _absent(scene, width),
        _prose([place], width, palette.QUIET),
        _prose([_stakes(scene, view)], width, palette.QUIET),
        _heard(scene, width),
    ]
    # That the next round waits comes before the sum of this one.
    kept = len(parts[0]) if scene.keeps_waiting else 0
    lines = _count(scene, width, height - 2 - kept)
    for part in parts:
        # Below a verdict there is room for whole sentences only.
        if not scene.last or len(lines) + len(part) <= height - 2:
            lines += part
    return lines


def _stakes(scene: Scene, view: TableView) -> str:
    """A sentence with everybody's standing while hands are being hidden; otherwise empty."""
    if view.phase not in (Phase.LOT, Phase.CHOOSING) or scene.last is not None:
        return ""
    return _standing(scene)


def _standing(scene: Scene) -> str:
    return sentences.standing(scene.of_pub, scene.names) if scene.of_pub else ""


def _waiting(scene: Scene, view: TableView) -> str:
    if scene.reveal is not None and not scene.is_counted:
        if scene.is_judged:
            return ""
        opened = scene.order[: scene.opened]
        if scene.is_racing:
            return shows(scene.reveal.played, opened[-1], scene.names, view.me) + "."
        return beat_words(scene.reveal.played, opened, scene.reveal.beat, scene.names, view.me)
    if scene.pacing.is_resting:
        # The table waits for the player to read the verdict, but not for ever.
        return _awaited(view) if scene.keeps_waiting else ""
    if view.phase is Phase.LOT:
        return _("Everybody has a secret share in the draw, so nobody can rig it.")
    if view.phase in (Phase.WITNESSING, Phase.OPENING):
        return ending_words(view.words, view.most, scene.names, view.me)
    if view.own_word is None and view.speaker is not None and view.is_guessing:
        return school.calling(view, scene.names)
    if view.own_word is not None:
        return _("Your word is sent. Waiting for the host to confirm it …")
    if view.speaker is not None:
        # The opening bid may have changed the direction.
        whose = _place_in_turn(scene, view, view.speaker)
        return f"{sentences.turned(view, scene.names)} {whose}".strip()
    missing = absence.missing_fists(view, scene.names)
    if view.me is not None and view.seats[view.me].fist is FistState.NOT_IN:
        return ""  # The result stands alone: the question for the hand follows it.
    is_in = view.my_seat is not None and view.my_seat.fist is FistState.IN
    mine = _("Your fist is in, and it is locked.") if is_in else ""
    wait = _("Waiting for {names}.").format(names=", ".join(missing)) if missing else ""
    return f"{mine} {wait}".strip()


def _awaited(view: TableView) -> str:
    text = _("Press any key: round {number} waits for your fist.")
    if has_page():
        text = _("Round {number} waits for your fist.")
    return text.format(number=view.round_number)


def _place_in_turn(scene: Scene, view: TableView, speaker: int) -> str:
    """A sentence on the turn; for a player in the game one that stays the same from bid to bid."""
    coins = [each.coins for each in view.seats]
    # The first bid may change the direction.
    if view.me is None or not coins[view.me] or not view.words:
        return _("{name} to bid.").format(name=scene.names[speaker])
    before = speaking_order(coins, view.me, view.direction)[-1]
    if before == speaker:
        return _("Your turn is next.")
    return _("Your turn comes after {name}.").format(name=scene.names[before])
