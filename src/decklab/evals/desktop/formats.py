"""Action formats of models that use a screen, read as calls of the ``computer`` tool.

Each format is what its makers document: the computer tools of Anthropic, OpenAI and Gemini, the
function of Qwen-VL, the words of UI-TARS, and pyautogui as in OSWorld and OpenCUA. Python in a
reply is parsed and never run: only calls of known functions with literal arguments are taken.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from decklab.core.errors import UnknownName
from decklab.evals.desktop.environment import ActionRefused, PictureScale, Pixel
from decklab.evals.desktop.session import Finish

Call = dict[str, Any]
Step = Call | Finish
Given = Mapping[str, Any]
Reader = Callable[[Given], Step | Sequence[Step]]
_PIXELS_A_NOTCH: Final = 120
"""The distance that Chromium scrolls for a notch, as Inspect AI has it."""
_MOST_LOOPS: Final = 100


@dataclass(frozen=True)
class FormatReply:
    """The wishes of a reply: calls in turn, and whether it ends the work."""

    calls: tuple[Call, ...]
    thought: str = ""
    finish: Finish | None = None


@dataclass(frozen=True)
class ActionFormat:
    """A format: ``read`` takes a reply and the screen as the model has it.

    ``thousandths`` says that points are in thousandths of the picture's sides.
    """

    read: Callable[[Any, "_Screen"], Iterable[Step]]
    source: str
    thousandths: bool = False


@dataclass
class _Screen:
    """The size of the picture, and where the pointer is on it, in the model's units."""

    size: Pixel
    pointer: Pixel | None = None
    thought: str = field(default="", init=False)


def read_reply(
    name: str, reply: Any, scale: PictureScale, pointer: Pixel | None = None
) -> FormatReply:
    """Read a reply in the format ``name``; points are as ``format_scale`` has them.

    ``reply`` is text, or the action as plain data. Raises UnknownName for no such format, and
    ActionRefused, in a line that tells the model what to do, for what cannot be read.

    >>> scale = format_scale("ui-tars", PictureScale((1280, 800), (1280, 800)))
    >>> read_reply("ui-tars", "Action: left_double(start_box='(500,250)')", scale).calls
    ({'action': 'double_click', 'coordinate': [500.0, 250.0]},)
    """
    screen = _Screen(scale.picture, scale.to_model(*pointer) if pointer else None)
    steps = list(action_format(name).read(reply, screen))
    calls = tuple(step for step in steps if not isinstance(step, Finish))
    finish = next((step for step in steps if isinstance(step, Finish)), None)
    if not steps:
        raise ActionRefused(f"there is no action of the format {name} in the reply")
    return FormatReply(calls, screen.thought, finish)


def action_format(name: str) -> ActionFormat:
    """The format of a name; raises UnknownName."""
    if name not in FORMATS:
        raise UnknownName(f"no action format is called {name!r}; they are {', '.join(FORMATS)}")
    return FORMATS[name]


def format_scale(name: str, scale: PictureScale) -> PictureScale:
    """``scale`` with points as the format gives them."""
    return replace(scale, thousandths=action_format(name).thousandths)


def _read(readers: Mapping[str, Reader], name: Any, given: Any) -> Sequence[Step]:
    """The steps of one action by its name."""
    if name not in readers:
        raise ActionRefused(f"there is no action {str(name)[:40]!r}; they are {', '.join(readers)}")
    steps = readers[name](given if isinstance(given, Mapping) else {})
    return [steps] if isinstance(steps, dict | Finish) else steps


def _needed(given: Given, *names: str) -> Any:
    """The first of some arguments that is given."""
    for name in names:
        if given.get(name) is not None:
            return given[name]
    raise ActionRefused(f"the action needs {names[0]}")


def _at(action: str, given: Given, **more: Any) -> Call:
    """A call at a point, if one is given."""
    point = given.get("coordinate")
    if point is None and given.get("x") is not None:
        point = [given["x"], _needed(given, "y")]
    return {"action": action, **({} if point is None else {"coordinate": point}), **more}


def _same(action: str) -> Reader:
    """The reader of an action that has nothing but a point."""
    return lambda given: _at(action, given)


