"""What the table shows in the guessing game: calls, attempts, the running total, and the drinks."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from rich.style import Style

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import ATTEMPTS, Call, GuessingRound
from protocol.table.fold import Phase
from protocol.views import SeatStatus, TableView
from spoof_tui.telling.outcomes import outcome_for
from spoof_tui.telling.pressing import press
from spoof_tui.telling.sentences import drink_name
from spoof_tui.telling.titles import call_name, call_words
from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.table.felt.centre import Centre, Track
from spoof_tui.ui.table.felt.seat import INFO_WIDTH, SeatPicture, tally
from spoof_tui.ui.table.felt.tone import Tone, tone_of


def struck() -> Style:
    """The style of a call that does not count: struck through."""
    return Style(color=palette.BAD, strike=True)


# The seats


def with_call(picture: SeatPicture, calls: Sequence[Call], index: int) -> SeatPicture:
    """The picture of seat `index` with its last call or, if that was taken, its failed attempts
    (H8)."""
    picture = replace(picture, coins=0, note=_note(picture))
    own = [call for call in calls if call.seat == index]
    if not own:
        return picture
    last = own[-1]
    if last.taken:
        said, small = str(last.number), f" {len(own)}/{ATTEMPTS}"
        return replace(picture, said=said, said_tone=Tone.STRUCK, small=small)
    return replace(picture, said=str(last.number), said_tone=Tone.BUBBLE)


def _note(picture: SeatPicture) -> str:
    return _("safe") if picture.note == _("out") else picture.note


def with_tally(picture: SeatPicture, drinks: int) -> SeatPicture:
    """The picture of a seat with the drinks on its slate in place of the coins."""
    return replace(picture, coins=0, tally=tally(drinks, INFO_WIDTH))


def with_count(
    picture: SeatPicture, played: PlayedRound, said: GuessingRound, index: int, is_counted: bool
) -> SeatPicture:
    """The picture of seat `index` with its call during a count.

    The call is struck through if the seat's own open hand makes it impossible.
    """
    call = said.called.get(index)
    picture = replace(picture, coins=0, note=_note(picture), said="")
    if call is None:
        return picture
    tone = Tone.BUBBLE
    if picture.hand is not None and not said.is_possible(call, picture.hand):
        tone = Tone.STRUCK
    picture = replace(picture, said=str(call), said_tone=tone)
    return _judged(picture, played, index) if is_counted else picture


def _judged(picture: SeatPicture, played: PlayedRound, index: int) -> SeatPicture:
    outcome = played.outcome
    if index in outcome.went_out:
        return replace(
            picture, said_tone=Tone.YES, note=_("leaves"), note_tone=Tone.YES, faint=False
        )
    if outcome.winner == index:
        return replace(picture, note=_("pays"), note_tone=Tone.MARK)
    if index in outcome.fined:
        return replace(picture, note=pgettext("a player", "fined"), note_tone=Tone.NO)
    return picture


# The column of calls


def call_look(call: Call, played: PlayedRound | None, hands: Container[int]) -> Style:
    """The style of a call, which is struck through once an open fist makes it impossible.

    `hands` are the seats whose fists are open; `played` is None before the count.
    """
    if call.taken:
        return struck()
    if played is None or not isinstance(played.words, GuessingRound) or call.seat not in hands:
        return palette.BOLD
    if not played.words.is_possible(call.number, played.hands[call.seat]):
        return struck()
    is_last = all(seat in hands for seat in played.hands)
    is_right = is_last and call.number == played.outcome.total
    return Style(color=palette.GOOD, bold=True) if is_right else palette.BOLD


# The middle of the table


def centre_of_calls(view: TableView, names: Sequence[str]) -> Centre:
    """The middle of the table while players call: the last call, large and by name."""
    stands = [call for call in view.calls if not call.taken]
    track = Track(view.most)
    if not stands:
        first = names[view.starter] if view.starter is not None else ""
        return Centre(above=_("{name} calls first").format(name=first), track=track)
    last = stands[-1]
    said = call_name(last.number)
    return Centre(
        number=last.number,
        above=said or _("called, of {most}").format(most=view.most),
        sentence=_("{name} calls {call}").format(
            name=names[last.seat], call=call_words(last.number)
        ),
        track=Track(view.most, mark=last.number or None),
    )


def centre_of_count(
    played: PlayedRound,
    opened: Sequence[int],
    is_counted: bool,
    names: Sequence[str],
    me: int | None,
) -> Centre:
    """The middle of the table during a count: the running total, and at the end who was right."""
    total = sum(played.hands[seat] for seat in opened)
    track = Track(played.words.most, filled=total)
    if not is_counted:
        running = " + ".join(str(played.hands[seat]) for seat in opened) if len(opened) > 1 else ""
        return Centre(number=total, above=_("the fists open"), below=running, track=track)
    told, count = outcome_for(me, played, names), _("{total} in all").format(total=total)
    return Centre(
        number=total,
        above=told.title.upper(),
        small=(call_name(total) or count, count),
        label=tone_of(told),
        track=track,
    )


# The panel


def head_of_call(view: TableView) -> str:
    """The question for a call, with the number of the player's attempt at a free number."""
    if view.my_attempts >= ATTEMPTS:
        return _("Three attempts used up: a fine. Call a number that is free.")
    if not view.my_attempts:
        return _("Call the number that you think all fists hold together; it must be free.")
    text = _("That number was taken. Attempt {attempt}/{most} at a free one.")
    return text.format(attempt=view.my_attempts + 1, most=ATTEMPTS)


def calling(view: TableView, names: Sequence[str]) -> str:
    """A sentence saying whose turn it is to call, and at which attempt."""
    assert view.speaker is not None
    name = names[view.speaker]
    failed = sum(call.taken for call in view.calls if call.seat == view.speaker)
    if not failed:
        return _("{name}’s turn to call.").format(name=name)
    if failed >= ATTEMPTS:
        return _("{name} has to call one of the free numbers.").format(name=name)
    text = _("{name} hit a taken number: attempt {attempt}/{most}.")
    return text.format(name=name, attempt=failed + 1, most=ATTEMPTS)


def drinks(view: TableView, names: Sequence[str]) -> list[str]:
    """A sentence, in a list, on who orders the drinks or what was ordered (H10); empty during a
    game."""
    first = next((played for played in view.past if played.outcome.went_out), None)
    if view.phase is not Phase.GATHERING or first is None:
        return []
    orderer = first.outcome.went_out[0]
    ordered = {number: drink for number, _key, drink in view.slate.orders}
    if view.game_number in ordered:
        text = _("{name} left first and ordered {drink} for everybody.")
        drink = drink_name(ordered[view.game_number])
        return [text.format(name=names[orderer], drink=drink)]
    if view.may_order:
        asked = press("f", _("slate"), is_more=True)
        return [_("You left first. {press} to order drinks.").format(press=asked)]
    if view.seats[orderer].presence is SeatStatus.GONE:
        return []
    return [_("{name} left first and orders the drinks.").format(name=names[orderer])]
