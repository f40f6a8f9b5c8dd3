"""Items of VLM-SlideEval, one a question: slides to read, damaged slides to rate, decks to put in
order. They are chosen from a folder of decks; slides are rebuilt, and all are drawn.

The paper picks the slides to damage (seeds) by hand: at least three visible text elements, well
preserved by the schema (section 3). Here pictures before and after rebuilding are compared. The
paper reduces a slide to its schema, rebuilds it and shows the model that (figure 1, A to D), so
that the picture has nothing that the truth lacks, such as decoration of a template.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.core.errors import DeckError, DecklabError
from decklab.core.files import scratch_folder
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.options import Axis, LadderDraws
from decklab.deck.model.base import PlainSlide
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.deck.views.drawn import merge_layout
from decklab.deck.views.markdown import slide_markdown
from decklab.deck.views.snapshot import plain_slide
from decklab.diffing.pictures import likeness
from decklab.editing.building.deck import build_deck, images_of
from decklab.evals.perturb.constants import AXES, LADDER_DRAWS
from decklab.evals.perturb.deck import perturb, taken_apart
from decklab.evals.slideeval.slide_order import SlideView, view_of
from decklab.metrics.ratings import slide_damage
from decklab.ooxml.package import Package
from decklab.pages.pictures import encode_jpeg
from decklab.rendering.opening import find_decks, open_rendered
from decklab.rendering.pictures import RenderedSlide, TextSpan
from decklab.rendering.renderer import Renderer

Picture = NDArray[np.uint8]
"""Height x width x 3, red green blue."""

FRAME_PIXELS: Final = (FRAME_WIDTH, FRAME_HEIGHT)
"""The picture in a question has the size of the frame: 72 dpi (appendix B)."""

_DRAWN: Final = (1920, 1080)
"""Ours: slides are drawn twice as large and scaled down, which gives text smoother edges."""

_NOT_IN_SCHEMA: Final = ("charts", "diagrams", "others")


@dataclass(frozen=True)
class SlideDrawing:
    """The picture of a slide, and its elements."""

    elements: SlideElements
    """With the drawn position and size of its texts."""
    image: Picture
    """In the proportions of the frame."""
    spans: tuple[TextSpan, ...]

    @property
    def truth(self) -> PlainSlide:
        """The visible elements, in the schema of the models' answers."""
        return plain_slide(self.elements)


def in_schema(slide: SlideElements) -> SlideElements:
    """A slide reduced to the elements of the paper's schema, each text by itself; never hidden."""
    left_out = dict.fromkeys(_NOT_IN_SCHEMA, ())
    return taken_apart(slide).model_copy(update={**left_out, "hidden": False, "notes": None})


def rebuild(
    slides: Sequence[SlideElements],
    images: Mapping[str, bytes],
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
) -> list[SlideDrawing]:
    """Build a deck of ``slides``, draw it, and read it again: the truth is what was built.

    Raises RenderError if it cannot be drawn.
    """
    with scratch_folder("slideeval") as folder:
        built = build_deck(slides, folder / "rebuilt.pptx", images=images)
        return draw(built.path, renderer=renderer, size=size)


def draw(
    path: Path,
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
    numbers: Sequence[int] | None = None,
) -> list[SlideDrawing]:
    """The slides of a deck with their layout, some of them or all.

    Raises DeckError if the deck cannot be read, RenderError if it cannot be drawn.
    """
    with Package.open(path) as package:
        slides = read_elements(package).slides
    wanted = slides if numbers is None else [slides[number - 1] for number in numbers]
    with open_rendered(path, renderer=renderer, size=_DRAWN, ocr=False) as deck:
        return [_drawn(slide, deck.slide(slide.number), size) for slide in wanted]


def _drawn(slide: SlideElements, page: RenderedSlide, size: tuple[int, int]) -> SlideDrawing:
    laid_out = merge_layout(slide, page.spans).slide
    return SlideDrawing(laid_out, as_frame(page.image, size), page.spans)


def as_frame(image: Picture, size: tuple[int, int] = FRAME_PIXELS) -> Picture:
    """A picture in the frame's proportions, so that its coordinates are those of the frame."""
    if image.shape[:2] == size[::-1]:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def png(image: Picture) -> bytes:
    """The picture as a PNG file."""
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, format="PNG")
    return stream.getvalue()


