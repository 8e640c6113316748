"""How a player comes to a table, over real sockets."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Say
from protocol.wire.messages import OtherVersion
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.network.tls import server_context
from spoof_tui.runtime import takeover
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.notices import (
    CannotOpen,
    KeyInUse,
    SeatHeld,
)
from spoof_tui.runtime.saved_tables import resumable
from spoof_tui.storage.identity import Identity
from tests.spoof_tui.runtime.people import LIMIT, PLAN, New, opened, public, until_idle


@contextlib.contextmanager
def saying(data: bytes) -> Iterator[Address]:
    """Something that says `data`, inside of TLS, to whoever comes first."""
    context, _ = server_context(bytes(32))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                with context.wrap_socket(connection, server_side=True) as connection:
                    connection.sendall(data)
                    connection.recv(1)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Address(*server.getsockname())
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        thread.join(LIMIT)


def test_a_port_that_is_taken_is_said(person: New) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host = person("Olha")
        host.client.open(replace(PLAN, public=True, port=taken.getsockname()[1]))
        assert isinstance(host.wait_for(CannotOpen).error, OSError)
        assert not host.client.is_host


def test_a_guest_joins_at_an_address(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    host.sits_among(2)
    assert not guest.client.is_host


def test_a_guest_joins_by_one_connection(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    table = host.client._player.table
    assert table and table.server._guard._count == 1


def test_bots_sit_down_at_the_opening(person: New) -> None:
    host, _ = opened(person, bots=3)
    assert len({seat.name.raw for seat in host.view.seats}) == 4


# Addresses that lead nowhere


def test_an_address_where_nobody_listens_cannot_be_opened(person: New) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = Address(*closed.getsockname())
    guest = person("Maria")
    guest.client.join(address)
    error = guest.wait_for(CannotOpen).error
    assert isinstance(error, ProbeFailed) and error.reason is Failure.REFUSED


def test_what_is_no_table_cannot_be_opened(person: New) -> None:
    with saying(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        guest = person("Maria")
        guest.client.join(address)
        error = guest.wait_for(CannotOpen).error
        assert isinstance(error, ProbeFailed) and error.reason is Failure.NO_TABLE


def test_another_version_cannot_be_opened_and_says_both_numbers(person: New) -> None:
    with saying(frame(pack(("greeting", 99, "9.9", "?", 1)))) as address:
        guest = person("Maria")
        guest.client.join(address)
        error = guest.wait_for(CannotOpen).error
        assert isinstance(error, OtherVersion)
        assert (error.protocol, error.program) == (99, "9.9")


def test_who_leaves_while_joining_does_not_sit_down_later(
    person: New, background: BackgroundLoop
) -> None:
    host, address = opened(person)
    hasty = person("Hasty")
    hasty.client.join(address)
    hasty.leave()
    calm = person("Calm")
    calm.client.join(address)
    host.sits_among(2)
    assert [seat.name.raw for seat in host.view.seats] == ["Olha", "Calm"]
    assert hasty.notices == []


def test_who_leaves_while_opening_leaves_no_table_behind(
    person: New, background: BackgroundLoop
) -> None:
    hasty = person("Hasty")
    hasty.client.open(PLAN, bots=2)
    hasty.leave()
    until_idle(background)
    assert hasty.notices == []


def test_a_saved_table_goes_on_with_its_log(person: New) -> None:
    identity = Identity.claim()
    host, _ = public(person, "Olha", identity)
    host.client.state(Say(ForeignText("hello")))
    host.wait(lambda: host.view.talk)
    host.leave()
    again = person("Olha", identity)
    [saved] = resumable()
    again.client.resume(saved)
    again.sits_among(1)
    assert again.client.is_host and again.view.talk
    identity.release()


def test_a_seat_at_a_table_of_somebody_else_is_taken_again(person: New) -> None:
    identity = Identity.claim()
    _, address = public(person, "Olha", Identity.passing())
    guest = person("Maria", identity)
    guest.client.join(address)
    guest.sits_among(2)
    guest.leave()
    again = person("Maria", identity)
    [saved] = resumable()
    again.client.resume(replace(saved, seat=SigningKey(identity.seed).public))
    again.sits_among(2)
    assert not again.client.is_host
    identity.release()


def test_a_saved_table_whose_key_another_window_has_is_offered_for_a_takeover(
    person: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "ASK_TIMEOUT", 0.0)
    identity = Identity.claim()
    public(person, "Olha", identity)
    [saved] = resumable()
    other = person("Olha")
    other.client.resume(saved)
    held = other.wait_for(SeatHeld)
    assert (held.holder.pid, held.is_other_free) == (os.getpid(), False)
    other.client.take_over()
    error = other.wait_for(CannotOpen).error
    assert isinstance(error, KeyInUse) and error.holder == held.holder
    identity.release()
