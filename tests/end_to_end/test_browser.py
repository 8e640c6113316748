"""People who scan a code and play with a real browser, by the large buttons of its page alone."""

from __future__ import annotations

import signal
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from cryptography.exceptions import InvalidTag
from playwright.async_api import expect

from spoof_tui.door.folders import read_word
from spoof_tui.door.web_handshake import KEY
from tests.end_to_end import markers
from tests.end_to_end.browsers import (
    ESCAPE,
    TALK,
    TURNED,
    UPRIGHT,
    Browsers,
    Telephone,
    Wire,
    button,
    chromium_in,
    needs_chromium,
    scanned,
)
from tests.end_to_end.callers import Door
from tests.end_to_end.homes import Home, assert_one_story
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.player import KeyPlayer, Screen, play
from tests.helpers.pty import Terminal
from tests.spoof_tui.door.pages import listening

pytestmark = needs_chromium

OBSTACLE: Final = why_not()

SMALL: Final = 360, 640

COVERED: Final = (
    "[...document.querySelectorAll('#buttons button')].filter(b => { if (!b.offsetWidth) return"
    " false; const {left, right, top, bottom} = b.getBoundingClientRect();"
    " return [top + 4, bottom - 4].some(y => !b.contains(document.elementFromPoint("
    "(left + right) / 2, y))) }).map(b => b.textContent)"
)
"""The labels of buttons that another one lies over."""

OFFLINE: Final = 30.0
"""Seconds: a train in a tunnel."""

BACKGROUND: Final = 60.0
"""Seconds in which somebody answers a message."""


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    with Browsers() as browsers:
        yield browsers


@pytest.fixture
def door(state: Path) -> Iterator[Door]:
    with ExitStack() as stack:
        yield Door(state, stack)


def page_of(host: Terminal) -> str:
    """The address to scan, from the invitation."""
    host.send("a")
    host.wait_until(lambda shown: scanned(shown.text()) != "")
    address = scanned(host.text())
    host.send("\x1b")
    host.wait_gone("and the code")
    return address


def assert_can_be_tapped(telephone: Telephone) -> None:
    """Every button is as large as a finger, whole, inside the window, and on top."""
    sizes = telephone.run(
        telephone.tab.evaluate(
            "Array.from(document.querySelectorAll('#buttons button')).filter(b => b.offsetWidth)"
            ".map(b => [b.offsetWidth, b.offsetHeight, b.scrollWidth - b.clientWidth, innerHeight -"
            " b.getBoundingClientRect().bottom, innerWidth - b.getBoundingClientRect().right,"
            " b.scrollHeight - b.clientHeight])"
        )
    )
    assert sizes
    for wide, high, cut, below, beside, hidden in sizes:
        assert wide >= 44 and high >= 44 and cut <= 0 and below >= 0 and beside >= 0 and hidden <= 0
    assert telephone.run(telephone.tab.evaluate(COVERED)) == []


def peeked(text: str, name: str) -> str:
    """The seat of a player who looks into the own fist; empty if nobody does."""
    is_peeking = markers.is_peeking(text)
    return text.partition(f"{name} @")[2].partition("\n──")[0] if is_peeking else ""


def assert_seat_and_hand(telephone: Telephone, name: str, hand: int) -> None:
    """The seated player, with this many coins in the fist, as shown while the button is held."""
    telephone.wait(f"{name} @")
    # News may come in between, and has to be read first.
    telephone.wait_until(lambda shown: "hold to peek" in shown.text() or shown.send("u"))
    with telephone.peeking():
        # The hand is drawn a moment after the words that say whose it is.
        telephone.wait_until(lambda shown: str(hand) in peeked(shown.text(), name))
    telephone.wait_until(lambda shown: not markers.is_peeking(shown.text()))
    telephone.wait_until(lambda shown: not markers.is_peeking(shown.page_text()))


