"""TLS 1.3 between machines: a host's certificate, and one end of a connection as bytes in, bytes
out.

A host is known by its Ed25519 key alone, so its certificate contains that key and nothing else: no
name, no dates, nothing random. It is self-signed. What is trusted is the key, which the protocol
compares, and the certificate's hash, which the protocol signs.

Why not asyncio's own TLS: it allocates 256 KiB of read buffer for each connection before the other
end has sent a byte, and strangers can open hundreds; a pipe here holds only what came and was not
yet decoded. It also hides the bare connection from whoever accepts it: see `links.py`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import ssl
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from protocol.errors import Malformed
from spoof_tui.storage import files

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_FROM: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""The end of the certificate's validity: never, so that a wrong clock keeps nobody from a table."""

_RECORD: Final = 16 * 1024
"""Maximum bytes that are decrypted at once: those of one TLS record."""


_SEQUENCE: Final = 0x30
_INTEGER: Final = 0x02
_VERSION: Final = 0xA0
_LONG: Final = 0x80
"""The bit in DER which says that a length has bytes of its own; `_SEQUENCE`, `_INTEGER` and
`_VERSION` are tags."""

_ED25519: Final = bytes.fromhex("302a300506032b6570032100")
"""The prefix of an Ed25519 subject key (RFC 8410); the 32 bytes of the key follow."""

_KEY_BYTES: Final = 32


def server_context(seed: bytes) -> tuple[ssl.SSLContext, bytes]:
    """The TLS context of the host whose key is made from `seed`, and the hash of its certificate,
    which is the channel of its links."""
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
    # A resumed connection shows no certificate, so there are no tickets.
    context.num_tickets = 0
    with files.private_file(secret + own.public_bytes(Encoding.PEM)) as path:
        context.load_cert_chain(path)
    return context, hashlib.sha256(own.public_bytes(Encoding.DER)).digest()


@functools.cache
def client_context() -> ssl.SSLContext:
    """The TLS context of a guest. It accepts any certificate: `peer` says whose it is."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def peer(shown: bytes | None) -> tuple[bytes, bytes]:
    """The hash of the certificate that the other end has shown, in DER, and the host's key in it.

    Raises `ConnectionError` unless it is the certificate of an Ed25519 key.
    """
    try:
        key = _subject_key(shown or b"")
    except Malformed:
        raise ConnectionError("the certificate is not one of a host of this game") from None
    return hashlib.sha256(shown or b"").digest(), key


def _subject_key(certificate: bytes) -> bytes:
    """The subject's key in a certificate, found as in RFC 5280, 4.1; raises `Malformed` if it is
    not Ed25519.

    OpenSSL has parsed the certificate already, and the handshake was signed with that key. Parsing
    it again with `cryptography.x509` would cost 120 ms for the import, while somebody waits for a
    list or for a table. Only unambiguous encodings are accepted: definite, shortest lengths.
    """
    signed, rest = _element(certificate, _SEQUENCE)
    fields, _ = _element(signed, _SEQUENCE)
    if rest:
        raise Malformed("something follows the certificate")
    version = (_VERSION,) if fields[:1] == bytes([_VERSION]) else ()
    # Serial number, algorithm, issuer, validity and subject.
    for tag in (*version, _INTEGER, _SEQUENCE, _SEQUENCE, _SEQUENCE, _SEQUENCE):
        _, fields = _element(fields, tag)
    end = len(_ED25519) + _KEY_BYTES
    if not fields.startswith(_ED25519) or len(fields) < end:
        raise Malformed("the key is of another kind")
    return fields[len(_ED25519) : end]


def _element(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """The content of the DER element with this tag at the start of `data`, and what follows it."""
    if len(data) < 2 or data[0] != tag:
        raise Malformed("another element was expected")
    start, length = 2, data[1]
    if length & _LONG:
        start += length & ~_LONG
        length = int.from_bytes(data[2:start], "big")
        if length < _LONG or not data[2]:
            raise Malformed("a length is not the shortest")
    end = start + length
    if len(data) < end:
        raise Malformed("an element is cut")
    return data[start:end], data[end:]


class TlsPipe:
    """One end of a TLS connection without a socket: takes and returns the encrypted bytes."""

    def __init__(self, context: ssl.SSLContext, *, is_server: bool = False) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=is_server)
        self.is_open = False
        """Whether the handshake is done, so that `say` may be used."""
        self.is_over = False
        """Whether the other end has ended its side of the connection."""

    @property
    def shown(self) -> bytes | None:
        """The other end's certificate in DER, once the pipe is open; None if it showed none."""
        return self._tls.getpeercert(binary_form=True)

    def receive(self, data: bytes) -> bytes:
        """Take in encrypted bytes, which may be empty; returns the plaintext.

        Raises `ssl.SSLError` unless it is TLS as used here.
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
        """Encrypt data, to be fetched by `outgoing`; only once the pipe is open."""
        if data:
            self._tls.write(data)

    def end(self) -> None:
        """End this side of the connection; `outgoing` then contains the notice of that."""
        # OpenSSL wants the other end to say so, too, and nobody waits for that.
        with contextlib.suppress(ssl.SSLError):
            self._tls.unwrap()

    def outgoing(self) -> bytes:
        """Take out the encrypted bytes that are to be sent now."""
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
