"""Slides built in code, with everything defaulted but what matters."""

from typing import Any

import pytest

from decklab.deck.model.base import Action
from decklab.deck.model.plain import Font
from decklab.deck.model.shapes import Cell, Chart, Group, Image, Media, Placeholder, Table, Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.model.text import Paragraph, Run, RunFont
from decklab.metrics.accessibility.findings import accessibility_findings
from decklab.results import Finding


class Build:
    """Makes elements; ids and drawing order count up."""

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
            common["placeholder"] = Placeholder(type=kind)
        return common | fields

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
        return self.text(words, **{"y": 20, "w": 700, "placeholder": "title"} | fields)

    def image(self, **fields: Any) -> Image:
        self.next += 1
        known = {"sha256": f"{self.next:064x}", "content_type": "image/png", "pixels": (10, 10)}
        return Image(**known | self._common(100, 200, 90, 90, fields))

    def chart(self, **fields: Any) -> Chart:
        return Chart(type="column", **self._common(300, 200, 300, 200, fields))

    def media(self, kind: str, **fields: Any) -> Media:
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
def build() -> Build:
    return Build()
