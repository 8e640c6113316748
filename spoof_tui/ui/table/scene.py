"""Everything that the table screen shows, as one value from which its parts are drawn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from protocol.rules.game import PlayedRound
from protocol.rules.words import Ending
from protocol.table.fold import Phase, Talk
from protocol.table.statements import Gesture
from protocol.views import FistState, LinkState, TableView
from spoof_tui.acts.table import NO, READY, SKIP, YES, TableAct, may_skip
from spoof_tui.beats import FEW, Beat
from spoof_tui.telling import absence
from spoof_tui.telling.counts import at_odds
from spoof_tui.telling.table_state import Page as Page
from spoof_tui.telling.table_state import TableState, Told
from spoof_tui.ui.table.felt.centre import Centre
from spoof_tui.ui.table.felt.seats import Showing
from spoof_tui.ui.table.felt.wheel import Gestures, Wheel
from spoof_tui.ui.table.screen.controls import Controls


class Hint(Enum):
    """A hint for newcomers; the values are stored in the settings."""

    HIDE = "hide"
    OPEN = "open"
    OPENER = "opener"
    CLIFF = "cliff"
    SPOOF = "spoof"
    ZERO = "zero"
    APART = "apart"
    TRACK = "track"
    VERDICT = "verdict"
    STAKE = "stake"
    NOTCH = "notch"
    LOSS = "loss"
    MITT = "mitt"
    PILE = "pile"
    POT = "pot"
    STICK = "stick"
    HOOVER = "hoover"
    CRAP = "crap"


RARE: Final = {Ending.CLIFF: Hint.CLIFF, Ending.SPOOF: Hint.SPOOF, Ending.ZERO: Hint.ZERO}
"""The words that newcomers are not offered before a hint has told them what they mean."""


@dataclass(slots=True)
class Scene(TableState):
    """The state of the table screen: what is known of the table, and what the player sees of it."""

    controls: Controls = field(default_factory=Controls)
    last_talk: Talk | None = None
    """The last line of talk, or gesture of this player, until they press a key; None for none."""
    peek: int | None = None
    """The player's hand while they look at it; otherwise None."""
    remark: str = ""
    """The program's last message, such as why a word is not allowed; empty for none."""
    wheel: Wheel | None = None
    """The wheel of gestures; None while it is closed."""
    last_gesture: Gesture = Gesture.SWEAT
    """The gesture that this player chose last."""
    ran: int | None = None
    """How many counted coins have been animated into the track; None for all of them."""
    flight: int | None = None
    """Frame of the animation of coins that change hands; None if none are moving."""
    gestures: Gestures = field(default_factory=Gestures)
    """The gestures on show."""
    talking: str | None = None
    """The line of talk that is being typed; None if none is."""
    news: tuple[str, ...] = ()
    """Sentences saying what happened to this player's place at the table, until they are read."""
    news_title: str = ""
    seen: frozenset[str] = frozenset()
    """The values of hints that the player has followed, and of games counted for `is_new`."""
    hint: Hint | None = None
    """The hint on show; None for none."""
    is_new: bool = False
    """Whether the player has finished fewer than two games; the house makes no remarks then."""
    last_game: int = 0
    """Number of the last game that was counted for `is_new`."""
    has_rim: bool = False
    """Whether the screen has room for the table's wooden rim, in which lost coins are notched."""
    introduces: bool = False
    """Whether the bots of a practice game have characters to be introduced."""
    is_slow: bool = False
    """Whether the player has pressed no key for a while on their turn."""
    caption: Centre | None = None
    """What the middle of the table shows instead of the round; None for the round."""

    @property
    def of_pub(self) -> TableView | None:
        """The view, for drawing what has a name that only pubs use (pile, pot, stick, crap); None
        for newcomers.

        These, and the house's remarks, are shown to newcomers only from their third game on.
        """
        return None if self.is_new else self.view

    @property
    def is_first_round(self) -> bool:
        """Whether a newcomer has not seen a verdict yet; whatever can wait for that is not
        shown."""
        view = self.view
        if view is None or view.is_guessing or view.phase is Phase.GATHERING:
            return False
        read = {each.value for each in (Hint.VERDICT, Hint.STAKE, Hint.SPOOF, Hint.ZERO)}
        return self.is_new and self.seen.isdisjoint(read)

    def offers(self, word: Ending) -> bool:
        """Whether the player's turn, the coach and the help list `word`: for newcomers a rare one
        only with its hint or after it, whoever said it, or once they have pressed its key."""
        hint = RARE.get(word)
        if hint is None or not self.is_new or word is self.controls.armed:
            return True
        return hint is self.hint or hint.value in self.seen

    @property
    def is_sealed(self) -> bool:
        """Whether to show that the player's fist is sealed."""
        view = self.view
        if view is None or view.my_seat is None or view.link is not LinkState.UP:
            return False
        is_due = view.lacks_secret or not self.is_new
        return (
            is_due and view.my_seat.fist is FistState.IN and self.reveal is None and not self.over
        )

    @property
    def said(self) -> str:
        """The program's last message or, without one, a lasting warning about the disk; may be
        empty."""
        return self.remark or self.disk or self.not_kept

    @property
    def covers(self) -> bool:
        """Whether the player chooses a hand from a hidden list."""
        return self.controls.cover_keys

    def take(self, told: Told) -> None:
        """Show a message: as news, after earlier ones, if it has a title; otherwise as the
        remark."""
        if told.is_over:
            return
        if told.title:
            unread = tuple(line for line in self.news if line not in told.lines)
            self.news, self.news_title = (*unread, *told.lines), told.title
        elif told.lines:
            self.remark = " ".join(told.lines)

    @property
    def has_news(self) -> bool:
        """Whether the news are on show: there are some, and nothing more important is shown."""
        if not self.news or self.view is None or self.over or self.is_stale:
            return False
        is_urgent = absence.is_new_table_urgent(self.view, self.continued)
        return self.wheel is None and not (is_urgent or self.pacing.is_running)

    def put_away_news(self) -> None:
        """Drop the news if they are on show, since the player has read them."""
        if self.has_news:
            self.news = ()

    def look(self, view: TableView, at: float = 0.0) -> None:
        """Take a newer view that came at `at`, in monotonic seconds; pacing decides when it is
        shown."""
        before, last = self.pacing.truth, self.last
        for told in self.receive(view, at):
            self.take(told)
        if before is not None and before.game_number != view.game_number:
            self.last_talk = None
        if before is not None and before.table_id == view.table_id:
            known = before.talk[-1].position if before.talk else -1
            me = view.my_seat.key if view.my_seat else None
            lines = [
                each
                for each in view.talk
                if each.author == me or not isinstance(each.said, Gesture)
            ]
            if lines and lines[-1].position > known:
                self.last_talk = lines[-1]
        self._follow(last)

    def follow(self) -> None:
        """Update the scene from what pacing lets through by now."""
        last = self.last
        self.show()
        self._follow(last)

    def _follow(self, before: PlayedRound | None) -> None:
        view = self.view
        if view is None or self.pacing.view is None:
            return
        if self.last is not None and self.last is not before:
            # A hand may be looked at again only while its round lasts.
            self.peek = None
        self.gestures = self.gestures.following(view)
        if not self.pacing.is_running and not self.pacing.is_again:
            self.controls.follow(view)

    @property
    def last(self) -> PlayedRound | None:
        """The round whose count is on show; None if there is none."""
        return self.reveal.played if self.reveal else None

    @property
    def leads_back(self) -> bool:
        """Whether Esc only leads from another page back to the table."""
        return self.page is not Page.TABLE and not self.pacing.takes_any_key

    @property
    def offered(self) -> Collection[TableAct]:
        """The acts that a question or a label offers at any moment, and whose keys therefore do
        what they say even during a count, which may begin as they are pressed."""
        view = self.view
        is_own = view and self.last and view.me in self.last.outcome.went_out
        acts = {
            # Whoever has just gone out reads that verdict first.
            SKIP: may_skip(self) and not (is_own and self.pacing.is_resting),
            YES: bool(self.to_agree_to) or self.is_asked or self.may_practise,
            NO: NO.is_listed(self),
            READY: view is not None and view.went_along,
        }
        return [each for each, is_offered in acts.items() if is_offered]

    @property
    def round_on_show(self) -> tuple[int, int]:
        """The number of the round on show, or else of the current one, and its coins in play."""
        view = self.view
        if view is None or view.phase is Phase.GATHERING:
            return (view.round_number, view.most) if view else (0, 0)
        for number, each in enumerate(view.past, 1):
            if each is self.last:
                return number, each.words.most
        return view.round_number, view.most

    @property
    def opened(self) -> int | None:
        """How many fists of the round on show are open; None if no count is on show."""
        return self.reveal.opened if self.reveal else None

    @property
    def total(self) -> int:
        """The coins in the open fists of the round on show; 0 if there is none."""
        return sum(self.last.hands[seat] for seat in self.order[: self.opened]) if self.last else 0

    @property
    def is_racing(self) -> bool:
        """Whether coins of the last opened fist are still being animated into the track."""
        return self.ran is not None and self.ran < self.total

    @property
    def in_shadow(self) -> frozenset[int]:
        """Seats dimmed until their fists are counted, because the count is about others."""
        is_scene = len(self.order) <= FEW and not self.pacing.still
        if self.last is None or self.is_judged or not is_scene:
            return frozenset()
        return frozenset(self.order[self.opened :]) - at_odds(self.last)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order in which the fists of the round on show open; empty without
        one."""
        return self.reveal.order if self.reveal else ()

    @property
    def is_judged(self) -> bool:
        """Whether the verdict of the round on show has been reached."""
        return self.reveal is not None and self.reveal.beat >= Beat.STAMP

    @property
    def is_counted(self) -> bool:
        """Whether the count on show has reached its end, with the coins paid."""
        return self.reveal is not None and self.reveal.is_paid

    @property
    def is_game_over(self) -> bool:
        """Whether the end of a game is on show: the game is won, and its last count has been put
        away."""
        view = self.view
        if view is None or self.reveal is not None or self.caption is not None:
            return False
        return view.phase is Phase.GATHERING and view.winner is not None and bool(view.past)

    @property
    def counted(self) -> PlayedRound | None:
        """The last round, if its count has been shown to the end; otherwise None."""
        if self.last is not None:
            return self.last if self.is_counted else None
        between = self.view is not None and self.view.phase in (Phase.GATHERING, Phase.CHOOSING)
        return self.view.last if self.view and between else None

    @property
    def showing(self) -> Showing | None:
        """What the seats show of the round on show; None if there is none."""
        if self.last is None:
            return None
        hands = {seat: self.last.hands[seat] for seat in self.order[: self.opened]}
        return Showing(self.last, hands, self.is_counted, self.in_shadow)
