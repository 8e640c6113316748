"""`protocol/vectors` at a table: verifier, host and guest judge every word alike."""

from __future__ import annotations

from protocol.crypto.keys import SigningKey
from protocol.encoding.framing import frame
from protocol.errors import REASONS, Illegal
from protocol.guest.effects import Halt, Hangup
from protocol.notation.checking import check
from protocol.notation.writing import game_records
from protocol.table.log import Log
from protocol.table.statements import Decide, HostMoved
from protocol.table.verify import Blame, Flaw, fault_of, verify
from protocol.wire.messages import Entries, Farewell, Refusal
from tests.helpers.vectors import Case, each_case
from tests.protocol.scripts import Script, Step, is_told, letter, number, played, position, shows
from tests.protocol.stories import GRACE, PARTICIPANTS, Desk, Pair, Story, signing_key

WATCHER = 19
"""A watcher, who holds the log of each table as a guest."""


@each_case("table")
def test_a_script_has_its_table_and_all_who_judge_it_agree(case: Case) -> None:
    if "then" in case:
        [script] = played(case)
        assert shows(script.story.table) == case["then"]
        assert case.get("lots", "") == (script.lots if is_told(case, script.lots) else "")
        assert case.get("tosses", "") == script.tosses
        agree(script, wholly=True)
        return
    # The fold judges it in every scene; the others are asked once about each verdict.
    for script in {script.steps[-1].code: script for script in played(case)}.values():
        agree(script, wholly=False)


@each_case("bidding", "guessing", having="says")
def test_all_who_judge_a_word_of_a_round_agree(case: Case) -> None:
    script, (seat, word, *turn) = position(case), case["says"]
    who = letter(signing_key(seat).public)
    if word is None:
        script.play(without(script, who))
        said = script.story.game.round
        assert said and shows(script.story.table)["game"]["words"][-1] == [who, case["means"]]
    else:
        code = f" -> {case['refused']}" if "refused" in case else ""
        script.play([" ".join([who, "word", str(word), *turn]) + code])
    if "speaker" in case:
        game = script.story.game
        assert game.round and game.round.speaker == case["speaker"]
    agree(script, wholly=False)


@each_case("bidding", "guessing", having="hands")
def test_a_round_is_counted_so_at_a_table(case: Case) -> None:
    if "toss" in case or "above the cap" in case["name"]:
        return  # No table can get into this state, or have exactly this toss.
    script = position(case).play(["witness"])
    for seat in script.story.game.fists_shut:
        who, hand = letter(signing_key(seat).public), case["hands"][seat]
        if hand is None:
            continue
        is_refused = "refused" in case and hand > case["coins"][seat]
        script.play([f"{who} open" + (f" -> {case['refused']}" if is_refused else "")])
        if is_refused:
            break
    else:
        if None in case["hands"]:
            script.play(without(script, letter(signing_key(case["hands"].index(None)).public)))
        outcome, then = script.story.game.past[-1].outcome, case["then"]
        assert [outcome.total, outcome.next_starter] == [then["total"], then["starter"]]
        assert (list(outcome.coins), list(outcome.went_out)) == (then["coins"], then["out"])
        assert script.story.game.winner == then.get("winner")
    agree(script, wholly=False)


def without(script: Script, who: str) -> list[str]:
    """The lines by which the others play on without a seat that is away."""
    others = [letter(seat.key) for seat in script.story.table.seats]
    others.remove(who)
    voters = "".join(others[: len(others) // 2 + 1])
    return [f"host away {who}", f"+{GRACE}", f"{voters} vote play-on {who}"]


def agree(script: Script, *, wholly: bool) -> None:
    """Verifier, guest and host refuse what a script says is refused, for its reason."""
    for step in script.steps:
        before = story_at(script.story, step)
        if step.code is not None:
            the_verifier_finds(before, step)
            a_guest_halts_at(before, step)
        if step.code is not None or step is script.steps[-1]:
            a_host_decides(before, step)
    if wholly:
        story = script.story
        verdict = verify([b"".join(frame(entry.blob) for entry in story.entries)])
        assert verdict.holds and verdict.table == story.table
        for game in verdict.games:
            for record in game_records(game, event="", date="2026-11-21"):
                assert check(record).faults == ()


def story_at(story: Story, step: Step) -> Story:
    """The story before a step."""
    before = story.copy()
    del before.entries[step.before :]
    before.table, before.host_key = step.table, key_of(step.table.host)
    return before


def key_of(public: bytes) -> SigningKey:
    return next(key for key in map(signing_key, PARTICIPANTS) if key.public == public)


def the_verifier_finds(before: Story, step: Step) -> None:
    fault = fault_of(Log(before.entries), step.table, step.entry.blob)
    assert fault is not None and fault.entry == step.before
    if isinstance(step.entry.statement, HostMoved):
        assert (fault.flaw, fault.flaw.blame) == (Flaw.NOT_MOVED, Blame.FILE)
    else:
        assert fault.flaw.blame is Blame.HOST
    if step.code == "malformed":
        assert fault.flaw is Flaw.MISSHAPEN
    elif fault.flaw is not Flaw.OTHER_LOG:
        assert fault.forbidden and fault.forbidden.reason is REASONS[step.code or ""]


def a_guest_halts_at(before: Story, step: Step) -> None:
    pair = Pair(before, WATCHER, secrets=[])
    pair.hear(Entries((step.entry.blob,)))
    assert [halt.evidence for halt in pair.events(Halt)] == [step.entry.blob]
    assert pair.events(Hangup) == [Hangup(Farewell.OTHER_LOG)]
    assert pair.guest.table == step.table


def a_host_decides(before: Story, step: Step) -> None:
    """Its refusal has the code, and what it takes is the entry, byte by byte."""
    desk = Desk(before)
    desk.time = (step.entry.time - desk.now().wall) / 1000
    said = step.entry.intent
    if said is None:
        if isinstance(step.entry.statement, Decide) and step.code != "malformed":
            assert announced(desk, step.entry.statement) == step.code
        return
    seat = step.table.seat(said.author)
    if (seat and seat.away) or said.author in step.table.set_aside or step.table.opened.locked:
        return
    link = desk.join(number(letter(said.author)))
    if step.code == "barred" and seat is None:
        assert desk.closed == {link: Farewell.BARRED}
        return
    desk.heard(link)
    desk.propose(link, said)
    log = desk.host.log[step.before :]
    if step.code is None:
        assert log[0].blob == step.entry.blob
        return
    assert not log or step.code == "malformed"
    if step.code == "malformed":
        assert desk.closed == {link: Farewell.MALFORMED}
    elif said.sequence > step.table.sequences.get(said.author, 0):
        assert desk.heard(link) == [Refusal(said.sequence, step.code or "")]
    assert desk.host.table == step.table or step.code == "malformed"


def announced(desk: Desk, said: Decide) -> str | None:
    try:
        desk.carry_out(desk.host.decide(said.measure, said.seat, desk.now()))
    except Illegal as error:
        return error.reason.code
    return None
