"""Actions of a step, in words and as marks on the screen before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from decklab.evals.desktop.scaling import Pixel
from decklab.evals.desktop.session import call_words
from decklab.evals.desktop.trajectory import AgentStep, Trajectory

MarkKind = Literal["pointer", "click", "drag", "scroll"]
_COUNTS = {"double_click": 2, "triple_click": 3}
_WAYS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


@dataclass(frozen=True)
class ScreenMark:
    """A mark at points of the screen, in pixels: where the pointer is, and what it does there.

    ``count`` is the number of clicks; ``way`` the direction of a wheel, as x and y of -1, 0 or 1.
    """

    kind: MarkKind
    points: tuple[Pixel, ...]
    count: int = 1
    way: Pixel = (0, 0)


@dataclass(frozen=True)
class StepFrame:
    """A step as it is shown: the screen that the agent saw, with what it did then. The last frame
    of a trajectory has no step."""

    screen: str
    marks: tuple[ScreenMark, ...]
    words: str
    step: AgentStep | None = None


def frames_of(trajectory: Trajectory) -> list[StepFrame]:
    """One frame a step, and one of the screen at the end."""
    frames: list[StepFrame] = []
    pointer: Pixel | None = None
    for step in trajectory.steps:
        frames.append(StepFrame(step.before, _marks(step, pointer), step_words(step), step))
        pointer = step.pointer or pointer
    return [*frames, StepFrame(trajectory.last, _pointer(pointer), "The end")]


def step_words(step: AgentStep) -> str:
    """Actions of a step, such as ``Click 640, 400`` or ``Press ctrl+s``; the request if nothing was
    done."""
    if not step.actions:
        return call_words(step.call)
    told = [_words(action) for action in step.actions]
    same = len(told) > 1 and len(set(told)) == 1
    if step.call.get("action") == "zoom":
        return f"Look closely at {_place(step.call.get('region'))}"
    return f"{told[0]}, {len(told)} times" if same else ", then ".join(told)


def _marks(step: AgentStep, pointer: Pixel | None) -> tuple[ScreenMark, ...]:
    found = [mark for action in step.actions for mark in _mark(action)]
    return tuple(found) or _pointer(pointer)


def _pointer(pointer: Pixel | None) -> tuple[ScreenMark, ...]:
    return () if pointer is None else (ScreenMark("pointer", (pointer,)),)


def _mark(action: Mapping[str, Any]) -> Sequence[ScreenMark]:
    name = str(action.get("action"))
    if name == "left_click_drag":
        return [ScreenMark("drag", tuple((int(x), int(y)) for x, y in action["path"]))]
    if "coordinate" not in action:
        return []
    x, y = action["coordinate"]
    points = ((int(x), int(y)),)
    if name == "scroll":
        return [ScreenMark("scroll", points, way=_WAYS[action["scroll_direction"]])]
    if name == "mouse_move":
        return [ScreenMark("pointer", points)]
    return [ScreenMark("click", points, int(action.get("repeat", _COUNTS.get(name, 1))))]


def _words(call: Mapping[str, Any]) -> str:
    """An action that was done, as ``call_of`` gives it, in words."""
    name, text = call["action"], str(call.get("text", ""))
    where = _place(call.get("coordinate"))
    held = f" with {text}" if text else ""
    clicks = {
        "left_click": "Click", "double_click": "Double-click", "triple_click": "Triple-click",
        "right_click": "Right-click", "middle_click": "Middle-click",
    }  # fmt: skip
    if name in clicks:
        return f"{clicks[name]} {where}{held}".strip()
    match name:
        case "type":
            shown = " ⏎ ".join(text.split("\n"))
            return f"Type “{shown if len(shown) <= 120 else shown[:119] + '…'}”"
        case "key":
            return f"Press {text}"
        case "mouse_move":
            return f"Point at {where}"
        case "left_click_drag":
            return f"Drag from {_place(call['path'][0])} to {_place(call['path'][-1])}"
        case "scroll":
            return f"Scroll {call['scroll_direction']} {call['scroll_amount']}"
        case "wait":
            return f"Wait {call['duration']:g} s"
    return "Look"


def _place(told: Any) -> str:
    return ", ".join(map(str, told)) if isinstance(told, list | tuple) else ""


def arrow_ends(mark: ScreenMark, length: int) -> tuple[Pixel, Pixel]:
    """Where the arrow of a drag's last part or of a wheel begins and ends."""
    if mark.kind == "drag":
        return list(pairwise(mark.points))[-1]
    (x, y), (across, down) = mark.points[0], mark.way
    return (x, y), (x + across * length, y + down * length)
