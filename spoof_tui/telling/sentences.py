"""What the program says about a table, in whole sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from protocol.errors import Illegal
from protocol.rules.game import PlayedRound
from protocol.rules.options import Rules, Stake
from protocol.rules.stakes import stake_of
from protocol.rules.words import Bid, Direction, Drink, Ending, Offence, Verdict, Word
from protocol.table.fold import Phase
from protocol.version import PROGRAM, PROTOCOL
from protocol.views import LinkState, TableView
from protocol.wire.messages import Farewell, OtherVersion
from spoof_tui.telling.names import called, name_of
from spoof_tui.telling.rulebook import cited
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.system_errors import reason_of
from spoof_tui.visiting import is_visitor

if TYPE_CHECKING:
    from protocol.table.verify import LogFault
    from spoof_tui.storage.identity import Holder


def sentence(text: str) -> str:
    """The text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def way(direction: Direction) -> str:
    """The name of a direction of play."""
    turned = direction is Direction.COUNTER_CLOCKWISE
    return _("counter-clockwise") if turned else _("clockwise")


def word_name(word: Word) -> str:
    """The name of a word: a number in digits, or "call", "cliff", "spoof" or "zero"."""
    if isinstance(word, Bid):
        return str(word.number)
    return {
        Ending.CALL: _("call"),
        Ending.CLIFF: _("cliff"),
        Ending.SPOOF: _("spoof"),
        Ending.ZERO: _("zero"),
    }[word]


def said_aloud(word: Word) -> str:
    """A word as players shout it: a number, or an ending word with its exclamation mark."""
    return word_name(word) + ("" if isinstance(word, Bid) else "!")


def turned(view: TableView, names: Sequence[str]) -> str:
    """The sentence that the opening bid, the last word so far, reversed the direction (R4); else
    empty."""
    if len(view.words) != 1 or view.direction is Direction.CLOCKWISE:
        return ""
    seat = view.words[0][0]
    text = (
        _("You reverse the direction.") if seat == view.me else _("{name} reverses the direction.")
    )
    return text.format(name=names[seat])


def the_count(
    played: PlayedRound, names: Sequence[str], order: Sequence[int], me: int | None = None
) -> str:
    """The hands as they add up, in the `order` in which they opened; the player at `me` is "you".

    The hands of a void round are only listed, since they decide nothing (G3).
    """
    hands = [f"{called(seat, names, me)} {played.hands[seat]}" for seat in order]
    if order and order[0] == me and played.outcome.verdict is not Verdict.VOID:
        hands[0] = hands[0][:1].upper() + hands[0][1:]
    return _sum(hands, played, order)


def short_count(played: PlayedRound, order: Sequence[int]) -> str:
    """The hands as they add up, without names, for screens whose seats show whose hand is which."""
    return _sum([str(played.hands[seat]) for seat in order], played, order)


def _sum(hands: Sequence[str], played: PlayedRound, order: Sequence[int]) -> str:
    if played.outcome.verdict is Verdict.VOID:
        return _("Open fists: {hands}").format(hands=", ".join(hands)) if hands else ""
    return " + ".join(hands) + f" = {sum(played.hands[seat] for seat in order)}"


def forbidden(error: Illegal, names: Sequence[str], rules: Rules | None = None) -> str:
    """Why a statement is not allowed now, with the number of the clause in the rulebook of
    `rules`."""
    clause = error.reason.clause if rules is None else cited(error.reason.clause, rules)
    return f"{why_not(error, names)} ({clause})"


def why_not(error: Illegal, names: Sequence[str]) -> str:
    """Why a statement is not allowed now."""
    values = dict(error.values)
    speaker = values.get("speaker")
    if isinstance(speaker, int):
        values["speaker"] = names[speaker] if speaker < len(names) else "?"
    return _(error.reason.template).format(**values)


