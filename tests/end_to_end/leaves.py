"""The traffic on a link, taken apart, so that two games can be compared field by field.

A stream becomes frames, a frame its leaves: the value of every field under its name. Two games that
differ in one hand may differ in `BLIND` fields only, none of which reveals a hand.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from protocol.encoding.codec import unpack
from protocol.encoding.framing import FrameReader

BLIND = frozenset({"signature", "previous", "seen", "head", "seal", "challenge"})
"""Fields that hide what they were made of: signatures, hashes, the seals, and pure chance."""

_ENTRY = ("epoch", "position", "previous", "time", "is intent")
_INTENT = ("author", "sequence", "length", "seen")
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "greeting": ("protocol", "program", "card", "challenge"),
    "hello": ("protocol", "program", "key", "length", "head", "signature"),
    "fist": ("seal",),
}
"""Names of fields that may be blind; the others are counted."""


@dataclass(frozen=True)
class Frame:
    """One message."""

    size: int
    leaves: tuple[tuple[str, object], ...]
    """The path of every field, and its value."""

    @property
    def kind(self) -> object:
        """The name of the message."""
        return self.leaves[0][1]

    @property
    def statements(self) -> list[tuple[object, object]]:
        """Author and name of every statement in it."""
        values = dict(self.leaves)
        paths = [path for path in values if path.endswith("statement/kind")]
        return [
            (values.get(path.removesuffix("statement/kind") + "author"), values[path])
            for path in paths
        ]

    @property
    def outline(self) -> tuple[object, ...]:
        """Everything visible: the size, and the fields that are not blind."""
        return self.size, *(
            (path, len(value) if _is_blind(path) and isinstance(value, bytes) else value)
            for path, value in self.leaves
        )


def frames(stream: bytes) -> list[Frame]:
    """The messages of a stream, except pings, whose number is random."""
    read = [Frame(len(payload), tuple(_message(payload))) for payload in FrameReader().feed(stream)]
    return [frame for frame in read if frame.kind != "ping"]


def before_opening(stream: Iterable[Frame], key: bytes, count: int) -> list[Frame]:
    """The messages before the `count`-th opening by the player `key`."""
    kept: list[Frame] = []
    for frame in stream:
        count -= (key, "open") in frame.statements
        if not count:
            break
        kept.append(frame)
    return kept


def differences(one: Frame, other: Frame) -> set[str]:
    """The names of the fields in which two messages of the same outline differ."""
    pairs = zip(one.leaves, other.leaves, strict=True)
    return {path.rpartition("/")[2] for (path, a), (_, b) in pairs if a != b}


def _is_blind(path: str) -> bool:
    return path.rpartition("/")[2] in BLIND


def _message(payload: bytes) -> Iterator[tuple[str, object]]:
    kind, *rest = _array(unpack(payload))
    yield "kind", kind
    if kind == "entries":
        for place, blob in enumerate(_array(rest[0])):
            yield from _entry(f"{place}", blob)
    elif kind == "intent":
        yield from _intent("intent", rest[0])
    else:
        yield from _named("", kind, rest)


def _entry(path: str, blob: bytes) -> Iterator[tuple[str, object]]:
    payload, signature = _array(unpack(blob))
    yield f"{path}/signature", signature
    *head, is_intent, content = _array(unpack(payload))
    yield from zip((f"{path}/{name}" for name in _ENTRY), (*head, is_intent), strict=True)
    if is_intent:
        yield from _intent(path, content)
    else:
        yield from _statement(path, _array(unpack(content)))


def _intent(path: str, blob: bytes) -> Iterator[tuple[str, object]]:
    payload, signature = _array(unpack(blob))
    yield f"{path}/intent/signature", signature
    *head, statement = _array(unpack(payload))
    yield from zip((f"{path}/{name}" for name in _INTENT), head, strict=True)
    yield from _statement(path, statement)


def _statement(path: str, raw: tuple[Any, ...]) -> Iterator[tuple[str, object]]:
    yield f"{path}/statement/kind", raw[0]
    yield from _named(f"{path}/statement/", raw[0], raw[1:])


def _named(path: str, kind: str, values: Iterable[object]) -> Iterator[tuple[str, object]]:
    names = _FIELDS.get(kind, ())
    for place, value in enumerate(values):
        yield f"{path}{names[place] if place < len(names) else place}", value


def _array(raw: object) -> tuple[Any, ...]:
    assert isinstance(raw, tuple)
    return raw
