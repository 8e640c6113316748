"""The messages on a link between a guest and a host.

The host greets with the card of its table and a challenge; a probe reads that and hangs up, a
participant answers with a hello. From then on the host sends entries, the guest intents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final

from protocol.crypto.join_code import MAC_BYTES, PAKE_BYTES
from protocol.crypto.keys import KEY_BYTES, SIGNATURE_BYTES, SigningKey, is_signed
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import (
    FLAG,
    Message,
    blob,
    choice,
    foreign,
    maybe,
    nested,
    octets,
    pack,
    read_message,
    several,
    shaped,
    unpack,
    whole,
    words,
)
from protocol.encoding.framing import frame
from protocol.encoding.replacing import replace
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import (
    MAX_ADDRESS,
    MAX_CODE,
    MAX_ENTRIES,
    MAX_ENTRY,
    MAX_NAME,
    MAX_PRESENCE,
    MAX_STATEMENT,
    MAX_TERMS,
    MAX_VERSION,
)
from protocol.rules.options import MAX_PLAYERS, Rules
from protocol.table.head import Head, Term
from protocol.table.statements import MAX_BEFORE, RULES
from protocol.version import PROTOCOL


@dataclass(frozen=True, slots=True)
class Offer(Message):
    """The game can be carried on at a new table; replaces the previous offer.

    Everything else that is to be signed follows from the log: see `continuation.draft`.
    """

    KIND: ClassVar[str] = "offer"
    host: bytes = shaped(octets(KEY_BYTES))
    """Public key of the seat that makes the offer and would host the table."""
    salt: bytes = shaped(octets(HASH_BYTES))
    """Random bytes for the new table."""
    along: tuple[bytes, ...] = shaped(several(octets(KEY_BYTES), MAX_PLAYERS))
    """Public keys of the seats that are here, all of which have to agree; empty if the offer is
    withdrawn."""
    agreements: tuple[bytes | None, ...] = shaped(
        several(maybe(octets(SIGNATURE_BYTES)), MAX_PLAYERS)
    )
    """The signature of each of `along` by `Agree`, in the same order; nil if it has not agreed."""
    wait: int = shaped(whole())
    """Seconds left of the grace time: nobody can agree before it is over."""

    @property
    def agreed(self) -> tuple[bytes, ...]:
        """Public keys of the seats that have agreed; once all have, each signs."""
        pairs = zip(self.along, self.agreements, strict=False)
        return tuple(key for key, signature in pairs if signature is not None)

    @property
    def is_final(self) -> bool:
        """Whether all have agreed and the wait is over, so that the new table can be signed."""
        return bool(self.along) and not self.wait and self.agreed == self.along


@dataclass(frozen=True, slots=True)
class Agree(Message):
    """This seat agrees to the offer, or takes that back."""

    KIND: ClassVar[str] = "agree"
    signature: bytes | None = shaped(maybe(octets(SIGNATURE_BYTES)))
    """Signature over the offer, as made by `continuation.agree`; nil takes the agreement back."""


@dataclass(frozen=True, slots=True)
class GoAlong(Message):
    """This seat goes along to the new table: from now on it says nothing at the old one."""

    KIND: ClassVar[str] = "go-along"
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """Signature over the new table, as made by `continuation.sign`."""


@dataclass(frozen=True, slots=True)
class Continued(Message):
    """The new table is founded, and served at the port where the old one was."""

    KIND: ClassVar[str] = "continued"
    blob: bytes = shaped(blob(MAX_ENTRY, least=1))
    """The encoded first entry of the new table."""


CHALLENGE_BYTES: Final = 32
_HELLO_PURPOSE: Final = b"spoof hello 1"


class State(Enum):
    """What a table is doing, as lobbies show it."""

    GATHERING = "gathering"
    PLAYING = "playing"
    MOVING = "moving"
    """The sender of the greeting does not host the table: it stands for host because the host is
    gone."""


class Farewell(Enum):
    """Why a link is being closed."""

    CLOSED = "closed"
    """The table closes."""
    REPLACED = "replaced"
    """A newer connection of the same key took over."""
    MALFORMED = "malformed"
    """What was sent is not a message, or not one for this moment."""
    WRONG_PROOF = "wrong-proof"
    """The hello is not signed by its key for this link."""
    OTHER_LOG = "other-log"
    """The log that the guest holds is not this table's."""
    OTHER_VERSION = "other-version"
    """The two programs speak different versions of the protocol."""
    TOO_MANY = "too-many"
    """The host has no room for another link."""
    TOO_LATE = "too-late"
    """No hello came in time."""
    TOO_SLOW = "too-slow"
    """The other end has not read what was sent to it for too long."""
    SILENT = "silent"
    """Nothing was heard for so long that the link counts as lost."""
    WRONG_CODE = "wrong-code"
    """The join code was not proven."""
    TOO_MANY_TRIES = "too-many-tries"
    """Too many wrong codes came from this address, which has to wait a minute."""
    BARRED = "barred"
    """This key is not let in (G5)."""
    SHUT = "shut"
    """The host has locked the table: only those who sat there before may come in."""
    BEHIND = "behind"
    """The candidate holds less of the log than this guest."""
    OLD_EPOCH = "old-epoch"
    """The table has a host of a later epoch, or is about to have one."""
    HANDED_OVER = "handed-over"
    """The host hands its role over and stops hosting."""
    NO_CODE = "no-code"
    """Used by the guest itself: the host asks for a join code, and the guest has none."""
    IMPOSTOR = "impostor"
    """Used by the guest itself: the certificate is not that of the table's host."""
    NO_PROOF = "no-proof"
    """Used by the guest itself: the host did not prove that it knows the code."""


