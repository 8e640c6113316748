"""Whatever a modified host does: no fist opens too early, and no second story stays hidden."""

from __future__ import annotations

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.table.statements import Open, Speak
from tests.attacks.crooked import Victim, honest
from tests.attacks.wandering import Wanderer, common, last_round
from tests.protocol.stories import few

STEPS = 80
walks = st.tuples(
    st.sampled_from(Phase), st.lists(st.integers(0, 10**6), min_size=STEPS, max_size=STEPS)
)


def check_openings(host: Wanderer) -> None:
    """Every fist opened after an ending word that all other owners of a fist had seen."""
    for victim in host.victims.values():
        for intent in victim.intents:
            if not isinstance(intent.statement, Open):
                continue
            word, fists, confirmed = last_round(victim.guest.log[: intent.seen.length])
            assert isinstance(word.statement, Speak) and isinstance(word.statement.word, Ending)
            assert word.intent is not None
            assert victim.guest.key in fists
            # Whoever said the word has signed it, wherever a host puts it in their log.
            heard = fists - {word.intent.author}
            assert heard <= confirmed
            for other in host.victims.values():
                if other.guest.key in heard:
                    assert other.guest.log[word.position].hash == word.hash


def check_fork(host: Wanderer, one: Victim, other: Victim) -> None:
    """Nothing said in one story after it split is in the other, or ever gets there."""
    shared = common(one, other)
    later = [intent for intent in one.intents if intent.seen.length > shared]
    held = {entry.intent.blob for entry in other.guest.log if entry.intent}
    assert not held & {intent.blob for intent in later}
    is_forked = min(len(one.guest.log), len(other.guest.log)) > shared
    if is_forked and later and other.halt is None:
        host.tell(other.who, later[-1])
        assert "two stories are being told" in other.told


@few
@given(walks)
def test_no_fist_opens_before_all_who_have_one_saw_the_ending_word(
    walk: tuple[Phase, list[int]],
) -> None:
    phase, numbers = walk
    check_openings(Wanderer(honest(phase)).wander(numbers))


@few
@given(walks)
def test_two_stories_are_found_at_the_next_word_of_anybody(walk: tuple[Phase, list[int]]) -> None:
    phase, numbers = walk
    host = Wanderer(honest(phase)).wander(numbers)
    for one, other in permutations(host.victims.values(), 2):
        check_fork(host, one, other)


def test_such_hosts_come_to_open_fists_and_to_two_stories() -> None:
    opened = forked = 0
    for seed in range(10):
        draw = random.Random(seed)
        host = Wanderer(honest(Phase.SPEAKING))
        host.wander(draw.randrange(10**6) for _ in range(STEPS))
        opened += sum(len(victim.opened) for victim in host.victims.values())
        one, other = host.victims.values()
        forked += min(len(one.guest.log), len(other.guest.log)) > common(one, other)
    assert opened and forked
