"""The whole rulebook in the words of one rule set, clause by clause (protocol/RULES.md).

It addresses a player. Differences from other rule sets of the same game are shown beside each
clause, so that people who learned from different books see at once where they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from protocol.rules.options import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    PRESETS,
    BiddingRules,
    ChosenDirection,
    FirstCaller,
    GameStarter,
    Gloating,
    GuessingRules,
    Impossible,
    Reveal,
    Rules,
    Stake,
    Starter,
    Token,
    Zero,
    written,
)
from spoof_tui.telling.rule_options import option_words, preset_words, rules_title
from spoof_tui.telling.titles import NAMED, call_name, preset_name
from spoof_tui.text.i18n import _, pgettext


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule, or one custom of the table."""

    mark: str
    """Its number such as R8; for a custom, its name."""
    text: str
    """What it says under these rules, in whole sentences."""
    options: tuple[str, ...] = ()
    """The options of the rules that it depends on."""
    differs: tuple[str, ...] = ()
    """What the other rule sets of this game have for these: "Milan: no cap; here cap 3"."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some clauses under a heading."""

    title: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Everything about the game under one rule set."""

    title: str
    """The preset and its changes."""
    about: str
    """One sentence on the game."""
    chapters: tuple[Chapter, ...]
    """The clauses by number."""
    customs: Chapter
    """What is not a rule, but belongs to the game all the same."""

    @property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause by its number."""
        return {clause.mark: clause for chapter in self.chapters for clause in chapter.clauses}


def clause(mark: str, *sentences: str, options: Sequence[str] = ()) -> Clause:
    """A clause of these sentences, some of which may be empty."""
    return Clause(mark, " ".join(filter(None, sentences)), options=tuple(options))


def thinking(rules: Rules) -> Clause:
    """Whether this table shows how long everybody thought."""
    text = _("Nobody is shown how long the others thought.")
    if rules.shows_thinking:
        text = _("Everybody is shown how long each player thought.")
    return clause(_("Thinking"), text, options=["thinking"])


def difference(rules: Rules, option: str) -> str:
    """What the presets of this game have instead: "Milan: no cap; here cap 3"; or nothing."""
    own = written(getattr(rules, option))
    others: dict[str, list[str]] = {}
    for name, preset in PRESETS.items():
        if option in preset.options and type(preset) is type(rules):
            value = written(getattr(preset, option))
            if value != own:
                others.setdefault(value, []).append(preset_name(name))
    if not others:
        return ""
    told = [
        _("{presets}: {value}").format(presets=", ".join(names), value=option_words(option, value))
        for value, names in others.items()
    ]
    here = _("here {value}").format(value=option_words(option, own))
    return "; ".join([*told, here])


def played_with(rules: Rules) -> Clause:
    """What is hidden in the fists, in either game."""
    text = {
        Token.COINS: pgettext("token", "You hide coins."),
        Token.PEBBLES: _("You hide pebbles, as they do in Kyiv when nobody has any change."),
        Token.BUTTONS: _("You hide buttons, as they do in Kyiv when nobody has any change."),
    }[rules.token]
    return clause(_("In the fist"), text, options=["token"])


def bidding_chapters(rules: BiddingRules) -> tuple[Chapter, ...]:
    """The clauses of the game itself."""
    return (
        Chapter(_("Coins and fists"), _coins_and_fists()),
        Chapter(_("Speaking"), _speaking(rules)),
        Chapter(_("The words that end a round"), _endings(rules)),
        Chapter(_("The count, and what follows"), _count(rules)),
    )


def _coins_and_fists() -> tuple[Clause, ...]:
    return (
        clause("R1", _("Everyone starts with three coins.")),
        clause(
            "R2",
            _(
                "In each round, everybody still in hides some of their coins in a fist: none, all, "
                "or any number in between."
            ),
        ),
        clause(
            "R3",
            _("You choose again each round. The last fist in locks them all."),
            _("Nobody bids before that."),
        ),
    )


def _speaking(rules: BiddingRules) -> tuple[Clause, ...]:
    if rules.direction is ChosenDirection.STARTER:
        way = _(
            "The player who opens may change the direction with that bid, if more than two are in."
        )
    else:
        way = _("It always goes clockwise.")
    return (
        clause(
            "R4",
            _("One player opens, then the next one still in speaks, one word each."),
            way,
            _("You may not pass."),
            options=["direction"],
        ),
        clause(
            "R5",
            _("A word is a bid, call, cliff, spoof or zero."),
            _("A bid keeps the round going; the other four end it."),
        ),
        clause(
            "R6",
            _("A bid says how many coins all fists hold together."),
            _("It is at least 1, higher than the last bid, and at most all coins in play."),
            _("Any raise will do."),
        ),
    )


