"""What is offered in numbered lines, and chosen by a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that is chosen by its number."""

    words: str
    """What it is, without a full stop."""
    do: Callable[[], None]


def offer_lines(head: str, offers: Sequence[Offer]) -> list[str]:
    """What there is to choose from, numbered from 1."""
    return [head, *(f"{number}: {each.words}." for number, each in enumerate(offers, 1))]


def chosen(typed: str, offers: Sequence[Offer]) -> bool:
    """Do what a number stands for; False if there is no such number."""
    number = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else 0
    if not 0 < number <= len(offers):
        return False
    offers[number - 1].do()
    return True
