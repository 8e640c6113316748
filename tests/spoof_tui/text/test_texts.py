"""Texts in files that depend on facts: the grammar, and that every language says the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spoof_tui.text.documents import FOLDER
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.text.texts import Point, Section, Texts, texts

NAMES = sorted({path.name.split(".")[0] for path in FOLDER.joinpath("texts").glob("*.md")})
SENTENCES = Section(
    "sentences", "", (Point("cap", (), "The cap is {cap}{high=yes: , which is much}."),)
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Nothing depends.", "Nothing depends."),
        ("{zero=first: First.}{zero=opening: Opening.}", "First."),
        ("One. {zero=opening: Not said.} Two.", "One. Two."),
        ("{cap!=none: At most {cap}.}{cap!=3: Not said.}", "At most 3."),
        ("It says: {=cap}", "It says: The cap is 3, which is much."),
    ],
)
def test_a_text_says_what_holds_under_its_facts(text: str, said: str) -> None:
    facts = {"zero": "first", "cap": 3, "high": "yes"}
    assert Texts([SENTENCES]).said(text, facts).replace(" ,", ",") == said


@pytest.mark.parametrize("text", ["{unknown=x: words}", "{unknown}", "{=unknown}"])
def test_a_fact_that_nobody_knows_is_a_fault(text: str) -> None:
    with pytest.raises(KeyError):
        Texts([SENTENCES]).said(text, {"known": "x"})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_language_has_the_same_points_and_asks_for_the_same_facts(
    name: str, language: str
) -> None:
    def shape(language: str) -> list[tuple[str, list[tuple[tuple[str, ...], list[str]]]]]:
        return [
            (each.name, [(point.facts, sorted(re.findall(r"\{[^:{}]*[:}]", point.text)))
                         for point in each.points])
            for each in texts(name, language).sections
        ]  # fmt: skip

    assert shape(language) == shape("en")


def test_every_file_of_texts_is_in_every_language() -> None:
    files = {path.name for path in Path(FOLDER, "texts").iterdir()}
    assert files == {f"{name}.{language}.md" for name in NAMES for language in LANGUAGES}
