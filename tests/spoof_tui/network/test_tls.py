"""TLS between machines: the certificate, and two ends that are joined by bare bytes."""

from __future__ import annotations

import datetime
import ssl
import warnings
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.keys import SigningKey
from spoof_tui.network.tls import TlsPipe, client_context, peer, server_context

ONE, OTHER = bytes(32), bytes(range(32))

CONTEXT, CHANNEL = server_context(ONE)


def connect(context: ssl.SSLContext = CONTEXT) -> tuple[TlsPipe, TlsPipe]:
    """A host's end and a guest's, whose handshake is done."""
    host, guest = TlsPipe(context, is_server=True), TlsPipe(client_context())
    for _ in range(4):
        host.receive(guest.outgoing())
        guest.receive(host.outgoing())
    assert host.is_open and guest.is_open
    return host, guest


def shown_by(seed: bytes) -> bytes:
    """The certificate of the host whose key is made of `seed`."""
    shown = connect(server_context(seed)[0])[1].shown
    assert shown
    return shown


SHOWN = shown_by(ONE)


def built(
    key: ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey | ec.EllipticCurvePrivateKey,
    algorithm: hashes.HashAlgorithm | None = None,
) -> bytes:
    """Somebody else's certificate."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Eve")])
    start = datetime.datetime(2000, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, start, start)
    return builder.sign(key, algorithm).public_bytes(Encoding.DER)  # type: ignore[arg-type]


# The certificate


def test_both_ends_know_the_same_channel_and_key_which_are_the_hosts_alone() -> None:
    for _ in range(2):  # a host that starts again has the same
        assert server_context(ONE)[1] == CHANNEL
        assert peer(shown_by(ONE)) == (CHANNEL, SigningKey(ONE).public)
    # A relay in between has others: the protocol compares what a proof is bound to.
    assert not {*peer(shown_by(ONE))} & {*peer(shown_by(OTHER))}
    eves = ed25519.Ed25519PrivateKey.generate()
    assert peer(built(eves))[1] == eves.public_key().public_bytes_raw()


def test_the_certificate_tells_nothing_but_the_key() -> None:
    certificate = x509.load_der_x509_certificate(SHOWN)
    names = [attribute.value for attribute in (*certificate.subject, *certificate.issuer)]
    assert (names, certificate.serial_number) == (["spoof", "spoof"], 1)
    assert not list(certificate.extensions)
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    assert (begin.year, end.year) == (1970, 9999)
    certificate.verify_directly_issued_by(certificate)


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(None, id="none"),
        pytest.param(b"", id="an empty one"),
        pytest.param(SHOWN[:-1], id="one that is cut"),
        pytest.param(SHOWN + b"\0", id="one that goes on"),
        pytest.param(
            bytes([*SHOWN[:2], SHOWN[2] + 1, *SHOWN[3:5], SHOWN[5] + 1, *SHOWN[6:11]])
            + b"\x02\x81\x01\x01"
            + SHOWN[14:],
            id="a serial number whose length has a byte too many",
        ),
        pytest.param(built(ed448.Ed448PrivateKey.generate()), id="an Ed448 key"),
        pytest.param(
            built(ec.generate_private_key(ec.SECP256R1()), hashes.SHA256()), id="an EC key"
        ),
        *(
            SHOWN[:1] + each + SHOWN[2:]
            for each in (b"\x80", b"\x83\x00", b"\x84\x00\x00", b"\xff")
        ),
    ],
)
def test_what_is_no_certificate_of_a_host_or_has_two_readings(shown: bytes | None) -> None:
    with pytest.raises(ConnectionError):
        peer(shown)


@given(st.sampled_from([SHOWN, built(ed25519.Ed25519PrivateKey.generate())]), st.data())
def test_what_two_readers_read_is_the_same_key(shown: bytes, data: st.DataObject) -> None:
    odd = bytearray(shown)
    for _ in range(data.draw(st.integers(1, 3))):
        odd[data.draw(st.integers(0, len(odd) - 1))] = data.draw(st.integers(0, 255))
    try:
        mine = peer(bytes(odd))[1]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            key = x509.load_der_x509_certificate(bytes(odd)).public_key()
    except (ValueError, UnsupportedAlgorithm, x509.InvalidVersion, ConnectionError):
        return
    assert isinstance(key, ed25519.Ed25519PublicKey)
    assert key.public_bytes_raw() == mine


def test_the_secret_key_is_left_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("spoof_tui.storage.files._OPEN_FILES", tmp_path / "none")
    assert server_context(ONE)[1] == CHANNEL
    assert list(tmp_path.iterdir()) == []


# The connection


def test_nothing_older_than_tls_1_3_is_answered_nor_gone_on_with() -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    host, guest = TlsPipe(CONTEXT, is_server=True), TlsPipe(old)
    guest.receive(b"")
    for one, other in ((host, guest), (guest, host)):
        with pytest.raises(ssl.SSLError):
            one.receive(other.outgoing())
    host, guest = connect()
    host.say(b"hello")
    guest.receive(host.outgoing())
    assert guest._tls.version() == "TLSv1.3"
    assert guest._tls.session is None or not guest._tls.session.has_ticket


@given(st.data())
def test_what_is_said_is_not_read_or_changed_on_the_way_nor_said_twice(data: st.DataObject) -> None:
    host, guest = connect()
    guest.say(b"one coin")
    wire = guest.outgoing()
    assert b"coin" not in wire
    changed = bytearray(wire)
    place = data.draw(st.integers(5, len(wire) - 1) | st.none())
    if place is None:
        assert host.receive(wire) == b"one coin"
    else:
        changed[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ssl.SSLError):
        host.receive(bytes(changed))