def _wait(seconds: Any = 1) -> Call:
    return {"action": "wait", "duration": seconds}


def _keys(keys: Any, action: str = "key", **more: Any) -> Call:
    """A call with keys pressed together, given as a text or in a list."""
    text = "+".join(map(str, keys)) if isinstance(keys, list | tuple) else keys
    return {"action": action, "text": text, **more}


def _held(given: Given) -> Call:
    return {"text": _keys(given["keys"])["text"]} if given.get("keys") else {}


def _typed(given: Given, argument: str = "text", **more: Any) -> Call:
    return {"action": "type", "text": _needed(given, argument), **more}


def _scrolled(given: Given, notches: float, ways: tuple[str, str], **more: Any) -> Call:
    """A scroll of some notches: those below 0 go the first way, the others the second."""
    amount = max(1, round(abs(notches)))
    return _at("scroll", given, scroll_direction=ways[notches > 0], scroll_amount=amount, **more)


_UP_DOWN, _DOWN_UP, _ACROSS = ("up", "down"), ("down", "up"), ("left", "right")
_BUTTONS: Final = ("left", "right", "middle", "back", "forward")
_OTHER_BUTTONS: Final = {"wheel": "middle", "primary": "left", "secondary": "right"}
_TIMES: Final = {1: "left_click", 2: "double_click", 3: "triple_click"}


def _button(given: Given) -> str:
    name = str(given.get("button") or "left").lower()
    if (button := _OTHER_BUTTONS.get(name, name)) not in _BUTTONS:
        raise ActionRefused(f"no button is called {name[:40]!r}; they are {', '.join(_BUTTONS)}")
    return button


def _clicked(given: Given, count: Any = 1, **more: Any) -> Call:
    if (button := _button(given)) == "left" and count in _TIMES:
        return _at(_TIMES[count], given, **more)
    return _at(f"{button}_click", given, **({} if count == 1 else {"repeat": count}), **more)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ActionRefused(f"{str(value)[:40]!r} is no number") from None


def _data(reply: Any) -> Iterator[Given]:
    """The objects of a reply of plain data, as text or as it is."""
    if isinstance(reply, str):
        try:
            reply = json.loads(reply)
        except ValueError:
            raise ActionRefused("the reply is no JSON") from None
    for item in reply if isinstance(reply, list) else [reply]:
        if not isinstance(item, Mapping):
            raise ActionRefused("an action is an object")
        yield item


def _anthropic(reply: Any, _screen: _Screen) -> Iterator[Step]:
    """Anthropic's ``computer`` tool, whose names the calls have."""
    for item in _data(reply):
        yield dict(item["input"] if isinstance(item.get("input"), Mapping) else item)


def _openai(reply: Any, _screen: _Screen) -> Iterator[Step]:
    """Actions of OpenAI's computer tool; keys that are held count with each of the mouse."""
    for item in _data(reply):
        given = item["action"] if isinstance(item.get("action"), Mapping) else item
        for action in given.get("actions", [given]):
            yield from _read(_OPENAI, action.get("type"), action)


def _openai_scroll(given: Given) -> Call:
    down, across = (_number(given.get(f"scroll_{side}") or 0) for side in "yx")
    pixels, ways = (across, _ACROSS) if across else (down, _UP_DOWN)
    return _scrolled(given, pixels / _PIXELS_A_NOTCH, ways, **_held(given))


_OPENAI: Final[Mapping[str, Reader]] = {
    "click": lambda given: _clicked(given, **_held(given)),
    "double_click": lambda given: _clicked(given, 2, **_held(given)),
    "move": lambda given: _at("mouse_move", given, **_held(given)),
    "drag": lambda given: {
        "action": "left_click_drag", "path": _needed(given, "path"), **_held(given)
    },
    "scroll": _openai_scroll,
    "keypress": lambda given: _keys(_needed(given, "keys")),
    "type": _typed,
    "wait": lambda given: _wait(),
    "screenshot": _same("screenshot"),
}  # fmt: skip


