"""Finding tables between computers, on networks that change and fail."""

import pytest

from tests.helpers.namespaces import Bridge, why_not
from tests.spoof_tui.network.programs import host, look, together

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")


@pytest.mark.parametrize("mover", [1, 2])
async def test_who_moves_to_another_network_is_found_there(mover: int) -> None:
    with Bridge(2) as bridge:
        async with together(host(bridge, 1, "North"), look(bridge, 2)) as (_, guest):
            await guest.sees("North", within=3)
            bridge.run(mover, ["ip", "addr", "flush", "dev", "eth0"])
            await guest.sees(within=6)
            bridge.run(mover, ["ip", "addr", "add", "10.77.0.50/24", "dev", "eth0"])
            await guest.sees("North", within=10)
            assert guest.state["tables"]["North"] == "10.77.0.50" if mover == 1 else "10.77.0.1"
            await guest.is_well()
