"""Hints for newcomers, one at a time, each until the player has followed it once.

A hint depends on what everybody at the table may see, never on the player's own hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protocol.rules.bidding import BiddingRound
from protocol.rules.house import Pronouncement
from protocol.rules.options import BiddingRules, Starter
from protocol.rules.words import Ending, Verdict
from protocol.table.fold import Phase
from protocol.table.statements import Gesture
from protocol.views import FistState
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece, prose
from spoof_tui.ui.table.felt.heap import heap_of
from spoof_tui.ui.table.scene import RARE, Hint, Scene

if TYPE_CHECKING:
    from protocol.rules.game import PlayedRound
    from protocol.views import TableView
    from spoof_tui.ui.table.scene import Scene


_GAMES: Final = ("game-1", "game-2")
"""Stored in the settings after the first and the second game; up to then the table shows less."""


def is_newcomer(seen: frozenset[str], played: int = 0) -> bool:
    """Whether a player has finished fewer than two games.

    `seen` is the setting of hints seen, `played` the number of games in the history.
    """
    return _GAMES[-1] not in seen and played < len(_GAMES)


def due(scene: Scene) -> Hint | None:
    """The hint that fits the scene and was not followed before; None if there is none."""
    view = scene.view
    if view is None or scene.over or scene.is_stale or view.paused or view.is_guessing:
        return None
    if scene.pacing.is_again:
        return None
    fitting = _fitting(scene, view)
    return fitting if fitting is not None and fitting.value not in scene.seen else None


def _fitting(scene: Scene, view: TableView) -> Hint | None:
    if view.my_turn:
        is_first = not view.words and Hint.OPEN.value not in scene.seen
        return Hint.OPEN if is_first else _new_word(scene, view) or _alike(scene, view)
    if view.own_fist_due and Hint.HIDE.value not in scene.seen:
        return Hint.HIDE
    counted = scene.counted
    rare = _of_ending(scene, view)
    if rare is not None and counted is None and rare.value not in scene.seen:
        return rare
    is_bid = view.phase is Phase.SPEAKING and view.standing is not None
    # The row of signs shows a bid, or what was counted so far.
    is_shown = scene.is_new and not scene.is_first_round
    if is_shown and (is_bid or (scene.reveal is not None and not scene.is_judged)):
        return Hint.TRACK
    if counted is None or counted.outcome.verdict is Verdict.VOID or _is_in(view):
        return None
    price = _of_verdict(counted) or rare
    if price is not None and price.value not in scene.seen:
        return price
    if view.own_fist_due and _is_opener_due(scene, view):
        return Hint.OPENER
    is_shouted = any(talk.said is Gesture.MITT_FULL for talk in view.talk)
    if is_shouted and Hint.MITT.value not in scene.seen:
        return Hint.MITT
    is_cut = scene.has_rim and min(counted.outcome.changes.values(), default=0) < 0
    if scene.is_new and is_cut and Hint.NOTCH.value not in scene.seen:
        return Hint.NOTCH
    me, before = view.me, counted.words.coins
    has_lost = me is not None and me < len(before) and counted.outcome.coins[me] < before[me]
    return Hint.LOSS if has_lost else _of_pub(scene)


def _is_opener_due(scene: Scene, view: TableView) -> bool:
    """Whether a newcomer is to be told why this player opens: the last ender does, by these rules
    and in this round."""
    if not view.past or not scene.is_new or Hint.OPENER.value in scene.seen:
        return False
    rules, last = view.rules, view.past[-1].outcome
    ends = isinstance(rules, BiddingRules) and rules.starter is Starter.ENDER
    return ends and last.ender == last.next_starter == view.starter


def _of_ending(scene: Scene, view: TableView) -> Hint | None:
    """The hint about the rare word that ended the round on show; None if none did, or for players
    who know it."""
    said = scene.last.words if scene.last else None
    words = said.words if isinstance(said, BiddingRound) else view.words
    word = words[-1][1] if words and scene.is_new else None
    return RARE.get(word) if isinstance(word, Ending) else None


def _of_verdict(counted: PlayedRound) -> Hint | None:
    """The hint about who pays after a call or a cliff; None after another word."""
    if not isinstance(counted.words, BiddingRound):
        return None
    word = counted.words.ending
    return Hint.VERDICT if word is Ending.CALL else Hint.STAKE if word is Ending.CLIFF else None


def _new_word(scene: Scene, view: TableView) -> Hint | None:
    """The hint about the first rare word that could help now and is new to the player; None if
    there is none."""
    if not scene.is_new or scene.is_first_round or not isinstance(view.rules, BiddingRules):
        return None
    cap, coins = view.rules.cap, view.my_seat.coins if view.my_seat else 0
    helps = {
        Ending.CLIFF: cap is None or coins < cap,
        # A higher bid is at least as good, unless it claims as much.
        Ending.SPOOF: view.lowest_bid in (None, view.most),
        Ending.ZERO: not view.words,
    }
    allowed = view.allowed_endings
    new = (RARE[word] for word, does in helps.items() if does and word in allowed)
    return next((hint for hint in new if hint.value not in scene.seen), None)


def _alike(scene: Scene, view: TableView) -> Hint | None:
    """The hint that tells a call from a zero, if a newcomer is offered both; otherwise None."""
    both = (Ending.CALL, Ending.ZERO)
    allowed = view.allowed_endings
    is_due = scene.is_new and all(word in allowed and scene.offers(word) for word in both)
    return Hint.APART if is_due and Hint.APART.value not in scene.seen else None


def _of_pub(scene: Scene) -> Hint | None:
    """The hint about a thing or remark with a pub's name that is on show; None if there is none."""
    view = scene.of_pub
    if view is None:
        return None
    heap, said = heap_of(view), {each.what for each in view.pronounced}
    met = {
        Hint.PILE: heap.lost > 0,
        Hint.POT: heap.pot > 0,
        Hint.STICK: Pronouncement.STICK in said,
        Hint.HOOVER: Pronouncement.HOOVER in said,
        Hint.CRAP: any(each.is_crap for each in view.seats),
    }
    return next(
        (hint for hint, is_met in met.items() if is_met and hint.value not in scene.seen), None
    )


