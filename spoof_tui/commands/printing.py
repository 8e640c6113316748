"""What commands print of what others wrote: nothing that a terminal could obey."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn, TextIO


class Parser(argparse.ArgumentParser):
    """Complains about arguments as about files: with nothing that a terminal could obey."""

    def error(self, message: str) -> NoReturn:
        super().error(shown(message))


def shown(text: str) -> str:
    """`text` with what a terminal could obey escaped."""
    return text if text.isprintable() else repr(text)[1:-1]


def complain(sentence: str) -> None:
    """Say on standard error what is wrong."""
    print_line(f"spoof: {sentence}", sys.stderr)


def print_line(line: str, stream: TextIO) -> None:
    """Print a line; what the stream's encoding cannot say is escaped."""
    encoding = stream.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding), file=stream)
