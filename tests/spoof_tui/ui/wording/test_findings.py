"""Every finding can be told, in short and in plain words."""

from __future__ import annotations

import re
from dataclasses import astuple
from itertools import product

from rich.cells import cell_len

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.text import i18n
from spoof_tui.ui.wording.findings import told
from tests.helpers.offenders import offenders

TECHNICAL = re.compile(r"zeroconf|mdns|multicast|broadcast|\bport\b|probe|udp|tcp|порт", re.I)
ADDRESS = Address("192.168.1.20", 7763)


def finding(code: Code) -> Finding:
    return Finding(code, Severity.PROBLEM, ADDRESS, ("wlan0", "10.0.0.0/8"), 0.5, "9.9 9")


def plain(code: Code, language: str) -> None:
    i18n.install(language)
    try:
        words = told(finding(code))
    finally:
        i18n.install("en")
    assert not TECHNICAL.search(words.headline)
    assert cell_len(words.headline) <= 76
    assert all(astuple(words))


def test_a_finding_has_a_plain_headline_and_four_lines() -> None:
    assert offenders(plain, product(Code, ["en", "uk"])) == []


def test_a_finding_that_is_about_nothing_in_particular_is_told_too() -> None:
    def told_of(code: Code) -> None:
        bare = Finding(code, Severity.NOTE, names=("eth0",) if code is Code.VPN else ())
        assert told(bare).headline

    assert offenders(told_of, zip(Code)) == []
