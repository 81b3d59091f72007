"""The provider's SDK, and nothing else: it carries bytes that were built and kept elsewhere.

It is handed a request whole, and what leaves its transport is compared with that; its own tries,
its profile files and its redirects are off. The SDK is loaded when a model is first needed.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from workbench.errors import Failed
from workbench.models import bounded, retry, stream
from workbench.models.keys import Place
from workbench.models.retry import Trouble

if TYPE_CHECKING:
    import anthropic
    import httpx2

_CONNECT_SECONDS, _ASIDE_SECONDS = 5.0, 5.0
# A stream may be silent for as long as a limit of ours lets it; the socket's own is beyond that.
_LATER_SECONDS = 5.0
# A model may think for long between words; so many silences full of signs of life are no thought.
_PINGS = 10
_MESSAGES, _COUNT, _MODELS = "/v1/messages", "/v1/messages/count_tokens", "/v1/models"
# How the servers that speak this protocol call a model's window.
_WINDOWS = ("max_input_tokens", "max_model_len", "context_length", "n_ctx")
_NOT_COUNTED = {"max_tokens", "stream", "cache_control"}


def client(place: Place) -> anthropic.Anthropic:
    """Return the SDK's client for a place, one for all loops of this process."""
    with _making:
        if place not in _clients:
            _clients[place] = _client(place)
        return _clients[place]


_making = threading.Lock()
_clients: dict[Place, anthropic.Anthropic] = {}


def close() -> None:
    """Close every connection; the next request opens one anew."""
    with _making:
        for sdk in _clients.values():
            sdk.close()
        _clients.clear()


def _client(place: Place) -> anthropic.Anthropic:
    """Make a client: its key explicit, its own tries off, no redirects, no traces."""
    import anthropic
    import httpx2

    timeout = httpx2.Timeout(_ASIDE_SECONDS, connect=_CONNECT_SECONDS)
    http = anthropic.DefaultHttpxClient(
        timeout=timeout,
        follow_redirects=False,
        headers=bounded.PLAIN,
        event_hooks={"request": [_as_kept], "response": [bounded.hold]},
        # What goes to this machine unencrypted must not pass through another one.
        trust_env=not place.loopback,
    )
    return anthropic.Anthropic(
        api_key=place.key.secret,
        base_url=place.base,
        max_retries=0,
        timeout=timeout,
        http_client=http,
        open_telemetry=False,
    )


_kept = threading.local()


def _as_kept(request: httpx2.Request) -> None:
    """Let nothing leave that is not what was kept."""
    body = getattr(_kept, "body", None)
    if body is not None and request.content != body:
        raise Failed("model: what would leave is not what was kept; nothing was sent")


class _Tee:
    """A response whose bytes are kept as they are read."""

    def __init__(self, response: httpx2.Response, came: bytearray) -> None:
        self._response, self._came = response, came

    def iter_bytes(self) -> Iterator[bytes]:
        return bounded.counted(self._response.iter_bytes(), self._came)


def bring(place: Place, body: bytes, came: bytearray, silence: float) -> Iterator[dict[str, Any]]:
    """Send a request and yield the events of its reply; runs in a thread of its own.

    Parameters
    ----------
    place : Place
        Where to.
    body : bytes
        The request.
    came : bytearray
        Gets every byte of the reply.
    silence : float
        Seconds without a byte after which nobody waits any more.

    Raises
    ------
    Trouble
        If the reply is an error, or does not come whole.
    """
    import anthropic
    import httpx2
    from anthropic import Stream
    from anthropic.types import Message, RawMessageStreamEvent

    _kept.body = body
    timeout = httpx2.Timeout(silence + _LATER_SECONDS, connect=_CONNECT_SECONDS)
    try:
        with client(place).post(
            _MESSAGES,
            cast_to=Message,
            content=body,
            stream=True,
            stream_cls=Stream[RawMessageStreamEvent],
            options={"timeout": timeout},
        ) as reply:
            yield from _events(reply.response, _Tee(reply.response, came), silence)
    except anthropic.APIStatusError as error:
        came += error.response.content
        text = error.response.text
        raise retry.trouble(error.status_code, text, error.response.headers) from None
    except anthropic.APIConnectionError as error:
        if isinstance(error.__cause__, Failed):
            raise error.__cause__ from None
        raise _unreached(place, error) from None
    except httpx2.HTTPError as error:
        raise stream.broken(f"the connection broke ({type(error).__name__})") from None
    except UnicodeDecodeError:
        raise stream.broken("a piece of the stream is no text") from None


