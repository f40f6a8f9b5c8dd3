"""A trajectory shown: actions of each step in words and as marks on the screen before it, as one
animated picture (WebP or GIF), and as a page to step through with the keyboard.

The page needs nothing but itself. The output of a program that ran as an agent is a page of its own
kind.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal

from PIL import Image, ImageDraw, ImageFont

from decklab.core.files import whole_file
from decklab.core.programs import output_of
from decklab.evals.desktop.environment import Pixel
from decklab.evals.desktop.session import call_words
from decklab.evals.desktop.trajectory import AgentStep, RunEnd, Trajectory
from decklab.pages.page import write_page
from decklab.pages.wording import counted, number

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
    words = [_words(action) for action in step.actions]
    same = len(words) > 1 and len(set(words)) == 1
    if step.call.get("action") == "zoom":
        return f"Look closely at {_place(step.call.get('region'))}"
    return f"{words[0]}, {len(words)} times" if same else ", then ".join(words)


def _marks(step: AgentStep, pointer: Pixel | None) -> tuple[ScreenMark, ...]:
    marks = [mark for action in step.actions for mark in _mark(action)]
    return tuple(marks) or _pointer(pointer)


def _pointer(pointer: Pixel | None) -> tuple[ScreenMark, ...]:
    return () if pointer is None else (ScreenMark("pointer", (pointer,)),)


def _mark(action: Mapping[str, Any]) -> Sequence[ScreenMark]:
    if (name := str(action.get("action"))) == "left_click_drag":
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


def _place(point: Any) -> str:
    return ", ".join(map(str, point)) if isinstance(point, list | tuple) else ""


def arrow_ends(mark: ScreenMark, length: int) -> tuple[Pixel, Pixel]:
    """Where the arrow of a drag's last part or of a wheel begins and ends."""
    if mark.kind == "drag":
        return list(pairwise(mark.points))[-1]
    (x, y), (across, down) = mark.points[0], mark.way
    return (x, y), (x + across * length, y + down * length)


_QUALITY: Final = 80
_WIDEST: Final = 1280
_EDITOR_WIDTH: Final = 1280
"""Width of the screen for which the marks are drawn; they grow with it."""


def write_trajectory_page(
    trajectory: Trajectory, path: str | Path, *, title: str = "", back: str = ""
) -> None:
    """Write the page of a trajectory to ``path``, whole or not at all.

    ``title`` is its heading, by default the instruction; ``back`` the path of a page that it leads
    back to, relative to its own.
    """
    width, height = trajectory.run["screen"]
    scale = width / _EDITOR_WIDTH
    pictures: dict[str, str] = {}
    shown = [
        {
            "frame": frame,
            "picture": pictures.setdefault(frame.screen, _uri(trajectory, frame.screen)),
            "marks": [drawn_mark(mark, scale) for mark in frame.marks],
            "took": took_words(frame),
        }
        for frame in frames_of(trajectory)
    ]
    write_page(
        path, "trajectory.html", "trajectory.js", package="decklab.evals.desktop",
        title=title or trajectory.run["instruction"] or "A run on a screen", back=back,
        instruction=trajectory.run["instruction"] if title else "",
        facts={**_sums(trajectory.end), **_agent(trajectory.run)}, end=trajectory.end,
        frames=shown, width=width, height=height, unit=scale,
    )  # fmt: skip


def write_output_page(
    folder: str | Path, path: str | Path, *, title: str = "", back: str = ""
) -> None:
    """Write the page of a run of ``CommandAgent`` whose trajectory is in ``folder`` to ``path``."""
    folder_path = Path(folder)
    run = json.loads((folder_path / "run.json").read_text(encoding="utf-8"))
    end = RunEnd(**json.loads((folder_path / "end.json").read_text(encoding="utf-8")))
    status = "was ended" if run["status"] is None else str(run["status"])
    reach = [name for name, there in (("network", run["network"]), *(
        (name, True) for name in run["environment"]), *((file, True) for file in run["files"]))
        if there]  # fmt: skip
    write_page(
        path, "output.html", "open-for-print.js", package="decklab.evals.desktop",
        title=title or run["instruction"] or "A run of a program", back=back,
        instruction=run["instruction"] if title else "", end=end, command=run["command"],
        facts={"Ended": end.ended, "Exit status": status, "Time": f"{number(end.seconds, 1)} s",
               "Kept apart": "no walls" if run["isolation"] == "process" else run["isolation"],
               "May reach": ", ".join(reach) or "nothing besides the deck"},
        streams=[(name, (folder_path / f"{name}.txt").read_text(encoding="utf-8"))
                 for name in ("stdout", "stderr")],
    )  # fmt: skip


