"""Writes records: the text of a game, and the tags and names of its players."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from protocol.notation.lookalikes import skeleton
from protocol.notation.records import GameRecord, Header, RecordToken, RoundRecord
from protocol.notation.signs import (
    LONGEST_TAG,
    NOBODY,
    SHUT,
    SIGNS,
    TAKEN,
    UNFINISHED,
    Change,
    changes_of,
    chips_text,
    is_letter,
    is_tag,
    left_by,
    won_chips,
)
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import Stake
from protocol.rules.stakes import stake_of
from protocol.rules.words import Bid, Direction, Word

if TYPE_CHECKING:
    # A game needs seals; a command that only checks records does not.
    from protocol.encoding.untrusted import ForeignText
    from protocol.rules.game import Game, PlayedRound

LONGEST_NAME: Final = 64
"""Maximum characters of a name in a record; a seat at a table shows fewer."""

LONGEST_TEXT: Final = 1000
"""Maximum characters of a header that the program writes."""

_SIGN_OF: Final = {ending: sign for sign, ending in SIGNS.items()}
_APOSTROPHE: Final = re.compile("(?<=[^\\W\\d_])['\u2019](?=[^\\W\\d_])")
_LETTER_APOSTROPHE: Final = "\u02bc"
_MARKS: Final = 2
"""Maximum combining marks after one letter: enough for any living script."""


def write(record: GameRecord) -> str:
    """The text of a game: its headers, an empty line, and one line for each round.

    Reading it gives an equal record, and writing that gives the same text. Several games make one
    file, with an empty line between them.
    """
    lines = [f'[{header.name} "{_escaped(header.value)}"]' for header in record.headers]
    if record.rounds:
        lines += ["", *(each.text for each in record.rounds)]
    return "".join(f"{line}\n" for line in lines)


def record_of(game: Game, *, event: str, date: str) -> str:
    """The text of a game, finished or not, without the running round. `date` is written like
    2026-11-21."""
    return "\n".join(map(write, game_records(game, event=event, date=date)))


def game_records(game: Game, *, event: str, date: str) -> tuple[GameRecord, ...]:
    """The records of a game, finished or not; `date` is written like 2026-11-21.

    It is one record unless a seat was removed (G5). The notation has no word for that: the record
    ends there unfinished, with the tag of that seat in a header of its own, and another one begins
    with those who played on and the coins that they had. In the same way the record of a game that
    continues at a new table (G8) begins with the coins at that moment.
    """
    names = [reduced(player.name) for player in game.players]
    tags = tags_for(names)
    about = (Header("Event", _plain(event)), Header("Date", _plain(date)))
    called = [f"{tag}:{name or tag}" for tag, name in zip(tags, names, strict=True)]
    cuts = sorted({0, *game.removed.values(), len(game.past)})
    parts = [*pairwise(cuts)] or [(0, 0)]
    return tuple(
        GameRecord(
            (*about, *_headers(game, first, after, called, tags)),
            tuple(_round(n, played, tags) for n, played in enumerate(game.past[first:after], 1)),
        )
        for first, after in parts
    )


def _headers(
    game: Game, first: int, after: int, called: Sequence[str], tags: Sequence[str]
) -> Iterator[Header]:
    """The headers that describe the rounds from `first` to before `after` of a game."""
    started = game.past[first].words if first < after else None
    players = started.players if started else tuple(range(len(game.players)))
    yield Header("Rules", game.rules.text)
    yield Header("Seats", " ".join(called[seat] for seat in players))
    if (first or game.carried) and isinstance(started, BiddingRound):
        yield Header("Coins", " ".join(f"{tags[seat]}{started.coins[seat]}" for seat in players))
    if game.crap is not None and not first:
        yield Header("Crap", tags[game.crap])
    if not first and (silent := [tags[s] for s in players if game.players[s].key in game.silent]):
        yield Header("Silent", " ".join(silent))
    winner = game.past[-1].outcome.winner if after and after == len(game.past) else None
    yield from _stakes(game, first, after, players, tags)
    yield Header("Result", UNFINISHED if winner is None else tags[winner])
    if removed := [tags[seat] for seat, rounds in game.removed.items() if rounds == after]:
        yield Header("Removed", " ".join(removed))


def _stakes(
    game: Game, first: int, after: int, players: Sequence[int], tags: Sequence[str]
) -> Iterator[Header]:
    """The headers with what these players win and lose in the rounds from `first` to before `after`
    (S1, S2)."""
    stake, pot = stake_of(game.rules), len(game.players)
    winner = game.past[-1].outcome.winner if after and after == len(game.past) else None
    if stake is Stake.POT and len(players) < pot:
        yield Header("Pot", str(pot))
    if stake is Stake.POT and winner is not None:
        chips = won_chips((tags[seat] for seat in players), tags[winner], pot)
        yield Header("Chips", chips_text(chips))
    if stake is Stake.DRINKS:
        out = [played.outcome.went_out for played in game.past[:after]]
        went_before = game.out_before is not None or any(out[:first])
        paid = next((seats[0] for seats in out[first:] if seats), None)
        if went_before or paid is not None:
            yield Header("Paid", NOBODY if went_before or paid is None else tags[paid])


def reduced(name: ForeignText) -> str:
    """The part of a name that a record keeps: letters, digits, `_` for blanks, `-` and `.`; may be
    empty.

    Letters keep up to two combining marks, which many alphabets need; an apostrophe between letters
    becomes the letter apostrophe, which Ukrainian names need.
    """
    kept: list[str] = []
    for character in _APOSTROPHE.sub(_LETTER_APOSTROPHE, unicodedata.normalize("NFC", name.raw)):
        if character.isspace():
            kept.append("_")
        elif _is_kept(character) or (_is_mark(character) and _may_carry(kept[-_MARKS:])):
            kept.append(character)
    text = unicodedata.normalize("NFC", "".join(kept))
    return re.sub("_+", "_", text)[:LONGEST_NAME].strip("_")


def _is_kept(character: str) -> bool:
    return is_letter(character) or character.isdecimal() or character in "_-."


def _is_mark(character: str) -> bool:
    """Whether `character` is a visible combining mark: no joiner and no variation selector."""
    invisible = character == "\u034f" or unicodedata.name(character, "").find("VARIATION") >= 0
    return unicodedata.category(character) in ("Mn", "Mc") and not invisible


def _may_carry(last: Sequence[str]) -> bool:
    """Whether one more combining mark may follow `last`, the last characters of a name."""
    full = len(last) == _MARKS and all(map(_is_mark, last))
    return bool(last) and not full and (is_letter(last[-1]) or _is_mark(last[-1]))


def tags_for(names: Sequence[str]) -> tuple[str, ...]:
    """A tag for every name; no two look the same, even when case is ignored."""
    tags: list[str] = []
    taken: set[str] = set()
    for name in names:
        tag = next(tag for tag in _candidates(name) if skeleton(tag).casefold() not in taken)
        taken.add(skeleton(tag).casefold())
        tags.append(tag)
    return tuple(tags)


def _candidates(name: str) -> Iterator[str]:
    """Tags for one name, the best first: its beginning, its first letter with another, then A to
    Z."""
    letters = [character for character in name if _makes_tags(character)]
    if letters:
        first = letters[0].upper()
        letters[0] = first if is_tag(first) and len(first) == 1 else letters[0]
        yield from ("".join(letters[:length]) for length in range(1, LONGEST_TAG + 1))
        yield from (letters[0] + other for other in letters[2:])
    yield from map(chr, range(ord("A"), ord("Z") + 1))


def _makes_tags(character: str) -> bool:
    return is_letter(character) and unicodedata.category(character) != "Lm"


def _round(number: int, played: PlayedRound, tags: Sequence[str]) -> RoundRecord:
    said, outcome = played.words, played.outcome
    words = (
        [(seat, _sign(word)) for seat, word in said.words]
        if isinstance(said, BiddingRound)
        else [(call.seat, f"{call.number}{TAKEN if call.taken else ''}") for call in said.calls]
    )
    hands = [(seat, str(played.hands.get(seat, SHUT))) for seat in said.players]
    turned = said.direction is Direction.COUNTER_CLOCKWISE

    def tokens(signs: Iterable[Change]) -> tuple[RecordToken, ...]:
        return tuple(RecordToken(tags[seat], sign) for seat, sign in signs)

    return RoundRecord(
        number,
        tokens(words),
        tokens(hands),
        tokens(changes_of(outcome)),
        tokens(left_by(said, outcome)),
        Direction.COUNTER_CLOCKWISE if turned else None,
    )


def _sign(word: Word) -> str:
    return str(word.number) if isinstance(word, Bid) else _SIGN_OF[word]


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _plain(text: str) -> str:
    """Free text for a header: one line of visible characters only."""
    blank = "".join(" " if character.isspace() else character for character in text)
    drawn = "".join(character for character in blank if character.isprintable())
    return " ".join(drawn.split())[:LONGEST_TEXT].rstrip()
