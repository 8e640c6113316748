"""Bots are asked hundreds of times about one view: their thoughts about it are computed once.

All of them are functions of values that never change. Then the dice decide what they do.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from spoof_tui.bots import mind
from spoof_tui.bots.guessing import Caller
from spoof_tui.bots.judging import Judge
from spoof_tui.bots.learned import Taught


class _Same:
    """An object that is equal to nothing but itself."""

    def __init__(self, value: Any) -> None:
        self.value: Final = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, remembering its last answers about each object."""

    @lru_cache(256)
    def remembered(about: _Same, *asked: Any) -> Any:
        return function(about.value, *asked)

    return lambda about, *asked: remembered(_Same(about), *asked)


vars(mind).update(judge_of=_once(mind.judge_of))
setattr(Caller, "of", staticmethod(_once(Caller.of)))  # noqa: B010
setattr(Judge, "worths", _once(Judge.worths))  # noqa: B010
setattr(Taught, "worths", _once(Taught.worths))  # noqa: B010
setattr(Caller, "chances", _once(Caller.chances))  # noqa: B010
_worths = _once(Caller.worths)
setattr(Caller, "worths", lambda caller, numbers, shown: _worths(caller, tuple(numbers), shown))  # noqa: B010
