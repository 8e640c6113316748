"""Hints: one at a time, each until its thing has been done once."""

from dataclasses import replace

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.storage.settings import Settings
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.table.hints import Hint, due, follow, hint_words, tip, with_hint
from spoof_tui.ui.table.scene import Scene
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.spoof_tui.ui.table.scenes import at, pay, said, seen
from tests.spoof_tui.ui.tables import AtTable

ALL = frozenset(each.value for each in Hint)


def looked(scene: Scene, client: SeatedGuest) -> Scene:
    """The scene after a look, its reveal over."""
    scene.look(client.view)
    pay(scene)
    follow(scene)
    return scene


def but(*hints: Hint) -> frozenset[str]:
    """All hints but these are known."""
    return ALL - {each.value for each in hints}


def begun(players: int = 3) -> tuple[MemoryTable, SeatedGuest, Scene]:
    """A first round before the fists are in, for whoever opens it."""
    table = at("choosing", players)
    starter = table.clients[0].view.starter
    assert starter is not None
    client = table.clients[starter]
    return table, client, looked(seen(client), client)


def test_hiding_is_explained_until_a_fist_is_in() -> None:
    table, client, scene = begun()
    assert scene.hint is Hint.HIDE
    table.choose(0, 1, 2)
    assert looked(scene, client).hint is Hint.OPEN
    assert scene.seen == {"hide"}


def test_a_hand_that_is_on_its_way_counts_as_hidden() -> None:
    _table, _client, scene = begun()
    assert scene.view
    scene.view = replace(scene.view, own_fist_due=False)
    assert follow(scene) and scene.seen == {"hide"}


def test_opening_and_raising_are_explained_until_they_are_done() -> None:
    table, client, scene = begun(players=2)
    table.choose(0, 1)
    looked(scene, client)
    table.say(Bid(1))
    assert looked(scene, client).hint is None
    table.say(Bid(2))
    assert looked(scene, client).hint is Hint.RAISE
    table.say(Bid(3))
    assert looked(scene, client).seen == {"hide", "open", "raise"}


def test_the_verdict_is_explained_once_it_is_known_and_until_the_next_fist() -> None:
    table, client, scene = begun(players=2)
    table.choose(0, 1)
    table.say(Bid(1), Bid(4))
    scene.look(client.view)
    scene.seen = but(Hint.VERDICT)
    table.say(Ending.CALL)
    scene.look(client.view)
    follow(scene)
    assert scene.hint is None, "the fists are not open yet"
    assert looked(scene, client).hint is Hint.VERDICT
    table.choose(1, 1)
    assert looked(scene, client).hint is None
    assert scene.seen == ALL


@pytest.mark.parametrize("loses", [True, False])
def test_a_loss_is_explained_to_who_lost(loses: bool) -> None:
    table = at("answering", 2)
    caller = table.speaker()
    other = next(each for each in table.clients if each is not caller)
    client = caller if loses else other
    scene = seen(client)
    scene.seen = but(Hint.LOSS)
    table.say(Ending.SPOOF)
    assert looked(scene, client).hint is (Hint.LOSS if loses else None)


def test_who_knows_everything_is_told_nothing() -> None:
    for moment in ("choosing", "speaking", "answering", "counted", "over"):
        for client in at(moment).clients:
            scene = Scene(seen=ALL)
            assert looked(scene, client).hint is None


def test_a_hint_is_a_line_of_the_panel() -> None:
    _table, _client, scene = begun()
    assert hint_words(Hint.HIDE) in said(scene)
    scene.hint = None
    assert with_hint(scene, [], 78, 6) == []


@pytest.mark.parametrize("hint", list(Hint))
def test_a_hint_stands_below_what_is_said_and_never_cuts_it(hint: Hint) -> None:
    scene = Scene(hint=hint)
    told = [[("a line", palette.TEXT)] for _row in range(4)]
    assert with_hint(scene, told, 78, 5) == [*told, [(hint_words(hint), palette.MONEY)]]
    first, *rest = with_hint(scene, told, 78, 4)
    assert rest == told[1:]
    assert (first == told[0]) is (hint is not Hint.OPEN)


def test_a_remark_is_not_hidden_by_a_hint() -> None:
    scene = Scene(hint=Hint.OPEN, remark="No.")
    told = [[("No.", palette.WRONG)]]
    assert with_hint(scene, told, 78, 1) == told


@pytest.mark.parametrize("hint", list(Hint))
def test_every_hint_fits_a_line_of_the_usual_terminal(hint: Hint) -> None:
    assert len(hint_words(hint)) <= 78


def test_no_hint_depends_on_a_hand() -> None:
    hints = set()
    for hand in range(4):
        table, client, scene = begun()
        table.choose(*[hand if each is client else 1 for each in table.clients])
        looked(scene, client)
        hints.add((scene.hint, due(scene), scene.seen))
    assert len(hints) == 1


async def test_what_was_done_is_kept_for_the_next_time() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, "Then you bid on the sum of all fists.")
        await pilot.press("1")
        assert await app.misses(pilot, "Then you bid on the sum of all fists.")
    assert Settings.load().seen == {"hide"}


# A tip


def tipped(bid: int, hand: int = 1) -> str:
    """What somebody is told who hesitates after a bid of so many of nine, or of none."""
    table = at("choosing")
    table.choose(*[hand] * 3)
    if bid:
        table.say(Bid(bid))
    scene = Scene(is_practice=True, is_slow=True)
    scene.look(table.speaker().view)
    return tip(scene)


def test_a_tip_tells_of_the_bid_what_anybody_could() -> None:
    assert tipped(0).startswith("Tip: the fists may well hold about 4.")
    assert "is not much" in tipped(4) and "what to expect" in tipped(5) and "a lot" in tipped(7)


def test_no_tip_depends_on_a_hand() -> None:
    assert len({tipped(5, hand) for hand in range(4)}) == 1


def test_a_tip_takes_the_place_of_the_question_where_there_is_no_room_below() -> None:
    table = at("answering")
    scene = seen(table.speaker(), Scene(is_practice=True, is_slow=True, seen=ALL))
    assert "Tip: 2 of 9 is not much." in said(scene)
    scene.is_slow = False
    assert "Tip" not in said(scene)
