"""The model of a drawn deck: ordered pictures of slides, and the text as it was laid out; picture
files as slides, ink and text found in pictures.
"""

import importlib
import importlib.util
import json
import math
import os
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import cv2
import numpy as np
import PIL
from numpy.typing import NDArray
from PIL import Image, ImageOps

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    TruncatedDeck,
    Unavailable,
    UnsupportedFormat,
)
from decklab.core.files import Closing
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.lazy import needs_extra
from decklab.core.result_store import ResultStore, code_stamp
from decklab.ooxml.signatures import DEFAULT_LIMITS, open_file

DeckKind = Literal["office", "pdf", "images", "html"]
"""How a deck is opened."""

TextSource = Literal["layout", "ocr", "dom", "none"]
"""Where spans come from: the laid-out page, characters found in the picture, or the browser;
``none`` if there is a picture only and nothing looked for text in it."""


@dataclass(frozen=True)
class TextSpan:
    """A run of characters on one line, drawn in one font, size and colour."""

    text: str
    """Without the characters of private use that symbol fonts draw bullets and icons with; empty
    if ink was found in a picture but not read."""
    box: Box
    """Tight around the ink, in the 960x540 frame; outside the frame where the text is."""
    font: str
    """Name of the font that was drawn, without a subset prefix; empty if not known."""
    size_pt: float
    """Effective size in points, as drawn."""
    color: str
    """``#RRGGBB``; empty if not known."""
    line: int
    """Counts the lines of a slide from 0; spans with the same number follow on one line."""


@dataclass(frozen=True)
class LayeredSpan:
    """A span with the boxes of its characters."""

    span: TextSpan
    characters: tuple[Box, ...]
    """Of each drawn character, tight, in the pixels of the layer's pictures."""
    size_shown: float
    """Effective size in points on a page fitted into 960 by 540 points: a larger page is shown
    smaller on the same screen."""


@dataclass(frozen=True)
class TextLayer:
    """Texts of a page that do not overlap each other."""

    spans: tuple[LayeredSpan, ...]
    full: NDArray[np.uint8]
    """The page, (H, W, 3) RGB."""
    without: NDArray[np.uint8]
    """The same without these texts."""
    ink: NDArray[np.uint8]
    """How much of each pixel these texts would cover with nothing over them, 0 to 255, (H, W)."""


TextReader = Callable[[NDArray[np.uint8], float], tuple[TextSpan, ...]]
"""Finds text in a picture of a slide, given the slide's height in points."""


