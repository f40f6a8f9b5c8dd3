"""A model that a server of the tests plays changes a title in Impress itself, and saves it."""

import base64
import io
import json
import shutil

import pytest
from PIL import Image
from pptx import Presentation
from tests.evals.desktop.fake_screen import title_of
from tests.openai_server import Answer, images_of, serving

from decklab.evals.desktop.impress import Impress
from decklab.evals.desktop.model_agent import ModelAgent, run_agent
from decklab.evals.desktop.trajectory import Trajectory
from decklab.models.inspect import chatting

pytestmark = [
    pytest.mark.office,
    pytest.mark.usefixtures("caged"),
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("openbox")),
        reason="Xvfb or openbox is not installed",
    ),
]


def call(action, **arguments):
    return Answer(json.dumps({"action": action, **arguments}), tool="computer")


# The title is in the upper half of the slide, in the middle: at (575, 350) of 1280 x 800, and the
# picture that the model sees is half as large.
SCRIPT = [
    call("double_click", coordinate=[288, 175]),
    call("key", text="CTRL+A"),
    call("type", text="Neuer Titel – 中文"),
    call("key", text="ESC"),
    call("key", text="ctrl+s"),
    Answer('{"outcome": "done", "message": "The title is changed."}', tool="finish"),
]


@pytest.mark.long
def test_a_title_is_changed_and_saved(tmp_path):
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[0])
    slide.shapes.title.text = "Old title"
    presentation.save(tmp_path / "in.pptx")
    with (
        serving(SCRIPT) as server,
        chatting(server.model()) as (chat, _),
        Impress(tmp_path / "in.pptx", tmp_path / "out.pptx") as screen,
    ):
        agent = ModelAgent(chat, longest=640)
        run = run_agent(agent, screen, "Change the title.", trajectory=tmp_path / "run")
    assert (run.end.ended, run.end.steps) == ("finished", 5), run.end.detail
    assert title_of(run.deck) == "Neuer Titel – 中文"
    assert title_of(tmp_path / "in.pptx") == "Old title"
    # What the server got last is what the trajectory holds, at half the size.
    url = images_of(server.requests[-1])[-1]
    arrived = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    told = Trajectory.read(tmp_path / "run")
    screen_then = told.picture(told.last).resize((640, 400), Image.Resampling.LANCZOS)
    assert arrived.convert("RGB").tobytes() == screen_then.tobytes()
    # Each action changed the screen.
    assert len({step.after for step in told.steps}) >= 4
