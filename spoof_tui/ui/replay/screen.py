"""The screen of a replay: a recorded game at a table, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rich.style import Style
from textual.timer import Timer

from protocol.encoding.untrusted import ForeignText
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import Round
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import GuessingRules, Stake
from protocol.rules.stakes import Stakes, lost_coins, stake_of
from spoof_tui.acts.buttons import Button, Buttons, Way, in_rows, is_sent, step
from spoof_tui.telling import sentences
from spoof_tui.telling.names import distinct
from spoof_tui.telling.rule_options import rules_title
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.base_app import BaseApp
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, fit
from spoof_tui.ui.replay.panel import is_school, replay_lines, replay_panel
from spoof_tui.ui.replay.player import REPLAY, Playback, Wish
from spoof_tui.ui.replay.reader import RecordedGame, RecordedRound, Recording
from spoof_tui.ui.table.drawing import ring
from spoof_tui.ui.table.felt.centre import Centre
from spoof_tui.ui.table.felt.tone import Tone, change_words
from spoof_tui.ui.table.frame import (
    Bar,
    Column,
    Line,
    StageScreen,
    at_ends,
    column,
    fixed,
    frame,
    is_list,
)
from spoof_tui.ui.table.panel.side import word_lines, words_of
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.static_table import Instant, StaticSeats, spoken, still
from spoof_tui.ui.themes import dress, own_themes, play_with

_TITLE_CELLS: Final = 48


def still_of(player: Playback) -> Scene:
    """The scene that the table shows at the current step."""
    record, at = player.record, player.page
    company = _company(player)
    if not record.has_begun:
        return Scene(caption=Centre(above=_("Reading the file …"), label=Tone.QUIET))
    if company is None:
        return Scene(
            caption=Centre(above=_("Who plays what?"), below=_("The record does not say."))
        )
    if player.round is not None:
        return _of_round(company, record, at - 1, player.step, player.open_hands)
    if at == 0:
        moment = Instant(0, record.title.coins, stakes=_stakes(company, record, 0))
        return still(company, moment, _opening(record))
    return _end(company, record)


def _company(player: Playback) -> StaticSeats | None:
    title = player.record.title
    if not title.is_clear or title.rules is None:
        return None
    return StaticSeats(_title(player), title.rules, title.names, number=player.recording.game + 1)


def _title(player: Playback) -> str:
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
    company: StaticSeats, record: RecordedGame, place: int, step: int, open_hands: bool
) -> Scene:
    recorded, stakes = record.rounds[place], _stakes(company, record, place)
    number, said = recorded.number, recorded.said
    if said is None:
        coins = record.rounds[place - 1].coins if place else record.title.coins
        caption = Centre(above=_("This round"), below=_("cannot be shown"))
        return still(company, Instant(number, coins, stakes=stakes), caption)
    if step <= recorded.words:
        hands = recorded.hands if open_hands else {}
        moment = Instant(number, said.coins, spoken(said, step), hands=hands, stakes=stakes)
        return still(company, moment, _start(said) if step == 0 else None)
    moment = Instant(number, said.coins, said, hands=recorded.hands, stakes=stakes)
    if recorded.played is None:
        return still(company, moment, Centre(above=_("This round"), below=_("cannot be counted")))
    stakes = _stakes(company, record, place + 1)
    moment = replace(moment, coins=recorded.coins, played=recorded.played, stakes=stakes)
    return still(company, moment)


def _stakes(company: StaticSeats, record: RecordedGame, rounds: int) -> Stakes:
    """The pot and the lost coins after `rounds` rounds (S1)."""
    past = [each.played for each in record.rounds[:rounds] if each.played]
    is_over = record.winner is not None and rounds == len(record.rounds)
    pot = 0 if is_over or stake_of(company.rules) is not Stake.POT else len(company.names)
    return Stakes(pot=pot, pile=lost_coins(past))


def _start(said: Round) -> Centre | None:
    if isinstance(said, GuessingRound):
        return None
    return Centre(
        above=_("All fists are in"), below=_("{most} coins in play").format(most=said.most)
    )


def _end(company: StaticSeats, record: RecordedGame) -> Scene:
    names = distinct(company.names)
    star = glyphs().star
    caption = Centre(above=_("The record ends here"), below=_("the game is not over"))
    if record.winner is not None and is_school(record):
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


# The parts round the table


def replay_parts(player: Playback, width: int, height: int) -> list[Part]:
    """The parts of the screen at the current step."""
    places, scene = frame(width, height), still_of(player)
    if is_list(width, height):
        names = len(player.record.title.names) + 1
        places = places.with_panel(len(replay_lines(player, scene, width)) + 2, names)
    parts = [Part(places.bar, replay_bar(player)), *ring(scene, places.ring)]
    if places.side.width:
        parts += replay_side(player, scene, places.side)
    return [*parts, *replay_panel(player, scene, places.panel)]


def replay_bar(player: Playback) -> Bar:
    """The bar: what is replayed, its rules, and the position."""
    rules = player.record.title.rules
    about = rules_title(rules) if rules else ""
    return Bar(_title(player), about, (_whereabouts(player), palette.QUIET))


def _whereabouts(player: Playback) -> str:
    recorded, record = player.round, player.record
    game = _("game {number}").format(number=player.recording.game + 1)
    if recorded is None:
        return game
    known = len(record.rounds)
    text = (
        _("{game} · round {round} of {rounds}") if record.is_whole else _("{game} · round {round}")
    )
    return text.format(game=game, round=player.page, rounds=known)


def replay_side(player: Playback, scene: Scene, place: Place) -> list[Part]:
    """The side column: the words of the round, and below them the rounds so far."""
    split, width = (place.height + 1) // 2, place.width
    words: list[Line] = []
    rounds: list[Line] = []
    if scene.view is not None:
        words = word_lines(_said(player)[-max(split - 2, 1) :], scene.names, width)
        rounds = _rounds(player, scene.names, width, place.height - split - 1)
    upper, lower = Column(_("Words"), fixed(words)), Column(_("Rounds"), fixed(rounds))
    return column(place, split, upper, lower)


def _said(player: Playback) -> list[tuple[int, str]]:
    """The words of the round up to the current step, with their seats."""
    recorded = player.round
    if recorded is None or recorded.said is None:
        return []
    return words_of(spoken(recorded.said, player.step))


def _rounds(player: Playback, names: Sequence[str], width: int, most: int) -> list[Line]:
    """At most `most` lines on the rounds up to the current one, whose effect is hidden before its
    count."""
    last = min(player.page, len(player.record.rounds))
    shown = player.record.rounds[max(last - max(most, 0), 0) : last]
    return [_round_line(player, recorded, names, width) for recorded in shown]


def _round_line(
    player: Playback, recorded: RecordedRound, names: Sequence[str], width: int
) -> Line:
    signs, here = glyphs(), recorded is player.round
    is_told = not here or player.is_count
    mark = f"{signs.no} " if recorded.faults else ""
    end = _ending(recorded) if is_told else ""
    room = width - 5 - len(mark) - len(end)
    effect = _effect(recorded, names, room) if is_told else (signs.ellipsis, palette.QUIET)
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
    """What a round did, in at most `room` cells, with its style."""
    outcome = recorded.outcome
    if outcome is None:
        return "?", palette.WRONG
    if isinstance(recorded.said, GuessingRound):
        left = [names[seat] for seat in outcome.went_out]
        return (fit(left[0], room), palette.RIGHT) if left else (glyphs().dot, palette.QUIET)
    changes = list(outcome.changes.items())
    if not changes:
        return glyphs().dot, palette.QUIET
    seat, change = changes[0]
    style = palette.RIGHT if change > 0 else palette.WRONG
    if len(changes) > 1:
        return f"{len(changes)} × {change_words(change)}", style
    return f"{fit(names[seat], room - 3)} {change_words(change)}", style


READING_DELAY: Final = 0.01
"""Seconds between two slices of a long file, in which keys are handled."""


class ReplayScreen(StageScreen):
    """Replays the games of one file."""

    ACTS = REPLAY

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.player = Playback(recording)
        self._playing: Timer | None = None
        self._reading: Timer | None = None

    def on_mount(self) -> None:
        self._read()

    def parts(self, width: int, height: int) -> list[Part]:
        """The parts of the screen at the current step."""
        if rules := self.player.record.title.rules:
            play_with(rules.token)
        return replay_parts(self.player, width, height)

    @property
    def is_guessing(self) -> bool:
        """Whether the recorded game is the guessing game."""
        return isinstance(self.player.record.title.rules, GuessingRules)

    def buttons(self) -> Buttons:
        """The buttons for a web page: moves are large, all else is in the menu."""
        on = Button("right", _("the next move"), way=Way.LIKELY)
        rows = [
            [step("left", _("the previous move")), on],
            [Button("down", _("the next round")), Button("space", _("play"))],
        ]
        first = {each.key for row in rows for each in row}
        rest = [Button(each.key, each.words) for each in self.acts() if is_sent(each.key)]
        more = [each for each in rest if each.key not in first]
        return Buttons(rows, [], in_rows(more, 3))

    def press(self, key: str) -> None:
        """Handle a key; if it needs more of the file, start to read that in slices."""
        self.player.press(key)
        if self.player.wish is Wish.LEAVE:
            self._leave()
            return
        if self.player.wish is Wish.HELP:
            self.show_help()
        self._schedule()

    def _leave(self) -> None:
        """Return to the previous screen; exit the program if there is none."""
        if len(self.app.screen_stack) > 1:
            self.dismiss(None)
        else:
            self.app.exit()

    def _schedule(self) -> None:
        if self.player.is_reading and self._reading is None:
            self._reading = self.set_timer(READING_DELAY, self._read)
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
        if self.player.playing:
            self._playing = self.set_timer(self.player.seconds, self._tick)

    def _read(self) -> None:
        self._reading = None
        self.player.work()
        self._schedule()
        self.redraw()

    def _tick(self) -> None:
        self.player.tick()
        self._schedule()
        self.redraw()


class ReplayApp(BaseApp):
    """An app with nothing but a replay."""

    def __init__(self, recording: Recording, theme: str | None = None) -> None:
        super().__init__()
        dress(self, theme, own_themes()[0])
        self._recording = recording

    def get_default_screen(self) -> ReplayScreen:
        """The screen of the replay."""
        return ReplayScreen(self._recording)