@dataclass(frozen=True)
class RenderedSlide:
    """One slide as it looks."""

    number: int
    """1-based."""
    picture: NDArray[np.uint8] | Callable[[], NDArray[np.uint8]]
    """The ``image``, or what draws it."""
    spans: tuple[TextSpan, ...]
    """In the order of drawing, or of reading if the text was found in a picture."""
    text_source: TextSource
    key: str = ""
    """That of ``look_key``; empty if it is not known."""
    known_shape: tuple[int, ...] = ()
    """The ``shape``, if it is known before the picture is drawn."""

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the image."""
        return self.known_shape or self.image.shape

    @cached_property
    def image(self) -> NDArray[np.uint8]:
        """Height x width x 3, red green blue; drawn when it is first asked for, if text that was
        kept spared it. Raises what ``RenderedDeck.slide`` raises."""
        return self.picture() if callable(self.picture) else self.picture


def look_key(slide: RenderedSlide) -> str:
    """A digest of the picture and text of a slide: slides of equal keys look the same."""
    digest = sha256(repr([slide.shape, slide.text_source, slide.spans]).encode())
    digest.update(np.ascontiguousarray(slide.image).data)
    return digest.hexdigest()


class RenderedDeck(Closing, ABC):
    """Slides drawn one at a time when asked for, so that memory stays flat.

    A context manager; ``close`` releases the file. Use from one thread.
    """

    path: Path
    """The deck as it was given."""
    kind: DeckKind
    engine: str
    """Name and version of what drew it."""
    slide_size_pt: tuple[float, float]
    """Width and height of the first slide in points; (0, 0) for a deck without slides."""
    faults: Mapping[int, str] = MappingProxyType({})
    """Why a slide cannot be drawn, by 1-based number; iteration leaves these slides out."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of slides."""

    @abstractmethod
    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide by its 1-based number; raises IndexError if there is none."""

    def layers(self, number: int) -> list[TextLayer]:
        """A slide with and without its text, see ``page_layers``; none for decks that are
        pictures or web pages. IndexError if there is no such slide."""
        self._check(number)
        return []

    @abstractmethod
    def close(self) -> None:
        """Close the files that the deck has open; safe to call again."""

    @property
    def fonts(self) -> tuple[str, ...]:
        """Names of the fonts drawn, sorted; empty for pictures. Looks through all slides."""
        return ()

    def __iter__(self) -> Iterator[RenderedSlide]:
        return (self.slide(number) for number in range(1, len(self) + 1))

    def _check(self, number: int) -> None:
        if not 1 <= number <= len(self):
            raise IndexError(f"{self.path} has no slide {number}; it has {len(self)}")


def fit(width: float, height: float, size: tuple[int, int]) -> tuple[int, int]:
    """Pixels of a slide drawn as large as ``size`` allows, in its own proportions.

    Only a slide of exactly these proportions fills ``size``; no slide is distorted.

    >>> fit(960, 540, (1280, 720)), fit(720, 540, (1280, 720)), fit(540, 960, (1280, 720))
    ((1280, 720), (960, 720), (405, 720))
    """
    scale = min(size[0] / width, size[1] / height)
    return (max(1, min(size[0], round(width * scale))), max(1, min(size[1], round(height * scale))))


MIN_CONTRAST = 12.0  # ours: levels of 255 that ink must differ from its ground at the least


def tight_box(image: NDArray[np.uint8], box: Box) -> Box:
    """``box`` shrunk to the pixels whose colour differs from that along its edges.

    ``image`` is height x width x 3; boxes are in its pixels. Edges come out on whole pixels. The
    box comes back clipped but otherwise unchanged if it has fewer than 3 x 3 pixels or
    no such pixel.
    """
    height, width = image.shape[:2]
    left, top = max(0, math.floor(box.left)), max(0, math.floor(box.top))
    right, bottom = min(width, math.ceil(box.right)), min(height, math.ceil(box.bottom))
    patch = image[top:bottom, left:right].astype(np.float32)
    if right - left < 3 or bottom - top < 3:
        return box
    edge = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
    distance = np.abs(patch - np.median(edge, axis=0)).max(axis=2).astype(np.uint8)
    level, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    rows, columns = np.nonzero(distance > max(MIN_CONTRAST, level / 2))
    if not rows.size:
        return Box(left, top, right, bottom)
    return Box(
        left + int(columns.min()),
        top + int(rows.min()),
        left + int(columns.max()) + 1,
        top + int(rows.max()) + 1,
    )


IMAGE_SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif"))

_WHITE = (255, 255, 255, 255)
_DEEP_MODES = ("I", "I;16", "I;16B", "I;16L", "I;16N")
_SLIDE_HEIGHT_PT = 540.0


class ImageDeck(RenderedDeck):
    """Slides from picture files: those of a folder in natural order, or a single file.

    Every picture is scaled, up or down, to fit ``size`` in its own proportions, because metrics
    depend on the number of pixels. A picture does not state its size on paper: it counts as a
    slide 540 points (7.5 inches) high. ``read_picture`` finds the text; without it slides have
    none and their text source is ``none``. Colour profiles are not applied.

    With ``leave_out`` an iteration leaves out pictures that cannot be read, which are in ``faults``
    then. Raises UnsupportedFormat for a folder without pictures, TruncatedDeck or LimitExceeded,
    naming a picture's file, if none can be read; ``slide`` raises the same for its picture.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        size: tuple[int, int] = (1280, 720),
        read_picture: TextReader | None = None,
        leave_out: bool = False,
    ) -> None:
        self.path = Path(path)
        self.kind = "images"
        self.engine = f"Pillow {PIL.__version__}, OpenCV {cv2.__version__}"
        self._size, self._read_picture, self._leave_out = size, read_picture, leave_out
        self._files = slide_images(self.path)
        self._unread: dict[int, str] = {}
        self.faults = MappingProxyType(self._unread)
        width, height = _first_dimensions(self._files)
        self.slide_size_pt = (_SLIDE_HEIGHT_PT * width / height, _SLIDE_HEIGHT_PT)

    def __len__(self) -> int:
        return len(self._files)

    def slide(self, number: int) -> RenderedSlide:
        """Read one picture."""
        self._check(number)
        image = scaled(read_image(self._files[number - 1]), self._size)
        if self._read_picture is None:
            return RenderedSlide(number, image, (), "none")
        return RenderedSlide(number, image, self._read_picture(image, _SLIDE_HEIGHT_PT), "ocr")

    def __iter__(self) -> Iterator[RenderedSlide]:
        for number, file in enumerate(self._files, start=1):
            try:
                slide = self.slide(number)
            except DeckError as error:
                if not self._leave_out:
                    raise
                self._unread[number] = f"{file.name}: {error.detail}"
                continue
            yield slide

    def close(self) -> None:
        """Nothing to do: no file is open."""