def _uri(trajectory: Trajectory, file: str) -> str:
    picture = trajectory.picture(file)
    if picture.width > _WIDEST:
        size = (_WIDEST, round(picture.height * _WIDEST / picture.width))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    data = BytesIO()
    picture.save(data, "WEBP", quality=_QUALITY, method=2)
    return f"data:image/webp;base64,{b64encode(data.getvalue()).decode('ascii')}"


def drawn_mark(mark: ScreenMark, scale: float) -> dict[str, Any]:
    """A mark with what its drawing needs, in pixels of the screen."""
    (x, y) = mark.points[-1]
    rings = [round((9 + 6 * ring) * scale, 1) for ring in range(mark.count)]
    arrow = arrow_ends(mark, round(60 * scale)) if mark.kind in ("drag", "scroll") else None
    return {
        "kind": mark.kind, "x": x, "y": y, "rings": rings, "arrow": arrow,
        "path": " ".join(f"{px},{py}" for px, py in mark.points),
    }  # fmt: skip


def _agent(run: Mapping[str, Any]) -> dict[str, str]:
    rows = {"Agent": run.get("agent"), "Model": run.get("model"), "Screen": "{} × {}".format(
        *run["screen"])}  # fmt: skip
    return {word: str(value) for word, value in rows.items() if value}


def _sums(end: RunEnd) -> dict[str, str]:
    tokens = end.input_tokens + end.output_tokens
    return {
        "Ended": end.ended,
        "Steps": str(end.steps),
        "Time": f"{number(end.seconds, 1)} s",
        **({"Tokens": f"{tokens:,}"} if tokens else {}),
        **({} if end.cost is None else {"Cost": _dollars(end.cost)}),
    }


def took_words(frame: StepFrame) -> list[str]:
    """Time, tokens and cost of a step, in a few words."""
    if (step := frame.step) is None:
        return []
    tokens = step.input_tokens + step.output_tokens
    parts = [f"screen {number(step.screen_seconds, 1)} s"]
    if step.model_seconds:
        parts.insert(0, f"model {number(step.model_seconds, 1)} s")
    if tokens:
        parts.append(counted(tokens, "token"))
    if step.cost is not None:
        parts.append(_dollars(step.cost))
    return parts


def _dollars(cost: float) -> str:
    return f"${cost:,.4f}"


ANIMATION_WIDTH: Final = 960
"""Of the animated picture, in pixels. Ours."""
STEP_SECONDS: Final = 1.4
"""How long a step is shown; the end twice as long. Ours."""
_INK, _SOFT, _PAPER, _MARK = "#1d1c1a", "#605c56", "#f4f1ea", "#d63c0f"
_TEXT_SIZE, _LINE, _EDGE = 17, 24, 12
_FAMILY, _FONT_SECONDS = "sans-serif", 10.0
_FRAME_QUALITY: Final = 70


def write_animation(
    trajectory: Trajectory,
    path: str | Path,
    *,
    width: int = ANIMATION_WIDTH,
    seconds: float = STEP_SECONDS,
) -> None:
    """Write a trajectory as an animated WebP, or GIF where ``path`` ends in ``.gif``.

    Each step is shown for ``seconds``: the screen that the agent saw, what it did, and its words.
    Whole or not at all. Raises ValueError for another suffix.
    """
    if (suffix := Path(path).suffix.lower()) not in (".webp", ".gif"):
        raise ValueError(f"{path}: an animated picture is .webp or .gif")
    frames = frames_of(trajectory)
    pictures = [
        _drawn(trajectory, frame, f"{number} / {len(frames) - 1}" if frame.step else "", width)
        for number, frame in enumerate(frames, 1)
    ]
    times = [round(1000 * seconds)] * (len(pictures) - 1) + [round(2000 * seconds)]
    how = {"quality": _FRAME_QUALITY, "method": 2} if suffix == ".webp" else {"optimize": False}
    with whole_file(path) as unfinished:
        pictures[0].save(
            unfinished, suffix[1:].upper(), save_all=True, append_images=pictures[1:],
            duration=times, loop=0, **how,
        )  # fmt: skip


