"""Coins, pebbles and buttons: every sentence about coins, as a table says it in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po

from spoof_tui.text import i18n
from spoof_tui.text.coin_words import COINS, respelt
from spoof_tui.text.i18n import CATALOGUES, DOMAIN, _, ngettext, pgettext

TOKENS = ("pebbles", "buttons")


@pytest.fixture(autouse=True)
def _coins_again() -> Iterator[None]:
    yield
    i18n.play_with(COINS)
    i18n.install("en")


def sentences(language: str) -> list[str]:
    """Every sentence of the program in a language."""
    with (CATALOGUES / "uk" / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    told = [message.id if language == "en" else message.string for message in messages]
    return [text for each in told for text in ([each] if isinstance(each, str) else each or ())]


@pytest.mark.parametrize(
    ("text", "pebbles", "buttons"),
    [
        ("You lose a coin.", "You lose a pebble.", "You lose a button."),
        ("Hide 0 to {coins} of your coins.", "Hide 0 to {coins} of your pebbles.",
         "Hide 0 to {coins} of your buttons."),
        ("Three Coins", "Three Coins", "Three Coins"),
        ("the coins’ {coin}", "the pebbles’ {coin}", "the buttons’ {coin}"),
    ],
)  # fmt: skip
def test_in_english_a_coin_is_a_pebble_or_a_button(text: str, pebbles: str, buttons: str) -> None:
    assert (respelt(text, "pebbles", "en"), respelt(text, "buttons", "en")) == (pebbles, buttons)


@pytest.mark.parametrize(
    ("text", "pebbles", "buttons"),
    [
        ("Ви втрачаєте монету.", "Ви втрачаєте камінець.", "Ви втрачаєте ґудзик."),
        ("усі монети в кулаках", "усі камінці в кулаках", "усі ґудзики в кулаках"),
        ("Скільки монет?", "Скільки камінців?", "Скільки ґудзиків?"),
        ("на одну монету більше", "на один камінець більше", "на один ґудзик більше"),
        ("лише однієї монети у", "лише одного камінця у", "лише одного ґудзика у"),
        ("не втрачає монети", "не втрачає камінця", "не втрачає ґудзика"),
        ("втрачає по монеті", "втрачає по камінцю", "втрачає по ґудзику"),
        ("Моя монета!", "Мій камінець!", "Мій ґудзик!"),
        ("Три Монетки", "Три Монетки", "Три Монетки"),
    ],
)
def test_in_ukrainian_it_is_declined_and_what_stands_before_it_agrees(
    text: str, pebbles: str, buttons: str
) -> None:
    assert (respelt(text, "pebbles", "uk"), respelt(text, "buttons", "uk")) == (pebbles, buttons)


@pytest.mark.parametrize(
    ("count", "pebbles", "buttons"),
    [(1, "камінець", "ґудзик"), (3, "камінці", "ґудзики"), (7, "камінців", "ґудзиків"),
     (21, "камінець", "ґудзик")],
)  # fmt: skip
def test_the_plural_forms_of_ukrainian_are_kept(count: int, pebbles: str, buttons: str) -> None:
    i18n.install("uk")
    for token, form in zip(TOKENS, (pebbles, buttons), strict=True):
        i18n.play_with(token)
        text = ngettext("{count} coin in play.", "{count} coins in play.", count)
        assert f" {count} {form}." in text.format(count=count)


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize(("language", "coin"), [("en", r"\bcoins?\b"), ("uk", r"\bмонет(?!к)")])
def test_no_sentence_speaks_of_coins_where_there_are_none(
    token: str, language: str, coin: str
) -> None:
    for text in sentences(language):
        told = respelt(text, token, language)
        places = re.findall(r"{\w+}", text)
        assert re.findall(r"{\w+}", told) == places
        told = re.sub(r"{\w+}|Three Coins", "", told)
        assert not re.search(coin, told, re.IGNORECASE), told


def test_a_table_decides_what_every_sentence_says() -> None:
    i18n.play_with("buttons")
    assert _("You lose a coin.") == "You lose a button."
    assert pgettext("token", "coins") == "coins"
    i18n.play_with(COINS)
    assert _("You lose a coin.") == "You lose a coin."
