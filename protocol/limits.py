"""Every bound on what may come from outside, each with its reason."""

from typing import Final

MAX_FRAME: Final = 64 * 1024
"""Bytes of one frame's payload. The largest honest frame is a batch of entries, limited to half of
this. Decoded objects take about twelve times the space of their encoding, so reading a frame costs
less than 1 MiB."""

MAX_BATCH: Final = MAX_FRAME // 2
"""Bytes of entries per frame, reached with the last entry; it always still fits into
`MAX_FRAME`."""

MAX_DEPTH: Final = 8
"""Nesting of arrays in a frame. The deepest honest message has 2; msgpack itself stops at 1,024."""

MAX_NUMBER: Final = 2**53 - 1
"""The largest whole number: every language can hold it exactly."""

MAX_NAME: Final = 64
"""Bytes of a player's or table's name: 16 to 64 characters, more than a seat can show."""

MAX_TALK: Final = 400
"""Bytes of one line of talk: two rows of a narrow terminal."""

MAX_RULES: Final = 256
"""Characters of a written rule set: the longest one, with every option changed, has 157."""

MAX_VERSION: Final = 32
"""Characters of a program's version."""

MAX_CODE: Final = 32
"""Characters of a reason's code."""

MAX_STATEMENT: Final = 2048
"""Bytes of one signed statement: the longest, a line of talk, has 565."""

MAX_ENTRY: Final = 4096
"""Bytes of one entry: a statement and 128 bytes around it; a line of talk has 693."""

MAX_ENTRIES: Final = 1000
"""Entries in one frame: the smallest takes 158 bytes, so `MAX_BATCH` bounds it first."""

MAX_LOG: Final = 1_000_000
"""Entries of one log: an evening of nine players makes fewer than 20,000."""

MAX_PRESENCE: Final = 64
"""Keys in one presence message: nine seats, and players who left theirs."""

TALK_BURST: Final = 8
"""Statements outside the game (talk, votes, fines, sitting down) that one participant may make at
once."""

TALK_INTERVAL: Final = 2.0
"""Seconds after which one more may be made, once the burst is used up: 30 in a minute."""

TALK_OF_ROUND: Final = 60
"""Maximum number of such statements by one participant in one round: two minutes at the rate
above."""

SEATING_BURST: Final = 32
"""Times that seats may be taken and given up at one table in a burst, by all keys together."""

SEATING_INTERVAL: Final = 1.0
"""Seconds until one more is allowed: keys cost nothing, and everybody keeps the log."""

SEATING_OF_ADDRESS_BURST: Final = 16
"""Times of these by keys from one address: a full table on one machine sits down and leaves."""

SEATING_OF_ADDRESS_INTERVAL: Final = 4.0
"""Seconds until one more from that address is allowed."""

RETURNS_OF_ADDRESS_BURST: Final = 60
"""Connections from one address in a burst, of keys without a seat: a crowd on one machine comes to
watch."""

RETURNS_OF_ADDRESS_INTERVAL: Final = 0.5
"""Seconds after which one more connection from that address is accepted."""

RETURNS_OF_ALL_BURST: Final = 200
"""Connections of all keys without a seat in a burst, half of them reserved for addresses that come
for the first time."""

RETURNS_OF_ALL_INTERVAL: Final = 0.2
"""Seconds after which one more of these connections is accepted."""

RETURNS_BURST: Final = 20
"""Connections of one key in a burst: each can put two entries (away and back) into the log."""

RETURNS_INTERVAL: Final = 2.0
"""Seconds after which one more connection of that key is accepted: as often as an honest program
tries."""

LOG_RESERVE: Final = 10_000
"""Entries at the end of `MAX_LOG` reserved for moves of the running game."""

MESSAGES_BURST: Final = 64
"""Messages of one link that are read in a burst: more than one player can have under way."""

MESSAGES_INTERVAL: Final = 0.05
"""Seconds after which one more message is read: 20 per second. The rest waits in that link's
buffers."""

MAX_LINKS: Final = 64
"""Participants connected to one host: nine seats, and watchers."""

MAX_WATCHERS_OF_ADDRESS: Final = 16
"""Connections without a seat from one address: as many people as share one machine by ssh."""

MAX_UNPROVEN: Final = 16
"""Connections whose key has not been proven. Beyond that, the address with the most loses its
oldest one, and of several such addresses the one that did so most often before."""

MAX_UNPROVEN_OF_ADDRESS: Final = 8
"""Connections of these from one address."""

HELLO_TIMEOUT: Final = 5.0
"""Seconds that a connection may stay without a hello, and then again without proof of the code."""

MAX_HELLO_TIMEOUT: Final = 15.0
"""Maximum seconds to which `HELLO_TIMEOUT` is extended on a slow link."""

MAX_TERMS: Final = 16
"""Terms of the log that a hello lists, the latest ones; from them a host finds which entries two
logs have in common."""

MAX_EARLY_FRAME: Final = 768
"""Bytes of a frame before the key is proven: the longest, a hello, has 628."""

MAX_ADDRESS: Final = 64
"""Characters of an address with its zone: IPv6 has 39, an interface's name 15."""

MAX_EPOCH_STEP: Final = 1000
"""Maximum by which one epoch may exceed the previous one: an hour of failed attempts to move a
table."""

MAX_HELD_BACK: Final = 16
"""Intents of one link that are held back while the host may have lost its table."""

GUESS_INTERVAL: Final = 0.25
"""Seconds between two answers to guesses of the join code, from all addresses together."""

TRIES_OF_ADDRESS: Final = 5
"""Wrong codes from one address before it has to wait `TRIES_AGAIN_DELAY`."""

TRIES_AGAIN_DELAY: Final = 60.0
"""Seconds that an address has to wait after too many wrong codes."""

TRIES_OF_CODE: Final = 5
"""Wrong codes from all addresses together before the table takes a new code."""

RENEW_INTERVAL: Final = 60.0
"""Minimum seconds from one new code to the next, however many guesses come: long enough to read it
out and type it. A code that lives longer is no easier to guess, since guesses are limited too."""

MAX_ADDRESSES: Final = 1024
"""Addresses and keys whose requests a host remembers; beyond that it forgets those that asked least
recently."""

MAX_UNSENT: Final = 64 * 1024
"""Bytes waiting for one slow reader after which it is sent no more: two batches. It catches up from
the log once it reads again."""

KNOCKS_BURST: Final = 64
"""Connections of one address that are answered in a burst: nine lobbies on one machine, and a few
programs that come back."""

KNOCKS_INTERVAL: Final = 1 / 16
"""Seconds after which one more connection is answered: those nine lobbies connect 5 times a
second."""

MAX_HANDSHAKES: Final = 32
"""Connections whose TLS handshake is not over. Beyond that, the address with the most loses its
oldest one, and of several such addresses the one that did so most often before, so a new address
always gets in."""

MAX_HANDSHAKES_OF_ADDRESS: Final = 8
"""Connections of these from one address; one more closes its oldest."""

HANDSHAKE_TIMEOUT: Final = 15.0
"""Seconds that a TLS handshake may take. Two lost packets cost three seconds, and far more on a
link with a delay of a second."""