def follow(scene: Scene) -> bool:
    """Update the scene's hint; return whether `seen` has changed and should be saved."""
    is_counted = _count_game(scene)
    before, scene.hint = scene.hint, due(scene)
    if before is None or before is scene.hint or not _is_done(before, scene):
        return is_counted
    scene.seen |= {before.value}
    scene.hint = due(scene)
    return True


def _count_game(scene: Scene) -> bool:
    """Count a game that is over for `is_newcomer`, once; return whether `seen` has changed."""
    view = scene.view
    if view is None or view.me is None or not scene.is_new:
        return False
    if view.winner is None:
        # What newcomers are spared, they are spared at the end of their second game, too.
        scene.is_new = is_newcomer(scene.seen)
        return False
    if view.game_number == scene.last_game:
        return False
    scene.last_game = view.game_number
    scene.seen |= set([each for each in _GAMES if each not in scene.seen][:1])
    return True


def _is_done(hint: Hint, scene: Scene) -> bool:
    view = scene.view
    if view is None:
        return False
    if hint in (Hint.HIDE, Hint.OPENER):
        return not view.own_fist_due and view.phase is not Phase.GATHERING
    if hint in (Hint.OPEN, Hint.APART, *RARE.values()):
        return not view.my_turn
    if hint is Hint.TRACK:
        return scene.is_judged
    return _is_in(view) or view.phase is Phase.SPEAKING


def _is_in(view: TableView) -> bool:
    """Whether the player's next fist is in, or on its way: what is told then, nobody reads."""
    seat = view.my_seat
    if seat is None:
        return False
    is_sent = view.phase is Phase.CHOOSING and seat.coins > 0 and not view.own_fist_due
    return is_sent or seat.fist is not FistState.NOT_IN


def asked_hint(scene: Scene, width: int) -> list[list[Piece]]:
    """The lines of a hint about the hand or the turn that the table waits for; the panel grows for
    it."""
    view = scene.view
    is_asked = view is not None and (view.my_turn or view.own_fist_due)
    return prose(_hint_words(scene), width) if is_asked else []


