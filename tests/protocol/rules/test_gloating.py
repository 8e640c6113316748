"""Gloating: who may, what it costs, and who is marked for letting the moment pass (S4)."""

from __future__ import annotations

import pytest

from protocol.encoding.framing import frame
from protocol.errors import Reason
from protocol.notation import record_of
from protocol.rules.options import PRESETS, Rules
from protocol.rules.slate import Fine
from protocol.rules.words import Bid, Drink, Offence
from protocol.table.announcements import Decide
from protocol.table.fold import Phase, check_intent, check_statement, fold
from protocol.table.state import Table
from protocol.table.statements import (
    AwardFine,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Order,
)
from protocol.table.verify import verify
from tests.protocol.notation.games import faults
from tests.protocol.stories import Story, refused, signing_key

GLOAT = Gesticulate(Gesture.GLOAT)
ANN, BO, EVA = range(3)


def key(who: int) -> bytes:
    return signing_key(who).public


def over(rules: str = "milan", players: int = 3, seed: int = 0) -> Story:
    """A table whose first game is over."""
    return Story(players, rules).start(*range(players)).play_on(seed)


def winner(story: Story) -> int:
    assert story.game.winner is not None
    return story.who(story.game.winner)


def loser(story: Story) -> int:
    return next(who for who in (ANN, BO, EVA) if who != winner(story))


def up_to_first_fist(story: Story) -> Story:
    """The next game, until one fist is in."""
    story.start(ANN, BO, EVA)
    if story.table.phase is Phase.LOT:
        story.toss(ANN, BO, EVA)
    return story.fists_of({ANN: 1})


def can(story: Story, who: int) -> bool:
    return story.table.gloats.may_gloat(key(who))


# Who may


def test_the_winner_of_a_game_may_gloat_and_nobody_else_s4() -> None:
    story = over()
    assert [who for who in (ANN, BO, EVA) if can(story, who)] == [winner(story)]
    with refused(Reason.NOTHING_TO_GLOAT):
        check_statement(story.table, key(loser(story)), GLOAT)


def test_nobody_gloats_before_a_game_is_won() -> None:
    for story in (Story(3), Story(3).start(ANN, BO, EVA)):
        with refused(Reason.NOTHING_TO_GLOAT):
            check_statement(story.table, key(ANN), GLOAT)


def test_one_gloats_once() -> None:
    story = over()
    story.tell(winner(story), GLOAT)
    with refused(Reason.REPEATED):
        check_statement(story.table, key(winner(story)), GLOAT)


def test_the_moment_lasts_until_the_next_fist_is_in() -> None:
    story = over()
    who = winner(story)
    story.start(ANN, BO, EVA)
    assert can(story, who)
    if story.table.phase is Phase.LOT:
        story.toss(ANN, BO, EVA)
    assert can(story, who)
    story.fists_of({ANN: 1})
    with refused(Reason.NOTHING_TO_GLOAT):
        check_statement(story.table, key(who), GLOAT)


def test_who_is_muted_does_not_gloat() -> None:
    story = over()
    story.decide(Measure.MUTE, winner(story))
    with refused(Reason.MUTED):
        check_statement(story.table, key(winner(story)), GLOAT)


def test_a_gloat_is_about_a_round_that_its_author_saw() -> None:
    story = over()
    intent = story.intent(winner(story), GLOAT, seen=story.entries[-2].head)
    with refused(Reason.STALE):
        check_intent(story.table, intent)


def test_who_is_left_when_the_others_are_removed_has_won_and_may_gloat() -> None:
    story = Story(2).start(ANN, BO).toss(ANN, BO)
    story.decide(Measure.REMOVE, ANN)
    assert story.table.phase is Phase.GATHERING and can(story, BO)


# What the table makes of it


@pytest.mark.parametrize("rules", ["milan", "bid-spoof", "three-coins gloating=expected"])
def test_a_gloat_that_is_expected_or_free_costs_nothing(rules: str) -> None:
    story = over(rules)
    story.tell(winner(story), GLOAT)
    assert not story.table.slate.fines
    assert not up_to_first_fist(story).table.gloats.silent


def test_a_winner_who_lets_the_moment_pass_is_marked_until_the_next_game_ends_s4() -> None:
    story = over()
    who = winner(story)
    assert not story.table.gloats.silent
    assert up_to_first_fist(story).table.gloats.silent == {key(who)}
    story.fists_of({BO: 1, EVA: 1})
    while story.table.phase is not Phase.GATHERING:
        assert story.table.gloats.silent == {key(who)}
        story.play_on(3, steps=1)
    assert not story.table.gloats.silent


@pytest.mark.parametrize("rules", ["bid-spoof", "milan gloating=fined"])
def test_nobody_is_marked_where_gloating_is_free_or_fined(rules: str) -> None:
    assert not up_to_first_fist(over(rules)).table.gloats.silent


def test_nobody_is_marked_who_may_not_speak_or_is_gone() -> None:
    muted, gone = over(), over()
    muted.decide(Measure.MUTE, winner(muted))
    assert not up_to_first_fist(muted).table.gloats.silent
    who = winner(gone)
    gone.tell(who, Leave()).sit(who)
    rest = [each for each in (ANN, BO, EVA) if each != who]
    gone.tell(who, Leave()).start(*rest)
    if gone.table.phase is Phase.LOT:
        gone.toss(*rest)
    assert not gone.fists_of({rest[0]: 1}).table.gloats.silent


def test_a_fined_gloat_stands_on_the_slate_s4() -> None:
    story = over("milan gloating=fined")
    who = winner(story)
    story.tell(who, GLOAT)
    assert story.table.has_slate
    assert story.table.slate.fines == (Fine(key(who), Offence.GLOATING, None),)


