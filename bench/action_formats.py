"""Action formats on the real desktop: does each documented form do what the action itself does?

``python -m bench.action_formats`` opens a deck in Impress for each format, does all actions of
``ACTIONS`` in its documented forms, and compares the screen after each with that after the same
action of decklab's own. An action that a format lacks is done in decklab's own form, so that all
screens go on alike. Prints a table in Markdown; 1 where a form is refused or does something else.
``tests/evals/desktop/test_formats.py`` reads the same forms without a desktop.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image

from decklab.deck.deck import write_samples
from decklab.evals.desktop.environment import ActionRefused, PictureScale, picture_scale
from decklab.evals.desktop.formats import FORMATS, action_format, format_scale, read_reply
from decklab.evals.desktop.impress import SIZE, Impress
from decklab.evals.desktop.session import alike, read_call

Point = tuple[int, int]
TITLE, LOWER, EMPTY = (704, 400), (768, 480), (576, 720)
"""Points that are whole thousandths of a screen of 1280 x 800, too."""
ABOVE_STATUS: Final = (0, 0, SIZE[0], SIZE[1] - 20)
"""The screen without the status bar, where the knob of the zoom may stand a pixel aside."""
OPENAI_BUTTON: Final = '{{"type": "click", "button": "{}", "x": {{x}}, "y": {{y}}}}'


def _qwen(arguments: str) -> dict[str, str]:
    call = '<tool_call>\n{"name": "computer_use", "arguments": {' + arguments + "}}\n</tool_call>"
    return dict.fromkeys(("qwen2.5-vl", "qwen3-vl"), call)


def _tars(action: str) -> dict[str, str]:
    box = action.replace("@", "<|box_start|>({x},{y})<|box_end|>")
    point = action.replace("_box", "_point" if "end_box" in action else "point")
    point = point.replace("startpoint", "point").replace("@", "<point>{x} {y}</point>")
    return {
        "ui-tars": f"Thought: It is there.\nAction: {box}",
        "ui-tars-1.5": f"Thought: It is there.\nAction: {point}",
    }


def _python(code: str, opencua: str = "") -> dict[str, str]:
    steps = f"# Step 1\n## Action:\nDo it.\n## Code:\n```python\n{opencua or code}\n```"
    return {"pyautogui": f"```python\nimport pyautogui\n{code}\n```", "opencua": steps}


def _thirteen(name: str, parameters: str = "") -> dict[str, str]:
    return {"computer_13": f'{{"action_type": "{name}", "parameters": {{{parameters}}}}}'}


def _gemini(name: str, arguments: str = "") -> dict[str, str]:
    return {"gemini": f'{{"name": "{name}", "args": {{{arguments}}}}}'}


AT, XY = '"coordinate": [{x}, {y}]', '"x": {x}, "y": {y}'


@dataclass(frozen=True)
class FormatAction:
    """An action, decklab's calls for it, and its form by format, with ``{x}`` and ``{y}`` for its
    point and ``{u}`` and ``{v}`` for a second one."""

    name: str
    calls: Sequence[Mapping[str, Any]]
    forms: Mapping[str, str]
    point: Point = TITLE
    other: Point = LOWER
    inexact: bool = False
    """Whether it only has to change the screen: a key that is held repeats as time goes."""


def _pointed(name: str, call: str, point: Point, forms: Mapping[str, str]) -> FormatAction:
    own = f'{{"action": "{call}", "coordinate": [{{x}}, {{y}}]}}'
    calls = [{"action": call, "coordinate": list(point)}]
    return FormatAction(name, calls, {"anthropic": own, **forms}, point)


ACTIONS: Final = (
    _pointed("move", "mouse_move", (640, 640), {
        "openai": f'{{"type": "move", {XY}}}', **_gemini("hover_at", XY),
        **_qwen(f'"action": "mouse_move", {AT}'), **_python("pyautogui.moveTo({x}, {y})"),
        **_thirteen("MOVE_TO", XY),
    }),
    _pointed("click", "left_click", TITLE, {
        "openai": OPENAI_BUTTON.format("left"), **_gemini("click_at", XY),
        **_qwen(f'"action": "left_click", {AT}'), **_tars("click(start_box='@')"),
        **_python("pyautogui.click({x}, {y})", "pyautogui.click(x={x}, y={y})"),
        **_thirteen("CLICK", f'"button": "left", {XY}, "num_clicks": 1'),
    }),
    _pointed("right click", "right_click", TITLE, {
        "openai": OPENAI_BUTTON.format("right"), **_qwen(f'"action": "right_click", {AT}'),
        **_tars("right_single(start_box='@')"), **_python("pyautogui.rightClick({x}, {y})"),
        **_thirteen("RIGHT_CLICK", XY),
    }),
    FormatAction("one key", [{"action": "key", "text": "Escape"}], {
        "anthropic": '{"action": "key", "text": "Escape"}',
        "openai": '{"type": "keypress", "keys": ["ESC"]}',
        **_gemini("key_combination", '"keys": "escape"'),
        **_qwen('"action": "key", "keys": ["escape"]'), **_tars("hotkey(key='esc')"),
        **_python("pyautogui.press('esc')"), **_thirteen("PRESS", '"key": "esc"'),
    }),
    _pointed("middle click", "middle_click", EMPTY, {
        "openai": OPENAI_BUTTON.format("wheel"), **_qwen(f'"action": "middle_click", {AT}'),
        **_python("pyautogui.middleClick({x}, {y})"),
        **_thirteen("CLICK", f'"button": "middle", {XY}'),
    }),
    _pointed("double click", "double_click", TITLE, {
        "openai": f'{{"type": "double_click", {XY}}}', **_qwen(f'"action": "double_click", {AT}'),
        **_tars("left_double(start_box='@')"), **_python("pyautogui.doubleClick({x}, {y})"),
        **_thirteen("DOUBLE_CLICK", XY),
    }),
    _pointed("triple click", "triple_click", TITLE, {
        **_qwen(f'"action": "triple_click", {AT}'),
        **_python("pyautogui.tripleClick({x}, {y})", "computer.triple_click(x={x}, y={y})"),
        **_thirteen("CLICK", f'"button": "left", {XY}, "num_clicks": 3'),
    }),
    FormatAction("keys together", [{"action": "key", "text": "ctrl+a"}], {
        "anthropic": '{"action": "key", "text": "ctrl+a"}',
        "openai": '{"type": "keypress", "keys": ["CTRL", "A"]}',
        **_gemini("key_combination", '"keys": "Control+A"'),
        **_qwen('"action": "key", "keys": ["ctrl", "a"]'), **_tars("hotkey(key='ctrl a')"),
        **_python("pyautogui.hotkey('ctrl', 'a')", "pyautogui.hotkey(['ctrl', 'a'])"),
        **_thirteen("HOTKEY", '"keys": ["ctrl", "a"]'),
    }),
    FormatAction("text", [{"action": "type", "text": "Größe, it's 50 %"}], {
        "anthropic": '{"action": "type", "text": "Größe, it\'s 50 %"}',
        "openai": '{"type": "type", "text": "Größe, it\'s 50 %"}',
        **_qwen('"action": "type", "text": "Größe, it\'s 50 %"'),
        **_tars("type(content='Größe, it\\'s 50 %')"),
        **_python("pyautogui.write(\"Größe, it's 50 %\")",
                  "pyautogui.write(message=\"Größe, it's 50 %\")"),
        **_thirteen("TYPING", '"text": "Größe, it\'s 50 %"'),
    }),
    FormatAction("click and type", [
        {"action": "left_click", "coordinate": list(TITLE)}, {"action": "type", "text": "!"},
    ], {
        **_gemini("type_text_at", f'{XY}, "text": "!", "press_enter": false, '
                  '"clear_before_typing": false'),
    }),
    FormatAction("leave the text", [{"action": "key", "text": "Escape"}], {}),
    FormatAction("drag", [
        {"action": "left_click_drag", "start_coordinate": list(TITLE), "coordinate": list(LOWER)},
    ], {
        "anthropic": '{"action": "left_click_drag", "start_coordinate": [{x}, {y}], '
                     '"coordinate": [{u}, {v}]}',
        "openai": '{"type": "drag", "path": [{"x": {x}, "y": {y}}, {"x": {u}, "y": {v}}]}',
        **_gemini("drag_and_drop", f'{XY}, "destination_x": {{u}}, "destination_y": {{v}}'),
        **_qwen('"action": "mouse_move", "coordinate": [{x}, {y}]}}\n</tool_call>\n<tool_call>\n'
                '{"name": "computer_use", "arguments": {"action": "left_click_drag", '
                '"coordinate": [{u}, {v}]'),
        "ui-tars": "Action: drag(start_box='({x},{y})', end_box='({u},{v})')",
        "ui-tars-1.5": "Action: drag(start_point='<point>{x} {y}</point>', "
                       "end_point='<point>{u} {v}</point>')",
        **_python("pyautogui.moveTo({x}, {y})\npyautogui.dragTo({u}, {v}, duration=1, "
                  "button='left')"),
        "computer_13": '[{"action_type": "MOVE_TO", "parameters": {"x": {x}, "y": {y}}}, '
                       '{"action_type": "DRAG_TO", "parameters": {"x": {u}, "y": {v}}}]',
    }),
    FormatAction("press and let go", [
        {"action": "left_mouse_down", "coordinate": list(LOWER)},
        {"action": "mouse_move", "coordinate": list(TITLE)},
        {"action": "left_mouse_up", "coordinate": list(TITLE)},
    ], {
        "anthropic": '[{"action": "mouse_move", "coordinate": [{u}, {v}]}, '
                     '{"action": "left_mouse_down"}, {"action": "mouse_move", "coordinate": '
                     '[{x}, {y}]}, {"action": "left_mouse_up"}]',
        **_python("pyautogui.mouseDown({u}, {v})\npyautogui.moveTo({x}, {y})\n"
                  "pyautogui.mouseUp()"),
        "computer_13": '[{"action_type": "MOVE_TO", "parameters": {"x": {u}, "y": {v}}}, '
                       '{"action_type": "MOUSE_DOWN"}, {"action_type": "MOVE_TO", "parameters": '
                       '{"x": {x}, "y": {y}}}, {"action_type": "MOUSE_UP"}]',
    }),
    FormatAction("keys held at a click", [
        {"action": "left_click", "coordinate": [576, 560], "text": "shift"},
    ], {
        "anthropic": '{"action": "left_click", "coordinate": [{x}, {y}], "text": "shift"}',
        "openai": '{"type": "click", "button": "left", "x": {x}, "y": {y}, "keys": ["SHIFT"]}',
        **_python("with pyautogui.hold('shift'):\n    pyautogui.click({x}, {y})",
                  "pyautogui.keyDown('shift')\npyautogui.click({x}, {y})\n"
                  "pyautogui.keyUp('shift')"),
        "computer_13": '[{"action_type": "KEY_DOWN", "parameters": {"key": "shift"}}, '
                       '{"action_type": "CLICK", "parameters": {"x": {x}, "y": {y}}}, '
                       '{"action_type": "KEY_UP", "parameters": {"key": "shift"}}]',
    }, (576, 560)),
    FormatAction("scroll down", [
        {"action": "scroll", "coordinate": list(EMPTY), "scroll_direction": "down",
         "scroll_amount": 5},
    ], {
        "anthropic": '{"action": "scroll", "coordinate": [{x}, {y}], "scroll_direction": "down", '
                     '"scroll_amount": 5}',
        "openai": f'{{"type": "scroll", {XY}, "scroll_x": 0, "scroll_y": 600}}',
        **_gemini("scroll_at", f'{XY}, "direction": "down", "magnitude": 500'),
        **_qwen(f'"action": "scroll", {AT}, "pixels": -600'),
        **_tars("scroll(start_box='@', direction='down')"),
        **_python("pyautogui.scroll(-5, {x}, {y})"),
        "computer_13": '[{"action_type": "MOVE_TO", "parameters": {"x": {x}, "y": {y}}}, '
                       '{"action_type": "SCROLL", "parameters": {"dx": 0, "dy": -5}}]',
    }, EMPTY),
    FormatAction("scroll across", [
        {"action": "scroll", "coordinate": list(EMPTY), "scroll_direction": "right",
         "scroll_amount": 5},
    ], {
        "anthropic": '{"action": "scroll", "coordinate": [{x}, {y}], "scroll_direction": "right", '
                     '"scroll_amount": 5}',
        "openai": f'{{"type": "scroll", {XY}, "scroll_x": 600, "scroll_y": 0}}',
        **_gemini("scroll_at", f'{XY}, "direction": "right", "magnitude": 500'),
        **_qwen(f'"action": "hscroll", {AT}, "pixels": 600'),
        **_tars("scroll(start_box='@', direction='right')"),
        **_python("pyautogui.hscroll(5, {x}, {y})"),
        "computer_13": '{"action_type": "SCROLL", "parameters": {"dx": 5, "dy": 0}}',
    }, EMPTY),
    _pointed("back", "back_click", EMPTY, {
        "openai": OPENAI_BUTTON.format("back"), **_gemini("go_back"),
        "anthropic": '{"action": "back_click", "coordinate": [{x}, {y}]}',
    }),
    _pointed("forward", "forward_click", EMPTY, {
        "openai": OPENAI_BUTTON.format("forward"), **_gemini("go_forward"),
        "anthropic": '{"action": "forward_click", "coordinate": [{x}, {y}]}',
    }),
    FormatAction("wait", [{"action": "wait", "duration": 1}], {
        "anthropic": '{"action": "wait", "duration": 1}', "openai": '{"type": "wait"}',
        **_gemini("wait_5_seconds"), **_qwen('"action": "wait", "time": 1'), **_tars("wait()"),
        **_python("time.sleep(1)", "computer.wait()"), **_thirteen("WAIT"),
    }),
    FormatAction("look", [{"action": "screenshot"}], {
        "anthropic": '{"action": "screenshot"}', "openai": '{"type": "screenshot"}',
    }),
    FormatAction("look closely", [{"action": "zoom", "region": [0, 0, 640, 400]}], {
        "anthropic": '{"action": "zoom", "region": [0, 0, 640, 400]}',
    }),
    FormatAction("hold a key", [{"action": "hold_key", "text": "Left", "duration": 1}], {
        "anthropic": '{"action": "hold_key", "text": "Left", "duration": 1}',
        **_python("pyautogui.keyDown('left')\ntime.sleep(1)\npyautogui.keyUp('left')"),
        "computer_13": '[{"action_type": "KEY_DOWN", "parameters": {"key": "left"}}, '
                       '{"action_type": "WAIT"}, '
                       '{"action_type": "KEY_UP", "parameters": {"key": "left"}}]',
    }, inexact=True),
)  # fmt: skip
ENDS: Final[Mapping[str, tuple[str, str]]] = {
    **{name: (done, failed) for done, failed in [(
        _qwen('"action": "terminate", "status": "success"')["qwen3-vl"],
        _qwen('"action": "terminate", "status": "failure"')["qwen3-vl"],
    )] for name in ("qwen2.5-vl", "qwen3-vl")},
    **dict.fromkeys(("ui-tars", "ui-tars-1.5"), ("Action: finished(content='It is done.')",
                                                 "Action: call_user()")),
    "pyautogui": ("```DONE```", "```FAIL```"),
    "computer_13": ('{"action_type": "DONE"}', '{"action_type": "FAIL"}'),
    "opencua": ("## Code:\n```python\ncomputer.terminate(status='success')\n```",
                "## Code:\n```python\ncomputer.terminate(status='failure')\n```"),
}  # fmt: skip
"""How a format says that the work is done, and that it cannot be done. The others have a tool of
decklab's, ``finish``."""