def _drawn(trajectory: Trajectory, frame: StepFrame, label: str, width: int) -> Image.Image:
    """One frame: the screen with its marks above two lines of text."""
    screen = trajectory.picture(frame.screen)
    factor = width / screen.width
    height = max(1, round(screen.height * factor))
    picture = Image.new("RGB", (width, height + 2 * _LINE + 2 * _EDGE), _PAPER)
    picture.paste(screen.resize((width, height), Image.Resampling.LANCZOS), (0, 0))
    draw = ImageDraw.Draw(picture)
    for mark in frame.marks:
        draw_mark(draw, mark, factor)
    colour = _MARK if frame.step and frame.step.refused else _SOFT
    _write(draw, (_EDGE, height + _EDGE), f"{label}   {frame.words}".strip(), _INK, width)
    _write(draw, (_EDGE, height + _EDGE + _LINE), _second_line(trajectory, frame), colour, width)
    return picture


def _second_line(trajectory: Trajectory, frame: StepFrame) -> str:
    if frame.step is None:
        end = trajectory.end
        return " · ".join(filter(None, (end.ended, end.detail, end.message)))
    return frame.step.refused or " ".join(frame.step.thought.split())


def draw_mark(draw: ImageDraw.ImageDraw, mark: ScreenMark, factor: float = 1.0) -> None:
    """Draw a mark on a picture that is ``factor`` times as large as the screen."""
    points = [(round(x * factor), round(y * factor)) for x, y in mark.points]
    x, y = points[-1]
    if mark.kind == "click":
        for ring in range(mark.count):
            far = 9 + 6 * ring
            draw.ellipse((x - far, y - far, x + far, y + far), outline=_MARK, width=3)
    if mark.kind == "drag":
        draw.line(points, fill=_MARK, width=3)
    if mark.kind in ("drag", "scroll"):
        small = ScreenMark(mark.kind, tuple(points), way=mark.way)
        _arrow(draw, *arrow_ends(small, 50))
    _pointer_at(draw, (x, y))


def _arrow(draw: ImageDraw.ImageDraw, start: Pixel, end: Pixel) -> None:
    """A line with a head."""
    across, down = end[0] - start[0], end[1] - start[1]
    far = max(1.0, (across**2 + down**2) ** 0.5)
    ux, uy = across / far, down / far
    back = end[0] - 14 * ux, end[1] - 14 * uy
    head = [end, (back[0] - 8 * uy, back[1] + 8 * ux), (back[0] + 8 * uy, back[1] - 8 * ux)]
    draw.line((start, end), fill=_MARK, width=3)
    draw.polygon(head, fill=_MARK)


def _pointer_at(draw: ImageDraw.ImageDraw, at: Pixel) -> None:
    """The arrow of a mouse, its tip at a point."""
    x, y = at
    shape = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
    draw.polygon([(x + dx, y + dy) for dx, dy in shape], fill="black", outline="white")


def _font(text: str) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font that has the characters of a text, as fontconfig names one; else Pillow's own."""
    codes = " ".join(sorted({f"{ord(letter):x}" for letter in text if letter.isprintable()}))
    command = ["fc-match", "-f", "%{file}|%{index}", f"{_FAMILY}:charset={codes}"]
    output = output_of(command, _FONT_SECONDS)
    file, _, index = (output.stdout.decode() if output else "").partition("|")
    try:
        return ImageFont.truetype(file, _TEXT_SIZE, int(index or 0))
    except (OSError, ValueError):
        return ImageFont.load_default(_TEXT_SIZE)


def _write(draw: ImageDraw.ImageDraw, at: Pixel, text: str, colour: str, width: int) -> None:
    """Write as much of a text as fits on one line of a picture."""
    font, room = _font(text), width - 2 * _EDGE
    shown = text
    while shown and draw.textlength(shown, font=font) > room:
        text = text[: min(len(text) - 1, max(1, len(text) * 9 // 10))]
        shown = f"{text.rstrip()}…"
    draw.text(at, shown, fill=colour, font=font)
