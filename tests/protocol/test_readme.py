"""The wire specification: its bytes are computed anew, its tables are those of the code."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import protocol
from protocol import limits, timing, version
from protocol.crypto import join_code as pake
from protocol.crypto import keys, seals
from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES, Place, SealedHand, SealedShare, draw_lot, draw_toss
from protocol.encoding.codec import Message, pack, read_message, unpack
from protocol.encoding.framing import FrameReader, frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import REASONS, Illegal, Malformed, Reason
from protocol.host.host import Compute, Disconnect, Host, HostEffect, HostPolicy, Send
from protocol.limits import (
    MAX_NUMBER,
    MAX_UNPROVEN_OF_ADDRESS,
    MAX_WATCHERS_OF_ADDRESS,
    TRIES_OF_ADDRESS,
)
from protocol.rules import options as rules
from protocol.rules.gloating import Gloats
from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    GUESSING_OPTIONS,
    PRESETS,
    Options,
    Rules,
    written,
)
from protocol.rules.words import Bid, Drink, Offence
from protocol.table import continuation, log
from protocol.table.announcements import (
    HOSTS,
    Admitted,
    Away,
    Back,
    Backing,
    Decide,
    GameStarted,
    HostMoved,
    TimeUp,
    Vacated,
)
from protocol.table.fold import TRANSITIONS, check_intent, check_statement, fold
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.opening import Along, TableContinued, TableOpened
from protocol.table.state import Phase, Table
from protocol.table.statements import (
    PLAYERS,
    AwardFine,
    Elect,
    Fist,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Open,
    Order,
    Ready,
    Say,
    Seen,
    Sit,
    Speak,
    Toss,
    Vote,
    Witness,
)
from protocol.table.transitions import succession
from protocol.table.transitions.succession import sign_support
from protocol.timing import LOST_DELAY, Moment
from protocol.wire import messages
from protocol.wire.messages import (
    FROM_GUEST,
    FROM_HOST,
    Card,
    Confirm,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    HeldTerm,
    Hello,
    Pake,
    Ping,
    Propose,
    Refusal,
    State,
    Support,
    Whereabout,
    is_proven,
    sign_hello,
    write,
)
from protocol.wire.new_table import Agree, GoAlong

TEXT: Final = Path(protocol.__file__).with_name("README.md").read_text("utf-8")

Row = tuple[str, ...]


def blocks(kind: str) -> dict[str, str]:
    """The code blocks of one kind by their label."""
    found = re.findall(rf"^```{kind}(?: (\S+))?\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return dict(found)


def dumped(text: str) -> bytes:
    """The bytes of a hex dump; what follows a `#` is a remark."""
    return bytes.fromhex("".join(line.partition("#")[0] for line in text.splitlines()))


def rows(*header: str) -> list[Row]:
    """The rows of all tables with this header, without marks of code."""
    found: list[Row] = []
    inside = False
    for line in TEXT.splitlines():
        cells = tuple(cell.strip() for cell in line.replace("`", "").strip().strip("|").split("|"))
        if not line.lstrip().startswith("|"):
            inside = False
        elif cells == header:
            inside = True
        elif inside and set(line) - set("|- "):
            found.append(cells)
    return found


HEX: Final = {label: dumped(text) for label, text in blocks("hex").items()}
READ: Final[dict[str, Callable[[str], bytes | int | str]]] = {
    "hex": bytes.fromhex,
    "number": int,
    "text": str,
}


class Inputs:
    """The inputs of the worked bytes, as the README states them."""

    def __init__(self) -> None:
        self._values: dict[str, bytes | int | str] = {}
        for line in blocks("inputs")[""].splitlines():
            name, _, value = line.partition("=")
            kind, _, said = value.strip().partition(" ")
            self._values[name.strip()] = READ[kind](said)

    def octets(self, name: str) -> bytes:
        value = self._values[name]
        assert isinstance(value, bytes)
        return value

    def number(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def text(self, name: str) -> str:
        value = self._values[name]
        assert isinstance(value, str)
        return value


GIVEN: Final = Inputs()


@dataclass(frozen=True)
class Scene:
    """The example of the README, computed from its inputs."""

    host: SigningKey
    ann: SigningKey
    bo: SigningKey
    first: Entry
    greeting: Greeting
    hello: Hello
    sit: Intent
    second: Entry
    hand: SealedHand
    share: SealedShare

    @property
    def shares(self) -> list[bytes]:
        return [self.share.share, GIVEN.octets("Bo's share")]

    @property
    def nonces(self) -> list[bytes]:
        return sorted([self.hand.nonce, GIVEN.octets("Bo's fist nonce")])


def scene() -> Scene:
    host, ann, bo = (
        SigningKey(GIVEN.octets(name)) for name in ("host seed", "Ann's seed", "Bo's seed")
    )
    opened = TableOpened(
        version.PROTOCOL,
        host.public,
        ForeignText(GIVEN.text("table name")),
        Rules.parse(GIVEN.text("rules")),
        GIVEN.number("seats"),
        True,
        GIVEN.number("grace"),
        GIVEN.number("clock"),
        GIVEN.octets("salt"),
    )
    first = Entry.sign(host, 0, EMPTY, GIVEN.number("time of entry 0"), opened)
    name = ForeignText(GIVEN.text("host name"))
    card = Card(
        first.hash, opened.name, name, opened.rules, opened.seats, 0, State.GATHERING, True, 0
    )
    program = GIVEN.text("program")
    greeting = Greeting(version.PROTOCOL, program, card, GIVEN.octets("challenge"))
    sit = Intent.sign(ann, 1, first.head, Sit(ForeignText(GIVEN.text("Ann's name"))))
    game = GIVEN.number("game")
    return Scene(
        host,
        ann,
        bo,
        first,
        greeting,
        sign_hello(ann, program, greeting, GIVEN.octets("channel"), EMPTY),
        sit,
        Entry.sign(host, 0, first.head, GIVEN.number("time of entry 1"), sit),
        SealedHand(
            Place(first.hash, game, GIVEN.number("round"), ann.public),
            GIVEN.number("coins"),
            GIVEN.octets("fist nonce"),
        ),
        SealedShare(
            Place(first.hash, game, 0, ann.public),
            GIVEN.octets("Ann's share"),
            GIVEN.octets("Ann's share nonce"),
        ),
    )


SCENE: Final = scene()


def refusal_of_a_second_seat() -> bytes:
    table = fold(fold(None, SCENE.first), SCENE.second)
    with pytest.raises(Illegal) as caught:
        check_statement(table, SCENE.ann.public, SCENE.sit.statement)
    return write(Refusal(2, caught.value.reason.code))


def lengthed(parts: Iterable[bytes]) -> bytes:
    """Each part behind its length, as the README says it and not as the code does."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def seal_input(purpose: bytes, place: Place, *rest: bytes) -> bytes:
    where = (place.table, u64(place.game), u64(place.round), place.seat)
    return lengthed((purpose, *where, *rest))


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def hello_input() -> bytes:
    greeting, hello = SCENE.greeting, SCENE.hello
    _, *fields, _ = hello.packable()
    said = (greeting.challenge, GIVEN.octets("channel"), greeting.card.table, *fields)
    return lengthed((b"spoof hello 1", pack(said)))