AWARDED: Final = (
    Offence.GLOATING,
    Offence.REFUSING,
    Offence.NOT_ORDERING,
    Offence.LEFT_AFTER_LOSS,
    Offence.ABUSE,
    Offence.EATING,
    Offence.WORK,
    Offence.OTHER,
)
"""Offences that a chairman may fine; the program detects the others itself."""


def offence_name(offence: Offence) -> str:
    """The reason for a fine."""
    return {
        Offence.DUPLICATE: _("three taken numbers"),
        Offence.IMPOSSIBLE: _("an impossible call"),
        Offence.SHUT_FIST: _("a fist that stayed shut"),
        Offence.REFUSING: _("refusing to call"),
        Offence.GLOATING: _("gloating"),
        Offence.NOT_ORDERING: _("ordering nothing"),
        Offence.LEFT_AFTER_LOSS: _("leaving after a loss"),
        Offence.ABUSE: _("abusing the chairman"),
        Offence.EATING: _("eating at the table"),
        Offence.WORK: _("going back to work after a loss"),
        Offence.OTHER: _("whatever the chairman knows"),
    }[offence]


def payers(view: TableView) -> Iterator[str]:
    """A sentence for each player who has paid for drinks this evening, as the slate says (H12,
    S2)."""
    for key, count in Counter(view.slate.paid).items():
        text = ngettext(
            "{name} had the honour of paying.",
            "{name} had the honour of paying {count} times.",
            count,
        )
        yield text.format(name=name_of(view, key), count=count)
    if view.counts_rounds and not view.stakes.paid:
        yield _("Nobody has paid for a round yet.")
    for key, count in Counter(view.stakes.paid).items():
        text = ngettext("{name} paid for a round.", "{name} paid for {count} rounds.", count)
        yield text.format(name=name_of(view, key), count=count)


def drink_name(drink: Drink) -> str:
    """The name of a drink."""
    return {
        Drink.PORT: _("port"),
        Drink.BAILEYS: _("Baileys"),
        Drink.ALIEN_SNOT: _("alien snot"),
    }[drink]


def link_state(state: LinkState) -> str:
    """The state of the link to the host, in a few words; empty if all is well."""
    return {
        LinkState.UP: "",
        LinkState.MEETING: _("joining …"),
        LinkState.MOVING: _("the table moves …"),
        LinkState.UNSTEADY: _("host unsteady"),
        LinkState.DOWN: _("connection lost, trying again …"),
    }[state]


def slow_network(lag: int) -> str:
    """The message that the network is slow: every answer takes `lag` milliseconds."""
    return _("slow network, {seconds} s").format(seconds=f"{lag / 1000:g}")


def farewell(why: Farewell) -> str:
    """Why the table is over for this player, and what to do."""
    sentences = {
        Farewell.CLOSED: _("The host has closed the table."),
        Farewell.REPLACED: _("Another window of yours has taken over your seat."),
        Farewell.OTHER_LOG: _("There is a different table at this address now."),
        Farewell.OTHER_VERSION: _("The host speaks another version of the protocol."),
        Farewell.BARRED: _(
            "You are banned from this table, by the host or by a majority of the players."
        ),
        Farewell.SHUT: _("The host has locked this table: nobody new can come in."),
        Farewell.NO_PROOF: _(
            "The table let you in without proving that it knows the code. Either the table "
            "needs no code (join again without one), or somebody is intercepting the connection."
        ),
    }
    return sentences.get(why, _("The connection to the table has ended."))


def turned_away(why: Farewell) -> str:
    """Why the table cannot be joined now, in sentences; the program keeps trying."""
    sentences = {
        Farewell.IMPOSTOR: _(
            "Another program answered instead of this table’s host: its key is not the host’s. "
            "Still looking for the host."
        ),
        Farewell.TOO_MANY: _("The table has no room for another connection now. Trying again …"),
        Farewell.WRONG_PROOF: _(
            "The host did not accept the proof of who you are. Somebody may be intercepting "
            "the connection. Trying again."
        ),
    }
    return sentences.get(why, _("The table cannot be joined now. Trying again."))