def rebuilt_slides(
    path: Path,
    numbers: Sequence[int],
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
) -> list[SlideDrawing]:
    """Some slides of a deck, each reduced to the schema, rebuilt and drawn.

    Raises as ``draw`` does.
    """
    with Package.open(path) as package:
        slides = read_elements(package).slides
        chosen = [in_schema(slides[number - 1]) for number in numbers]
        return rebuild(chosen, images_of(package), renderer=renderer, size=size)


LEAST_TEXTS: Final = 3
"""Section 3."""

LEAST_LIKENESS: Final = 0.9
"""Ours: mean SSIM of the slide before and after rebuilding. It is lower where decoration or a chart
is lost, or text has moved."""

TRIES: Final = 4
"""Ours: slides of a deck that are tried for each wanted seed."""


def find_seeds(
    path: Path,
    *,
    most: int | None = None,
    seed: int = 0,
    name: str = "",
    renderer: Renderer | None = None,
) -> list[int]:
    """Numbers of a deck's slides that can be seeds, at most ``most`` of them.

    Slides are tried in an order drawn from ``seed`` and ``name``. Raises DeckError if the deck
    cannot be read, RenderError if it cannot be drawn.
    """
    with Package.open(path) as package:
        slides = read_elements(package).slides
    busy = [slide.number for slide in slides if len(plain_slide(slide).texts) >= LEAST_TEXTS]
    tried = shuffled(busy, seed, name)[: None if most is None else most * TRIES]
    if not tried:
        return []
    before = draw(path, renderer=renderer, numbers=tried)
    after = rebuilt_slides(path, tried, renderer=renderer)
    seeds = [
        number
        for number, shift, other in zip(tried, before, after, strict=True)
        if likeness(shift.image, other.image) >= LEAST_LIKENESS
    ]
    return seeds[:most]


SUFFIXES: Final = frozenset({".pptx", ".pptm", ".ppsx"})
"""Decks whose elements can be read. The paper leaves the old .ppt out, too (section 3)."""


def deck_files(folder: str | Path) -> list[Path]:
    """The decks below a folder, or the single deck, sorted by path.

    Raises DeckError if there is none.
    """
    paths = [path for path in find_decks([folder]) if path.suffix.lower() in SUFFIXES]
    if not (decks := sorted(path for path in paths if path.is_file())):
        raise DeckError(folder, "holds no .pptx, .pptm or .ppsx")
    return decks


def deck_names(folder: str | Path) -> dict[str, Path]:
    """The decks of ``deck_files`` by their path below the folder; a single one by its file name."""
    base = Path(folder)
    return {
        path.name if path == base else path.relative_to(base).as_posix(): path
        for path in deck_files(folder)
    }


def shuffled(items: Sequence[int], seed: int, name: str) -> list[int]:
    """``items`` in an order that depends on seed and name only, the same on every machine.

    >>> shuffled([1, 2, 3, 4], 0, "a.pptx") == shuffled([1, 2, 3, 4], 0, "a.pptx")
    True
    """
    order = list(items)
    Random(f"{seed}/{name}").shuffle(order)
    return order


def choose_slides(
    slides: Mapping[str, Sequence[int]], sample: int | None, *, seed: int = 0
) -> dict[str, list[int]]:
    """A sample of slides by deck, sorted; None for all of them.

    Decks take turns, each with one of its slides at random, so that even a small sample comes from
    many decks: intervals are from resampled decks.

    >>> choose_slides({"a": [1, 2, 3], "b": [1]}, 3)["b"]
    [1]
    """
    order = {name: shuffled(numbers, seed, name) for name, numbers in slides.items()}
    slides_of_all = [(name, number) for name, numbers in order.items() for number in numbers]
    chosen: dict[str, list[int]] = {}
    for name, number in _in_turns(slides_of_all)[:sample]:
        chosen.setdefault(name, []).append(number)
    return {name: sorted(numbers) for name, numbers in chosen.items()}


T = TypeVar("T")

SEVERITIES: Final = tuple(step / 10 for step in range(11))
"""Section 3: 0, 0.1, ... 1."""

LEAST_SLIDES: Final = 3
"""Ours: with two slides a guess is right half of the time."""

MOST_SLIDES: Final = 50
"""Ours: the longest deck of the paper has 46 slides (table 2), and all go into one question."""

