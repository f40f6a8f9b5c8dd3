"""The page and the animated picture of a trajectory."""

import json
import shutil
from typing import Any

import pytest
from PIL import Image
from tests.evals.desktop.fake_screen import FakeScreen

from decklab.evals.desktop.model_agent import ScriptedAgent, run_agent
from decklab.evals.desktop.trajectory import AgentStep, Trajectory
from decklab.evals.desktop.trajectory_page import (
    ScreenMark,
    frames_of,
    step_words,
    write_animation,
    write_trajectory_page,
)

CALLS: list[dict[str, Any]] = [
    {"action": "double_click", "coordinate": [300, 180], "thought": "<b>Select</b> it"},
    {"action": "type", "text": "New & good"},
    {"action": "scroll", "coordinate": [50, 60], "scroll_direction": "down"},
    {"action": "left_click_drag", "start_coordinate": [10, 10], "coordinate": [60, 90]},
    {"action": "key", "text": "F9"},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trajectory")
    screen = FakeScreen(place / "deck.pptx")
    run_agent(ScriptedAgent(CALLS), screen, "Rename <it>", trajectory=place / "run")
    return place / "run"


def test_frames_show_what_was_seen_and_done(folder):
    frames = frames_of(Trajectory.read(folder))
    assert [frame.words for frame in frames] == [
        "Double-click 300, 180", "Type “New & good”", "Scroll down 3", "Drag from 10, 10 to 60, 90",
        "key F9", "The end",
    ]  # fmt: skip
    assert frames[0].marks == (ScreenMark("click", ((300, 180),), 2),)
    assert frames[1].marks == (ScreenMark("pointer", ((300, 180),)),)  # where the pointer is still
    assert frames[2].marks == (ScreenMark("scroll", ((50, 60),), way=(0, 1)),)
    assert frames[4].marks == (ScreenMark("pointer", ((60, 90),)),)
    assert frames[5].step is None


@pytest.mark.parametrize(
    ("call", "actions", "words"),
    [
        ({"action": "key", "text": "Down", "repeat": 3}, [{"action": "key", "text": "Down"}] * 3,
         "Press Down, 3 times"),
        ({"action": "type"}, [{"action": "left_click", "coordinate": [1, 2]},
                              {"action": "type", "text": "a\nb"}],
         "Click 1, 2, then Type “a ⏎ b”"),
        ({"action": "left_click", "coordinate": [9999, 0]}, [], "left_click [9999, 0]"),
        ({"action": "zoom", "region": [0, 0, 9, 9]}, [{"action": "screenshot"}],
         "Look closely at 0, 0, 9, 9"),
        ({"action": "wait"}, [{"action": "wait", "duration": 2.0}], "Wait 2 s"),
        ({"action": "move"}, [{"action": "mouse_move", "coordinate": [1, 2]}], "Point at 1, 2"),
        ({"action": ["odd"], "coordinate": 3}, [], "['odd'] 3"),
        ({"action": "wait", "duration": "long"}, [], "wait long"),
    ],
)  # fmt: skip
def test_a_step_in_words(call, actions, words):
    assert step_words(AgentStep(1, "", call, actions, "a", "b")) == words


def test_the_page_is_complete_and_safe(folder, tmp_path):
    write_trajectory_page(Trajectory.read(folder), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert page.count("<section") == 6
    assert "&lt;b&gt;Select&lt;/b&gt; it" in page
    assert "Rename &lt;it&gt;" in page
    assert "there is no key F9 on this keyboard" in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.long
@pytest.mark.chromium
def test_the_page_is_walked_with_the_keyboard(folder, tmp_path):
    from playwright.sync_api import sync_playwright

    write_trajectory_page(Trajectory.read(folder), tmp_path / "page.html")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        said: list[str] = []
        page = browser.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.goto(f"{(tmp_path / 'page.html').as_uri()}#step-2")
        seen = []
        for key in ("", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
            if key:
                page.keyboard.press(key)
            shown = page.eval_on_selector_all(
                ".step", "all => all.filter(one => one.offsetParent !== null).map(one => one.id)"
            )
            seen.append(shown)
        assert seen == [[f"step-{n}"] for n in (2, 3, 2, 6, 6, 1, 1)]
        assert said == []
        page.emulate_media(media="print")
        assert page.locator(".step:visible").count() == 6
        browser.close()


def test_the_animated_picture_has_a_frame_a_step(folder, tmp_path):
    told = Trajectory.read(folder)
    for name in ("run.webp", "run.gif"):
        write_animation(told, tmp_path / name, width=320, seconds=0.5)
        with Image.open(tmp_path / name) as picture:
            frames = picture.n_frames  # type: ignore[attr-defined] # of the formats that have some
            assert (frames, picture.size[0]) == (6, 320)
            picture.seek(0)
            picture.load()
            # The ring of the click is red where the screen is not.
            pixel: Any = picture.convert("RGB").getpixel((150, 81))
            red, green, blue = pixel
            assert red > 150 > max(green, blue)
    with pytest.raises(ValueError, match=r"is \.webp or \.gif"):
        write_animation(told, tmp_path / "run.mp4")


def test_a_trajectory_without_steps_is_shown(tmp_path):
    run_agent(ScriptedAgent([]), FakeScreen(tmp_path / "d.pptx"), "", trajectory=tmp_path / "run")
    (tmp_path / "run/end.json").unlink()
    told = Trajectory.read(tmp_path / "run")
    write_trajectory_page(told, tmp_path / "page.html", back="../index.html")
    write_animation(told, tmp_path / "run.webp")
    page = (tmp_path / "page.html").read_text()
    assert "broken off" in page
    assert 'href="./../index.html"' in page
    assert json.loads((tmp_path / "run/run.json").read_text())["screen"] == [640, 400]
