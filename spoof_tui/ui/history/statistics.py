"""The pages of statistics and of an evening, in charts and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from protocol.rules.words import Ending
from spoof_tui.history.facts import MAX_MISS, TENTHS
from spoof_tui.history.queries import Evening, GameTally, Rival
from spoof_tui.history.statistics import MIN_ROUNDS, Readable, Score, Statistics
from spoof_tui.telling.coaching import percent
from spoof_tui.telling.sentences import signed, word_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.history.game_list import day, hour, preset_words
from spoof_tui.ui.history.pictures import (
    Ink,
    Line,
    bar,
    columns,
    curve,
    fitted,
    left,
    ramp_piece,
    right,
    stacked_bar,
)

MAX_RIVALS: Final = 6
MAX_WIDTH: Final = 96
"""The most columns of a page."""

_FIFTHS: Final = 5
_CURVE: Final = 3
"""Rows of the curve of wins."""
_HEIGHT: Final = 5
"""Rows of column charts."""
_BAR: Final = 30
_SHORTEST: Final = 4
_SHARE: Final = 8
"""Columns of the percentage after a bar, with the spaces around it."""
_NAME: Final = 14
_TOLD: Final = 3
"""The number of places whose share is shown."""


def statistics_lines(told: Statistics, width: int) -> list[Line]:
    """The page of statistics in lines of at most `width` columns."""
    if not told.games:
        return [*_text(_("You have not finished a game yet."), width)]
    width = min(width, MAX_WIDTH)
    sections = (
        _years(told, width),
        _places(told, width),
        _bids(told, width),
        _calls(told, width),
        _readable(told, width),
        _rivals(told.rivals, width),
        _culture(told, width),
    )
    lines: list[Line] = []
    for section in map(list, sections):
        if section:
            lines += [*([()] if lines else []), *section]
    return fitted(lines, width)


def _title(text: str) -> Line:
    return ((text, Ink.TITLE),)


def _text(text: str, width: int, tone: Ink = Ink.TEXT) -> Iterator[Line]:
    for line in wrap(text, width):
        yield ((line, tone),)


def score(told: Score) -> str:
    """A score as text: "3 of 7"."""
    return _("{right} of {all}").format(right=told.right, all=told.all)


# Over time


def _years(told: Statistics, width: int) -> Iterator[Line]:
    yield _title(_("Games"))
    yield from _text(
        ngettext(
            "{count} game, {won} won ({share}), since {month}.",
            "{count} games, {won} won ({share}), since {month}.",
            told.games,
        ).format(
            count=told.games,
            won=told.won,
            share=percent(told.won / told.games),
            month=told.months[0][0],
        ),
        width,
    )
    months = told.months
    if len(months) < 3:
        return
    room = width - 6
    lines = curve([won / games for _month, games, won in months], room, _CURVE, Ink.COIN)
    scale = (percent(1.0), *[""] * (_CURVE - 2), percent(0.0))
    for label, line in zip(scale, lines, strict=True):
        yield (right(label, 5) + " ", Ink.QUIET), *line
    first, last = months[0][0], months[-1][0]
    yield ((" " * 6 + first + right(last, room - len(first)), Ink.QUIET),)


def _places(told: Statistics, width: int) -> Iterator[Line]:
    yield _title(_("Places"))
    label = max(cell_len(_players(count)) for count in told.places) + 2
    rows = {
        count: [places.get(place, 0) for place in range(1, count + 1)]
        for count, places in sorted(told.places.items())
    }
    shares = {
        count: [percent(part / sum(parts)) for part in parts[:_TOLD]]
        for count, parts in rows.items()
    }
    longest = max(sum(cell_len(each) + 2 for each in row) for row in shares.values())
    gap = 2 if width - label - longest - 2 * _TOLD >= _SHORTEST else 1
    room = max(min(_BAR, width - label - longest - gap * _TOLD), _SHORTEST)
    for count, parts in rows.items():
        yield (
            (left(_players(count), label), Ink.TEXT),
            *stacked_bar(parts, room),
            *(
                piece
                for place, share in enumerate(shares[count])
                for piece in (
                    (" " * gap, Ink.TEXT), ramp_piece(place), (f" {share}", Ink.QUIET),
                )
            ),
        )  # fmt: skip
    first, second, third, rest = (ramp_piece(place)[0] for place in range(4))
    legend = _("Places: {first} first, {second} second, {third} third, {rest} lower.")
    values = {"first": first, "second": second, "third": third, "rest": rest}
    yield from _text(legend.format(**values), width, Ink.QUIET)


def _players(count: int) -> str:
    return ngettext("{count} player", "{count} players", count).format(count=count)


# Words


def _bids(told: Statistics, width: int) -> Iterator[Line]:
    if told.bids:
        yield _title(_("Your bids compared with the total"))
        yield from _misses(told.bids, width, exact=False)
        whole = sum(told.bids.values())
        there = sum(n for above, n in told.bids.items() if above <= 0)
        text = _("{there} of your bids were good, {exact} exact.").format(
            there=percent(there / whole), exact=percent(told.bids.get(0, 0) / whole)
        )
        if told.doubted.all:
            text += " " + _("When called, your bids held up {score} times.").format(
                score=score(told.doubted)
            )
        yield from _text(text, width)
    if told.guesses:
        if told.bids:
            yield ()
        yield _title(_("Your guesses compared with the total"))
        yield from _misses(told.guesses, width, exact=True)
        whole = sum(told.guesses.values())
        text = _("{exact} of your guesses were right.")
        yield from _text(text.format(exact=percent(told.guesses.get(0, 0) / whole)), width)


def _misses(found: Mapping[int, int], width: int, *, exact: bool) -> Iterator[Line]:
    """A chart of how far numbers were from the total; the outermost columns include all beyond.

    `exact`: only an exact number is good; otherwise also one below the total.
    """
    most = min(max(map(abs, found)), MAX_MISS, (width // 4 - 1) // 2)
    values = []
    for above in range(-most, most + 1):
        n = sum(count for miss, count in found.items() if max(-most, min(miss, most)) == above)
        is_good = above == 0 if exact else above <= 0
        tone = Ink.COIN if above == 0 else Ink.GOOD if is_good else Ink.BAD
        values.append((f"{above:+d}" if above else "0", float(n), tone))
    yield from columns(values, _HEIGHT)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line with a bar: a label, the bar, a percentage, and a text."""

    label: str
    share: float | None
    """The share that is filled, 0 to 1; None if there is nothing to draw."""
    tone: Ink
    tail: str = ""
    """The text after the percentage."""
    mark: float | None = None


