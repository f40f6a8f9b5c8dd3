"""The globals that rubric leaves have in their sandbox: paper 001, appendix A.1.3.

The source of this module is sent into the sandbox. ``install`` takes plain data and sets the seven
globals that leaves may use, and the modules of the published program that some leaves import.
Pictures are drawn when a leaf asks for one.
"""

import base64
import binascii
import os
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from decklab.diffing.ppteval_records import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideSize,
    SlideTransition,
    Template,
)

Ask = Callable[[str, list[bytes], float], str]
Draw = Callable[[str, int], str]
Look = Callable[[int, int | None, dict[str, Any]], str]


@dataclass
class SlideScreenshot:
    slide_number: int
    image_path: str
    slide_id: str | None = None


class ScreenshotsUnavailableError(RuntimeError):
    """Raised by published leaves where a slide has no picture, which is no fault of the deck."""


class _DrawnOnDemand(SlideScreenshot):
    """A screenshot whose file is made when its path is asked for."""

    def __init__(self, side: str, slide_number: int, slide_id: str, draw: Draw) -> None:
        self._place = (side, slide_number)
        self._draw, self._path = draw, ""
        super().__init__(slide_number, "", slide_id)

    @property
    def image_path(self) -> str:
        if not self._path:
            side, number = self._place
            folder = Path.cwd() / ".pictures"
            folder.mkdir(exist_ok=True)
            path = folder / f"{side}-{number}.png"
            path.write_bytes(base64.b64decode(self._draw(side, number)))
            self._path = str(path)
        return self._path

    @image_path.setter
    def image_path(self, path: str) -> None:
        self._path = path


def service(names: Mapping[str, Any], name: str) -> Callable[..., str]:
    """The host's service ``name``, which is among ``names`` while a run is on."""

    def ask(*args: Any) -> str:
        return str(names[name](*args))

    return ask


def _image_bytes(image: Any) -> bytes:
    """The bytes of a picture given as bytes, as a path, as base64 or as a data address."""
    image = getattr(image, "image_path", image)
    if isinstance(image, bytes | bytearray | memoryview):
        return bytes(image)
    if not isinstance(image, str | os.PathLike):
        raise TypeError(f"an image is a path, base64 text or bytes, not {type(image).__name__}")
    if (text := os.fspath(image)).startswith("data:"):
        return base64.b64decode(text.partition(",")[2])
    if len(text) < 4096 and Path(text).is_file():
        return Path(text).read_bytes()
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise FileNotFoundError(f"no image {text[:200]!r}") from None


def _calls(ask: Ask) -> tuple[Callable[..., str], Callable[..., str]]:
    def llm_call(prompt: str, temperature: float = 0.7, max_tokens: int | None = None) -> str:
        """Ask the model; the length of its answer is what it was set up with."""
        return ask(str(prompt), [], temperature)

    def vlm_call(
        prompt: str, images: Sequence[Any], temperature: float = 0.7, max_tokens: int | None = None
    ) -> str:
        """Ask the model about pictures: paths, base64 text or bytes."""
        if isinstance(images, str | bytes):
            images = [images]
        return ask(str(prompt), [_image_bytes(image) for image in images], temperature)

    return llm_call, vlm_call


def _why_unseen(look: Look) -> Callable[..., str]:
    def why_unseen(
        slide_number: int,
        shape_id: int | None = None,
        *,
        text: str | None = None,
        drawing: bool = False,
        colour: str | None = None,
    ) -> str:
        """Why a shape of the modified deck is not seen on its slide as drawn; empty where it is.

        ``text`` are words of it that have to be readable (else all its words), ``drawing`` asks
        for what it draws besides words, ``colour`` (RRGGBB) has to show in its place. Without a
        shape: why the slide is not shown.
        """
        wanted = {"text": text, "drawing": drawing, "colour": colour}
        return look(slide_number, shape_id, wanted)

    return why_unseen


def filled(template: str, names: dict[str, Any]) -> str:
    """A prompt with its ``{{ variables }}`` filled in: Python expressions over ``names``."""
    if "{%" in template:
        raise ValueError("prompts of leaves may hold {{ variables }}, but no {% blocks %}")
    return re.sub(
        r"\{\{(.*?)\}\}",
        lambda match: str(eval(match[1].strip(), dict(names))),  # the sandbox holds it
        template,
        flags=re.DOTALL,
    )


def _rebuilt(diff: dict[str, list[Any]]) -> PowerPointDiff:
    kinds: dict[str, type[Any]] = {
        "animations": AnimationEffect,
        "transitions": SlideTransition,
        "slides": Slide,
        "templates": Template,
        "size": SlideSize,
    }

    def built(kind: type[Any], item: Any) -> Any:
        return tuple(kind(**side) for side in item) if isinstance(item, list) else kind(**item)

    every = ((name, kinds[name.rpartition("_")[2]], items) for name, items in diff.items())
    return PowerPointDiff(
        **{name: [built(kind, item) for item in items] for name, kind, items in every}
    )


def _module(name: str, **content: Any) -> None:
    module = types.ModuleType(name)
    vars(module).update(content)
    sys.modules[name] = module
    above, _, last = name.rpartition(".")
    if above:
        setattr(sys.modules[above], last, module)


def _published_modules(names: dict[str, Any]) -> None:
    """Modules that published leaves import from; they hold what leaves have as globals anyway."""
    calls = {"llm_call": names["llm_call"], "vlm_call": names["vlm_call"]}
    kinds = {
        kind.__name__: kind
        for kind in (AnimationEffect, SlideTransition, Slide, PowerPointDiff, SlideScreenshot)
    }
    for name in ("ppteval", "ppteval.verify", "ppteval.verify.ppt", "rubric", "rubric.utils"):
        _module(name)
    _module("ppteval.verify.ppt.diff", **kinds)
    unavailable = {"ScreenshotsUnavailableError": ScreenshotsUnavailableError}
    _module("ppteval.verify.ppt.verifier", **calls, **unavailable)
    _module("rubric.utils.llm_tools", **calls)
    _module("dotenv", load_dotenv=lambda *args, **kwargs: False)


def _screenshots(side: str, slides: Sequence[tuple[int, str]], draw: Draw) -> list[_DrawnOnDemand]:
    return [_DrawnOnDemand(side, number, slide_id, draw) for number, slide_id in slides]


def install(
    names: dict[str, Any],
    *,
    diff: dict[str, list[Any]],
    slides: dict[str, list[tuple[int, str]]],
    ask: Ask,
    draw: Draw,
    look: Look,
) -> None:
    """Put the globals of leaves into ``names``, all but the two paths.

    ``diff`` is a PowerPointDiff as plain data, ``slides`` the number and id of each slide of the
    ``original`` and the ``modified`` deck. ``ask`` answers a prompt with pictures; ``draw`` gives
    a slide, by its deck and number, as base64 of a PNG; ``look`` says why something is not seen.
    """
    llm_call, vlm_call = _calls(ask)
    names.update(
        ppt_diff=_rebuilt(diff),
        original_ppt_screenshots=_screenshots("original", slides["original"], draw),
        modified_ppt_screenshots=_screenshots("modified", slides["modified"], draw),
        llm_call=llm_call,
        vlm_call=vlm_call,
        why_unseen=_why_unseen(look),
    )
    _published_modules(names)
