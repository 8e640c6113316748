"""A new table that goes on where an old one broke off, without those who are gone (G8).

Everything else follows from the table after a named entry and from who goes along: the same rules,
the coins as they were when the last round was counted, the same starter or the next one. Everybody
makes the draft from their own copy of the log, and signs all of it, once.

`protocol/FAILOVER.md` has the algorithm ("A new table", 11 to 17) and the safety argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from protocol.crypto.keys import SIGNATURE_BYTES, SigningKey, is_signed
from protocol.crypto.seals import digest
from protocol.encoding.codec import pack
from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Malformed, Reason
from protocol.rules.game import Game, GamePlayer
from protocol.rules.options import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    START_COINS,
    BiddingRules,
    GuessingRules,
)
from protocol.rules.words import Direction, next_in
from protocol.table.state import Phase, Seat, Table
from protocol.table.statements import MAX_BEFORE, MAX_CARRIED, Along, TableContinued

_PURPOSE: Final = b"spoof new table 1"
_AGREEMENT: Final = b"spoof agree 1"
_UNSIGNED: Final = bytes(SIGNATURE_BYTES)


def draft(table: Table, along: Set[bytes], host: bytes, salt: bytes) -> TableContinued:
    """The new table of the seats that go `along` from `table`, not signed by anybody yet.

    `host` is the public key that would host it; `salt` is 32 random bytes. Raises `Illegal` unless
    at least two seats go along, and `Malformed` if they own more coins than a table can take over.
    """
    seats = [seat for seat in table.seats if seat.key in along]
    if len(seats) < MIN_PLAYERS or len(seats) != len(along):
        raise Illegal(Reason.TOO_FEW)
    coins = _coins(table, along)
    order = sorted(seats, key=lambda seat: [*coins, seat.key].index(seat.key))
    return TableContinued(
        opened=replace(table.opened, host=host, salt=salt),
        table=table.id,
        length=table.head.length,
        last=table.head.hash,
        starter=_starter(table, coins),
        first_out=table.game.next_crap if table.game and coins else None,
        seats=tuple(
            Along(s.key, s.name, coins.get(s.key), _UNSIGNED, s.key in table.doors) for s in order
        ),
        behind=_behind(table, along | table.barred),
        before=table.continues.origins[:MAX_BEFORE] if table.continues else (),
    )


def _behind(table: Table, without: Set[bytes]) -> tuple[bytes, ...]:
    """The public keys left behind, at most `MAX_PLAYERS`: the seats of `table`, and the keys left
    behind when it began, except `without`."""
    seats = [seat.key for seat in table.seats]
    keys = dict.fromkeys(key for key in (*seats, *table.behind) if key not in without)
    return tuple(keys)[:MAX_PLAYERS]


def _coins(table: Table, along: Set[bytes]) -> dict[bytes, int]:
    """The coins of the players who go along, by public key in their order; empty if no game can go
    on."""
    game = table.game
    if game is None or game.round is None or table.phase is Phase.GATHERING:
        return {}
    owned = {
        player.key: coins
        for player, coins in zip(game.players, game.coins, strict=True)
        if player.key in along and table.playing(player.key) is not None
    }
    has_game = len(owned) - list(owned.values()).count(0) >= MIN_PLAYERS
    return owned if has_game else {}


def _starter(table: Table, coins: Mapping[bytes, int]) -> bytes | None:
    """The public key of the player who opens the round that was broken off, or of the next one if
    that player is gone; None if no game goes on."""
    game = table.game
    if not coins or game is None or game.round is None:
        return None
    due = game.round.starter
    left = [coins.get(player.key, 0) for player in game.players]
    if not left[due]:
        direction = game.past[-1].words.direction if game.past else Direction.CLOCKWISE
        due = next_in(tuple(left), due, direction)
    return game.players[due].key


def agree(
    key: SigningKey, table: bytes, host: bytes, salt: bytes, along: tuple[bytes, ...]
) -> bytes:
    """The signature by which `key` agrees to go along from the table with the id `table`, as
    offered.

    The signature binds the seat to nothing and may be taken back, but without it nobody can claim
    that the seat has agreed.
    """
    return key.sign(_AGREEMENT, pack((table, host, salt, along)))


def agrees(
    key: bytes, table: bytes, host: bytes, salt: bytes, along: tuple[bytes, ...], signature: bytes
) -> bool:
    """Whether `signature` is the agreement of the public key `key`; see `agree`."""
    return is_signed(key, _AGREEMENT, pack((table, host, salt, along)), signature)


def unsigned(continued: TableContinued) -> TableContinued:
    """The draft of a new table, from its signed form."""
    seats = tuple(replace(seat, signature=_UNSIGNED) for seat in continued.seats)
    return replace(continued, seats=seats)


def sign(key: SigningKey, drafted: TableContinued) -> bytes:
    """The signature by which `key` goes along to the drafted table."""
    return key.sign(_PURPOSE, pack(drafted.packable()))


def goes_along(key: bytes, drafted: TableContinued, signature: bytes) -> bool:
    """Whether `signature` was made over this draft by the owner of the public key `key`; see
    `sign`."""
    return is_signed(key, _PURPOSE, pack(drafted.packable()), signature)


def signed(drafted: TableContinued, signatures: Mapping[bytes, bytes]) -> TableContinued:
    """The new table with the signatures of all its seats; `signatures` has them by public key."""
    seats = tuple(replace(seat, signature=signatures[seat.key]) for seat in drafted.seats)
    return replace(drafted, seats=seats)


def mark(drafted: TableContinued) -> bytes:
    """The hash of a draft, 32 bytes, which a seat that has signed the draft saves on disk."""
    return digest(_PURPOSE, (pack(drafted.packable()),))


def follows(continued: TableContinued, old: Table) -> bool:
    """Whether a new table follows from `old`, the old table as it was after the entry that the new
    one names."""
    along = {seat.key for seat in continued.seats}
    opened = continued.opened
    try:
        drafted = draft(old, along, opened.host, opened.salt)
    except (Illegal, Malformed):
        return False
    # Some older tables also list barred keys as left behind.
    with_barred = replace(drafted, behind=_behind(old, along))
    return unsigned(continued) in (drafted, with_barred)


def is_vouched_for(continued: TableContinued, old: Table) -> bool:
    """Whether seats of `old` have signed that its game went on at this new table.

    No more than that can be checked with a copy that ends before the named entry, or lacks a table
    in between.
    """
    known = sum(old.seat(seat.key) is not None for seat in continued.seats)
    opened = replace(continued.opened, host=old.opened.host, salt=old.opened.salt)
    return old.id in continued.origins and opened == old.opened and known >= MIN_PLAYERS


def begun(table: Table, continued: TableContinued) -> Table:
    """`table`, which is new, with everything that it takes over from the old one; raises
    `Malformed`."""
    _check(continued)
    seats, time = continued.seats, table.time
    table = replace(
        table,
        continues=continued,
        seats=tuple(Seat(seat.key, seat.name) for seat in seats),
        names={seat.key: seat.name for seat in seats},
        doors=frozenset(seat.key for seat in seats if seat.through_door),
        dealt=frozenset(seat.key for seat in seats),
        played=frozenset(seat.key for seat in seats),
        admitted=frozenset(continued.behind if table.opened.locked else ()),
    )
    if continued.starter is None:
        return table
    players = [seat for seat in seats if seat.coins is not None]
    game = Game(
        table=table.id,
        number=1,
        rules=table.opened.rules,
        players=tuple(GamePlayer(seat.key, seat.name, b"") for seat in players),
        started=time,
        carried=tuple(seat.coins or 0 for seat in players),
        out_before=continued.first_out,
    )
    opener = [seat.key for seat in players].index(continued.starter)
    table = replace(table, game=game.with_round(opener), phase=Phase.CHOOSING)
    return replace(table, waiting_since=dict.fromkeys(table.waiting_for, time))


def _check(continued: TableContinued) -> None:
    """Raise `Malformed` unless the new table could follow from some old table, and all its seats
    have signed it."""
    seats, keys = continued.seats, [seat.key for seat in continued.seats]
    if not MIN_PLAYERS <= len(seats) <= continued.opened.seats:
        raise Malformed(f"a new table begins with {MIN_PLAYERS} seats at least, not {len(seats)}")
    if len({*keys, *continued.behind}) != len(keys) + len(continued.behind):
        raise Malformed("a key goes along or stays behind, once")
    _check_game(continued)
    drafted = unsigned(continued)
    for seat in seats:
        if not goes_along(seat.key, drafted, seat.signature):
            raise Malformed("a seat of a new table has not signed that it goes along")


def _check_game(continued: TableContinued) -> None:
    """Raise `Malformed` unless some game could be in the state that the new table states."""
    seats, rules = continued.seats, continued.opened.rules
    playing = [seat.coins for seat in seats if seat.coins is not None]
    having = {seat.key for seat in seats if seat.coins}
    if continued.starter is None:
        if playing or continued.first_out is not None:
            raise Malformed("no coins, and nobody out, where no game goes on")
        return
    if playing != [seat.coins for seat in seats[: len(playing)]]:
        raise Malformed("those who play come first")
    if len(having) < MIN_PLAYERS or continued.starter not in having:
        raise Malformed("a game goes on between two who own coins, and one of those opens")
    if isinstance(rules, GuessingRules) and not {0, START_COINS}.issuperset(playing):
        raise Malformed(f"in a school everybody has {START_COINS} coins (H4)")
    if isinstance(rules, BiddingRules) and max(playing) > (rules.cap or MAX_CARRIED):
        raise Malformed(f"nobody can own more than the cap of {rules.cap} coins (R8)")
