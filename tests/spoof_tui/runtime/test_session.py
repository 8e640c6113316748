"""Sessions at a real table server, over links in memory that can be cut."""

import errno
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message, pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Reason
from protocol.guest.effects import (
    Cut,
    Depart,
    GuestEffect,
    Hangup,
    Promise,
    Secret,
    Settle,
    Store,
    Transmit,
)
from protocol.guest.guest import Guest
from protocol.host.host import Send
from protocol.host.policy import HostPolicy
from protocol.limits import MAX_TALK
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import GameStarted, Vacated
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import Fist, Gesticulate, Gesture, Say, Speak
from protocol.table.verify import Flaw, verify
from protocol.timing import Moment
from protocol.views import LinkState
from protocol.wire.messages import Card, Entries, Farewell, Goodbye, Ping, write
from spoof_tui.clock import now
from spoof_tui.runtime import connection, missing
from spoof_tui.runtime import session as sessions
from spoof_tui.runtime.notices import Broken, Ended, NotAllowed, Saved, TurnedAway, WhileAway
from spoof_tui.runtime.session import talk
from spoof_tui.storage import disk as disks
from spoof_tui.storage.disk import OrderedEffects
from spoof_tui.storage.seat_store import DiskSeatStore, NoSeatStore
from tests.spoof_tui.runtime.local_table import (
    LocalTable,
    Saying,
    Sitter,
    Wire,
    local_table,
    new_key,
    proposed,
    statements,
    until,
)
from tests.spoof_tui.storage.slow_disk import SlowDisk

FULL = OSError(errno.ENOSPC, "No space left on device")

