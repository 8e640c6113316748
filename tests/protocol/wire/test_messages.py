"""What travels on a link, and what is signed before it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message, pack, read_message, unpack
from protocol.encoding.framing import frame
from protocol.errors import Malformed
from protocol.limits import MAX_BATCH, MAX_ENTRY, MAX_FRAME, MAX_STATEMENT, MAX_TERMS
from protocol.table.continuation import agree, goes_along, sign
from protocol.table.electorate import sign_support
from protocol.table.head import EMPTY, Head, Term
from protocol.table.log import Entry, Forged, Intent
from protocol.table.statements import HOSTS, PLAYERS, TableContinued
from protocol.version import PROTOCOL
from protocol.wire.messages import (
    FROM_GUEST,
    FROM_HOST,
    Continued,
    Entries,
    Greeting,
    OtherVersion,
    Propose,
    is_proven,
    read_from_guest,
    read_from_host,
    sign_hello,
    write,
)
from tests.helpers.vectors import Case, cases, each_case, every_case, plain
from tests.protocol.greetings import CARD, GREETING, signed_pair
from tests.protocol.stories import signing_key

READERS: Mapping[str, list[Callable[[bytes], Message]]] = {
    "host": [read_from_host],
    "guest": [read_from_guest],
    "both": [read_from_host, read_from_guest],
}
STATEMENTS: Mapping[str, Mapping[str, type[Message]]] = {"player": PLAYERS, "host": HOSTS}


@each_case("messages", having="message")
def test_a_message_is_read_and_written_as_the_case_says(case: Case) -> None:
    payload = bytes.fromhex(case["hex"])
    for read in READERS["both"]:
        if read not in READERS[case["sent_by"]]:
            with pytest.raises(Malformed, match="no message is called"):
                read(payload)
            continue
        message = read(payload)
        assert message.packable() == plain(case["message"])
        assert write(message) == frame(payload)


@every_case("messages", having="malformed")
def test_what_is_no_message_is_malformed(case: Case) -> None:
    for read in READERS[case["sent_by"]]:
        with pytest.raises(Malformed) as error:
            read(bytes.fromhex(case["hex"]))
        assert not isinstance(error.value, OtherVersion)
        assert str(error.value).isprintable() and len(str(error.value)) < 300


@each_case("messages", having="other_version")
def test_another_version_is_told_by_its_number_whatever_follows(case: Case) -> None:
    (read,) = READERS[case["sent_by"]]
    with pytest.raises(OtherVersion, match=f"this is {PROTOCOL}") as error:
        read(bytes.fromhex(case["hex"]))
    assert [error.value.protocol, error.value.program] == case["other_version"]


@every_case("statements", having="statement")
def test_a_statement_is_read_and_written_as_the_case_says(case: Case) -> None:
    value = unpack(bytes.fromhex(case["hex"]))
    assert value == plain(case["statement"])
    assert read_message(STATEMENTS[case["by"]], value).packable() == value


@every_case("statements", having="malformed")
def test_what_is_no_statement_is_malformed(case: Case) -> None:
    with pytest.raises(Malformed):
        read_message(STATEMENTS[case["by"]], unpack(bytes.fromhex(case["hex"])))


def test_every_message_and_every_statement_has_a_case() -> None:
    told = {case["message"][0] for case in cases("messages") if "message" in case}
    assert told == {*FROM_HOST, *FROM_GUEST}
    stated = {case["statement"][0] for case in cases("statements") if "statement" in case}
    assert stated == {*PLAYERS, *HOSTS}


def test_what_is_long_has_its_bound() -> None:
    full = (bytes(MAX_ENTRY),) * (MAX_BATCH // MAX_ENTRY + 1)
    assert len(write(Entries(full))) < MAX_FRAME
    Propose(bytes(MAX_STATEMENT))
    bad: list[Callable[[], Message]] = [
        lambda: Entries((bytes(MAX_ENTRY + 1),)),
        lambda: Entries((b"x",) * 1001),
        lambda: Propose(bytes(MAX_STATEMENT + 1)),
        lambda: Continued(bytes(MAX_ENTRY + 1)),
    ]
    for make in bad:
        with pytest.raises(Malformed):
            make()


# What is signed


def octets(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a case, with bytes for hexadecimal."""
    return {n: bytes.fromhex(v) if isinstance(v, str) else v for n, v in fields.items()}


def head(told: list[Any]) -> Head:
    return Head(told[0], bytes.fromhex(told[1]))


