"""How moves, votes, fines and the turn clock change a table."""

from __future__ import annotations

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.game import Game, GamePlayer
from protocol.rules.options import MIN_PLAYERS
from protocol.rules.words import Offence
from protocol.table.state import CHOICES, Matter, Move, Phase, Table, needed
from protocol.table.statements import (
    NO_ONE,
    VOTED,
    AwardFine,
    Decide,
    Elect,
    Fist,
    GameStarted,
    LiftFine,
    Measure,
    Open,
    Order,
    Ready,
    Speak,
    TimeUp,
    Toss,
    Vote,
    Witness,
)


def check_play_on(move: Move, key: bytes) -> None:
    """Raise `Illegal` unless the others may vote now to go on without `key` (G3)."""
    table = move.table
    if table.paused:
        raise Illegal(Reason.PAUSED)
    if key not in table.waiting_since:
        raise Illegal(Reason.NOT_AWAITED)
    move.check_due(table.play_on_from(key), Reason.NOT_AWAY)


def check_time_up(move: Move, key: bytes) -> None:
    """Raise `Illegal` unless the turn clock of `key` has run out (G4)."""
    table = move.table
    if not table.opened.clock or table.phase not in CHOICES:
        raise Illegal(Reason.NO_CLOCK)
    move.check_due(table.time_up_from(key), Reason.NOT_AWAITED)


def play_on(move: Move, key: bytes, *, by_clock: bool = False) -> Table:
    """The table after the game went on without the move of `key`, for which it waits; `by_clock` if
    its time was up."""
    game, index = Move(move.table, key, move.length, move.time).playing()
    phase = move.table.phase
    if phase is Phase.LOT:
        # Without one of its shares the lot cannot be drawn: the game is called off.
        return move.with_game(game, Phase.GATHERING)
    if phase is Phase.CHOOSING:
        return after_fist(move, game.hold_none(index))
    if phase is Phase.SPEAKING:
        return after_word(move, game.say_for(index) if by_clock else game.say_none(index))
    return after_round(move, game.void(index))


def after_fist(move: Move, game: Game) -> Table:
    """The table after a fist was put in, or counts as empty; the last one lets the starter speak
    (R3)."""
    table = move.table
    able = frozenset([seat.key for seat in table.seats]) - table.muted
    gloats = table.gloats.after_fist(game.rules, able)
    if gloats is not table.gloats:
        game = replace(game, silent=gloats.silent)
        move = replace(move, table=replace(table, gloats=gloats))
    if game.fists_missing:
        return move.within_turn(game)
    return move.with_game(game, Phase.SPEAKING, thought=())


def after_word(move: Move, game: Game) -> Table:
    """The table after a word; an ending word still has to be witnessed (R5)."""
    table = move.table
    # It waits for the speaker and nobody else.
    since = next(iter(table.waiting_since.values()), move.time)
    thought = (*table.thought, max(move.time - since, 0))
    if game.speakers:
        return move.with_game(game, Phase.SPEAKING, thought)
    if game.witnesses_missing:
        return move.with_game(game, Phase.WITNESSING, thought)
    return _witnessed(replace(move, table=replace(table, thought=thought)), game)


def _witnessed(move: Move, game: Game) -> Table:
    if game.fists_shut:
        return move.with_game(game, Phase.OPENING)
    # Where every fist holds none (G3) there is nothing to open.
    return after_round(move, game.counted())


def after_round(move: Move, game: Game) -> Table:
    """The table after a round, whether it was counted or void (R14)."""
    phase = Phase.GATHERING if game.round is None else Phase.CHOOSING
    slate = move.table.slate.after_round(game)
    gloats = move.table.gloats.after_round(game, move.length)
    return replace(move.with_game(game, phase), slate=slate, gloats=gloats)


def elect(move: Move, statement: Elect) -> Table:
    """The table after a seat has voted for a chairman (H2); raises `Illegal`."""
    table = _slated(move)
    keys = frozenset(seat.key for seat in table.seats)
    if statement.seat not in keys:
        raise Illegal(Reason.NO_SEAT)
    return replace(table, slate=table.slate.elect(move.seat().key, statement.seat, keys))


def award(move: Move, statement: AwardFine) -> Table:
    """The table after the chairman has fined a seat (H2, H13); raises `Illegal`."""
    table = _chaired(move)
    if table.seat(statement.seat) is None:
        raise Illegal(Reason.NO_SEAT)
    slate = table.slate.fined(statement.seat, statement.offence, by=move.author)
    return replace(table, slate=slate)


