"""The summary of a data set as one page."""

from dataclasses import dataclass
from pathlib import Path

from decklab.core.version import VERSION
from decklab.pages.page import check_page, output_page, write_page
from decklab.pages.wording import deck_name
from decklab.workbench.corpus.summary import CorpusSummary, Distribution

_WIDTH = 300.0
_HEIGHT = 72.0


@dataclass(frozen=True)
class HistogramBar:
    """One bar, in units of the drawing, and what it says on hovering."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True)
class HistogramCard:
    """A distribution as it is drawn."""

    of: Distribution
    bars: tuple[HistogramBar, ...]
    box: tuple[float, float]
    """Where the box of the middle half begins, and how wide it is."""
    middle: float
    far: tuple[tuple[str, str, float], ...]
    """Outliers: path, name and value."""


SUMMARY_PAGE = "corpus.html"
"""The template of the page."""


def check_summary_page(path: str | Path, *, force: bool = False) -> None:
    """Check that the page can be written; raises NameTaken where ``path`` is another file."""
    check_page(path, SUMMARY_PAGE, force=force)


def write_summary_page(path: str | Path, found: CorpusSummary) -> None:
    """Write the summary to ``path``, complete in itself, whole or not at all."""
    with output_page(path, SUMMARY_PAGE) as page:
        write_page(
            page, SUMMARY_PAGE, "open-for-print.js", package="decklab.workbench.corpus",
            found=found, cards=[_card(one) for one in found.distributions],
            generated_by=f"decklab {VERSION}",
        )  # fmt: skip


def _card(one: Distribution) -> HistogramCard:
    highest = max(one.bins)
    step = (one.high - one.low) / len(one.bins)
    wide = _WIDTH / len(one.bins)
    bars = tuple(
        HistogramBar(
            x=place * wide, y=_HEIGHT * (1 - count / highest), width=wide - 1,
            height=_HEIGHT * count / highest,
            says=f"{one.low + place * step:.4g} to {one.low + (place + 1) * step:.4g}: {count}",
        )
        for place, count in enumerate(one.bins) if count
    )  # fmt: skip
    left, right = _across(one, one.lower), _across(one, one.upper)
    far = tuple((item.deck, deck_name(item.deck), item.value) for item in one.outliers)
    return HistogramCard(one, bars, (left, max(1.5, right - left)), _across(one, one.middle), far)


def _across(one: Distribution, value: float) -> float:
    return _WIDTH * min(1.0, max(0.0, (value - one.low) / (one.high - one.low)))