# One round that costs the ender a coin: three of three coins, and nobody can say less.
TRUE_BID = (Bid(1), Ending.CALL)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that dial again, and look at the clock, at once."""
    monkeypatch.setattr(connection, "MIN_RETRY_DELAY", 0.001)
    monkeypatch.setattr(connection, "MAX_RETRY_DELAY", 0.004)
    monkeypatch.setattr(sessions, "TICK_INTERVAL", 0.005)


def refused(sitter: Sitter) -> list[Reason]:
    return [notice.error.reason for notice in sitter.told(NotAllowed)]


def saved_seat(table: LocalTable, key: SigningKey, name: str = "Maria") -> Sitter:
    """A session that goes on from what `key` kept on the disk."""
    store = DiskSeatStore(table.table_id, key.public)
    guest = Guest(key, table.table_id, store.entries(), store.secrets())
    return table.seat(name, guest, store)


def lie(table: LocalTable, *entries: Entry) -> None:
    """The host sends entries that are not in its log to everybody."""
    links = tuple(range(1, len(table.sitters) + 1))
    data = write(Entries(tuple(entry.blob for entry in entries)))
    table.server.carry_out([Send(links, data)])


class FullDisk(NoSeatStore):
    """A disk on which nothing can be written while it is full."""

    def __init__(self, *, is_full: bool = True) -> None:
        self.is_full = is_full
        self.held = 0
        """Entries that are on it."""
        self.tries = 0

    def _write(self) -> None:
        self.tries += 1
        if self.is_full:
            raise FULL

    def keep(self, secret: Secret) -> None:
        self._write()

    def promise(self, epoch: int) -> None:
        self._write()

    def depart(self, mark: bytes | None) -> None:
        self._write()

    def store(self, *entries: Entry) -> None:
        self._write()
        self.held += len(entries)

    def accuse(self, *_: object) -> Path | None:
        raise FULL

    async def try_again(self) -> None:
        """Wait until something was tried in vain, though nothing more may have come."""
        before = self.tries
        await until(lambda: self.tries > before + 1)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    """A disk that has room at first."""
    monkeypatch.setattr(disks, "RETRY_DELAY", 0.001)
    return FullDisk(is_full=False)


# Sitting and playing


async def test_a_session_sits_as_soon_as_it_knows_the_table() -> None:
    async with local_table() as table:
        [maria] = await table.sit("Maria")
        assert [seat.name.raw for seat in maria.view.seats] == ["Maria"]
        assert maria.view.link is LinkState.UP


async def test_a_watcher_sees_and_takes_no_seat() -> None:
    async with local_table() as table:
        watcher = table.seat(None)
        await table.sit("Maria")
        await until(lambda: watcher.view.seats)
        assert watcher.view.me is None


async def test_a_watcher_with_a_name_may_ask_for_a_seat_again() -> None:
    async with local_table(seats=2) as table:
        ann, _ = await table.sit("Ann", "Bob")
        third = table.seat("Cem")
        await until(lambda: refused(third))
        ann.session.close()
        await until(lambda: len(third.view.seats) == 1)
        third.session.sit()
        await until(lambda: third.sits)


async def test_two_sessions_play_a_round() -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        await table.choose(pair, 1, 2)
        await table.say(*TRUE_BID)
        await until(lambda: all(sitter.view.last for sitter in pair))
        last = pair[0].view.last
        assert last and last.outcome.total == 3
        assert last == pair[1].view.last


async def test_the_own_hand_is_known_to_its_owner_alone() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        await table.start(ann, bob)
        await table.choose([ann, bob], 2, 0)
        assert (ann.session.own_hand, bob.session.own_hand) == (2, 0)
        assert all(seat.hand is None for each in (ann, bob) for seat in each.view.seats)


async def test_talk_and_gestures_reach_everybody() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        ann.session.state(Say(ForeignText("Start us off")))
        ann.session.state(Gesticulate(Gesture.MITT_FULL))
        await until(lambda: len(bob.view.talk) == 2)
        assert bob.view.talk[1].said is Gesture.MITT_FULL


@pytest.mark.parametrize("letter", ["x", "ї", "🪙"])
async def test_a_line_too_long_for_the_wire_is_cut(letter: str) -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        long = talk(letter * 500)
        assert long
        ann.session.state(long)
        await until(lambda: statements(table, Say))
        text = statements(table, Say)[0].text.raw
        assert set(text) == {letter}
        assert MAX_TALK - 4 < len(text.encode()) <= MAX_TALK


def test_a_line_without_anything_to_say_is_no_statement() -> None:
    assert talk("") is None


def test_a_letter_that_no_wire_takes_becomes_a_mark() -> None:
    assert talk("\ud800 after") == Say(ForeignText("? after"))


# Commands that are not allowed


async def test_commands_before_the_table_is_known_do_nothing() -> None:
    async with local_table() as table:
        wire = Wire(table.server.connect)
        wire.refuses = True
        early = table.seat("Maria", wire=wire)
        for command in _every_command(early):
            command()
        assert early.notices == []
        assert early.session.own_hand is None


def _every_command(sitter: Sitter) -> list[Callable[[], None]]:
    session = sitter.session
    return [
        session.ready,
        session.sit,
        lambda: session.choose(1),
        lambda: session.speak(Bid(1)),
        lambda: session.state(Say(ForeignText("hello"))),
        lambda: session.state(Gesticulate(Gesture.MITT_FULL)),
    ]


async def test_a_hand_too_big_is_refused_with_the_number_of_coins() -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        pair[0].session.choose(4)
        [notice] = pair[0].told(NotAllowed)
        assert str(notice.error) == "A hand is 0 to 3 coins: you own 3. (R2)"
        assert pair[0].view.own_fist_due


@pytest.mark.parametrize("bid", [-1, 0, 7, 2**60])
async def test_an_impossible_bid_changes_nothing(bid: int) -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        await table.choose(pair, 1, 1)
        table.speaker().session.speak(Bid(bid))
        assert not table.speaker().session.guest.waiting
        await table.say(Bid(6))


async def test_what_the_host_refuses_comes_back_as_the_filled_sentence() -> None:
    async with local_table(seats=2) as table:
        await table.sit("Ann")
        # Both see a free seat when they ask for it.
        late = [table.seat("Bob"), table.seat("Cem")]
        await until(lambda: any(map(refused, late)))
        [notice] = [notice for each in late for notice in each.told(NotAllowed)]
        assert str(notice.error) == "The table is full: 2 seats. (G6)"


async def test_too_much_talk_is_refused_by_the_host() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        for line in range(12):
            ann.session.state(Say(ForeignText(f"line {line}")))
        await until(lambda: Reason.TOO_FAST in refused(ann))
        assert ann.view.link is LinkState.UP


async def test_a_second_word_before_the_first_is_in_the_log_is_refused() -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        await table.choose(pair, 1, 1)
        speaker = table.speaker()
        speaker.session.speak(Bid(1))
        speaker.session.speak(Bid(2))
        assert refused(speaker) == [Reason.REPEATED]


# Connections that come and go


async def test_a_dropped_session_resumes_from_its_position() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        had = len(bob.session.guest.log)
        bob.wire.refuses = True
        bob.wire.cut()
        await until(lambda: table.server.host.table.seats[1].away)
        ann.session.state(Say(ForeignText("Where is Bob?")))
        bob.wire.heard.clear()
        bob.wire.refuses = False
        await until(lambda: bob.view.link is LinkState.UP and bob.view.talk)
        await until(lambda: len(bob.session.guest.log) == len(table.server.host.log))
        sent = [
            blob for heard in bob.wire.heard if isinstance(heard, Entries) for blob in heard.blobs
        ]
        assert sent == [entry.blob for entry in table.server.host.log][had:]


async def test_whose_seat_was_freed_meanwhile_sits_down_again() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        ann.wire.refuses = True
        ann.wire.cut()
        await until(lambda: table.server.host.table.seats[0].away)
        at = now()
        later = Moment(at.monotonic, at.wall + 61_000)
        table.server.carry_out(table.server.host.tick(later))
        assert not table.server.host.table.seats
        ann.wire.refuses = False
        await until(lambda: table.server.host.table.seats)
        assert statements(table, Vacated) == [Vacated(ann.session.guest.key)]


async def test_a_lost_link_is_shown_at_once() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        ann.wire.refuses = True
        ann.wire.cut()
        assert ann.view.link is LinkState.DOWN


async def test_a_word_said_while_the_link_is_down_arrives_once() -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        await table.choose(pair, 1, 1)
        speaker = table.speaker()
        speaker.wire.refuses = True
        speaker.wire.cut()
        speaker.session.speak(Bid(3))
        speaker.wire.refuses = False
        await until(lambda: all(sitter.view.standing for sitter in pair))
        assert statements(table, Speak) == [Speak(Bid(3))]


async def test_a_word_whose_answer_was_lost_is_not_doubled() -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        await table.choose(pair, 1, 1)
        speaker = table.speaker()
        speaker.session.speak(Bid(3))
        speaker.wire.cut()
        await until(lambda: not speaker.session.guest.waiting)
        assert statements(table, Speak) == [Speak(Bid(3))]
        assert refused(speaker) == []


async def test_a_word_that_the_network_swallowed_is_said_again() -> None:
    async with local_table() as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        await table.choose(pair, 1, 1)
        speaker = table.speaker()
        speaker.wire.swallows = True
        speaker.session.speak(Bid(3))
        speaker.wire.cut()
        speaker.wire.swallows = False
        await until(lambda: not speaker.session.guest.waiting)
        assert statements(table, Speak) == [Speak(Bid(3))]


# Ends


async def test_a_closed_table_ends_the_session() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        await table.server.close()
        await ann.over()
        assert ann.told(Ended) == [Ended(Farewell.CLOSED)]


async def test_a_newer_session_of_the_same_key_replaces_the_older() -> None:
    async with local_table() as table:
        key = new_key()
        older = table.seat("Ann", Guest(key))
        await until(lambda: older.sits)
        newer = table.seat("Ann", Guest(key))
        await older.over()
        assert older.told(Ended) == [Ended(Farewell.REPLACED)]
        await until(lambda: newer.sits)
        assert len(newer.view.seats) == 1


async def test_another_version_ends_the_session() -> None:
    async with local_table() as table:
        host = Saying(frame(pack(("greeting", 99, "9.9", "?", 1))))
        stranger = table.seat("Ann", wire=Wire(host.connect))
        await stranger.over()
        assert stranger.told(Ended) == [Ended(Farewell.OTHER_VERSION)]


async def test_another_table_at_the_same_address_ends_the_session() -> None:
    async with local_table() as table:
        lost = table.seat("Ann", Guest(new_key(), bytes(32)))
        await lost.over()
        assert lost.told(Ended) == [Ended(Farewell.OTHER_LOG)]


async def test_leaving_between_games_frees_the_seat() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        bob.session.close()
        await bob.over()
        await until(lambda: len(ann.view.seats) == 1)
        assert bob.told(Ended) == []


async def test_who_left_and_comes_back_from_what_was_kept_sits_down_again() -> None:
    async with local_table() as table:
        [ann], key = await table.sit("Ann"), new_key()
        maria = saved_seat(table, key)
        await until(lambda: maria.sits)
        maria.session.close()
        await maria.over()
        await until(lambda: len(ann.view.seats) == 1)
        saved_seat(table, key)
        await until(lambda: len(ann.view.seats) == 2)


async def test_leaving_in_the_middle_of_a_game_keeps_the_seat() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        await table.start(ann, bob)
        bob.session.close()
        await bob.over()
        await until(lambda: ann.view.seats[1].presence.value == "away")
        assert [seat.name.raw for seat in ann.view.seats] == ["Ann", "Bob"]


# A host that lies


def forged(table: LocalTable, key: SigningKey) -> Entry:
    """An entry that is signed and chained well, and that the rules forbid."""
    return Entry.sign(key, 0, table.server.host.log.head, now().wall, GameStarted(()))


async def test_a_lying_host_is_left_with_the_evidence(state: Path) -> None:
    key, own = new_key(), new_key()
    async with local_table(key=key) as table:
        ann = saved_seat(table, own)
        await until(lambda: ann.sits)
        lying = forged(table, key)
        lie(table, lying)
        await ann.over()
        [broken] = ann.told(Broken)
        assert isinstance(broken.error, BrokenLog)
        assert broken.evidence and broken.evidence.parent == state / "games"
        assert broken.evidence.read_bytes().endswith(frame(lying.blob))
        assert str(broken.error) == broken.evidence.with_suffix(".txt").read_text()
        assert broken.fault and broken.fault.flaw is Flaw.FORBIDDEN
        assert broken.fault == verify([broken.evidence.read_bytes()]).fault


async def test_nothing_more_is_taken_from_a_lying_host() -> None:
    key = new_key()
    async with local_table(key=key) as table:
        [ann] = await table.sit("Ann")
        lie(table, forged(table, key))
        await ann.over()
        assert len(ann.wire.dials) == 1
        assert [entry.statement.KIND for entry in ann.session.guest.log] == ["table-opened", "sit"]


async def test_a_lie_is_told_where_the_evidence_cannot_be_kept() -> None:
    key = new_key()
    async with local_table(key=key) as table:
        ann = table.seat("Ann", store=FullDisk())
        await until(lambda: ann.sits)
        lie(table, forged(table, key))
        await ann.over()
        assert [broken.evidence for broken in ann.told(Broken)] == [None]


# The disk


async def test_a_hand_is_on_the_disk_before_its_seal_is_sent() -> None:
    key = new_key()
    kept = []

    async with local_table() as table:
        ann, [bob] = saved_seat(table, key), await table.sit("Bob")

        def look(message: object) -> None:
            if isinstance(proposed(message), Fist):  # type: ignore[arg-type]
                kept.extend(DiskSeatStore(table.table_id, key.public).secrets())

        ann.wire.on_send = look
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        ann.session.choose(2)
        await until(lambda: kept)
        assert [secret.coins for secret in kept if hasattr(secret, "coins")] == [2]


async def test_a_restarted_session_opens_the_hand_that_it_sealed() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = saved_seat(table, key, "Ann"), await table.sit("Bob")
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        await table.choose([ann, bob], 2, 1)
        await ann.crash()
        table.sitters.remove(ann)
        again = saved_seat(table, key, "Ann")
        assert again.session.own_hand == 2
        await until(lambda: again.notices and again.view.link is LinkState.UP)
        await table.say(*TRUE_BID)
        await until(lambda: bob.view.last)
        assert sorted(bob.view.last.hands.values()) == [1, 2]  # type: ignore[union-attr]


async def test_a_hand_that_was_kept_but_not_sent_is_sent_after_the_restart() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = saved_seat(table, key, "Ann"), await table.sit("Bob")
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        ann.wire.swallows = True
        ann.session.choose(2)
        await ann.crash()
        table.sitters.remove(ann)
        again = saved_seat(table, key, "Ann")
        await until(lambda: statements(table, Fist))
        again.session.choose(1)
        assert again.session.own_hand == 2
        assert refused(again) == [Reason.FIST_IS_IN]


async def test_a_hand_waits_for_room_on_the_disk(disk: FullDisk) -> None:
    async with local_table() as table:
        ann, [bob] = table.seat("Ann", store=disk), await table.sit("Bob")
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        disk.is_full = True
        ann.session.choose(0)
        bob.session.choose(0)
        await until(lambda: statements(table, Fist))
        await disk.try_again()
        troubles = [ann.session.trouble]
        assert len(statements(table, Fist)) == 1
        disk.is_full = False
        await until(lambda: table.phase is Phase.SPEAKING and not ann.session.trouble)
        assert [*troubles, ann.session.trouble] == [FULL, None]
        await until(lambda: disk.held == len(table.server.host.log))


async def test_nobody_says_to_hold_what_a_full_disk_does_not(disk: FullDisk) -> None:
    async with local_table() as table:
        ann, [bob] = table.seat("Ann", store=disk), await table.sit("Bob")
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        await table.choose([ann, bob], 0, 0)
        told = list[tuple[int, int]]()

        def heard(message: Message) -> None:
            if isinstance(message, Ping):
                told.append((message.held, disk.held))

        ann.wire.on_send = heard
        disk.is_full = True
        await table.say(Ending.ZERO)
        await until(lambda: ann.session.trouble)
        await disk.try_again()
        disk.is_full = False
        await until(lambda: table.phase in (Phase.CHOOSING, Phase.GATHERING))
        assert told and all(held <= kept for held, kept in told)


async def test_a_finished_game_is_saved_once() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = saved_seat(table, key, "Ann"), await table.sit("Bob")
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        await _play_zeros(table, [ann, bob])
        await until(lambda: ann.told(Saved))
        ann.wire.cut()
        await until(lambda: len(ann.wire.dials) == 2 and ann.view.link is LinkState.UP)
        [saved] = ann.told(Saved)
        assert saved.record.suffix == ".spoof"
        assert bob.told(Saved) == []


async def _play_zeros(table: LocalTable, pair: list[Sitter]) -> None:
    """A whole game in which every fist is empty and whoever opens says zero."""
    while table.phase is not Phase.GATHERING:
        await until(lambda: all(sitter.view.own_fist_due for sitter in pair))
        await table.choose(pair, 0, 0)
        await table.say(Ending.ZERO)
        await until(lambda: table.phase in (Phase.CHOOSING, Phase.GATHERING))


async def test_a_game_that_ended_before_a_restart_is_not_saved_again() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = saved_seat(table, key, "Ann"), await table.sit("Bob")
        await until(lambda: ann.sits)
        await table.start(ann, bob)
        await _play_zeros(table, [ann, bob])
        await until(lambda: ann.told(Saved))
        await ann.crash()
        again = saved_seat(table, key, "Ann")
        await until(lambda: again.notices and again.view.link is LinkState.UP)
        assert again.told(Saved) == []


# Goodbyes that are not for good


@pytest.mark.parametrize("why", [Farewell.HANDED_OVER, Farewell.BEHIND, Farewell.OLD_EPOCH])
async def test_when_only_the_host_goes_the_session_looks_for_another(why: Farewell) -> None:
    async with local_table() as table:
        wire = Wire(Saying(write(Goodbye(why))).connect)
        maria = table.seat("Maria", wire=wire)
        await until(lambda: len(wire.dials) > 2)
        assert not maria.told(Ended)


@pytest.mark.parametrize("why", [Farewell.CLOSED, Farewell.REPLACED, Farewell.BARRED])
async def test_who_is_not_the_host_cannot_end_a_session(why: Farewell) -> None:
    async with local_table() as table:
        [maria] = await table.sit("Maria")
        maria.wire._connect = Saying(write(Goodbye(why))).connect
        maria.wire.shows = new_key().public
        maria.wire.cut()
        await until(lambda: len(maria.wire.dials) > 3)
        assert not maria.told(Ended)


# What happened meanwhile


async def test_what_was_said_while_the_link_was_down_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(missing, "AWAY_DELAY", 0.0)
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        bob.wire.refuses = True
        bob.wire.cut()
        ann.session.state(Say(ForeignText("he is gone")))
        await until(lambda: statements(table, Say))
        bob.wire.refuses = False
        await until(lambda: bob.told(WhileAway))
        said = [entry.statement for entry in bob.told(WhileAway)[0].entries]
        assert any(isinstance(each, Say) for each in said)


async def test_a_short_loss_is_not_worth_telling() -> None:
    async with local_table() as table:
        _ann, bob = await table.sit("Ann", "Bob")
        bob.wire.cut()
        await until(lambda: len(bob.wire.dials) == 2 and bob.view.link is LinkState.UP)
        assert not bob.told(WhileAway)


async def test_after_a_restart_everything_since_is_told() -> None:
    async with local_table() as table:
        [ann], key = await table.sit("Ann"), new_key()
        maria = saved_seat(table, key)
        await until(lambda: maria.sits)
        await maria.crash()
        ann.session.state(Say(ForeignText("where is she?")))
        await until(lambda: statements(table, Say))
        again = saved_seat(table, key)
        await until(lambda: again.told(WhileAway))
        told = [entry.statement for entry in again.told(WhileAway)[0].entries]
        assert any(isinstance(each, Say) for each in told)


async def test_at_a_new_table_nothing_was_missed() -> None:
    async with local_table() as table:
        await table.sit("Ann")
        late = table.seat("Bob")
        await until(lambda: late.sits)
        assert not late.told(WhileAway)


# What is put on the disk, and in which order


class Notes(NoSeatStore):
    """Notes what is kept, in its order."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def promise(self, epoch: int) -> None:
        self.notes.append(f"promise {epoch}")

    def store(self, *entries: Entry) -> None:
        self.notes += [f"store {entry.position}" for entry in entries]

    def cut(self, length: int) -> None:
        self.notes.append(f"cut {length}")