def support_input() -> bytes:
    table, head = SCENE.first.hash, SCENE.second.head
    said = (table, 1, SCENE.bo.public, head.length, head.hash)
    return lengthed((b"spoof succession 1", pack(said)))


def support() -> bytes:
    table, head = SCENE.first.hash, SCENE.second.head
    return sign_support(SCENE.ann, table, 1, SCENE.bo.public, head)


WORKED: Final[dict[str, Callable[[], bytes]]] = {
    "host-public": lambda: SCENE.host.public,
    "ann-public": lambda: SCENE.ann.public,
    "bo-public": lambda: SCENE.bo.public,
    "ping": lambda: write(Ping(0)),
    "entry-0": lambda: SCENE.first.blob,
    "table-id": lambda: SCENE.first.hash,
    "greeting": lambda: write(SCENE.greeting),
    "hello-signed": hello_input,
    "hello": lambda: write(SCENE.hello),
    "intent": lambda: write(Propose(SCENE.sit.blob)),
    "entry-1": lambda: SCENE.second.blob,
    "entry-1-hash": lambda: SCENE.second.hash,
    "support-signed": support_input,
    "support": support,
    "refusal": refusal_of_a_second_seat,
    "fist-input": lambda: seal_input(
        b"spoof fist 1", SCENE.hand.place, u64(SCENE.hand.coins), SCENE.hand.nonce
    ),
    "fist-seal": lambda: SCENE.hand.seal,
    "share-input": lambda: seal_input(
        b"spoof lot share 1", SCENE.share.place, SCENE.share.share, SCENE.share.nonce
    ),
    "share-seal": lambda: SCENE.share.seal,
    "lot-input": lambda: lengthed(
        (b"spoof lot 1", SCENE.first.hash, u64(GIVEN.number("game")), *SCENE.shares)
    ),
    "toss-input": lambda: lengthed(
        (
            *(b"spoof toss 1", SCENE.first.hash, u64(GIVEN.number("game"))),
            *(u64(GIVEN.number("round")), *SCENE.nonces),
        )
    ),
    "toss": lambda: hashlib.blake2b(HEX["toss-input"], digest_size=HASH_BYTES).digest(),
    "lot": lambda: hashlib.blake2b(HEX["lot-input"], digest_size=HASH_BYTES).digest(),
}


