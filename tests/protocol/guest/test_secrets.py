"""Own secrets: the first one of a place counts, and each is owed when its time has come."""

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.guest.effects import Keep
from protocol.guest.secrets import OwnSecrets
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Fist, Open, Toss, Witness
from tests.protocol.stories import Story, signing_key


def secrets(story: Story, who: int) -> OwnSecrets:
    """What a participant of a story has kept."""
    hands = [story.hands[who]] if who in story.hands else []
    return OwnSecrets(signing_key(who).public, [story.share(who), *hands])


def test_a_secret_is_to_be_kept_as_soon_as_it_is_remembered() -> None:
    place = Place(bytes(32), 1, 1, bytes(32))
    hand = SealedHand(place, 2, b"n" * 32)
    kept = OwnSecrets(bytes(32), [])
    assert kept.remember(hand) == Keep(hand)
    assert kept.hand(place) == hand


def test_no_place_is_ever_sealed_with_two_contents() -> None:
    place = Place(bytes(32), 1, 1, bytes(32))
    first, second = (SealedHand(place, coins, b"n" * 32) for coins in (1, 2))
    assert OwnSecrets(bytes(32), [first, second]).hand(place) == first
    one, other = (SealedShare(place, bytes([n]) * 32, b"n" * 32) for n in (1, 2))
    assert OwnSecrets(bytes(32), [one, other]).share(place) == one


def test_a_share_is_owed_while_the_lot_is_drawn() -> None:
    story = Story(2).start(0, 1)
    share = story.share(0)
    assert secrets(story, 0).owed(story.table) == Toss(share.share, share.nonce)


def test_a_fist_that_was_sealed_is_owed_again() -> None:
    story = Story(2).start(0, 1).toss(0, 1)
    place = secrets(story, 0).hand_place(story.table)
    assert place is not None
    hand = SealedHand(place, 1, b"n" * 32)
    assert OwnSecrets(signing_key(0).public, [hand]).owed(story.table) == Fist(hand.seal)
    assert OwnSecrets(signing_key(0).public, []).owed(story.table) is None


def test_who_has_a_fist_in_owes_first_its_witness_and_then_its_hand() -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 2).say(Bid(1), Ending.CALL)
    ender = story.who(story.game.ender or 0)
    other = 1 - ender
    assert secrets(story, other).owed(story.table) == Witness()
    assert secrets(story, ender).owed(story.table) is None
    story.witness()
    for who in (0, 1):
        hand = story.hands[who]
        assert secrets(story, who).owed(story.table) == Open(hand.coins, hand.nonce)


def test_who_only_watches_owes_nothing() -> None:
    story = Story(3).start(0, 1).toss(0, 1)
    assert secrets(story, 2).hand_place(story.table) is None
    assert secrets(story, 2).owed(story.table) is None
