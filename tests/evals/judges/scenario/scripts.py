"""Tasks, small decks, and a model that answers each stage by a rule."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pptx import Presentation

from decklab.evals.judges.asking import INVENTED
from decklab.evals.judges.scenario.task import ScenarioTask
from decklab.models.asking import ModelReply, Usage

REPORT = """# The harbour

Container traffic grew by 12% in 2025. The crane cost 4.2 million euros and was paid from reserves.
Accidents fell from 14 to 9 in one year. Every operator trains for 40 hours a year.

| Quarter | Ships |
|---|---|
| Q1 | 210 |
| Q2 | 262 |
| Q3 | 301 |
| Q4 | 244 |
"""


def quote(document: str, text: str) -> dict[str, Any]:
    return {"document": document, "quote": text}


def key_point(name: str, text: str, weight: float = 1.0) -> dict[str, Any]:
    return {"id": name, "statement": text, "weight": weight, "evidence": quote("report.md", text)}


LONG_DOC: dict[str, Any] = {
    "title": "The harbour",
    "setting": "long-doc",
    "sources": ["report.md"],
    "key_points": [
        key_point("traffic", "Container traffic grew by 12% in 2025.", 2),
        key_point("crane", "The crane cost 4.2 million euros and was paid from reserves."),
        key_point("accidents", "Accidents fell from 14 to 9 in one year."),
    ],
}


def task(**changes: Any) -> ScenarioTask:
    return ScenarioTask.model_validate({**LONG_DOC, **changes})


def write_slides(path: Path, slides: Sequence[tuple[str, Sequence[str]]]) -> Path:
    """A deck of titles with points."""
    deck = Presentation()
    for title, points in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(points)
    deck.save(str(path))
    return path


def looked_up(said: Any, prompt: str) -> Any:
    """A reply of a judge that knows its deck: it answers rightly what is known about it."""
    if not isinstance(said, dict) or not said:
        return said
    marks = {"evidence": "Container traffic grew by 12%", "slide": 1} if "score" in said else {}
    return {"known": known_answers(prompt), **marks, **said}


def known_answers(prompt: str) -> list[dict[str, Any]]:
    """The right answers to the statements about the deck in a question."""
    asked = re.findall(r"^Statement (\d+): Slide \d+ says “(.*)”$", prompt, re.MULTILINE)
    return [{"statement": int(n), "true": text not in INVENTED} for n, text in asked]


class Script:
    """A model that answers each stage with its replies in turn, the last one for ever."""

    def __init__(self, **replies: Sequence[Any]) -> None:
        self.replies = {stage.replace("_", " "): said for stage, said in replies.items()}
        self.asked = Counter[str]()
        self.prompts: list[str] = []
        self.pictures: list[int] = []

    def __call__(self, prompt: str, *, stage: str = "", images: Sequence[bytes] = (), **_: Any):
        replies = self.replies[stage]
        said = replies[min(self.asked[stage], len(replies) - 1)]
        self.asked[stage] += 1
        self.prompts.append(prompt)
        self.pictures.append(len(images))
        if isinstance(said, Exception):
            raise said
        if callable(said):
            said = said(prompt)
        text = said if isinstance(said, str) else json.dumps(looked_up(said, prompt))
        return ModelReply(text, usage=Usage(100, 10, 0.1, 1), model="script")


def items(*states: Any, first: int = 1, evidence: str = "slide 1 says so") -> dict[str, Any]:
    """A reply with these states for the items from ``first`` on."""
    return {
        "items": [
            {"item": number, "state": state, "evidence": evidence, "slide": 1}
            for number, state in enumerate(states, start=first)
        ]
    }


def shown_words(prompt: str, item: str = "") -> tuple[int, str]:
    """The number of a slide in a prompt and words that it says, the ones most like an item's."""
    wanted = set(re.findall(r"\w+", item.lower()))

    def likeness(line: tuple[int, str]) -> int:
        return len(wanted & set(re.findall(r"\w+", line[1].lower())))

    *said, (last, _) = shown_lines(prompt)
    titles = re.findall(r"^## (\d+)\. (.+)$", prompt.partition("\n[deck ")[2], re.MULTILINE)
    if item:
        said = [*((int(slide), words) for slide, words in titles), *said]
    return max(said, key=likeness, default=(last, ""))


def shown_lines(prompt: str) -> Iterator[tuple[int, str]]:
    """Lines of three words or more that slides say, with their numbers; then the last slide."""
    slide = 1
    for line in prompt.partition("\n[deck ")[2].splitlines()[1:]:
        heading = re.match(r"## (\d+)\.", line)
        slide = int(heading[1]) if heading else slide
        words = line.lstrip("- ").strip()
        if not heading and len(words.split()) >= 3 and "|" not in words and ":" not in words:
            yield slide, words
    yield slide, ""


def always_full(prompt: str) -> str:
    """A judge that finds all of every item, with words of the deck, and 9 of 10 for every mark."""
    slide, words = shown_words(prompt)
    if "Mark from 0 to 10" in prompt:
        mark = {"score": 9, "reason": "seen", "evidence": words, "slide": slide}
        return json.dumps(looked_up(mark, prompt))
    if "List every atomic" in prompt:
        return json.dumps(looked_up({"claims": [{"slide": slide, "claim": words}]}, prompt))
    asked = re.findall(r"^(\d+)\. (.*)", prompt.split("The items:")[1], re.MULTILINE)
    if "Each item is a claim of the deck" in prompt:
        words = re.findall(r"^\[.+\.md\] (.+)$", prompt, re.MULTILINE)[0]
        shown = dict.fromkeys(asked, (slide, words))
    else:
        of_item = "something that the deck has to say" in prompt
        shown = {one: shown_words(prompt, one[1] if of_item else "") for one in asked}
    said = items(*["full"] * len(asked))
    for one, ((number, _), (slide, words)) in zip(said["items"], shown.items(), strict=True):
        one |= {"item": int(number), "evidence": words, "slide": slide}
    return json.dumps(looked_up(said, prompt))
