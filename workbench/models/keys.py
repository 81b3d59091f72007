"""Where a model is reached and with which key: from the environment or typed in, never from a file.

A key stands in this process alone: in no environment that a child gets, no event, no message. The
key of one address is not sent to another.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from workbench.errors import Refused

OWN_BASE = "https://api.anthropic.com"
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
# Servers of one's own mostly take any key; the protocol wants one.
_NONE = "no-key"


@dataclass(frozen=True, repr=False)
class Key:
    """A key that does not show itself.

    Parameters
    ----------
    secret : str
        The key.
    """

    secret: str

    def __repr__(self) -> str:
        return "Key(hidden)"

    def hide(self, text: str) -> str:
        """Return a text, JSON or not, without the key, whoever put it there."""
        if not self:
            return text
        # In JSON a key may stand with its odd signs escaped.
        escaped = json.dumps(self.secret)[1:-1]
        return text.replace(self.secret, "[key]").replace(escaped, "[key]")

    def hide_bytes(self, data: bytes) -> bytes:
        """Return bytes without the key."""
        return data.replace(self.secret.encode(), b"[key]") if self else data

    def __bool__(self) -> bool:
        return bool(self.secret) and self.secret != _NONE


_typed: list[Key] = []


def keep(secret: str) -> None:
    """Keep a key that was typed in, for this process.

    Raises
    ------
    Refused
        If it is empty or has a space or line break in it.
    """
    secret = secret.strip()
    if not secret or not secret.isascii() or len(secret.split()) > 1:
        raise Refused("key: what was typed is empty or no key; copy it whole and try again")
    _typed[:] = [Key(secret)]


def forget() -> None:
    """Forget a key that was typed in."""
    _typed.clear()


def has_key(environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether there is a key for the provider's own address or the environment's."""
    given = os.environ if environment is None else environment
    return bool(_typed or _own(given))


def has_address(environment: Mapping[str, str] | None = None) -> bool:
    """Tell whether the environment names a server."""
    given = os.environ if environment is None else environment
    return bool(given.get("ANTHROPIC_BASE_URL", "").strip())


def _own(given: Mapping[str, str]) -> str:
    return (given.get("ANTHROPIC_API_KEY") or given.get("ANTHROPIC_AUTH_TOKEN") or "").strip()


@dataclass(frozen=True)
class Place:
    """Where a model is reached.

    Attributes
    ----------
    base : str
        Address, without the path of a request.
    key : Key
        What is sent there as proof.
    own : bool
        True for the provider's own address.
    """

    base: str
    key: Key
    own: bool

    @property
    def loopback(self) -> bool:
        """Whether it is on this machine, reached without encryption."""
        parts = urlsplit(self.base)
        return parts.scheme == "http" and parts.hostname in _LOOPBACK


def place(base_url: str = "", environment: Mapping[str, str] | None = None) -> Place:
    """Return where a model is reached.

    Parameters
    ----------
    base_url : str, optional
        Address given by the person who asks; else ``ANTHROPIC_BASE_URL``, else the provider's own.
    environment : mapping, optional
        The process's environment if left out.

    Raises
    ------
    Refused
        If the address is none, there is no key for the provider's own address, or a key would go
        unencrypted over a network.
    """
    given = os.environ if environment is None else environment
    base = (base_url or given.get("ANTHROPIC_BASE_URL") or OWN_BASE).strip().rstrip("/")
    base = base.removesuffix("/v1")
    parts = _parts(base)
    key = _key(given, asked=bool(base_url) and base != OWN_BASE)
    if base == OWN_BASE and not key:
        raise Refused(
            "model anthropic: there is no key; set ANTHROPIC_API_KEY before you start, type "
            "%agent key in a notebook, or use -m offline"
        )
    if key and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise Refused(f"base address '{base}': a key would go unencrypted; use https")
    return Place(base, key, base == OWN_BASE)


def _parts(base: str) -> SplitResult:
    with contextlib.suppress(ValueError):
        parts = urlsplit(base)
        extra = parts.username or parts.password or parts.query or parts.fragment
        if parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0 and not extra:
            return parts
    # What was given may hold a name and a key: it is not repeated.
    raise Refused(
        "base address: write it as http://HOST:PORT or https://HOST, with no name, key or query"
    )


def _key(given: Mapping[str, str], *, asked: bool) -> Key:
    """Return the key of an address; the provider's own key never goes to one that was asked for."""
    other = given.get("WORKBENCH_API_KEY", "").strip()
    if asked:
        return Key(other or _NONE)
    if _typed:
        return _typed[0]
    return Key(_own(given) or other or _NONE)