def written(action: FormatAction, name: str) -> str | None:
    """The form of an action in a format, its points in the units of the format."""
    if (form := action.forms.get(name)) is None:
        return None
    ends = zip("xyuv", (*action.point, *action.other), strict=True)
    for number, (letter, value) in enumerate(ends):
        units = round(1000 * value / SIZE[number % 2]) if action_format(name).thousandths else value
        form = form.replace(f"{{{letter}}}", str(units))
    return form


def own_scale(name: str) -> PictureScale:
    """The screen as a model of a format has it."""
    return format_scale(name, picture_scale(SIZE))


def played(screen: Impress, name: str) -> dict[str, tuple[Image.Image, str]]:
    """The screen after each action, and why its form was refused; all are decklab's own where the
    name is of no format."""
    plain, seen, pointer = picture_scale(SIZE), dict[str, tuple[Image.Image, str]](), None
    for action in ACTIONS:
        form, refused = written(action, name) if name in FORMATS else None, ""
        calls, scale = tuple(action.calls), plain
        try:
            if form is not None:
                calls, scale = (
                    read_reply(name, form, own_scale(name), pointer).calls,
                    own_scale(name),
                )
            for call in calls:
                read = read_call(call, scale, pointer)
                pointer = read.pointer
                for step in read.actions:
                    screen.act(step)
        except ActionRefused as error:
            refused = str(error)
        seen[action.name] = screen.screenshot(), refused
    return seen


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="bench.action_formats")
    parser.add_argument("--format", action="append", choices=list(FORMATS))
    parser.add_argument("--pictures", type=Path, help="a folder for all screens")
    chosen = parser.parse_args(arguments)
    screens: dict[str, dict[str, tuple[Image.Image, str]]] = {}
    names = chosen.format or list(FORMATS)
    with tempfile.TemporaryDirectory(prefix="bench-formats-") as folder:
        deck = next(path for path in write_samples(Path(folder)) if path.stem == "plain")
        for name in ("own", *names):
            with Impress(deck, Path(folder) / "left.pptx") as screen:
                screens[name] = played(screen, name)
            for word, (picture, _) in screens[name].items() if chosen.pictures else ():
                chosen.pictures.mkdir(parents=True, exist_ok=True)
                picture.save(chosen.pictures / f"{name}-{word.replace(' ', '-')}.png")
    print(f"| action | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    wrong = []
    for number, action in enumerate(ACTIONS):
        cells = []
        for name in names:
            cells.append(_verdict(action, number, screens["own"], screens[name], name))
            if cells[-1] not in ("yes", "–"):
                wrong.append(f"{name}: {action.name}: {cells[-1]}: {written(action, name)}")
        print(f"| {action.name} | {' | '.join(cells)} |", flush=True)
    for name in names:
        for form, declined in zip(ENDS.get(name, ()), (False, True), strict=False):
            finish = read_reply(name, form, own_scale(name)).finish
            if finish is None or finish.declined is not declined:
                wrong.append(f"{name}: {form} is read as {finish}")
    print(*wrong, sep="\n")
    return int(bool(wrong))


def _verdict(
    action: FormatAction, number: int, own: Mapping[str, tuple[Image.Image, str]],
    seen: Mapping[str, tuple[Image.Image, str]], name: str,
) -> str:  # fmt: skip
    if name not in action.forms:
        return "–"
    picture, refused = seen[action.name]
    if refused:
        return f"refused: {json.dumps(refused)}"
    other = seen[ACTIONS[number - 1].name][0] if action.inexact else own[action.name][0]
    same = alike(other.crop(ABOVE_STATUS), picture.crop(ABOVE_STATUS))
    return "yes" if same is not action.inexact else "other"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
