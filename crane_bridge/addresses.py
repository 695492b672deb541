"""Hosts of endpoints: how they are named, and which of them are this machine or its own network."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """Host, with its port when that is not the usual one."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return ""
    host = f"[{host}]" if ":" in host else host
    return host if port in (None, 443 if parts.scheme == "https" else 80) else f"{host}:{port}"


def is_local(host: str) -> bool:
    """Whether a host (with or without port) is this machine or a private network, where servers ask for no key."""
    name = urlsplit(f"//{host}").hostname or ""
    if name in ("localhost", "host.docker.internal") or name.endswith((".localhost", ".local")):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_private or address.is_unspecified