def _bars(rows: Sequence[_Row], width: int) -> Iterator[Line]:
    """The lines with bars, all bars equally long."""
    label = max(cell_len(each.label) for each in rows) + 2
    tail = max(cell_len(each.tail) for each in rows)
    room = max(min(_BAR, width - label - _SHARE - tail), _SHORTEST)
    for each in rows:
        if each.share is None:
            yield (left(each.label, label), Ink.QUIET), ("·", Ink.QUIET)
            continue
        yield (
            (left(each.label, label), Ink.TEXT),
            *bar(each.share, room, each.tone, each.mark),
            (f" {right(percent(each.share), 5)}  ", Ink.TEXT),
            (each.tail, Ink.QUIET),
        )


def _calls(told: Statistics, width: int) -> Iterator[Line]:
    scores = told.odds[None]
    if not any(each.all for each in scores):
        return
    yield _title(_("Your calls, cliffs, spoofs and zeros by their chance of being right"))
    yield from _bars([_fifth(scores, fifth) for fifth in range(_FIFTHS)], width)
    yield from _text(
        _("The bar: how many were right. The mark: how many would be right by chance."),
        width,
        Ink.QUIET,
    )
    yield from _text(", ".join(_by_word(told)), width)


def _fifth(scores: Sequence[Score], fifth: int) -> _Row:
    """The line for the ending words whose odds were in one fifth of the scale, 0 to 4."""
    step = TENTHS // _FIFTHS
    each = _whole(scores[fifth * step : (fifth + 1) * step])
    low, high = 100 * fifth // _FIFTHS, 100 * (fifth + 1) // _FIFTHS
    label = _("chance {low}–{high}%").format(low=low, high=high)
    if not each.all:
        return _Row(label, None, Ink.QUIET, "")
    expected = (fifth + 0.5) / _FIFTHS
    tone = Ink.GOOD if each.share >= expected else Ink.BAD
    return _Row(label, each.share, tone, score(each), expected)


def _by_word(told: Statistics) -> Iterator[str]:
    for word in Ending:
        each = _whole(told.odds[word])
        if each.all:
            yield f"{word_name(word)}: {score(each)}"


def _whole(scores: Sequence[Score]) -> Score:
    return Score(sum(each.right for each in scores), sum(each.all for each in scores))


# How readable


