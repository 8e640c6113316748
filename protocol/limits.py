"""Every bound on what may come from outside, each with its reason."""

from typing import Final

MAX_FRAME: Final = 64 * 1024
"""Bytes of one frame's payload. The largest honest frame is a batch of entries, cut at half of
this; objects take about twelve times their encoding, so reading a frame costs under 1 MiB."""

MAX_BATCH: Final = MAX_FRAME // 2
"""Bytes of entries that are put into one frame; one more entry always fits on top."""

MAX_DEPTH: Final = 8
"""Nesting of arrays in a frame. The deepest honest message has 2; msgpack itself stops at 1,024."""

MAX_NUMBER: Final = 2**53 - 1
"""The largest whole number: what every language can hold exactly."""

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
"""Bytes of one entry: a statement and 128 bytes round it; a line of talk has 693."""

MAX_ENTRIES: Final = 1000
"""Entries in one frame: 158 bytes is the smallest, so `MAX_BATCH` bounds it first."""

MAX_LOG: Final = 1_000_000
"""Entries of one log: an evening of nine players is under 20,000."""

MAX_PRESENCE: Final = 64
"""Participants whose presence one message tells: nine seats, and those who left theirs."""

TALK_BURST: Final = 8
"""Statements that bind no game (talk, votes, fines, sitting down) that one participant may make at
once."""

TALK_INTERVAL: Final = 2.0
"""Seconds after which one more may be made, once the burst is used up: 30 in a minute."""

TALK_OF_ROUND: Final = 60
"""Of these, entries of one participant in one round: two minutes of the talk above."""

SEATING_BURST: Final = 32
"""Times that seats may be taken and given up at one table at once, by whatever keys."""

SEATING_INTERVAL: Final = 1.0
"""Seconds after which one more may be: keys cost nothing, and the log is kept by everybody."""

SEATING_OF_ADDRESS_BURST: Final = 16
"""Of these, times by keys of one address: a full table on one machine, and back."""

SEATING_OF_ADDRESS_INTERVAL: Final = 4.0
"""Seconds after which one more of that address may be."""

RETURNS_OF_ADDRESS_BURST: Final = 60
"""Connections from one address at once, by whatever keys: a full table on one machine returns."""

RETURNS_OF_ADDRESS_INTERVAL: Final = 0.5
"""Seconds after which one more from that address is taken."""

RETURNS_OF_ALL_BURST: Final = 200
"""Connections of all keys at once."""

RETURNS_OF_ALL_INTERVAL: Final = 0.2
"""Seconds after which one more of all is taken."""

RETURNS_BURST: Final = 20
"""Connections of one key at once: each can put two entries into the log (away and back)."""

RETURNS_INTERVAL: Final = 2.0
"""Seconds after which one more is taken: as often as an honest program tries."""

LOG_RESERVE: Final = 10_000
"""Entries at the end of `MAX_LOG` that are kept for the moves of the game that is running."""

MESSAGES_BURST: Final = 64
"""Messages of one link that are read at once: more than one player can have on the way."""

MESSAGES_INTERVAL: Final = 0.05
"""Seconds after which one more is read: 20 in a second. The rest waits in that link's buffers."""

MAX_LINKS: Final = 64
"""Participants connected to one host: nine seats, and those who watch."""

MAX_WATCHERS_OF_ADDRESS: Final = 16
"""Of these, without a seat and from one address: as many people as share one machine by ssh."""

MAX_UNPROVEN: Final = 16
"""Connections that have not proven who they are: the busiest address loses its oldest one."""

MAX_UNPROVEN_OF_ADDRESS: Final = 8
"""Of these, from one address."""

HELLO_TIMEOUT: Final = 5.0
"""Seconds that a connection may stay without a hello, and again with a hello without the code."""

MAX_HELLO_TIMEOUT: Final = 15.0
"""The same for one whose answers are slow, at most."""

MAX_TERMS: Final = 16
"""Hosts of a log that a hello tells of, the last ones: what two logs share is found by them."""

MAX_EARLY_FRAME: Final = 768
"""Bytes of a frame from somebody unproven: the longest, a hello, has 628."""

MAX_ADDRESS: Final = 64
"""Characters of an address with its zone: IPv6 has 39, an interface's name 15."""

MAX_EPOCH_STEP: Final = 1000
"""By how much an epoch may pass the one before: as many as fail to move a table in an hour."""

MAX_HELD_BACK: Final = 16
"""Intents of one link that wait while the host may have lost its table."""

GUESS_INTERVAL: Final = 0.25
"""Seconds between two answers to a guess of the join code, whoever guesses."""

TRIES_OF_ADDRESS: Final = 5
"""Wrong codes from one address, after which it waits."""

TRIES_AGAIN_DELAY: Final = 60.0
"""Seconds that it waits."""

TRIES_OF_CODE: Final = 5
"""Wrong codes in all, after which the table takes a new code."""

RENEW_INTERVAL: Final = 60.0
"""Seconds that a code stays at least, whoever guesses: long enough to say it and to type it. A
guess is no likelier to be right for it."""

MAX_ADDRESSES: Final = 1024
"""Addresses and keys of which a host remembers how much they asked for; then it forgets who
has been quiet for longest."""

MAX_UNSENT: Final = 64 * 1024
"""Bytes that wait for one slow reader before nothing more is sent to it: two batches. What it
misses it gets from the log once it reads again."""

KNOCKS_BURST: Final = 64
"""Connections of one address that are answered at once: nine lobbies of one machine, and a few
programs that come back."""

KNOCKS_INTERVAL: Final = 1 / 16
"""Seconds after which one more is answered: those nine lobbies ask 5 times in a second."""

MAX_HANDSHAKES: Final = 32
"""Connections whose TLS handshake is not over. The oldest one of the busiest address gives way, so
that a new address always gets in."""

MAX_HANDSHAKES_OF_ADDRESS: Final = 8
"""Of these, from one address: its oldest one gives way."""

HANDSHAKE_TIMEOUT: Final = 15.0
"""Seconds that a handshake may take: two lost packets cost three, and far more where each is under
way for a second. Whoever is silent longest gives way."""