def _endings(rules: BiddingRules) -> tuple[Clause, ...]:
    return (
        clause(
            "R7",
            _("Call: the bid is too high."),
            _("If it is, the bidder loses a coin. If not, you do."),
            _("It needs a bid."),
        ),
        clause(
            "R8",
            _("Cliff: the bid is exact."),
            _("If it is, you win a coin. If not, you lose one."),
            _("It needs a bid."),
            _cap(rules),
            options=["cap"],
        ),
        clause(
            "R9",
            _("Spoof: every coin in play is in a fist."),
            _("If so, nobody wins or loses. If not, you lose a coin."),
            _("You may say it on any turn, even to open."),
        ),
        clause(
            "R10",
            _("Zero: every fist is empty."),
            _("If so, everybody else loses a coin. If not, you do."),
            _("Only the opening word of a round may be zero.")
            if rules.zero is Zero.OPENING_ONLY
            else _("It may only be your first word of the round."),
            options=["zero"],
        ),
    )


def _cap(rules: BiddingRules) -> str:
    if rules.cap is None:
        return _("There is no limit: a correct cliff wins a coin however many you own.")
    return _("The cap is {cap}: with {cap} coins or more, a correct cliff wins nothing.").format(
        cap=rules.cap
    )


def _count(rules: BiddingRules) -> tuple[Clause, ...]:
    return (
        clause(
            "R11",
            _("A word that ends the round opens all fists for the count."),
            _("The fist of the player who said it is shown first.")
            if rules.reveal is Reveal.ENDER_FIRST
            else _("All fists are shown together."),
            options=["reveal"],
        ),
        clause("R12", _("Without coins you are out.")),
        clause("R13", _("The last player left wins.")),
        clause(
            "R14",
            after_call(rules),
            after_others(),
            after_zero(rules),
            _("If that player is out, the next one still in opens, in the direction of the round."),
            options=["starter", "zero_starter"],
        ),
        clause(
            "R15",
            _(
                "The first player out of a game, known as crap, opens the next one; the lot picks "
                "who opens the first."
            )
            if rules.game_starter is GameStarter.CRAP
            else _("The lot picks who opens each game."),
            options=["game_starter"],
        ),
    )


def after_call(rules: BiddingRules) -> str:
    """Who opens after a call (R14)."""
    if rules.starter is Starter.LOSER:
        return _("After a call, the player who lost the coin opens the next round.")
    return _("After a call, the player who called opens the next round.")


def after_others() -> str:
    """Who opens after a cliff, a spoof or a wrong zero (R14)."""
    return _("After a cliff, a spoof or a false zero, the player who said it opens.")


def after_zero(rules: BiddingRules) -> str:
    """Who opens after a right zero (R14)."""
    if rules.zero_starter is Starter.LOSER:
        return _("After a correct zero, the nearest loser still in opens.")
    return _("After a correct zero, the player who said it opens.")


def bidding_customs(rules: BiddingRules) -> tuple[Clause, ...]:
    """Customs that go with the game but are not rules."""
    kyiv = (
        Clause(
            _("Anywhere"),
            _("In Kyiv they also use pebbles or buttons: on trains, in queues, on mountain tops."),
        ),
    )
    return (
        Clause(_("Mitt-full!"), _("Talk the table up. Talk binds nobody.")),
        Clause(
            _("Shearn Wobble"),
            _("The feint of opening the hand. Every attempt to ban it has been vetoed."),
        ),
        Clause(_("The hand"), _("Opening your hand is the call: your own fist opens first.")),
        Clause(_("Sweat"), _("Faked sweat and indecision are part of the game.")),
        Clause(_("The Hoover"), _("Sucked into a big bid with hardly a coin out.")),
        Clause(_("Cliff"), _("Cliff giveth and Cliff taketh away: what it wins is soon lost.")),
        Clause(_("Crap"), _("The first one out hears: “Start us off!” and “Hurry up!”")),
        clause(_("Gloating"), _bidding_gloating(rules), options=["gloating"]),
        clause(_("The stake"), _stake(rules), options=["stake"]),
        played_with(rules),
        thinking(rules),
        *(kyiv if rules.preset == "three-coins" else ()),
    )


def _bidding_gloating(rules: BiddingRules) -> str:
    return {
        Gloating.EXPECTED: _("The winner gloats. A winner who does not is viewed with suspicion."),
        Gloating.FINED: _("A winner who gloats is fined."),
        Gloating.FREE: _("The winner may gloat, or leave it."),
    }[rules.gloating]


