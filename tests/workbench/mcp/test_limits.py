"""What a client is told of a call that takes too long, dies, or is given up; in one process."""

from collections.abc import Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from decklab.scoring.process_pool import WorkerDied
from decklab.workbench.mcp.answers import Answer
from decklab.workbench.mcp.serving import Call, deck_server


class ScriptedPool:
    """A stand-in for the processes of a server: what a call gives is set beforehand."""

    def __init__(self, outcome: Answer | WorkerDied | None) -> None:
        self.outcome = outcome
        self.given_up = False

    def do(self, call: Call, *, check: Callable[[], object]) -> Answer | WorkerDied:
        while self.outcome is None:
            try:
                check()
            except BaseException:
                self.given_up = True
                raise
        return self.outcome


async def asked(pool: ScriptedPool, seconds: float = 10) -> CallToolResult | None:
    stand_in: Any = pool
    result: Any = None
    async with Client(deck_server(stand_in)) as client:
        with anyio.move_on_after(seconds):
            result = await client.call_tool("outline", {"deck": "talk.pptx"})
    return result


@pytest.mark.parametrize("reason", ["not done after 3 s", "the process died with exit code -9"])
def test_a_call_that_ends_badly_is_told_and_what_to_do(reason: str) -> None:
    result = anyio.run(asked, ScriptedPool(WorkerDied(reason)))
    assert result is not None and result.is_error
    text = result.content[0]
    assert text.type == "text" and text.text.startswith(f"outline: {reason}; nothing was written")
    assert "--seconds" in text.text


def test_a_call_that_the_client_gives_up_is_ended() -> None:
    pool = ScriptedPool(None)
    assert anyio.run(asked, pool, 0.3) is None
    assert pool.given_up


def test_pictures_come_behind_the_text() -> None:
    result = anyio.run(asked, ScriptedPool(Answer("Told.", "Words", (b"\x89PNG",))))
    assert result is not None and [one.type for one in result.content] == ["text", "image"]
