"""Metrics of what a deck says, by program: proxies for what a model would judge.

Paper 004, appendix B has a model judge these; here facts are sought by words and numbers.
"""

import re
from collections.abc import Iterator
from typing import Final

from decklab.documents.retrieval import search_words
from decklab.evals.judges.quiz.statements import DeckStatement, cell_statements
from decklab.evals.judges.scenario.matching import PART, Said, SourceStatements, said_in
from decklab.evals.judges.scenario.metrics import ScenarioItem
from decklab.evals.judges.scenario.shown_deck import StatedDeck
from decklab.evals.judges.scenario.task import (
    IntegrationRequirement,
    OverlapGroup,
    ScenarioTask,
    counted_label,
)
from decklab.evals.judges.scenario.visual_proxies import SourceVisuals

_CITED: Final = re.compile(
    r"\b(?:report|study|survey|paper|yearbook)\b.*\b(?:table|figure|page)\s\d", re.IGNORECASE
)
_CITATION: Final = 12
"""Words that a line has at most that names a table, figure or page of a source. Ours."""
_SOURCE_LINE: Final = re.compile(r"^(?:sources?|quellen?)\s*:", re.IGNORECASE)
_JOINING: Final = re.compile(
    r"\b(?:while|whereas|both|unlike|compared|than|but|however|together|although|though|yet|also|"
    r"versus|vs|agree|disagree|differ\w*|contrast|because|therefore|so|instead|either|neither|"
    r"während|beide|dagegen|jedoch|aber|als|sowohl|weil|deshalb)\b",
    re.IGNORECASE,
)
"""Words by which a statement compares, joins or contrasts. Ours."""
_REPEATED: Final = 0.6
"""Share of the words of the shorter statement that two have in common where one repeats the other.
Ours."""
_MOST_TOLD: Final = 120


