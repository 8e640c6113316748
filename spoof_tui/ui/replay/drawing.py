"""A replay in pictures and sentences: the scene of a step, and the parts round its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from protocol.encoding.untrusted import ForeignText
from protocol.notation import Fault, Slip
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Round
from protocol.rules.guessing import ATTEMPTS, Call, GuessingRound
from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, fit
from spoof_tui.ui.replay.player import PACES, Projector
from spoof_tui.ui.replay.reader import RecordedRound, Reel
from spoof_tui.ui.table.framed import Hint, Line, draw_bar, draw_panel, prose
from spoof_tui.ui.table.ring import Centre
from spoof_tui.ui.table.static_table import Company, Instant, Still, spoken, still
from spoof_tui.ui.wording import sentences
from spoof_tui.ui.wording.calls import call_words
from spoof_tui.ui.wording.names import distinct
from spoof_tui.ui.wording.options import rules_title

_TITLE_CELLS: Final = 48
_FAULT_CELLS: Final = 300
_DOTS: Final = 24
"""Steps that are drawn as dots; more are told in numbers."""

_OF_THE_COUNT: Final = frozenset(
    {"R2", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "H7", "H10", "H11", "H12", "H13", "G3"}
)
"""Clauses by which a hand, or the count, is judged."""

_OF_THE_WORDS: Final = frozenset(
    {
        Slip.CALL_NEEDS_BID,
        Slip.CLIFF_NEEDS_BID,
        Slip.ZERO_OPENS_ONLY,
        Slip.ZERO_FIRST_ONLY,
        Slip.GAME_IS_OVER,
    }
)
"""Faults that are heard before the fists open, although their clause judges counts too."""


def frame(projector: Projector) -> Still:
    """What the table shows at the present step."""
    reel, at = projector.reel, projector.page
    company = _company(projector)
    if not reel.has_begun:
        return Still(caption=Centre(above=_("Reading the file …"), style=palette.QUIET))
    if company is None:
        return Still(caption=Centre(above=_("Who plays what?"), below=_("It is not clear.")))
    if projector.round is not None:
        return _of_round(company, reel, at - 1, projector.step, projector.open_hands)
    if at == 0:
        return still(company, Instant(0, reel.title.coins), _opening(reel))
    return _end(company, reel)


def _company(projector: Projector) -> Company | None:
    title = projector.reel.title
    if not title.is_clear or title.rules is None:
        return None
    return Company(_title(projector), title.rules, title.names, number=projector.film.game + 1)


def _title(projector: Projector) -> str:
    event = projector.reel.title.value("Event")
    if event:
        return show(ForeignText(event), _TITLE_CELLS)
    return _("Game {number}").format(number=projector.film.game + 1)


def _opening(reel: Reel) -> Centre:
    date = reel.title.value("Date")
    players = len(reel.title.names)
    below = _("{players} players").format(players=players)
    return Centre(above=show(ForeignText(date), 24) if date else _("A game"), below=below)


def _of_round(company: Company, reel: Reel, place: int, step: int, open_hands: bool) -> Still:
    recorded = reel.rounds[place]
    said = recorded.said
    if said is None:
        coins = reel.rounds[place - 1].coins if place else reel.title.coins
        caption = Centre(above=_("This round"), below=_("cannot be shown"))
        return still(company, Instant(recorded.number, coins), caption)
    if step <= recorded.words:
        hands = recorded.hands if open_hands else {}
        moment = Instant(recorded.number, said.coins, spoken(said, step), hands=hands)
        return still(company, moment, _start(said) if step == 0 else None)
    if recorded.played is None:
        moment = Instant(recorded.number, said.coins, said, hands=recorded.hands)
        return still(company, moment, Centre(above=_("This round"), below=_("cannot be counted")))
    moment = Instant(
        recorded.number, recorded.coins, said, hands=recorded.hands, played=recorded.played
    )
    return still(company, moment, _void(recorded))


def _start(said: Round) -> Centre | None:
    if isinstance(said, GuessingRound):
        return None
    return Centre(
        above=_("All fists are in"), below=_("{most} coins in play").format(most=said.most)
    )


def _void(recorded: RecordedRound) -> Centre | None:
    if recorded.outcome is None or recorded.outcome.verdict is not Verdict.VOID:
        return None
    style = Style(color=palette.BAD, bold=True)
    return Centre(above=_("A fist stayed shut"), below=_("the round is void"), style=style)


def _end(company: Company, reel: Reel) -> Still:
    names = distinct(company.names)
    star = palette.glyphs().star
    caption = Centre(above=_("The record ends here"), below=_("the game is not over"))
    if reel.winner is not None and _is_school(reel):
        payer = _("{name} pays").format(name=names[reel.winner])
        caption = Centre(above=payer, below=_("the school is over"))
    elif reel.winner is not None:
        winner = _("{name} wins").format(name=names[reel.winner])
        caption = Centre(above=f"{star} {winner} {star}", below=_("the game is over"))
    if reel.rounds and reel.rounds[-1].said is not None:
        last = _of_round(company, reel, len(reel.rounds) - 1, reel.rounds[-1].words + 1, True)
        last.caption = caption
        return last
    return still(company, Instant(0, reel.coins), caption)


def _is_school(reel: Reel) -> bool:
    return bool(reel.rounds) and isinstance(reel.rounds[-1].said, GuessingRound)


# The parts round the table


def draw_replay_bar(projector: Projector, width: int) -> list[Strip]:
    """What is replayed, by which rules, and where one is."""
    reel = projector.reel
    about = rules_title(reel.title.rules) if reel.title.rules else ""
    return draw_bar(_title(projector), about, _whereabouts(projector), width)


def _whereabouts(projector: Projector) -> str:
    recorded, reel = projector.round, projector.reel
    game = _("game {number}").format(number=projector.film.game + 1)
    if recorded is None:
        return game
    known = len(reel.rounds)
    text = _("{game}  round {round} of {rounds}") if reel.is_whole else _("{game}  round {round}")
    return text.format(game=game, round=projector.page, rounds=known)


def draw_replay_side(projector: Projector, scene: Still, width: int, height: int) -> list[Strip]:
    """Above the words of the round, below the rounds so far."""
    sheet = Sheet(width, height)
    for row in range(height):
        sheet.put(0, row, "│", palette.BORDER)
    split = (height + 1) // 2
    sheet.put(2, 0, _("Words"), palette.QUIET)
    sheet.put(2, split, _("Rounds"), palette.QUIET)
    room = width - 3
    if scene.view is not None:
        for row, (seat, said) in enumerate(_said(projector)[-(split - 2) :], 1):
            sheet.put(2, row, fit(scene.names[seat], room - len(said) - 1), palette.TEXT)
            style = palette.BOLD if said.isdecimal() else palette.STRONG
            style = palette.WRONG if said.endswith("?") else style
            sheet.put(width - 1 - len(said), row, said, style)
        _draw_rounds(sheet, projector, scene.names, split + 1)
    return sheet.lines()


def _said(projector: Projector) -> list[tuple[int, str]]:
    """Seat and word, as far as they are said."""
    recorded = projector.round
    if recorded is None or recorded.said is None:
        return []
    said = spoken(recorded.said, projector.step)
    if isinstance(said, GuessingRound):
        return [
            (call.seat, f"{call.number}?" if call.taken else f"{call.number}")
            for call in said.calls
        ]
    return [
        (seat, sentences.word_name(word) + ("" if isinstance(word, Bid) else "!"))
        for seat, word in said.words
    ]


def _draw_rounds(sheet: Sheet, projector: Projector, names: Sequence[str], top: int) -> None:
    """The rounds up to the present one; what it did is not told before its fists are open."""
    last = min(projector.page, len(projector.reel.rounds))
    first = max(last - max(sheet.height - top, 0), 0)
    signs = palette.glyphs()
    room = sheet.width - 3
    for row, recorded in enumerate(projector.reel.rounds[first:last], top):
        here = recorded is projector.round
        is_told = not here or projector.is_count
        mark = f"{signs.no} " if recorded.faults else ""
        end = _ending(recorded) if is_told else ""
        space_left = room - len(str(recorded.number)) - len(mark) - len(end) - 4
        effect, style = ("…", palette.QUIET)
        if is_told:
            effect, style = _effect(recorded, names, space_left)
        look = palette.BOLD if here else palette.QUIET
        pointer = signs.pointer if here else " "
        x = sheet.put(2, row, f"{pointer}{recorded.number:>2} ", palette.BRIGHT if here else look)
        x = sheet.put(x, row, mark, palette.WRONG)
        sheet.put(x, row, fit(end, sheet.width - 2 - x), look)
        sheet.put(sheet.width - 1 - cell_len(effect), row, effect, style)


def _ending(recorded: RecordedRound) -> str:
    if isinstance(recorded.said, BiddingRound) and recorded.said.ending:
        return sentences.word_name(recorded.said.ending)
    return ""


def _effect(recorded: RecordedRound, names: Sequence[str], room: int) -> tuple[str, Style]:
    """What a round did, in a few letters."""
    outcome = recorded.outcome
    if outcome is None:
        return "?", palette.WRONG
    if isinstance(recorded.said, GuessingRound):
        left = [names[seat] for seat in outcome.went_out]
        return (
            (fit(left[0], room), palette.RIGHT) if left else (palette.glyphs().dot, palette.QUIET)
        )
    changes = list(outcome.changes.items())
    if not changes:
        return palette.glyphs().dot, palette.QUIET
    seat, change = changes[0]
    style = palette.RIGHT if change > 0 else palette.WRONG
    if len(changes) > 1:
        return f"{len(changes)} × {change:+d}", style
    return f"{fit(names[seat], room - 3)} {change:+d}", style


def draw_replay_panel(projector: Projector, scene: Still, width: int, height: int) -> list[Strip]:
    """What happens at the present step, what the record has wrong, and the keys."""
    lines = [*_faults(projector, width), *_story(projector, scene, width)]
    if projector.film.trouble and projector.round is None:
        why = show(ForeignText(projector.film.trouble), _FAULT_CELLS)
        trouble = _("The file could not be read to its end: {why}.").format(why=why)
        lines = [*prose(trouble, width, palette.WRONG), *lines]
    if projector.remark:
        lines = [*prose(projector.remark, width, palette.BRIGHT), *lines]
    keys = _keys()
    if projector.typed:
        lines = [
            [
                (_("Go to round: "), palette.KEY),
                (projector.typed, palette.BOLD),
                ("█", palette.BRIGHT),
            ],
            *lines,
        ]
        keys = [(_("Enter"), _("go there")), ("Backspace", _("correct"))]
    return draw_panel(_head(projector), _beside(projector), lines, keys, width, height)


def _head(projector: Projector) -> Line:
    recorded = projector.round
    if projector.is_reading:
        read = len(projector.reel.rounds)
        return [(_("Reading … {rounds} rounds").format(rounds=read), palette.BRIGHT)]
    if recorded is not None:
        return [(_("Round {number}").format(number=recorded.number), palette.STRONG)]
    return [(_("The end") if projector.page else _("The beginning"), palette.STRONG)]


def _beside(projector: Projector) -> Line:
    """How far the round is, how fast it goes on, and whether the hands are open."""
    pieces: list[tuple[str, Style]] = []
    if projector.open_hands:
        pieces += [(_("hands open"), palette.MONEY), ("  ", palette.TEXT)]
    if projector.playing:
        playing = _("playing, {seconds} s a step").format(seconds=PACES[projector.pace])
        pieces += [(f"{palette.glyphs().pointer} {playing}", palette.BRIGHT), ("  ", palette.TEXT)]
    return [*pieces, *_dots(projector.step, projector.steps)] if projector.round else pieces


def _dots(step: int, steps: int) -> Line:
    if steps > _DOTS:
        return [(f"{step + 1}/{steps}", palette.QUIET)]
    signs = palette.glyphs()
    done, left = signs.coin * (step + 1), signs.no_coin * (steps - step - 1)
    return [(done, palette.MONEY), (left, palette.BORDER)]


def _keys() -> list[Hint]:
    signs = palette.glyphs()
    return [
        (f"{signs.left} {signs.right}", _("word")),
        (f"{signs.up} {signs.down}", _("round")),
        ("0-9 Enter", _("to a round")),
        ("Home End", _("ends")),
        (_("space"), _("play")),
        ("+ -", _("speed")),
        ("o", _("open hands")),
        ("[ ]", _("game")),
        ("q", _("quit")),
    ]


def _faults(projector: Projector, width: int) -> list[Line]:
    """What the record has wrong here, each with its clause."""
    faults = _faults_here(projector)
    if not faults:
        return []
    head = _("This record does not keep the rules:")
    if projector.round is not None:
        head = _("This round does not keep the rules:")
    lines = prose(head, width, palette.WRONG)
    for fault in faults:
        what = f"{_(fault.slip.template).format(**fault.values)} ({fault.clause})"
        # The gate once more, although what a fault quotes is escaped already.
        rows = prose(show(ForeignText(what), _FAULT_CELLS), width - 2, palette.WRONG)
        mark = palette.glyphs().no + " "
        lines += [
            [(mark if not row else "  ", palette.WRONG), *pieces] for row, pieces in enumerate(rows)
        ]
    return lines


def _faults_here(projector: Projector) -> Sequence[Fault]:
    """The faults that may be told now: those of the count only when the fists are open."""
    recorded = projector.round
    if recorded is None:
        return projector.reel.faults if projector.page else projector.reel.title.faults
    if projector.is_count or projector.open_hands or recorded.said is None:
        return recorded.faults
    return [fault for fault in recorded.faults if not _tells_hands(fault)]


def _tells_hands(fault: Fault) -> bool:
    return fault.slip not in _OF_THE_WORDS and fault.clause in _OF_THE_COUNT


def _story(projector: Projector, scene: Still, width: int) -> list[Line]:
    recorded = projector.round
    if recorded is None:
        told = _of_the_end(projector) if projector.page else _of_the_beginning(projector)
        return [line for text in told for line in prose(text, width)]
    if recorded.said is None:
        return prose(_("Nothing of this round can be recomputed."), width)
    if not projector.is_count:
        return prose(_of_word(recorded.said, projector.step, scene.names), width)
    return _of_count(projector, recorded, scene, width)


def _of_the_beginning(projector: Projector) -> list[str]:
    title, names = projector.reel.title, distinct(projector.reel.title.names)
    if not projector.reel.has_begun:
        return []
    if not names:
        return [_("The headers do not say who sits round the table.")]
    seats = (f"{name} ({tag})" for name, tag in zip(names, title.tags, strict=True))
    who = _("Round the table: {names}.").format(names=", ".join(seats))
    ways = _("Press → to go on word by word, space to lean back.")
    crap = title.value("Crap")
    if crap in title.tags:
        first_out = _("{name} was first out of the last game, and opens (R15).")
        return [who, first_out.format(name=names[title.tags.index(crap)]), ways]
    return [who, ways]


def _of_the_end(projector: Projector) -> list[str]:
    reel = projector.reel
    marred = sum(bool(each.faults) for each in reel.rounds)
    lines = []
    if reel.winner is not None:
        text = _("{name} has won: nobody else owns a coin (R13).")
        if _is_school(reel):
            text = _("{name} is the last in the school, and is honoured to pay (H12).")
        lines.append(text.format(name=distinct(reel.title.names)[reel.winner]))
    if marred:
        lines.append(_("Rounds that do not keep the rules: {count}.").format(count=marred))
    elif not (reel.title.faults or reel.faults):
        lines.append(_("Every round keeps the rules."))
    if projector.film.has_next:
        return [*lines, _("Another game follows: press ].")]
    return [*lines, _("Home goes back to the beginning.")]


def _of_word(said: Round, step: int, names: Sequence[str]) -> str:
    if step == 0:
        opener = names[said.starter]
        if isinstance(said, GuessingRound):
            return _("All fists are in. {name} calls first.").format(name=opener)
        return _("All fists are in. {name} opens.").format(name=opener)
    if isinstance(said, GuessingRound):
        return _of_call(said, said.calls[step - 1], names)
    seat, word = said.words[step - 1]
    return _word_sentence(spoken(said, step - 1), seat, word, names)


def _of_call(said: GuessingRound, call: Call, names: Sequence[str]) -> str:
    values = {"name": names[call.seat], "call": call_words(call.number), "most": ATTEMPTS}
    if call.taken:
        return _("{name} calls {call}: it is taken, one of {most} attempts is gone (H8).").format(
            **values
        )
    return _("{name} calls {call}.").format(**values)


def _word_sentence(before: Round, seat: int, word: Word, names: Sequence[str]) -> str:
    """A word of the bidding game, and what it claims."""
    standing = before.standing if isinstance(before, BiddingRound) else None
    bidder, bid = standing or (seat, 0)
    texts = {
        Ending.CALL: _("{name}: call! Fewer than {bid} are on the table, {bidder} bid too high."),
        Ending.CLIFF: _("{name}: cliff! Exactly {bid} are on the table."),
        Ending.SPOOF: _("{name}: spoof! All {most} coins are on the table."),
        Ending.ZERO: _("{name}: zero! Every fist is empty."),
    }
    if isinstance(word, Ending):
        text = texts[word]
    elif standing is None:
        text = _("{name} opens with {number}: so many are on the table, or more.")
    else:
        text = _("{name} raises {bid} to {number}.")
    number = word.number if isinstance(word, Bid) else 0
    return text.format(
        name=names[seat], bid=bid, bidder=names[bidder], most=before.most, number=number
    )


def _of_count(
    projector: Projector, recorded: RecordedRound, scene: Still, width: int
) -> list[Line]:
    played = recorded.played
    if played is None:
        return prose(_("The fists open, and the round cannot be counted."), width)
    lines = prose(sentences.the_count(played, scene.names, scene.order), width, palette.QUIET)
    lines += prose(sentences.outcome(played, scene.names), width)
    lines += prose(sentences.went_out(played, scene.names), width)
    return lines