def hide(telephone: Telephone, hand: int) -> None:
    telephone.wait(markers.HAND)
    telephone.press(str(hand))
    telephone.wait_until(lambda shown: markers.HAND not in shown.text())


def test_one_key_of_a_host_pressed_twice_shows_what_a_telephone_scans(
    state: Path, browsers: Browsers
) -> None:
    with Home.make(state, "Anna").start("host", "--port", "0") as host:
        host.wait(markers.ALONE)
        bo = browsers.telephone()
        host.send("a")
        host.wait("Press a again")
        bo.sit(page_of(host), "Bo")
        bo.wait(markers.READY)
        host.wait(markers.taken(2))


def test_three_people_of_whom_two_scanned_play_a_game(door: Door, browsers: Browsers) -> None:
    address = page_of(door.host)
    bo, cy = browsers.telephone(UPRIGHT), browsers.telephone(TURNED)
    for telephone, name in ((bo, "Bo"), (cy, "Cy")):
        telephone.sit(address, name)
        telephone.wait(markers.READY)
        assert_can_be_tapped(telephone)
    door.host.wait(markers.taken(3))
    door.host.wait_until(
        lambda shown: all(shown.text().count(f"{name} @") == 1 for name in ("Bo", "Cy"))
    )
    everybody: tuple[Screen, ...] = (door.host, bo, cy)
    players = [KeyPlayer(each, seed) for seed, each in enumerate(everybody, 3)]
    play(*players, timeout=100)
    assert_one_story(door.anna, *door.homes())
    for telephone in (bo, cy):
        told = telephone.told()
        assert any("wins." in line or line == "You win the game." for line in told)
        assert any(line.startswith("Round ") for line in told)
        assert telephone.errors == []


@pytest.mark.parametrize("size", [SMALL, TURNED], ids=["small", "turned"])
def test_every_button_of_a_visit_in_ukrainian_can_be_read_and_tapped(
    door: Door, browsers: Browsers, size: tuple[int, int]
) -> None:
    bo = browsers.telephone(size, locale="uk-UA")
    bo.sit(page_of(door.host), "Bo")
    bo.press("r")
    door.host.send("r")
    bo.press("3")
    door.host.wait(markers.HAND)
    for screen in ("j", "w", "o", "v", "q"):
        bo.press(screen)
        bo.wait_until(lambda shown: shown.run(shown.tab.locator("#dots").is_hidden()))
        assert_can_be_tapped(bo)
        if screen != "q":
            bo.press(ESCAPE)
            bo.run(expect(bo.tab.locator("#dots")).to_be_visible())
            bo.tap("#dots")
            assert_can_be_tapped(bo)
            word = bo.tab.locator("#back b")
            assert bo.run(word.evaluate("word => word.getClientRects().length")) == 1
            bo.tap("#dots")
    bo.press("\r")
    bo.run(expect(bo.tab.locator(button("u"))).to_be_attached())
    bo.run(expect(bo.tab.locator("#dots")).to_be_visible())
    assert_can_be_tapped(bo)
    bo.tap("#dots")
    assert_can_be_tapped(bo)
    bo.tap("#dots")
    bo.press("g")
    bo.run(expect(bo.tab.locator(button("k"))).to_be_attached())
    bo.tap("#dots")
    assert_can_be_tapped(bo)


def test_a_page_that_waits_for_its_table_says_so(door: Door, browsers: Browsers) -> None:
    bo = browsers.telephone()
    with Wire(browsers, page_of(door.host)) as wire:
        bo.run(bo.tab.goto(wire.address))
        wire.silence(is_silent=True)
        bo.run(bo.tab.fill("#name", "Bo"))
        bo.tap("#sit")
        bo.reads("Joining")
        wire.silence(is_silent=False)
        bo.wait(markers.READY)