def key_coverage(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each key point: whether a statement of the deck has its words and numbers."""
    for point in task.key_points:
        said = _better(said_in(point.statement, deck), said_in(point.evidence.quote, deck))
        yield ScenarioItem(
            point.id, point.statement, said.state, point.weight, said.evidence, said.slide
        )


def faithfulness(
    sources: SourceStatements, visuals: SourceVisuals, deck: StatedDeck
) -> Iterator[ScenarioItem]:
    """Each claim of the deck that is no heading: whether a sentence of the sources has its words
    and numbers.

    A number in large type makes one claim, with the words before it or with those after it,
    whichever the sources say. The values of a table or chart that draws a picture of the sources
    anew do not count (state None), for a program does not read them there.
    """
    unread = dict(_drawn_from_pictures(visuals, deck))
    judged: dict[tuple[int | None, str], tuple[DeckStatement, float | None, str]] = {}
    for claim in judged_claims(deck):
        picture = unread.get((claim.slide, claim.text))
        state: float | None = None
        told = f"drawn from {picture}, whose values a program does not read"
        if picture is None:
            found = sources.support(claim)
            state, told = float(found.supported), found.evidence
        key = (claim.slide, deck.number_of(claim) or claim.text)
        if key not in judged or state == 1.0:
            judged[key] = claim, state, told
    for number, (claim, state, told) in enumerate(judged.values(), start=1):
        text = claim.text[:_MOST_TOLD]
        yield ScenarioItem(f"claim {number}", text, state, evidence=told, slide=claim.slide)


def judged_claims(deck: StatedDeck) -> list[DeckStatement]:
    """The claims of a deck that are no heading and name no source."""
    return [one for one in deck.claims if not _names_source(one.text) and not deck.is_heading(one)]


def _names_source(text: str) -> bool:
    """Whether a text says where something is from, as "Annual report, table 1"."""
    short = len(text.split()) <= _CITATION
    return bool(_SOURCE_LINE.match(text) or (short and _CITED.search(text)))


def _drawn_from_pictures(
    visuals: SourceVisuals, deck: StatedDeck
) -> Iterator[tuple[tuple[int | None, str], str]]:
    """Slide and text of each cell whose table or chart draws a picture of the sources anew, and
    which."""
    for shown in deck.visuals:
        if shown.table is None:
            continue
        lines = [one.text for one in deck.by_slide.get(shown.slide, ()) if _names_source(one.text)]
        alone = sum(other.slide == shown.slide for other in deck.visuals) == 1
        cited = " ".join(lines) if alone else ""
        source = None if visuals.like(shown) else visuals.drawn_anew(shown, cited)
        if source is None:
            continue
        name = f"{source.visual.label or counted_label(source.visual)} of {source.visual.document}"
        for cell in cell_statements(shown.table, ""):
            yield (shown.slide, cell.text), name


def source_coverage(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each contribution: as key points; one of its signals on a slide counts as a mention."""
    for one in task.contributions:
        said = _better(said_in(one.statement, deck), said_in(one.evidence.quote, deck))
        if said.state == 0:
            said = _signalled(one.signals, deck) or said
        yield ScenarioItem(one.id, one.statement, said.state, one.weight, said.evidence, said.slide)


def _better(first: Said, second: Said) -> Said:
    return second if second.state > first.state else first


def _signalled(signals: tuple[str, ...], deck: StatedDeck) -> Said | None:
    for signal in signals:
        words = set(search_words(signal))
        for one in deck.statements.statements:
            if words and words <= one.words:
                return Said(0.5, one.slide, f"slide {one.slide} has the signal {signal!r}")
    return None


def integration(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each requirement: whether one slide has its parts together, and a statement that joins them.

    In full where a slide has all parts and says the requirement itself, or a statement on it has
    words of two parts and a word that joins or contrasts; in part where a slide only has two parts
    side by side. Parts on different slides are not integrated.
    """
    for requirement in task.integrations:
        said = _integrated(requirement, deck)
        yield ScenarioItem(
            requirement.id, requirement.statement, said.state, requirement.weight, said.evidence,
            said.slide,
        )  # fmt: skip


def _integrated(requirement: IntegrationRequirement, deck: StatedDeck) -> Said:
    best = Said(0.0, None, "no slide has two of its parts")
    for slide, statements in deck.by_slide.items():
        holding = [
            [one for one in statements if deck.statements.fit(part.quote, one) >= PART]
            for part in requirement.parts
        ]
        documents = {
            part.document for part, found in zip(requirement.parts, holding, strict=True) if found
        }
        if len(documents) < 2:
            continue
        joined = _joining_statement(requirement, holding, statements, deck)
        if joined and all(holding):
            return Said(1.0, slide, f"slide {slide}: {joined.text[:160]}")
        told = f"slide {slide} has parts of {', '.join(sorted(documents))}, side by side"
        best = best if best.state else Said(0.5, slide, told)
    return best


def _joining_statement(
    requirement: IntegrationRequirement,
    holding: list[list[DeckStatement]],
    statements: tuple[DeckStatement, ...],
    deck: StatedDeck,
) -> DeckStatement | None:
    """A statement that has two parts at once with a joining word, or says the requirement."""
    for one in statements:
        parts = sum(one in found for found in holding)
        if parts >= 2 and _JOINING.search(one.text):
            return one
        if deck.statements.fit(requirement.statement, one) >= 2 * PART:
            return one
    return None


def deduplication(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each overlap group that the deck tells: how many statements repeat each other on it.

    One treatment is 1, one repetition 0.5, more 0. A group of which the deck says nothing does not
    apply (state None).
    """
    for group in task.overlaps:
        told = list(_told(group, deck))
        repeats = _repeats(told)
        state = None if not told else (1.0, 0.5, 0.0)[min(repeats, 2)]
        shown = "; ".join(f"slide {one.slide}: {one.text[:80]}" for one in told[:4])
        evidence = shown or "the deck does not tell it"
        slide = told[0].slide if told else None
        yield ScenarioItem(group.id, group.theme, state, group.weight, evidence, slide)


def _told(group: OverlapGroup, deck: StatedDeck) -> Iterator[DeckStatement]:
    """Claims that say what a member of the group says; a title only where nothing else on its
    slide does, for what stands below a title carries it out and does not repeat it."""
    found = [
        one
        for one in deck.claims
        if any(
            deck.statements.fit(member.quote, one) >= PART
            and _alike(set(search_words(member.quote)), one)
            for member in group.members
        )
    ]
    below = {one.slide for one in found if not deck.is_title(one)}
    return (one for one in found if not deck.is_title(one) or one.slide not in below)


def _alike(words: set[str], statement: DeckStatement) -> bool:
    smaller = min(len(words), len(statement.words))
    return bool(smaller) and len(words & statement.words) >= _REPEATED * smaller


def _repeats(told: list[DeckStatement]) -> int:
    """How many statements say again what one before them says."""
    kept: list[DeckStatement] = []
    for one in told:
        if not any(_alike(set(other.words), one) for other in kept):
            kept.append(one)
    return len(told) - len(kept)