def slide_images(path: Path) -> tuple[Path, ...]:
    """The picture files of a deck in natural order: ``slide2.png`` before ``slide10.png``."""
    if not path.is_dir():
        return (path,)
    try:
        items = list(path.iterdir())
    except OSError as error:
        raise DeckError(path, f"cannot be listed: {error.strerror}") from None
    files = [
        item
        for item in items
        if item.suffix.lower() in IMAGE_SUFFIXES and not item.name.startswith(".")
    ]
    if not files:
        raise UnsupportedFormat(path, "the folder holds no decks and no pictures")
    return tuple(sorted(files, key=_natural))


def _natural(path: Path) -> tuple[list[tuple[int, int, str]], str]:
    """Runs of digits compare as numbers, all else as text without case; the name breaks ties."""
    pieces = re.findall(r"[0-9]+|[^0-9]+", path.name.casefold())
    keys = [(0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces]
    return keys, path.name


def read_image(path: Path) -> NDArray[np.uint8]:
    """A picture file as height x width x 3, turned as its EXIF says, alpha laid over white.

    The first frame of an animation. Raises DeckError if the file cannot be opened,
    UnsupportedFormat for pipes and devices, TruncatedDeck if it is empty, damaged or no
    picture, LimitExceeded past Pillow's pixel bound.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="PIL")
        try:
            with open_file(path, DEFAULT_LIMITS) as stream, Image.open(stream) as picture:
                return _rgb(ImageOps.exif_transpose(picture))
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as bomb:
            raise LimitExceeded(path, str(bomb)) from None
        except PIL.UnidentifiedImageError:
            raise TruncatedDeck(path, "no picture that can be read") from None
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise TruncatedDeck(path, f"no picture that can be read: {error}") from None


def _first_dimensions(files: Sequence[Path]) -> tuple[int, int]:
    """Width and height of the first picture that can be read; raises the error of the first file if
    none can be."""
    wrong: list[DeckError] = []
    for file in files:
        try:
            height, width = read_image(file).shape[:2]
        except DeckError as error:
            wrong.append(error)
        else:
            return width, height
    raise wrong[0]


def _rgb(picture: Image.Image) -> NDArray[np.uint8]:
    if picture.mode in _DEEP_MODES:
        deep = np.asarray(picture, np.int64)
        gray = (np.clip(deep, 0, 65535) // 257).astype(np.uint8)
        return np.repeat(gray[:, :, None], 3, axis=2)
    if picture.has_transparency_data:
        ground = Image.new("RGBA", picture.size, _WHITE)
        picture = Image.alpha_composite(ground, picture.convert("RGBA"))
    return np.array(picture.convert("RGB"))


def scaled(image: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """The image fitted into ``size`` (width, height): areas averaged when it shrinks, pixels
    blended linearly when it grows, so that no colour appears that was not between others."""
    height, width = image.shape[:2]
    if (target := fit(width, height, size)) == (width, height):
        return image
    method = cv2.INTER_AREA if target[0] < width else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, target, interpolation=method), np.uint8)


_PACKAGES = "rapidocr", "onnxruntime"
_DOUBTFUL = 0.2
"""Ours: share of a picture from which a line found in it must be readable; real ones take less."""
INK_HEIGHT_EM = 0.94  # ours: ascender to descender of Liberation Sans, in ems


def can_read_pictures() -> bool:
    """Whether RapidOCR and ONNX Runtime are installed, which ``decklab[ocr]`` brings."""
    return all(importlib.util.find_spec(name) for name in _PACKAGES)


def picture_spans(
    image: NDArray[np.uint8], height_pt: float = 540.0, *, recognize: bool = False
) -> tuple[TextSpan, ...]:
    """Lines of text in a picture of a slide (height x width x 3), top to bottom.

    Boxes are shrunk from the detector's loose quads to the ink. The texts are empty; with
    ``recognize`` they are read, which takes more than twice the time. Font and colour are not known
    and empty. The size is the ink's height over 0.94 em on a slide ``height_pt`` points high: right
    for lines with ascenders and descenders, 22 % too small for capitals. A picture of one colour
    holds no text.
    """
    if image.min() == image.max():
        return ()
    engine, bgr = _engine(), np.ascontiguousarray(image[:, :, ::-1])
    lines = engine(bgr, use_det=True, use_cls=False, use_rec=recognize)
    if not recognize and lines.boxes is not None:
        # The detector takes plain areas for large letters; nothing can be read in them.
        largest = max(box.area for box in map(_bounds, lines.boxes))
        if largest > _DOUBTFUL * image.shape[0] * image.shape[1]:
            lines = engine(bgr, use_det=True, use_cls=False, use_rec=True)
    quads = () if lines.boxes is None else lines.boxes
    texts = lines.txts if recognize and lines.txts is not None else [""] * len(quads)
    spans = []
    for line, (quad, text) in enumerate(zip(quads, texts, strict=True)):
        ink = tight_box(image, _bounds(quad))
        scale = FRAME_WIDTH / image.shape[1], FRAME_HEIGHT / image.shape[0]
        box = ink.scaled(*scale)
        size = box.height * height_pt / FRAME_HEIGHT / INK_HEIGHT_EM
        spans.append(TextSpan(text.strip(), box, "", round(size, 2), "", line))
    return tuple(spans)


def kept_picture_spans(
    results: ResultStore, image: NDArray[np.uint8], height_pt: float = 540.0
) -> tuple[TextSpan, ...]:
    """``picture_spans``, from ``results`` if they hold those of the same pixels, and stored
    there if not."""
    facts = [code_stamp(), *map(version, _PACKAGES), cv2.__version__, height_pt, image.shape]
    digest = sha256(repr(facts).encode())
    digest.update(np.ascontiguousarray(image).data)
    key = digest.hexdigest()
    if (kept := results.get([key]).get(key)) is not None:
        return spans_of(json.loads(kept))
    spans = picture_spans(image, height_pt)
    results.put({key: json.dumps(plain_spans(spans)).encode()})
    return spans


def plain_spans(spans: Iterable[TextSpan]) -> list[list[Any]]:
    """Spans as plain JSON."""
    return [list(vars(span).values()) for span in spans]


def spans_of(plain: Iterable[Sequence[Any]]) -> tuple[TextSpan, ...]:
    """The spans of ``plain_spans``."""
    return tuple(TextSpan(text, Box(*box), *rest) for text, box, *rest in plain)


@lru_cache(maxsize=1)
def _engine() -> Any:
    """One engine per process; three models, loaded when first used."""
    # ONNX Runtime reports its use to its makers over the network unless told not to.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        module = importlib.import_module("rapidocr")
    except ModuleNotFoundError as error:
        raise Unavailable(needs_extra("reading text in pictures", "ocr")) from error
    # Its models are in the package, and nothing is downloaded.
    return module.RapidOCR(
        params={"Global.log_level": "error", "EngineConfig.onnxruntime.intra_op_num_threads": 1}
    )


def _bounds(quad: Any) -> Box:
    """Upright bounds of a quad."""
    points = np.asarray(quad, float)
    left, top = (float(edge) for edge in points.min(axis=0))
    right, bottom = (float(edge) for edge in points.max(axis=0))
    return Box(left, top, right, bottom)
