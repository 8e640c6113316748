"""What a table's advert says."""

from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceInfo

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME, MAX_NUMBER
from protocol.rules.options import BIDDING_OPTIONS, BIDDING_PRESETS, MAX_PLAYERS, Rules
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Card, State
from spoof_tui.network import advert
from spoof_tui.network.advert import Advert
from spoof_tui.network.mdns import SERVICE


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    rules = BIDDING_PRESETS[draw(st.sampled_from(sorted(BIDDING_PRESETS)))]
    for option, values in BIDDING_OPTIONS.items():
        written = ["none", "3", "99"] if values is None else [str(each.value) for each in values]
        rules = rules.with_option(option, draw(st.sampled_from(written)))
    return rules


LETTERS = st.characters(exclude_categories=["Cs"])
NAMES = (
    st.text(LETTERS, min_size=1, max_size=MAX_NAME)
    .filter(lambda text: len(text.encode()) <= MAX_NAME)
    .map(ForeignText)
) | st.sampled_from([ForeignText("x" * MAX_NAME), ForeignText("ї" * (MAX_NAME // 2))])
NUMBERS = st.integers(0, MAX_PLAYERS)
CARDS = st.builds(
    Card,
    table=st.binary(min_size=32, max_size=32),
    name=NAMES,
    host=NAMES,
    rules=rule_sets(),
    seats=NUMBERS,
    taken=NUMBERS,
    state=st.sampled_from(State),
    epoch=st.integers(0, MAX_NUMBER),
)


@given(CARDS)
def test_any_table_fits_into_an_advert(card: Card) -> None:
    pairs = advert.write(card)
    assert advert.size(pairs) <= advert.MAX_BYTES
    assert all(len(key) + len(value) + 1 <= 255 for key, value in pairs.items())


@given(CARDS)
def test_the_size_is_that_of_the_record(card: Card) -> None:
    pairs = advert.write(card)
    info = ServiceInfo(SERVICE, f"x.{SERVICE}", port=1, properties=pairs)
    assert len(info.text) == advert.size(pairs)


@given(CARDS)
def test_an_advert_is_read_as_it_was_written(card: Card) -> None:
    sent = ServiceInfo(SERVICE, f"x.{SERVICE}", port=1, properties=advert.write(card))
    hint = advert.read(ServiceInfo(SERVICE, f"x.{SERVICE}", properties=sent.text).properties)
    assert hint.table == card.table[:8]
    assert (hint.rules, hint.state) == (card.rules.text, card.state)
    assert (hint.seats, hint.taken) == (card.seats, card.taken)
    assert (hint.protocol, hint.program) == (PROTOCOL, PROGRAM)
    assert hint.name is not None
    assert card.name.raw.startswith(hint.name.raw)
    assert hint.host is not None
    assert card.host.raw.startswith(hint.host.raw)


@given(CARDS)
def test_names_are_cut_only_when_there_is_no_room(card: Card) -> None:
    hint = advert.read({key.encode(): value for key, value in advert.write(card).items()})
    is_cut = (hint.name, hint.host) != (card.name, card.host)
    assert not is_cut or advert.size(advert.write(card)) > advert.MAX_BYTES - 8


def test_the_longest_rules_leave_room_for_names() -> None:
    rules = BIDDING_PRESETS["milan"]
    for option, values in BIDDING_OPTIONS.items():
        written = ["99"] if values is None else [str(each.value) for each in values]
        rules = max(
            (rules.with_option(option, value) for value in written), key=lambda r: len(r.text)
        )
    name = ForeignText("ї" * 32)
    card = Card(bytes(32), name, name, rules, 9, 9, State.GATHERING, False, 0)
    pairs = advert.write(card)
    assert min(len(pairs["name"]), len(pairs["host"])) >= 24


def test_an_empty_record_says_nothing() -> None:
    assert advert.read({}) == Advert()


PAIRS = st.dictionaries(
    st.sampled_from([name.encode() for name in Advert.__slots__]) | st.binary(max_size=9),
    st.none() | st.binary(max_size=300) | st.integers().map(lambda n: str(n).encode()),
)


@given(PAIRS)
def test_anything_may_stand_in_a_record(pairs: dict[bytes, bytes | None]) -> None:
    hint = advert.read(pairs)
    assert hint.program.isascii()
    assert len(hint.table) <= 8
    assert hint.name is None or 0 < len(hint.name.raw.encode()) <= MAX_NAME
