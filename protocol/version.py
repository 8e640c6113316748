"""The version of this program and that of the protocol; two programs compare the latter before they
talk."""

from typing import Final

PROGRAM: Final = "0.2.0"
"""Version of this program, for people."""

PROTOCOL: Final = 3
"""Version of the wire protocol. Programs with different numbers cannot share a table."""
