"""Tables of the guessing game, and scenes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from protocol.rules.words import Bid
from spoof_tui.beats import Beat
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.pacing import Reveal
from spoof_tui.ui.table.scene import Scene
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable


def a_school(
    hands: Sequence[int] = (1, 1, 1), *calls: int, rules: str = "hollywood", seed: int = 0
) -> MemoryTable:
    """A table at which all fists are in and these calls are made, each by the player whose turn it
    is."""
    table = MemoryTable(len(hands), rules, start_when=len(hands), seed=seed)
    table.ready()
    table.choose(*hands)
    table.say(*(Bid(number) for number in calls))
    return table


def by_call(table: MemoryTable) -> list[GuestSide]:
    """The seats in the order of calling in the last round."""
    last = table.clients[0].view.last
    running = table.host.table.game
    assert running is not None
    order = last.words.players if last else ()
    starter = last.words.starter if last else (running.round.starter if running.round else 0)
    seats = order or tuple(range(len(table.clients)))
    keys = [running.players[seat].key for seat in seats]
    turn = seats.index(starter)
    clients = {client.guest.key: client for client in table.clients}
    return [clients[key] for key in keys[turn:] + keys[:turn]]


def scene_of(client: GuestSide, opened: int | None = None) -> Scene:
    """A seat's texts, with this many fists of the last round open."""
    scene = Scene()
    scene.look(client.view)
    if opened is not None:
        scene.reveal = reveal_of(client, opened)
    return scene


def reveal_of(client: GuestSide, opened: int) -> Reveal:
    """The count of the last round with this many fists open; with all of them it is paid."""
    played = client.view.past[-1]
    reveal = Reveal.of(played)
    if opened == len(reveal.order):
        return reveal.to(Beat.PAID)
    at = next(index for index, step in enumerate(reveal.steps) if step.opened == opened)
    return replace(reveal, at=at)


def name(client: GuestSide) -> str:
    """The name of a seat's player at the table."""
    me = client.view.me
    assert me is not None
    return seat_names(client.view)[me]
