"""Degraded style: font families, sizes, emphasis and colours of texts, and the background."""

from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from math import exp
from typing import Any, TypeVar

from decklab.deck.model.paint import PictureFill, Solid
from decklab.deck.model.plain import Font, FontStyle, PlainSlide, PlainText
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.model.text import Paragraph, RunFont
from decklab.evals.perturb.constants import (
    ALPHA,
    BACKGROUND,
    FAMILIES,
    FAMILY,
    HUE_DEG,
    INJECT,
    INJECTED_COLORS,
    LIGHTNESS,
    LOG_SIZE,
    LOW_CONTRAST,
    OUTLIER,
    OUTLIER_FACTOR,
    SATURATION,
    SIZE_PT,
    TOGGLE,
    AnySlide,
    Draws,
    is_shown,
)

_FULL = 255


def jittered(color: str, severity: float, draws: Draws) -> str:
    """A colour near ``color`` in hue, lightness and saturation (appendix D, style)."""
    hue, lightness, saturation = rgb_to_hls(*_channels(color))
    hue += draws.uniform(-HUE_DEG, HUE_DEG) * severity / 360
    lightness += draws.uniform(-LIGHTNESS, LIGHTNESS) * severity
    saturation += draws.uniform(-SATURATION, SATURATION) * severity
    return _hex(hls_to_rgb(hue % 1, _share(lightness), _share(saturation)))


def mixed(color: str, other: str, alpha: float) -> str:
    """(1 - alpha) of ``color`` with alpha of ``other``.

    >>> mixed("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    pairs = zip(_channels(color), _channels(other), strict=True)
    red, green, blue = ((1 - alpha) * a + alpha * b for a, b in pairs)
    return _hex((red, green, blue))


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red / _FULL, green / _FULL, blue / _FULL


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(_share(value) * _FULL):02X}" for value in channels)


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))


F = TypeVar("F", bound=Font)

_STYLES: tuple[FontStyle, ...] = ("bold", "italic", "underscore")
_DIGITS = 2


def perturb_style(
    slide: AnySlide, severity: float, draws: Draws, *, share: float = 1.0
) -> AnySlide:
    """Change fonts and colours of texts, and the background (paper 000, appendix D, style).

    ``severity`` goes from 0 to 1, ``share`` is the probability that a text is changed. Sizes stay
    between 6 and 120 pt, outliers too. A background that is a picture keeps its picture.
    """
    texts = []
    for index, item in enumerate(slide.texts):
        stream = draws.of("texts", index)
        if is_shown(item) and stream.chance(share):
            change = _Restyling.drawn(item.font, slide.background, severity, stream)
            texts.append(_restyled(item, change))
        else:
            texts.append(item)
    update: dict[str, Any] = {"texts": tuple(texts)}
    ground = draws.of("background")
    if ground.chance(BACKGROUND(severity)):
        update |= _repainted(slide, jittered(slide.background, severity, ground))
    return slide.model_copy(update=update)


@dataclass(frozen=True)
class _Restyling:
    """All random changes to the font of a text; they apply to each of its runs."""

    family: str | None
    factor: float
    toggled: frozenset[FontStyle]
    injected: str | None
    jitter: tuple[float, int]
    """Severity, and the name of a stream of draws, so that runs of one colour keep one colour."""
    ground: str
    alpha: float

    @classmethod
    def drawn(cls, font: Font, ground: str, severity: float, draws: Draws) -> "_Restyling":
        others = [name for name in FAMILIES if name.casefold() != font.name.casefold()]
        switched, family = draws.chance(FAMILY(severity)), draws.choice(others)
        factor = exp(draws.normal(LOG_SIZE(severity)))
        far, outlier = draws.chance(OUTLIER(severity)), draws.uniform(*OUTLIER_FACTOR)
        toggled = [style for style in _STYLES if draws.chance(TOGGLE(severity))]
        loud, injected = draws.chance(INJECT(severity)), draws.choice(INJECTED_COLORS)
        return cls(
            family=family if switched else None,
            factor=factor * outlier if far else factor,
            toggled=frozenset(toggled),
            injected=injected if loud else None,
            jitter=(severity, draws.index(2**53)),
            ground=ground,
            alpha=ALPHA(severity) if draws.chance(LOW_CONTRAST(severity)) else 0.0,
        )

    def color(self, color: str) -> str:
        """A colour, changed."""
        severity, name = self.jitter
        color = self.injected or jittered(color, severity, Draws("jitter", name))
        return mixed(color, self.ground, self.alpha)

    def font(self, font: F) -> F:
        """A font, changed."""
        size = min(max(font.size * self.factor, SIZE_PT.low), SIZE_PT.high)
        style = tuple(name for name in _STYLES if (name in font.style) != (name in self.toggled))
        update: dict[str, Any] = {
            "name": self.family or font.name,
            "size": round(size, _DIGITS),
            "style": style,
            "color": self.color(font.color),
        }
        if isinstance(font, RunFont):
            update |= {"paint": None, "slot": None}
        return font.model_copy(update=update)


def _restyled(item: PlainText, change: _Restyling) -> PlainText:
    update: dict[str, Any] = {"font": change.font(item.font)}
    if isinstance(item, Text):
        update |= {
            "paragraphs": tuple(_restyled_paragraph(one, change) for one in item.paragraphs),
            "drawn": None,
        }
    return item.model_copy(update=update)


def _restyled_paragraph(paragraph: Paragraph, change: _Restyling) -> Paragraph:
    runs = tuple(run.model_copy(update={"font": change.font(run.font)}) for run in paragraph.runs)
    return paragraph.model_copy(update={"runs": runs})


def _repainted(slide: PlainSlide | SlideElements, color: str) -> dict[str, Any]:
    """The fields of a slide with another background colour; a picture as background stays."""
    update: dict[str, Any] = {"background": color}
    if isinstance(slide, SlideElements) and not isinstance(slide.background_paint, PictureFill):
        update["background_paint"] = Solid(kind="solid", color=color)
    return update
