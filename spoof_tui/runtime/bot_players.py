"""Bots at a table: each has a session like a person's, with a mind in place of a screen."""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import secrets
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import SealedHand, SealedShare
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.effects import CodeWanted, Promise, WentOn
from protocol.guest.guest import Guest
from protocol.limits import MAX_TALK
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.statements import Gesticulate, Gesture, Order, Say
from protocol.views import TableView
from protocol.wire.messages import Farewell, Offer
from spoof_tui.bots.characters import Character, CharacterMind, of_coin
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind, patience
from spoof_tui.bots.tournament import Mind
from spoof_tui.network.links import Dial, Route
from spoof_tui.runtime.bot_keys import SeatedBot
from spoof_tui.runtime.engine import Engine, EngineClosed, EngineFailed
from spoof_tui.runtime.notices import Broken, Ended, NotAllowed, Notice, ViewChanged
from spoof_tui.runtime.session import Session
from spoof_tui.storage.disk import INLINE
from spoof_tui.storage.journal import EvidenceStore, JournalRecord, Kept, SeatStore
from spoof_tui.text.names import MAX_CELLS, bot_names, free_name
from spoof_tui.text.safe_text import own_text, show

_DICE_BITS: Final = 64

T = TypeVar("T")

_REFUSALS: Final = frozenset({Farewell.NO_PROOF, Farewell.BARRED, Farewell.SHUT})
"""Farewells that refuse one participant and not everybody."""

Refusal = Farewell | Illegal
"""Why somebody was not let in, or was given no seat."""


_NOTHING: Final = Kept()

Journals = Callable[[], SeatStore]
"""A function that returns the journal of the bots' program at the table where they are now."""


class _BotStore(EvidenceStore):
    """Saves in its program's journal what a bot seals and promises; the log is saved there
    anyway."""

    def __init__(self, journal: Journals) -> None:
        self._journal = journal

    def write(self, *records: JournalRecord) -> None:
        own = [each for each in records if isinstance(each, SealedHand | SealedShare | Promise)]
        if own:
            self._journal().write(*own)


Follow = Callable[[Guest, bytes | None], Route]
"""A function that makes a guest's route to a table that may move: the table with this id, or the
first one if that is None."""


