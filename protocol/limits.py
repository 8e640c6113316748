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
"""Lines of talk, shouts, votes and fines that one participant may say at once."""

TALK_EVERY: Final = 2.0
"""Seconds after which one more may be said, once the burst is used up."""

MAX_LINKS: Final = 64
"""Connections to one host: nine seats, as many again that watch or reconnect, and probes."""

HELLO_WITHIN: Final = 5.0
"""Seconds that a connection may stay without saying who it is."""

MAX_UNSENT: Final = 4 * 1024 * 1024
"""Bytes that wait for one slow reader before its link is dropped: it resumes from its position."""