def test_every_dump_is_worked() -> None:
    assert set(HEX) == set(WORKED)


@pytest.mark.parametrize("label", WORKED)
def test_a_dump_is_what_the_code_computes(label: str) -> None:
    assert HEX[label].hex() == WORKED[label]().hex()


@pytest.mark.parametrize("what", ["fist", "share"])
def test_a_seal_is_the_hash_of_its_dumped_input(what: str) -> None:
    hashed = hashlib.blake2b(HEX[f"{what}-input"], digest_size=HASH_BYTES).digest()
    assert HEX[f"{what}-seal"] == hashed


def test_the_dumped_lot_picks_bo() -> None:
    assert "so Bo opens" in " ".join(TEXT.split())
    picked = int.from_bytes(HEX["lot"], "big") % len(SCENE.shares)
    assert draw_lot(SCENE.first.hash, GIVEN.number("game"), SCENE.shares) == picked == 1


def test_the_dumped_toss_picks_bo() -> None:
    assert "so Bo calls first" in " ".join(TEXT.split())
    where = SCENE.first.hash, GIVEN.number("game"), GIVEN.number("round")
    toss = draw_toss(*where, SCENE.nonces)
    assert toss == int.from_bytes(HEX["toss"], "big")
    assert toss % 2 == 1


def test_the_hash_of_an_entry_is_over_its_payload() -> None:
    payload, _ = _pair(HEX["entry-1"])
    hashed = hashlib.blake2b(lengthed((b"spoof entry hash 1", payload)), digest_size=HASH_BYTES)
    assert HEX["entry-1-hash"] == hashed.digest()


def test_the_signatures_are_over_what_the_page_says() -> None:
    ann, host = (
        Ed25519PrivateKey.from_private_bytes(GIVEN.octets(name))
        for name in ("Ann's seed", "host seed")
    )
    said, by_ann = _pair(SCENE.sit.blob)
    _, by_host = _pair(HEX["entry-1"])
    assert SCENE.hello.signature == ann.sign(HEX["hello-signed"])
    assert HEX["support"] == ann.sign(HEX["support-signed"])
    assert by_ann == ann.sign(lengthed((b"spoof intent 1", said)))
    assert by_host == host.sign(lengthed((b"spoof entry 1", HEX["entry-1-hash"])))


