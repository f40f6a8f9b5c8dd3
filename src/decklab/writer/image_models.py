"""Pictures by an image model that the user names, behind an OpenAI-compatible address.

``POST {url}/images/generations``. What comes back is a picture or nothing: a program opens it. A
picture that was paid for is kept as a file, and the same question is not asked twice.
"""

import base64
import binascii
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from PIL import Image

from decklab.board.blueprint import DeckPlan, PicturePlan, SlidePlan
from decklab.core.errors import DecklabError
from decklab.core.files import write_whole
from decklab.core.options import ImageModel
from decklab.writer.own_pictures import beside_picture, fits_beside, takes_picture

KEY_VARIABLES: Final = ("DECKLAB_IMAGE_API_KEY", "OPENAI_API_KEY")
"""Environment variables with the key of the service, the first that is set."""
SIZE: Final = "1536x1024"
_TRIES: Final = 3
_FAILURES: Final = 3
"""Pictures that may fail before no other is asked for. Ours."""
_SECONDS: Final = 180.0
_LONGEST_WAIT: Final = 20.0
_MOST_BYTES: Final = 40_000_000
_MOST_SIDE: Final = 8_192
_FATAL: Final = (401, 403, 404)
_PROMPT: Final = (
    "A calm, realistic photograph for a slide of a presentation. The slide is about: {title}. "
    "It says: {text}. No words, letters, numbers, logos or charts in the picture."
)


class NoPicture(DecklabError):
    """The image model gave no picture. ``fatal`` says that it will give none for others either."""

    def __init__(self, problem: str, *, fatal: bool = False) -> None:
        super().__init__(problem)
        self.fatal = fatal


@dataclass(frozen=True)
class PictureService:
    """An image model behind an address, which keeps its pictures in ``folder``."""

    model: ImageModel
    folder: Path
    sleep: Callable[[float], None] = time.sleep

    def picture(self, prompt: str) -> tuple[Path, bool]:
        """The picture for a prompt, and whether it was asked for now: a kept one is not.

        Raises NoPicture, in one line, where the service refuses, cannot be reached, or replies with
        what is no picture.
        """
        asked = {"model": self.model.name, "prompt": prompt, "n": 1, "size": SIZE}
        key = sha256(json.dumps([self.model.url, asked], sort_keys=True).encode()).hexdigest()[:24]
        path = self.folder / f"generated-{key}.png"
        if path.exists():
            return path, False
        data = _as_png(self._data(self._reply(asked)))
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
        return path, True

    def _reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        body = self._fetched(f"{self.model.url.rstrip('/')}/images/generations", asked)
        try:
            reply = json.loads(body)
            (first, *_) = reply["data"]
        except (ValueError, KeyError, TypeError) as error:
            raise NoPicture("the reply has no picture in it") from error
        if not isinstance(first, dict):
            raise NoPicture("the reply has no picture in it")
        return first

    def _data(self, first: dict[str, Any]) -> bytes:
        """The picture of a reply, which is in it or at an address of the same host."""
        if isinstance(first.get("b64_json"), str):
            try:
                return base64.b64decode(first["b64_json"], validate=True)
            except binascii.Error as error:
                raise NoPicture("the reply has no picture in it") from error
        address = str(first.get("url", ""))
        if urlsplit(address)[:2] != urlsplit(self.model.url)[:2]:
            raise NoPicture(f"the picture is at another host, which is not asked: {address[:80]}")
        return self._fetched(address, None)

    def _fetched(self, address: str, asked: dict[str, Any] | None) -> bytes:
        """The answer of an address; it is asked again if the service is busy or failed."""
        for tries_left in reversed(range(_TRIES)):
            try:
                return self._once(address, asked)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 500, 502, 503, 504) or not tries_left:
                    raise NoPicture(_problem(error), fatal=error.code in _FATAL) from error
                self.sleep(_wait(error.headers, _TRIES - tries_left))
            except (OSError, ValueError) as error:
                reason = getattr(error, "reason", error)
                raise NoPicture(f"it cannot be reached: {reason}", fatal=True) from error
        raise NoPicture("it cannot be reached", fatal=True)

    def _once(self, address: str, asked: dict[str, Any] | None) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "*/*"}
        key = next((os.environ[name] for name in KEY_VARIABLES if os.environ.get(name)), "")
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = None if asked is None else json.dumps(asked).encode()
        request = urllib.request.Request(address, data, headers)
        with _OPENER.open(request, timeout=_SECONDS) as reply:
            body: bytes = reply.read(_MOST_BYTES + 1)
        if len(body) > _MOST_BYTES:
            raise NoPicture(f"the reply has more than {_MOST_BYTES:,} bytes")
        return body


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the key of the service stays with its host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirect)


def _problem(error: urllib.error.HTTPError) -> str:
    """A service's message about an error, in one line."""
    try:
        said = json.loads(error.read(20_000))["error"]["message"]
    except (ValueError, KeyError, TypeError, OSError):
        said = error.reason
    return f"HTTP {error.code}: {' '.join(str(said).split())[:160]}"


def _wait(headers: Message, tries: int) -> float:
    try:
        wanted = float(headers.get("Retry-After", ""))
    except ValueError:
        wanted = 2.0**tries
    return max(0.0, min(wanted, _LONGEST_WAIT))


def _as_png(data: bytes) -> bytes:
    """A picture as PNG; raises NoPicture where the data are none, or it is too large."""
    out = BytesIO()
    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG", "WEBP")) as image:
            if max(image.size) > _MOST_SIDE:
                raise NoPicture(f"the picture has {image.width} x {image.height} pixels, too many")
            image.convert("RGB").save(out, "PNG")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise NoPicture("the reply is no picture") from error
    return out.getvalue()


def with_generated(
    plan: DeckPlan, service: PictureService, theme: str, tell: Callable[[str], None]
) -> tuple[DeckPlan, list[str]]:
    """A plan with generated pictures beside texts, at most ``service.model.most``; and what failed.

    A generated picture is named as one in its alternative text and in the notes.
    """
    slides, told, made = list(plan.slides), list[str](), 0
    for at, slide in enumerate(plan.slides):
        if made >= service.model.most or not takes_picture(slide):
            continue
        try:
            path, _new = service.picture(_PROMPT.format(title=slide.title, text=_text(slide)))
        except NoPicture as error:
            told.append(f"no picture for {slide.title!r} by {service.model.name}: {error}")
            if error.fatal or len(told) == _FAILURES:
                break
            continue
        tell(f"picture {made + 1} of {service.model.most}")
        shown = _with(slide, path, service.model.name, left=made % 2 == 1)
        if shown is not None and fits_beside(plan, [shown], theme)[0]:
            slides[at] = shown
            made += 1
    return plan.model_copy(update={"slides": tuple(slides)}), told


def _with(slide: SlidePlan, path: Path, model: str, *, left: bool) -> SlidePlan | None:
    alt = f"Generated picture: {slide.title}"
    made = beside_picture(slide, PicturePlan(path=str(path), alt=alt, kind="photograph"), left=left)
    if made is None:
        return None
    notes = f"{made.notes}\nThe picture was generated by {model}.".strip()
    return made.model_copy(update={"notes": notes})


def _text(slide: SlidePlan) -> str:
    return "; ".join(slide.texts[1:])[:400]
