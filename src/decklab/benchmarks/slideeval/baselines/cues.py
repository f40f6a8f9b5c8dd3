"""What tells the place of a slide in its deck: openings and closings, numbers, agendas, builds.

Each cue gives a matrix of evidence: entry (i, j) above 0 says that slide i comes before slide j.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from decklab.benchmarks.slideeval.baselines.words import title_of, words_of

Floats = NDArray[np.float64]

# The words are ours, from what talks and lessons usually open and close with.
_OPENING = {
    "welcome": 1.0, "agenda": 1.0, "outline": 1.0, "overview": 0.7, "contents": 0.8,
    "introduction": 0.8, "intro": 0.7, "introducing": 0.7, "prerequisites": 0.9, "objectives": 0.8,
    "goals": 0.5, "motivation": 0.7, "background": 0.5, "about": 0.4, "why": 0.4, "what": 0.3,
    "started": 0.4, "definition": 0.4, "definitions": 0.4, "history": 0.4, "problem": 0.3,
    "first": 0.3, "basics": 0.5, "mission": 0.5, "vision": 0.4, "who": 0.4, "terminology": 0.4,
    "need": 0.2, "getting": 0.3,
    "setup": 0.3, "install": 0.3, "today": 0.3, "learn": 0.3, "introdução": 0.8,
    "objetivos": 0.8, "requisitos": 0.9,
}  # fmt: skip
_CLOSING = {
    "thank": 1.0, "thanks": 1.0, "questions": 0.7, "references": 1.0, "bibliography": 1.0,
    "conclusion": 1.0, "conclusions": 1.0, "summary": 0.9, "recap": 0.8, "review": 0.4,
    "acknowledgements": 0.9, "contact": 0.7, "appendix": 1.0, "credits": 0.9, "resources": 0.8,
    "future": 0.6, "next": 0.4, "quiz": 0.6, "knowledge": 0.3, "question": 0.5, "takeaways": 0.9,
    "results": 0.3, "discussion": 0.5, "congratulations": 0.9, "feedback": 0.7, "homework": 0.7,
    "findings": 0.5, "evaluation": 0.4, "implications": 0.7, "recommendations": 0.7,
    "roadmap": 0.5, "timeline": 0.4, "financials": 0.4, "competition": 0.3, "survey": 0.5,
    "join": 0.4, "steps": 0.2, "copyright": 0.8,
    "deploy": 0.3, "evaluate": 0.2, "limitations": 0.5, "obrigado": 1.0, "resumo": 0.9,
    "referências": 1.0, "questão": 0.5,
}  # fmt: skip
_AGENDA_LINES = 3
_AGENDA_ALIKE = 0.6
_SHARED = 0.5
_SHARED_SLIDES = 4
_BUILD_KEPT = 0.9
_BUILD_LEAST = 6


def own_lines(texts: Sequence[str]) -> list[str]:
    """The texts without lines that most slides share, or that hold only words that most share."""
    lines = [[line.strip() for line in text.splitlines()] for text in texts]
    same = Counter(line for one in lines for line in set(one))
    words = Counter(word for text in texts for word in set(words_of(text)))
    most = max(_SHARED_SLIDES, _SHARED * len(texts))

    def is_own(line: str) -> bool:
        found = words_of(line)
        return same[line] < most and (not found or any(words[word] < most for word in found))

    return ["\n".join(line for line in one if is_own(line)) for one in lines]


def wordings(texts: Sequence[str]) -> Floats:
    """Where texts seem to belong by their words: -1 for an opening, 1 for a closing, shape (n,)."""
    return np.array([_place(text) for text in texts])


def _place(text: str) -> float:
    """-1 for an opening, 1 for a closing, 0 for anything else."""
    title, short = words_of(title_of(text)), words_of(text)[:12]
    score = 0.0
    for words, weight in ((title, 1.0), (short, 0.25)):
        early = max((_OPENING.get(word, 0.0) for word in words), default=0.0)
        late = max((_CLOSING.get(word, 0.0) for word in words), default=0.0)
        score += weight * (late - early)
    return float(np.clip(score, -1, 1))


def agendas(texts: Sequence[str]) -> Floats:
    """Evidence of lists whose lines are the titles of other slides: they come in that order."""
    evidence = np.zeros((len(texts), len(texts)))
    titles = [frozenset(words_of(title_of(text))) for text in texts]
    for here, text in enumerate(texts):
        lines = [frozenset(words_of(line)) for line in text.splitlines()[1:]]
        lines = [line for line in lines if line]
        items = {slide: _listed(lines, titles[slide]) for slide in range(len(texts))}
        listed = {slide: at for slide, at in items.items() if at is not None and slide != here}
        if len(set(listed.values())) < _AGENDA_LINES:
            continue
        for one, at in listed.items():
            evidence[here, one] = 1.0
            for other, after in listed.items():
                if at < after:
                    evidence[one, other] = 1.0
    return evidence


def _listed(lines: Sequence[frozenset[str]], title: frozenset[str]) -> int | None:
    """Which line is the title, if any."""
    if not title:
        return None
    alike = [len(line & title) / len(line | title) for line in lines]
    best = max(range(len(lines)), key=alike.__getitem__, default=None)
    return best if best is not None and alike[best] >= _AGENDA_ALIKE else None


def builds(texts: Sequence[str]) -> Floats:
    """Evidence of slides that hold all words of another and more: they build on it.

    Of slides with one title, that is so from the first word; of others, from some words on.
    """
    bags = [set(words_of(text)) for text in texts]
    titles = [title_of(text).lower() for text in texts]
    evidence = np.zeros((len(texts), len(texts)))
    for one, other in permutations(range(len(texts)), 2):
        small, large = bags[one], bags[other]
        least = 1 if titles[one] == titles[other] else _BUILD_LEAST
        if least <= len(small) < len(large) and len(small & large) >= _BUILD_KEPT * len(small):
            evidence[one, other] = 1.0
    return evidence