OTHERWISE: list[dict[str, Any]] = [
    {"program": "y"},
    {"key": signing_key(2).public},
    {"length": 41},
    {"head": b"x" * 32},
    {"epoch": 9},
    {"terms": (Term(1, 1),)},
    {"port": 1},
    {"signature": bytes(64)},
]


@each_case("signatures", having="hello")
def test_a_hello_is_signed_for_one_link_and_one_table(case: Case) -> None:
    told = case["hello"]
    where = octets({name: told[name] for name in ("challenge", "channel", "table")})
    greeting = Greeting(PROTOCOL, "any", replace(CARD, table=where["table"]), where["challenge"])
    hello = sign_hello(
        SigningKey(bytes.fromhex(case["seed"])),
        told["program"],
        greeting,
        where["channel"],
        head(told["held"]),
        told["epoch"],
        told["port"],
        [Term(*each) for each in told["terms"]],
    )
    assert hello.signature.hex() == case["signature"] and hello.held == head(told["held"])
    assert is_proven(hello, **where)
    for part in where:
        assert not is_proven(hello, **{**where, part: b"x" * 32})
    for change in OTHERWISE:
        assert not is_proven(replace(hello, **change), **where)
    with pytest.raises(Malformed):
        Intent.read(pack(hello.packable()))


def test_a_hello_tells_the_last_terms_only() -> None:
    terms = [Term(n, n) for n in range(MAX_TERMS + 3)]
    hello = sign_hello(signing_key(1), "1", GREETING, b"", EMPTY, terms=terms)
    assert [term.epoch for term in hello.terms] == [*range(3, MAX_TERMS + 3)]


def damaged(blob: bytes) -> list[bytes]:
    """The bytes of something signed, with another signature."""
    payload, signature = signed_pair(blob)
    return [pack((payload, signature[::-1])), pack((payload, signature[1:])), pack((payload,))]


@each_case("signatures", having="intent")
def test_an_intent_is_signed_by_its_author(case: Case) -> None:
    told, key = case["intent"], SigningKey(bytes.fromhex(case["seed"]))
    statement = read_message(PLAYERS, plain(told["statement"]))
    intent = Intent.sign(key, told["sequence"], head(told["seen"]), statement)
    assert intent.blob.hex() == told["hex"] and Intent.read(intent.blob) == intent
    with pytest.raises(Forged):
        Intent.read(damaged(intent.blob)[0])
    for blob in damaged(intent.blob):
        with pytest.raises(Malformed):
            Intent.read(blob)


@each_case("signatures", having="entry")
def test_an_entry_is_signed_by_its_host(case: Case) -> None:
    told, key = case["entry"], SigningKey(bytes.fromhex(case["seed"]))
    after = Head(told["position"], bytes.fromhex(told["previous"]))
    said = (
        Intent.read(bytes.fromhex(told["intent"]))
        if told["intent"]
        else read_message(HOSTS, plain(told["statement"]))
    )
    entry = Entry.sign(key, told["epoch"], after, told["time"], said)
    assert (entry.blob.hex(), entry.hash.hex()) == (told["hex"], told["hash"])
    assert Entry.read(entry.blob, key.public) == entry
    assert entry.statement.packable() == plain(told["statement"])
    for blob in damaged(entry.blob):
        with pytest.raises(Malformed):
            Entry.read(blob, key.public)
    with pytest.raises(Malformed):
        Entry.read(entry.blob, signing_key(1).public)


@each_case("signatures", having="support")
def test_a_seat_supports_one_host_behind_one_log(case: Case) -> None:
    told, key = case["support"], SigningKey(bytes.fromhex(case["seed"]))
    table, host = bytes.fromhex(told["table"]), bytes.fromhex(told["host"])
    signature = sign_support(key, table, told["epoch"], host, head(told["head"]))
    assert signature.hex() == case["signature"]


@each_case("signatures", having="agreement")
def test_a_seat_agrees_to_one_offer(case: Case) -> None:
    told, key = case["agreement"], SigningKey(bytes.fromhex(case["seed"]))
    where = octets({name: told[name] for name in ("table", "host", "salt")})
    along = tuple(map(bytes.fromhex, told["along"]))
    assert (
        agree(key, where["table"], where["host"], where["salt"], along).hex() == case["signature"]
    )


@each_case("signatures", having="draft")
def test_a_seat_signs_the_whole_new_table(case: Case) -> None:
    drafted, key = (
        read_message(HOSTS, plain(case["draft"])),
        SigningKey(bytes.fromhex(case["seed"])),
    )
    assert isinstance(drafted, TableContinued)
    assert sign(key, drafted).hex() == case["signature"]
    assert not goes_along(key.public, replace(drafted, length=3), sign(key, drafted))
