"""Two programs of one person, and one identity between them."""

import asyncio
import os

import pytest

from protocol.crypto.keys import SigningKey
from spoof_tui.runtime import second_window
from spoof_tui.runtime.second_window import ASK_TIMEOUT, give_up_when_asked, held_seat, take_over
from spoof_tui.storage import identity as identities
from spoof_tui.storage.identity import Holder, Identity

LIMIT = 10.0
ME = Holder(os.getpid(), "")


def public(identity: Identity) -> bytes:
    return SigningKey(identity.seed).public


async def test_who_is_asked_leaves_before_the_identity_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(second_window, "LOOK_INTERVAL", 0.01)
    old, done = Identity.claim(), list[str]()

    async def leave(asker: Holder) -> None:
        await asyncio.sleep(0)
        assert old.may_be_wanted
        done.append("left")

    giving = asyncio.create_task(give_up_when_asked(old, leave))
    new = await asyncio.wait_for(take_over(public(old), ME), LIMIT)
    await giving
    assert isinstance(new, Identity) and done == ["left"]
    assert new.seed == old.seed and not old.may_be_wanted
    assert new.wanted() is None
    new.release()


async def test_who_does_not_answer_keeps_it_and_is_asked_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(second_window, "ASK_TIMEOUT", 0.0)
    old = Identity.claim()
    assert await take_over(public(old), ME) == ME
    assert old.may_be_wanted and old.wanted() is None
    old.release()


async def test_of_two_who_ask_the_later_one_hears_at_once_who_was_quicker() -> None:
    old = Identity.claim()
    gone = Holder(os.getpid() + 1, "")
    # Another program has signed in since, after the player was told of the first one.
    assert await asyncio.wait_for(take_over(public(old), gone), ASK_TIMEOUT / 2) == ME
    old.release()


async def test_an_identity_that_is_given_back_is_watched_no_more() -> None:
    old = Identity.claim()
    old.release()

    async def never(asker: Holder) -> None:
        raise AssertionError

    await asyncio.wait_for(give_up_when_asked(old, never), LIMIT)


def test_a_program_does_not_find_its_own_seats_elsewhere() -> None:
    async def go_on() -> None:
        raise AssertionError

    one, other = Identity.claim(), Identity.claim()
    assert held_seat(bytes(32), public(one), go_on) is None
    assert identities.keys_in_use() == []
    one.release()
    other.release()