def test_the_golden_button_of_a_dialog_takes_along_what_was_typed(
    door: Door, browsers: Browsers
) -> None:
    address, bo = page_of(door.host), browsers.telephone()
    word, _dot, code = address.rpartition(".")
    bo.sit(word, "Bo")
    bo.wait(markers.CODE_ASKED)
    bo.wait_until(lambda shown: shown.is_typing())
    bo.run(bo.tab.fill("#line", code))
    bo.press("\r")
    bo.wait(markers.READY)


def test_what_a_program_copies_is_copied_on_the_telephone(door: Door, browsers: Browsers) -> None:
    bo = browsers.telephone()
    bo.sit(page_of(door.host), "Bo")
    bo.wait(markers.READY)
    bo.tap("#dots")
    noted = "addEventListener('copy', () => { window.copied = document.activeElement.value })"
    bo.run(bo.tab.evaluate(noted))
    asked = b64encode("Бо виграє ★".encode()).decode()
    bo.run(bo.tab.evaluate("asked => term.write(`\\x1b]52;c;${asked}\\x07`)", asked))
    bo.wait_until(lambda shown: shown.run(shown.tab.evaluate("window.copied")) == "Бо виграє ★")
    assert bo.errors == []


def test_seat_and_hand_outlive_a_reload_and_a_lost_network_that_carried_nothing_in_clear(
    door: Door, browsers: Browsers
) -> None:
    bo = browsers.telephone()
    with Wire(browsers, page_of(door.host)) as wire:
        lose_and_come_back(door, bo, wire)
    clear = b"YOUR HAND", b"peek", b"Anna", b'"id"', door.code.encode()
    frames = wire.frames()
    assert sum(map(len, frames)) > 2000
    assert not [word for word in clear for data in frames if word in data]
    assert_nothing_to_read(wire, wire.word)
    assert_sealed(bo)


def assert_nothing_to_read(wire: Wire, word: str) -> None:
    """Not even for who has the word."""
    talks = [talk for talk in wire.talks() if all(talk)]
    assert len(talks) > 1
    for (hello, *_said), (offer, *_heard) in talks:
        for channel in listening(word, offer, hello):
            with pytest.raises(InvalidTag):
                channel.open(hello[KEY:])


def assert_sealed(telephone: Telephone) -> None:
    """The secret of the browser is in nothing that it keeps."""
    secret = telephone.run(telephone.tab.evaluate("link.secret"))
    kept = telephone.kept()
    assert len(read_word(secret)) == len(secret) == 14 and len(kept) == 2
    hidden = secret, secret.encode().hex()
    assert not [word for word in hidden for each in kept.items() if word in "".join(each)]


def lose_and_come_back(door: Door, bo: Telephone, wire: Wire) -> None:
    bo.sit(wire.address, "Bo")
    bo.wait(markers.READY)
    bo.press("r")
    door.host.send("r")
    hide(bo, 3)
    assert_seat_and_hand(bo, "Bo", 3)
    bo.run(bo.tab.reload())
    assert_seat_and_hand(bo, "Bo", 3)
    wire.cut(is_cut=True)
    bo.reads("No connection")
    door.host.wait_until(lambda shown: markers.is_away(shown.text()))
    wire.cut(is_cut=False)
    assert_seat_and_hand(bo, "Bo", 3)
    door.host.wait_until(lambda shown: not markers.is_away(shown.text()))


def test_who_types_the_new_address_of_a_host_keeps_seat_and_hand(
    door: Door, browsers: Browsers
) -> None:
    address, bo = page_of(door.host), browsers.telephone()
    with Wire(browsers, address) as before:
        seated_with_a_hand(door, bo, before.address)
        before.cut(is_cut=True)
        bo.reads("The host may have another address now")
        bo.run(bo.tab.fill("#address", "127.0.0.3"))
        bo.tap("#go")
        bo.reads("Nobody answers at that address.")
        with Wire(browsers, address, "127.0.0.2", before.port):
            # As a keyboard of digits may have it.
            bo.run(bo.tab.fill("#address", "127,0,0,2"))
            bo.tap("#go")
            assert_seat_and_hand(bo, "Bo", 3)
            assert_has_taken_its_key_along(bo, before.port)
            assert "Bo 2" not in door.host.text()
            bo.run(bo.tab.reload())
            assert_plays_on(door, bo)


@pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")
def test_a_telephone_goes_with_a_host_that_gets_another_address(state: Path) -> None:
    with Bridge(2) as bridge, ExitStack() as stack:
        browsers = stack.enter_context(Browsers(chromium_in(bridge.name(2), state)))
        door = Door(state, stack, netns=bridge.name(1))
        bo = browsers.telephone()
        seated_with_a_hand(door, bo)
        there = bridge.readdress(1, 77)
        bo.reads("The host may have another address now")
        assert f"//{there}:" in page_of(door.host)
        bo.run(bo.tab.fill("#address", there))
        bo.tap("#go")
        assert_seat_and_hand(bo, "Bo", 3)
        assert "Bo 2" not in door.host.text()
        assert_plays_on(door, bo)


def test_who_types_the_word_to_come_back_in_another_browser_keeps_seat_and_hand(
    door: Door, browsers: Browsers
) -> None:
    address, bo = page_of(door.host), browsers.telephone()
    seated_with_a_hand(door, bo, address)
    word = bo.word()
    bo.close()
    door.host.wait_until(lambda shown: markers.is_away(shown.text()))
    again = browsers.telephone()
    again.sit(address, "Bo")
    again.wait("Were you Bo?")
    again.press("q")
    again.wait("on this network")
    again.press("q")
    again.reads("You have left.")
    again.tap("#come")
    again.run(again.tab.fill("#comeback", word[:-1]))
    again.tap("#sit")
    again.reads("twelve letters")
    again.run(again.tab.fill("#comeback", word.lower()))
    again.tap("#sit")
    assert_seat_and_hand(again, "Bo", 3)
    assert again.errors == []


def assert_has_taken_its_key_along(telephone: Telephone, port: int) -> None:
    """It is at the new address, in whose bar is no key."""
    where = str(telephone.run(telephone.tab.evaluate("location.href")))
    assert where.startswith(f"http://127.0.0.2:{port}/#")
    assert "~" not in where and "Bo" not in where


def test_a_browser_that_keeps_nothing_plays_and_is_told_what_that_costs(
    door: Door, browsers: Browsers
) -> None:
    bo = browsers.telephone()
    blocked = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('no') }})"
    bo.run(bo.context.add_init_script(blocked))
    bo.run(bo.tab.goto(page_of(door.host)))
    safe = bo.tab.locator("#safe")
    bo.run(expect(safe).to_contain_text("a reload will lose your seat"))
    bo.run(bo.tab.fill("#name", "Bo"))
    bo.tap("#sit")
    bo.wait(markers.READY)
    assert bo.errors == []


def seated_with_a_hand(door: Door, bo: Telephone, address: str = "") -> None:
    """Bo sits, and has hidden three coins; the host has not hidden any yet."""
    bo.sit(address or page_of(door.host), "Bo")
    bo.wait(markers.READY)
    bo.press("r")
    door.host.send("r")
    hide(bo, 3)
    door.host.wait(markers.HAND)


def assert_plays_on(door: Door, bo: Telephone) -> None:
    """The round goes on where it was."""
    assert_seat_and_hand(bo, "Bo", 3)
    door.host.send("1")
    play(KeyPlayer(door.host, 3), KeyPlayer(bo, 4))
    assert_one_story(door.anna, *door.homes())
    assert bo.errors == []


def test_a_page_that_its_browser_has_frozen_is_away_and_comes_back(
    door: Door, browsers: Browsers
) -> None:
    bo = browsers.telephone()
    seated_with_a_hand(door, bo)
    with bo.in_background(is_locked=False):
        door.host.wait_until(lambda shown: markers.is_away(shown.text()))
    assert_seat_and_hand(bo, "Bo", 3)
    door.host.wait_until(lambda shown: not markers.is_away(shown.text()))