def test_the_dumped_hello_is_proven() -> None:
    challenge, channel = GIVEN.octets("challenge"), GIVEN.octets("channel")
    assert is_proven(SCENE.hello, challenge, channel, HEX["table-id"])


def _pair(blob: bytes) -> tuple[bytes, bytes]:
    pair = unpack(blob)
    assert isinstance(pair, tuple)
    payload, signature = pair
    return bytes(payload), bytes(signature)


def shapes(kinds: Iterable[type[Message]]) -> list[Row]:
    """The rows that describe these messages or statements."""
    found: list[Row] = []
    for kind in kinds:
        described = [(f.name, _said(f.metadata["shape"].name)) for f in fields(kind)]
        found += [(kind.KIND, *field) for field in described or [("—", "—")]]
    return sorted(found)


def _said(shape: str) -> str:
    return "a number" if shape == f"a number from 0 to {MAX_NUMBER}" else shape


def described(first: str) -> list[Row]:
    """Name, field and shape of each row of the tables of messages or statements."""
    name, found = "", []
    for row in rows(first, "field", "on the wire", "meaning"):
        name = row[0] or name
        found.append((name, row[1], row[2]))
    return sorted(found)


def test_every_message_is_described_field_by_field() -> None:
    from_guest = [kind for name, kind in FROM_GUEST.items() if name not in FROM_HOST]
    assert described("message") == shapes(
        [*FROM_HOST.values(), Card, Whereabout, HeldTerm, *from_guest]
    )


def test_every_statement_is_described_field_by_field() -> None:
    assert described("statement") == shapes([*PLAYERS.values(), *HOSTS.values(), Backing, Along])


@pytest.mark.parametrize("kinds", [FROM_HOST, FROM_GUEST, PLAYERS, HOSTS])
def test_fields_stand_in_the_order_of_the_wire(kinds: dict[str, type[Message]]) -> None:
    for first in ("message", "statement"):
        table = rows(first, "field", "on the wire", "meaning")
        starts = [index for index, row in enumerate(table) if row[0] in kinds]
        for start in starts:
            names = [f.name for f in fields(kinds[table[start][0]])]
            assert [row[1] for row in table[start : start + len(names)]] == names


def opened_table() -> Table:
    return fold(None, SCENE.first)


K: Final = bytes(HASH_BYTES)
OPENED: Final = opened_table().opened
EXAMPLES: Final[tuple[Message, ...]] = (
    Sit(ForeignText("Ann")),
    Leave(),
    Ready(K),
    Toss(K, K),
    Fist(K),
    Speak(Bid(1)),
    Witness(),
    Open(0, K),
    Seen(),
    Say(ForeignText("!")),
    Gesticulate(Gesture.MITT_FULL),
    Elect(K),
    AwardFine(K, Offence.OTHER),
    LiftFine(0),
    Order(Drink.PORT),
    Vote(Measure.MUTE, K, True),
    Vote(Measure.MUTE, K, True),
    SCENE.first.statement,
    GameStarted((K, K)),
    Admitted(K),
    Decide(Measure.MUTE, K),
    Decide(Measure.MUTE, K),
    Away(K),
    Back(K),
    Vacated(K),
    TimeUp(K),
    HostMoved(1, K, ()),
    TableContinued(OPENED, K, 1, K, None, None, (), ()),
)
"""One statement of each kind."""


def test_there_is_an_example_of_every_statement() -> None:
    assert {example.KIND for example in EXAMPLES} == {*PLAYERS, *HOSTS}


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.value)
def test_the_table_of_phases_is_that_of_the_code(phase: Phase) -> None:
    header = ("statement", *(each.value for each in Phase))
    column = list(Phase).index(phase) + 1
    said = {row[0]: row[column] for row in rows(*header)}
    assert said == {each.KIND: _allowed(phase, each) for each in EXAMPLES}


def _allowed(phase: Phase, statement: Message) -> str:
    if (phase, type(statement)) in TRANSITIONS:
        return "yes"
    author = None if statement.KIND in HOSTS else K
    with pytest.raises(Illegal) as caught:
        check_statement(replace(opened_table(), phase=phase), author, statement)
    return caught.value.reason.code


