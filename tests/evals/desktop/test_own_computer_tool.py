"""A provider with a ``computer`` tool of its own: OpenAI's, as its responses API carries it.

A server of the test speaks as much of that API as is needed, in the words of OpenAI's own client.
"""

import base64
import io
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from inspect_ai.model import get_model
from PIL import Image, ImageChops
from tests.evals.desktop.fake_screen import FakeScreen

from decklab.evals.desktop.environment import Click, Keys, Scroll, Type
from decklab.evals.desktop.model_agent import ModelAgent, run_agent
from decklab.models.inspect import chatting

MODEL = "gpt-5.4"
"""A model of which Inspect AI knows that it has the tool."""
ACTIONS = (
    [{"type": "screenshot"}],
    [
        {"type": "click", "button": "left", "x": 300, "y": 180},
        {"type": "type", "text": "New title"},
        {"type": "scroll", "x": 5, "y": 6, "scroll_x": 0, "scroll_y": 240},
    ],
    [{"type": "keypress", "keys": ["CTRL", "S"]}],
)


def reply(number):
    """One response: calls in their order, and words at the end."""
    words = {"type": "output_text", "text": "It is renamed.", "annotations": []}
    item: dict[str, Any] = {
        "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [words],
    }  # fmt: skip
    if number < len(ACTIONS):
        item = {
            "type": "computer_call", "id": f"cu_{number}", "call_id": f"call_{number}",
            "actions": ACTIONS[number], "pending_safety_checks": [], "status": "completed",
        }  # fmt: skip
    usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10,
             "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
             "output_tokens_details": {"reasoning_tokens": 0}}  # fmt: skip
    return {"id": f"resp_{number}", "object": "response", "created_at": 0, "model": MODEL,
            "status": "completed", "output": [item], "parallel_tool_calls": True,
            "tool_choice": "auto", "tools": [], "usage": usage, "error": None,
            "incomplete_details": None, "instructions": None, "metadata": {}}  # fmt: skip


@contextmanager
def responding():
    requests = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            number = len(ACTIONS)
            if not isinstance(body["input"], str):  # Inspect AI tries beforehand what is taken
                requests.append(body)
                number = len(requests) - 1
            data = json.dumps(reply(number)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", requests
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def screen(tmp_path):
    return FakeScreen(tmp_path / "deck.pptx")


def test_the_providers_tool_is_offered_and_its_calls_are_done(screen):
    first = screen.screenshot()
    with responding() as (url, requests):
        model = get_model(f"openai/{MODEL}", base_url=url, api_key="none", memoize=False)
        with chatting(model) as (chat, _):
            run = run_agent(ModelAgent(chat), screen, "Rename the title.")
    assert (run.end.ended, run.end.message) == ("finished", "It is renamed.")
    assert run.end.steps == 5
    assert screen.done[1:] == [
        Click(300, 180), Type("New title"), Scroll(5, 6, 2), Keys("CTRL+S"),
    ]  # fmt: skip
    assert screen.saved == "New title"
    # The provider's own tool was offered in place of the function, and ours to finish beside it.
    kinds = [(tool["type"], tool.get("name")) for tool in requests[0]["tools"]]
    assert kinds == [("computer", None), ("function", "finish")]
    # Each call was answered with the screen, pixel by pixel; none was left out.
    answers = [one for one in requests[3]["input"] if one.get("type") == "computer_call_output"]
    assert [one["call_id"] for one in answers] == ["call_0", "call_1", "call_2"]
    shown = [one["output"]["image_url"].partition(",")[2] for one in answers]
    pictures = [Image.open(io.BytesIO(base64.b64decode(one))) for one in shown]
    assert ImageChops.difference(pictures[0], first).getbbox() is None
    assert ImageChops.difference(pictures[2], screen.screenshot()).getbbox() is None