def _stake(rules: BiddingRules) -> str:
    return {
        Stake.POT: _("Everybody puts a chip into the pot, and the winner takes it: never money."),
        Stake.DRINKS: _("The first one out pays the round: counted here, never bought."),
        Stake.NONE: _("You play for honour only."),
    }[rules.stake]


def guessing_chapters(rules: GuessingRules) -> tuple[Chapter, ...]:
    """The clauses of the game itself."""
    return (
        Chapter(_("The school"), _school()),
        Chapter(_("Calling"), _calling(rules)),
        Chapter(_("The count, and what follows"), _leaving(rules)),
    )


def _school() -> tuple[Clause, ...]:
    return (
        clause("H1", _("A school has 4 to 9 players, best 6 or 7; here 2 are enough.")),
        clause(
            "H2",
            _(
                "The chairman awards and lifts fines: the host’s seat, until more than half of the "
                "seats elect another."
            ),
            _("The house fines automatically what it can know."),
        ),
        clause("H3", _("A toss decides who calls first in a school.")),
        clause(
            "H4",
            _("Everyone has three coins in every round, whatever happened before."),
            _("Hide none, one, two or three coins. The last fist in locks them all."),
        ),
    )


def _calling(rules: GuessingRules) -> tuple[Clause, ...]:
    return (
        clause(
            "H5",
            _(
                "Once all fists are in, the first caller calls, then the others, clockwise, once "
                "each."
            ),
        ),
        clause(
            "H6",
            _("A call is a number from 0 to three times the players in the school."),
            _("A number that is taken cannot be called again."),
        ),
        clause(
            "H7",
            _(
                "A call is possible from your own hand up to your hand plus three for each "
                "other player."
            ),
            _impossible(rules),
            options=["impossible"],
        ),
        clause(
            "H8",
            _("You have three attempts to find a free number."),
            _("The third failure costs a fine; then you call one of the free numbers."),
        ),
    )


def _impossible(rules: GuessingRules) -> str:
    return {
        Impossible.FINE: _(
            "An impossible call is accepted, since refusing it would give the hand away, and "
            "fined when the fists open."
        ),
        Impossible.REFUSE: _(
            "Your program refuses an impossible call, and tells only you. One that another "
            "program lets through is fined when the fists open."
        ),
        Impossible.ALLOW: _("An impossible call is allowed, but cannot be right."),
    }[rules.impossible]


def _leaving(rules: GuessingRules) -> tuple[Clause, ...]:
    return (
        clause("H9", _("The first caller’s fist opens first, then the others clockwise.")),
        clause(
            "H10",
            _(
                "The player who called the exact total leaves the school, which is what everybody "
                "wants."
            ),
            _("The first to leave orders the drinks."),
        ),
        clause(
            "H11",
            _("The others play again; if nobody was right, all do."),
            next_first(rules),
            options=["first_caller"],
        ),
        clause(
            "H12",
            _("The last one left is honoured to pay. The next school begins with a new toss."),
        ),
        clause(
            "H13",
            _(
                "You are fined for three taken numbers, an impossible call, refusing to call, "
                "gloating, ordering nothing, leaving after a loss, and whatever the chairman adds."
            ),
            _(
                "The chairman also fines abuse of the chairman, eating at the table, and "
                "going back to work after a loss."
            ),
            _("A fine is a drink on the slate: port, Baileys or alien snot."),
        ),
    )


def next_first(rules: GuessingRules) -> str:
    """Who calls first in the next round (H11)."""
    if rules.first_caller is FirstCaller.ROTATE:
        return _("The first call moves on clockwise to the next player in the school.")
    return _("A toss picks the first caller of every round.")


def guessing_customs(rules: GuessingRules) -> tuple[Clause, ...]:
    """Customs that go with the game but are not rules."""
    names = ", ".join(f"{number} {call_name(number)}" for number in NAMED)
    return (
        Clause(
            _("Names"),
            _("Calls have names: {names}. The others are said as numbers.").format(names=names),
        ),
        Clause(
            _("Hands out!"),
            _(
                "“When the hands are out!” Everybody holds a hand out "
                "into the circle, and the calling begins."
            ),
        ),
        Clause(_("The stick"), _("In the pub the toss is drawn with a cocktail stick.")),
        Clause(_("Gloating"), _("Leave in silence: gloating is fined.")),
        played_with(rules),
        thinking(rules),
        Clause(
            _("The slate"),
            _("Fines and drinks are kept over the evening, as a tally and never as money."),
        ),
    )


