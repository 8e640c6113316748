"""The questions about a new table: one row for the dialog, plain lines and `spoof host`."""

from __future__ import annotations

import contextlib
from dataclasses import fields

from protocol.rules.options import PRESETS
from spoof_tui.acts.table_form import FORM, TableForm
from spoof_tui.commands import host
from spoof_tui.plain.lobby import table_form
from tests.spoof_tui.ui.lobbies import Lobby

OF_ITSELF = {"name", "rules"}
"""Fields that are asked in their own way everywhere."""


def test_every_field_of_a_new_table_is_asked_for_once() -> None:
    assert sorted([each.field for each in FORM]) == sorted(
        {field.name for field in fields(TableForm)} - OF_ITSELF
    )


async def test_a_row_is_a_line_of_the_dialog_a_plain_question_and_an_option_of_host() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.press("n", "down", "down", "1", "end", "enter")
        for row in FORM:
            assert await app.sees(pilot, row.label()), row.field
    form = table_form("Olha", PRESETS["hollywood"])
    asked = [next(form)]
    with contextlib.suppress(StopIteration):
        for answer in ("", "", "", "1", "", "2", *("" for _each in FORM)):
            asked.append(form.send(answer))
    questions = " ".join(line for lines in asked for line in lines)
    told = host.parser().format_help()
    for row in FORM:
        assert row.label() in questions and row.flag in told, row.field
