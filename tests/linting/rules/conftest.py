"""Slides and their drawn text built in code, with everything defaulted but what matters."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

from decklab.core.geometry import Box
from decklab.core.results import Finding
from decklab.deck.model.base import Action, Font
from decklab.deck.model.shapes import (
    Body,
    Cell,
    Chart,
    Group,
    Image,
    Media,
    Paragraph,
    Placeholder,
    Rect,
    Run,
    RunFont,
    Solid,
    Table,
    Text,
)
from decklab.deck.model.slide import Animation, DeckElements, SlideElements, TemplateElements
from decklab.linting.rules.every import accessibility_findings, integrity_findings
from decklab.linting.rules.page import Page

LAYOUT = "ppt/slideLayouts/slideLayout1.xml"


@dataclass(frozen=True)
class DrawnSpan:
    """What a renderer would say of one run on one line."""

    text: str
    box: Box
    size_pt: float = 20.0
    color: str = "#000000"
    font: str = ""
    line: int = 0


class _Elements:
    """Fields that elements of all kinds have; ids and drawing order count up."""

    def __init__(self) -> None:
        self.next = 0

    def _common(self, x: float, y: float, w: float, h: float, fields: dict[str, Any]) -> dict:
        self.next += 1
        kind = fields.pop("placeholder", None)
        common = {
            "id": self.next, "z": self.next, "name": f"Shape {self.next}",
            "x": float(x), "y": float(y), "w": float(w), "h": float(h),
        }  # fmt: skip
        if kind is not None:
            common["placeholder"] = Placeholder(type=kind, idx=fields.pop("idx", 0))
        return common | fields


class Build(_Elements):
    """Makes elements, slides and what a renderer would say of them."""

    def text(
        self, words: str, x: float = 100, y: float = 100, w: float = 300, h: float = 60, *,
        size: float = 20.0, font: str = "Arial", autofit: Any = "none", align: Any = "left",
        anchor: Any = "top", scale: float = 1.0, **fields: Any,
    ) -> Text:  # fmt: skip
        face = RunFont(name=font, size=size, style=(), color="#000000")
        paragraphs = tuple(
            Paragraph(runs=(Run(text=line, font=face),) if line else ())
            for line in words.split("\n")
        )
        return Text(
            text=words,
            font=Font(name=font, size=size, style=(), color="#000000"),
            align=align,
            paragraphs=paragraphs,
            body=Body(autofit=autofit, anchor=anchor, font_scale=scale),
            **self._common(x, y, w, h, fields),
        )

    def rect(
        self, x: float = 100, y: float = 100, w: float = 300, h: float = 60, *,
        alpha: float = 1.0, **fields: Any,
    ) -> Rect:  # fmt: skip
        paint = Solid(kind="solid", color="#336699", alpha=alpha)
        plain = {"rx": 0.0, "fill": "#336699", "stroke": None, "strokeWidth": 0.0, "paint": paint}
        return Rect(**plain | self._common(x, y, w, h, fields))

    def behind(self, text: Text, **fields: Any) -> Rect:
        """The painted area of the shape that a text is in."""
        area = self.rect(text.x, text.y, text.w, text.h, **fields)
        return area.model_copy(update={"id": text.id, "z": text.z, "name": text.name})

    def image(self, x: float, y: float, w: float, h: float, **fields: Any) -> Image:
        known = {"sha256": "0" * 64, "content_type": "image/png", "pixels": (10, 10)}
        return Image(**known | self._common(x, y, w, h, fields))

    def table(self, x: float, y: float, w: float, h: float, cells: list[list[str]]) -> Table:
        grid = tuple(tuple(row) for row in cells)
        return Table(cells=grid, **self._common(x, y, w, h, {}))

    def animation(self, shape: int, kind: Any = "entrance") -> Animation:
        return Animation(order=0, effect="fade", kind=kind, trigger="on_click", shape=shape)

    def slide(self, *items: Any, number: int = 1, **fields: Any) -> SlideElements:
        kinds: dict[str, tuple[Any, ...]] = {}
        for item in items:
            name = f"{type(item).__name__.lower()}s"
            kinds[name] = (*kinds.get(name, ()), item)
        plain: dict[str, Any] = {
            "background": "#FFFFFF",
            "number": number,
            "id": 255 + number,
            "layout_part": LAYOUT,
        }
        return SlideElements(**plain | {"layout": "Content"} | kinds | fields)

    def layout(self, *texts: Text) -> TemplateElements:
        return TemplateElements(
            background="#FFFFFF", kind="layout", name="Content", part=LAYOUT, texts=texts
        )

    def deck(self, *slides: SlideElements, layouts: Any = ()) -> DeckElements:
        return DeckElements(
            size_pt=(960.0, 540.0), slides=slides, layouts=layouts, masters=(), themes=()
        )

    def span(
        self, text: str, left: float, top: float, right: float, bottom: float, **fields: Any
    ) -> DrawnSpan:
        return DrawnSpan(text, Box(left, top, right, bottom), **fields)

    def lines(
        self, text: Text, *, top: float, count: int, pitch: float = 24.0, right: float = 380.0
    ) -> list[DrawnSpan]:
        """A text drawn line by line, its words spread evenly, ink 16 px high."""
        words = text.text.split()
        per = -(-len(words) // count)
        return [
            self.span(
                " ".join(words[index * per : (index + 1) * per]), text.x + 7, top + index * pitch,
                right, top + index * pitch + 16, line=index,
            )
            for index in range(count)
        ]  # fmt: skip

    def white(self) -> np.ndarray:
        return np.full((540, 960, 3), 255, np.uint8)

    def inked(self, spans: list[DrawnSpan]) -> np.ndarray:
        """A white slide on which every other column of each span is black."""
        image = self.white()
        for span in spans:
            left, top, right, bottom = (round(edge) for edge in span.box)
            image[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0) : 2] = 0
        return image

    def lint(
        self, slide: SlideElements, spans: Any = (), image: Any = None, **options: Any
    ) -> list[Finding]:
        layouts = options.pop("layouts", ())
        deck = self.deck(slide, layouts=layouts)
        return integrity_findings(deck, [Page(slide.number, spans, image)], **options)

    def lint_all(self, *args: Any, **options: Any) -> list[Finding]:
        """What ``lint`` gives, with the rules that reports of scores leave out."""
        return self.lint(*args, unscored=True, **options)

    def told(self, rule: str, *args: Any, **options: Any) -> list[Finding]:
        """The findings of one rule."""
        return [item for item in self.lint_all(*args, **options) if item.rule == rule]

    def rules(self, *args: Any, **options: Any) -> list[str]:
        return [finding.rule for finding in self.lint(*args, **options)]


@pytest.fixture
def build() -> Build:
    return Build()


class PlainBuild(_Elements):
    """Makes elements of slides that are not drawn, with runs, links and languages."""

    def run(self, words: str, *, url: str | None = None, language: str | None = "en-US") -> Run:
        font = RunFont(name="Arial", size=20.0, style=(), color="#000000", language=language)
        click = None if url is None else Action(kind="url", target=url)
        return Run(text=words, font=font, click=click)

    def text(
        self, *runs: Run | str, x: float = 100, y: float = 100, w: float = 300, h: float = 40,
        **fields: Any,
    ) -> Text:  # fmt: skip
        made = tuple(self.run(item) if isinstance(item, str) else item for item in runs)
        return Text(
            text="".join(run.text for run in made),
            font=Font(name="Arial", size=20.0, style=(), color="#000000"),
            align="left",
            paragraphs=(Paragraph(runs=made),),
            **self._common(x, y, w, h, fields),
        )

    def title(self, words: str, **fields: Any) -> Text:
        known: dict[str, Any] = {"y": 20, "w": 700, "placeholder": "title"}
        return self.text(words, **known | fields)

    def image(self, **fields: Any) -> Image:
        self.next += 1
        known = {"sha256": f"{self.next:064x}", "content_type": "image/png", "pixels": (10, 10)}
        return Image(**known | self._common(100, 200, 90, 90, fields))

    def chart(self, **fields: Any) -> Chart:
        return Chart(type="column", **self._common(300, 200, 300, 200, fields))

    def media(self, kind: Literal["video", "audio"], **fields: Any) -> Media:
        return Media(medium=kind, **self._common(300, 200, 300, 200, fields))

    def group(self, id: int, **fields: Any) -> Group:
        return Group(**self._common(0, 0, 900, 500, fields) | {"id": id})

    def table(self, rows: int = 3, columns: int = 3, *, cell: Any = None, **fields: Any) -> Table:
        grid = tuple(tuple(Cell() for _ in range(columns)) for _ in range(rows))
        if cell is not None:
            grid = ((cell, *grid[0][1:]), *grid[1:])
        return Table(
            cells=tuple(("word",) * columns for _ in range(rows)),
            rows=grid,
            columns=(100.0,) * columns,
            **self._common(100, 300, 300, 90, fields),
        )

    def slide(self, *items: Any, number: int = 1, **fields: Any) -> SlideElements:
        kinds: dict[str, tuple[Any, ...]] = {}
        for item in items:
            name = type(item).__name__.lower()
            name = name if name == "media" else f"{name}s"
            kinds[name] = (*kinds.get(name, ()), item)
        return SlideElements(background="#FFFFFF", number=number, **kinds | fields)

    def deck(self, *slides: SlideElements) -> DeckElements:
        return DeckElements(
            size_pt=(960.0, 540.0), slides=slides, layouts=(), masters=(), themes=()
        )

    def lint(self, *items: Any) -> list[Finding]:
        """Findings on a slide that has a title of its own above the items."""
        title = self.title("A slide", y=-60, z=0)
        return accessibility_findings(self.deck(self.slide(title, *items)))

    def rules(self, *items: Any) -> list[str]:
        return [finding.rule.removeprefix("accessibility.") for finding in self.lint(*items)]


@pytest.fixture
def plain() -> PlainBuild:
    return PlainBuild()
