"""Engines as tests need them: small programs that play, or that do not."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

HEAD: Final = """
import json, os, random, sys, time
def say(ask, **answer):
    print(json.dumps({"id": ask["id"], **answer}), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    if ask["ask"] == "hello":
        say(ask, protocol=1, name="Doubter")
        continue
"""
"""Greets; the code appended to its loop plays."""

PLAYS: Final = """
    if ask["ask"] == "hand":
        say(ask, hand=1)
    elif ask["rules"]["game"] == "guessing":
        say(ask, word=random.choice(ask["legal"]["calls"]))
    elif ask["words"]:
        say(ask, word="call")
    else:
        say(ask, word=ask["legal"]["bids"][0])
"""
"""Holds one coin, opens with the lowest bid, and calls every other; calls any free number."""


def engine(folder: Path, plays: str = PLAYS) -> str:
    """The command of an engine that greets and goes on like this."""
    return program(folder, f"engine{abs(hash(plays))}.py", HEAD + plays)


def program(folder: Path, name: str, text: str) -> str:
    """The command that runs this text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return command(sys.executable, "-I", "-S", str(path))


def command(*words: str) -> str:
    """A line of these words as somebody types it."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
