"""The page of a door in a real browser: what is sealed there opens here, and the other way."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import async_playwright, expect

from spoof_tui.door.visitors import Visitor
from spoof_tui.door.web_leaf import WebLeaf, page
from spoof_tui.ui.acts.table_keys import buttons

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Debian's chromium")


class Full:
    """A door that notes who comes, and has no room for anybody."""

    def __init__(self) -> None:
        self.came: list[Visitor] = []

    def enter(self, visitor: Visitor) -> int | None:
        self.came.append(visitor)
        return None


async def test_a_scan_brings_name_code_and_the_same_person_again() -> None:
    door = Full()
    leaf = WebLeaf(door, "ABCD-EFGH-JKLM", page(list(buttons())))  # type: ignore[arg-type]
    port = await leaf.open(0)
    try:
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            tab = await browser.new_page(viewport={"width": 390, "height": 844})
            await tab.goto(f"http://127.0.0.1:{port}/#ABCD-EFGH-JKLM.K7M4Q")
            await tab.fill("#name", "Ann")
            await tab.click("#sit")
            await expect(tab.locator("#news")).to_contain_text("Too many visitors")
            boxes = [await each.bounding_box() for each in await tab.locator("nav button").all()]
            await tab.reload()
            await expect(tab.locator("#news")).to_contain_text("Too many visitors")
            await browser.close()
    finally:
        await leaf.close()
    assert [(each.name, each.code) for each in door.came] == [("Ann", "K7M4Q")] * 2
    assert door.came[0].key == door.came[1].key
    assert boxes and all(box and min(box["width"], box["height"]) >= 44 for box in boxes)
