"""Every drill, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.simulation import lies, mishaps, successions
from tests.simulation.drill import Drill

DRILLS: Final[Mapping[str, Drill]] = {
    each.name: each
    for module in (successions, mishaps, lies)
    for each in vars(module).values()
    if isinstance(each, Drill)
}
