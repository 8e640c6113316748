"""The lessons step by step: what is explained, what is asked, and what is said to a wrong key."""

from __future__ import annotations

from protocol.rules.words import Bid, Ending
from spoof_tui.text.i18n import _
from spoof_tui.ui.acts.table import PEEK
from spoof_tui.ui.lesson.script import Invite, Lesson, Stage, Step, Topic, Try
from spoof_tui.ui.table.controls import PutIn, SayWord


def names() -> tuple[str, str, str]:
    """Who plays, as the Kyiv guide has it; the first is the player's part."""
    return _("Svitlana"), _("Dmytro"), _("Maria")


def script(number: int = 1) -> tuple[Step, ...]:
    """The steps of a lesson in the language that is spoken now.

    {bid} and {most} are the round's.
    """
    if number == 1:
        return (*_first_round(), *_second_round(), _half_way())
    return (_second_beginning(), *_third_round(), *_fourth_round(), *_fifth_round())


def lesson(number: int = 1) -> Lesson:
    """The beginning of the first or the second lesson."""
    before = [step.topic for step in script(1) if step.topic] if number > 1 else []
    return Lesson(script(number), known=tuple(before))


def _half_way() -> Step:
    return Step(
        round_index=1,
        stage=Stage.COUNT,
        ask=Invite(goes_on=True),
        says=_(
            "That is the game: hide, bid, doubt. Without coins you are out; the last one left "
            "wins. Three more words can end a round; lesson two has them."
        ),
        request=_("Press Enter for lesson two, or p to play against three bots."),
        otherwise=_("Enter goes on, p plays, Esc goes back to the lobby."),
    )


def _second_beginning() -> Step:
    return Step(
        round_index=2,
        stage=Stage.EMPTY,
        says=_(
            "Lesson two: three more words that open the fists. The game goes on: you own three "
            "coins, {dmytro} and {maria} two each."
        ),
        request=_("Press Enter to begin."),
        otherwise=_("Enter begins, Esc leaves at any time."),
    )


def _first_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=0,
            stage=Stage.EMPTY,
            says=_(
                "Welcome to the night train from Kyiv to Lviv. You are {me}; {dmytro} and {maria} "
                "play with you. Everybody owns three coins. Buttons or pebbles would do."
            ),
            request=_("Press Enter to begin, or 2 for lesson two."),
            otherwise=_("Enter begins, Esc leaves at any time."),
        ),
        Step(
            round_index=0,
            stage=Stage.CHOOSING,
            ask=PutIn(0),
            says=_(
                "The hand: every round everybody hides some of their coins in a fist, or none. "
                "Nobody sees how many. The question will be: how many are there in all fists?"
            ),
            request=_("This time hide nothing: press 0."),
            otherwise=_("A digit says how many coins you hide. This time: 0."),
            instead=dict.fromkeys("123", _("A fine hand, for another round. Now press 0.")),
            topic=Topic.HAND,
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            ask=PEEK,
            says=_(
                "All fists are in, and locked: nobody can change a hand now. If you forget what "
                "you hold, the space bar shows it for a moment, to you alone."
            ),
            request=_("Have a look: press the space bar."),
            otherwise=_("First look into your fist, with the space bar."),
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            peeks=True,
            says=_("Empty, as you left it. Now the words go round: {dmytro} opens this round."),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            words=1,
            says=_(
                "{dmytro} bids {bid}: he claims that all three fists together hold {bid} coins, or "
                "more. In turn, everybody must now raise, or say a word that opens the fists."
            ),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=0,
            stage=Stage.SPEAKING,
            words=2,
            ask=SayWord(Ending.CALL),
            says=_(
                "{maria} raises to {bid}. But your fist is empty: for {bid} there, {dmytro} and "
                "{maria} would have to hold every coin they own. You do not believe it: call!"
            ),
            request=_("Press c to call, or try Enter first."),
            otherwise=_("You could go on, but this bid is too good to miss: press c."),
            instead={"enter": _("You may raise to 7, but you would lose by it. Press c.")},
            tries={
                "enter": Try(
                    (Bid(7), Ending.CALL),
                    _("A raise was allowed, and {dmytro} called it. Here it costs you nothing."),
                )
            },
            topic=Topic.CALL,
        ),
        Step(
            round_index=0,
            stage=Stage.COUNT,
            says=_("The player who is wrong about a call pays one coin. This time it was not you!"),
            request=reading,
            otherwise=reading,
        ),
    )


