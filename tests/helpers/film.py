"""The pictures of the README, made from the program: a round that plays by itself, and stills.

    python -m tests.helpers.film [FOLDER]

writes them to FOLDER, which is `tests/pictures` if none is named.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from protocol.rules.words import Bid
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.lobby.drawing import LobbyView
from spoof_tui.ui.lobby.menu import MenuRow
from spoof_tui.ui.table.scene import Scene
from tests.helpers import moments
from tests.helpers.vector import moving, still
from tests.spoof_tui.ui.lobbies import found

FOLDER = Path(__file__).parent.parent / "pictures"


def lobby() -> Sheet:
    """The lobby with tables on the network."""
    tables = (
        found(1, name="Night train", host="Crown", taken=3, locked=False),
        found(2, name="Kitchen", host="Sou", rules="three-coins", seats=4, taken=4),
    )
    view = LobbyView(name="Deft Ferret", tables=tables, selected=MenuRow.PLAY)
    return Part(Place(0, 0, *moments.SIZE), view).sheet()


def nine() -> Sheet:
    """Nine players in the middle of a round."""
    table, scene = moments.company(9, "three-coins"), Scene()
    table.choose(1, 2, 0, 3, 1, 2, 3, 0, 2)
    table.say(*map(Bid, (6, 9, 12, 13, 14)))
    return moments.sheet(moments.look(scene, table))


def over() -> Sheet:
    """The end of a game."""
    scene = Scene()
    scene.look(moments.finished(4, "three-coins"))
    scene.record = Path("game.spoof")
    return moments.sheet(scene)


def pictures() -> dict[str, str]:
    """Every picture, by file name."""
    return {
        "round.svg": moving(list(moments.a_round()), "A round of Spoof"),
        "lobby.svg": still(lobby(), "The lobby"),
        "nine.svg": still(nine(), "Nine players at a table"),
        "over.svg": still(over(), "The end of a game"),
    }


def main(argv: Sequence[str]) -> int:
    """The command; its exit code."""
    folder = Path(argv[0]) if argv else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pictures().items():
        (folder / name).write_text(text, "utf-8")
        sys.stdout.write(f"{folder / name}: {len(text.encode())} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
