"""What is put on the slate in lines, by a number."""

from __future__ import annotations

from protocol.rules.words import Offence
from spoof_tui.ui.wording.sentences import AWARDED
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.plain.readers import Reader
from tests.spoof_tui.ui.table.scenes import at


def people() -> tuple[MemoryTable, Reader, Reader]:
    """Two who play where gloating is fined; the first one is in the chair."""
    table = at("gathering", players=2, rules="milan gloating=fined")
    one, other = Reader(table, 0), Reader(table, 1)
    for reader in (one, other):
        put(reader, "want Player1 for chairman")
    return table, one, other


def put(reader: Reader, words: str) -> None:
    """Choose what is offered in these words."""
    reader.look()
    line = next(line for line in reader.type("slate") if words in line)
    reader.type(f"slate {line.partition(':')[0].strip()}")


def test_a_chairman_is_wanted_and_fines_and_lifts() -> None:
    table, one, _other = people()
    put(one, "fine Player2 for eating at the table")
    assert [fine.offence for fine in table.clients[0].view.slate.fines] == [Offence.EATING]
    put(one, "lift the fine of Player2 for eating at the table")
    assert [fine.lifted for fine in table.clients[0].view.slate.fines] == [True]


def test_only_the_chairman_is_offered_fines_and_every_one_of_them() -> None:
    _table, one, other = people()
    one.look()
    other.look()
    assert sum("fine Player2 for" in line for line in one.type("slate")) == len(AWARDED)
    assert not any("fine Player" in line for line in other.type("slate"))


def test_where_drinks_are_played_for_the_slate_tells_who_has_paid_and_offers_nothing() -> None:
    assert Reader(at("gathering", rules="milan stake=drinks")).type("slate") == [
        "Nobody has paid for a round yet."
    ]
    table = at("over", rules="milan stake=drinks")
    view = table.clients[0].view
    payer = view.names[view.stakes.paid[0]].raw
    assert f"{payer} paid for a round." in Reader(table).type("f")


def test_where_there_is_no_slate_nothing_is_put_on_it() -> None:
    assert Reader(at("gathering")).type("slate") == [
        "Fines and drinks belong to the guessing game."
    ]