def test_a_gloat_answers_to_the_end_of_the_round_that_it_is_about() -> None:
    said = {row[0]: row[1] for row in rows("statement", "due")}["a gesture of gloat"]
    table = opened_table()
    table = replace(table, head=Head(9, K), gloats=Gloats(frozenset({K}), since=6))
    least = next(seen for seen in range(9) if _is_fresh(table, Gesticulate(Gesture.GLOAT), seen))
    assert (said, least) == ("the end of the round that it is about", 6)


MAY_BE_MISSING = {("sit", "through_door"), ("along", "through_door")}


def test_the_fields_that_may_be_missing_are_those_that_the_page_names() -> None:
    described = {**PLAYERS, **HOSTS, Along.KIND: Along}
    marked = {
        (kind, each.name)
        for kind, statement in described.items()
        for each in fields(statement)
        if each.default is False
    }
    assert marked == MAY_BE_MISSING
    assert "One field may be missing: `through_door`, the last one of `sit` and of `along`" in TEXT


@pytest.mark.parametrize("statement", EXAMPLES, ids=lambda statement: statement.KIND)
def test_a_statement_without_its_last_field_is_malformed(statement: Message) -> None:
    kind, *values = statement.packable()
    if not values or (kind, "through_door") in MAY_BE_MISSING:
        return
    with pytest.raises(Malformed):
        read_message({**PLAYERS, **HOSTS}, (kind, *values[:-1]))


@pytest.mark.parametrize("kind", PLAYERS)
def test_what_an_author_must_have_seen_is_what_the_page_says(kind: str) -> None:
    due = {name.strip(): row[1] for row in rows("statement", "due") for name in row[0].split(",")}
    statement = {example.KIND: example for example in EXAMPLES}[kind]
    table = replace(opened_table(), era=3, turn=5, changed=4, head=Head(9, K))
    least = next(seen for seen in range(9) if _is_fresh(table, statement, seen))
    said = due.get(kind, due["all others"])
    expected = {"era": table.era, "turn": table.turn, "changed": table.changed, "1": 1}
    assert least == expected[said]


def _is_fresh(table: Table, statement: Message, seen: int) -> bool:
    try:
        check_intent(table, Intent.sign(SCENE.ann, 1, Head(seen, K), statement))
    except Illegal as error:
        assert error.reason is (Reason.STALE if seen else Reason.OTHER_LOG)
        return False
    return True


def test_the_refusal_codes_are_those_of_the_code() -> None:
    said = {row[0]: row[1] for row in rows("code", "clause", "meaning", "carried by")}
    assert said == {code: reason.clause for code, reason in REASONS.items()}


def test_the_farewell_codes_are_those_of_the_code() -> None:
    said = {row[0] for row in rows("code", "meaning", "come back?")}
    assert said == {farewell.value for farewell in Farewell}


@pytest.mark.parametrize(
    ("options", "presets"),
    [(BIDDING_OPTIONS, [*BIDDING_PRESETS]), (GUESSING_OPTIONS, ["hollywood"])],
    ids=["bidding", "guessing"],
)
def test_the_options_are_those_of_the_code(options: Options, presets: list[str]) -> None:
    said = rows("option", "values", *presets)
    assert [row[0] for row in said] == list(options)
    for option, values, *chosen in said:
        allowed = options[option]
        known = [str(each.value) for each in allowed] if allowed else ["number", "none"]
        assert values == ", ".join(known)
        assert chosen == [written(getattr(PRESETS[each], option)) for each in presets]


def constants(*modules: ModuleType) -> dict[str, float]:
    """The numbers that modules define in capitals."""
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, int | float)
    }


def test_every_limit_and_every_time_stands_in_a_table_with_its_value() -> None:
    tables = [rows("limit", "value", "reason"), rows("constant", "value", "meaning")]
    said = {row[0]: _number(row[1]) for table in tables for row in table}
    assert said == constants(limits, timing)