def _second_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=1,
            stage=Stage.CHOOSING,
            ask=PutIn(3),
            says=_(
                "A new round, and new hands. You ended the last round, so by these rules you open "
                "this one. Hide all you have, and look innocent."
            ),
            request=_("Press 3 to hide three coins."),
            otherwise=_("A digit says how many coins you hide. This time: 3."),
            instead=dict.fromkeys(
                "012", _("That would be allowed. This time hide three: press 3.")
            ),
        ),
        Step(
            round_index=1,
            stage=Stage.SPEAKING,
            ask=SayWord(Bid(1)),
            says=_(
                "You open. A bid of 1 is surely true: you hold 3 yourself. A low start lets the "
                "others climb. The highest possible bid is {most}, all the coins there are."
            ),
            request=_("Press Enter to bid 1."),
            otherwise=_("In a game, digits or arrows choose a higher bid. Now press Enter."),
        ),
        Step(
            round_index=1,
            stage=Stage.SPEAKING,
            words=3,
            ask=SayWord(Bid(4)),
            says=_(
                "{dmytro} said 2, {maria} {bid}. A raise must be higher than the last bid, by as "
                "much as you like. You hold 3, so 4 needs only one coin more in two fists."
            ),
            request=_("Press Enter to raise to 4."),
            otherwise=_("Raise by one: Enter bids 4."),
            instead={
                "c": _("A call says: fewer than 3. You hold three yourself! Press Enter."),
                "l": _("A cliff says: exactly 3. Are both the other fists empty? Press Enter."),
                "s": _(
                    "A spoof says: all coins are in the fists. That is too bold here. Press Enter."
                ),
            },
            topic=Topic.RAISE,
        ),
        Step(
            round_index=1,
            stage=Stage.SPEAKING,
            words=5,
            says=_("{dmytro} does not believe your {bid}, and calls. All the fists open!"),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=1,
            stage=Stage.COUNT,
            says=_("A bid is good if there are that many coins or more: whoever called it pays."),
            request=reading,
            otherwise=reading,
        ),
    )


def _third_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=2,
            stage=Stage.CHOOSING,
            ask=PutIn(1),
            says=_("{dmytro} called last, so {dmytro} opens. In this round you will only watch."),
            request=_("Press 1 to hide one coin."),
            otherwise=_("A digit says how many coins you hide. This time: 1."),
            instead=dict.fromkeys("023", _("That would be allowed. This time hide one: press 1.")),
        ),
        Step(
            round_index=2,
            stage=Stage.SPEAKING,
            words=2,
            says=_(
                "{dmytro} bids {bid}, and {maria} says: cliff! A cliff claims that there are "
                "exactly {bid} coins, not one more and not one less. It is the boldest word."
            ),
            request=reading,
            otherwise=reading,
            topic=Topic.CLIFF,
        ),
        Step(
            round_index=2,
            stage=Stage.COUNT,
            says=_("A right cliff is the only way to win a coin back. A wrong one costs a coin."),
            request=reading,
            otherwise=reading,
        ),
    )


def _fourth_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=3,
            stage=Stage.CHOOSING,
            ask=PutIn(3),
            says=_("Two words are left. {maria} opens this round; look at her face."),
            request=_("Press 3 to hide three coins."),
            otherwise=_("A digit says how many coins you hide. This time: 3."),
            instead=dict.fromkeys(
                "012", _("That would be allowed. This time hide three: press 3.")
            ),
        ),
        Step(
            round_index=3,
            stage=Stage.SPEAKING,
            words=1,
            ask=SayWord(Ending.SPOOF),
            says=_(
                "{maria} opens with {bid}, and only {most} coins are left in play! You hold three. "
                "It looks as if every fist was full. Spoof claims just that: all {most} are in."
            ),
            request=_("Press s to say spoof, or try c first."),
            otherwise=_("This is the moment for a spoof: press s."),
            instead={
                "enter": _(
                    "A bid of 8 is true if all coins are in. Spoof says it better: press s."
                ),
                "c": _("You hold three: the bid is most likely good. Press s."),
            },
            tries={
                "c": Try(
                    (Ending.CALL,),
                    _("The call was wrong: {bid} or more are there. Here it costs you nothing."),
                )
            },
            topic=Topic.SPOOF,
        ),
        Step(
            round_index=3,
            stage=Stage.COUNT,
            says=_("A right spoof is a draw, and saves you from a bid that you cannot raise."),
            request=reading,
            otherwise=reading,
        ),
    )


def _fifth_round() -> tuple[Step, ...]:
    reading = _("Read on with Enter.")
    return (
        Step(
            round_index=4,
            stage=Stage.CHOOSING,
            ask=PutIn(0),
            says=_("You open once more. Everybody has just shown full fists. What comes next?"),
            request=_("Hide nothing: press 0."),
            otherwise=_("A digit says how many coins you hide. This time: 0."),
            instead=dict.fromkeys("123", _("That would be allowed. This time hide none: press 0.")),
        ),
        Step(
            round_index=4,
            stage=Stage.SPEAKING,
            ask=SayWord(Ending.ZERO),
            says=_(
                "Zero claims that every fist is empty, and may only be your first word of a round. "
                "If wrong, it costs you a coin; if right, it costs everybody else one."
            ),
            request=_("Dare it: press z to say zero."),
            otherwise=_("Be bold: press z."),
            instead={
                "enter": _("A bid of 1 with an empty fist? Say zero: press z."),
                "s": _("Spoof says that all coins are in, and you hide none. Press z."),
            },
            topic=Topic.ZERO,
        ),
        Step(
            round_index=4,
            stage=Stage.COUNT,
            says=_("One word, two coins. Now you know all the words."),
            request=reading,
            otherwise=reading,
        ),
        Step(
            round_index=4,
            stage=Stage.COUNT,
            ask=Invite(),
            says=_(
                "At a real table, the panel tells you what you may say, and a word that opens the "
                "fists needs a second press. The bots play by these very rules with you."
            ),
            request=_("Press p to play against three bots, or Enter to go back to the lobby."),
            otherwise=_("p plays, Enter goes back to the lobby."),
        ),
    )
