"""The mDNS endpoint: zeroconf, which follows this machine's network and reports if there is none.

It sends and receives adverts, on port 5353 and in the groups of mDNS; the beacon has its own
sockets in `broadcast.py`. No failure here ends the program: without discovery, a table is joined by
its address.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import importlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Final

from spoof_tui import system
from spoof_tui.network.addresses import Interface, own_interfaces
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

if TYPE_CHECKING:
    from zeroconf import Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

SERVICE: Final = "_spoof._tcp.local."
"""The service type that tables are registered as."""

LOOK_INTERVAL: Final = 2.0
"""Seconds between two checks of this machine's adapters."""

_PORT: Final = 5353

Trouble = Callable[[str | None], None]
"""A function that is called with a sentence why tables cannot find or be found, and with None once
they can."""


async def load() -> None:
    """Import zeroconf in another thread, because that takes 75 ms and the first frame on the screen
    must not wait."""
    await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")


class MdnsEndpoint:
    """A zeroconf endpoint. Call `load` first, `refresh` every `LOOK_INTERVAL` seconds, and `close`
    at the end."""

    def __init__(self, on_trouble: Trouble, is_denied: Callable[[], bool] = lambda: False) -> None:
        """`is_denied` returns whether the system keeps this program off the network, as far as that
        is known."""
        self.trouble: str | None = None
        """A sentence that says why there is no discovery, or none beyond this machine; None if all
        is well."""
        self.interfaces: tuple[Interface, ...] = ()
        """The addresses of this machine as last seen, the best first."""
        self._on_trouble = on_trouble
        self._is_denied = is_denied
        self._endpoint: AsyncZeroconf | None = None

    @property
    def zeroconf(self) -> Zeroconf | None:
        """The running zeroconf object, a new one after every restart; None if none is running."""
        return self._endpoint.zeroconf if self._endpoint else None

    async def refresh(self) -> bool:
        """Open the endpoint, or follow changes of the adapters; returns whether this machine's
        addresses have changed.

        To be called within `attempt`.
        """
        before, self.interfaces = self.interfaces, own_interfaces()
        if self._endpoint:
            await self._endpoint.async_update_interfaces()
        elif self.interfaces:
            self._endpoint = await _open()
        self._tell(_denied() if self._is_denied() else _lack(self.interfaces))
        return self.interfaces != before

    @contextlib.asynccontextmanager
    async def attempt(self) -> AsyncIterator[None]:
        """A context in which a failure closes the endpoint and is reported as the trouble; the next
        `refresh` opens it again."""
        from zeroconf import Error

        try:
            yield
        except (OSError, RuntimeError, Error) as error:
            await self.close()
            self._tell(_reason(error))

    async def close(self) -> None:
        """Withdraw what is registered, which takes 0.25 s, and close the endpoint."""
        endpoint, self._endpoint = self._endpoint, None
        if endpoint:
            await _close(endpoint)

    def _tell(self, trouble: str | None) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble(trouble)


async def _open() -> AsyncZeroconf:
    from zeroconf import InterfaceChoice, IPVersion
    from zeroconf.asyncio import AsyncZeroconf

    is_mixed = _has_ipv6() and system.can_mix_multicast()
    version = IPVersion.All if is_mixed else IPVersion.V4Only
    # Not `Default`: it needs a default route, which a party's network may not have.
    endpoint = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=version)
    starting = asyncio.ensure_future(endpoint.zeroconf.async_wait_for_start())
    try:
        await asyncio.shield(starting)
    except BaseException:
        # An endpoint that is closed half open leaves its other sockets open.
        await asyncio.wait([starting])
        await _close(endpoint)
        raise
    return endpoint


def _has_ipv6() -> bool:
    """Whether one socket can have the port for both IPv6 and IPv4.

    Raises `OSError` if the port cannot even be shared for IPv4: zeroconf would leave a socket open.
    """
    _try_port(socket.AF_INET)
    try:
        _try_port(socket.AF_INET6)
    except OSError:
        return False
    return True


def _try_port(family: socket.AddressFamily) -> None:
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        system.share_port(trial)
        if family is socket.AF_INET6:
            trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        trial.bind(("", _PORT))


async def _close(endpoint: AsyncZeroconf) -> None:
    from zeroconf import Error

    try:
        with contextlib.suppress(OSError, RuntimeError, Error):
            await endpoint.async_close()
    finally:
        # If the goodbyes fail or are cancelled, the sockets are still open.
        endpoint.zeroconf.engine.close()


def _lack(interfaces: tuple[Interface, ...]) -> str | None:
    """A sentence about what is missing for discovery on the network; None if nothing is."""
    if not interfaces:
        return _("This computer has no network at all.")
    if interfaces[0].ip.is_loopback:
        return _("This computer is not on a network: only its own tables can be found.")
    return None


def _denied() -> str:
    return _(
        "macOS keeps this program off the local network: allow it in System Settings, Privacy & "
        "Security, Local Network."
    )


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return _("Another program is in the way: some tables may not be found (port 5353).")
    sentence = _("Some tables on this network may not be found ({error}): join those by address.")
    return sentence.format(error=reason_of(error))
