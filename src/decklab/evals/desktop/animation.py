"""A trajectory as one animated picture, WebP or GIF."""

from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from decklab.core.files import whole_file
from decklab.core.programs import output_of
from decklab.evals.desktop.marks import ScreenMark, StepFrame, arrow_ends, frames_of
from decklab.evals.desktop.scaling import Pixel
from decklab.evals.desktop.trajectory import Trajectory

ANIMATION_WIDTH: Final = 960
"""Of the animated picture, in pixels. Ours."""
STEP_SECONDS: Final = 1.4
"""How long a step is shown; the end twice as long. Ours."""
_INK, _SOFT, _PAPER, _MARK = "#1d1c1a", "#605c56", "#f4f1ea", "#d63c0f"
_TEXT_SIZE, _LINE, _EDGE = 17, 24, 12
_FAMILY, _FONT_SECONDS = "sans-serif", 10.0
_QUALITY: Final = 70


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
    suffix = Path(path).suffix.lower()
    if suffix not in (".webp", ".gif"):
        raise ValueError(f"{path}: an animated picture is .webp or .gif")
    frames = frames_of(trajectory)
    pictures = [
        _drawn(trajectory, frame, f"{place} / {len(frames) - 1}" if frame.step else "", width)
        for place, frame in enumerate(frames, 1)
    ]
    times = [round(1000 * seconds)] * (len(pictures) - 1) + [round(2000 * seconds)]
    how = {"quality": _QUALITY, "method": 2} if suffix == ".webp" else {"optimize": False}
    with whole_file(path) as unfinished:
        pictures[0].save(
            unfinished, suffix[1:].upper(), save_all=True, append_images=pictures[1:],
            duration=times, loop=0, **how,
        )  # fmt: skip


def _drawn(trajectory: Trajectory, frame: StepFrame, place: str, width: int) -> Image.Image:
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
    _write(draw, (_EDGE, height + _EDGE), f"{place}   {frame.words}".strip(), _INK, width)
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
    _pointer(draw, (x, y))


def _arrow(draw: ImageDraw.ImageDraw, start: Pixel, end: Pixel) -> None:
    """A line with a head."""
    across, down = end[0] - start[0], end[1] - start[1]
    far = max(1.0, (across**2 + down**2) ** 0.5)
    ux, uy = across / far, down / far
    back = end[0] - 14 * ux, end[1] - 14 * uy
    head = [end, (back[0] - 8 * uy, back[1] + 8 * ux), (back[0] + 8 * uy, back[1] - 8 * ux)]
    draw.line((start, end), fill=_MARK, width=3)
    draw.polygon(head, fill=_MARK)


def _pointer(draw: ImageDraw.ImageDraw, at: Pixel) -> None:
    """The arrow of a mouse, its tip at a point."""
    x, y = at
    shape = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
    draw.polygon([(x + dx, y + dy) for dx, dy in shape], fill="black", outline="white")


def _font(text: str) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font that has the characters of a text, as fontconfig names one; else Pillow's own."""
    codes = " ".join(sorted({f"{ord(one):x}" for one in text if one.isprintable()}))
    command = ["fc-match", "-f", "%{file}|%{index}", f"{_FAMILY}:charset={codes}"]
    found = output_of(command, _FONT_SECONDS)
    file, _, index = (found.stdout.decode() if found else "").partition("|")
    try:
        return ImageFont.truetype(file, _TEXT_SIZE, int(index or 0))
    except (OSError, ValueError):
        return ImageFont.load_default(_TEXT_SIZE)


def _write(
    draw: ImageDraw.ImageDraw, at: Pixel, text: str, colour: str, width: int
) -> None:  # fmt: skip
    """Write as much of a text as fits on one line of a picture."""
    font, room = _font(text), width - 2 * _EDGE
    shown = text
    while shown and draw.textlength(shown, font=font) > room:
        text = text[: min(len(text) - 1, max(1, len(text) * 9 // 10))]
        shown = f"{text.rstrip()}…"
    draw.text(at, shown, fill=colour, font=font)