def _number(cell: str) -> float:
    return float(cell.split()[0].replace(",", ""))


def test_every_constant_that_is_named_with_a_value_has_it() -> None:
    known = constants(keys, limits, log, messages, pake, rules, seals, timing, version)
    said = re.findall(r"`([A-Z_]+)` = (\d+)", TEXT)
    assert {name for name, _ in said} >= {"PROTOCOL", "START_COINS", "MAX_CAP", "MAX_PLAYERS"}
    for name, value in said:
        assert known[name] == int(value), name


def test_every_constant_that_is_named_exists() -> None:
    known = constants(keys, limits, log, messages, pake, rules, seals, timing, version)
    assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", TEXT)) <= set(known)


def test_every_purpose_is_named() -> None:
    used = {
        value.decode()
        for module in (continuation, keys, log, messages, pake, seals, succession)
        for value in vars(module).values()
        if isinstance(value, bytes) and value.startswith(b"spoof ")
    }
    assert {row[0] for row in rows("purpose (ASCII)", "used for")} == used


def test_every_inner_link_leads_to_a_heading() -> None:
    headings = {_anchor(line) for line in TEXT.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\]\(#([^)]*)\)", TEXT)) <= headings


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lstrip("# ")).lower().replace(" ", "-")


def test_the_title_names_the_version() -> None:
    assert TEXT.splitlines()[0].endswith(f"version {version.PROTOCOL}")


LINK: Final = 1
OTHER: Final = 2


ADDRESS: Final = "192.0.2.1"


