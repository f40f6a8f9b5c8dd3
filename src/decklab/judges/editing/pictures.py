"""Pairs of slide pictures for judges."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image as PillowImage

from decklab.metrics.colors import Image
from decklab.metrics.pictures import color_ssim

_EFFORT = 1
"""Compression of PNGs, 0 to 9: bytes are many, time is short. Ours."""


@dataclass(frozen=True)
class PicturePair:
    """A slide of the truth and of the prediction, as PNG; one of them may not be there."""

    number: int
    """1-based place in the show."""
    truth: bytes | None
    prediction: bytes | None

    @property
    def images(self) -> list[bytes]:
        """Those there are, the truth first."""
        return [image for image in (self.truth, self.prediction) if image is not None]

    @property
    def labels(self) -> list[str]:
        """What each picture is, and what is not there."""
        return [
            f"slide {self.number}, {name}: {'a picture' if image else 'there is no such slide'}"
            for name, image in (("truth", self.truth), ("prediction", self.prediction))
        ]


def pairs_to_judge(
    truth: Sequence[Image], prediction: Sequence[Image], alike: float
) -> list[PicturePair]:
    """The slides, paired by their place in the show, whose ``color_ssim`` is below ``alike``;
    slides that only one of the decks has are among them."""
    count = max(len(truth), len(prediction))
    rows = [
        [pictures[n] if n < len(pictures) else None for n in range(count)]
        for pictures in (truth, prediction)
    ]
    return [
        PicturePair(number, encoded(old), encoded(new))
        for number, (old, new) in enumerate(zip(*rows, strict=True), start=1)
        if old is None or new is None or color_ssim(old, new) < alike
    ]


def batches(pairs: Sequence[PicturePair], size: int) -> Iterator[Sequence[PicturePair]]:
    """``size`` pairs at a time."""
    for start in range(0, len(pairs), size):
        yield pairs[start : start + size]


def encoded(image: Image | None) -> bytes | None:
    """A picture as PNG."""
    if image is None:
        return None
    data = BytesIO()
    PillowImage.fromarray(image).save(data, "PNG", compress_level=_EFFORT)
    return data.getvalue()
