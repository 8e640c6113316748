"""TLS between machines: the certificate, and two ends that are joined by bare bytes."""

from __future__ import annotations

import contextlib
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
    return host, guest


def old_client() -> ssl.SSLContext:
    """What connects with everything that is older than TLS 1.3."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


def shown_by(seed: bytes) -> bytes:
    """The certificate of the host whose key is made of `seed`."""
    shown = connect(server_context(seed)[0])[1].shown
    assert shown
    return shown


SHOWN = shown_by(ONE)


# The certificate


def test_both_ends_know_the_same_channel() -> None:
    _, guest = connect()
    assert peer(guest.shown) == (CHANNEL, SigningKey(ONE).public)


def test_another_host_has_another_channel_and_key() -> None:
    one, other = peer(shown_by(ONE)), peer(shown_by(OTHER))
    assert one[0] != other[0]
    assert other[1] == SigningKey(OTHER).public


def test_a_host_that_starts_again_has_the_same_channel() -> None:
    assert server_context(ONE)[1] == CHANNEL


def test_the_certificate_tells_nothing_but_the_key() -> None:
    certificate = x509.load_der_x509_certificate(shown_by(ONE))
    names = [attribute.value for attribute in (*certificate.subject, *certificate.issuer)]
    assert (names, certificate.serial_number) == (["spoof", "spoof"], 1)
    assert not list(certificate.extensions)
    assert (certificate.not_valid_before_utc.year, certificate.not_valid_after_utc.year) == (
        1970,
        9999,
    )
    certificate.verify_directly_issued_by(certificate)


def built(
    key: ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey | ec.EllipticCurvePrivateKey,
    algorithm: hashes.HashAlgorithm | None = None,
) -> bytes:
    """Somebody else's certificate."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Eve")])
    start = datetime.datetime(2000, 1, 1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 7, start, start)
    return builder.sign(key, algorithm).public_bytes(Encoding.DER)  # type: ignore[arg-type]


def test_only_the_key_in_a_certificate_means_anything() -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    assert peer(built(key))[1] == key.public_key().public_bytes_raw()


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(None, id="none"),
        pytest.param(b"", id="an empty one"),
        pytest.param(bytes(300), id="zeros"),
        pytest.param(shown_by(ONE)[:-1], id="one that is cut"),
        pytest.param(shown_by(ONE) + b"\0", id="one that goes on"),
        pytest.param(built(ed448.Ed448PrivateKey.generate()), id="an Ed448 key"),
        pytest.param(
            built(ec.generate_private_key(ec.SECP256R1()), hashes.SHA256()), id="an EC key"
        ),
    ],
)
def test_what_is_no_certificate_of_a_host(shown: bytes | None) -> None:
    with pytest.raises(ConnectionError):
        peer(shown)


CERTIFICATES = [SHOWN, built(ed25519.Ed25519PrivateKey.generate())]


@given(st.sampled_from(CERTIFICATES), st.data())
def test_what_two_readers_read_is_the_same_key(shown: bytes, data: st.DataObject) -> None:
    odd = bytearray(shown)
    for _ in range(data.draw(st.integers(1, 3))):
        odd[data.draw(st.integers(0, len(odd) - 1))] = data.draw(st.integers(0, 255))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            key = x509.load_der_x509_certificate(bytes(odd)).public_key()
        mine = peer(bytes(odd))[1]
    except (ValueError, UnsupportedAlgorithm, ConnectionError):
        return
    assert isinstance(key, ed25519.Ed25519PublicKey)
    assert key.public_bytes_raw() == mine


@given(st.binary(max_size=300) | st.builds(lambda end: SHOWN[:end], st.integers(0, 300)))
def test_any_bytes_are_a_certificate_or_none(shown: bytes) -> None:
    with contextlib.suppress(ConnectionError):
        assert len(peer(shown)[1]) == 32


