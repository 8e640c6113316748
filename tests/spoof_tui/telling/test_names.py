"""The names of seats, and foreign text in sentences."""

from __future__ import annotations

import re
from dataclasses import astuple, replace
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Leave, Sit
from protocol.views import view_of
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.telling.doors import brought
from spoof_tui.telling.findings import told
from spoof_tui.telling.names import NAME_CELLS, distinct, name_of, seat_names
from spoof_tui.text import i18n
from spoof_tui.ui.dialogs.help import help_page
from spoof_tui.visiting import WORD_VARIABLE
from tests.helpers.offenders import offenders
from tests.helpers.pages import on_a_page
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Story, signing_key

nasty = st.text(st.sampled_from("aA 2\x1b\u202e\u200d中e\u0301[/]"), min_size=1, max_size=20)


def named(*names: str) -> tuple[str, ...]:
    return distinct([ForeignText(name) for name in names])


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Maria", "Олена", "Jo"), ("Maria", "Олена", "Jo")),
        (("Ann", "Bob", "Ann", "Ann"), ("Ann", "Bob", "Ann 2", "Ann 3")),
        (("Ann", "Ann", "Ann 2", "Ann 2"), ("Ann", "Ann 2", "Ann 2 2", "Ann 2 3")),
    ],
)
def test_equal_names_are_numbered_and_nobody_can_take_the_number_of_another(
    names: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    assert named(*names) == shown


@given(st.lists(nasty | st.just("Maximiliana the Great"), min_size=1, max_size=9))
def test_names_are_safe_short_and_different(names: list[str]) -> None:
    shown = named(*names)
    assert all(name and name.isprintable() and cell_len(name) <= NAME_CELLS for name in shown)
    assert len(set(shown)) == len(names)


def test_everybody_who_ever_sat_has_one_name_everywhere() -> None:
    table = MemoryTable(2)
    table.add(name="Player1")
    view = table.clients[0].view
    assert [name_of(view, seat.key) for seat in view.seats] == list(seat_names(view))
    gone = table.clients[1]
    table.act(gone, gone.guest.propose(Leave()))
    view = table.clients[0].view
    assert "Player2" not in seat_names(view) and name_of(view, gone.guest.key) == "Player2"
    assert name_of(view, bytes(32)) == "?"


# Findings


TECHNICAL = re.compile(r"zeroconf|mdns|multicast|broadcast|\bport\b|probe|udp|tcp|порт", re.I)


def plain(code: Code, language: str) -> None:
    where = Address("192.168.1.20", 7763)
    evil = "\x1b]0;x\x07 9"
    finding = Finding(code, Severity.PROBLEM, where, ("wlan0",), 0.5, evil, machine=evil * 9)
    i18n.install(language)
    try:
        words = told(finding)
    finally:
        i18n.install("en")
    assert not TECHNICAL.search(words.means) and cell_len(words.means) <= 76
    assert all(astuple(words)) and "\x1b" not in "".join(map(str, astuple(words)))


def test_a_finding_is_told_in_plain_words_and_harmless_ones() -> None:
    assert offenders(plain, product(Code, i18n.LANGUAGES)) == []


OF_TWO_MACHINES: Final = (
    Code.SENDING_FORBIDDEN, Code.OWN_FIREWALL, Code.OWN_FIREWALL_BLOCKS_GUESTS, Code.FIREWALL_ON,
    Code.HOST_REFUSES, Code.HOST_SILENT,
)  # fmt: skip
"""What may be read aloud to somebody at the other of two machines."""


def names_the_machine(code: Code, language: str) -> None:
    there = Address("192.168.1.20", 7763)
    i18n.install(language)
    try:
        words = told(Finding(code, Severity.PROBLEM, there, machine="oak"))
    finally:
        i18n.install("en")
    name = "192.168.1.20" if code in (Code.HOST_REFUSES, Code.HOST_SILENT) else "oak"
    assert f"({name})" in f"{words.means} {words.todo}"


def test_what_is_wrong_on_one_of_two_machines_names_it() -> None:
    assert offenders(names_the_machine, product(OF_TWO_MACHINES, i18n.LANGUAGES)) == []


# By ssh, and over a fist


def test_who_has_no_key_is_shown_the_word_to_come_back_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(WORD_VARIABLE, "FGK3-JP6J-N3FR")
    story = Story(0).tell(0, Sit(ForeignText("Ann"), through_door=True))
    word, _sentence = brought(None, view_of(story.table, signing_key(0).public))
    assert word.endswith(": FGK3-JP6J-N3FR") and len(word) < 45, "a telephone held upright"
    assert word in help_page((), 78).plain


def test_who_scans_anew_is_asked_about_a_seat_of_the_same_name_that_is_away() -> None:
    story = Story(0).tell(0, Sit(ForeignText("Bo"), through_door=True))
    story.tell(1, Sit(ForeignText("Bo"), through_door=True))
    view = view_of(story.table, signing_key(1).public)
    first, mine = view.seats
    lost = replace(view, seats=(replace(first, away_since=1), mine))
    with on_a_page():
        assert any("Go back" in line for line in brought(None, lost))
        assert not any("Go back" in line for line in brought(None, view))
    assert not any("Go back" in line for line in brought(None, lost))
