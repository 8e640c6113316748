"""A table on the list of those that were found, and its place there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.version import PROTOCOL
from protocol.wire.messages import Card
from spoof_tui.network.addresses import Address
from spoof_tui.network.endpoints import MAX_ENDPOINTS, Endpoint
from spoof_tui.text.safe_text import show


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that answers."""

    address: Address
    """Where it answered: of several addresses the first, for as long as that answers."""
    card: Card | None
    """The table; None if it speaks another version of the protocol."""
    protocol: int
    """Version of the protocol that it speaks."""
    program: str
    """Version of its host's program."""
    is_awaited: bool = False
    """Whether it has only introduced itself, and is still to greet: the network is slow."""


def row_of(endpoint: Endpoint) -> FoundTable:
    """The row of an endpoint that answers."""
    answer = endpoint.answer
    assert answer
    return FoundTable(answer.address, answer.card, answer.protocol, answer.program)


def awaited(endpoint: Endpoint, card: Card) -> FoundTable:
    """The row of one that has introduced itself by `card`."""
    return FoundTable(endpoint.addresses[0], card, PROTOCOL, "", is_awaited=True)


@lru_cache(MAX_ENDPOINTS)
def _sorted_as(name: ForeignText) -> str:
    return show(name, MAX_NAME).casefold()


def place_of(table: FoundTable) -> tuple[bool, str, bytes, Address]:
    """By name, then by id; what speaks another version comes last."""
    card = table.card
    name, identity = (_sorted_as(card.name), card.table) if card else ("", b"")
    return card is None, name, identity, table.address
