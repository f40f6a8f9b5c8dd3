"""Whether a model sees pictures: some servers drop them without a word and answer all the same.

Such a model invents what it says of the look of slides. So before the first question with pictures
it is shown a drawn number, and has to read it.
"""

import io
import threading
import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from decklab.core.errors import ModelFailed
from decklab.models.asking import Ask, ModelReply, for_stage

QUESTION: Final = "Which number do you see in the picture? Reply with its digits only."
_NEUTRAL: Final = "Reply with the word yes."
SIGHT_STAGE: Final = "sight"
"""The stage of these questions."""


class PicturesUnseen(ModelFailed):
    """The model does not see pictures, or its server takes none."""

    def __init__(self, model: str, why: str) -> None:
        super().__init__(model, f"does not see pictures: {why}", "refused")


class Sight:
    """The sight of one model; threads share it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fault: str | None = None

    def fault(self, ask: Ask, model: str, tell: Callable[[str], None]) -> str:
        """Why the model does not see, found out at the first call; empty if it does."""
        with self._lock:
            if self._fault is None:
                self._fault = _fault(ask, model)
                if self._fault:
                    tell(f"{model} does not see pictures")
            return self._fault


def with_sight_check(
    ask: Ask,
    model: str,
    *,
    sight: Sight | None = None,
    tell: Callable[[str], None] = lambda _line: None,
) -> Ask:
    """``ask`` that raises PicturesUnseen for questions with pictures if ``model`` sees none.

    One question more is put before the first one with pictures; threads wait for its answer.
    ``sight`` is what others who ask this model know. ``tell`` is called with a line if it sees
    none.
    """
    known = sight or Sight()

    def asked(prompt: str, *, images: Sequence[bytes] = (), **how: Any) -> ModelReply[Any]:
        fault = known.fault(ask, model, tell) if images else ""
        if fault:
            raise PicturesUnseen(model, fault)
        return ask(prompt, images=images, **how)

    return asked


def sight_number(model: str) -> str:
    """The four digits that a model is shown; always the same ones, so that a record knows them.

    >>> sight_number("openai/gpt-5")
    '4062'
    """
    return str(1000 + zlib.crc32(model.encode()) % 9000)


def _fault(ask: Ask, model: str) -> str:
    """Why the model is taken not to see, in words; empty if it read the number."""
    number = sight_number(model)
    try:
        said = for_stage(ask, SIGHT_STAGE)(QUESTION, images=[_drawn(number)]).text
    except ModelFailed as error:
        if error.kind not in ("refused", "server"):
            raise
        if error.kind == "server":
            for_stage(ask, SIGHT_STAGE)(_NEUTRAL)  # raises where the server fails at anything
        return error.detail
    if number in "".join(said.split()):
        return ""
    return f"shown the number {number} it said “{' '.join(said.split())[:60]}”"


def _drawn(text: str) -> bytes:
    """The text in black on white, 40 pixels high, as PNG."""
    picture = Image.new("RGB", (240, 120), "white")
    ImageDraw.Draw(picture).text(
        (120, 60), text, fill="black", font=ImageFont.load_default(size=56), anchor="mm"
    )
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
