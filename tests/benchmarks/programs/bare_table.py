"""The least that makes the hops of a bid: what a word costs before there is a game.

bare_table.py host          hands every word on to everybody; prints its port
bare_table.py player PORT   a key becomes a word, and everybody's line shows how many were heard

As in the game a word goes from the painter to a thread of the network, signed, over TLS to the
host, which verifies it, signs it, and has it on the disk before it tells everybody; each player
verifies both signatures there, and the painter shows one changed line.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import os
import ssl
import sys
import tempfile
import threading
from pathlib import Path

import msgpack
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.widgets import Static

BODY = {"kind": "bid", "number": 7, "seen": bytes(32)}
LENGTH = 4


def framed(data: bytes) -> bytes:
    """A message with its length before it."""
    return len(data).to_bytes(LENGTH, "big") + data


async def read(reader: asyncio.StreamReader) -> dict[str, bytes]:
    """The next message."""
    length = int.from_bytes(await reader.readexactly(LENGTH), "big")
    message: dict[str, bytes] = msgpack.unpackb(await reader.readexactly(length))
    return message


def signed(key: Ed25519PrivateKey, **parts: bytes) -> bytes:
    """A message of several parts, the last of them signed."""
    last = list(parts)[-1]
    own = key.public_key().public_bytes_raw()
    return bytes(msgpack.packb({**parts, f"{last} key": own, f"{last} sig": key.sign(parts[last])}))


def verify(message: dict[str, bytes], part: str) -> None:
    """Raises if the signature of a part is not by the key beside it."""
    key = Ed25519PublicKey.from_public_bytes(message[f"{part} key"])
    key.verify(message[f"{part} sig"], message[part])


# The host


def certificate(folder: Path) -> ssl.SSLContext:
    """A TLS context of a server with a fresh certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bare")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    builder = builder.public_key(key.public_key()).serial_number(1)
    builder = builder.not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    made = builder.sign(key, hashes.SHA256())
    path = folder / "bare.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


async def host() -> None:
    """Serve until killed."""
    key = Ed25519PrivateKey.generate()
    writers: list[asyncio.StreamWriter] = []
    with tempfile.TemporaryDirectory(dir=os.environ.get("SPOOF_STATE")) as folder:
        log = (Path(folder) / "log").open("ab", buffering=0)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            while not reader.at_eof():
                with contextlib.suppress(asyncio.IncompleteReadError):
                    tell(await read(reader))

        def tell(word: dict[str, bytes]) -> None:
            verify(word, "word")
            entry = framed(signed(key, **word, entry=msgpack.packb(word)))
            log.write(entry)
            os.fsync(log.fileno())
            for each in writers:
                each.write(entry)

        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=certificate(Path(folder)))
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


# A player


class Heard(Message):
    """Somebody said a word."""


class Player(App[None]):
    """Counts the words that were heard."""

    count = 0

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self._key = Ed25519PrivateKey.generate()
        self._network = asyncio.new_event_loop()

    def compose(self) -> ComposeResult:
        yield Static("not here yet")

    def on_mount(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def on_key(self, event: events.Key) -> None:
        self._network.call_soon_threadsafe(self._say)

    def on_heard(self, message: Heard) -> None:
        self.query_one(Static).update(f"heard {self.count} times", layout=False)
        self.count += 1

    def _run(self) -> None:
        self._network.run_until_complete(self._listen())

    async def _listen(self) -> None:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, ssl=context)
        self.post_message(Heard())
        while True:
            entry = await read(reader)
            verify(entry, "word")
            verify(entry, "entry")
            self.post_message(Heard())

    def _say(self) -> None:
        self._writer.write(framed(signed(self._key, word=msgpack.packb(BODY))))


if __name__ == "__main__":
    if sys.argv[1] == "host":
        asyncio.run(host())
    else:
        Player(int(sys.argv[2])).run()