class OtherVersion(Malformed):
    """The peer speaks another version of the protocol, or talks to a program that does."""

    def __init__(self, protocol: int, program: str) -> None:
        super().__init__(f"protocol {protocol} ({program}), this is {PROTOCOL}")
        self.protocol = protocol
        """The peer's protocol number."""
        self.program = program
        """The peer's program version, printable ASCII."""


@dataclass(frozen=True, slots=True)
class Card(Message):
    """A table as anybody may see it before joining; it contains no secrets."""

    KIND: ClassVar[str] = "card"
    table: bytes = shaped(octets(HASH_BYTES))
    """Table id."""
    name: ForeignText = shaped(foreign(MAX_NAME))
    """The name of the table."""
    host: ForeignText = shaped(foreign(MAX_NAME))
    """The host's name."""
    rules: Rules = shaped(RULES)
    """The options of the game that is played."""
    seats: int = shaped(whole(MAX_PLAYERS))
    """Number of seats."""
    taken: int = shaped(whole(MAX_PLAYERS))
    """Number of seats that are taken."""
    state: State = shaped(choice(State))
    """Whether the table gathers, plays, or moves to another host."""
    locked: bool = shaped(FLAG)
    """Whether a join code is asked for."""
    epoch: int = shaped(whole())
    """How often the table has changed its host; with `State.MOVING` the epoch of the candidate."""
    continues: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_BEFORE + 1), default=())
    """Ids of the old tables that this one goes on from, the latest first (G8)."""


@dataclass(frozen=True, slots=True)
class Greeting(Message):
    """The host's first message on every link. Its first two fields stay the same in every
    version."""

    KIND: ClassVar[str] = "greeting"
    protocol: int = shaped(whole(2**16))
    """Version of the wire protocol."""
    program: str = shaped(words(MAX_VERSION))
    """Version of the host's program."""
    card: Card = shaped(nested(Card))
    """The card of the table."""
    challenge: bytes = shaped(octets(CHALLENGE_BYTES))
    """Random bytes that the hello signs."""


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """A participant says who it is and how much of the log it holds. Its first two fields stay the
    same in every version."""

    KIND: ClassVar[str] = "hello"
    protocol: int = shaped(whole(2**16))
    """Version of the wire protocol."""
    program: str = shaped(words(MAX_VERSION))
    """Version of the guest's program."""
    key: bytes = shaped(octets(KEY_BYTES))
    """Public key of the guest."""
    length: int = shaped(whole())
    """Number of entries of the log that the guest holds."""
    head: bytes = shaped(octets(HASH_BYTES))
    """Hash of the last entry that the guest holds; zeros if it holds none."""
    epoch: int = shaped(whole())
    """The highest epoch that the guest has seen or promised its support."""
    terms: tuple[Term, ...] = shaped(several(nested(Term), MAX_TERMS))
    """The last terms of the log that it holds."""
    port: int = shaped(whole(65535))
    """The port where the guest's program would serve the table if it had to; 0 if it would not."""
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """Signature over the challenge, the channel, the table and all other fields: see
    `sign_hello`."""

    @property
    def held(self) -> Head:
        """Length and head of the log that the guest holds."""
        return Head(self.length, self.head)