def with_hint(scene: Scene, lines: list[list[Piece]], width: int, room: int) -> list[list[Piece]]:
    """The lines with the hint or tip below them, if that fits into `room` rows.

    If it does not fit, a short one takes the place of the first line for a player who opens a round
    for the first time or hesitates.
    """
    told = _hint_words(scene) or tip(scene)
    if not told:
        return lines
    hint = prose(told, width, palette.MONEY)
    if len(lines) + len(hint) <= room:
        return [*lines, *hint]
    is_quiet = not scene.said and scene.controls.armed is None
    if scene.hint in (Hint.OPEN, None) and is_quiet and len(hint) == 1:
        return [*hint, *lines[1:]]
    return lines


def may_tip(scene: Scene) -> bool:
    """Whether a player who hesitates may get a tip: on their turn in a practice game."""
    view = scene.view
    if view is None or scene.pacing.is_behind or view.is_guessing:
        return False
    return scene.is_practice and view.my_turn and not view.paused and scene.talking is None


def tip(scene: Scene) -> str:
    """A tip for a player who hesitates; otherwise empty.

    It depends on the bid and the coins in play alone, never on the player's own hand.
    """
    view = scene.view
    if view is None or not (scene.is_slow and may_tip(scene)):
        return ""
    if view.standing is None:
        text = _("Tip: the fists may well hold about {half}. Open well below that.")
        return text.format(half=view.most // 2)
    bid = view.standing[1]
    if 3 * bid > 2 * view.most:
        text = _("Tip: {bid} of {most} is a lot. A call is safer than a raise.")
    elif 2 * bid >= view.most:
        text = _("Tip: {bid} of {most} is about what to expect. Go one higher, or call.")
    else:
        text = _("Tip: {bid} of {most} is not much. You can go higher.")
    return text.format(bid=bid, most=view.most)


def _hint_words(scene: Scene) -> str:
    """The text of the hint on show; empty for none."""
    rules = scene.view.rules if scene.view else None
    cap = rules.cap if isinstance(rules, BiddingRules) else None
    return hint_words(scene.hint, cap) if scene.hint is not None else ""


def _won_by_cliff(cap: int | None) -> str:
    if cap is None:
        return _("New: cliff, “the bid is exact”, wins a coin or loses one.")
    text = _("New: cliff, “the bid is exact”, wins a coin (up to {cap} in all) or loses one.")
    return text.format(cap=cap)


def hint_words(hint: Hint, cap: int | None = None) -> str:
    """The text of a hint, a sentence or two.

    `cap`: the most coins that a cliff can lead to (R8); None for no cap.
    """
    return {
        Hint.HIDE: _(
            "Then all bid on the total. Whoever is wrong loses a coin; the last with coins wins."
        ),
        Hint.OPENER: _("Whoever stopped the bidding opens the next round."),
        Hint.OPEN: _("Say a safe number: the next player must go higher or call."),
        Hint.CLIFF: _won_by_cliff(cap),
        Hint.SPOOF: _("New: spoof, “all coins are in”. If not, whoever says it loses a coin."),
        Hint.ZERO: _(
            "New: zero, “no coins are in”. If so, all others lose one; if not, whoever says it."
        ),
        Hint.APART: _("A right call costs only the bidder a coin; a right zero, all others."),
        Hint.TRACK: _("Coins: {open} in play, {found} counted; {bid} the bid").format(
            open=glyphs().no_coin,
            bid=glyphs().mark,
            found=glyphs().coin,
        ),
        Hint.VERDICT: _("A good bid costs the caller a coin; one that is too high, the bidder."),
        Hint.STAKE: _("A cliff risks a coin of the player who says it; the bidder risks nothing."),
        Hint.NOTCH: _(
            "Notches in the wood, or a number there: coins lost at that seat this evening."
        ),
        Hint.LOSS: _("Whoever has no coins left is out."),
        Hint.MITT: _("“Mitt-full!” is a shout: my fist is full. It need not be true."),
        Hint.PILE: _("The pile: the coins that were lost. They are out of this game."),
        Hint.POT: _("The pot: one chip from everybody. The winner of the game takes it."),
        Hint.STICK: _("The stick: the draw that decides who speaks first in a game."),
        Hint.CRAP: _("Crap: the first player out of a game, who opens the next game."),
        Hint.HOOVER: _(
            "The Hoover: a high bid with hardly a coin in the bidder’s fist. It costs nothing "
            "by itself."
        ),
    }[hint]