def test_a_table_that_fines_gloating_has_a_chairman_who_fines_and_lifts() -> None:
    story = over("milan gloating=fined").tell(ANN, AwardFine(key(BO), Offence.EATING))
    assert story.table.chairman == key(ANN) and story.table.slate.owed(key(BO)) == 1
    assert story.tell(ANN, LiftFine(0)).table.slate.owed(key(BO)) == 0


def test_nobody_orders_or_pays_at_a_bidding_table_that_fines_gloating() -> None:
    story = over("milan gloating=fined")
    with refused(Reason.GUESSING_ONLY):
        check_statement(story.table, key(loser(story)), Order(Drink.PORT))
    story.tell(winner(story), Leave())
    assert not story.table.slate.fines and not story.table.slate.paid


# The trap of the guessing game (H13)


def guessed() -> Story:
    """A school of three that Ann has just left by a right guess."""
    story = Story(3, "hollywood").start(ANN, BO, EVA).toss(ANN, BO, EVA)
    story.fists(1, 1, 1)
    calls = {ANN: 3, BO: 2, EVA: 4}
    while story.table.phase is Phase.SPEAKING:
        story.say(Bid(calls[story.speaker]))
    return story.open()


def test_who_left_the_school_may_gloat_and_is_fined_h13() -> None:
    story = guessed()
    assert [who for who in (ANN, BO, EVA) if can(story, who)] == [ANN]
    story.tell(ANN, GLOAT)
    assert story.table.slate.fines[-1] == Fine(key(ANN), Offence.GLOATING, None)


def test_who_leaves_the_school_in_silence_is_neither_fined_nor_marked() -> None:
    story = guessed().fists_of({BO: 1})
    assert not story.table.slate.fines and not story.table.gloats.silent
    with refused(Reason.NOTHING_TO_GLOAT):
        check_statement(story.table, key(ANN), GLOAT)


def test_who_pays_has_nothing_to_gloat_about_h12() -> None:
    story = over("hollywood")
    assert not can(story, winner(story))


# Everybody agrees


def read_again(story: Story) -> Table | None:
    """The table that somebody has who comes now and reads the log from its beginning."""
    table = None
    for entry in story.entries:
        table = fold(table, entry)
    return table


@pytest.mark.parametrize("rules", ["milan", "milan gloating=fined", "hollywood"])
def test_whoever_reads_the_log_knows_the_same_of_gloating(rules: str) -> None:
    story = over(rules)
    who = next((each for each in (ANN, BO, EVA) if can(story, each)), None)
    if who is not None and rules != "milan":
        story.tell(who, GLOAT)
    table = read_again(up_to_first_fist(story))
    assert table is not None
    assert (table.gloats, table.slate) == (story.table.gloats, story.table.slate)


def test_only_rules_that_fine_gloating_keep_a_slate() -> None:
    fining = [name for name, rules in PRESETS.items() if rules.fines_gloating]
    assert fining == ["hollywood"]
    assert Rules.parse("bid-spoof gloating=fined").fines_gloating


def test_a_pause_or_another_measure_changes_nothing_about_it() -> None:
    story = over()
    who = winner(story)
    story.pause()
    assert can(story, who)
    story.go_on().tell(None, Decide(Measure.MUTE, key(loser(story))))
    assert can(story, who)


# The record


def record(story: Story) -> str:
    return record_of(story.game, event="Pub", date="2026-11-22")


def clauses_of(text: str) -> list[str]:
    """What `spoof check` finds wrong with a record, by clause."""
    return [clause for _line, clause in faults(text)]


def test_the_record_of_a_game_names_whoever_did_not_gloat_after_the_one_before() -> None:
    story = over()
    who = winner(story)
    assert "[Silent" not in record(story)
    up_to_first_fist(story).fists_of({BO: 1, EVA: 1}).play_on(3)
    text = record(story)
    assert story.game.silent == {key(who)}
    assert text.count("[Silent") == 1 and not clauses_of(text)


def test_a_record_of_somebody_who_gloated_names_nobody() -> None:
    story = over()
    story.tell(winner(story), GLOAT)
    assert "[Silent" not in record(up_to_first_fist(story).fists_of({BO: 1, EVA: 1}).play_on(3))


@pytest.mark.parametrize(
    ("rules", "silent", "clauses"),
    [("milan", "S", []), ("bid-spoof", "S", ["S4"]), ("milan", "X", ["notation"])],
)
def test_check_holds_a_record_to_what_it_says_of_silence(
    rules: str, silent: str, clauses: list[str]
) -> None:
    text = f'[Rules "{rules}"]\n[Seats "S:Svitlana D:Dmytro"]\n[Silent "{silent}"]\n[Result "*"]\n'
    assert clauses_of(text) == clauses


# Verifying


def test_verify_tells_who_gloated_and_who_did_not() -> None:
    story = over("milan")
    silent = winner(story)
    up_to_first_fist(story).fists_of({BO: 1, EVA: 1}).play_on(3)
    story.tell(winner(story), GLOAT)
    report = verify([frame(entry.blob) for entry in story.entries])
    assert report.fault is None
    assert [each.silent for each in report.happenings if each.silent] == [(key(silent),)]
    assert [each.author for each in report.happenings if each.statement == GLOAT] == [
        key(winner(story))
    ]


def test_another_host_knows_the_same_of_gloating() -> None:
    story = over()
    before = story.table.gloats
    assert story.move(BO, ANN, EVA).table.gloats == before