def lift(move: Move, statement: LiftFine) -> Table:
    """The table after the chairman has lifted a fine (H2); raises `Illegal`."""
    table = _chaired(move)
    return replace(table, slate=table.slate.lift(statement.index))


def order(move: Move, statement: Order) -> Table:
    """The table after the first to leave the school has ordered the drinks (H10); raises
    `Illegal`."""
    table = _slated(move)
    if not table.is_guessing:
        raise Illegal(Reason.GUESSING_ONLY)
    seat = move.seat()
    if table.game is None:
        raise Illegal(Reason.NO_GAME)
    return replace(table, slate=table.slate.order(seat.key, statement.drink, table.game))


def _slated(move: Move) -> Table:
    if not move.table.has_slate:
        raise Illegal(Reason.GUESSING_ONLY)
    return move.table


def _chaired(move: Move) -> Table:
    table = _slated(move)
    if move.seat().key != table.chairman:
        raise Illegal(Reason.NOT_CHAIRMAN)
    return table


_OF_ALL = (Measure.PAUSE, Measure.GO_ON, Measure.LOCK, Measure.UNLOCK, Measure.BAN_WOBBLE)
"""Measures that concern the whole table rather than a key."""


def vote(move: Move, statement: Vote) -> Table:
    """The table after a seat has voted for a measure, or taken its vote back; raises `Illegal`."""
    table, voter = move.table, move.seat().key
    matter = statement.measure, statement.seat
    _check(move, matter)
    if statement.seat not in table.names and statement.measure not in _OF_ALL:
        # Votes may be about any key that ever sat here, and no other.
        raise Illegal(Reason.NO_SEAT)
    if statement.measure is Measure.PLAY_ON and statement.seat == voter:
        raise Illegal(Reason.OTHERS_DECIDE)
    voters = table.votes.get(matter, frozenset())
    if statement.yes == (voter in voters):
        raise Illegal(Reason.REPEATED)
    if statement.measure is Measure.BAN_WOBBLE:
        # Mr. A. L. Shearn is against it (S5).
        return replace(table, vetoed=(voter, move.length))
    voters = voters | {voter} if statement.yes else voters - {voter}
    votes = {**table.votes, matter: voters}
    if not voters:
        del votes[matter]
    return votes_counted(replace(move, table=replace(table, votes=votes)))


def decide(move: Move, statement: Decide) -> Table:
    """The table after the host has taken a measure without a vote; raises `Illegal`."""
    if statement.seat == move.table.host:
        raise Illegal(Reason.OWN_SEAT)
    if statement.measure in VOTED:
        raise Illegal(Reason.VOTE_ONLY)
    matter = statement.measure, statement.seat
    _check(move, matter)
    return votes_counted(replace(move, table=_carried(move, matter)))


def _check(move: Move, matter: Matter) -> None:
    """Raise `Illegal` for a measure that is impossible now, or in force already."""
    table, (measure, key) = move.table, matter
    if measure is Measure.PLAY_ON:
        check_play_on(move, key)
        return
    if measure in _OF_ALL and key != NO_ONE:
        raise Illegal(Reason.NO_SEAT)
    if measure in (Measure.REMOVE, Measure.BAR) and key == table.host:
        raise Illegal(Reason.HOST_STAYS)
    if measure in (Measure.REMOVE, Measure.MUTE) and table.seat(key) is None:
        raise Illegal(Reason.NO_SEAT)
    in_force = {
        Measure.MUTE: key in table.muted,
        Measure.UNMUTE: key not in table.muted,
        Measure.REMOVE: key in table.leaving and not _is_overdue(move, key),
        Measure.BAR: key in table.barred,
        Measure.PARDON: key not in table.barred,
        Measure.PAUSE: table.paused,
        Measure.GO_ON: not table.paused,
        # At a table with a code, the code decides who comes in.
        Measure.LOCK: table.shut or table.opened.locked,
        Measure.UNLOCK: not table.shut,
        Measure.BAN_WOBBLE: False,
    }
    if in_force[measure]:
        raise Illegal(Reason.NO_CHANGE)


