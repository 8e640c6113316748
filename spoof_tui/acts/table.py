"""What can be done at a table: an act for each, for both the screen and plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from protocol.errors import Illegal, Reason
from protocol.rules.options import MIN_PLAYERS
from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, VOTED, Gesticulate, Gesture, Measure, Vote
from protocol.views import FistState, TableView
from spoof_tui.acts import act
from spoof_tui.acts.act import KeyLabel
from spoof_tui.bots.levels import Level
from spoof_tui.telling import absence, measures
from spoof_tui.telling.measures import Proposal
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.postcard import postcard
from spoof_tui.telling.pressing import key_name, press
from spoof_tui.telling.sentences import why_not
from spoof_tui.telling.table_state import TableState
from spoof_tui.text.i18n import LANGUAGES, _, other, pgettext
from spoof_tui.text.parsing import one_of
from spoof_tui.visiting import has_page, is_visitor

if TYPE_CHECKING:
    from spoof_tui.acts.interface import AtTable
    from spoof_tui.runtime.client import TableClient


TableAct: TypeAlias = act.Act[TableState, Any]


# What is known


def _sits(facts: TableState) -> bool:
    return facts.view is not None and measures.sits(facts.view)


def _gathers(facts: TableState) -> bool:
    return facts.view is not None and facts.view.phase is Phase.GATHERING


def _plays(facts: TableState) -> bool:
    return facts.view is not None and not _gathers(facts)


def may_play(facts: TableState) -> bool:
    """Whether a hand or word would be accepted now, if it is the player's turn."""
    return facts.view is not None and not facts.view.paused and not facts.is_stale


def _has_fist(facts: TableState) -> bool:
    """Whether the player has hidden a hand, and the fists are not opening yet."""
    view = facts.view
    if view is None or view.phase in (Phase.WITNESSING, Phase.OPENING):
        return False
    return view.my_seat is not None and view.my_seat.fist is FistState.IN


def _goes_through_list(facts: TableState) -> bool:
    """Whether a hand is being chosen from a hidden list."""
    return facts.covers and facts.view is not None and facts.view.own_fist_due


def _refusal(facts: TableState, reason: Reason) -> str:
    return why_not(Illegal(reason), seat_names(facts.view) if facts.view else ())


def _seatless(facts: TableState) -> str | None:
    """Why a player without a seat cannot do something; None if there is a seat, or a table to
    follow to."""
    return None if _sits(facts) or facts.continued is not None else _refusal(facts, Reason.NO_SEAT)


def _may_talk(facts: TableState) -> bool:
    view = facts.view
    is_muted = view is not None and view.my_seat is not None and view.my_seat.is_muted
    return _sits(facts) and not is_muted


def _why_silent(facts: TableState) -> str | None:
    """Why a player cannot talk or make a gesture; None if they can."""
    is_muted = _sits(facts) and not _may_talk(facts)
    return _refusal(facts, Reason.MUTED) if is_muted else _seatless(facts)


def _why_not_turned(facts: TableState) -> str | None:
    view = facts.view
    if view is not None and view.paused:
        return _refusal(facts, Reason.PAUSED)
    may_turn = view is not None and view.may_turn and view.my_turn
    return None if may_turn else _refusal(facts, Reason.DIRECTION_FIXED)


def may_skip(facts: TableState) -> bool:
    """Whether the player is out of a practice game in which only bots still play."""
    view = facts.view
    if view is None or not facts.is_practice or not _plays(facts) or view.paused:
        return False
    return view.my_seat is not None and view.my_seat.plays and not view.my_seat.coins


def _has_slate(facts: TableState) -> bool:
    return facts.view is not None and (facts.view.has_slate or facts.view.counts_rounds)


def _is_coached(facts: TableState) -> bool:
    view = facts.view
    return view is not None and view.my_turn and not view.is_guessing


# What is done


def _get_ready(c: AtTable, _rest: str) -> None:
    """Get ready; without a seat, ask for one; after agreeing to a new table, stay here instead."""
    view = c.facts.view
    if view is not None and view.went_along:
        c.client.stay_behind()
    elif view is None or measures.sits(view):
        c.client.ready()
    else:
        c.client.sit()


