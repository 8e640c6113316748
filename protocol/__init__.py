"""The shared language of Spoof: rules, words, seals, messages, the log, and both ends of a link.

Sans-IO: bytes in, effects out. Nothing here opens a socket, reads a clock, draws a random number,
starts a thread or touches a file; time, nonces and keys are arguments.

The folders, lowest layer first: `encoding`, `crypto`, `rules`, `notation`, `table`, `views`,
`wire`, `host`, `guest`, `failover`.
"""

GAME = "Spoof"
"""Name of the game; tells this package from others that are called `protocol`."""