class BotPlayer:
    """One bot with its session; belongs to the event loop that made it."""

    def __init__(
        self,
        dial: Dial,
        name: str,
        mind: BotMind,
        pace: float = 1.0,
        code: str | None = None,
        follow: Follow | None = None,
        engine: Engine | None = None,
        fellows: Callable[[], Collection[bytes]] | None = None,
        key: SigningKey | None = None,
        journal: Journals | None = None,
        kept: Kept = _NOTHING,
    ) -> None:
        """`pace` scales the seconds that the bot thinks; with 0 it plays at once.

        With `follow` it finds a table that moves; otherwise the table is where `dial` leads. An
        `engine` chooses hands and words in place of `mind`, and is closed when the bot leaves. With
        `fellows`, the public keys of other bots, it gets ready only after somebody else has. With a
        `journal` it can come back to its seat after a restart, with its `key` and what was `kept`.
        """
        self._fellows = fellows
        self._key = key or SigningKey(secrets.token_bytes(32))
        self._store = _BotStore(journal) if journal else EvidenceStore()
        self._kept = kept
        self._name = ForeignText(name)
        self._dial, self._follow = dial, follow
        self._next: Entry | None = None
        """First entry of the new table that the bot goes along to next (G8); None if it stays."""
        self.session = self._session_at(None)
        if code is not None:
            self.session.use_code(code)
        self.refused: Refusal | None = None
        """Why the bot was not let in, was sent away, or was given no seat; None if it was not
        refused."""
        self.broken: Broken | None = None
        """Why the bot no longer trusts the host; None while it does."""
        self.failed: EngineFailed | None = None
        """Why its engine has failed for good; None if it has not."""
        self.decided: Final = asyncio.Event()
        """Set once the bot has been let in or refused."""
        self._mind = mind
        self._engine = engine
        self._player: Mind = engine or mind
        self._pace = pace
        self._hurried = 0
        """Number of the game in which the bot plays without thinking time."""
        self._woken = asyncio.Event()
        """Set once the bot, if it is thinking, is not to think any longer."""
        self.view: TableView | None = None
        """The bot's last view of the table; None before it is let in."""
        self._counted_at = -math.inf
        """When the last round was counted, by the loop's clock."""
        self._ordered_for = 0
        """Number of the last school whose drinks the bot has ordered."""
        self._answered: Offer | None = None
        """The last offer of a new table that the bot has agreed to; None before the first."""
        self._changed = asyncio.Event()

    @property
    def key(self) -> bytes:
        """The public key of its seat."""
        return self._key.public

    def hurry(self) -> None:
        """Play the rest of this game without thinking time."""
        if self.view is not None:
            self._hurried = self.view.game_number
            self._woken.set()

    async def run(self) -> None:
        """Play until the session is over, and then at the new table that it went along to, if
        any."""
        playing = asyncio.create_task(self._play())
        try:
            await self.session.run()
            while self._next:
                self.session, self._next, self.view = self._session_at(self._next), None, None
                await self.session.run()
        finally:
            self.decided.set()
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
            if self._engine is not None:
                await asyncio.to_thread(self._engine.close)

    def _session_at(self, opening: Entry | None) -> Session:
        table, kept = (opening.hash, _NOTHING) if opening else (None, self._kept)
        log = [opening] if opening else ()
        guest = Guest(self._key, table, log, kept.secrets, kept.promised, 0, kept.departed)
        way = self._follow(guest, table) if self._follow else self._dial
        return Session(
            guest,
            way,
            self._notice,
            name=self._name,
            store=self._store,
            disk=None if isinstance(self._store, _BotStore) else INLINE,
            is_bot=True,
        )

    def _notice(self, notice: Notice) -> None:
        if isinstance(notice, ViewChanged):
            if self.view is not None and len(notice.view.past) > len(self.view.past):
                self._counted_at = asyncio.get_running_loop().time()
            self.view = notice.view
            if notice.view.phase is Phase.GATHERING:
                self._say(notice.view, self._mind.answers(notice.view))
            self._changed.set()
            self.decided.set()
        elif isinstance(notice, WentOn):
            self._next = notice.entry
        elif isinstance(notice, Broken):
            self.broken = notice
        elif isinstance(notice, CodeWanted):
            self.refused = notice.why
            self.session.close()
        elif isinstance(notice, Ended) and notice.why in _REFUSALS:
            self.refused = notice.why
        elif isinstance(notice, NotAllowed) and not (self.view and self.view.my_seat):
            self.refused = notice.error
            self.session.close()

    async def _play(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            view = self.view
            if view is None or not self._is_asked(view):
                continue
            if self._pace and view.game_number != self._hurried:
                self._woken.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), self._wait_seconds(view))
            if self.view is not None and self._is_asked(self.view):
                await self._move(self.view)

    def _wait_seconds(self, view: TableView) -> float:
        """Seconds to wait before the next move: to think, and to let people follow a count."""
        thought = self._mind.think_seconds(view, self._pace)
        since = asyncio.get_running_loop().time() - self._counted_at
        return max(thought, self._pace * patience(view, since / self._pace))

    def _is_asked(self, view: TableView) -> bool:
        seat = view.my_seat
        if seat is None or view.went_along:
            return False
        if self._goes_along(view):
            return True
        is_idle = view.phase is Phase.GATHERING and not seat.ready and self._gets_ready(view)
        is_due = view.own_fist_due or view.my_turn or self._owes_order(view)
        return is_idle or is_due or bool(self._mind.agrees_to(view))

    def _goes_along(self, view: TableView) -> bool:
        """Whether to agree now to the new table that is offered, once for each offer (G8).

        That the bot has agreed shows in the offer only when the host repeats it.
        """
        return view.new_table is not self._answered and self._mind.goes_along(view)

    def _gets_ready(self, view: TableView) -> bool:
        """Whether to get ready for a game now: with people at the table, only once one of them is
        ready."""
        if self._fellows is None:
            return True
        bots = self._fellows()
        return any(seat.ready for seat in view.seats if seat.key not in bots)

    def _owes_order(self, view: TableView) -> bool:
        return view.may_order and view.game_number != self._ordered_for

    async def _move(self, view: TableView) -> None:
        if self._goes_along(view):
            self._answered = view.new_table
            self.session.agree()
            return
        for vote in self._mind.agrees_to(view):
            self.session.do(Guest.propose, vote)
        if self._owes_order(view):
            # Before anything else: the next school begins with a fine for ordering nothing.
            self._ordered_for = view.game_number
            self.session.do(Guest.propose, Order(self._mind.choose_drink()))
            self._changed.set()
        elif view.phase is Phase.GATHERING:
            if view.my_seat and not view.my_seat.ready and self._gets_ready(view):
                if self._mind.gloats(view):
                    self._gesticulate(view, Gesture.GLOAT)
                self._say(view, self._mind.remark(view))
                self.session.ready()
        elif view.own_fist_due or view.my_turn:
            try:
                await self._play_on(view)
            except EngineClosed:
                pass  # the bot is leaving
            except EngineFailed as failed:
                self.failed = failed
                self.session.close()

    async def _play_on(self, view: TableView) -> None:
        """Choose a hand or say a word, whichever is due."""
        if view.own_fist_due:
            self._gesticulate(view, self._mind.reacts(view))
            self._say(view, self._mind.remark(view))
            self._gesticulate(view, self._mind.heckle(view))
            coins = await self._chosen(partial(self._player.choose_hand, view))
            if self._is_still(view):
                self.session.choose(coins)
            return
        hand = self.session.guest.own_hand or 0
        gesture = self._mind.choose_gesture(view, hand)
        word, direction = await self._chosen(partial(self._player.choose_word, view, hand))
        if self._is_still(view):
            self._gesticulate(view, gesture)
            self.session.do(Guest.speak, word, direction)

    def _gesticulate(self, view: TableView, gesture: Gesture | None) -> None:
        """Make the gesture, unless it is None or the bot is muted."""
        if gesture is not None and view.my_seat and not view.my_seat.is_muted:
            self.session.do(Guest.propose, Gesticulate(gesture))

    def _say(self, view: TableView, line: str | None) -> None:
        """Say the line, unless it is None or the bot is muted."""
        if line is not None and view.my_seat and not view.my_seat.is_muted:
            self.session.do(Guest.propose, Say(own_text(line, MAX_TALK)))

    async def _chosen(self, choose: Callable[[], T]) -> T:
        """The result of `choose`, which runs in a thread if it asks an engine, because that may be
        slow."""
        return await asyncio.to_thread(choose) if self._engine else choose()

    def _is_still(self, view: TableView) -> bool:
        """Whether the move that was due in `view` is still due."""
        return self.view is not None and _due(self.view) == _due(view)