async def test_a_promise_is_kept_behind_the_log_and_before_it_is_sent() -> None:
    async with local_table() as table:
        notes = Notes()
        sent: list[list[str]] = []
        maria = table.seat("Maria", store=notes)
        await until(lambda: maria.sits)
        await maria.session._effects.settle(1)
        entry = table.server.host.log[0]
        maria.wire.send = lambda data: sent.append(list(notes.notes))  # type: ignore[method-assign]
        notes.notes.clear()
        kept, sent_off = Store(entry), Transmit(b"support")
        effects: list[GuestEffect] = [kept, Promise(3), sent_off, Cut(5), kept]
        maria.session._carry_out(effects)
        await until(lambda: len(notes.notes) == 4)
        assert sent[0][:2] == ["store 0", "promise 3"]
        assert notes.notes == ["store 0", "promise 3", "cut 5", "store 0"]


@pytest.mark.parametrize("promise", [Promise(3), Depart(b"m" * 32)])
async def test_what_cannot_be_kept_is_not_promised(
    disk: FullDisk, promise: Promise | Depart
) -> None:
    async with local_table() as table:
        sent: list[bytes] = []
        maria = table.seat("Maria", store=disk)
        await until(lambda: maria.sits)
        await maria.session._effects.settle(1)
        disk.is_full = True
        maria.wire.send = sent.append  # type: ignore[method-assign,assignment]
        maria.session._carry_out([promise, Transmit(b"support")])
        await disk.try_again()
        assert not sent
        disk.is_full = False
        await until(lambda: sent == [b"support"])