def _pause(c: AtTable, _rest: str) -> None:
    """Pause the game, or go on: at once as host, otherwise by a vote (G5)."""
    if view := c.facts.view:
        proposal = Proposal(Measure.GO_ON if view.paused else Measure.PAUSE, NO_ONE)
        decide(c.client, proposal, yes=not measures.has_voted(proposal, view))


def decide(client: TableClient, proposal: Proposal, *, yes: bool = True) -> None:
    """Take a measure at once as host; otherwise vote for it, or with `yes` False take the vote back
    (G5)."""
    if client.known.is_host and proposal.measure not in VOTED:
        client.decide(proposal.measure, proposal.seat)
    else:
        client.propose(Vote(proposal.measure, proposal.seat, yes=yes))


def _agree(c: AtTable, _rest: str) -> None:
    """Answer yes to the question of this moment.

    Follow or agree to a new table (G8), practise, go on after a pause or without those who are away
    (G3, G5), vote for what somebody asks for, or start without those who are not ready (G9).
    """
    view, now = c.facts.view, c.facts.now
    if c.facts.continued is not None:
        c.client.follow()
    elif view is not None and view.new_table is not None:
        if not absence.is_asked_along(view):
            c.tell(absence.too_soon_to_agree(view))
        elif absence.has_agreed_to_go(view):
            c.tell(_voted_already())
        else:
            c.client.agree()
    elif c.facts.may_practise:
        c.practise()
    elif c.facts.is_stale:
        c.tell(_("Your moves are kept meanwhile; a vote has to wait until the table answers."))
    elif view is not None and (wanted := c.facts.to_agree_to):
        is_play_on = wanted[0].measure is Measure.PLAY_ON
        if not is_play_on or c.is_meant(
            _("{press} again to vote to play on.").format(press=press("y", _("play on")))
        ):
            c.facts.refused -= {*wanted}
            for each in wanted:
                decide(c.client, each)
    elif view is not None and any(measures.has_voted(each, view) for each in _proposals(view)):
        c.tell(_voted_already())
    elif view is not None and c.facts.may_start:
        names = absence.unready_names(view)
        asked = _("{press} again to start without {names}.")
        if c.is_meant(asked.format(press=press("y", _("start now")), names=names)):
            c.client.start()
    elif view is not None:
        c.tell(absence.too_soon(view, now) or c.facts.nothing_asked)


def _proposals(view: TableView) -> list[Proposal]:
    return [measures.proposal_of(each) for each in view.votes]


def _voted_already() -> str:
    back = key_name("n", _("withdraw your vote"))
    return _("You have said yes already: {key} withdraws your vote.").format(key=back)


def _refuse(c: AtTable, _rest: str) -> None:
    """Answer no: refuse what somebody asks for, or take back this player's own vote."""
    view = c.facts.view
    if view is not None and absence.is_asked_along(view) and absence.has_agreed_to_go(view):
        c.client.agree(yes=False)
        return
    refused = c.facts.to_refuse
    for each in refused:
        if view is not None and measures.has_voted(each, view):
            c.client.propose(Vote(each.measure, each.seat, yes=False))
        else:
            c.facts.refused |= {each}
    if not refused and view is not None and _is_about_me(view):
        c.tell(_("That vote is about you: the others decide."))
    elif not refused:
        c.tell(c.facts.nothing_asked)


def _is_about_me(view: TableView) -> bool:
    motion = measures.motion_on_show(view)
    return motion is not None and view.my_seat is not None and motion.seat == view.my_seat.key


def _coach(c: AtTable, _rest: str) -> None:
    if (hand := c.client.known.own_hand) is not None:
        c.ask_the_coach(hand)


def _add_bot(c: AtTable, rest: str) -> None:
    try:
        level = one_of(rest or Level.MEDIUM.value, [level.value for level in Level])
    except ValueError as error:
        c.tell(str(error))
    else:
        c.client.add_bots(1, Level(level))


