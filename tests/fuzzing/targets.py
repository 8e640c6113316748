"""Everything that is fuzzed, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzzing.engine import Target
from tests.fuzzing.links import GUEST, HOST, STRANGER
from tests.fuzzing.logs import LOG, TOLD
from tests.fuzzing.readers import CODEC, FRAMING, HELLO, NOTATION, TEXT

TARGETS: Final[Mapping[str, Target]] = {
    target.name: target
    for target in (CODEC, FRAMING, HELLO, LOG, TOLD, HOST, STRANGER, GUEST, NOTATION, TEXT)
}