async def test_why_a_link_ended_is_no_news_when_a_full_disk_has_kept_it_back_till_the_next_one(
    disk: FullDisk,
) -> None:
    async with local_table() as table:
        maria = table.seat("Maria", store=disk)
        await until(lambda: maria.sits)
        disk.is_full = True
        maria.session._carry_out([Promise(3), Hangup(Farewell.TOO_MANY)])
        maria.wire.cut()
        await until(lambda: len(maria.wire.dials) == 2)
        disk.is_full = False
        await until(lambda: maria.view.link is LinkState.UP)
        assert not maria.told(TurnedAway)


async def test_what_was_to_be_said_over_a_lost_link_does_not_pile_up_on_a_full_disk(
    disk: FullDisk,
) -> None:
    async with local_table() as table:
        maria = table.seat("Maria", store=disk)
        await until(lambda: maria.sits)
        disk.is_full = True
        maria.session._carry_out([Promise(3)])
        for count in range(2, 12):
            maria.wire.cut()
            await until(lambda: len(maria.wire.dials) == count)  # noqa: B023
            maria.session._carry_out([Transmit(bytes(9))] * 9)
        assert len(maria.session._effects._waiting) < 15


async def test_what_is_confirmed_to_the_host_is_on_the_disk_before() -> None:
    async with local_table() as table:
        notes = Notes()
        sent: list[bytes] = []
        maria = table.seat("Maria", store=notes)
        await until(lambda: maria.sits)
        await maria.session._effects.settle(1)
        disk = SlowDisk()
        maria.session._effects = OrderedEffects(maria.session, disk)
        maria.wire.send = sent.append  # type: ignore[method-assign,assignment]
        notes.notes.clear()
        maria.session._carry_out([Store(table.server.host.log[0]), Settle(), Transmit(b"ping")])
        assert sent == []
        while disk.jobs:
            await disk.work()
        assert (notes.notes, sent) == (["store 0"], [b"ping"])


