"""A guest's copy of the log: what stays of it when the table moves, and what halts it."""

from __future__ import annotations

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog
from protocol.guest.effects import Cut, Halt, Hangup, Store, Sync, Transmit
from protocol.guest.link import HostLink
from protocol.guest.log_copy import LogCopy
from protocol.host.policy import HostPolicy
from protocol.rules.words import Bid, Ending
from protocol.table.log import Entry
from protocol.table.statements import Gesticulate, Gesture, HostMoved, Say
from protocol.timeouts import SUPPORT_DELAY
from protocol.views import LinkState
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import (
    Card,
    Entries,
    Farewell,
    write,
)
from tests.protocol.moving import gather, moved, playing
from tests.protocol.stories import Story, signing_key


def link_of(card: Card | None = None, epoch: int = 0, key: bytes | None = None) -> HostLink:
    """A link to a host with this key, which has greeted with this card."""
    return HostLink(GuestHandshake(b"", key), 0.0, 0.0, 0.0, card=card, epoch=epoch)


def test_what_was_cut_is_on_no_disk_and_neither_is_what_took_its_place() -> None:
    table = playing()
    alone, second, third = table.clients
    for client in (second, third):
        table.cut(client)
    kept, shared = LogCopy(table.host.table.id, alone.guest.log), len(second.guest.log)
    table.now(SUPPORT_DELAY)
    table.stand(third)
    gather(table, third, second)
    by = link_of(table.host.card, 1, third.guest.key)
    taken = [kept.take(entry.blob, by) for entry in table.host.log[shared:]]
    assert kept.log.head == table.host.log.head
    assert [each.cut for each in taken if each.cut is not None] == [kept.on_disk] == [shared]


def test_an_ending_word_has_to_be_on_the_disk_once() -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 2).say(Bid(3), Ending.CALL)
    copy, word = LogCopy(None, story.entries), len(story.entries)
    assert copy.table and copy.table.turn == word
    copy.take(story.entry(0, Say(ForeignText("hi"))).blob, link_of())
    settled = []
    for copy.on_disk in (word - 1, word):
        settled.append(copy.has_to_sync)
    assert settled == [True, False], "what was said after it can wait"


def test_an_impostor_who_claims_a_later_epoch_gets_no_words() -> None:
    table = playing()
    client = table.clients[0]
    table.stand(table.clients[1])
    table.shown_key = SigningKey(bytes(32)).public
    gather(table, client)
    length = len(client.sent)
    table.act(client, client.guest.propose(Gesticulate(Gesture.MITT_FULL)))
    assert client.guest.link is LinkState.MOVING
    assert len(client.sent) == length


def test_a_move_that_nobody_supports_does_not_stop_the_guest_for_good() -> None:
    table = playing()
    client, stranger = table.clients[0], SigningKey(bytes(32))
    table.stand(table.clients[1])
    table.shown_key = stranger.public
    gather(table, client)
    head = client.guest.log.head
    lie = Entry.sign(stranger, 1, head, 2**41, HostMoved(1, stranger.public, ()))
    effects = client.guest.received(write(Entries((lie.blob,))), table.now())
    assert Hangup(Farewell.IMPOSTOR) in effects
    assert not any(isinstance(effect, Halt) for effect in effects)
    assert client.guest.log.head == head


def test_another_past_counts_for_nothing_without_a_move() -> None:
    table = moved()
    client = table.clients[1]
    head = client.guest.log.head
    table.stand(table.clients[2])
    gather(table, client)
    first = client.guest.log[3]
    effects = client.guest.received(write(Entries((first.blob,))), table.now())
    assert not any(isinstance(effect, Cut | Store | Halt) for effect in effects)
    assert client.guest.log.head == head


def test_what_is_confirmed_is_on_the_disk_before() -> None:
    table = playing(2)
    speaker = table.speaker()
    other = next(client for client in table.clients if client is not speaker)
    table.say(Ending.CALL)
    said = [type(effect) for effect in other.effects]
    word = next(index for index, kind in enumerate(said) if kind is Sync)
    assert Store in said[:word] and Transmit in said[word:]


# The first entry, and what proves nothing against anybody


def shown(story: Story) -> Card:
    """The card that fits a story."""
    return HostPolicy(ForeignText("Krona")).card(story.table, None)


def test_the_first_entry_is_the_table_that_was_greeted() -> None:
    story = Story(0)
    with pytest.raises(BrokenLog, match="another table than the greeting"):
        LogCopy(bytes(32), []).take(story.entries[0].blob, link_of(shown(story)))


@pytest.mark.parametrize("host_key", [None, 255, 9])
def test_only_what_the_host_signed_is_proof_over_anothers_link(host_key: int | None) -> None:
    story = Story(2)
    copy = LogCopy(None, story.entries)
    key = None if host_key is None else signing_key(host_key).public
    forged = Entry.sign(signing_key(9), 0, copy.log.head, story.table.time, story.starting())
    by = link_of(None, 0, key)
    assert copy.is_by_stranger(forged.blob, by) is (host_key == 9)
    assert not copy.is_by_stranger(story.entry(None, story.starting()).blob, by)