def _renew_code(c: AtTable, _rest: str) -> None:
    """Change the join code; at an open table, which has none, lock or unlock it."""
    if c.facts.code is not None:
        c.client.renew_code()
        return
    was_shut = c.facts.known.is_shut
    c.client.shut()
    c.tell(
        _("The table is open to everybody again.")
        if was_shut
        else _("The table is locked: only players who sat here before can come in.")
    )


def _turn_door(c: AtTable, _rest: str) -> None:
    """Open a door to the table; if one is open, ask, and close it the second time."""
    if c.facts.door is None:
        c.tell(_("Opening a door …"))
        c.client.turn_door(is_open=True)
    elif c.confirms(
        _("Everybody who came through the door would have to leave. Type door again to close it.")
    ):
        c.client.turn_door(is_open=False)


# Labels


def _has_no_seat(view: TableView) -> bool:
    """Whether this player cannot sit down: the table is full, or the game goes on after their
    removal."""
    is_removed = view.my_seat is not None and view.phase is not Phase.GATHERING
    return is_removed or len(measures.sitting(view)) >= view.seat_count


def _ready_label(facts: TableState) -> KeyLabel | None:
    view = facts.view
    if view is None or (_sits(facts) and (view.phase is not Phase.GATHERING or view.paused)):
        return None
    if not _sits(facts):
        return None if _has_no_seat(view) else KeyLabel(20, _("sit down"))
    if view.my_seat and view.my_seat.ready:
        return None
    return KeyLabel(20, _("ready") if view.winner is None else _("play again"), _("Enter"))


def _skip_label(facts: TableState) -> KeyLabel | None:
    if not may_skip(facts):
        return None
    if facts.pacing.is_hurried:
        return KeyLabel(5, _("skipping to the end"), "…")
    return KeyLabel(5, _("skip the game"))


def _gesture_label(facts: TableState) -> KeyLabel | None:
    view = facts.view
    if view is None or not _may_talk(facts):
        return None
    if view.may_gloat and not view.is_guessing:
        return KeyLabel(30, _("gloat"))
    return KeyLabel(100, _("gestures")) if _plays(facts) else None


def _yes_label(facts: TableState) -> KeyLabel | None:
    if facts.continued is not None:
        return KeyLabel(50, _("go there"))
    if facts.view is not None and absence.is_asked_along(facts.view):
        return None if absence.has_agreed_to_go(facts.view) else KeyLabel(50, _("new table"))
    if facts.may_practise:
        return KeyLabel(50, _("practise"))
    wanted = facts.to_agree_to
    if not wanted:
        return KeyLabel(50, _("start now")) if facts.may_start else None
    # A vote about anything else has a line of its own, with its keys.
    named = {Measure.GO_ON: _("go on"), Measure.PLAY_ON: _("play on")}
    words = named.get(wanted[0].measure, _("yes") if has_page() else "")
    return KeyLabel(50, words) if words else None


def _no_label(facts: TableState) -> KeyLabel | None:
    view = facts.view
    if view is not None and absence.is_asked_along(view):
        return KeyLabel(51, _("stay")) if absence.has_agreed_to_go(view) else None
    refused = facts.to_refuse
    if view is None or not refused:
        return None
    if refused[0].measure not in (Measure.GO_ON, Measure.PLAY_ON) and not has_page():
        return None
    has_voted = measures.has_voted(refused[0], view)
    return KeyLabel(51, _("withdraw your vote") if has_voted else _("no"))


def _yes_words(facts: TableState) -> str:
    view = facts.view
    if view is not None and view.new_table is not None:
        return _("go on at a new table")
    if facts.may_practise:
        return _("practise meanwhile")
    if view is not None and view.paused:
        return _("go on")
    if view is not None and any(each.away_since is not None for each in view.seats):
        return _("play on without missing players")
    return _("start without those who are not ready") if facts.may_start else _("agree")


def _pause_words(facts: TableState) -> str:
    view = facts.view
    if view is None or view.paused:
        return _("go on")
    has_voted = measures.has_voted(Proposal(Measure.PAUSE, NO_ONE), view)
    return _("withdraw your vote for a pause") if has_voted else _("pause")


