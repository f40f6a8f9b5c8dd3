"""Output perturbations of decks (paper 004, section VI-D): each weakens one thing that decks do.

A damage takes an open presentation and changes it; it is the same on every run.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from typing import Any, Final

from pptx.chart.data import CategoryChartData
from pptx.util import Emu

Damage = Callable[[Any], None]

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_STEP: Final = re.compile(r"(\s*\(?\d{1,2}[.)]\s+|)(.*)", re.DOTALL)
INVENTED: Final = (
    "A storm destroyed the northern lighthouse in April",
    "Fishermen from Iceland bought three submarines",
    "The ministry awarded a medal to every gardener",
    "Olive trees replaced all street lamps downtown",
)
"""Claims that no document of ours makes."""


def _paragraphs(deck: Any) -> Iterator[Any]:
    """Paragraphs with words, those of titles left out."""
    for slide in deck.slides:
        yield from _paragraphs_of(slide)


def _paragraphs_of(slide: Any) -> Iterator[Any]:
    for shape in slide.shapes:
        if shape.has_text_frame and shape != slide.shapes.title:
            yield from (one for one in shape.text_frame.paragraphs if one.text.strip())


def _set_text(paragraph: Any, text: str) -> None:
    first, *others = paragraph.runs or [paragraph.add_run()]
    first.text = text
    for run in others:
        run._r.getparent().remove(run._r)


def drop_points(deck: Any) -> None:
    """Delete every other paragraph; lines that name a source do not count."""
    points = [one for one in _paragraphs(deck) if not one.text.startswith("Source")]
    for paragraph in points[::2]:
        _set_text(paragraph, "")


def invent_claims(deck: Any) -> None:
    """Add claims of no source, one to each slide that has a text body."""
    for number, slide in enumerate(deck.slides):
        bodies = [
            shape
            for shape in slide.shapes
            if shape.has_text_frame and shape != slide.shapes.title and shape.text_frame.text
        ]
        if bodies:
            added = bodies[0].text_frame.add_paragraph()
            added.text = f"{INVENTED[number % len(INVENTED)]} ({number + 1} times)"


def corrupt_numbers(deck: Any) -> None:
    """Change every number in paragraphs to another one; what counts chapters or steps stays."""
    for slide in deck.slides:
        counted = _counted({one.text.strip() for one in _paragraphs_of(slide)})
        for paragraph in _paragraphs_of(slide):
            changed = _STEP.sub(_other_numbers, paragraph.text, count=1)
            if changed != paragraph.text and paragraph.text.strip() not in counted:
                _set_text(paragraph, changed)


def _counted(texts: Collection[str]) -> set[str]:
    """Texts that count 1, 2, 3, as chapters of an agenda are counted."""
    counted = set(takewhile(lambda number: number in texts, map(str, count(1))))
    return counted if len(counted) > 1 else set()


def _other_numbers(line: re.Match[str]) -> str:
    """A line with other numbers, behind the number of its step."""
    return line[1] + _NUMBER.sub(lambda found: f"{float(found[0]) * 3 + 7:g}", line[2])


def _visuals(deck: Any) -> Iterator[Any]:
    for slide in deck.slides:
        for shape in list(slide.shapes):
            if shape.has_chart or shape.has_table or hasattr(shape, "image"):
                yield shape


def remove_visuals(deck: Any) -> None:
    """Delete every picture, table and chart."""
    for shape in list(_visuals(deck)):
        shape._element.getparent().remove(shape._element)


def drop_visuals(deck: Any) -> None:
    """Delete every other picture, table and chart."""
    for shape in list(_visuals(deck))[::2]:
        shape._element.getparent().remove(shape._element)


def strange_text(deck: Any) -> None:
    """Put text beside visuals that says nothing of them, no longer than what stood there, so that
    nothing overflows."""
    for slide in deck.slides:
        shown = [one for one in slide.shapes if one in list(_visuals_of(slide))]
        if not shown:
            continue
        for number, shape in enumerate(one for one in slide.shapes if one.has_text_frame):
            paragraphs = [one for one in shape.text_frame.paragraphs if one.text.strip()]
            for paragraph in paragraphs:
                _set_text(paragraph, _cut(INVENTED[number % len(INVENTED)], len(paragraph.text)))


def _cut(text: str, most: int) -> str:
    """The first words of a text, and at least one.

    >>> _cut("Olive trees replaced all street lamps", 14), _cut("Olive trees", 2)
    ('Olive trees', 'Olive')
    """
    first = text.split(maxsplit=1)[0]
    return text if len(text) <= most else text[:most].rpartition(" ")[0] or first


def _visuals_of(slide: Any) -> Iterator[Any]:
    for shape in slide.shapes:
        if shape.has_chart or shape.has_table or hasattr(shape, "image"):
            yield shape


def distort_charts(deck: Any) -> None:
    """Change a third of the values of native tables and charts."""
    for shape in _visuals(deck):
        if shape.has_table:
            cells = [cell for row in list(shape.table.rows)[1:] for cell in list(row.cells)[1:]]
            for cell in cells[::3]:
                text = _NUMBER.sub(lambda found: f"{float(found[0]) * 3 + 7:g}", cell.text)
                _set_text(cell.text_frame.paragraphs[0], text)
        elif shape.has_chart:
            _distort_chart(shape.chart)


def _distort_chart(chart: Any) -> None:
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = [str(one) for one in chart.plots[0].categories]
    for series in chart.plots[0].series:
        changed = [v * 3 + 7 if n % 3 == 0 and v else v for n, v in enumerate(series.values)]
        data.add_series(series.name, changed)
    chart.replace_data(data)


def only_words(*words: str) -> Damage:
    """A damage that deletes paragraphs with one of some words."""

    def drop(deck: Any) -> None:
        for paragraph in list(_paragraphs(deck)):
            if any(word in paragraph.text for word in words):
                _set_text(paragraph, "")

    return drop


def replaced(pairs: Mapping[str, Sequence[str]]) -> Damage:
    """A damage that puts the first of some texts in place of a paragraph, and each of the others
    onto a slide of its own."""

    def part(deck: Any) -> None:
        for paragraph in list(_paragraphs(deck)):
            texts = pairs.get(paragraph.text)
            if texts:
                _set_text(paragraph, texts[0])
                for text in texts[1:]:
                    _add_slide(deck, "More", text)

    return part


def repeated(*texts: str) -> Damage:
    """A damage that tells some texts again, each twice, on slides of their own."""

    def repeat(deck: Any) -> None:
        for text in texts:
            for title in ("Once more", "Again"):
                _add_slide(deck, title, text)

    return repeat


def _add_slide(deck: Any, title: str, text: str) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = text


def run_off_slides(deck: Any) -> None:
    """Put the first text of every other slide across its lower edge again; nothing is said anew."""
    for slide in list(deck.slides)[::2]:
        texts = [one.text_frame.text for one in slide.shapes if one.has_text_frame]
        left, top = Emu(deck.slide_width // 8), Emu(int(deck.slide_height * 0.965))
        box = slide.shapes.add_textbox(left, top, Emu(deck.slide_width // 2), Emu(400_000))
        box.text_frame.text = next((one for one in texts if one.strip()), "?")


@dataclass(frozen=True)
class NamedDamage:
    """A damage and the metric that it must lower."""

    name: str
    metric: str
    damage: Damage
