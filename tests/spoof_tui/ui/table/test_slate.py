"""The slate: what keys do on it, and what it shows."""

import pytest

from protocol.errors import Reason
from protocol.rules.slate import Fine
from protocol.rules.words import Drink, Offence
from protocol.table.statements import AwardFine, Elect, LiftFine, Order
from protocol.views import TableView
from spoof_tui.ui.table.slate import (
    Question,
    SlateControls,
    asked,
    is_chairman,
    lines,
    slate_before,
    tally,
)
from spoof_tui.ui.wording.names import seat_names
from spoof_tui.ui.wording.sentences import AWARDED, drink_name, offence_name
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school, by_call, name


def chairman_of(table: MemoryTable) -> SeatedGuest:
    return next(client for client in table.clients if is_chairman(client.view))


def other_than(table: MemoryTable, client: SeatedGuest) -> SeatedGuest:
    return next(each for each in table.clients if each is not client)


def said(view: TableView, width: int = 72) -> list[str]:
    return [line.text.plain for line in lines(view, seat_names(view), width)]


def fined(*offences: Offence) -> tuple[MemoryTable, SeatedGuest]:
    """A table whose chairman has fined the first seat; the table, and the chairman."""
    table = a_school()
    chairman = chairman_of(table)
    for offence in offences:
        key = chairman.view.seats[0].key
        table.act(chairman, chairman.guest.state(AwardFine(key, offence)))
    return table, chairman


def pressed(controls: SlateControls, view: TableView, keys: str) -> object:
    """The deed of the last of these keys."""
    deed: object = None
    for key in keys.split():
        deed = controls.press(key, view)
    return deed


# Keys


def test_everybody_may_vote_for_whoever_is_bright() -> None:
    view = a_school().clients[1].view
    assert pressed(SlateControls(), view, "v") == Elect(view.seats[0].key)
    assert pressed(SlateControls(bright=1), view, "v") == Elect(view.seats[1].key)
    assert pressed(SlateControls(bright=2), view, "v") == Elect(view.seats[2].key)


@pytest.mark.parametrize("digit", range(1, len(AWARDED) + 1))
def test_the_chairman_is_asked_what_a_fine_is_for(digit: int) -> None:
    table = a_school()
    view = chairman_of(table).view
    controls = SlateControls(bright=1)
    assert pressed(controls, view, "a") is None
    assert controls.question is Question.OFFENCE
    assert pressed(controls, view, str(digit)) == AwardFine(view.seats[1].key, AWARDED[digit - 1])
    assert controls.question is None


@pytest.mark.parametrize("key", ["a", "l"])
def test_nobody_else_fines_or_lifts(key: str) -> None:
    table = a_school()
    controls = SlateControls()
    assert pressed(controls, other_than(table, chairman_of(table)).view, key) is None
    assert controls.error is not None and controls.error.reason is Reason.NOT_CHAIRMAN
    assert controls.question is None


@pytest.mark.parametrize("key", ["9", "0", "escape", "x", "v"])
def test_another_key_gives_the_question_up(key: str) -> None:
    view = chairman_of(a_school()).view
    controls = SlateControls()
    pressed(controls, view, "a")
    deed = controls.press(key, view)
    assert controls.question is None
    assert not isinstance(deed, AwardFine)


def test_the_fine_that_is_bright_is_lifted_the_newest_stands_first() -> None:
    _table, chairman = fined(Offence.GLOATING, Offence.REFUSING)
    view = chairman.view
    seats = len(view.seats)
    assert pressed(SlateControls(bright=seats), view, "l") == LiftFine(1)
    assert pressed(SlateControls(bright=seats + 1), view, "l") == LiftFine(0)


def test_there_is_nothing_to_lift_on_a_player() -> None:
    controls = SlateControls()
    assert pressed(controls, fined(Offence.GLOATING)[1].view, "l") is None
    assert controls.error is not None and controls.error.reason is Reason.NO_SUCH_FINE


@pytest.mark.parametrize("key", ["v", "a", "l", "o"])
def test_at_an_empty_table_no_key_does_anything(key: str) -> None:
    table = MemoryTable(1, "hollywood", start_when=2, sit=False)
    assert SlateControls().press(key, table.clients[0].view) is None
    assert said(table.clients[0].view)


@pytest.mark.parametrize(("digit", "drink"), list(enumerate(Drink, 1)))
def test_who_left_first_orders(digit: int, drink: Drink) -> None:
    left, pays = by_call(a_school((1, 1), 2, 3))
    controls = SlateControls()
    assert pressed(controls, left.view, f"o {digit}") == Order(drink)
    assert pressed(controls, pays.view, "o") is None
    assert controls.error is not None and controls.error.reason is Reason.NOT_FIRST_OUT


# What it shows


def test_every_offence_and_drink_has_a_name() -> None:
    assert len({offence_name(offence) for offence in Offence}) == len(Offence)
    assert len({drink_name(drink) for drink in Drink}) == len(Drink)


@pytest.mark.parametrize(("drinks", "strokes"), [(0, ""), (3, "▌▌▌"), (7, "▌▌▌▌▌▌▌"), (8, "▌×8")])
def test_drinks_are_strokes_as_long_as_there_is_room(drinks: int, strokes: str) -> None:
    assert tally(drinks, 7) == strokes