_ORDER_WIDTH: Final = 640
_ORDER_QUALITY: Final = 85
"""Ours: pictures of a whole deck go into one question, so they are smaller, and JPEG."""


@dataclass(frozen=True)
class Items(Generic[T]):
    """The items found, and a line for each deck or slide left out, with the reason."""

    chosen: tuple[T, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class ExtractItem:
    """A slide to read."""

    deck: str
    slide: int
    truth: PlainSlide
    picture: bytes
    words: str = ""
    """Contents of the slide, see ``words_of``."""

    @property
    def id(self) -> str:
        """Deck and slide."""
        return f"{self.deck}#{self.slide}"


@dataclass(frozen=True)
class RateItem:
    """A slide damaged by a known amount on one axis, to be rated on that axis."""

    deck: str
    slide: int
    axis: Axis
    severity: float
    picture: bytes
    elements: SlideElements
    spans: tuple[TextSpan, ...]
    damage: float
    """By ``slide_damage``: measured on the elements, without the severity."""
    ladder_draws: LadderDraws = "coupled"
    seed: int = 0

    @property
    def id(self) -> str:
        """Deck, slide, axis and severity."""
        return f"{self.deck}#{self.slide}/{self.axis}/{self.severity:g}"


@dataclass(frozen=True)
class OrderItem:
    """A deck to put in order."""

    deck: str
    shown: tuple[int, ...]
    """1-based numbers of its slides, in the random order in which they are shown."""
    pictures: tuple[bytes, ...]
    views: tuple[SlideView, ...]
    """The same slides as input of the baseline."""
    words: tuple[str, ...] = ()
    """Contents of the slides, see ``words_of``."""

    @property
    def id(self) -> str:
        """The deck."""
        return self.deck


def words_of(slide: SlideElements) -> str:
    """Contents of a slide as Markdown, without its notes and its number, which pictures do not
    show."""
    text = slide_markdown(slide.model_copy(update={"notes": None}))
    head, _, rest = text.partition("\n")
    title = head.removeprefix(f"## {slide.number}.").strip()
    return f"## {title}\n{rest}" if title else rest.lstrip("\n")


def extract_items(
    folder: str | Path,
    *,
    sample: int | None = None,
    seed: int = 0,
    width: int = FRAME_PIXELS[0],
    renderer: Renderer | None = None,
) -> Items[ExtractItem]:
    """Slides of the decks in a folder, rebuilt and drawn ``width`` pixels wide.

    ``sample`` bounds their number. Decks that cannot be read or drawn are left out and named.
    Raises DeckError if the folder holds no deck.
    """
    decks = deck_names(folder)
    counts, left_out = _slide_numbers(decks)
    chosen = choose_slides(counts, sample, seed=seed)

    def of(name: str, renderer: Renderer) -> Iterator[ExtractItem]:
        size = (width, round(width * FRAME_PIXELS[1] / FRAME_PIXELS[0]))
        drawn = rebuilt_slides(decks[name], chosen[name], renderer=renderer, size=size)
        for number, slide in zip(chosen[name], drawn, strict=True):
            words = words_of(slide.elements)
            yield ExtractItem(name, number, slide.truth, png(slide.image), words)

    return _gather(list(chosen), of, renderer, left_out)


def rate_items(
    folder: str | Path,
    *,
    sample: int | None = None,
    seed: int = 0,
    severities: tuple[float, ...] = SEVERITIES,
    ladder_draws: LadderDraws = "coupled",
    renderer: Renderer | None = None,
) -> Items[RateItem]:
    """Seed slides of the decks in a folder, each at every severity on every axis.

    ``sample`` bounds the number of seeds; decks take even shares of it. The rebuilt slide is the
    undamaged one (section 3). ``ladder_draws`` as in ``perturb``, ValueError included. Otherwise as
    ``extract_items``.
    """
    if ladder_draws not in LADDER_DRAWS:
        raise ValueError(f"draws are {' or '.join(LADDER_DRAWS)}, not {ladder_draws!r}")
    decks = deck_names(folder)
    share = None if sample is None else -(-sample // len(decks))
    rungs = [(axis, severity) for axis in AXES for severity in severities]

    def of(name: str, renderer: Renderer) -> Iterator[RateItem]:
        path = decks[name]
        if not (seeds := find_seeds(path, most=share, seed=seed, name=name, renderer=renderer)):
            raise DeckError(path, f"no slide has {LEAST_TEXTS} texts and stays alike when rebuilt")
        with Package.open(path) as package:
            slides, images = read_elements(package).slides, images_of(package)
        for number in seeds:
            clean = in_schema(slides[number - 1])
            key = f"{name}#{number}"
            damaged = [
                perturb(clean, axis, at, seed=seed, key=key, ladder_draws=ladder_draws)
                for axis, at in rungs
            ]
            drawn = rebuild(damaged, images, renderer=renderer)
            before = plain_slide(clean)
            for (axis, severity), damage, slide in zip(rungs, damaged, drawn, strict=True):
                amount = slide_damage(before, plain_slide(damage), axis)
                yield RateItem(
                    name, number, axis, severity, png(slide.image), slide.elements, slide.spans,
                    amount, ladder_draws, seed,
                )  # fmt: skip

    items = _gather(list(decks), of, renderer, [])
    seeds = list(dict.fromkeys((item.deck, item.slide) for item in items.chosen))
    sampled = set(seeds if sample is None else _in_turns(seeds)[:sample])
    return Items(
        tuple(item for item in items.chosen if (item.deck, item.slide) in sampled), items.left_out
    )


def order_items(
    folder: str | Path,
    *,
    sample: int | None = None,
    seed: int = 0,
    most: int = MOST_SLIDES,
    renderer: Renderer | None = None,
) -> Items[OrderItem]:
    """The decks of a folder as they are, their slides shuffled.

    ``sample`` bounds the number of decks; those with fewer than 3 or more than ``most`` slides
    are left out and named. Otherwise as ``extract_items``.
    """
    decks = deck_names(folder)
    counts, left_out = _slide_numbers(decks)
    fit = []
    for name, numbers in counts.items():
        if LEAST_SLIDES <= len(numbers) <= most:
            fit.append(name)
        else:
            left_out.append(f"{name}: has {len(numbers)} slides, not {LEAST_SLIDES} to {most}")
    places = shuffled(range(len(fit)), seed, "decks")[:sample]

    def of(name: str, renderer: Renderer) -> Iterator[OrderItem]:
        shown = _shuffled_slides(counts[name], seed, name)
        with open_rendered(decks[name], renderer=renderer, ocr=False) as deck:
            slides = [deck.slide(number) for number in shown]
        with Package.open(decks[name]) as package:
            read = read_elements(package).slides
        pictures = [
            encode_jpeg(slide.image, width=_ORDER_WIDTH, quality=_ORDER_QUALITY).data
            for slide in slides
        ]
        words = tuple(words_of(read[number - 1]) for number in shown)
        yield OrderItem(name, tuple(shown), tuple(pictures), tuple(map(view_of, slides)), words)

    return _gather([fit[index] for index in sorted(places)], of, renderer, left_out)


def _slide_numbers(decks: dict[str, Path]) -> tuple[dict[str, list[int]], list[str]]:
    """Slide numbers by deck, and the decks that cannot be read."""
    counts: dict[str, list[int]] = {}
    left_out: list[str] = []
    for name, path in decks.items():
        try:
            with Package.open(path) as package:
                slides = read_elements(package).slides
        except DeckError as error:
            left_out.append(str(error))
            continue
        counts[name] = [slide.number for slide in slides]
    return counts, left_out


def _gather(
    names: list[str],
    of: Callable[[str, Renderer], Iterator[T]],
    renderer: Renderer | None,
    left_out: list[str],
) -> Items[T]:
    """The items of all decks, drawn by one LibreOffice; decks that fail are named."""
    items: list[T] = []
    with (renderer or Renderer()).started() as started:
        started.check()
        for name in names:
            try:
                items += of(name, started)
            except DecklabError as error:
                left_out.append(str(error))
    return Items(tuple(items), tuple(left_out))


def _shuffled_slides(numbers: list[int], seed: int, name: str) -> list[int]:
    """A random order that is not the true one."""
    shown = shuffled(numbers, seed, name)
    return shown if shown != numbers else shown[::-1]


def _in_turns(slides: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Slides, by deck and number, with decks taking turns."""
    turns = Counter[str]()
    placed = []
    for deck, number in slides:
        placed.append((turns[deck], (deck, number)))
        turns[deck] += 1
    return [each for _, each in sorted(placed, key=lambda item: item[0])]