def _events(response: httpx2.Response, tee: _Tee, silence: float) -> Iterator[dict[str, Any]]:
    """Yield the events of a response, or those that a reply which is not streamed would have.

    A sign of life is no word: a server that gives nothing else is left after `_PINGS` silences.
    """
    from anthropic import Stream

    spoke = time.monotonic()
    if "json" in response.headers.get("content-type", ""):
        yield from _whole(b"".join(tee.iter_bytes()))
        return
    for event in Stream.raw_events(tee):  # type: ignore[arg-type]
        # Some servers end a stream as another protocol does, and name no events.
        if not event.data or event.data.strip() == "[DONE]":
            continue
        data = {"type": "error"} if event.event == "error" else stream.event(event.data)
        if data["type"] == "error":
            raise retry.trouble(200, event.data, response.headers)
        now = time.monotonic()
        if data["type"] != "ping":
            spoke = now
        elif now - spoke > _PINGS * silence:
            raise stream.broken(f"only signs of life came for {now - spoke:.0f} s")
        yield data


def _whole(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the reply of a server that does not stream, as if it did."""
    message = stream.event(data.decode("utf-8", "replace"))
    if message["type"] == "error":
        raise retry.trouble(200, data.decode("utf-8", "replace"), {})
    yield {"type": "message_start", "message": message}
    yield {"type": "message_stop"}


def _unreached(place: Place, error: Exception) -> Trouble:
    cause = type(error.__cause__ or error).__name__
    return Trouble(
        f"{place.base} cannot be reached ({cause})",
        again=True,
        remedy="see the network and the base address, or use -m offline",
    )


def window(place: Place, name: str) -> int:
    """Return a model's window as its server says, 0 where it says nothing; asked once."""
    with _known:
        if (place.base, name) not in _windows:
            found = _window(place, name)
            if found is None:
                return 0
            _windows[place.base, name] = found
        return _windows[place.base, name]


_known = threading.Lock()
_windows: dict[tuple[str, str], int] = {}


def _window(place: Place, name: str) -> int | None:
    """Ask for a window; None where the server was not there to be asked."""
    found = _aside(place, f"{_MODELS}/{name}" if place.own else _MODELS)
    if found is None:
        return None
    entries = [found] if place.own else _listed(found)
    return next((size(entry) for entry in entries if entry.get("id") == name and size(entry)), 0)


def size(entry: Mapping[str, Any]) -> int:
    """Return the window that a server tells of a model it lists, 0 where it tells none."""
    meta = entry.get("meta")
    for told in (entry, meta if isinstance(meta, dict) else {}):
        sizes = [told[key] for key in _WINDOWS if type(told.get(key)) is int]
        if sizes and sizes[0] > 0:
            return int(sizes[0])
    return 0


def models(place: Place) -> list[dict[str, Any]]:
    """Return the models a server lists, newest first; empty where it lists none."""
    return offered(place) or []


def offered(place: Place) -> list[dict[str, Any]] | None:
    """Return the models a server lists, newest first; None where nobody is there to be asked."""
    found = _aside(place, _MODELS)
    return None if found is None else _listed(found)


def _listed(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    entries = found.get("data")
    return [item for item in entries if isinstance(item, dict)] if isinstance(entries, list) else []


def count(place: Place, request: Mapping[str, Any]) -> int | None:
    """Return the tokens of a request by the provider's own count, None where it gives none."""
    asked = {key: value for key, value in request.items() if key not in _NOT_COUNTED}
    found = _aside(place, _COUNT, json.dumps(asked, ensure_ascii=False).encode()) or {}
    tokens = found.get("input_tokens")
    return tokens if isinstance(tokens, int) else None


def _aside(place: Place, path: str, content: bytes | None = None) -> dict[str, Any] | None:
    """Ask something beside the run; empty where it is not known, None where nobody is there."""
    import anthropic
    import httpx2

    options: Any = {"timeout": _ASIDE_SECONDS}
    try:
        sdk = client(place)
        if content is None:
            found = sdk.get(path, cast_to=httpx2.Response, options=options)
        else:
            found = sdk.post(path, cast_to=httpx2.Response, content=content, options=options)
        value = found.json()
    except anthropic.APIConnectionError:
        return None
    except (anthropic.AnthropicError, httpx2.HTTPError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