def _may_go_on(facts: TableState) -> bool:
    view = facts.view
    if view is None or not measures.sits(view):
        return facts.continued is not None
    is_away = any(each.away_since is not None for each in view.seats)
    is_due = view.paused or view.new_table is not None or bool(facts.to_agree_to)
    is_mine = facts.may_start or facts.may_practise
    return facts.continued is not None or is_due or is_away or is_mine


def _may_refuse(facts: TableState) -> bool:
    """Whether the key n has an effect now."""
    return bool(facts.to_refuse) or _no_label(facts) is not None


def _menu_label(facts: TableState) -> KeyLabel | None:
    view = facts.view
    if view is None or not menu(facts) or facts.is_practice:
        return None
    if not (_gathers(facts) and _bot_is_wanted(facts)):
        return KeyLabel(96 if _gathers(facts) else 110, _("menu"))
    is_alone = len(measures.sitting(view)) < MIN_PLAYERS
    return KeyLabel(15 if is_alone else 40 if view.winner is None else 96, _("menu"))


def _bot_is_wanted(facts: TableState) -> bool:
    view = facts.view
    return facts.known.is_host and view is not None and len(view.seats) < view.seat_count


def _invites(facts: TableState) -> bool:
    return bool(facts.address) and not facts.is_practice


def _has_door_keys(facts: TableState) -> bool:
    return _invites(facts) and not is_visitor()


def _can_be_shut(facts: TableState) -> bool:
    return facts.code is not None or facts.known.is_shut is not None


def _slate_words(facts: TableState) -> str:
    view = facts.view
    if view is not None and view.is_guessing:
        return _("the slate of the guessing game")
    has_fines = view is not None and view.has_slate
    return _("the slate of fines") if has_fines else _("the slate of rounds")


def _has_pages(facts: TableState) -> bool:
    return _plays(facts) or (facts.view is not None and bool(facts.view.past))


def _is_won(facts: TableState) -> bool:
    view = facts.view
    return view is not None and view.winner is not None and bool(view.past)


def _leave_words(facts: TableState) -> str:
    return _("leave") if facts.waiting is None else _("go back")


def _postcard(at: AtTable, rest: str) -> None:
    del rest
    view = at.facts.view
    if view is not None and _is_won(at.facts):
        at.send_postcard(postcard(view, at.facts.names))


READY: Final[TableAct] = act.Act(
    id="ready", key="r", name=lambda: pgettext("typed", "ready"),
    about=lambda: _("play the next game, or sit down"),
    words=lambda f: _("ready for the next game") if _sits(f) else _("sit down"),
    listed=lambda f: _ready_label(f) is not None,
    label=_ready_label, button=lambda: _("ready"), do=_get_ready,
)  # fmt: skip

TURN: Final[TableAct] = act.Act(
    id="turn", key="d", name=lambda: pgettext("typed", "turn"),
    about=lambda: _("change the direction"),
    why_not=_why_not_turned, button=lambda: _("direction"),
    do=lambda c, _rest: c.turn_direction(),
)  # fmt: skip

SKIP: Final[TableAct] = act.Act(
    id="skip", key="end", name=lambda: pgettext("typed", "skip"),
    about=lambda: _("skip to the end of a practice game, once you are out"),
    words=lambda f: _("skip to the end of this game"),
    why_not=lambda f: (
        None
        if may_skip(f) or _is_won(f)
        else _("You can skip to the end only in a practice game, once you are out.")
    ),
    listed=may_skip, label=_skip_label,
    button=lambda: _("skip the game"), do=lambda c, _rest: c.skip_game(),
)  # fmt: skip

PEEK: Final[TableAct] = act.Act(
    id="peek", key="space", about=lambda: _("look into your fist"),
    listed=_has_fist,
    label=act.label(70, lambda: _("peek"),
                 lambda f: _plays(f) and (_has_fist(f) or _goes_through_list(f))),
    button=lambda: _("peek"), do=lambda c, _rest: c.peek(),
)  # fmt: skip

TALK: Final[TableAct] = act.Act(
    id="say", key="t", name=lambda: pgettext("typed", "say"),
    about=lambda: _("talk"), typed=lambda f: _("talk, such as: say hello"),
    why_not=_why_silent, listed=_may_talk,
    label=act.label(75, lambda: _("talk"), _may_talk), button=lambda: _("talk"),
    do=lambda c, rest: c.talk(rest),
)  # fmt: skip