class Meeting:
    """A host, and the link that a row of the table of links is about."""

    def __init__(self, state: str) -> None:
        opened = SCENE.first.statement
        assert isinstance(opened, TableOpened)
        self.entropy = random.Random(1).randbytes
        self.time = 0.0
        self.host, _ = Host.open(
            SCENE.host, HostPolicy(ForeignText("Eva")), opened, self.at(0), self.entropy
        )
        if state == "—":
            return
        self.connect(LINK)
        if state == "asked":
            self.receive(self.hello(SCENE.bo))
        elif state == "known":
            self.admit()
            self.receive(self.known())

    def at(self, later: float) -> Moment:
        return Moment(self.time + later, 0)

    def connect(self, link: int) -> list[HostEffect]:
        self.time += limits.GUESS_INTERVAL
        return self.host.connected(link, SCENE.greeting.challenge, b"", self.at(0), ADDRESS)

    def receive(self, data: bytes, link: int = LINK) -> list[HostEffect]:
        effects = self.host.received(link, data, self.at(0))
        for effect in effects:
            if isinstance(effect, Compute):
                effects += self.host.computed(link, effect.work(), self.at(0))
        return effects

    def admit(self) -> None:
        """Let Ann in, on another link that is gone afterwards."""
        self.connect(OTHER)
        self.receive(self.hello(), OTHER)
        self.prove(self.host.admission.code or "", SCENE.ann, OTHER)
        self.host.lost(OTHER, self.at(0))

    def prove(self, code: str, key: SigningKey, link: int = LINK) -> list[HostEffect]:
        """Guess the code, and all that the host does about it."""
        challenge, table = SCENE.greeting.challenge, self.host.table.id
        guess = pake.GuestExchange(
            code, pake.ExchangeContext(b"", challenge, table, key.public), self.entropy
        )
        effects = self.receive(write(Pake(guess.message)), link)
        (answer,) = [e.data for e in effects if isinstance(e, Send) and link in e.links]
        message = messages.read_from_host(FrameReader().feed(answer)[0])
        assert isinstance(message, Pake)
        return effects + self.receive(write(Confirm(guess.proof(message.message))), link)

    def hello(self, key: SigningKey = SCENE.ann, held: Head = EMPTY) -> bytes:
        card = replace(SCENE.greeting.card, table=self.host.table.id)
        return write(sign_hello(key, "x", replace(SCENE.greeting, card=card), b"", held))

    def known(self) -> bytes:
        """The hello of Ann, who has been there before."""
        return self.hello(held=Head(1, self.host.table.id))

    def come_in(self, held: Head | None = None) -> list[HostEffect]:
        self.admit()
        return self.receive(self.hello(held=held) if held else self.known())

    def come_from_later(self) -> list[HostEffect]:
        card = replace(SCENE.greeting.card, table=self.host.table.id)
        greeting = replace(SCENE.greeting, card=card)
        return self.receive(write(sign_hello(SCENE.ann, "x", greeting, b"", EMPTY, epoch=1)))

    def come_barred(self) -> list[HostEffect]:
        self.host.decide(Measure.BAR, SCENE.ann.public, self.at(0))
        return self.receive(self.hello())

    def come_after_wrong_codes(self) -> list[HostEffect]:
        for link in range(TRIES_OF_ADDRESS):
            self.connect(OTHER + link)
            self.receive(self.hello(SCENE.bo), OTHER + link)
            self.prove("AAAAA", SCENE.bo, OTHER + link)
        return self.receive(self.hello())

    def come_as_one_too_many(self) -> list[HostEffect]:
        self.admit()
        crowd = [SigningKey(bytes([n, 9] * 16)) for n in range(MAX_WATCHERS_OF_ADDRESS)]
        for n, key in enumerate(crowd):
            self.connect(OTHER + n)
            self.receive(self.hello(key), OTHER + n)
            self.prove(self.host.admission.code or "", key, OTHER + n)
        return self.receive(self.known())

    def intent(self, key: SigningKey = SCENE.ann, number: int = 1) -> bytes:
        statement = Sit(ForeignText("Ann"))
        return write(Propose(Intent.sign(key, number, self.host.log.head, statement).blob))

    def illegal(self) -> bytes:
        return write(Propose(Intent.sign(SCENE.ann, 1, self.host.log.head, Leave()).blob))

    def forged(self) -> bytes:
        payload, signature = _pair(Intent.sign(SCENE.ann, 1, EMPTY, Leave()).blob)
        return write(Propose(pack((payload, signature[::-1]))))

    def replaced(self) -> list[HostEffect]:
        self.connect(OTHER)
        return self.receive(self.known(), OTHER)

    def come_late(self) -> list[HostEffect]:
        self.admit()
        self.connect(OTHER)
        self.receive(self.known(), OTHER)
        return self.receive(self.known())

    def crowd(self) -> list[HostEffect]:
        for link in range(MAX_UNPROVEN_OF_ADDRESS):
            self.connect(LINK + 1 + link)
        return self.connect(LINK)

    def used_up(self) -> bytes:
        self.receive(self.intent())
        return self.intent()

    def barred(self) -> list[HostEffect]:
        return self.host.decide(Measure.BAR, SCENE.ann.public, self.at(0))


HELLO_OF_3: Final = frame(pack(("hello", 3, "x")))
PAKE: Final = write(
    Pake(
        pake.GuestExchange(
            "AAAAA", pake.ExchangeContext(b"", K, K, K), random.Random(2).randbytes
        ).message
    )
)