def test_the_chairman_is_marked_and_votes_are_counted() -> None:
    table = a_school()
    chairman = chairman_of(table)
    voter = other_than(table, chairman)
    table.act(voter, voter.guest.state(Elect(voter.guest.key)))
    shown = said(chairman.view)
    assert any(name(chairman) in line and "★ chairman" in line for line in shown)
    assert any(name(voter) in line and "1 vote" in line for line in shown)


def test_who_is_elected_is_chairman() -> None:
    table = a_school()
    elected = other_than(table, chairman_of(table))
    for client in table.clients[:2]:
        table.act(client, client.guest.state(Elect(elected.guest.key)))
    assert any(name(elected) in line and "★ chairman, 2 votes" in line
               for line in said(table.clients[0].view))  # fmt: skip


def test_fines_are_listed_with_who_gave_them_and_lifted_ones_struck_out() -> None:
    table, chairman = fined(Offence.GLOATING, Offence.REFUSING)
    table.act(chairman, chairman.guest.state(LiftFine(0)))
    shown = said(chairman.view)
    assert any("refusing to call" in line and f"by {name(chairman)}" in line for line in shown)
    assert any("gloating" in line and "lifted" in line for line in shown)
    assert any(line.endswith("▌  1 drink") for line in shown)
    struck = [
        line.text.plain[span.start : span.end]
        for line in lines(chairman.view, seat_names(chairman.view), 72)
        for span in line.text.spans
        if "strike" in str(span.style)
    ]
    assert "gloating" in struck and "refusing to call" not in struck


def test_the_house_fines_by_itself() -> None:
    table = a_school((3, 3, 3), 0, 4, 5)
    assert any("an impossible call" in line and "by the house" in line
               for line in said(table.clients[0].view))  # fmt: skip


def test_the_end_of_a_school_stands_on_it() -> None:
    table = a_school((1, 1), 2, 3)
    left, pays = by_call(table)
    assert any("o orders the drinks." in line for line in said(left.view))
    table.act(left, left.guest.state(Order(Drink.ALIEN_SNOT)))
    shown = said(left.view)
    assert any(f"School 1: {name(left)} left first and ordered alien snot." in n for n in shown)
    assert any(f"{name(pays)} was honoured to pay." in line for line in shown)
    assert not any("o orders" in line for line in shown)


def test_an_empty_slate_says_so() -> None:
    assert "Nobody has been fined yet." in said(a_school().clients[0].view)


@pytest.mark.parametrize("width", [44, 54, 72])
def test_no_player_or_fine_is_wider_than_its_room(width: int) -> None:
    _table, chairman = fined(Offence.LEFT_AFTER_LOSS, *[Offence.OTHER] * 20)
    view = chairman.view
    page = [line for line in lines(view, seat_names(view), width) if line.is_bright]
    assert len(page) == len(view.seats) + len(view.slate.fines)
    assert max(line.text.cell_length for line in page) <= width


def test_a_question_lists_its_answers_by_their_digits() -> None:
    view = chairman_of(a_school()).view
    controls = SlateControls(bright=1)
    assert asked(view, seat_names(view), controls) == []
    controls.press("a", view)
    head, *answers = [line.plain for line in asked(view, seat_names(view), controls)]
    assert seat_names(view)[1] in head
    assert answers[0].split()[0] == "1" and len(answers) == len(AWARDED)


def test_what_a_round_fined_is_hidden_until_its_count() -> None:
    table = a_school((3, 3, 3), 0, 4, 5)
    chairman = chairman_of(table)
    table.act(chairman, chairman.guest.state(AwardFine(chairman.guest.key, Offence.GLOATING)))
    view = chairman.view
    assert view.last is not None and view.last.outcome.fined
    assert [fine.offence for fine in view.slate.fines] == [Offence.IMPOSSIBLE, Offence.GLOATING]
    assert slate_before(view.slate, view.last).fines == (
        Fine(chairman.guest.key, Offence.GLOATING, chairman.guest.key),
    )


# Rounds of drinks (S2)


def test_the_slate_keeps_how_many_rounds_each_has_paid_s2() -> None:
    view = at("over", rules="milan stake=drinks").clients[0].view
    payer = view.names[view.stakes.paid[0]].raw
    assert f"{payer} paid for a round." in said(view)
    assert "Fines" not in said(view)


def test_before_anybody_is_out_nobody_has_paid_a_round_s2() -> None:
    view = at("choosing", rules="milan stake=drinks").clients[0].view
    assert view.counts_rounds and "Nobody has paid for a round yet." in said(view)


@pytest.mark.parametrize("key", ["v", "a", "l", "o"])
def test_there_is_nothing_to_state_where_only_rounds_are_kept(key: str) -> None:
    view = at("choosing", rules="milan stake=drinks").clients[0].view
    controls = SlateControls()
    assert pressed(controls, view, key) is None and controls.error is None


@pytest.mark.parametrize("rules", ["milan", "milan stake=none"])
def test_without_drinks_there_is_no_slate_of_rounds(rules: str) -> None:
    assert not at("choosing", rules=rules).clients[0].view.counts_rounds
