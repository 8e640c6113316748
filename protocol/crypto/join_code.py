"""The join code and its proof by SPAKE2; the only module that imports `spake2`.

Both ends prove that they know the code without showing it: a listener learns nothing, and a peer
can try one code per connection. The hash of the certificate is mixed in, so a relay between two TLS
connections cannot pass the proof on.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from protocol.errors import Malformed

ALPHABET: Final = "ACDEFGHJKLMNPQRTUVWXY34679"
"""Characters of a code: of the pairs B 8, I 1, O 0, S 5 and Z 2, which are easily confused,
neither."""

CODE_LENGTH: Final = 5
"""Length of a code in characters: 26**5 are 11.9 million codes."""

PAKE_BYTES: Final = 33
"""Bytes of a SPAKE2 message: one for the side, and 32 for a point of the curve."""

MAC_BYTES: Final = 32

Entropy = Callable[[int], bytes]
"""A function that returns as many fresh random bytes as it is asked for."""

_FIELD: Final = 2**255 - 19
"""The prime of the field; coordinates of points are below it."""

_GUEST_PURPOSE: Final = b"spoof code guest 1"
_HOST_PURPOSE: Final = b"spoof code host 1"
_GUEST_ID: Final = b"client"


def make_code(random: bytes) -> str:
    """A fresh join code, made from 32 random bytes."""
    number, letters = int.from_bytes(random, "big"), []
    for _ in range(CODE_LENGTH):
        number, index = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[index])
    return "".join(letters)


def read_code(typed: str) -> str | None:
    """The code that somebody typed, in either case and with blanks or dashes; None if it is not a
    code."""
    code = "".join(letter for letter in typed.upper() if not letter.isspace() and letter != "-")
    return code if len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) else None


@dataclass(frozen=True, slots=True)
class ExchangeContext:
    """What a proof of the join code is bound to, so that it is valid for one link and one guest
    only."""

    channel: bytes
    """Hash of the host's certificate on this connection, 32 bytes."""
    challenge: bytes
    """The host's challenge on this connection."""
    table: bytes
    """Table id."""
    key: bytes
    """Public key of the guest."""

    def mac(self, secret: bytes, purpose: bytes, messages: Iterable[bytes]) -> bytes:
        """The proof by which one side shows that it knows the code, 32 bytes: HMAC-SHA-256 over
        `purpose`, this context and the SPAKE2 `messages`, each preceded by its length."""
        parts = (purpose, self.channel, self.challenge, self.table, self.key, *messages)
        said = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        return hmac.digest(secret, said, "sha256")


@dataclass(frozen=True, slots=True)
class HostExchange:
    """The host's side of the key exchange, SPAKE2, that answers one guess of the join code. Its
    `repr` shows no secret."""

    message: bytes = field(repr=False)
    """The message to send, which the guest needs to prove its code."""
    guest: bytes = field(repr=False)
    """The proof that a guest with the right code will send."""
    host: bytes = field(repr=False)
    """The host's own proof, to be sent after the guest's."""

    def is_proven(self, mac: bytes) -> bool:
        """Whether `mac` proves that the guest knows the code."""
        return hmac.compare_digest(self.guest, mac)


def answer(code: str, setting: ExchangeContext, message: bytes, entropy: Entropy) -> HostExchange:
    """The host's side of the key exchange, which answers a guest's first message; takes about ten
    milliseconds. Raises `Malformed`."""
    from spake2 import SPAKE2_B

    side = SPAKE2_B(code.encode(), idA=_GUEST_ID, idB=setting.channel, entropy_f=entropy)
    own: bytes = side.start()
    secret = _finish(side, message)
    return HostExchange(
        own,
        setting.mac(secret, _GUEST_PURPOSE, (message, own)),
        setting.mac(secret, _HOST_PURPOSE, (message, own)),
    )


class GuestExchange:
    """The guest's side of the key exchange, SPAKE2, for one guess of the join code. Its `repr`
    shows no secret."""

    __slots__ = ("_host", "_setting", "_side", "message")

    def __init__(self, code: str, setting: ExchangeContext, entropy: Entropy) -> None:
        from spake2 import SPAKE2_A

        self._setting = setting
        self._side = SPAKE2_A(code.encode(), idA=_GUEST_ID, idB=setting.channel, entropy_f=entropy)
        self._host = b""
        self.message: Final[bytes] = self._side.start()
        """The message to send, which the host needs to answer."""

    def proof(self, message: bytes) -> bytes:
        """The guest's proof that it knows the code, made from the host's answer; raises
        `Malformed`."""
        secret = _finish(self._side, message)
        messages = (self.message, message)
        self._host = self._setting.mac(secret, _HOST_PURPOSE, messages)
        return self._setting.mac(secret, _GUEST_PURPOSE, messages)

    def is_proven(self, mac: bytes) -> bool:
        """Whether `mac` proves that the host knows the code; False before `proof`."""
        return bool(self._host) and hmac.compare_digest(self._host, mac)


def _finish(side: Any, message: bytes) -> bytes:
    # The library only knows the usual encoding of the neutral point, and reduces large numbers.
    if not 1 < int.from_bytes(message[1:], "little") % 2**255 < _FIELD:
        raise Malformed("no message of the code's proof: no encoding of a point")
    try:
        secret: bytes = side.finish(message)
    except Exception as error:
        # The library raises many kinds of errors for a bad point, and for nothing else.
        raise Malformed(f"no message of the code's proof: {type(error).__name__}") from None
    return secret
