"""Trajectory of an agent on a screen, step by step, in a folder.

The folder holds::

    run.json        the instruction, the agent, its model, the size of the screen
    steps.jsonl     one line a step, as ``AgentStep`` has it
    screens/        the screen before the first step and after each, as PNG; equal ones once
    end.json        how it ended; not there where it broke off

Each file is written whole, and a step's picture before its line: after a crash the steps so far can
be read.
"""

import errno
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Literal, Self

from PIL import Image

from decklab.core.files import write_whole
from decklab.models.asking import Usage
from decklab.pages.files import strict_json

RunEnding = Literal[
    "finished", "declined", "step limit", "time", "loop", "budget", "model failed",
    "environment failed", "agent failed", "broken off",
]  # fmt: skip
"""How a run ended. ``declined``: the agent said that the task cannot be done; ``broken off``: the
program that ran it was ended."""
FAILURES: Final[Mapping[str, str]] = {
    "model failed": "model", "environment failed": "environment", "agent failed": "agent",
    "broken off": "environment",
}  # fmt: skip
"""Whose failure an ending is, if it is one."""
_RUN, _STEPS, _END, _SCREENS = "run.json", "steps.jsonl", "end.json", "screens"


@dataclass(frozen=True)
class AgentStep:
    """One action of an agent.

    ``thought`` is what it said to it, ``call`` the action as it was asked for, ``actions`` as they
    were done, points in pixels of the screen. ``before`` and ``after`` are files of the screen,
    relative to the folder. ``refused`` says why nothing was done.
    """

    number: int
    thought: str
    call: Mapping[str, Any]
    actions: Sequence[Mapping[str, Any]]
    before: str
    after: str
    pointer: tuple[int, int] | None = None
    refused: str = ""
    model_seconds: float = 0.0
    """Waiting for the model's reply; 0 for the further actions of one reply, as tokens are."""
    screen_seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """In US dollars; None if prices or tokens are not known."""


@dataclass(frozen=True)
class RunEnd:
    """How a run ended; sums are over the whole run."""

    ended: RunEnding
    detail: str = ""
    message: str = ""
    """The last words of the agent."""
    steps: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None

    @property
    def failure(self) -> str:
        """Whose failure it was: model, environment or agent; empty if it was none."""
        return FAILURES.get(self.ended, "")


@dataclass(frozen=True)
class Trajectory:
    """A trajectory that was read; ``end`` says ``broken off`` if its run wrote none."""

    folder: Path
    run: Mapping[str, Any]
    steps: tuple[AgentStep, ...]
    end: RunEnd

    @classmethod
    def read(cls, folder: str | Path) -> Self:
        """The trajectory in a folder; a last line that was torn is left out.

        Raises OSError if there is none, ValueError if it is no trajectory.
        """
        path = Path(folder)
        run = json.loads((path / _RUN).read_text(encoding="utf-8"))
        lines = (path / _STEPS).read_bytes() if (path / _STEPS).exists() else b""
        whole = lines[: lines.rfind(b"\n") + 1].splitlines()
        steps = tuple(_step(json.loads(line)) for line in whole)
        if not (path / _END).exists():
            return cls(path, run, steps, RunEnd("broken off", "the program ended", "", len(steps)))
        return cls(path, run, steps, RunEnd(**json.loads((path / _END).read_bytes())))

    def picture(self, file: str) -> Image.Image:
        """A screen by the name that a step has for it; RGB."""
        with Image.open(self.folder / file) as picture:
            return picture.convert("RGB")

    @property
    def first(self) -> str:
        """The file of the screen before the first step."""
        return str(self.run["first"])

    @property
    def last(self) -> str:
        """The file of the screen after the last step."""
        return self.steps[-1].after if self.steps else self.first


@dataclass
class TrajectoryWriter:
    """Writes a trajectory while it happens; without a folder it only counts."""

    folder: Path | None
    count: int = 0
    begun: bool = False
    _files: dict[str, str] = field(default_factory=dict)
    _last: str = ""

    def begin(self, run: Mapping[str, Any], screen: Image.Image) -> None:
        """Begin a trajectory with the screen as it is. Raises FileExistsError if the folder has
        one already."""
        self.begun = True
        if self.folder is None:
            return
        if (self.folder / _RUN).exists():
            detail = "has the trajectory of an earlier run"
            raise FileExistsError(errno.EEXIST, detail, str(self.folder))
        self._last = self._kept(screen)
        record = {**run, "screen": list(screen.size), "first": self._last}
        self._write(_RUN, record)

    def add(self, screen: Image.Image, **facts: Any) -> None:
        """Add a step, with the screen after it; ``facts`` are the other fields of ``AgentStep``."""
        self.count += 1
        if self.folder is None:
            return
        before, self._last = self._last, self._kept(screen)
        step = AgentStep(self.count, before=before, after=self._last, **facts)
        with (self.folder / _STEPS).open("ab") as file:
            file.write(f"{strict_json(_finite(asdict(step)))}\n".encode())

    def end(self, end: RunEnd) -> None:
        """Write how it ended."""
        self._write(_END, asdict(end))

    def _kept(self, screen: Image.Image) -> str:
        """The file of a picture, which is written if it is new."""
        assert self.folder is not None
        if (key := picture_key(screen)) not in self._files:
            self._files[key] = f"{_SCREENS}/{len(self._files):03}.png"
            path = self.folder / self._files[key]
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, png_bytes(screen))
        return self._files[key]

    def _write(self, name: str, facts: Mapping[str, Any]) -> None:
        if self.folder is not None:
            write_whole(self.folder / name, f"{strict_json(_finite(facts))}\n".encode())


def picture_key(picture: Image.Image) -> str:
    """Key that equal pictures share."""
    return sha256(repr(picture.size).encode() + picture.convert("RGB").tobytes()).hexdigest()


def png_bytes(picture: Image.Image) -> bytes:
    """A picture as PNG, written quickly rather than small."""
    data = BytesIO()
    picture.save(data, "PNG", compress_level=1)
    return data.getvalue()


def usage_fields(usage: Usage, cost: float | None) -> dict[str, Any]:
    """Cost of a reply, as fields of an ``AgentStep``."""
    return {
        "model_seconds": round(usage.seconds, 3), "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens, "cost": cost,
    }  # fmt: skip


def _finite(value: Any) -> Any:
    """Plain data with numbers that JSON does not have as text: a model may send any."""
    if isinstance(value, Mapping):
        return {str(name): _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _step(line: Mapping[str, Any]) -> AgentStep:
    known = {field.name for field in fields(AgentStep)}
    values = {name: value for name, value in line.items() if name in known}
    if values.get("pointer") is not None:
        values["pointer"] = tuple(values["pointer"])
    return AgentStep(**values)