def votes_counted(move: Move) -> Table:
    """The table after every measure with a majority has been carried.

    Taking a seat away may give another measure its majority. If several have one, they are carried
    in the order of `Measure`, and among equals in that of the keys.
    """
    table = move.table
    carried = [matter for matter in table.votes if _has_majority(table, matter)]
    if not carried:
        return table
    first = min(carried, key=lambda matter: (_ORDER.index(matter[0]), matter[1]))
    return votes_counted(replace(move, table=_carried(move, first)))


def _has_majority(table: Table, matter: Matter) -> bool:
    counted = table.voters(matter)
    return len(table.votes[matter] & counted) >= needed(len(counted))


_ORDER = list(Measure)


def _carried(move: Move, matter: Matter) -> Table:
    measure, key = matter
    votes = {each: voters for each, voters in move.table.votes.items() if each != matter}
    table = replace(move.table, votes=votes)
    if measure is Measure.MUTE:
        return replace(table, muted=table.muted | {key})
    if measure is Measure.UNMUTE:
        return replace(table, muted=table.muted - {key})
    if measure is Measure.PARDON:
        return replace(table, barred=table.barred - {key})
    if measure is Measure.PAUSE:
        return replace(table.without_play_on(*table.waiting_for), paused=True)
    if measure is Measure.GO_ON:
        # Seats that were not ready get the grace time again.
        seats = tuple(
            replace(each, ready_since=move.time) if each.share_seal else each
            for each in table.seats
        )
        return replace(table, paused=False, seats=seats)
    if measure in (Measure.LOCK, Measure.UNLOCK):
        return replace(table, shut=measure is Measure.LOCK)
    if measure is Measure.PLAY_ON:
        table = replace(table, set_aside=table.set_aside | {key})
        return gone_on(move, play_on(replace(move, table=table), key))
    if measure is Measure.BAR:
        table = replace(table, barred=table.barred | {key})
    return _removed(replace(move, table=table), key)


def _removed(move: Move, key: bytes) -> Table:
    """The table without the seat of `key`, or with the seat marked as leaving until the round is
    over."""
    table = move.table
    if table.seat(key) is None:
        return table
    if table.is_between_rounds:
        return _taken_away(move, key)
    if _is_overdue(move, key):
        return gone_on(move, _taken_away(move, key))
    return table if key in table.leaving else replace(table, leaving=(*table.leaving, key))


def _is_overdue(move: Move, key: bytes) -> bool:
    """Whether the table has waited for this seat's move for the grace time: only then may the seat
    be taken away during a round.

    Otherwise a host could call off a round that it is about to lose.
    """
    table = move.table
    if table.paused or key not in table.waiting_for or key not in table.waiting_since:
        return False
    if not move.timed:
        # A voter has no clock but the host's, and leaves this to the host.
        return bool(move.author)
    return not move.is_before(table.waiting_since[key] + table.opened.grace * 1000)


def going_on(before: Table, move: Move, table: Table) -> Table:
    """The table after a statement, played on until it waits for no seat that is set aside (G3).

    If the electors differ from those of `before`, the votes on measures are counted again.
    """
    while table.set_aside or table.votes:
        after = _without_idle(replace(move, table=table))
        if after.votes and (after.electors, after.phase) != (before.electors, before.phase):
            after = votes_counted(replace(move, table=after))
        if after is table:
            break
        table = after
    return table


def _without_idle(move: Move) -> Table:
    """The table after the game went on without the first awaited seat that is set aside; unchanged
    if there is none."""
    table = move.table
    # If everybody with coins is set aside, there is nobody to play on for.
    if table.paused or table.in_play <= table.set_aside:
        return table
    for key in table.waiting_for:
        if key in table.set_aside:
            return gone_on(move, play_on(move, key))
    return table


def gone_on(move: Move, table: Table) -> Table:
    """`table` as it is while a round goes on; otherwise without the seats that are leaving, and
    with every measure carried that now has a majority."""
    if not table.is_between_rounds:
        return table
    for key in table.leaving:
        table = _taken_away(replace(move, table=table), key)
    return votes_counted(replace(move, table=table))


def _taken_away(move: Move, key: bytes) -> Table:
    """The table without the seat of `key` and its coins."""
    index, game = move.table.playing(key), move.table.game
    move = replace(move, table=move.table.without_seat(key))
    if game is None or index is None or not game.coins[index]:
        return move.table
    if game.round is None:
        # Without one of its shares the lot cannot be drawn: the game is called off.
        return move.with_game(game, Phase.GATHERING)
    game = game.without(index)
    phase = Phase.GATHERING if game.round is None else Phase.CHOOSING
    slate = move.table.slate.after_removal(game)
    gloats = move.table.gloats.after_removal(game, move.length)
    return replace(move.with_game(game, phase), slate=slate, gloats=gloats)


