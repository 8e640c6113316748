"""What a finding means to a player, and what can be done about it on this system."""

from __future__ import annotations

from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.ui.wording import findings_here, findings_there
from spoof_tui.ui.wording.told import Told

_TELLERS = {**findings_here.TELLERS, **findings_there.TELLERS}


def told(finding: Finding) -> Told:
    """A finding in words, in the player's language."""
    return _TELLERS[finding.code](finding)