def _readable(told: Statistics, width: int) -> Iterator[Line]:
    if not told.hands:
        return
    yield _title(_("How readable you are"))
    yield from _hands(told, width)
    found = told.readable
    if found.rounds < MIN_ROUNDS:
        text = ngettext(
            "Play one more round to see what your first words give away.",
            "Play {count} more rounds to see what your first words give away.",
            MIN_ROUNDS - found.rounds,
        )
        yield from _text(text.format(count=MIN_ROUNDS - found.rounds), width, Ink.QUIET)
        return
    guesses = (
        _Row(_("by your first word"), found.guessed, Ink.BAD),
        _Row(_("without that word"), found.blind, Ink.ACCENT),
    )
    yield from _bars(guesses, width)
    yield from _text(
        _("How often somebody who knows your ways guesses your hand.")
        + " "
        + _("Your first word gives away {bits} of the secret: {verdict}").format(
            bits=percent(found.bits), verdict=_verdict(found)
        ),
        width,
    )


def _verdict(found: Readable) -> str:
    if found.bits < 0.05:
        return _("you are a closed book.")
    if found.bits < 0.15:
        return _("you are hard to read.")
    if found.bits < 0.35:
        return _("you can be read.")
    return _("you are an open book.")


def _hands(told: Statistics, width: int) -> Iterator[Line]:
    """Lines with how often each hand was hidden, for the number of coins owned most often."""
    coins, hands = max(told.hands.items(), key=lambda each: sum(each[1].values()))
    whole = sum(hands.values())
    text = ngettext("When you had one coin, you hid", "When you had {count} coins, you hid", coins)
    yield ((text.format(count=coins), Ink.TEXT),)
    room = max(min(_BAR, width - 12), _SHORTEST)
    most = max(hands.values())
    for hand in range(coins + 1):
        n = hands.get(hand, 0)
        yield (
            (right(str(hand), 4) + " ", Ink.COIN),
            *bar(n / most, room, Ink.COIN),
            (f" {percent(n / whole)}", Ink.TEXT),
        )


# The others


def _rivals(known: Sequence[Rival], width: int) -> Iterator[Line]:
    if not known:
        return
    yield _title(_("Who to watch out for"))
    yield from _bars([_rival(each) for each in known[:MAX_RIVALS]], width)
    yield from _text(
        _("How often they beat you; coins they won from you and lost to you."),
        width,
        Ink.QUIET,
    )


def _rival(each: Rival) -> _Row:
    share = each.ahead / each.games
    games = _("{ahead} of {games}").format(ahead=each.ahead, games=each.games)
    return _Row(
        left(each.name, min(cell_len(each.name), _NAME)),
        share,
        Ink.BAD if share > 0.5 else Ink.GOOD,
        f"{games}  −{each.took} +{each.gave}",
    )


def _culture(told: Statistics, width: int) -> Iterator[Line]:
    """Lines on the Law of Cliff, and on Hoovers."""
    if told.all_cliffs.all:
        yield _title(_("The Law of Cliff"))
        rows = [(_("won by cliff"), told.all_cliffs, Ink.BAD)]
        if told.cliffs.all:
            rows.append((_("your own cliffs"), told.cliffs, Ink.BAD))
        rows.append((_("any coin"), told.steady, Ink.ACCENT))
        yield from _bars(
            [_Row(words, each.share, tone, score(each)) for words, each, tone in rows], width
        )
        yield from _text(
            _("How many of these coins are lost again within three rounds.") + " " + _law(told),
            width,
        )
    if told.all_hoovers:
        text = ngettext(
            "One high bid at your tables with hardly a coin in the bidder’s fist; yours: {own}.",
            "{count} high bids at your tables with hardly a coin in the bidder’s fist; "
            "yours: {own}.",
            told.all_hoovers,
        )
        if told.all_cliffs.all:
            yield ()
        yield _title(_("Hoovers"))
        yield from _text(text.format(count=told.all_hoovers, own=told.hoovers), width)


def _law(told: Statistics) -> str:
    above = told.all_cliffs.share - told.steady.share
    if told.all_cliffs.all < 10:
        return _("Too few cliffs to say whether the Law of Cliff holds.")
    if above > 0.05:
        return _("Cliff giveth and Cliff taketh away: the Law of Cliff holds.")
    if above < -0.05:
        return _("Cliff giveth, and lets you keep it: the Law of Cliff does not hold.")
    return _(
        "A coin won by cliff is lost no sooner than any other: there is no sign of the Law "
        "of Cliff."
    )


MAX_NAME: Final = 18
_TALLY_BAR: Final = 12
_GAP: Final = 2


