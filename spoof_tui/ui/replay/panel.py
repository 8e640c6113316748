"""The panel of a replay: what happens at the step on show, faults, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from protocol.encoding.untrusted import ForeignText
from protocol.notation.faults import Fault
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Round
from protocol.rules.guessing import ATTEMPTS, Call, GuessingRound
from protocol.rules.words import Ending
from spoof_tui.acts.act import caption, labels
from spoof_tui.telling import sentences
from spoof_tui.telling.counts import ending_words
from spoof_tui.telling.names import distinct
from spoof_tui.telling.outcomes import outcome_for, went_out
from spoof_tui.telling.pressing import key_name, press
from spoof_tui.telling.titles import call_words
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, length
from spoof_tui.ui.replay.player import PACES, REPLAY, Playback
from spoof_tui.ui.replay.reader import RecordedGame, RecordedRound
from spoof_tui.ui.table.frame import Line, panel, prose
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.static_table import spoken
from spoof_tui.visiting import has_page

_FAULT_CELLS: Final = 300


_DOTS: Final = 24
"""The most steps that are shown as dots; more are shown as numbers."""


_RULE: Final = 8
"""Columns of a rule that must stay free of texts."""


def is_school(record: RecordedGame) -> bool:
    return bool(record.rounds) and isinstance(record.rounds[-1].said, GuessingRound)


def replay_panel(player: Playback, scene: Scene, place: Place) -> list[Part]:
    """The parts of the panel at the current step."""
    keys = labels(REPLAY, None)
    if player.typed is not None:
        keys = [(_("Enter"), _("go there")), (caption("backspace"), _("correct"))]
    lines = replay_lines(player, scene, place.width)
    return panel(place, _head(player), _beside(player), lines, keys)


def replay_lines(player: Playback, scene: Scene, width: int) -> list[Line]:
    """The lines of the panel: faults of the record, what happens at this step, and what is
    typed."""
    lines = [*_faults(player, width), *_story(player, scene, width)]
    if player.recording.trouble and player.round is None:
        why = show(ForeignText(player.recording.trouble), _FAULT_CELLS)
        trouble = _("The file could not be read to its end: {why}.").format(why=why)
        lines = [*prose(trouble, width, palette.WRONG), *lines]
    if player.remark and length(_head(player)) + cell_len(player.remark) + _RULE > width:
        lines = [*prose(player.remark, width, palette.BRIGHT), *lines]
    if player.typed is not None:
        typed = (player.typed, palette.BOLD)
        lines = [[(_("Go to round: "), palette.KEY), typed, ("█", palette.BRIGHT)], *lines]
    return lines


def _head(player: Playback) -> Line:
    recorded = player.round
    if player.is_reading:
        read = len(player.record.rounds)
        return [(_("Reading … {rounds} rounds").format(rounds=read), palette.BRIGHT)]
    if recorded is not None:
        return [(_("Round {number}").format(number=recorded.number), palette.STRONG)]
    return [(_("The end") if player.page else _("The beginning"), palette.STRONG)]


def _beside(player: Playback) -> Line:
    """The right end of the rule: the step, the pace, and whether hands are open.

    A remark takes its place, so that it needs no line of the panel.
    """
    if player.remark:
        return [(player.remark, palette.BRIGHT)]
    pieces: list[tuple[str, Style]] = []
    if player.open_hands:
        pieces += [(_("hands open"), palette.MONEY), ("  ", palette.TEXT)]
    if player.playing:
        playing = _("playing, {seconds} s a step").format(seconds=PACES[player.pace])
        pieces += [(f"{glyphs().pointer} {playing}", palette.BRIGHT), ("  ", palette.TEXT)]
    return [*pieces, *_dots(player.step, player.steps)] if player.round else pieces


def _dots(step: int, steps: int) -> Line:
    if steps > _DOTS:
        return [(f"{step + 1}/{steps}", palette.QUIET)]
    signs = glyphs()
    done, left = signs.coin * (step + 1), signs.no_coin * (steps - step - 1)
    return [(done, palette.MONEY), (left, palette.QUIET)]


def _faults(player: Playback, width: int) -> list[Line]:
    """Lines on the faults of the record that may be shown at this step, each with its clause."""
    faults = _faults_here(player)
    if not faults:
        return []
    head = _("This record breaks the rules:")
    if player.round is not None:
        head = _("This round breaks the rules:")
    lines = prose(head, width, palette.WRONG)
    for fault in faults:
        what = f"{fault.told(_)} ({fault.clause})"
        # Through the gate again, although what a fault quotes is escaped already.
        rows = prose(show(ForeignText(what), _FAULT_CELLS), width - 2, palette.WRONG)
        mark = glyphs().no + " "
        lines += [
            [(mark if not row else "  ", palette.WRONG), *pieces] for row, pieces in enumerate(rows)
        ]
    return lines


def _faults_here(player: Playback) -> Sequence[Fault]:
    """The faults that may be shown at this step; those about hands only once the fists are open."""
    recorded = player.round
    if recorded is None:
        return player.record.faults if player.page else player.record.title.faults
    if player.is_count or player.open_hands or recorded.said is None:
        return recorded.faults
    return [fault for fault in recorded.faults if not fault.kind.is_of_hands]


def _story(player: Playback, scene: Scene, width: int) -> list[Line]:
    recorded = player.round
    if recorded is None:
        told = _of_the_end(player) if player.page else _of_the_beginning(player)
        return [line for text in told for line in prose(text, width)]
    if recorded.said is None:
        return prose(_("This round cannot be recomputed."), width)
    if not player.is_count:
        return prose(_of_word(recorded.said, player.step, scene.names), width)
    return _of_count(player, recorded, scene, width)


def _of_the_beginning(player: Playback) -> list[str]:
    title, names = player.record.title, distinct(player.record.title.names)
    if not player.record.has_begun:
        return []
    if not names:
        return [_("The headers do not say who sits round the table.")]
    seats = (f"{name} ({tag})" for name, tag in zip(names, title.tags, strict=True))
    who = _("Seats: {names}.").format(names=", ".join(seats))
    ways = _("{press} to go on, or {key} to watch.").format(
        press=press("→", _("the next move")), key=key_name(_("space"), _("play"))
    )
    crap = title.value("Crap")
    if crap in title.tags:
        first_out = _("{name} was first out of the last game, and opens (R15).")
        return [who, first_out.format(name=names[title.tags.index(crap)]), ways]
    return [who, ways]


def _of_the_end(player: Playback) -> list[str]:
    record = player.record
    marred = sum(bool(each.faults) for each in record.rounds)
    lines = []
    if record.winner is not None:
        text = _("{name} has won: nobody else has a coin left (R13).")
        if is_school(record):
            text = _("{name} is the last in the school, and has the honour of paying (H12).")
        lines.append(text.format(name=distinct(record.title.names)[record.winner]))
    if marred:
        lines.append(_("Rounds that break the rules: {count}.").format(count=marred))
    elif not (record.title.faults or record.faults):
        lines.append(_("Every round follows the rules."))
    if player.recording.has_next:
        again = press("]", _("the next game"), is_more=True)
        return [*lines, _("Another game follows. {press}.").format(press=again)]
    # On a page it is behind the dots, with a label of its own.
    return lines if has_page() else [*lines, _("Home goes back to the beginning.")]


def _of_word(said: Round, step: int, names: Sequence[str]) -> str:
    if step == 0:
        opener = names[said.starter]
        if isinstance(said, GuessingRound):
            return _("All fists are in. {name} calls first.").format(name=opener)
        return _("All fists are in. {name} opens.").format(name=opener)
    if isinstance(said, GuessingRound):
        return _of_call(said, said.calls[step - 1], names)
    (seat, word), before = said.words[step - 1], spoken(said, step - 1)
    standing = before.standing if isinstance(before, BiddingRound) else None
    if isinstance(word, Ending):
        return ending_words(said.words[:step], said.most, names)
    text = _("{name} opens with {number}: at least {number} in the fists.")
    if standing is not None:
        text = _("{name} raises from {bid} to {number}.")
    bid = standing[1] if standing else 0
    return text.format(name=names[seat], bid=bid, number=word.number)


def _of_call(said: GuessingRound, call: Call, names: Sequence[str]) -> str:
    values = {"name": names[call.seat], "call": call_words(call.number), "most": ATTEMPTS}
    if call.taken:
        return _("{name} calls {call}: it is taken, one of {most} attempts is gone (H8).").format(
            **values
        )
    return _("{name} calls {call}.").format(**values)


def _of_count(player: Playback, recorded: RecordedRound, scene: Scene, width: int) -> list[Line]:
    played = recorded.played
    if played is None:
        return prose(_("The fists open, but the round cannot be counted."), width)
    lines = prose(sentences.the_count(played, scene.names, scene.order), width, palette.QUIET)
    lines += prose(outcome_for(None, played, scene.names).sentences, width)
    lines += prose(went_out(played, scene.names), width)
    return lines
