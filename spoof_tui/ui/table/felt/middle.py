"""Derives the contents of the middle of the table from the scene."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Direction, Ending, Verdict, Word
from protocol.table.fold import Phase
from protocol.views import FistState, TableView
from spoof_tui.telling import measures
from spoof_tui.telling.counts import claim, claimed, verdict_sign
from spoof_tui.telling.outcomes import Fortune, outcome_for, place_out
from spoof_tui.telling.sentences import said_aloud
from spoof_tui.telling.story import headline
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.felt import guessing as school
from spoof_tui.ui.table.felt.centre import Centre, Track
from spoof_tui.ui.table.felt.tone import Tone, tone_of
from spoof_tui.ui.table.scene import Scene


def middle(scene: Scene) -> Centre:
    """What the middle of the table shows: the scene's caption, or else the state of the round."""
    if scene.caption is not None:
        return scene.caption
    view = scene.view
    if view is None:
        # The panel says what is waited for, or why in vain.
        return Centre()
    if scene.is_game_over:
        return Centre(above=headline(view, scene.names))
    if scene.last is not None:
        return _of_count(scene, scene.last)
    return _of_round(scene, view)


def _of_count(scene: Scene, last: PlayedRound) -> Centre:
    if last.outcome.verdict is Verdict.VOID and scene.is_judged:
        return Centre(above=_("The round is void"), below=_("a fist stayed shut"), label=Tone.NO)
    if isinstance(last.words, GuessingRound):
        opened = scene.order[: scene.opened]
        me = scene.view.me if scene.view else None
        return school.centre_of_count(last, opened, scene.is_judged, scene.names, me)
    if scene.view and scene.view.winner is not None and scene.is_counted:
        star, said = glyphs().star, headline(scene.view, scene.names)
        return Centre(
            above=f"{star} {said} {star}",
            below=_("The game is over."),
            label=Tone.PRIZE if _has_won(scene) else Tone.PLAIN,
        )
    total = scene.total
    ran = scene.ran if scene.is_racing and scene.ran is not None else total
    track = Track(last.words.most, claimed(last), ran)
    if scene.is_judged:
        me = scene.view.me if scene.view else None
        told = outcome_for(me, last, scene.names)
        title = told.title
        if told.fortune is not Fortune.NEITHER:
            title = f"{title} {verdict_sign(told.fortune is not Fortune.LOST)}"
        if scene.is_counted and me is not None and me in last.outcome.went_out:
            title = _("out {sign} {place}").format(sign=glyphs().no, place=place_out(last, me))
        caption = _("{total} in all").format(total=total)
        return Centre(
            number=total,
            caption=caption,
            above=title.upper(),
            small=_small(told.fortune, last, last.words, caption),
            label=tone_of(told),
            track=track,
            flag=track.mark,
        )
    if not scene.opened:
        return _of_ending(scene, last.words.words, last.words.standing, last.words.most)
    label, tone = _step(scene)
    if scene.is_racing:
        # Digits are dear: only with the last fist they change with every coin.
        is_last = scene.opened == len(scene.order)
        total = ran if is_last else total - last.hands[scene.order[scene.opened - 1]]
    return Centre(number=total, above=label, label=tone, track=track, flag=track.mark)


def _small(
    fortune: Fortune, played: PlayedRound, words: BiddingRound, caption: str
) -> tuple[str, ...]:
    """What was claimed and what was found, in small print below a verdict."""
    dot, bid = glyphs().dot, words.standing
    if fortune is Fortune.NEITHER and words.ending is not Ending.CALL:
        return f"{claim(played)} {dot} {caption}", caption
    if fortune is Fortune.NEITHER or bid is None or words.ending in (Ending.SPOOF, Ending.ZERO):
        # The label says what became of the bid, or there was none.
        return (caption,)
    said = _("bid {number}").format(number=bid[1])
    return said, f"{played.outcome.total} {dot} {said}"