def ready(move: Move, statement: Ready) -> Table:
    """The table after the statement's author is ready for the next game (G1); raises `Illegal`."""
    seat = move.seat()
    if seat.share_seal is not None:
        raise Illegal(Reason.READY_ALREADY)
    return move.seats_with(replace(seat, share_seal=statement.seal, ready_since=move.time))


def start(move: Move, statement: GameStarted) -> Table:
    """The table after a game was started with everybody who is ready (G1, R15); raises
    `Illegal`."""
    table, ready = move.table, move.table.ready_seats
    if len(ready) < MIN_PLAYERS:
        raise Illegal(Reason.TOO_FEW)
    if statement.order != table.ready_keys:
        raise Illegal(Reason.WRONG_ORDER)
    game = Game(
        table=table.id,
        number=table.game.number + 1 if table.game else 1,
        rules=table.opened.rules,
        players=tuple(GamePlayer(s.key, s.name, s.share_seal or b"") for s in ready),
        started=move.time,
    )
    seats = tuple(replace(seat, share_seal=None, ready_since=None) for seat in table.seats)
    slate = table.slate
    if table.is_guessing and table.game is not None:
        slate = slate.before_next(table.game)
    dealt = table.dealt.union(statement.order)
    table = replace(table, seats=seats, era=move.length, slate=slate, dealt=dealt)
    move = replace(move, table=table)
    crap = _crap(table, game)
    if crap is None:
        return move.with_game(game, Phase.LOT)
    return move.with_game(replace(game, crap=crap).with_round(crap), Phase.CHOOSING)


def _crap(table: Table, game: Game) -> int | None:
    """Index of the player who opens as crap (R15); None if the rules draw a lot, or that player
    does not play again."""
    last = table.game
    if last is None or last.next_crap is None or game.rules.draws_lot:
        return None
    return game.seats.get(last.next_crap)


def toss(move: Move, statement: Toss) -> Table:
    """The table after a share of the lot was opened; the last one begins round 1 (G1). Raises
    `Illegal`."""
    game, index = move.playing()
    game = game.toss(index, statement.share, statement.nonce)
    if game.round is None:
        return move.within_turn(game)
    return move.with_game(game, Phase.CHOOSING)


def fist(move: Move, statement: Fist) -> Table:
    """The table after a fist was put in; the last one lets the starter speak (R2, R3). Raises
    `Illegal`."""
    game, index = move.playing()
    return after_fist(move, game.put_in(index, statement.seal))


def speak(move: Move, statement: Speak) -> Table:
    """The table after a word was said; an ending word still has to be witnessed (R4 to R10). Raises
    `Illegal`."""
    game, index = move.playing()
    said = game.say(index, statement.word, statement.direction)
    return gone_on(move, after_word(move, said))


def witness(move: Move, _: Witness) -> Table:
    """The table after a player has confirmed the ending word; the last one lets the fists open
    (R11). Raises `Illegal`."""
    game, index = move.playing()
    game = game.witness(index)
    return move.within_turn(game) if game.witnesses_missing else _witnessed(move, game)


def open(move: Move, statement: Open) -> Table:
    """The table after a fist was opened; the last one ends the round (R11 to R14). Raises
    `Illegal`."""
    game, index = move.playing()
    game = game.open(index, statement.coins, statement.nonce)
    if move.author not in move.table.played:
        played = move.table.played | {move.author}
        move = replace(move, table=replace(move.table, played=played))
    if game.hands and game.round is not None:
        return move.within_turn(game)
    return gone_on(move, after_round(move, game))


def time_up(move: Move, statement: TimeUp) -> Table:
    """The table after the turn clock of a seat has run out: the game goes on without its move (G4).
    Raises `Illegal`.

    A seat that is away is set aside, as if the others had voted to play on (G3).
    """
    check_time_up(move, statement.seat)
    table, seat = move.table, replace(move, author=statement.seat).seat()
    if seat.away:
        table = replace(table, set_aside=table.set_aside | {seat.key})
    if table.is_guessing and table.phase is Phase.SPEAKING:
        table = replace(table, slate=table.slate.fined(seat.key, Offence.REFUSING))
    played = play_on(replace(move, table=table), seat.key, by_clock=True)
    return gone_on(move, played)
