"""Decks of tasks, damaged copies of them, and how far each proxy moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from pptx import Presentation

from bench.judged.damages import (
    NamedDamage,
    corrupt_numbers,
    distort_charts,
    drop_points,
    invent_claims,
    only_words,
    remove_visuals,
    repeated,
    replaced,
    run_off_slides,
    strange_text,
)
from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.scenario.drafting import draft_task
from decklab.evals.judges.scenario.proxies import SourceFacts, integrity_proxy, scenario_proxies
from decklab.evals.judges.scenario.shown_deck import read_stated_deck
from decklab.evals.judges.scenario.task import ScenarioTask, load_task
from decklab.rendering.renderer import Renderer
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

DATA: Final = Path(__file__).parent / "data"
HARBOUR: Final = Path(__file__).parents[2] / "generate" / "writing" / "harbour.md"
SEEN: Final = 0.01
"""How far a metric, 0 to 10, must fall to have moved. Ours."""

_GROWTH: Final = (
    "Container traffic grew by 12% to 48,000 units as the harbour counts, but by 9% by the count "
    "of the council, which leaves out empty containers"
)
_SECOND_CRANE: Final = (
    "The harbour plans a second crane for 2027, but the council wants a wall against the noise "
    "before a second crane is built"
)
_BOTH_SEEN: Final = (
    ("Traffic", (_GROWTH, "Ships from 31 countries called at the harbour")),
    ("The crane", (
        "The crane cost 4.2 million euros and was paid from reserves",
        "Savings in the first nine months reached 4.3 million euros",
        "Residents near the quay measured 68 decibels at night since the crane began to work",
    )),
    ("Money and people", (
        "The harbour earned 61 million euros, the most in its history",
        "Accidents fell from 14 to 9",
        "On an average day 900 lorries pass the school at the north gate",
    )),
    ("What comes next", (_SECOND_CRANE,)),
)  # fmt: skip
"""A deck that brings both sources together."""

DAMAGES: Final[Mapping[ScenarioSetting, Sequence[NamedDamage]]] = {
    "long-doc": (
        NamedDamage("points dropped", "key_coverage", drop_points),
        NamedDamage("claims invented", "faithfulness", invent_claims),
        NamedDamage("numbers corrupted", "faithfulness", corrupt_numbers),
        NamedDamage("text off slides", "visual_integrity", run_off_slides),
    ),
    "multimodal": (
        NamedDamage("visuals removed", "visual_use", remove_visuals),
        NamedDamage("strange text beside", "figure_claim", strange_text),
        NamedDamage("values distorted", "chart_fidelity", distort_charts),
    ),
    "multi-source": (
        NamedDamage("one source dropped", "source_coverage", only_words("decibels", "lorries")),
        NamedDamage(
            "sources told apart", "integration",
            replaced({
                _GROWTH: (
                    "Container traffic grew by 12% to 48,000 units",
                    "Container traffic grew by 9% by the count of the council, which leaves out "
                    "empty containers",
                ),
                _SECOND_CRANE: (
                    "The harbour plans a second crane for 2027",
                    "The council wants a wall against the noise before a second crane is built",
                ),
            }),
        ),
        NamedDamage(
            "themes repeated", "deduplication",
            repeated(
                "The council counted ships from 31 countries that called at the harbour",
                "The crane cost 4.2 million euros and the council paid none of it",
            ),
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class JudgedCase:
    """A deck with its task and sources."""

    name: str
    task: ScenarioTask
    sources: tuple[Path, ...]
    deck: Path

    @cached_property
    def facts(self) -> SourceFacts:
        """The sources, read once."""
        return SourceFacts(read_documents(self.sources))


@dataclass(frozen=True)
class Movement:
    """How far each metric moved under one damage: before and after, 0 to 10."""

    case: str
    damage: NamedDamage
    before: Mapping[str, float | NotScored]
    after: Mapping[str, float | NotScored]

    def fall(self, metric: str) -> float | None:
        """How far a metric fell; None where it has no score before or after."""
        first, second = self.before[metric], self.after[metric]
        if isinstance(first, NotScored) or isinstance(second, NotScored):
            return None
        return first - second

    @property
    def seen(self) -> bool | None:
        """Whether its own metric fell; None where that had no score, or 0, to begin with."""
        first = self.before[self.damage.metric]
        if isinstance(first, NotScored) or first < SEEN:
            return None
        fall = self.fall(self.damage.metric)
        return fall is not None and fall >= SEEN

    @property
    def nearer(self) -> bool:
        """Whether all other metrics moved less than its own."""
        own = self.fall(self.damage.metric) or 0.0
        falls = [self.fall(name) or 0.0 for name in self.before if name != self.damage.metric]
        return all(abs(fall) < own for fall in falls)


def own_cases(folder: Path) -> Iterator[JudgedCase]:
    """The project's own documents; decks are written to a folder."""
    yield from document_cases(HARBOUR, folder)
    sources = (HARBOUR, DATA / "council.md")
    task = load_task(DATA / "multi-source.json", read_documents(sources))
    deck = folder / "both.pptx"
    write_plain_deck(_BOTH_SEEN, deck)
    yield JudgedCase("harbour and council", task, sources, deck)


def document_cases(document: Path, folder: Path) -> Iterator[JudgedCase]:
    """One document in two settings, with drafted tasks and a deck by ``decklab write``."""
    deck = folder / f"{document.stem}.pptx"
    deck.unlink(missing_ok=True)
    write_deck([document], deck, options=WriteOptions(slides=14))
    known = read_documents([document])
    settings: tuple[ScenarioSetting, ...] = ("long-doc", "multimodal")
    for setting in settings:
        task = draft_task(setting, known)
        yield JudgedCase(f"{document.stem}, {setting}", task, (document,), deck)


def write_plain_deck(slides: Sequence[tuple[str, Sequence[str]]], path: Path) -> None:
    """A deck of titles with points on the plain template of python-pptx."""
    deck = Presentation()
    for title, points in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(points)
    deck.save(str(path))


def movements(case: JudgedCase, folder: Path, renderer: Renderer | None) -> Iterator[Movement]:
    """Each damage of the case's setting; without a renderer, visual integrity is left out."""
    before = proxy_scores(case, case.deck, renderer)
    for damage in DAMAGES[case.task.setting]:
        if damage.metric not in before:
            continue
        deck = Presentation(str(case.deck))
        damage.damage(deck)
        damaged = folder / f"{case.deck.stem}-{damage.name.replace(' ', '-')}.pptx"
        deck.save(str(damaged))
        yield Movement(case.name, damage, before, proxy_scores(case, damaged, renderer))


def proxy_scores(
    case: JudgedCase, deck: Path, renderer: Renderer | None
) -> Mapping[str, float | NotScored]:
    """The proxies of a deck by name."""
    found = scenario_proxies(case.task, case.facts, read_stated_deck(deck))
    if renderer is not None:
        found.append(integrity_proxy(deck, renderer))
    return {one.name: one.score for one in found}
