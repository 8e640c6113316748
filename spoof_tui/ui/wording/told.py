"""The shape of a finding in words, and the parts that many of them share."""

from __future__ import annotations

from dataclasses import dataclass

from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.text.i18n import _


@dataclass(frozen=True, slots=True)
class Told:
    """A finding in words."""

    headline: str
    """What is the matter, in one short sentence without technical words."""
    tried: str
    seen: str
    means: str
    todo: str
    """What to do; may name a command of this system."""


def sentence(text: str) -> str:
    """A part of what is told, to stand alone."""
    return text[:1].upper() + text[1:]


def where(finding: Finding) -> str:
    """The address that a finding is about."""
    return finding.address.text if finding.address else ""


def names(finding: Finding) -> str:
    """What else it is about."""
    return ", ".join(finding.names)


def tried_to_connect(finding: Finding) -> str:
    """What was tried to find out about an address."""
    return _("connect to {address}").format(address=where(finding))
