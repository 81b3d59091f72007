"""How much of a response is read at most: a server must not fill the memory of the notebook.

No reply that a limit lets through comes near these bounds; beyond them the connection is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.models import stream

if TYPE_CHECKING:
    import httpx2

# A reply of 8,000 tokens is some hundred thousand bytes, a megabyte where each comes by itself.
REPLY_BYTES = 32 * 1024 * 1024
# Words of an error or a list of models; packed they may unpack to a thousand times as much.
_ASIDE_BYTES, _PACKED_BYTES = 4 * 1024 * 1024, 64 * 1024
# How a server may pack although it is asked not to: others unpack to more than can be bounded.
_PACKED = {"gzip", "deflate"}
PLAIN = {"accept-encoding": "identity"}


def hold(response: httpx2.Response) -> None:
    """Bound what is read of a response before anybody reads it; a hook of the client."""
    import httpx2

    packed = response.headers.get("content-encoding", "identity").strip().casefold()
    if packed not in {"identity", *_PACKED}:
        raise httpx2.DecodingError(f"packed as '{packed[:40]}'", request=response.request)
    kind = response.headers.get("content-type", "")
    # A reply is counted where it is unpacked and kept; everything else is read in one go.
    reply = response.is_success and (kind.startswith("text/event-stream") or _asked(response))
    most = _PACKED_BYTES if packed in _PACKED else _ASIDE_BYTES
    whole = response.stream

    class Bounded(httpx2.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            left = REPLY_BYTES if reply else most
            for chunk in whole:  # type: ignore[union-attr]
                left -= len(chunk)
                if left < 0:
                    raise httpx2.ReadError("too much came", request=response.request)
                yield chunk

        def close(self) -> None:
            whole.close()  # type: ignore[union-attr]

    response.stream = Bounded()


def _asked(response: httpx2.Response) -> bool:
    """Tell whether a response is a reply, or something asked beside the run."""
    return str(response.request.url.path).endswith("/v1/messages")


def counted(chunks: Iterator[bytes], came: bytearray) -> Iterator[bytes]:
    """Yield what comes of a reply and keep it.

    Raises
    ------
    Trouble
        If more comes than any reply has.
    """
    for chunk in chunks:
        if len(came) + len(chunk) > REPLY_BYTES:
            raise stream.broken(f"more than {REPLY_BYTES:,} bytes came for one reply", again=False)
        came += chunk
        yield chunk
