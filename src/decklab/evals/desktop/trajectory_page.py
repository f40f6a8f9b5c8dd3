"""A trajectory as a page to step through with the keyboard; it needs nothing but itself.

The output of a program that ran as an agent is a page of its own kind.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image

from decklab.evals.desktop.marks import ScreenMark, StepFrame, arrow_ends, frames_of
from decklab.evals.desktop.trajectory import RunEnd, Trajectory
from decklab.pages.page import write_page
from decklab.pages.wording import counted, number

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
        frames=shown, width=width, height=height, unit=scale, generated_by="decklab",
    )  # fmt: skip


def write_output_page(
    folder: str | Path, path: str | Path, *, title: str = "", back: str = ""
) -> None:
    """Write the page of a run of ``CommandAgent`` whose trajectory is in ``folder`` to ``path``."""
    place = Path(folder)
    run = json.loads((place / "run.json").read_text(encoding="utf-8"))
    end = RunEnd(**json.loads((place / "end.json").read_text(encoding="utf-8")))
    status = "was ended" if run["status"] is None else str(run["status"])
    reach = [name for name, there in (("network", run["network"]), *(
        (name, True) for name in run["environment"]), *((one, True) for one in run["files"]))
        if there]  # fmt: skip
    write_page(
        path, "output.html", "open-for-print.js", package="decklab.evals.desktop",
        title=title or run["instruction"] or "A run of a program", back=back,
        instruction=run["instruction"] if title else "", end=end, command=run["command"],
        facts={"Ended": end.ended, "Exit status": status, "Time": f"{number(end.seconds, 1)} s",
               "Kept apart": "no walls" if run["isolation"] == "process" else run["isolation"],
               "May reach": ", ".join(reach) or "nothing besides the deck"},
        streams=[(name, (place / f"{name}.txt").read_text(encoding="utf-8"))
                 for name in ("stdout", "stderr")],
        generated_by="decklab",
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
    told = {"Agent": run.get("agent"), "Model": run.get("model"), "Screen": "{} × {}".format(
        *run["screen"])}  # fmt: skip
    return {word: str(value) for word, value in told.items() if value}


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
    step = frame.step
    if step is None:
        return []
    tokens = step.input_tokens + step.output_tokens
    told = [f"screen {number(step.screen_seconds, 1)} s"]
    if step.model_seconds:
        told.insert(0, f"model {number(step.model_seconds, 1)} s")
    if tokens:
        told.append(counted(tokens, "token"))
    if step.cost is not None:
        told.append(_dollars(step.cost))
    return told


def _dollars(cost: float) -> str:
    return f"${cost:,.4f}"
