"""TLS 1.3 between machines: a host's certificate, and one end of a connection as bytes in, bytes
out.

A host is known by its Ed25519 key and by nothing else, so its certificate holds that key and
nothing else: no person, no date, no chance. Nobody signs for it. What is trusted is the key, which
the protocol compares, and the certificate's hash, which the protocol signs.

Why not asyncio's own TLS: it sets 256 KiB of read buffer apart for each connection before the other
end has said a byte, which strangers can ask for by the hundred; a pipe here has what came and was
not yet understood. It also hides the bare connection from whoever accepts it: see `links.py`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import ssl
import warnings
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from spoof_tui import system

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_FROM: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""Always: a clock that goes wrong keeps nobody from a table."""

_RECORD: Final = 16 * 1024
"""Bytes of a TLS record, the most that is decrypted at once."""


def server_context(seed: bytes) -> tuple[ssl.SSLContext, bytes]:
    """What the host whose key is made of `seed` answers with, and the channel of its links."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    key = Ed25519PrivateKey.from_private_bytes(seed)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    own = _certificate(key)
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    # A connection that goes on with an older one shows no certificate, so there are no tickets.
    context.num_tickets = 0
    with system.private_file(secret + own.public_bytes(Encoding.PEM)) as path:
        context.load_cert_chain(path)
    return context, hashlib.sha256(own.public_bytes(Encoding.DER)).digest()


@functools.cache
def client_context() -> ssl.SSLContext:
    """What a guest connects with. It takes any certificate: `peer` tells whose it is."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def peer(shown: bytes | None) -> tuple[bytes, bytes]:
    """Channel and host's key of the certificate that the other end has shown, in DER.

    Raises `ConnectionError` if it is no certificate of an Ed25519 key.
    """
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        with warnings.catch_warnings():
            # A stranger's odd certificate is no reason to write on the player's terminal.
            warnings.simplefilter("ignore")
            key = x509.load_der_x509_certificate(shown or b"").public_key()
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if shown is None or not isinstance(key, Ed25519PublicKey):
        raise ConnectionError("the certificate is not one of a host of this game")
    return hashlib.sha256(shown).digest(), key.public_bytes_raw()


class TlsPipe:
    """One end of a TLS connection: takes and gives what is on the wire, and knows no socket."""

    def __init__(self, context: ssl.SSLContext, *, is_server: bool = False) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=is_server)
        self.is_open = False
        """Whether the handshake is done."""
        self.is_over = False
        """Whether the other end has said that nothing more follows."""

    @property
    def shown(self) -> bytes | None:
        """The other end's certificate in DER, once it is open; None if it showed none."""
        return self._tls.getpeercert(binary_form=True)

    def receive(self, data: bytes) -> bytes:
        """Take what came on the wire, perhaps nothing; return what was said in it.

        Raises `ssl.SSLError` if it is no TLS of the kind that is spoken here.
        """
        self._incoming.write(data)
        if not self.is_open:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                return b""
            self.is_open = True
        return b"".join(iter(self._read, b""))

    def _read(self) -> bytes:
        try:
            said = self._tls.read(_RECORD)
        except ssl.SSLWantReadError:
            return b""
        except ssl.SSLZeroReturnError:
            said = b""
        if not said:
            self.is_over = True
        return said

    def say(self, data: bytes) -> None:
        """Say something, once it is open; `outgoing` has it on the wire."""
        if data:
            self._tls.write(data)

    def end(self) -> None:
        """Say that nothing more follows."""
        # It wants the other end to say so, too, and nobody waits for that.
        with contextlib.suppress(ssl.SSLError):
            self._tls.unwrap()

    def outgoing(self) -> bytes:
        """What is to be put on the wire now."""
        return self._outgoing.read()


def _context(kind: int) -> ssl.SSLContext:
    context = ssl.SSLContext(kind)
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_3
    return context


def _certificate(key: Ed25519PrivateKey) -> x509.Certificate:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "spoof")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, _FROM, _UNTIL)
    return builder.sign(key, None)
