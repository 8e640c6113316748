"""Company in a game against bots: who reacts to what, once, and never because of a hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Gesture, Say
from protocol.views import TableView
from spoof_tui.bots.characters import (
    CHARACTERS,
    CharacterMind,
    concerned,
    lines_of,
    of_coin,
    reaction_to,
)
from spoof_tui.bots.levels import Level
from spoof_tui.text.names import bot_names
from spoof_tui.text.safe_text import own_text
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, play_zeros


def mind(seed: int = 1) -> CharacterMind:
    who = CHARACTERS["bluffer"]
    return CharacterMind(who, Level.EASY, random.Random(seed), introduced=True)


def counted(ending: Ending, hands: tuple[int, ...], *bids: int) -> list[TableView]:
    """What each of three sees after a round."""
    table = at("choosing", 3)
    table.choose(*hands)
    table.say(*map(Bid, bids), ending)
    return [client.view for client in table.clients]


def test_every_name_of_a_bot_has_a_character_and_no_other_name_has() -> None:
    names = bot_names(40, random.Random(3))
    assert all(of_coin(name) for name in names)
    assert {who.key for name in names if (who := of_coin(name))} == set(CHARACTERS)
    assert not any(map(of_coin, ("", "Olha", "Deft Ferret")))


@pytest.mark.parametrize("seed", range(20))
def test_at_most_one_reacts_to_a_round_and_at_most_once(seed: int) -> None:
    for views in (counted(Ending.CALL, (1, 1, 1), 2), counted(Ending.CALL, (0, 0, 0), 2),
                  counted(Ending.ZERO, (0, 0, 0))):  # fmt: skip
        minds = [mind(seed + place) for place in range(3)]
        told = [
            said
            for _again in range(2)
            for each, view in zip(minds, views, strict=True)
            for said in (each.reacts(view), each.remark(view))
            if said is not None
        ]
        assert len(told) <= 1


def test_caught_robbed_and_right_are_three_faces() -> None:
    faces = {}
    for name, views in {
        "caught": counted(Ending.CALL, (0, 0, 0), 2),
        "right": counted(Ending.CALL, (1, 1, 1), 2),
        "robbed": counted(Ending.ZERO, (0, 0, 0)),
    }.items():
        seen = [replace(view, past=view.past * 2) for view in views]
        faces[name] = {reaction_to(each) for view in (views, seen) for each in view} - {None}
    assert faces["caught"] == {Gesture.SWEAT, Gesture.SMUGNESS}
    assert faces["right"] == {Gesture.INDECISION, Gesture.SMUGNESS}
    assert Gesture.NEVER in faces["robbed"]


def test_nothing_in_a_reaction_tells_of_a_hand() -> None:
    one, other = (counted(Ending.CALL, hands, 2) for hands in ((2, 1, 0), (0, 1, 2)))
    for view, same in zip(one, other, strict=True):
        assert (concerned(view), reaction_to(view)) == (concerned(same), reaction_to(same))


def after_praise(said: str) -> list[TableView]:
    table = MemoryTable(0, "milan", seed=5, start_when=3)
    for name in ("Olha", "Dime", "Groat"):
        table.add(name=name)
    table.ready()
    play_zeros(table)
    client = table.clients[0]
    table.act(client, client.guest.propose(Say(own_text(said, 40))))
    assert table.host.table.phase is Phase.GATHERING
    return [client.view for client in table.clients]


def test_one_bot_answers_praise_once_and_nobody_answers_anything_else() -> None:
    views = after_praise("Good game!")
    minds = [mind(place) for place in range(3)]
    told = [each.answers(view) for each, view in zip(minds, views, strict=True)]
    assert [line for line in told if line] and len([line for line in told if line]) == 1
    assert not any(each.answers(view) for each, view in zip(minds, views, strict=True))
    assert not any(mind(n).answers(view) for n, view in enumerate(after_praise("hello")))
    known = {line for key in CHARACTERS for lines in lines_of(key).values() for line in lines}
    assert set(filter(None, told)) <= known