YES: Final[TableAct] = act.Act(
    id="yes", key="y", name=lambda: pgettext("typed", "yes"),
    about=lambda: _("yes: agree to what is asked, or go on without those who are missing or "
                    "not ready"),
    words=_yes_words, why_not=_seatless, listed=_may_go_on,
    label=_yes_label, button=lambda: _("yes"), do=_agree,
)  # fmt: skip

NO: Final[TableAct] = act.Act(
    id="no", key="n", name=lambda: pgettext("typed", "no"),
    about=lambda: _("no: decline what is asked, or withdraw your vote"),
    why_not=_seatless, listed=_may_refuse,
    label=_no_label, button=lambda: _("no"), do=_refuse,
)  # fmt: skip

MODERATE: Final[TableAct] = act.Act(
    id="vote", key="v", name=lambda: pgettext("typed", "vote"),
    about=lambda: _("mute or remove a player"),
    why_not=_seatless, listed=lambda f: _sits(f) and not f.is_practice,
    button=lambda: _("vote"), do=lambda c, rest: c.moderate(rest),
)  # fmt: skip

DOOR: Final[TableAct] = act.Act(
    id="door", name=lambda: pgettext("typed", "door"),
    about=lambda: _("open a door for people without Spoof, or close it"),
    words=lambda f: _("close the door: its visitors have to leave") if f.door
    else _("let people in by browser or ssh"),
    outcome=lambda f: _("Nobody else can come in by browser or ssh.") if f.door
    else _("Visitors need no Spoof of their own: this computer runs it for them. You can "
           "close the door here."),
    why_not=lambda f: None if f.known.is_host
    else _("Only the host can open a door."),
    listed=_has_door_keys, in_menu=_has_door_keys, do=_turn_door,
)  # fmt: skip

MENU: Final[TableAct] = act.Act(
    id="menu", key="m", about=lambda: _("the table: add a bot, invite, lock, open a door, pause"),
    words=lambda f: _("the menu of the table"),
    why_not=lambda f: None if menu(f) else _refusal(f, Reason.NO_SEAT), label=_menu_label,
    button=lambda: _("menu"), do=lambda c, _rest: c.open_menu(),
)  # fmt: skip

WHO: Final[TableAct] = act.Act(
    id="who", name=lambda: pgettext("typed", "who"),
    about=lambda: _("who is here, and whom the table is waiting for"),
    do=lambda c, _rest: c.tell_who(),
)  # fmt: skip

STATE: Final[TableAct] = act.Act(
    id="table", name=lambda: pgettext("typed", "table"), aliases=("coins", "status"),
    about=lambda: _("the state of the table: coins, the bid, and what the table is waiting for"),
    do=lambda c, _rest: c.tell_state(),
)  # fmt: skip

PAGE: Final[TableAct] = act.Act(
    id="page", key="tab", about=lambda: _("turn the page: this round, all rounds, talk"),
    label=act.label(98, lambda: _("lists"), _has_pages), button=lambda: _("lists"),
    do=lambda c, _rest: c.turn_page(),
)  # fmt: skip

