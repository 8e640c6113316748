"""The pictures of the README."""

from xml.etree import ElementTree

import pytest

from tests.helpers import film, moments
from tests.helpers.vector import moving, still

MAX_BYTES = 300_000
NAMES = ("round", "lobby", "nine", "over")


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_shows_every_picture_and_each_is_small(name: str) -> None:
    path = film.FOLDER / f"{name}.svg"
    assert len(path.read_bytes()) < MAX_BYTES
    ElementTree.parse(path)
    assert f"tests/pictures/{name}.svg" in (film.FOLDER.parents[1] / "README.md").read_text("utf-8")


def test_a_moving_picture_begins_with_its_first_frame_and_adds_what_differs() -> None:
    frames = list(moments.a_round())
    text = moving(frames, "A <round>")
    root = ElementTree.fromstring(text)
    groups = [node for node in root.iter() if node.tag.endswith("}g")]
    assert len(groups) == len(frames) - 1 and "YOUR HAND" in text and "YOU WERE" in text
    assert len(text) < sum(len(still(each.sheet, "One")) for each in frames) / 3


def test_in_the_round_that_is_shown_nothing_tells_the_end_before_the_end() -> None:
    frames = [
        "\n".join(row.strip().text for row in frame.sheet.rows) for frame in moments.a_round()
    ]
    stamped = next(at for at, text in enumerate(frames) if "YOU WERE" in text)
    assert stamped == len(frames) - 2 and "Krona loses a coin" in frames[-1]
    assert not any("Krona loses a coin" in text for text in frames[:stamped])