@pytest.mark.parametrize("length", [b"\x80", b"\x83\x00", b"\x84\x00\x00", b"\xff"])
def test_a_length_that_could_be_read_in_two_ways_is_not_read(length: bytes) -> None:
    shown = SHOWN
    assert shown[:2] == b"\x30\x81" or shown[:2] == b"\x30\x82"
    with pytest.raises(ConnectionError):
        peer(shown[:1] + length + shown[2:])


def test_an_odd_certificate_writes_nothing_on_the_terminal() -> None:
    odd = shown_by(ONE).replace(
        b"\xa0\x03\x02\x01\x02\x02\x01\x01", b"\xa0\x03\x02\x01\x02\x02\x01\xff"
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with contextlib.suppress(ConnectionError):
            peer(odd)
    assert caught == []


def test_the_secret_key_is_left_in_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("spoof_tui.storage.files._OPEN_FILES", tmp_path / "none")
    assert server_context(ONE)[1] == CHANNEL
    assert list(tmp_path.iterdir()) == []


# The connection


def test_it_is_tls_1_3() -> None:
    host, guest = connect()
    assert host.is_open and guest.is_open
    assert {end._tls.version() for end in (host, guest)} == {"TLSv1.3"}


def test_nothing_older_is_answered() -> None:
    host, guest = TlsPipe(CONTEXT, is_server=True), TlsPipe(old_client())
    guest.receive(b"")
    with pytest.raises(ssl.SSLError):
        host.receive(guest.outgoing())
    with pytest.raises(ssl.SSLError):
        guest.receive(host.outgoing())


def test_an_older_connection_cannot_be_gone_on_with() -> None:
    host, guest = connect()
    host.say(b"hello")
    guest.receive(host.outgoing())
    session = guest._tls.session
    assert session is None or not session.has_ticket


@given(st.lists(st.binary(max_size=40_000), max_size=5), st.integers(1, 5000))
def test_what_one_end_says_the_other_hears(said: list[bytes], step: int) -> None:
    host, guest = connect()
    for each in said:
        guest.say(each)
    wire = guest.outgoing()
    heard = b"".join(host.receive(wire[i : i + step]) for i in range(0, len(wire), step))
    assert heard == b"".join(said)
    assert not host.is_over


def test_nothing_that_is_said_can_be_read_on_the_wire() -> None:
    host, _ = connect()
    host.say(b"The Golden Pier" * 20)
    assert b"Golden" not in host.outgoing()


def test_an_end_is_told_after_what_was_said() -> None:
    host, guest = connect()
    guest.say(b"bye")
    guest.end()
    assert host.receive(guest.outgoing()) == b"bye"
    assert host.is_over


def test_it_may_end_before_it_is_open() -> None:
    TlsPipe(client_context()).end()


@given(st.binary(min_size=1, max_size=200))
def test_bytes_of_a_stranger_open_nothing(data: bytes) -> None:
    host = TlsPipe(CONTEXT, is_server=True)
    with contextlib.suppress(ssl.SSLError):
        assert host.receive(data) == b""
    assert not host.is_open


@given(st.data())
def test_a_byte_that_was_changed_on_the_way_is_noticed(data: st.DataObject) -> None:
    host, guest = connect()
    guest.say(b"one coin")
    wire = bytearray(guest.outgoing())
    wire[data.draw(st.integers(5, len(wire) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ssl.SSLError):
        host.receive(bytes(wire))


def test_recorded_bytes_say_nothing_a_second_time() -> None:
    host, guest = connect()
    guest.say(b"one coin")
    wire = guest.outgoing()
    assert host.receive(wire) == b"one coin"
    with pytest.raises(ssl.SSLError):
        host.receive(wire)


def test_who_stands_in_between_has_another_channel_and_key() -> None:
    """Both halves work: it is the protocol that compares what they are bound to."""
    _, to_host = connect()
    _, guest = connect(server_context(OTHER)[0])
    seen_by_guest, seen_by_eve = peer(guest.shown), peer(to_host.shown)
    assert seen_by_eve == (CHANNEL, SigningKey(ONE).public)
    assert not set(seen_by_guest) & set(seen_by_eve)