def fault(fault: LogFault, names: Sequence[str], rules: Rules | None = None) -> str:
    """ "entry 7: …": what is wrong with an entry of the log, without a full stop."""
    values = dict(fault.values)
    if fault.forbidden is not None:
        values["why"] = f"“{forbidden(fault.forbidden, names, rules)}”"
    text = _("entry {number}: {why}")
    return text.format(number=fault.entry, why=_(fault.flaw.template).format(**values))


def broken(why: str, evidence: str | None, between: str = " ") -> str:
    """The message that the host's log is inconsistent, as `why` says.

    `evidence` is the path of the saved log, None if it could not be saved; `between` separates the
    two sentences.
    """
    text = _(
        "The host’s log does not hold together ({why}). This program accepts nothing more "
        "from this host."
    ).format(why=why)
    if evidence is None:
        return text + between + _("The evidence could not be written to disk.")
    kept = _("The evidence is saved in {path}. To check it: spoof verify {path}")
    return f"{text}{between}{kept.format(path=evidence)}"


def code_asked(why: Farewell) -> str:
    """Why a join code was not accepted, in sentences; empty if `why` is not about a code."""
    return {
        Farewell.WRONG_CODE: _(
            "That is not the code of this table. The code may have changed: look at the host’s "
            "screen."
        ),
        Farewell.TOO_MANY_TRIES: _("Too many wrong codes came from this address: wait a minute."),
    }.get(why, "")


def not_let_in(why: Farewell | Illegal) -> str:
    """Why a command without a screen was not let in, or got no seat, and what to do."""
    if isinstance(why, Illegal):
        return why_not(why, ())
    if why is Farewell.NO_CODE:
        return _("This table asks for its join code: add --code and the code on the host’s screen.")
    return code_asked(why) or farewell(why)


def key_in_use(holder: Holder | None) -> str:
    """Why a saved table cannot be resumed here, and what helps.

    `holder` is the program that holds the seat; None if the seat's key is not on this computer.
    """
    if holder is None:
        return _("The key of your seat is not on this computer: join the table as a new player.")
    if is_visitor():
        text = _("Your seat is held by {where}, which does not answer. Try again in a moment.")
        return text.format(where=window(holder))
    text = _(
        "Your seat is held by {where}, which does not answer: perhaps it is suspended. End that "
        "process with “kill -9 {pid}”, and try again."
    )
    return text.format(where=window(holder), pid=holder.pid)


def seat_held(holder: Holder) -> str:
    """A sentence saying which of the player's programs holds their seat."""
    return _("Your seat at this table is held by {where}.").format(where=window(holder))


def taken_over(holder: Holder) -> str:
    """A sentence saying why the table is over here: the player took the seat over in another
    window."""
    text = _("Your seat was taken over in another window: {where} holds it now.")
    return text.format(where=window(holder))


def window(holder: Holder) -> str:
    """A phrase for the middle of a sentence that tells which of the player's own programs `holder`
    is: its process and terminal."""
    if is_visitor():
        return _("another window of yours")  # the process is on somebody else's machine
    if holder.terminal:
        text = _("process {pid} at {terminal}")
        return text.format(pid=holder.pid, terminal=holder.terminal)
    return _("process {pid}").format(pid=holder.pid)


def no_table_title(error: Exception) -> str:
    """The title of the message whose text is `cannot_open`."""
    return _("Nobody answers there") if _is_alone(error) else _("Not at the table")


def _is_alone(error: Exception) -> bool:
    """Whether the error leaves open that no program at all answers at that address."""
    from spoof_tui.network.probe import Failure, ProbeFailed

    nobody = (Failure.REFUSED, Failure.SILENT, Failure.UNREACHABLE)
    return isinstance(error, ProbeFailed) and error.reason in nobody


