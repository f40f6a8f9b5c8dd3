"""The host's end of the pipes to the warm process, with deadlines."""

import os
import select
import time
from collections.abc import Mapping

from decklab.sandbox.guest.wire import FrameBuffer, frame

__all__ = ["Channel"]

_CHUNK = 1 << 20
_PIECE = 1 << 16


class Channel:
    """Frames out on the descriptor ``to``, frames in on ``come``, none larger than ``caps``."""

    def __init__(self, to: int, come: int, caps: Mapping[bytes, int]) -> None:
        self._to = to
        self._come = come
        self._frames = FrameBuffer(dict(caps))
        os.set_blocking(to, False)
        os.set_blocking(come, False)

    def send(self, kind: bytes, payload: bytes, seconds: float) -> None:
        """Write one frame; TimeoutError or BrokenPipeError where the other side does not read."""
        rest = memoryview(frame(kind, payload))
        deadline = time.monotonic() + seconds
        while rest:
            _await(self._to, select.POLLOUT, deadline)
            rest = rest[os.write(self._to, rest[:_PIECE]) :]

    def receive(self, seconds: float) -> tuple[bytes, bytes]:
        """The next frame; TimeoutError after ``seconds``, EOFError where the other side ended."""
        deadline = time.monotonic() + seconds
        while (found := self._frames.next()) is None:
            _await(self._come, select.POLLIN, deadline)
            data = os.read(self._come, _CHUNK)
            if not data:
                raise EOFError("the warm process has ended")
            self._frames.feed(data)
        return found


def _await(fd: int, event: int, deadline: float) -> None:
    poll = select.poll()
    poll.register(fd, event)
    if not poll.poll(1000 * max(0.0, deadline - time.monotonic())):
        raise TimeoutError("the warm process does not answer")
