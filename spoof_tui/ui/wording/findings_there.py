"""Findings about other machines, the link to them, and the time, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROGRAM
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.wording.told import Told, names, tried_to_connect
from spoof_tui.ui.wording.ways_out import hotspot, ways_out

_VERSION_CELLS: Final = 16


# Other machines


def _host_refuses(finding: Finding) -> Told:
    return Told(
        _("A table was heard, but its computer turns you away."),
        tried_to_connect(finding),
        _("the table told of itself, and the connection is refused"),
        _("the table has just closed, or a firewall on the host’s computer keeps you out"),
        _("ask the host whether the table is still open; if it is, {let_in}").format(
            let_in=_on_hosts_machine(finding)
        ),
    )


def _host_silent(finding: Finding) -> Told:
    return Told(
        _("A table is there, but its computer does not let you in."),
        tried_to_connect(finding),
        _("the computer is there, and the connection is not answered (TCP)"),
        _("a firewall on the host’s computer drops what comes in"),
        _on_hosts_machine(finding),
    )


def _on_hosts_machine(finding: Finding) -> str:
    port = finding.address.port if finding.address else DEFAULT_PORT
    return _(
        "the host lets port {port} in (`spoof doctor` says how), or somebody else opens a table"
    ).format(port=port)


def _no_table(finding: Finding) -> Told:
    return Told(
        _("That computer is there, but no table is open on it."),
        tried_to_connect(finding),
        _("the connection is refused at once"),
        _("the table has closed, or it has another number behind the colon"),
        _("compare with the address on the host’s screen, with all that is behind a colon"),
    )


def _other_address(finding: Finding) -> Told:
    better = finding.names[0] if finding.names else "?"
    return Told(
        _("That table answers at another address."),
        tried_to_connect(finding),
        _("it greets at {names}").format(names=names(finding)),
        _("another way to its computer is open, or another number belongs behind the colon"),
        _("join there: spoof join {address}").format(address=better),
    )


def _not_a_table(finding: Finding) -> Told:
    return Told(
        _("Something else answers there, not a table."),
        tried_to_connect(finding),
        _("it accepts the connection, and does not speak Spoof"),
        _("another program has that address, or something stands between"),
        _("compare with the address on the host’s screen"),
    )


def _table_full(finding: Finding) -> Told:
    return Told(
        _("That table has no room for another connection."),
        tried_to_connect(finding),
        _("it greets, and says that there are too many"),
        _("as many have come as it can hear at once"),
        _("try again in a minute"),
    )


def _table_hangs(finding: Finding) -> Told:
    return Told(
        _("The table’s computer answers, but the table does not."),
        tried_to_connect(finding),
        _("the connection comes about, and nothing is said"),
        _("the program there is stopped or its computer is overloaded"),
        _("ask the host to look at their screen"),
    )


def _other_network(finding: Finding) -> Told:
    here = names(finding) or _("none")
    return Told(
        _("That address belongs to another network than yours."),
        tried_to_connect(finding),
        _("no answer; your own network: {networks}").format(networks=here),
        _("the two of you are on different networks, or the host is gone"),
        _("join the same Wi-Fi; without one, {hotspot}").format(hotspot=hotspot()),
    )


def _nobody_there(finding: Finding) -> Told:
    return Told(
        _("No computer answers at that address."),
        tried_to_connect(finding),
        _("nothing, not even a refusal"),
        _("it has another address, it is off, or this network keeps devices apart"),
        _("compare with the address on the host’s screen; then {ways}").format(ways=ways_out()),
    )


def _name_unknown(finding: Finding) -> Told:
    return Told(
        _("Nobody here is called {host}.").format(
            host=finding.address.host if finding.address else "?"
        ),
        _("look that name up"),
        _("no address"),
        _("the network does not know the names of its computers"),
        _("type the numbers on the host’s screen instead"),
    )


def _guests_apart(finding: Finding) -> Told:
    return Told(
        _("If you leave, the table cannot move."),
        _("had the players’ programs reach each other"),
        _("{names} do not reach each other").format(names=names(finding)),
        _("everybody reaches you, so you can play; nobody else could host"),
        _("stay until the game is over, or pause it before you go"),
    )


def _other_version(finding: Finding) -> Told:
    theirs = show(ForeignText(finding.version), _VERSION_CELLS)
    return Told(
        _("A table of another version is there."),
        tried_to_connect(finding),
        _("it speaks {theirs}, you have {own}").format(theirs=theirs, own=PROGRAM),
        _("both sides need the same version"),
        _("update the older one of the two"),
    )


# The link, the ports, the time


def _slow_link(finding: Finding) -> Told:
    seconds = f"{finding.figure or 0:.1f}"
    return Told(
        _("The network is slow: {seconds} s there and back.").format(seconds=seconds),
        _("timed the connection"),
        _("{seconds} s for a round trip").format(seconds=seconds),
        _("everything works, and everything takes longer"),
        _("wait a little longer, or move closer to the access point"),
    )


def _lossy_link(finding: Finding) -> Told:
    part = round(100 * (finding.figure or 0))
    return Told(
        _("The network loses {part} % of what is sent.").format(part=part),
        _("asked the table’s computer again and again (UDP)"),
        _("{part} % of the questions stayed without an answer").format(part=part),
        _("words arrive late now and then; nothing is lost for good"),
        _("move closer to the access point"),
    )


def _port_taken(finding: Finding) -> Told:
    port = round(finding.figure or DEFAULT_PORT)
    if port == DEFAULT_PORT:
        return Told(
            _("Another program is in the way of finding tables."),
            _("listen where tables tell of themselves (UDP {port})").format(port=port),
            _("another program keeps that for itself"),
            _("some tables may not be found"),
            _("close that program, or join by address"),
        )
    return Told(
        _("Your table has a longer address than usual."),
        _("listen on port {port}").format(port=DEFAULT_PORT),
        _("another program, or another table, has it; yours listens on {port}").format(port=port),
        _("who types the address needs all of it; the list shows the table anyway"),
        _("nothing, if the others see it"),
    )


def _mdns_taken(finding: Finding) -> Told:
    return Told(
        _("One of two ways to find tables is blocked."),
        _("listen to mDNS (UDP 5353)"),
        _("another program keeps that for itself"),
        _("tables are found by the other way"),
        _("nothing"),
    )


def _slept(finding: Finding) -> Told:
    return Told(
        _("This computer stood still for a while."),
        _("watched the clock"),
        _("nothing ran for {seconds} s").format(seconds=f"{finding.figure or 0:.1f}"),
        _("it slept, was stopped, or has too much to do"),
        _("look again"),
    )


def _clock_moved(finding: Finding) -> Told:
    return Told(
        _("The clock of this computer was set."),
        _("watched the clock"),
        _("it moved by {seconds} s").format(seconds=f"{finding.figure or 0:+.0f}"),
        _("a game does not mind: it measures its times by another clock"),
        _("nothing"),
    )


TELLERS: Final[Mapping[Code, Callable[[Finding], Told]]] = {
    Code.OTHER_VERSION: _other_version,
    Code.HOST_REFUSES: _host_refuses,
    Code.HOST_SILENT: _host_silent,
    Code.TABLE_FULL: _table_full,
    Code.OTHER_ADDRESS: _other_address,
    Code.NO_TABLE: _no_table,
    Code.NOT_A_TABLE: _not_a_table,
    Code.SLOW_LINK: _slow_link,
    Code.TABLE_HANGS: _table_hangs,
    Code.OTHER_NETWORK: _other_network,
    Code.NOBODY_THERE: _nobody_there,
    Code.NAME_UNKNOWN: _name_unknown,
    Code.GUESTS_APART: _guests_apart,
    Code.LOSSY_LINK: _lossy_link,
    Code.PORT_TAKEN: _port_taken,
    Code.MDNS_TAKEN: _mdns_taken,
    Code.SLEPT: _slept,
    Code.CLOCK_MOVED: _clock_moved,
}
"""Puts each of these findings into words."""