TABLE: Final[tuple[TableAct, ...]] = (
    READY,
    TURN,
    SKIP,
    act.Act(
        id="odds", key="k", name=lambda: pgettext("typed", "odds"),
        about=lambda: _("ask the coach"),
        why_not=lambda f: _("The coach sits at practice tables only.") if not f.is_practice
        else None if _is_coached(f) else _("The coach speaks when it is your turn to bid."),
        label=act.label(10, lambda: _("coach"), lambda f: f.is_practice and _is_coached(f)),
        button=lambda: _("coach"), do=_coach,
    ),
    PEEK,
    TALK,
    act.Act(
        id="mitt", name=lambda: pgettext("typed", "mitt"),
        about=lambda: _("shout “Mitt-full!”: my fist is full (true or not)"),
        why_not=_why_silent, listed=_may_talk,
        do=lambda c, _rest: c.client.propose(Gesticulate(Gesture.MITT_FULL)),
    ),
    act.Act(
        id="gloat", name=lambda: pgettext("typed", "gloat"),
        about=lambda: _("gloat over a game that you have won"),
        typed=lambda f: _("gloat, which costs a fine here") if f.view and f.view.has_slate
        else _("gloat over a game that you have won"),
        why_not=lambda f: _why_silent(f) if f.view is not None and f.view.may_gloat
        else _refusal(f, Reason.NOTHING_TO_GLOAT),
        do=lambda c, _rest: c.client.propose(Gesticulate(Gesture.GLOAT)),
    ),
    act.Act(
        id="gesture", key="j", name=lambda: pgettext("typed", "gesture"),
        about=lambda: _("gestures: the Wobble, sweat, shouts and more"),
        typed=lambda f: _("the gestures that make sense now; make one by its number"),
        why_not=_why_silent, listed=_may_talk,
        label=_gesture_label, button=lambda: _("gestures"),
        do=lambda c, rest: c.gesture(rest),
    ),
    YES,
    NO,
    MODERATE,
    act.Act(
        id="slate", key="f", name=lambda: pgettext("typed", "slate"),
        about=lambda: _("the slate: fines, drinks, rounds"), words=_slate_words,
        typed=lambda f: _("the slate: fines and drinks, and what you can put on it")
        if f.view and f.view.has_slate else _("the slate of rounds"),
        why_not=lambda f: None if _has_slate(f) else _refusal(f, Reason.GUESSING_ONLY),
        label=act.label(85, lambda: _("slate"), _has_slate),
        button=lambda: _("slate"), do=lambda c, rest: c.show_slate(rest),
    ),
    act.Act(
        id="bot", name=lambda: pgettext("typed", "bot"),
        about=lambda: _("one more bot"), listed=_bot_is_wanted,
        why_not=lambda f: None if f.known.is_host else _("Only the host can add a bot."),
        outcome=lambda f: _("The bot plays at medium strength; v sends it away again."),
        in_menu=lambda f: _gathers(f) and _bot_is_wanted(f), do=_add_bot,
    ),
    act.Act(
        id="invite", key="a", name=lambda: pgettext("typed", "invite"),
        about=lambda: _("invite: the address and the code; again: a QR code for phones to scan"),
        words=lambda f: _("invite"),
        outcome=lambda f: _("The address and the code, and the way in for phones."),
        typed=lambda f: _("the address and the code, for friends who want to join"),
        why_not=lambda f: None if f.address
        else _("Only the host can invite: the address and the code are the host’s."),
        listed=_invites, in_menu=_invites,
        label=act.label(45, lambda: _("invite"), lambda f: _invites(f) and _gathers(f)),
        button=lambda: _("invite"), do=lambda c, _rest: c.invite(),
    ),
    DOOR,
    act.Act(
        id="code", name=lambda: pgettext("typed", "code"),
        about=lambda: _("a new join code; at a table without a code, lock or unlock it"),
        words=lambda f: _("new join code") if f.code is not None
        else _("let everybody in again") if f.known.is_shut else _("let nobody new in"),
        outcome=lambda f: _("Whoever has a seat stays; newcomers need the new code.")
        if f.code is not None else _("Whoever has sat here may come back to the locked table."),
        why_not=lambda f: None if _can_be_shut(f) else _("This table has no code to change."),
        in_menu=_can_be_shut, do=_renew_code,
    ),
    act.Act(
        id="strangers", name=lambda: pgettext("typed", "strangers"),
        about=lambda: _("send the strangers away"),
        why_not=lambda f: None if f.known.strangers
        else _("Your table is open to everybody, so nobody at it is a stranger."),
        in_menu=lambda f: bool(f.known.strangers),
        do=lambda c, rest: c.clear_strangers(c.client.known.strangers, rest),
    ),
    act.Act(
        id="pause", name=lambda: pgettext("typed", "pause"),
        about=lambda: _("pause, or go on"), words=_pause_words,
        outcome=lambda f: _("Nobody can play during a pause."),
        why_not=_seatless, listed=_sits, do=_pause,
        in_menu=lambda f: _sits(f) and not (f.is_practice and _gathers(f)),
    ),
    MENU,
    PAGE,
    WHO,
    STATE,
    act.Act(
        id="why", key="w", name=lambda: pgettext("typed", "why"),
        about=lambda: _("why? the rules that apply now"),
        # In a practice game with the coach, it comes before that of the peek.
        label=lambda f: KeyLabel(65 if _is_coached(f) and f.is_practice else 80, _("why?"))
        if f.view else None,
        button=lambda: _("why?"), do=lambda c, _rest: c.explain(),
    ),
    act.Act(
        id="rounds", key="g", name=lambda: pgettext("typed", "rounds"),
        about=lambda: _("the rounds of this game"),
        # Once the game is over, it comes before that of the talk.
        label=lambda f: KeyLabel(55 if _is_won(f) else 95, _("rounds"))
        if f.view and f.view.past else None,
        button=lambda: _("rounds"), do=lambda c, _rest: c.show_rounds(),
    ),
    act.Act(
        id="postcard", key="p", name=lambda: pgettext("typed", "postcard"),
        about=lambda: _("copy four lines about a game that is over, to paste them anywhere"),
        why_not=lambda f: None if _is_won(f) else _("You can only make a postcard of a "
                                                    "finished game."),
        listed=lambda f: _is_won(f),
        label=act.label(99, lambda: _("postcard"), lambda f: _is_won(f)),
        button=lambda: _("postcard"), do=_postcard,
    ),
    act.Act(
        id="rules", name=lambda: pgettext("typed", "rules"), needs_table=False,
        about=lambda: _("rules"), typed=lambda f: _("the rules of this table"),
        do=lambda c, _rest: c.show_rules(),
    ),
    act.Act(
        id="network", key="x", name=lambda: pgettext("typed", "network"), needs_table=False,
        about=lambda: _("check the network"), listed=lambda f: not f.is_practice,
        button=lambda: _("network"), do=lambda c, _rest: c.examine(),
    ),
    act.Act(
        id="lines", key="o", name=lambda: pgettext("typed", "lines"), needs_table=False,
        about=lambda: _("options"),
        typed=lambda f: _("always start in plain text, or full screen again"),
        button=lambda: _("options"), do=lambda c, _rest: c.choose_options(),
    ),
    act.Act(
        id="language", letter="u", name=lambda: pgettext("typed", "language"), needs_table=False,
        about=lambda: LANGUAGES[other()], do=lambda c, rest: c.speak(rest),
    ),
    act.Act(
        id="help", key="question_mark", name=lambda: pgettext("typed", "help"), needs_table=False,
        about=lambda: _("the keys that do something now"),
        words=lambda f: _("help"), typed=lambda f: _("this help"),
        label=act.label(200, lambda: _("keys"), lambda f: f.view is not None),
        do=lambda c, _rest: c.help(),
    ),
    act.Act(
        id="quit", key="q", name=lambda: pgettext("typed", "quit"), needs_table=False,
        about=lambda: _("leave"), words=_leave_words,
        label=lambda f: KeyLabel(210, _leave_words(f)),
        button=lambda: _("leave"), do=lambda c, _rest: c.leave(),
    ),
)  # fmt: skip
"""All acts, in the order in which help and palette list them."""


LATER: Final = tuple(act.named(each, TABLE) for each in ("odds", "say", "gesture", "page"))
"""Acts without a label on the line of keys in a newcomer's first round among bots."""


def menu(facts: TableState) -> Sequence[TableAct]:
    """The acts that the table's menu offers now."""
    return [each for each in TABLE if each.in_menu is not None and each.in_menu(facts)]


def do(c: AtTable, act: TableAct, rest: str = "") -> None:
    """Do an act, or tell the player why not."""
    if (why := act.why_not(c.facts)) is not None:
        c.tell(why)
    else:
        act.do(c, rest)


# The keys of the game, which depend on what is composed

ENDING_KEYS: Final = {"c": Ending.CALL, "l": Ending.CLIFF, "s": Ending.SPOOF, "z": Ending.ZERO}
"""The keys of the words that end a round."""

LETTERS: Final = {ending: key for key, ending in ENDING_KEYS.items()}
