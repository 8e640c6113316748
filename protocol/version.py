"""The two numbers that two programs compare before they talk."""

from typing import Final

PROGRAM: Final = "0.2.0"
"""Version of this program, for people."""

PROTOCOL: Final = 3
"""Version of the wire protocol. Programs with different numbers cannot share a table."""