def rulebook(rules: Rules) -> Rulebook:
    """The book of these rules."""
    if isinstance(rules, GuessingRules):
        chapters, customs = guessing_chapters(rules), guessing_customs(rules)
    else:
        assert isinstance(rules, BiddingRules)
        chapters, customs = bidding_chapters(rules), bidding_customs(rules)
    whole = (*chapters, _both_games(rules), _gloating(rules))
    return Rulebook(
        rules_title(rules),
        _about(rules),
        tuple(_compared(chapter, rules) for chapter in whole),
        _compared(Chapter(_("Customs of the table"), customs), rules),
    )


def _compared(chapter: Chapter, rules: Rules) -> Chapter:
    """The chapter, with what the other rule sets have for the options of its clauses."""
    clauses = []
    for each in chapter.clauses:
        differs = (difference(rules, option) for option in each.options)
        clauses.append(replace(each, differs=tuple(filter(None, differs))))
    return Chapter(chapter.title, tuple(clauses))


def _about(rules: Rules) -> str:
    if not rules.changes:
        return preset_words(rules.preset)
    if isinstance(rules, GuessingRules):
        return _("The guessing game: call the total, once each, and leave if you are right.")
    return _("The bidding game: hide coins, raise bids, call bluffs.")


_IN_THE_GUESSING_GAME: Final = {
    "R1": "H4",
    "R2": "H4",
    "R3": "H4",
    "R4": "H5",
    "R5": "H9",
    **dict.fromkeys(("R6", "R7", "R8", "R9", "R10"), "H6"),
    "R11": "H9",
    "R12": "H10",
    "R13": "H12",
    "R14": "H11",
    "R15": "H3",
}
"""The clause of the guessing game that corresponds to each clause of the bidding game."""


def cited(clause: str, rules: Rules) -> str:
    """A cited clause, as the book of these rules numbers it."""
    if isinstance(rules, GuessingRules):
        return _IN_THE_GUESSING_GAME.get(clause, clause)
    return clause


def _both_games(rules: Rules) -> Chapter:
    clauses = (
        clause(
            "G1",
            _("Every player puts a secret number into the draw, so nobody can rig it."),
        ),
        clause("G2", _("Late arrivals watch, and sit down for the next game.")),
        clause(
            "G3",
            _("A player who is away keeps the seat, and gets it back at once on returning."),
            _("After a minute of waiting, the others may vote to play on."),
            _away(rules),
            _("Nobody is ever thrown out by the house."),
        ),
        clause(
            "G4",
            _("A table may have a turn clock. When it runs out, that turn is played as in G3."),
        ),
        clause(
            "G5",
            _("Between rounds, the host or more than half of the players may remove a seat."),
            _("Its coins leave the table."),
            _(
                "A seat that the table is waiting for may be removed at once; the current round is "
                "void."
            ),
        ),
        clause("G6", _("{least} to {most} play.").format(least=MIN_PLAYERS, most=MAX_PLAYERS)),
        clause(
            "G7",
            _(
                "Whenever more than half must agree, only the seats in the running game that are "
                "not set aside count."
            ),
            _("Between games, only players who have opened a fist at this table count."),
            _("The table plays on without a seat that is set aside, until its owner is back."),
            _("Bots agree with the people at the table."),
        ),
        clause(
            "G8",
            _("If more than half are gone at once, the others may go on at a new table."),
            _("All of them must agree, and everybody keeps their coins."),
        ),
        clause(
            "G9",
            _("A game begins when everybody is ready, or a minute after the first player was."),
            _("Players who are not ready by then watch, and play the next one."),
        ),
    )
    return Chapter(_("Every game"), clauses)


def _gloating(rules: Rules) -> Chapter:
    price = _("It costs a fine.") if rules.fines_gloating else ""
    clauses = (
        clause("S4", _("The latest winner may gloat, until the next fist is in."), price),
        clause(
            "S5", _("A ban of the Wobble may be proposed at any table. Mr. A. L. Shearn vetoes it.")
        ),
    )
    return Chapter(_("Gloating and the Wobble"), clauses)


def _away(rules: Rules) -> str:
    if isinstance(rules, GuessingRules):
        return _(
            "Then a fist that is not in counts as empty, the player whose turn it is calls the "
            "lowest free number, and a fist that stays shut costs its owner a fine and voids the "
            "round."
        )
    return _(
        "Then a fist that is not in counts as empty, the player whose turn it is opens with "
        "1 or says call, and a fist that stays shut costs its owner a coin and voids the "
        "round."
    )
