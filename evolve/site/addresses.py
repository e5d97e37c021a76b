"""Addresses of this machine."""

import ipaddress
import socket


def is_loopback(host: str) -> bool:
    """Return whether a host name means this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def list_addresses() -> list[str]:
    """Return the addresses under which other machines reach this one."""
    found = {
        str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    }
    return sorted(found - {"127.0.0.1", "127.0.1.1"}) or ["127.0.0.1"]