@dataclass(frozen=True, slots=True)
class Locked(Message):
    """The host does not know the guest's key and asks for the join code."""

    KIND: ClassVar[str] = "locked"


@dataclass(frozen=True, slots=True)
class Pake(Message):
    """One side's message of the key exchange SPAKE2: first the guest's, then the host's."""

    KIND: ClassVar[str] = "pake"
    message: bytes = shaped(octets(PAKE_BYTES), repr=False)
    """The bytes of `GuestExchange.message` or `HostExchange.message`."""


@dataclass(frozen=True, slots=True)
class Confirm(Message):
    """One side's proof that it knows the join code: first the guest's, then, if that is right, the
    host's."""

    KIND: ClassVar[str] = "confirm"
    mac: bytes = shaped(octets(MAC_BYTES), repr=False)
    """The bytes of `ExchangeContext.mac`."""


@dataclass(frozen=True, slots=True)
class Welcome(Message):
    """The host accepts the hello; the missing entries follow."""

    KIND: ClassVar[str] = "welcome"
    length: int = shaped(whole())
    """Number of entries of the host's log now."""


@dataclass(frozen=True, slots=True)
class AskEntries(Message):
    """A candidate lacks entries that the guest holds, and asks for the next ones."""

    KIND: ClassVar[str] = "ask-entries"
    length: int = shaped(whole())
    """Number of entries that the candidate holds."""


@dataclass(frozen=True, slots=True)
class Entries(Message):
    """The next entries of the log, in order: from a host, or from a guest to a candidate that asked
    for them."""

    KIND: ClassVar[str] = "entries"
    blobs: tuple[bytes, ...] = shaped(several(blob(MAX_ENTRY, least=1), MAX_ENTRIES))
    """The entries in order, each encoded as `log.Entry.blob`."""


@dataclass(frozen=True, slots=True)
class Propose(Message):
    """The guest asks for its intent to be put into the log."""

    KIND: ClassVar[str] = "intent"
    blob: bytes = shaped(blob(MAX_STATEMENT))
    """The encoded intent, as in `log.Intent.blob`."""


@dataclass(frozen=True, slots=True)
class Refusal(Message):
    """An intent was refused and has changed nothing."""

    KIND: ClassVar[str] = "refusal"
    sequence: int = shaped(whole())
    """Sequence number of the intent."""
    code: str = shaped(words(MAX_CODE))
    """Why it was refused, as in `errors.Reason.code`."""


@dataclass(frozen=True, slots=True)
class Presence(Message):
    """The seats that the host has not heard from for 3 s. That a seat is away is in the log
    instead."""

    KIND: ClassVar[str] = "presence"
    unsteady: tuple[bytes, ...] = shaped(several(octets(KEY_BYTES), MAX_PRESENCE))
    """Public keys of these seats."""


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Says that its sender is here. The host sends it every second, and the guest answers."""

    KIND: ClassVar[str] = "ping"
    number: int = shaped(whole())
    """The number of this ping of the host, from 1; in an answer, that of the last one received, or
    0."""
    held: int = shaped(whole(), default=0)
    """From a guest, the number of entries that are safely on its disk; from the host 0."""


@dataclass(frozen=True, slots=True)
class Whereabout(Message):
    """Where the program of a seat is, which might serve the table if the host is gone."""

    KIND: ClassVar[str] = "whereabout"
    key: bytes = shaped(octets(KEY_BYTES))
    """Public key of the seat."""
    address: str = shaped(words(MAX_ADDRESS))
    """The address that its connection came from."""
    port: int = shaped(whole(65535))
    """The port that the seat named; 0 if it would not serve the table, but has a vote that does not
    end with the host's program."""


@dataclass(frozen=True, slots=True)
class Whereabouts(Message):
    """Where to look for the table if its host is gone; replaces the previous list."""

    KIND: ClassVar[str] = "whereabouts"
    places: tuple[Whereabout, ...] = shaped(several(nested(Whereabout), MAX_PLAYERS))
    """All seats that are connected and do not go with the host's program."""


