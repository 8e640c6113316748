"""`spoof doctor [HOST[:PORT]]`: why a table does not appear, and what can be done about it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from spoof_tui import console, system
from spoof_tui.commands import options
from spoof_tui.commands.printing import Parser, hanging, page_width
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request, examine
from spoof_tui.network.diagnosis.findings import Finding, Severity
from spoof_tui.network.diagnosis.judging import judge
from spoof_tui.storage import keeping
from spoof_tui.telling.findings import hotspot, one_machine, told
from spoof_tui.text.i18n import _

QUESTIONS: Final = 20
"""How many times the table's computer is asked, to measure the link."""

PATIENCE: Final = 3.5
"""Seconds that the examination may take."""

STATUS: Final = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.PROBLEM: 3}
"""The exit status by the worst finding; 2 is left to wrong command lines."""

_WIDEST: Final = 96


def main(words: Sequence[str]) -> int:
    """Examine the network and print what was found; return the exit status."""
    given = parser().parse_args(words)
    console.use_terminal_encoding()
    if sys.stderr.isatty():
        print(_("Checking the network. This takes about four seconds …"), file=sys.stderr)
    seen = system.run(examine(Request(given.address, questions=QUESTIONS, within=PATIENCE)))
    findings = judge(seen)
    tables = seen.tables
    kept = keeping.trouble()
    print(_as_json(findings, tables, kept) if given.json else _page(findings, tables, kept))
    return status(findings)


def status(findings: Sequence[Finding]) -> int:
    """The exit status by the worst of the findings."""
    return STATUS[max((each.severity for each in findings), default=Severity.NOTE)]


def _page(findings: Sequence[Finding], tables: Sequence[Address], kept: str) -> str:
    return "\n".join([*([f"✗ {kept}"] if kept else []), *report(findings, tables)])


def report(findings: Sequence[Finding], tables: Sequence[Address]) -> Iterator[str]:
    """The answering tables and the findings, the worst first, in lines that fit the terminal."""
    for address in tables:
        yield "✓ " + _("A table answers at {address}.").format(address=address.text)
    if not findings:
        yield "✓ " + _("Nothing is in the way.")
    for finding in findings:
        yield ""
        yield from _lines(finding)
    if status(findings):
        yield ""
        yield _("When nothing helps: {hotspot}; or {ssh}.").format(
            hotspot=hotspot(), ssh=one_machine()
        )


def _lines(finding: Finding) -> Iterator[str]:
    words = told(finding)
    sign = "·" if finding.severity is Severity.NOTE else "✗"
    labels = {
        _("seen"): words.seen,
        _("do"): words.todo,
    }
    column = max(map(len, labels)) + 4
    yield f"{sign} {words.means}  [{finding.code.value}]"
    for label, text in labels.items():
        first = f"  {label}".ljust(column)
        yield from hanging(text, page_width(_WIDEST), first, " " * column)


def _as_json(findings: Sequence[Finding], tables: Sequence[Address], kept: str) -> str:
    return json.dumps(
        {
            "status": status(findings),
            "kept": kept or None,
            "tables": [each.text for each in tables],
            "findings": [_packed(each) for each in findings],
        },
        ensure_ascii=False,
        indent=1,
    )


def _packed(finding: Finding) -> dict[str, object]:
    words = told(finding)
    return {
        "code": finding.code.value,
        "severity": finding.severity.name.lower(),
        "address": finding.address.text if finding.address else None,
        "names": list(finding.names),
        "figure": finding.figure,
        "means": words.means,
        "seen": words.seen,
        "do": words.todo,
    }


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof doctor`."""
    parser = Parser(
        prog="spoof doctor",
        description=_(
            "Explain why a table does not appear, or why a table at a given address does not "
            "answer, and what to do about it. Exit status: 0 if nothing is wrong, 1 if some "
            "tables may be missed, 3 if tables cannot be found or reached."
        ),
    )
    parser.add_argument(
        "address",
        nargs="?",
        type=options.checked(Address.parse),
        metavar="HOST[:PORT]",
        help=_("the address on the host’s screen"),
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON for programs"))
    return parser
