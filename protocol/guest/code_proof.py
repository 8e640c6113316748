"""The join code at its guest: what was typed, and which host has shown that it knows it.

Who types a code expects the host to know it. So a host that never asks for it, or asks and does
not prove it, is not the one that the code was told for, but somebody who lets everybody in.
"""

from __future__ import annotations

from protocol.crypto.join_code import Entropy
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import Confirm, Farewell, Locked, Pake


class CodeProof:
    """The code of one participant, until it has done its work."""

    def __init__(self, key: bytes) -> None:
        """`key` is the participant's public one."""
        self._key = key
        self._typed: tuple[str, Entropy] | None = None
        self._proven: bytes | None = None
        """Key of a host that has proven the code, before its log was here."""

    def use(self, code: str, entropy: Entropy) -> None:
        """Prove this code when it is asked for."""
        self._typed = code, entropy

    def forget(self) -> None:
        """The code was right, or it was wrong: it is not tried again."""
        self._typed = None

    def step(
        self, handshake: GuestHandshake, message: Locked | Pake | Confirm
    ) -> Pake | Confirm | Farewell | None:
        """The next message of the proof, or why the link ends.

        None while no code is typed, and once both have proven it.
        """
        match message:
            case Locked():
                handshake.ask()
                return self.guess(handshake)
            case Pake():
                return handshake.confirm(message)
        if not handshake.check(message):
            return Farewell.NO_PROOF
        self._proven = handshake.host_key
        return None

    def guess(self, handshake: GuestHandshake) -> Pake | None:
        """The first message of the proof, if the code is asked for on this link and was typed."""
        if self._typed is None or not handshake.is_asked:
            return None
        return handshake.guess(self._key, *self._typed)

    def accepts(self, handshake: GuestHandshake) -> bool:
        """Whether this host may welcome somebody who has typed a code."""
        is_known = self._proven is not None and self._proven == handshake.host_key
        return self._typed is None or handshake.is_proven or is_known