@dataclass(frozen=True, slots=True)
class HandOver(Message):
    """The host hands its role to a seat, which at once stands for host."""

    KIND: ClassVar[str] = "hand-over"
    seat: bytes = shaped(octets(KEY_BYTES))
    """Public key of the seat."""
    support: bytes | None = shaped(maybe(octets(SIGNATURE_BYTES)))
    """The support of the host's own seat for `seat`, as in `Support`, for the next epoch and the
    log as it was sent; nil if that seat has not promised it. With it the old host need not be here
    for the vote."""


@dataclass(frozen=True, slots=True)
class Support(Message):
    """A seat supports the candidate for host at the other end of its link."""

    KIND: ClassVar[str] = "support"
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """Signature as made by `sign_support`, for the epoch of the card and the log as it was sent."""


@dataclass(frozen=True, slots=True)
class Goodbye(Message):
    """The last message before the link is closed."""

    KIND: ClassVar[str] = "goodbye"
    why: Farewell = shaped(choice(Farewell))


FROM_HOST: Final = {
    kind.KIND: kind
    for kind in (
        Greeting,
        Locked,
        Pake,
        Confirm,
        Welcome,
        AskEntries,
        Entries,
        Refusal,
        Presence,
        Whereabouts,
        HandOver,
        Ping,
        Offer,
        Continued,
        Goodbye,
    )
}
"""The messages that a guest may receive, by kind."""

FROM_GUEST: Final = {
    kind.KIND: kind
    for kind in (Hello, Pake, Confirm, Entries, Support, Propose, Ping, Agree, GoAlong, Goodbye)
}
"""The messages that a host may receive, by kind."""


def write(message: Message) -> bytes:
    """`message`, encoded as a frame."""
    return frame(pack(message.packable()))


def read_from_host(payload: bytes) -> Message:
    """Decode a message of a host; raises `Malformed`, or `OtherVersion` for a greeting of another
    version."""
    raw = unpack(payload)
    _check_version(raw, Greeting.KIND)
    return read_message(FROM_HOST, raw)


def read_from_guest(payload: bytes) -> Message:
    """Decode a message of a guest; raises `Malformed`, or `OtherVersion` for a hello of another
    version."""
    raw = unpack(payload)
    _check_version(raw, Hello.KIND)
    return read_message(FROM_GUEST, raw)


def _check_version(raw: object, kind: str) -> None:
    if not isinstance(raw, tuple) or len(raw) < 3 or raw[0] != kind:
        return
    protocol, program = raw[1], raw[2]
    if whole(2**16).fits(protocol) and words(MAX_VERSION).fits(program) and protocol != PROTOCOL:
        raise OtherVersion(protocol, program)


def sign_hello(
    key: SigningKey,
    program: str,
    greeting: Greeting,
    channel: bytes,
    held: Head,
    epoch: int = 0,
    port: int = 0,
    terms: Sequence[Term] = (),
) -> Hello:
    """The hello that answers `greeting` on the link with the channel binding `channel`.

    `held` is the log that the guest holds and `terms` are its terms; `epoch` is the highest that it
    has seen or promised, `port` where its program could serve the table (0 for nowhere).
    """
    table = greeting.card.table
    unsigned = Hello(
        PROTOCOL,
        program,
        key.public,
        held.length,
        held.hash,
        epoch,
        tuple(terms[-MAX_TERMS:]),
        port,
        bytes(SIGNATURE_BYTES),
    )
    said = _hello_bytes(unsigned, greeting.challenge, channel, table)
    return replace(unsigned, signature=key.sign(_HELLO_PURPOSE, said))


def is_proven(hello: Hello, challenge: bytes, channel: bytes, table: bytes) -> bool:
    """Whether the hello is signed by its key, for this table on this very link."""
    said = _hello_bytes(hello, challenge, channel, table)
    return is_signed(hello.key, _HELLO_PURPOSE, said, hello.signature)


def _hello_bytes(hello: Hello, challenge: bytes, channel: bytes, table: bytes) -> bytes:
    _, *fields, _ = hello.packable()
    return pack((challenge, channel, table, *fields))
