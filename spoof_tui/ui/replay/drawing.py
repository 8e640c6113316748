"""A replay in pictures and sentences: the scene of a step, and the parts round its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.style import Style

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
from spoof_tui.ui.canvas.cells import Part, Place, fit
from spoof_tui.ui.replay.player import PACES, Player
from spoof_tui.ui.replay.reader import RecordedGame, RecordedRound
from spoof_tui.ui.table.centre import Centre
from spoof_tui.ui.table.drawing import ring
from spoof_tui.ui.table.framed import (
    Bar,
    Column,
    Hint,
    Line,
    at_ends,
    column,
    fixed,
    frame,
    panel,
    prose,
)
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.static_table import Company, Instant, spoken, still
from spoof_tui.ui.table.tone import Tone
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


def still_of(player: Player) -> Scene:
    """What the table shows at the present step."""
    record, at = player.record, player.page
    company = _company(player)
    if not record.has_begun:
        return Scene(caption=Centre(above=_("Reading the file …"), label=Tone.QUIET))
    if company is None:
        return Scene(caption=Centre(above=_("Who plays what?"), below=_("It is not clear.")))
    if player.round is not None:
        return _of_round(company, record, at - 1, player.step, player.open_hands)
    if at == 0:
        return still(company, Instant(0, record.title.coins), _opening(record))
    return _end(company, record)


def _company(player: Player) -> Company | None:
    title = player.record.title
    if not title.is_clear or title.rules is None:
        return None
    return Company(_title(player), title.rules, title.names, number=player.recording.game + 1)


def _title(player: Player) -> str:
    event = player.record.title.value("Event")
    if event:
        return show(ForeignText(event), _TITLE_CELLS)
    return _("Game {number}").format(number=player.recording.game + 1)


def _opening(record: RecordedGame) -> Centre:
    date = record.title.value("Date")
    players = len(record.title.names)
    below = _("{players} players").format(players=players)
    return Centre(above=show(ForeignText(date), 24) if date else _("A game"), below=below)


def _of_round(
    company: Company, record: RecordedGame, place: int, step: int, open_hands: bool
) -> Scene:
    recorded = record.rounds[place]
    said = recorded.said
    if said is None:
        coins = record.rounds[place - 1].coins if place else record.title.coins
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
    return Centre(above=_("A fist stayed shut"), below=_("the round is void"), label=Tone.NO)


def _end(company: Company, record: RecordedGame) -> Scene:
    names = distinct(company.names)
    star = palette.glyphs().star
    caption = Centre(above=_("The record ends here"), below=_("the game is not over"))
    if record.winner is not None and _is_school(record):
        payer = _("{name} pays").format(name=names[record.winner])
        caption = Centre(above=payer, below=_("the school is over"))
    elif record.winner is not None:
        winner = _("{name} wins").format(name=names[record.winner])
        caption = Centre(above=f"{star} {winner} {star}", below=_("the game is over"))
    if record.rounds and record.rounds[-1].said is not None:
        last = _of_round(company, record, len(record.rounds) - 1, record.rounds[-1].words + 1, True)
        last.caption = caption
        return last
    return still(company, Instant(0, record.coins), caption)


def _is_school(record: RecordedGame) -> bool:
    return bool(record.rounds) and isinstance(record.rounds[-1].said, GuessingRound)


# The parts round the table


def replay_parts(player: Player, width: int, height: int) -> list[Part]:
    """The present step as a stage shows it."""
    places, scene = frame(width, height), still_of(player)
    parts = [Part(places.bar, replay_bar(player)), *ring(scene, places.ring)]
    if places.side.width:
        parts += replay_side(player, scene, places.side)
    return [*parts, *replay_panel(player, scene, places.panel)]


def replay_bar(player: Player) -> Bar:
    """What is replayed, by which rules, and where one is."""
    rules = player.record.title.rules
    about = rules_title(rules) if rules else ""
    return Bar(_title(player), about, (_whereabouts(player), palette.QUIET))


def _whereabouts(player: Player) -> str:
    recorded, record = player.round, player.record
    game = _("game {number}").format(number=player.recording.game + 1)
    if recorded is None:
        return game
    known = len(record.rounds)
    text = (
        _("{game} · round {round} of {rounds}") if record.is_whole else _("{game} · round {round}")
    )
    return text.format(game=game, round=player.page, rounds=known)


def replay_side(player: Player, scene: Scene, place: Place) -> list[Part]:
    """Above the words of the round, below the rounds so far."""
    split, width = (place.height + 1) // 2, place.width
    words: list[Line] = []
    rounds: list[Line] = []
    if scene.view is not None:
        for seat, said in _said(player)[-max(split - 2, 1) :]:
            style = palette.BOLD if said.isdecimal() else palette.STRONG
            style = palette.WRONG if said.endswith("?") else style
            name = fit(scene.names[seat], width - 4 - len(said))
            words.append(at_ends([(name, palette.TEXT)], [(said, style)], width))
        rounds = _rounds(player, scene.names, width, place.height - split - 1)
    upper, lower = Column(_("Words"), fixed(words)), Column(_("Rounds"), fixed(rounds))
    return column(place, split, upper, lower)


def _said(player: Player) -> list[tuple[int, str]]:
    """Seat and word, as far as they are said."""
    recorded = player.round
    if recorded is None or recorded.said is None:
        return []
    said = spoken(recorded.said, player.step)
    if isinstance(said, GuessingRound):
        return [
            (call.seat, f"{call.number}?" if call.taken else f"{call.number}")
            for call in said.calls
        ]
    return [
        (seat, sentences.word_name(word) + ("" if isinstance(word, Bid) else "!"))
        for seat, word in said.words
    ]


def _rounds(player: Player, names: Sequence[str], width: int, most: int) -> list[Line]:
    """The rounds up to the present one; what it did is not told before its fists are open."""
    last = min(player.page, len(player.record.rounds))
    shown = player.record.rounds[max(last - max(most, 0), 0) : last]
    return [_round_line(player, recorded, names, width) for recorded in shown]


def _round_line(player: Player, recorded: RecordedRound, names: Sequence[str], width: int) -> Line:
    signs, here = palette.glyphs(), recorded is player.round
    is_told = not here or player.is_count
    mark = f"{signs.no} " if recorded.faults else ""
    end = _ending(recorded) if is_told else ""
    room = width - 3 - len(str(recorded.number)) - len(mark) - len(end) - 4
    effect = _effect(recorded, names, room) if is_told else ("…", palette.QUIET)
    look = palette.BOLD if here else palette.QUIET
    number = f"{signs.pointer if here else ' '}{recorded.number:>2} "
    left = [
        (number, palette.BRIGHT if here else look),
        (mark, palette.WRONG),
        (fit(end, width - 4 - len(number) - len(mark)), look),
    ]
    return at_ends(left, [effect], width)


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


def replay_panel(player: Player, scene: Scene, place: Place) -> list[Part]:
    """What happens at the present step, what the record has wrong, and the keys."""
    width = place.width
    lines = [*_faults(player, width), *_story(player, scene, width)]
    if player.recording.trouble and player.round is None:
        why = show(ForeignText(player.recording.trouble), _FAULT_CELLS)
        trouble = _("The file could not be read to its end: {why}.").format(why=why)
        lines = [*prose(trouble, width, palette.WRONG), *lines]
    if player.remark:
        lines = [*prose(player.remark, width, palette.BRIGHT), *lines]
    keys = _keys()
    if player.typed:
        lines = [
            [
                (_("Go to round: "), palette.KEY),
                (player.typed, palette.BOLD),
                ("█", palette.BRIGHT),
            ],
            *lines,
        ]
        keys = [(_("Enter"), _("go there")), ("Backspace", _("correct"))]
    return panel(place, _head(player), _beside(player), lines, keys)


def _head(player: Player) -> Line:
    recorded = player.round
    if player.is_reading:
        read = len(player.record.rounds)
        return [(_("Reading … {rounds} rounds").format(rounds=read), palette.BRIGHT)]
    if recorded is not None:
        return [(_("Round {number}").format(number=recorded.number), palette.STRONG)]
    return [(_("The end") if player.page else _("The beginning"), palette.STRONG)]


def _beside(player: Player) -> Line:
    """How far the round is, how fast it goes on, and whether the hands are open."""
    pieces: list[tuple[str, Style]] = []
    if player.open_hands:
        pieces += [(_("hands open"), palette.MONEY), ("  ", palette.TEXT)]
    if player.playing:
        playing = _("playing, {seconds} s a step").format(seconds=PACES[player.pace])
        pieces += [(f"{palette.glyphs().pointer} {playing}", palette.BRIGHT), ("  ", palette.TEXT)]
    return [*pieces, *_dots(player.step, player.steps)] if player.round else pieces


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


def _faults(player: Player, width: int) -> list[Line]:
    """What the record has wrong here, each with its clause."""
    faults = _faults_here(player)
    if not faults:
        return []
    head = _("This record does not keep the rules:")
    if player.round is not None:
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


def _faults_here(player: Player) -> Sequence[Fault]:
    """The faults that may be told now: those of the count only when the fists are open."""
    recorded = player.round
    if recorded is None:
        return player.record.faults if player.page else player.record.title.faults
    if player.is_count or player.open_hands or recorded.said is None:
        return recorded.faults
    return [fault for fault in recorded.faults if not _tells_hands(fault)]


def _tells_hands(fault: Fault) -> bool:
    return fault.slip not in _OF_THE_WORDS and fault.clause in _OF_THE_COUNT


def _story(player: Player, scene: Scene, width: int) -> list[Line]:
    recorded = player.round
    if recorded is None:
        told = _of_the_end(player) if player.page else _of_the_beginning(player)
        return [line for text in told for line in prose(text, width)]
    if recorded.said is None:
        return prose(_("Nothing of this round can be recomputed."), width)
    if not player.is_count:
        return prose(_of_word(recorded.said, player.step, scene.names), width)
    return _of_count(player, recorded, scene, width)


def _of_the_beginning(player: Player) -> list[str]:
    title, names = player.record.title, distinct(player.record.title.names)
    if not player.record.has_begun:
        return []
    if not names:
        return [_("The headers do not say who sits round the table.")]
    seats = (f"{name} ({tag})" for name, tag in zip(names, title.tags, strict=True))
    who = _("Round the table: {names}.").format(names=", ".join(seats))
    ways = _("Press → to go on word by word, or space to sit back and watch.")
    crap = title.value("Crap")
    if crap in title.tags:
        first_out = _("{name} was first out of the last game, and opens (R15).")
        return [who, first_out.format(name=names[title.tags.index(crap)]), ways]
    return [who, ways]


def _of_the_end(player: Player) -> list[str]:
    record = player.record
    marred = sum(bool(each.faults) for each in record.rounds)
    lines = []
    if record.winner is not None:
        text = _("{name} has won: nobody else owns a coin (R13).")
        if _is_school(record):
            text = _("{name} is the last in the school, and is honoured to pay (H12).")
        lines.append(text.format(name=distinct(record.title.names)[record.winner]))
    if marred:
        lines.append(_("Rounds that do not keep the rules: {count}.").format(count=marred))
    elif not (record.title.faults or record.faults):
        lines.append(_("Every round keeps the rules."))
    if player.recording.has_next:
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
        Ending.CALL: _("{name}: call! Fewer than {bid} in the fists, {bidder} bid too high."),
        Ending.CLIFF: _("{name}: cliff! Exactly {bid} in the fists."),
        Ending.SPOOF: _("{name}: spoof! All {most} coins are out."),
        Ending.ZERO: _("{name}: zero! Every fist is empty."),
    }
    if isinstance(word, Ending):
        text = texts[word]
    elif standing is None:
        text = _("{name} opens with {number}: at least {number} in the fists.")
    else:
        text = _("{name} raises {bid} to {number}.")
    number = word.number if isinstance(word, Bid) else 0
    return text.format(
        name=names[seat], bid=bid, bidder=names[bidder], most=before.most, number=number
    )


def _of_count(player: Player, recorded: RecordedRound, scene: Scene, width: int) -> list[Line]:
    played = recorded.played
    if played is None:
        return prose(_("The fists open, and the round cannot be counted."), width)
    lines = prose(sentences.the_count(played, scene.names, scene.order), width, palette.QUIET)
    lines += prose(sentences.outcome(played, scene.names), width)
    lines += prose(sentences.went_out(played, scene.names), width)
    return lines