def _gemini(reply: Any, _screen: _Screen) -> Iterator[Step]:
    """Function calls of Gemini's computer use, points on its grid of a thousand."""
    for item in _data(reply):
        yield from _read(_GEMINI, item.get("name"), item.get("args", item.get("arguments")))


def _gemini_text(given: Given) -> list[Step]:
    cleared = given.get("clear_before_typing", True)
    keys = [_keys("ctrl+a"), _keys("Delete")] if cleared else []
    typed = _typed(given, press_enter=bool(given.get("press_enter", True)))
    return [_at("left_click", given), *keys, typed]


def _gemini_drag(given: Given) -> Call:
    start, end = (
        [_needed(given, f"{prefix}{side}") for side in "xy"] for prefix in ("", "destination_")
    )
    return {"action": "left_click_drag", "start_coordinate": start, "coordinate": end}


def _gemini_scroll(given: Given) -> Call:
    notches = max(1, int(_number(given.get("magnitude", 800)) // 100))
    way = _needed(given, "direction")
    return _at("scroll", given, scroll_direction=way, scroll_amount=notches)


_GEMINI: Final[Mapping[str, Reader]] = {
    "click_at": _same("left_click"),
    "hover_at": _same("mouse_move"),
    "type_text_at": _gemini_text,
    "key_combination": lambda given: _keys(_needed(given, "keys")),
    "scroll_at": _gemini_scroll,
    "scroll_document": lambda given: _gemini_scroll({"magnitude": 300, **given}),
    "drag_and_drop": _gemini_drag,
    "wait_5_seconds": lambda given: _wait(5),
    "go_back": _same("back_click"),
    "go_forward": _same("forward_click"),
    **dict.fromkeys(("navigate", "search", "open_web_browser"), _same("navigate")),
}


def _qwen(reply: Any, screen: _Screen) -> Iterator[Step]:
    """Calls of Qwen-VL's ``computer_use``, in ``tool_call`` tags or as plain data."""
    if isinstance(reply, str) and "<tool_call>" in reply:
        screen.thought = reply.partition("<tool_call>")[0].strip()
        texts = re.findall(r"<tool_call>(.*?)(?:</tool_call>|\Z)", reply, re.DOTALL)
        reply = [call for text in texts for call in _data(text)]
    for item in _data(reply):
        given = item.get("arguments", item)
        yield from _read(_QWEN, given.get("action") if isinstance(given, Mapping) else None, given)


def _qwen_scroll(ways: tuple[str, str]) -> Reader:
    return lambda given: _scrolled(given, _number(_needed(given, "pixels")) / _PIXELS_A_NOTCH, ways)


_POINTED: Final = ("mouse_move", "left_click", "left_click_drag", "right_click", "middle_click",
                   "double_click", "triple_click")  # fmt: skip
_QWEN: Final[Mapping[str, Reader]] = {
    "key": lambda given: _keys(_needed(given, "keys")),
    "type": _typed,
    **{name: _same(name) for name in _POINTED},
    "scroll": _qwen_scroll(_DOWN_UP),
    "hscroll": _qwen_scroll(_ACROSS),
    "wait": lambda given: _wait(given.get("time", 1)),
    "terminate": lambda given: Finish(
        str(given.get("status", "")), given.get("status") != "success"
    ),
    "answer": lambda given: Finish(str(given.get("text", ""))),
}


def _ui_tars(reply: Any, screen: _Screen) -> Iterator[Step]:
    """The actions behind ``Action:`` in a reply of UI-TARS."""
    text = str(reply)
    before, mark, actions = text.rpartition("Action:")
    screen.thought = before.partition("Thought:")[2].strip() if mark else ""
    for part in re.split(r"(?<=\))\s*\n+", (actions if mark else text).strip()):
        for name, positional, given in _python_calls(part.replace("\n", "\\n")):
            if positional:
                raise ActionRefused(f"arguments of {name[:40]} have names")
            yield from _read(_UI_TARS, name, given)


def _box(given: Given, way: str = "start") -> Call:
    """The middle of a box of two or four numbers, in any of the forms of UI-TARS."""
    box = given.get(f"{way}_box", given.get(f"{way}_point", given.get("point")))
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", str(box or ""))]
    if len(numbers) not in (0, 2, 4):
        raise ActionRefused(f"{str(box)[:40]!r} is no point and no box")
    middle = [sum(numbers[side::2]) / (len(numbers) // 2) for side in (0, 1) if numbers]
    return {"coordinate": middle} if middle else {}


_UI_TARS: Final[Mapping[str, Reader]] = {
    "click": lambda given: _at("left_click", _box(given)),
    "left_double": lambda given: _at("double_click", _box(given)),
    "right_single": lambda given: _at("right_click", _box(given)),
    "drag": lambda given: {
        "action": "left_click_drag",
        "start_coordinate": _needed(_box(given), "coordinate"),
        "coordinate": _needed(_box(given, "end"), "coordinate"),
    },
    "hotkey": lambda given: _keys(_needed(given, "key", "hotkey").split()),
    "type": lambda given: _typed(given, "content"),
    "scroll": lambda given: _at(
        "scroll", _box(given), scroll_direction=_needed(given, "direction"), scroll_amount=5
    ),
    "wait": lambda given: _wait(5),
    "finished": lambda given: Finish(str(given.get("content", ""))),
    "call_user": lambda given: Finish(str(given.get("content", "")), declined=True),
}


def _computer_13(reply: Any, _screen: _Screen) -> Iterator[Step]:
    """Actions of OSWorld's ``computer_13``."""
    for item in _data(reply):
        name = str(_needed(item, "action_type")).upper()
        yield from _read(_COMPUTER_13, name, item.get("parameters", item))


def _turned(given: Given) -> list[Step]:
    across, up = (_number(given.get(side) or 0) for side in ("dx", "dy"))
    ways = ((up, _DOWN_UP), (across, _ACROSS))
    return [_scrolled(given, notches, way) for notches, way in ways if notches]


def _pressed(way: str) -> Reader:
    return lambda given: _at(f"{_button(given)}_mouse_{way}", given)


_DONE: Final[Mapping[str, Step]] = {
    "DONE": Finish("DONE"),
    "FAIL": Finish("FAIL", declined=True),
    "WAIT": _wait(),
}
_COMPUTER_13: Final[Mapping[str, Reader]] = {
    "MOVE_TO": _same("mouse_move"),
    "CLICK": lambda given: _clicked(given, given.get("num_clicks", 1)),
    "MOUSE_DOWN": _pressed("down"),
    "MOUSE_UP": _pressed("up"),
    "RIGHT_CLICK": _same("right_click"),
    "DOUBLE_CLICK": _same("double_click"),
    "DRAG_TO": _same("left_click_drag"),
    "SCROLL": _turned,
    "TYPING": _typed,
    "PRESS": lambda given: _keys(_needed(given, "key")),
    "KEY_DOWN": lambda given: _keys(_needed(given, "key"), "key_down"),
    "KEY_UP": lambda given: _keys(_needed(given, "key"), "key_up"),
    "HOTKEY": lambda given: _keys(_needed(given, "keys")),
    "WAIT": lambda given: _DONE["WAIT"],
    "DONE": lambda given: _DONE["DONE"],
    "FAIL": lambda given: _DONE["FAIL"],
}


def _pyautogui(reply: Any, screen: _Screen) -> Iterator[Step]:
    """Code for pyautogui, in a block or bare; or ``WAIT``, ``DONE``, ``FAIL`` of OSWorld."""
    text = str(reply)
    blocks = re.findall(r"```(?:\w+[ \t]*\n|\n)?(.*?)```", text, re.DOTALL)
    screen.thought = text.partition("```")[0].strip() if blocks else ""
    for code in (block.strip() for block in blocks or [text]):
        if code.upper() in _DONE:
            yield _DONE[code.upper()]
            continue
        for name, positional, named in _python_calls(code):
            function = name.rpartition(".")[2]
            given = _arguments(function, positional, named, screen)
            yield from _read(_PYAUTOGUI, function, given)


_POINT: Final = "x y"
_SIGNATURES: Final = {
    "click": f"{_POINT} clicks interval button", "scroll": f"clicks {_POINT}",
    "mouseDown": f"{_POINT} button", "dragTo": f"{_POINT} duration tween button",
    "doubleClick": f"{_POINT} interval button", "press": "keys presses", "sleep": "seconds",
    "terminate": "status answer", "write": "message interval", "keyDown": "keys", "hotkey": "*",
    "moveTo": f"{_POINT} duration",
}  # fmt: skip
"""Arguments by their places; of functions in ``_ALIKE`` they are those of another."""
_ALIKE: Final = {
    "leftClick": "click", "rightClick": "moveTo", "middleClick": "moveTo", "move": "moveTo",
    "moveRel": "moveTo", "tripleClick": "doubleClick", "triple_click": "doubleClick",
    "drag": "dragTo", "dragRel": "dragTo", "mouseUp": "mouseDown", "vscroll": "scroll",
    "hscroll": "scroll", "typewrite": "write", "keyUp": "keyDown", "hold": "keyDown",
    "release": "keyDown", "wait": "sleep",
}  # fmt: skip


def _arguments(
    function: str, positional: Sequence[Any], named: Given, screen: _Screen
) -> dict[str, Any]:
    """The arguments of a call by name, with the pixel that it is about as ``x`` and ``y``."""
    names = _SIGNATURES.get(_ALIKE.get(function, function), "").split()
    if names == ["*"]:
        return {
            "keys": positional[0] if [list] == [type(key) for key in positional] else positional
        }
    if positional and names[:2] == ["x", "y"] and isinstance(positional[0], list | tuple):
        positional = (*positional[0], *positional[1:])
    given = {**dict(zip(names, positional, strict=False)), **named}
    sides = [given.get(side, given.get(f"{side}Offset")) for side in "xy"]
    if sides != [None, None]:
        screen.pointer = _pixel(function, sides, screen)
        given |= dict(zip("xy", screen.pointer, strict=True))
    return given


def _pixel(function: str, sides: Sequence[Any], screen: _Screen) -> Pixel:
    """The pixel of a call; shares of the sides and ways from the pointer are turned into one."""
    relative = function in ("move", "moveRel", "drag", "dragRel")
    if screen.pointer is None and (relative or None in sides):
        raise ActionRefused(f"{function} needs x and y: the pointer was not moved yet")
    before = screen.pointer or (0, 0)
    if relative:
        x, y = (at + _number(side or 0) for at, side in zip(before, sides, strict=True))
    elif all(isinstance(side, float) and 0 <= side <= 1 for side in sides):
        x, y = (min(share * most, most - 1) for share, most in zip(sides, screen.size, strict=True))
    else:
        x, y = (at if side is None else _number(side)
                for at, side in zip(before, sides, strict=True))  # fmt: skip
    return round(x), round(y)


def _dragged(given: Given) -> list[Step]:
    if (button := _button(given)) == "left":
        return [_at("left_click_drag", given)]
    down, up = ({"action": f"{button}_mouse_{way}"} for way in ("down", "up"))
    return [down, _at("mouse_move", given), up]


def _written(given: Given) -> list[Step]:
    """Text as it is; of a list, each entry is a character or the name of a key."""
    message = _needed(given, "message")
    return [*map(_keys, message)] if isinstance(message, list) else [_typed(given, "message")]


def _in_turn(given: Given) -> Call:
    keys = _needed(given, "keys", "key")
    text = " ".join(map(str, keys)) if isinstance(keys, list | tuple) else keys
    return {"action": "key", "text": text, "repeat": given.get("presses", 1)}


def _turn(ways: tuple[str, str]) -> Reader:
    return lambda given: _scrolled(given, _number(_needed(given, "clicks")), ways)


def _kept(way: str) -> Reader:
    return lambda given: _keys(_needed(given, "keys", "key"), way)


_PYAUTOGUI: Final[Mapping[str, Reader]] = {
    **dict.fromkeys(("click", "leftClick"), lambda given: _clicked(given, given.get("clicks", 1))),
    "rightClick": _same("right_click"),
    "middleClick": _same("middle_click"),
    "doubleClick": lambda given: _clicked(given, 2),
    **dict.fromkeys(("tripleClick", "triple_click"), lambda given: _clicked(given, 3)),
    **dict.fromkeys(("moveTo", "move", "moveRel"), _same("mouse_move")),
    **dict.fromkeys(("dragTo", "drag", "dragRel"), _dragged),
    "mouseDown": _pressed("down"),
    "mouseUp": _pressed("up"),
    **dict.fromkeys(("scroll", "vscroll"), _turn(_DOWN_UP)),
    "hscroll": _turn(_ACROSS),
    **dict.fromkeys(("write", "typewrite"), _written),
    "press": _in_turn,
    "hotkey": lambda given: _keys(_needed(given, "keys")),
    **dict.fromkeys(("keyDown", "hold"), _kept("key_down")),
    **dict.fromkeys(("keyUp", "release"), _kept("key_up")),
    **dict.fromkeys(("sleep", "wait"), lambda given: _wait(given.get("seconds", 1))),
    "terminate": lambda given: Finish(
        str(given.get("answer") or given.get("status", "")), given.get("status") == "failure"
    ),
    "screenshot": _same("screenshot"),
}
"""Functions of pyautogui, of ``time``, and of OpenCUA's ``computer``."""


PythonCall = tuple[str, tuple[Any, ...], dict[str, Any]]


def _python_calls(code: str) -> Iterator[PythonCall]:
    """The calls of some Python with literal arguments, in order; loops over a range are unrolled,
    and imports passed over. Raises ActionRefused for anything else: nothing is run."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ActionRefused(f"{' '.join(code.split())[:60]!r} is no action in Python") from None
    yield from _calls_of(body)


def _calls_of(body: Sequence[ast.stmt]) -> Iterator[PythonCall]:
    for statement in body:
        match statement:
            case ast.Import() | ast.ImportFrom():
                continue
            case ast.Expr(ast.Constant()):
                continue
            case ast.Expr(ast.Call() as call):
                yield _literal_call(call)
            case ast.With(items=[ast.withitem(ast.Call() as call)], body=inner):
                name, positional, named = _literal_call(call)
                yield name, positional, named
                yield from _calls_of(inner)
                yield "release", positional, named
            case ast.For(iter=ast.Call(func=ast.Name("range"), args=[ast.Constant(int() as times)]),
                         body=[*inner]) if times <= _MOST_LOOPS and _flat(inner):  # fmt: skip
                yield from list(_calls_of(inner)) * times
            case _:
                shown = ast.unparse(statement).splitlines()[0][:60]
                raise ActionRefused(f"{shown!r} is not run; only calls with plain values are taken")


def _flat(body: Sequence[ast.stmt]) -> bool:
    return all(isinstance(statement, ast.Expr) for statement in body)


def _literal_call(call: ast.Call) -> PythonCall:
    name = ast.unparse(call.func)
    try:
        positional = tuple(ast.literal_eval(value) for value in call.args)
        named = {word.arg or "": ast.literal_eval(word.value) for word in call.keywords}
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise ActionRefused(f"arguments of {name[:40]} are plain values, no names") from None
    return name, positional, named


FORMATS: Final[Mapping[str, ActionFormat]] = {
    "anthropic": ActionFormat(_anthropic, "Anthropic, computer use tool 20250124 and 20251124"),
    "openai": ActionFormat(_openai, "OpenAI, computer use tool of the responses API"),
    "gemini": ActionFormat(_gemini, "Google, Gemini computer use", thousandths=True),
    "qwen2.5-vl": ActionFormat(_qwen, "Qwen2.5-VL, computer_use function"),
    "qwen3-vl": ActionFormat(_qwen, "Qwen3-VL, computer_use function", thousandths=True),
    "ui-tars": ActionFormat(_ui_tars, "UI-TARS, computer prompt", thousandths=True),
    "ui-tars-1.5": ActionFormat(_ui_tars, "UI-TARS-1.5, computer prompt"),
    "pyautogui": ActionFormat(_pyautogui, "OSWorld, action space pyautogui"),
    "computer_13": ActionFormat(_computer_13, "OSWorld, action space computer_13"),
    "opencua": ActionFormat(_pyautogui, "OpenCUA, code of a step"),
}
"""The formats by name."""
