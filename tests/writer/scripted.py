"""What a scripted model writes about the harbour, stage by stage."""

import json
from collections import Counter
from collections.abc import Sequence
from threading import Lock
from typing import Any

from decklab.board.themes import THEMES
from decklab.models.asking import ModelReply, ModelTool, Usage
from decklab.writer.style import style_of

PLAN: dict[str, Any] = {
    "title": "A good year for the harbour",
    "subtitle": "2025",
    "pages": [
        {"role": "opening", "section": "", "title": "A good year", "purpose": "open"},
        {"role": "body", "section": "Traffic", "title": "Traffic", "purpose": "it grew"},
        {"role": "body", "section": "Staff", "title": "Safety", "purpose": "it is safer"},
        {"role": "ending", "section": "", "title": "What follows", "purpose": "end"},
    ],
}


def outlined(title: str, *points: str, queries: tuple[str, ...] = (), visual: str = "") -> Any:
    return {"title": title, "points": list(points), "queries": list(queries), "visual": visual}


OUTLINED: dict[str, Any] = {
    "pages": [
        outlined("A good year for the harbour"),
        outlined("Traffic grew", "containers", queries=("container traffic grew",)),
        outlined("Work is safer", "accidents", queries=("accidents training",)),
        outlined("What follows", "crane", queries=("crane savings",)),
    ]
}


def page(**changes: Any) -> dict[str, Any]:
    return {
        "title": "Traffic grew", "title_quote": "", "title_evidence": 0, "layout": "body",
        "subtitle": "", "points": [], "accent": 0, "chart": None, "html": "", "notes": "",
        **changes,
    }  # fmt: skip


def point(text: str, quote: str, evidence: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "text": text, "label": "", "group": "", "level": 0, "quote": quote, "evidence": evidence,
        "formula": "", **changes,
    }  # fmt: skip


GOOD = page(points=[point("Containers grew by 12%", "Container traffic grew by 12% to 48,000")])
SAFE = page(title="Work is safer", points=[point("Fewer accidents", "Accidents fell from 14 to 9")])
END = page(title="What follows", points=[point("The crane pays", "Savings in nine months reached")])


STYLE = style_of(THEMES["light"]).model_dump()


class Script:
    """A model that answers each stage with its replies in turn, the last one for ever.

    A reply may be a function of the prompt, or an error that is raised.
    """

    def __init__(self, **replies: list[Any]) -> None:
        self.replies, self.asked = replies, Counter[str]()
        self.prompts: list[str] = []
        self.images: list[tuple[str, tuple[bytes, ...]]] = []
        self._lock = Lock()

    def __call__(
        self,
        prompt: str,
        *,
        images: Sequence[bytes] = (),
        answer: Any = None,
        system: str | None = None,
        temperature: float | None = None,
        tools: Sequence[ModelTool] = (),
        most_calls: int = 0,
        stage: str = "",
    ) -> ModelReply[Any]:
        with self._lock:
            key = stage
            if stage == "page":
                number = prompt.split("Write page ", 1)[1].split(" ", 1)[0]
                key = f"page{number}" if f"page{number}" in self.replies else "page"
            replies = self.replies[key]
            text = replies[min(self.asked[key], len(replies) - 1)]
            self.asked[key] += 1
            self.prompts.append(prompt)
            self.images.append((stage, tuple(images)))
        if isinstance(text, Exception):
            raise text
        if callable(text):
            text = text(prompt)
        said = text if isinstance(text, str) else json.dumps(text)
        return ModelReply(said, usage=Usage(100, 10, 0.1, 1), model="script")
