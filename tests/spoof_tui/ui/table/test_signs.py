"""Every sign on a table is explained while it is there, and only then."""

from __future__ import annotations

import pytest

from spoof_tui.telling.doors import MARK
from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.table.dialogs.signs import signs_on_show
from tests.helpers.moments import sheet
from tests.helpers.states import scenes

SIGNS = glyphs()


def on_show(name: str) -> str:
    """The felt and what is below it, in a terminal where all of it is drawn."""
    return "\n".join("".join(row.letters) for row in sheet(scenes()[name], (80, 24)).rows)


@pytest.mark.parametrize("name", sorted(scenes()))
def test_every_sign_on_the_felt_is_explained_and_no_other(name: str) -> None:
    scene, shown = scenes()[name], on_show(name)
    told = [line.label for line in signs_on_show(scene)]
    for sign, label in (
        (SIGNS.mark, SIGNS.mark), (SIGNS.pointer, SIGNS.pointer), (f" {MARK}", MARK),
        (f"{SIGNS.sealed} sealed ", SIGNS.sealed), ("no gloat", "no gloat"), ("pot ", "pot"),
        ("lost ", "lost"), (SIGNS.star, SIGNS.star), (SIGNS.lost, SIGNS.lost),
        (SIGNS.no_coin, SIGNS.no_coin),
    ):  # fmt: skip
        if sign in shown:
            assert label in told, (sign, shown)
    assert len(told) == len(set(told))
    for label in set(told) & {
        SIGNS.no_coin,
        SIGNS.coin,
        SIGNS.lost,
        SIGNS.pointer,
        SIGNS.sealed,
        MARK,
    }:
        assert label in shown, (label, shown)