def _due(view: TableView) -> tuple[int, int, bool, bool]:
    return view.game_number, view.round_number, view.own_fist_due, view.my_turn


NewKey = Callable[[Level, Character | None, Collection[bytes]], SigningKey]
"""A function that makes the key of one more bot, different from the given public keys."""


class BotPlayers:
    """The bots that one program plays at one table."""

    def __init__(
        self,
        dial: Dial,
        pace: float = 1.0,
        code: str | None = None,
        follow: Follow | None = None,
        *,
        with_people: bool = False,
        journal: Journals | None = None,
        on_refusal: Callable[[Refusal], None] = lambda why: None,
    ) -> None:
        """`code` is the join code, for a table that asks for one; `follow` and `journal` are as for
        a `BotPlayer`.

        `with_people`, the bots get ready for a game only once somebody else is. `on_refusal` is
        called once, with `refused`. Bots vote for another host but never stand for host themselves:
        they end with their program.
        """
        fellows = (lambda: self.keys) if with_people else None
        self._make = partial(
            BotPlayer, dial, pace=pace, code=code, follow=follow, fellows=fellows, journal=journal
        )
        self._has_code = code is not None
        self._on_refusal = on_refusal
        self.refused: Refusal | None = None
        """Why the first of the bots without a seat was refused one; None if all have theirs."""
        self._random = random.Random(secrets.randbits(_DICE_BITS))
        self._names: list[str] = []
        self._players: dict[BotPlayer, asyncio.Task[None]] = {}

    def add(
        self,
        amount: int,
        level: Level,
        taken: Callable[[], list[str]] = list,
        company: Sequence[Character] = (),
        key: NewKey = lambda level, who, used: SigningKey(secrets.token_bytes(32)),
        *,
        introduced: bool = False,
    ) -> None:
        """Have `amount` more bots sit down, with names that are not in `taken`.

        They are the characters of `company` in turn, beginning with a random one. If that is empty
        they are plain bots or, if `introduced`, have the characters of the coins that they are
        named after. `key` makes the key of each.
        """
        used = [*self._names, *taken()]
        if not company:
            for name in bot_names(amount, self._random, used):
                coin = of_coin(name) if introduced else None
                mind = self._mind(level, coin, introduced=introduced)
                self._seat(name, mind, key=key(level, coin, self.keys))
            return
        first = self._random.randrange(len(company))
        for place in range(first, first + amount):
            who = company[place % len(company)]
            name = free_name(who.name, [*self._names, *used])
            self._seat(name, self._mind(level, who), key=key(level, who, self.keys))

    def bring_back(self, bot: SeatedBot, kept: Kept) -> None:
        """Have a bot come back to the seat that it had before a restart; `kept` is what the journal
        holds."""
        mind = self._mind(bot.level, bot.character)
        self._seat(show(bot.seat.name, MAX_CELLS), mind, key=bot.key, kept=kept)

    def _mind(self, level: Level, who: Character | None, *, introduced: bool = False) -> BotMind:
        dice = self._dice()
        if who is None:
            return BotMind(level, dice)
        return CharacterMind(who, level, dice, introduced=introduced)

    def add_engine(self, engine: Engine) -> None:
        """Have an engine sit down under its own name; it must be running and serve no other bot."""
        name = free_name(engine.name, self._names)
        self._seat(name, BotMind(Level.MEDIUM, self._dice()), engine)

    def _dice(self) -> random.Random:
        return random.Random(self._random.getrandbits(_DICE_BITS))

    def _seat(
        self,
        name: str,
        mind: BotMind,
        engine: Engine | None = None,
        key: SigningKey | None = None,
        kept: Kept = _NOTHING,
    ) -> None:
        self._names.append(name)
        player = self._make(name, mind, engine=engine, key=key, kept=kept)
        before = next(iter(self._players), None) if self._has_code else None
        self._players[player] = asyncio.create_task(self._run(player, before))

    def hurry(self) -> None:
        """Have all bots play the rest of this game without thinking time."""
        for player in self._players:
            player.hurry()

    @property
    def keys(self) -> Collection[bytes]:
        """The public keys of the bots."""
        return [player.key for player in self._players]

    @property
    def failed(self) -> EngineFailed | None:
        """Why an engine has failed for good; None if none has."""
        return next((player.failed for player in self._players if player.failed), None)

    @property
    def deceived(self) -> BotPlayer | None:
        """The first bot that no longer trusts the host; None while all do."""
        return next((player for player in self._players if player.broken), None)

    async def _run(self, player: BotPlayer, first: BotPlayer | None) -> None:
        """Have one bot play; `first` is the bot that tries the join code before it, so that a wrong
        one is tried only once."""
        if first is not None:
            await first.decided.wait()
            if first.refused is not None:
                return
        await player.run()
        if player.refused is not None and self.refused is None:
            self.refused = player.refused
            self._on_refusal(player.refused)

    async def wait(self) -> None:
        """Wait until every bot's session is over."""
        await asyncio.gather(*self._players.values())

    async def close(self) -> None:
        """Have all bots leave."""
        for player in self._players:
            player.session.close()
        await asyncio.gather(*self._players.values(), return_exceptions=True)
