"""What the program says about a table, in whole sentences; a result cites its clause."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.errors import Illegal
from protocol.guest.guest import LinkState
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import Rules
from protocol.rules.outcome import Verdict
from protocol.rules.words import Bid, Drink, Ending, Offence, Word
from protocol.table.verify import LogFault
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Farewell, OtherVersion
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.wording.calls import call_words
from spoof_tui.ui.wording.clauses import cited


def word_name(word: Word) -> str:
    """A word as it is said aloud."""
    if isinstance(word, Bid):
        return str(word.number)
    return {
        Ending.CALL: _("call"),
        Ending.CLIFF: _("cliff"),
        Ending.SPOOF: _("spoof"),
        Ending.ZERO: _("zero"),
    }[word]


def outcome(played: PlayedRound, names: Sequence[str]) -> str:
    """Who won or lost what in a round and why, with the clause."""
    result = played.outcome
    if isinstance(played.words, GuessingRound):
        return _guess(played, names)
    ender = names[result.ender]
    bidder, bid = played.words.standing or (result.ender, 0)
    values = {
        "ender": ender,
        "bidder": names[bidder],
        "bid": bid,
        "total": result.total if result.total is not None else "?",
        "most": played.words.most,
        "clause": result.verdict.clause,
    }
    return _verdict(result.verdict, values)


def _guess(played: PlayedRound, names: Sequence[str]) -> str:
    result = played.outcome
    total = "?" if result.total is None else call_words(result.total)
    if result.verdict is Verdict.VOID:
        text = _("The fist of {name} stayed shut: a fine, and the round is void (G3).")
        shut = next(seat for seat in played.words.players if seat not in played.hands)
        return text.format(name=names[shut])
    if not result.went_out:
        return _("On the table {total}: nobody called it, all stay (H11).").format(total=total)
    left = names[result.went_out[0]]
    if result.winner is not None:
        text = _("On the table {total}: {name} leaves, and {payer} is honoured to pay (H12).")
        return text.format(total=total, name=left, payer=names[result.winner])
    return _("On the table {total}: {name} called it and leaves (H10).").format(
        total=total, name=left
    )


def fines(played: PlayedRound, names: Sequence[str]) -> str:
    """Whom the house fines after a round (H13); empty when nobody."""
    if not played.outcome.fined:
        return ""
    fined = _(" and ").join(dict.fromkeys(names[seat] for seat in played.outcome.fined))
    sentence = ngettext(
        "Fined: {names} (H13).", "Fined, {count} drinks: {names} (H13).", len(played.outcome.fined)
    )
    return sentence.format(names=fined, count=len(played.outcome.fined))


def _verdict(verdict: Verdict, values: dict[str, object]) -> str:
    sentences = {
        Verdict.CALL_BID_TRUE: _(
            "Bid {bid}, on the table {total}: {bidder}'s bid was good, "
            "so {ender}'s call costs {ender} a coin ({clause})."
        ),
        Verdict.CALL_BID_FALSE: _(
            "Bid {bid}, on the table {total}: {bidder}'s bid was too high "
            "and costs a coin ({clause})."
        ),
        Verdict.CLIFF_RIGHT: _(
            "Bid {bid}, on the table {total}: {ender}'s cliff was exact and wins a coin ({clause})."
        ),
        Verdict.CLIFF_AT_CAP: _(
            "Bid {bid}, on the table {total}: {ender}'s cliff was exact, "
            "but {ender} is at the cap ({clause})."
        ),
        Verdict.CLIFF_WRONG: _(
            "Bid {bid}, on the table {total}: {ender}'s cliff was not exact "
            "and costs a coin ({clause})."
        ),
        Verdict.SPOOF_RIGHT: _(
            "All {most} coins are on the table: {ender}'s spoof is right, "
            "nobody wins or loses ({clause})."
        ),
        Verdict.SPOOF_WRONG: _(
            "On the table {total} of {most}: {ender}'s spoof was wrong and costs a coin ({clause})."
        ),
        Verdict.ZERO_RIGHT: _(
            "Nothing is on the table: {ender}'s zero is right, "
            "everybody else loses a coin ({clause})."
        ),
        Verdict.ZERO_WRONG: _(
            "On the table {total}: {ender}'s zero was wrong and costs a coin ({clause})."
        ),
        Verdict.VOID: _(
            "A fist stayed shut: its owner loses a coin, the round is void ({clause})."
        ),
    }
    return sentences[verdict].format(**values)


def went_out(played: PlayedRound, names: Sequence[str]) -> str:
    """Who went out in a round (R12); empty when nobody did."""
    out = [names[seat] for seat in played.outcome.went_out]
    if not out or isinstance(played.words, GuessingRound):
        return fines(played, names)
    sentence = ngettext("{names} is out (R12).", "{names} are out (R12).", len(out))
    return sentence.format(names=_(" and ").join(out))


def the_count(played: PlayedRound, names: Sequence[str], order: Sequence[int]) -> str:
    """The hands as they add up, in the order of opening."""
    hands = [f"{names[seat]} {played.hands[seat]}" for seat in order]
    return " + ".join(hands) + f" = {sum(played.hands[seat] for seat in order)}"


def forbidden(error: Illegal, names: Sequence[str], rules: Rules | None = None) -> str:
    """Why a statement is not allowed now, with the clause as the book of `rules` numbers it."""
    values = dict(error.values)
    speaker = values.get("speaker")
    if isinstance(speaker, int):
        values["speaker"] = names[speaker] if speaker < len(names) else "?"
    clause = error.reason.clause if rules is None else cited(error.reason.clause, rules)
    return f"{_(error.reason.template).format(**values)} ({clause})"


def offence_name(offence: Offence) -> str:
    """What a fine is for."""
    return {
        Offence.DUPLICATE: _("three taken numbers (H8)"),
        Offence.IMPOSSIBLE: _("an impossible call (H7)"),
        Offence.SHUT_FIST: _("a fist that stayed shut (G3)"),
        Offence.REFUSING: _("refusing to call"),
        Offence.GLOATING: _("gloating"),
        Offence.NOT_ORDERING: _("ordering nothing (H10)"),
        Offence.LEFT_AFTER_LOSS: _("going away after a loss"),
        Offence.OTHER: _("what the chairman knows"),
    }[offence]


def drink_name(drink: Drink) -> str:
    """What a drink is called."""
    return {
        Drink.PORT: _("port"),
        Drink.BAILEYS: _("Baileys"),
        Drink.ALIEN_SNOT: _("alien snot"),
    }[drink]


def link_state(state: LinkState) -> str:
    """How the way to the host is, when it is not well; empty when it is."""
    return {
        LinkState.UP: "",
        LinkState.MEETING: _("joining …"),
        LinkState.MOVING: _("the table moves …"),
        LinkState.UNSTEADY: _("host unsteady"),
        LinkState.DOWN: _("connection lost, trying again …"),
    }[state]


def farewell(why: Farewell) -> str:
    """Why the table is over for this player, and what to do."""
    sentences = {
        Farewell.CLOSED: _("The host has closed the table."),
        Farewell.REPLACED: _("Your seat has been taken over by another window of yours."),
        Farewell.OTHER_LOG: _("The table at this address is another one than before."),
        Farewell.OTHER_VERSION: _("The host speaks another version of the protocol."),
        Farewell.BARRED: _(
            "You are not let in to this table: the host, or a majority of the players, has "
            "refused you (G5)."
        ),
        Farewell.NO_PROOF: _(
            "The table let us in without proving that it knows the code. Either it asks for none: "
            "join again without a code. Or somebody stands between you and the host."
        ),
    }
    return sentences.get(why, _("The connection to the table has ended."))


def turned_away(why: Farewell, address: str) -> str:
    """Why the table at `address` cannot be joined now, while the program goes on trying."""
    sentences = {
        Farewell.IMPOSTOR: _(
            "What answers at {address} is not the host of this table: its key is another one. "
            "Still looking for the host."
        ),
        Farewell.TOO_MANY: _(
            "The table has no room for one more connection now. Trying again until it has."
        ),
        Farewell.WRONG_PROOF: _(
            "The host did not accept the proof of who you are. Somebody may stand between you "
            "and the host. Trying again."
        ),
    }
    text = sentences.get(why, _("The table cannot be joined now. Trying again."))
    return text.format(address=address)


def fault(fault: LogFault, names: Sequence[str], rules: Rules | None = None) -> str:
    """What is wrong with an entry of the log, without a full stop."""
    values = dict(fault.values)
    if fault.forbidden is not None:
        values["why"] = f"“{forbidden(fault.forbidden, names, rules)}”"
    text = _("entry {number}: {why}")
    return text.format(number=fault.entry, why=_(fault.flaw.template).format(**values))


def broken(why: str, evidence: str | None) -> str:
    """What is said when the host's log does not hold together; `evidence` is a path."""
    text = _(
        "The host's log does not hold together ({why}). Nothing more is taken from this host."
    ).format(why=why)
    if evidence is None:
        return text + " " + _("The evidence could not be written to the disk.")
    kept = _("The evidence is kept in {path}, and this judges it: spoof verify {path}")
    return f"{text} {kept.format(path=evidence)}"