def _of_ending(
    scene: Scene, words: Sequence[tuple[int, Word]], standing: tuple[int, int] | None, most: int
) -> Centre:
    """The word that opens the fists; the number is what it claims, or the bid that it is about."""
    ender, word = words[-1]
    bid = standing[1] if standing else None
    number = most if word is Ending.SPOOF else 0 if word is Ending.ZERO else bid
    said = said_aloud(word)
    text = _("You: {word}") if scene.view and scene.view.me == ender else _("{name}: {word}")
    return Centre(
        number=number,
        above=said.upper(),
        sentence=text.format(name=scene.names[ender], word=said),
        label=Tone.NO,
        track=Track(most, number or None),
    )


def _step(scene: Scene) -> tuple[str, Tone]:
    """The caption of the running total at this step of the count, and its tone."""
    opened, fists = scene.opened or 0, len(scene.order)
    if scene.is_racing:
        return _("so far"), Tone.PLAIN
    if opened == fists - 1:
        return _("all but one"), Tone.MARK
    return _("so far") if opened < fists else _("in all"), Tone.PLAIN


def glow(scene: Scene) -> Tone | None:
    """The plaque whose colour the table's rim takes on after a verdict that is rare or concerns the
    player, and when the player has won the game.

    None at all other times.
    """
    if scene.last is None or not scene.is_counted or scene.view is None:
        return None
    if _has_won(scene):
        return Tone.PRIZE
    told = outcome_for(scene.view.me, scene.last, scene.names)
    return None if told.fortune is Fortune.NEITHER and not told.is_rare else tone_of(told)


def _has_won(scene: Scene) -> bool:
    """Whether this player has won the game; in the guessing game, nobody wins."""
    view = scene.view
    return view is not None and view.winner == view.me is not None and not view.is_guessing


def _of_round(scene: Scene, view: TableView) -> Centre:
    if view.phase is Phase.GATHERING:
        return _of_gathering(scene, view)
    if view.phase is Phase.LOT:
        return Centre(above=_("Drawing lots"), below=_("who opens?"))
    if view.phase is Phase.CHOOSING:
        fists = sum(seat.fist is FistState.IN for seat in view.seats)
        playing = sum(seat.coins > 0 for seat in view.seats)
        caption = _("{fists} of {count} fists in")
        return Centre(
            number=fists,
            above=_("the last two") if _are_last_two(view) else "",
            caption=caption.format(fists=fists, count=playing),
            below=_("of {count} fists in").format(count=playing),
        )
    if view.is_guessing:
        return school.centre_of_calls(view, scene.names)
    if view.words and view.words[-1][1] in list(Ending):
        return _of_ending(scene, view.words, view.standing, view.most)
    if view.standing is None:
        starter = scene.names[view.starter] if view.starter is not None else ""
        text = _("You open") if view.starter == view.me else _("{name} opens")
        opens = text.format(name=starter)
        return Centre(
            above=_("no bid yet"),
            sentence=opens,
            track=Track(view.most),
        )
    seat, bid = view.standing
    text = _("You say: {bid} or more") if seat == view.me else _("{name} says: {bid} or more")
    return Centre(
        number=bid,
        above=_("bid: at least"),
        sentence=text.format(name=scene.names[seat], bid=bid),
        track=Track(view.most, bid),
        is_bid=True,
    )


def _are_last_two(view: TableView) -> bool:
    """Whether two players are left of more."""
    playing = sum(seat.coins > 0 for seat in view.seats)
    return playing == 2 < sum(seat.plays for seat in view.seats)


def direction(scene: Scene) -> Direction | None:
    """The direction of play during the bidding; before the opening bid, the one that the player's
    own bid would set. None outside the bidding."""
    view = scene.view
    if view is None or scene.last is not None or scene.caption is not None:
        return None
    if view.phase is not Phase.SPEAKING:
        return None
    if view.may_turn and scene.controls.counter_clockwise:
        return Direction.COUNTER_CLOCKWISE
    return view.direction


def _of_gathering(scene: Scene, view: TableView) -> Centre:
    ready = sum(seat.ready for seat in view.seats)
    taken = _("{taken} of {seats} seats").format(
        taken=len(measures.sitting(view)), seats=view.seat_count
    )
    count = _("{ready} ready").format(ready=ready)
    if scene.code:
        below = f"{taken}, {count}"
        return Centre(code=scene.code, above=_("Join code"), below=below, caption=taken)
    return Centre(above=taken, below=count)