async def test_what_waits_for_the_disk_is_not_said_on_a_later_link() -> None:
    async with local_table() as table:
        maria = table.seat("Maria", store=Notes())
        await until(lambda: maria.sits)
        disk = SlowDisk()
        maria.session._effects = OrderedEffects(maria.session, disk)
        maria.session._carry_out([Settle(), Transmit(b"for the first link")])
        maria.wire.cut()
        sent: list[bytes] = []
        maria.wire.send = sent.append  # type: ignore[method-assign,assignment]
        await until(lambda: len(maria.wire.dials) == 2)
        while disk.jobs:
            await disk.work()
        assert b"for the first link" not in sent


@pytest.mark.parametrize(("origins", "dials"), [((), 1), ((b"t" * 32,), 2)])
async def test_a_table_that_goes_on_elsewhere_may_prove_its_code_at_the_second_try(
    monkeypatch: pytest.MonkeyPatch, origins: tuple[bytes, ...], dials: int
) -> None:
    greeting = HostPolicy.card

    def card(policy: HostPolicy, table: Table, standing: int | None) -> Card:
        return replace(greeting(policy, table, standing), continues=origins)

    monkeypatch.setattr(HostPolicy, "card", card)
    async with local_table() as table:
        sitter = table.seat()
        sitter.session.use_code("K7M4Q")
        await until(lambda: sitter.told(Ended))
        assert sitter.told(Ended)[0].why is Farewell.NO_PROOF
        assert len(sitter.wire.dials) == dials