def cannot_open(error: Exception) -> str:
    """Why a table could not be opened or reached."""
    if isinstance(error, OtherVersion):
        return _(
            "That table runs Spoof {program} (protocol {protocol}), you run {own} (protocol "
            "{own_protocol}): one of you has to update."
        ).format(program=error.program, protocol=error.protocol, own=PROGRAM, own_protocol=PROTOCOL)
    if _is_alone(error):
        return str(error)
    if isinstance(error, OSError):
        return _("The table cannot be opened: {why}.").format(why=reason_of(error))
    return _("The table cannot be reached: {why}.").format(why=str(error).rstrip("."))


def advice_on(error: Exception) -> str:
    """What to do about an error of `cannot_open`, unless a finding says more; empty for most
    errors."""
    if not _is_alone(error):
        return ""
    return _(
        "Compare the address with the one on the host’s screen. Both computers must be on the same "
        "network."
    )


def signed(chips: int) -> str:
    """A number of chips, won or lost, with its sign, which is as wide as a digit; 0 has none."""
    if not chips:
        return "0"
    return f"+{chips}" if chips > 0 else f"{glyphs().minus}{-chips}"


def score(view: TableView, seat: int) -> str:
    """A seat's result of the evening: chips won or lost, or rounds paid; empty if there is none."""
    key, stake = view.seats[seat].key, stake_of(view.rules)
    if stake is Stake.POT:
        return signed(view.stakes.up(key))
    rounds = view.stakes.rounds(key)
    if view.is_guessing and view.phase is Phase.GATHERING:
        rounds = view.slate.paid.count(key)  # no earlier than the last count is shown (H12)
    if not rounds:
        return ""
    return _("paid {count}").format(count=rounds)


def score_title(view: TableView) -> str:
    """The title of a column of scores: chips or rounds paid."""
    return _("chips") if stake_of(view.rules) is Stake.POT else _("paid")


def standing(view: TableView, names: Sequence[str]) -> str:
    """A sentence with the standings of all who sit at the table, the best first; empty without
    stakes."""
    pairs = [(called(place, names, view.me), seat.key) for place, seat in enumerate(view.seats)]
    if stake_of(view.rules) is Stake.POT and view.stakes.chips:
        chips = [(name, view.stakes.up(key)) for name, key in pairs if key in view.stakes.chips]
        chips.sort(key=lambda each: -each[1])
        told = ", ".join(f"{name} {signed(count)}" for name, count in chips)
        return _("Chips: {names}.").format(names=told)
    if stake_of(view.rules) is Stake.DRINKS and view.stakes.paid:
        rounds = [(name, view.stakes.rounds(key)) for name, key in pairs]
        rounds.sort(key=lambda each: -each[1])
        told = ", ".join(f"{name} {count}" for name, count in rounds if count)
        return _("Rounds paid: {names}.").format(names=told) if told else ""
    return ""


def own(view: TableView) -> str:
    """A sentence on the chips that the player has won or lost this evening; empty if that is 0."""
    chips = view.stakes.up(view.my_seat.key) if view.my_seat else 0
    if chips > 0:
        text = ngettext("You are {count} chip up.", "You are {count} chips up.", chips)
    else:
        text = ngettext("You are {count} chip down.", "You are {count} chips down.", -chips)
    return text.format(count=abs(chips)) if chips else ""


def result(view: TableView, names: Sequence[str]) -> str:
    """A sentence saying who takes the pot or pays for the round of the finished game; empty if
    nobody does."""
    if view.winner is None:
        return ""
    if stake_of(view.rules) is Stake.POT:
        if view.winner == view.me:
            return _("You take the pot: a chip from each player.")
        return _("{name} takes the pot: a chip from each player.").format(name=names[view.winner])
    out = next((each.outcome.went_out for each in view.past if each.outcome.went_out), ())
    # At a new table perhaps nobody has paid (G8).
    payer = view.stakes.paid[-1:]
    if stake_of(view.rules) is not Stake.DRINKS or not out or payer != (view.seats[out[0]].key,):
        return ""
    if out[0] == view.me:
        return _("You were first out, and pay for the round.")
    return _("{name} was first out, and pays for the round.").format(name=names[out[0]])