def code_asked(why: Farewell) -> str:
    """What became of a join code that was tried; empty when none was."""
    return {
        Farewell.WRONG_CODE: _(
            "That is not the code of this table. Look at the host's screen: it may have changed."
        ),
        Farewell.TOO_MANY_TRIES: _("Too many wrong codes came from this address: wait a minute."),
    }.get(why, "")


def not_let_in(why: Farewell) -> str:
    """Why a program without a screen was not let in to a table, and what to do."""
    if why is Farewell.NO_CODE:
        return _("This table asks for its join code: add --code and what the host's screen shows.")
    return code_asked(why) or farewell(why)


def code_renewed(why: CodeChange, code: str) -> str:
    """Why the own table has another join code."""
    return {
        CodeChange.GUESSED: _(
            "Too many wrong codes were tried. The code is another one now: {code}"
        ),
        CodeChange.BARRED: _("Who was refused knew the code. It is another one now: {code}"),
        CodeChange.ASKED: _("The code is another one now: {code}"),
    }[why].format(code=code)


def key_in_use() -> str:
    """Why a saved table cannot be continued here."""
    return _("That table belongs to another window of yours, which is open: go on there.")


def cannot_open(error: Exception) -> str:
    """Why a table could not be opened or reached."""
    if isinstance(error, OtherVersion):
        return _(
            "That table runs Spoof {program} (protocol {protocol}), you run {own} (protocol "
            "{own_protocol}): one of you has to update."
        ).format(program=error.program, protocol=error.protocol, own=PROGRAM, own_protocol=PROTOCOL)
    if isinstance(error, OSError):
        return _("The table cannot be opened: {why}.").format(why=error.strerror or error)
    return _("The table cannot be reached: {why}.").format(why=str(error).rstrip("."))