EVENTS: Final[dict[str, Callable[[Meeting], list[HostEffect]]]] = {
    "a connection comes": lambda m: m.connect(LINK),
    "a connection comes, its address has MAX_UNPROVEN_OF_ADDRESS that are new or asked": (
        lambda m: m.crowd()
    ),
    "hello": lambda m: m.receive(m.hello()),
    "hello, proven, its key is let in, its head is in the log": lambda m: m.come_in(),
    "hello, proven, its key is not let in": lambda m: m.receive(m.hello()),
    "hello, proven, its key is not let in, its address has to wait": (
        lambda m: m.come_after_wrong_codes()
    ),
    "hello, proven, its key is refused": lambda m: m.come_barred(),
    "hello, proven, its head is not in the log": lambda m: m.come_in(Head(1, K)),
    "hello, proven, there is no place for another watcher": lambda m: m.come_as_one_too_many(),
    "hello, proven, its key is accepted on a newer link": lambda m: m.come_late(),
    "hello, wrong signature": lambda m: m.receive(write(replace(SCENE.hello, length=1))),
    "hello of another protocol number": lambda m: m.receive(HELLO_OF_3),
    "entries that nobody asked for": lambda m: m.receive(write(Entries((SCENE.first.blob,)))),
    "intent": lambda m: m.receive(m.intent()),
    "intent, legal": lambda m: m.receive(m.intent()),
    "intent, illegal": lambda m: m.receive(m.illegal()),
    "intent, number not above the author's last one in the log": lambda m: m.receive(m.used_up()),
    "intent of another key": lambda m: m.receive(m.intent(SCENE.bo)),
    "intent, wrong signature": lambda m: m.receive(m.forged()),
    "pake": lambda m: m.receive(PAKE),
    "pake, twice": lambda m: m.receive(PAKE) + m.receive(PAKE),
    "pake that is no point": lambda m: m.receive(write(Pake(b"A" + bytes(32)))),
    "confirm": lambda m: m.receive(write(Confirm(K))),
    "confirm before pake": lambda m: m.receive(write(Confirm(K))),
    "confirm, the right code": lambda m: m.prove(m.host.admission.code or "", SCENE.bo),
    "confirm, a wrong code": lambda m: m.prove("AAAAA", SCENE.bo),
    "ping": lambda m: m.receive(write(Ping(0))),
    "support": lambda m: m.receive(write(Support(bytes(64)))),
    "agree": lambda m: m.receive(write(Agree(None))),
    "go-along": lambda m: m.receive(write(GoAlong(bytes(64)))),
    "hello, proven, its epoch is above the table's": lambda m: m.come_from_later(),
    "goodbye": lambda m: m.receive(write(Goodbye(Farewell.CLOSED))),
    "no message": lambda m: m.receive(frame(pack(("nonsense",)))),
    "no hello for HELLO_TIMEOUT": lambda m: m.host.tick(m.at(limits.HELLO_TIMEOUT + 1)),
    "nothing is proven for HELLO_TIMEOUT": lambda m: m.host.tick(m.at(limits.HELLO_TIMEOUT + 1)),
    "nothing heard for LOST_DELAY": lambda m: m.host.tick(m.at(LOST_DELAY + 1)),
    "the same key is accepted on a newer link": lambda m: m.replaced(),
    "the key is refused (G5)": lambda m: m.barred(),
    "the table closes": lambda m: m.host.close(),
}

LIFE: Final = rows("state", "what happens", "what it sends there", "next")


def test_every_event_of_a_link_stands_in_the_table() -> None:
    assert {row[1] for row in LIFE} == set(EVENTS)
    assert len({row[:2] for row in LIFE}) == len(LIFE)


@pytest.mark.parametrize("row", LIFE, ids=lambda row: f"{row[0]}, {row[1]}")
def test_a_host_does_what_the_row_says(row: Row) -> None:
    state, what, answer, after = row
    meeting = Meeting(state)
    effects = EVENTS[what](meeting)
    assert _sent(effects) == answer
    assert _next(meeting, effects) == after


def _sent(effects: list[HostEffect]) -> str:
    """The messages that went out on the link, in words."""
    sent = b"".join(e.data for e in effects if isinstance(e, Send) and LINK in e.links)
    said = []
    for payload in FrameReader().feed(sent):
        message = messages.read_from_host(payload)
        why = f" {message.why.value}" if isinstance(message, Goodbye) else ""
        said.append(message.KIND + why)
    return ", ".join(said) or "nothing"


def _next(meeting: Meeting, effects: list[HostEffect]) -> str:
    if any(isinstance(effect, Disconnect) and effect.link == LINK for effect in effects):
        return "closed"
    return meeting.host.connections[LINK].handshake.stage.value


def test_longer_spellings_are_malformed() -> None:
    for spelled in ("91d90470696e67", "dc0001a470696e67", "91a470696e6700"):
        with pytest.raises(Malformed):
            messages.read_from_host(bytes.fromhex(spelled))