@pytest.mark.long
@pytest.mark.timeout(240)
def test_half_a_minute_offline_costs_neither_seat_nor_hand(door: Door, browsers: Browsers) -> None:
    bo = browsers.telephone()
    seated_with_a_hand(door, bo)
    lost = time.monotonic()
    bo.offline(is_offline=True)
    bo.reads("No connection")
    door.host.wait_until(lambda shown: markers.is_away(shown.text()))
    time.sleep(max(0.0, lost + OFFLINE - time.monotonic()))
    bo.offline(is_offline=False)
    assert_plays_on(door, bo)


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("is_locked", [False, True], ids=["in the background", "locked"])
def test_a_minute_without_the_page_costs_neither_seat_nor_hand(
    door: Door, browsers: Browsers, is_locked: bool
) -> None:
    bo = browsers.telephone()
    seated_with_a_hand(door, bo)
    with bo.in_background(is_locked=is_locked):
        time.sleep(BACKGROUND)
    assert_plays_on(door, bo)


def test_a_page_that_nobody_looks_at_asks_for_attention(door: Door, browsers: Browsers) -> None:
    bo = browsers.telephone()
    bo.sit(page_of(door.host), "Bo")
    bo.wait(markers.READY)
    bo.press("r")
    # A key that is heard after the page was hidden shows that somebody is there.
    door.host.wait("1 ready")
    bo.hide(is_hidden=True)
    door.host.send("r")
    door.host.wait(markers.HAND)
    door.host.send("1")
    bo.is_titled("● Spoof: hide your coins")
    bo.hide(is_hidden=False)
    bo.is_titled("Spoof: hide your coins")
    hide(bo, 2)
    bo.press(TALK)
    bo.run(bo.tab.fill("#line", "quit? 3 c c"))
    bo.run(bo.tab.press("#line", "Enter"))
    door.host.wait("quit? 3 c c")


def test_no_button_types_a_letter_into_a_line_of_talk(door: Door, browsers: Browsers) -> None:
    bo = browsers.telephone()
    bo.sit(page_of(door.host), "Bo")
    bo.wait(markers.READY)
    ready = bo.tab.locator(button("r"))
    bo.press(TALK)
    bo.wait_until(lambda shown: shown.is_typing())
    bo.run(expect(ready).not_to_be_visible())
    bo.tap("#stop")
    bo.run(expect(ready).to_be_visible())


def test_a_wrong_code_is_said_and_asked_for_again(door: Door, browsers: Browsers) -> None:
    address = page_of(door.host)
    bo = browsers.telephone()
    bo.sit(f"{address.partition('#')[0]}#AAAA-CCCC-DDDD", "Bo")
    bo.reads("That code does not open this door.")
    bo.run(bo.tab.fill("#code", address.partition("#")[2].lower()))
    bo.tap("#sit")
    bo.wait(markers.READY)


def test_a_host_who_dies_and_comes_back_finds_the_telephones_at_the_table(
    door: Door, browsers: Browsers
) -> None:
    bo = browsers.telephone()
    seated_with_a_hand(door, bo)
    door.host.close(signal.SIGKILL)
    bo.reads("No connection")
    with door.anna.start("host", "--resume", "--web") as host:
        host.wait("Bo @")
        assert_seat_and_hand(bo, "Bo", 3)
        assert bo.errors == []


def test_a_page_says_that_the_door_is_closed_and_does_not_try_again(
    door: Door, browsers: Browsers
) -> None:
    bo = browsers.telephone()
    bo.sit(page_of(door.host), "Bo")
    bo.wait(markers.READY)
    door.host.send("q")
    door.host.wait(markers.LEAVE)
    door.host.send("\r")
    bo.reads("The host has closed the door.")
    bo.run(expect(bo.tab.locator("#sit")).to_be_visible())
