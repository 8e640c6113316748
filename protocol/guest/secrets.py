"""One participant's own secrets: the hands and shares that it has sealed and not yet opened."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.crypto.seals import SealedHand, SealedShare, SealPlace
from protocol.encoding.codec import Message
from protocol.errors import Illegal, Reason
from protocol.guest.effects import Keep, Secret
from protocol.table.state import Phase, Table
from protocol.table.statements import Fist, Open, Toss, Witness


class OwnSecrets:
    """The hands and shares that one key has sealed, and the statements that it owes the table
    because of them."""

    def __init__(self, key: bytes, secrets: Iterable[Secret]) -> None:
        """`key` is the public key; `secrets` are those read from disk."""
        self._key = key
        self._kept: dict[SealPlace | None, Secret] = {}
        """The secret of each place: the first one counts, so that nothing is ever sealed with two
        contents."""
        for secret in secrets:
            self.remember(secret)

    def remember(self, secret: Secret) -> Keep:
        """Hold a secret from now on; returns the effect that saves it, to be carried out before its
        seal is sent."""
        self._kept.setdefault(secret.place, secret)
        return Keep(secret)

    def seal_share(self, table: Table, share: bytes, nonce: bytes) -> SealedShare:
        """The share for the next game: the one sealed before, otherwise one made of `share` and
        `nonce`."""
        number = table.game.number + 1 if table.game else 1
        place = SealPlace(table.id, number, 0, self._key)
        return self.share(place) or SealedShare(place, share, nonce)

    def seal_hand(self, table: Table, coins: int, nonce: bytes) -> SealedHand:
        """A hand for this round; raises `Illegal` if this key's fist is in already, or for too many
        coins (R2)."""
        game, place = table.game, self.hand_place(table)
        if game is None or place is None:
            raise Illegal(Reason.NO_GAME)
        if self.hand(table):
            raise Illegal(Reason.FIST_IS_IN)
        owned = game.coins[game.seats.get(self._key, 0)]
        if not 0 <= coins <= owned:
            raise Illegal(Reason.HAND_TOO_BIG, coins=owned)
        return SealedHand(place, coins, nonce)

    def share(self, place: SealPlace) -> SealedShare | None:
        """The share of the lot that was sealed for this place; None if there is none."""
        kept = self._kept.get(place)
        return kept if isinstance(kept, SealedShare) else None

    def hand(self, table: Table) -> SealedHand | None:
        """The hand that this key has sealed for the present round; None if it has sealed none, or
        on another computer."""
        game = table.game
        if not self._kept or game is None or game.round is None:
            return None
        kept = self._kept.get(SealPlace(table.id, game.number, game.round_number, self._key))
        seal = game.seals.get(game.seats.get(self._key, -1))
        if not isinstance(kept, SealedHand):
            return None
        return kept if seal is None or kept.opens(seal) else None

    def lacks(self, table: Table) -> bool:
        """Whether this key has sealed something that has yet to be opened and its secret is not
        here: another computer with the same key has it."""
        game, seat = table.game, table.playing(self._key)
        if game is None or seat is None:
            return False
        if table.phase is Phase.LOT:
            share = self.share(SealPlace(table.id, game.number, 0, self._key))
            is_here = share is not None and share.opens(game.players[seat].seal)
            return seat not in game.shares and not is_here
        return seat in game.seals and seat not in game.hands and self.hand(table) is None

    def hand_place(self, table: Table) -> SealPlace | None:
        """The table, game, round and seat for which a hand would be sealed now; None if the owner
        is not playing a round."""
        game = table.game
        if game is None or game.round is None or table.playing(self._key) is None:
            return None
        return SealPlace(table.id, game.number, game.round_number, self._key)

    def owed(self, table: Table) -> Message | None:
        """The statement that the table awaits from this participant and that no longer needs a
        decision, such as an opening; None if there is none."""
        if table.game is None or table.phase is Phase.SPEAKING:
            return None
        if table.playing(self._key) is None:
            return None
        if table.phase is Phase.LOT:
            share = self.share(SealPlace(table.id, table.game.number, 0, self._key))
            return Toss(share.share, share.nonce) if share else None
        hand = self.hand(table)
        if hand and table.phase is Phase.CHOOSING:
            return Fist(hand.seal)
        if table.phase is Phase.WITNESSING:
            missing = table.game.witnesses_missing
            return Witness() if table.game.seats.get(self._key) in missing else None
        if hand and table.phase is Phase.OPENING:
            return Open(hand.coins, hand.nonce)
        return None
