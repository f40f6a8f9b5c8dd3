"""Pictures of a folder on the slides that they fit: matched by words, each used once.

What a picture shows is told by a text file beside it, by its own description (EXIF, IPTC), or by
its name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import log
from pathlib import Path
from typing import Final, cast

from PIL import Image, ImageFile, ImageOps, IptcImagePlugin, UnidentifiedImageError

from decklab.board.blueprint import DeckPlan, PicturePlan, Point, SlidePlan
from decklab.board.pages.layout import stay_whole
from decklab.board.themes import THEMES
from decklab.core.errors import PlanError
from decklab.core.files import write_whole
from decklab.documents.retrieval import search_words

FORMATS: Final = frozenset((".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"))
_READABLE: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_ANY_PROGRAM: Final = ("PNG", "JPEG", "GIF", "BMP", "TIFF")
_DESCRIPTION: Final = 0x010E  # ImageDescription, TIFF 6.0 and Exif 2.32
_ORIENTATION: Final = 0x0112
_CAPTION: Final = (2, 120)  # Caption/Abstract, IPTC IIM 4.2
_MOST_PIXELS: Final = 80_000_000
_PHOTO_COLOURS: Final = 1_200
"""Different colours of 64 by 64 pixels above which a picture is a photograph. Ours."""
_ALT_CHARACTERS: Final = 240
_BESIDE_CHARACTERS: Final = 300
_BESIDE_POINTS: Final = 5
_CAMERA = re.compile(r"(?i)\b(?:img|dsc[fn]?|image|photo|pict?|screenshot|untitled)\b|\d{3,}")


@dataclass(frozen=True)
class FolderPicture:
    """A picture of a folder and what it shows, in words."""

    path: Path
    caption: str
    photograph: bool

    @property
    def plan(self) -> PicturePlan:
        """The picture as a slide shows it."""
        kind = "photograph" if self.photograph else "figure"
        alt = self.caption if len(self.caption) <= _ALT_CHARACTERS else (
            self.caption[:_ALT_CHARACTERS].rpartition(" ")[0] + " …"
        )  # fmt: skip
        return PicturePlan.model_validate({"path": str(self.path), "alt": alt, "kind": kind})


def read_pictures(folder: str | Path, made: Path) -> tuple[list[FolderPicture], list[str]]:
    """The pictures of a folder by name, and a line for each that cannot be used.

    What only some programs draw, and what a camera turned, is written to the folder ``made``.
    Raises PlanError where the folder cannot be read, or holds no picture.
    """
    root = Path(folder)
    try:
        files = sorted(path for path in root.iterdir() if path.suffix.lower() in FORMATS)
    except OSError as error:
        raise PlanError(
            f"{root}: the folder of pictures cannot be read: {error.strerror}"
        ) from error
    found: list[FolderPicture] = []
    told: list[str] = []
    for path in files:
        try:
            found.append(_read(path, made))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            problem = "it is no picture" if isinstance(error, UnidentifiedImageError) else error
            told.append(f"picture {path.name}: not used: {problem}")
    if not files:
        raise PlanError(f"{root}: there is no picture in it (PNG, JPEG, GIF, BMP, TIFF, WebP)")
    return found, told


def _read(path: Path, made: Path) -> FolderPicture:
    with Image.open(path, formats=_READABLE) as image:
        if image.width * image.height > _MOST_PIXELS:
            raise ValueError(f"it has {image.width} x {image.height} pixels, too many")
        caption = _caption(path, image)
        turned = image.getexif().get(_ORIENTATION, 1) not in (0, 1)
        shown = ImageOps.exif_transpose(image) if turned else image
        colours = shown.convert("RGB").resize((64, 64)).getcolors(64 * 64) or []
        photograph = len(colours) > _PHOTO_COLOURS
        if turned or image.format not in _ANY_PROGRAM:
            path = _copied(shown, path, made, photograph=photograph)
    return FolderPicture(path, caption, photograph)


def _copied(image: Image.Image, path: Path, made: Path, *, photograph: bool) -> Path:
    data, kind = BytesIO(), "JPEG" if photograph else "PNG"
    image.convert("RGB" if photograph else "RGBA").save(data, kind, quality=90)
    made.mkdir(parents=True, exist_ok=True)
    copy = made / f"{path.stem}-upright.{'jpg' if photograph else 'png'}"
    write_whole(copy, data.getvalue())
    return copy


def _caption(path: Path, image: Image.Image) -> str:
    """The subject of a picture: from a text beside it, its own description, or its name."""
    for beside in (f"{path.stem}.txt", f"{path.stem}.md", f"{path.name}.txt", f"{path.name}.md"):
        file = path.with_name(beside)
        if file.is_file():
            text = _plain(file.read_text(encoding="utf-8", errors="replace"))
            if text:
                return text
    described = _plain(str(image.getexif().get(_DESCRIPTION, "")))
    if not described:
        iptc = IptcImagePlugin.getiptcinfo(cast(ImageFile.ImageFile, image)) or {}
        raw = iptc.get(_CAPTION, b"")
        described = _plain((raw if isinstance(raw, bytes) else b"").decode("utf-8", "replace"))
    return described or _words_of_name(path.stem) or path.stem


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f#*`\ufffd]", " ", text).split())


def _words_of_name(stem: str) -> str:
    """A file's name as words; empty where a camera made it up.

    >>> _words_of_name("newCrane_at-night"), _words_of_name("IMG_20260312")
    ('new Crane at night', '')
    """
    text = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])", " ", re.sub(r"[_\-.]+", " ", stem))
    return " ".join(_CAMERA.sub(" ", text).split())


def with_pictures(
    plan: DeckPlan, pictures: Sequence[FolderPicture], theme: str
) -> tuple[DeckPlan, list[str]]:
    """A plan with pictures beside the text of the slides that they fit best, and what was not used.

    A picture and a slide fit where they share a word that does not stand on most slides; rare words
    count more. Slides with more text than fits beside a picture stay as they are.
    """
    slides = list(plan.slides)
    used: set[Path] = set()
    matches = sorted(_matches(plan, pictures), key=lambda one: (-one[0], one[1]))
    fitting = _fitting(plan, {at: picture.plan for _, at, picture in matches}, theme)
    for _, at, picture in matches:
        if picture.path in used or slides[at].picture is not None or at not in fitting:
            continue
        shown = len([one for one in slides if one.picture])
        made = beside_picture(slides[at], picture.plan, left=shown % 2 == 1)
        if made is not None:
            slides[at] = made
            used.add(picture.path)
    left = [one.path.name for one in pictures if one.path not in used]
    told = [f"pictures without a slide that they fit: {', '.join(left)}"] if left else []
    return plan.model_copy(update={"slides": tuple(slides)}), told


def _fitting(plan: DeckPlan, pictures: Mapping[int, PicturePlan], theme: str) -> set[int]:
    """The places of the slides whose text fits beside a picture, whichever that is."""
    made = {
        at: slide for at, picture in pictures.items()
        if (slide := beside_picture(plan.slides[at], picture, left=False)) is not None
    }  # fmt: skip
    fitting = fits_beside(plan, list(made.values()), theme)
    return {at for at, holds in zip(made, fitting, strict=True) if holds}


def _matches(
    plan: DeckPlan, pictures: Sequence[FolderPicture]
) -> Iterator[tuple[float, int, FolderPicture]]:
    """How well each picture fits each slide, where it does."""
    words = [set(search_words(" ".join((*slide.texts, slide.section or "")))) for slide in
             plan.slides]  # fmt: skip
    counts = {word: sum(word in own for own in words) for word in set().union(*words)}
    for picture in pictures:
        wanted = set(search_words(picture.caption))
        for at, own in enumerate(words):
            shared = [word for word in wanted & own if 2 * counts[word] <= max(len(words), 2)]
            if shared and takes_picture(plan.slides[at]):
                yield sum(log(1 + len(words) / counts[word]) for word in shared), at, picture


def takes_picture(slide: SlidePlan) -> bool:
    """Whether a slide has text alone, little enough to stand beside a picture."""
    if slide.shown_role != "body" or slide.layout not in ("body", "cards", "statement"):
        return False
    points = _points(slide)
    length = sum(len(point.text) for point in points)
    return len(points) <= _BESIDE_POINTS and length <= _BESIDE_CHARACTERS


def beside_picture(slide: SlidePlan, picture: PicturePlan, *, left: bool) -> SlidePlan | None:
    """A slide with a picture beside its text; None where it is none that takes one.

    A subtitle, which such a slide does not show, goes to the notes.
    """
    if not takes_picture(slide):
        return None
    notes = "\n".join(text for text in (slide.subtitle, slide.notes) if text)
    return SlidePlan(
        layout="picture_left" if left else "picture_right", title=slide.title, role=slide.role,
        section=slide.section, body=_points(slide), picture=picture, source=slide.source,
        notes=notes,
    )  # fmt: skip


def _points(slide: SlidePlan) -> tuple[Point, ...]:
    cards = [f"{card.label}: {card.text}" if card.text else card.label for card in slide.cards]
    return (*slide.body, *(Point(text=text) for text in cards))


def fits_beside(plan: DeckPlan, slides: Sequence[SlidePlan], theme: str) -> list[bool]:
    """Whether the text of each slide with a picture fits its layout in a theme.

    Raises what the browser raises.
    """
    if not slides:
        return []
    return list(stay_whole(plan.model_copy(update={"slides": tuple(slides)}), THEMES[theme]))
