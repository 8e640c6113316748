"""The search of the manual: `questions.txt` has what players ask, and what must come first."""

from pathlib import Path
from typing import Final

import pytest

from spoof_tui.text.documents import page, text_of
from spoof_tui.text.search import Passage, search

LINES: Final = Path(__file__).with_name("questions.txt").read_text("utf-8").splitlines()
QUESTIONS: Final = [line.split(" = ") for line in LINES if not line.startswith("#")]


def told(passage: Passage, language: str) -> str:
    """Its page, and its heading or what comes first below it."""
    first = [passage.heading] if passage.heading else []
    said = " / ".join(text_of(block) for block in (*first, *passage.blocks[:1]))
    return f"{page(passage.topic, language).names[0]}: {said}"


@pytest.mark.parametrize(("question", "answer"), QUESTIONS)
def test_the_answer_to_a_question_comes_first(question: str, answer: str) -> None:
    language = "en" if question.isascii() else "uk"
    topic, _, piece = answer.partition(": ")
    first = told(search(question, language)[0], language)
    assert first.startswith(f"{topic}: ") and piece in first


def test_a_word_is_no_part_of_another_where_it_stands_by_itself() -> None:
    texts = [text_of(block).casefold() for each in search("bot", "en") for block in each.blocks]
    assert not any("both" in text and "bot " not in text and "bots" not in text for text in texts)
    assert search("otspo", "en")[0].heading == search("hotspot", "en")[0].heading


def test_blocks_that_fit_much_worse_than_the_best_one_are_left_out() -> None:
    assert len(search("can two of us play on one laptop", "en")[0].blocks) == 1
    assert len(search("two", "en")[0].blocks) > 1


def test_words_that_nobody_says_find_nothing() -> None:
    assert search("poker", "en") == [] and search("", "en") == []


def test_three_letters_may_begin_a_word_but_are_no_other_part_of_one() -> None:
    assert search("oof", "en") == [] and search("cle", "en")[0].topic == "files"


def test_news_comes_after_the_page_that_says_the_same_unless_asked_for() -> None:
    assert search("екран", "uk")[0].topic != "changes"
    assert search("changelog", "en")[0].topic == "changes"