def evening_lines(evening: Evening | None, width: int) -> list[Line]:
    """The page of an evening in lines of at most `width` columns; None: there is no such
    evening."""
    if evening is None:
        return [((line, Ink.TEXT),) for line in wrap(_("There is no such evening."), width)]
    heads, rows = _table(evening.table, len(evening.games), width)
    lines: list[Line] = [
        *(((line, Ink.TITLE),) for line in wrap(_heading(evening), width)),
        ((_about(evening), Ink.QUIET),),
        (),
        heads,
        *rows,
        (),
        *(((line, Ink.QUIET),) for line in wrap(_note(heads), width)),
    ]
    return fitted(lines, width)


def _heading(evening: Evening) -> str:
    return _("{table}, the evening of {day}").format(
        table=evening.event, day=day(evening.games[0].finished)
    )


def _about(evening: Evening) -> str:
    count = len(evening.games)
    rules = dict.fromkeys(preset_words(game.preset) for game in evening.games)
    played = ngettext("{count} game", "{count} games", count).format(count=count)
    first, last = evening.games[0].finished, evening.games[-1].finished
    hours = hour(last) if count == 1 else f"{hour(first)}–{hour(last)}"
    return f"{played} · {', '.join(rules)} · {hours}"


def _note(heads: Line) -> str:
    """A sentence that explains the last columns; `heads` are the titles shown."""
    if _("coins") in "".join(text for text, _tone in heads).split():
        return _("Finishing places, game by game. Coins are those left at the end.")
    return _("Finishing places, game by game.")


_FEW_PLACES: Final = 9
"""Cells that five places take."""

Column = tuple[str, Callable[[GameTally], str], Ink]
"""A column of the table: its title, the text for a player, and its colour."""


def _columns(table: Sequence[GameTally]) -> list[Column]:
    """The columns of the table; chips, drinks and fines only if there are any."""
    found: list[Column] = [
        (_("won"), lambda each: str(each.won), Ink.BOLD),
        (_("games"), lambda each: str(each.games), Ink.TEXT),
    ]
    if any(each.coins for each in table):
        found.append((_("coins"), lambda each: str(each.coins), Ink.COIN))
    if any(each.chips is not None for each in table):
        found.append(
            (_("chips"), lambda each: "" if each.chips is None else signed(each.chips), Ink.COIN)
        )
    if any(each.rounds_paid for each in table):
        found.append((_("paid"), lambda each: str(each.rounds_paid or 0), Ink.TEXT))
    if any(each.fines for each in table):
        found.append((_("fines"), lambda each: str(each.fines), Ink.BAD))
    return found


def _table(table: Sequence[GameTally], games: int, width: int) -> tuple[Line, list[Line]]:
    """The line of titles, and a line for each player, in `width` columns."""
    found = _columns(table)
    name = min(max((cell_len(_name(each)) for each in table), default=0), MAX_NAME) + _GAP
    sizes = [max(cell_len(title), 4) + _GAP for title, _told, _tone in found]
    wanted = max(cell_len(_("places")), _FEW_PLACES)
    while len(found) > 1 and width - name - sum(sizes) - _GAP < wanted:
        # Places already show how the evening went; the number of games is shown above.
        del found[1], sizes[1]
    room = width - name - sum(sizes) - _GAP
    drawn = _TALLY_BAR if room >= _TALLY_BAR + 14 else 0
    places = max(room - (drawn + _GAP if drawn else 0), 6)
    heads = left("", name) + "".join(
        right(title, size) for (title, _told, _tone), size in zip(found, sizes, strict=True)
    )
    blank = " " * (_GAP + (drawn + _GAP if drawn else 0))
    rows = [_row(each, found, sizes, name, drawn, places) for each in table]
    return ((heads + blank + left(_("places"), places).rstrip(), Ink.QUIET),), rows


def _row(
    each: GameTally,
    found: Sequence[Column],
    sizes: Sequence[int],
    name: int,
    drawn: int,
    places: int,
) -> Line:
    told = [
        (right(say(each), size), tone)
        for (_title, say, tone), size in zip(found, sizes, strict=True)
    ]
    picture = ((" " * _GAP, Ink.TEXT), *bar(each.won / each.games, drawn, Ink.COIN))
    shown = " ".join(map(str, each.places))
    if len(shown) > places:
        sign = glyphs().ellipsis
        shown = sign + shown[len(shown) - places + len(sign) :]
    return (
        (left(_name(each), name - _GAP) + " " * _GAP, Ink.ACCENT if each.is_me else Ink.TEXT),
        *told,
        *(picture if drawn else ()),
        (" " * _GAP + shown, Ink.QUIET),
    )


def _name(each: GameTally) -> str:
    return _("{name} (you)").format(name=each.name) if each.is_me else each.name
