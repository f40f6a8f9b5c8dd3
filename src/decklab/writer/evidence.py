"""Whether what a model wrote on a page stands in the evidence that it was given.

A program looks up every quote and every number, so that a model cannot invent either.
"""

from collections.abc import Iterator, Sequence

from decklab.documents.numbers import parse_numbers
from decklab.documents.quotes import SearchableText
from decklab.documents.sections import Passage
from decklab.writer.forms import WrittenPage
from decklab.writer.outline import Evidence


def page_problem(page: WrittenPage, evidence: Sequence[Passage]) -> str | None:
    """What of a page its evidence does not hold, in words for the model; None where it holds all.

    Without evidence there is nothing to quote; then a number is a problem, since nobody can say
    where it is from.
    """
    return next(iter(page_problems(page, evidence)), None)


def page_problems(page: WrittenPage, evidence: Sequence[Passage]) -> Iterator[str]:
    """All problems of a page, as ``page_problem`` words them."""
    if page.form != "points" and len(page.labels) != len(page.points):
        yield f"labels: there are {len(page.labels)} for {len(page.points)} points"
    if page.title_quote or page.title_evidence:
        yield from _quote_problem("title_quote", page.title_quote, page.title_evidence, evidence)
    for place, point in enumerate(page.points):
        if evidence:
            name = f"points.{place}.quote"
            yield from _quote_problem(name, point.quote, point.evidence, evidence)
    yield from _number_problems(page)


def _quote_problem(
    name: str, quote: str, number: int, evidence: Sequence[Passage]
) -> Iterator[str]:
    if not 1 <= number <= len(evidence):
        yield f"{name}: there is no evidence {number}; name one from 1 to {len(evidence)}"
    elif SearchableText([evidence[number - 1].quote]).find(quote) is None:
        yield f"{name}: evidence {number} does not have the words {quote[:120]!r}; copy its words"


def _number_problems(page: WrittenPage) -> Iterator[str]:
    quoted = [page.title_quote, *(point.quote for point in page.points)]
    known = {value for quote in quoted for item in parse_numbers(quote) for value in item.values}
    texts = [
        ("title", page.title),
        *((f"points.{at}.text", point.text) for at, point in enumerate(page.points)),
    ]
    texts += [(f"labels.{at}", label) for at, label in enumerate(page.labels)]
    for name, text in texts:
        for item in parse_numbers(text):
            if item.kind != "reference" and not known.issuperset(item.values):
                shown = text[item.start : item.end]
                yield f"{name}: {shown!r} stands in no quote of this page; leave it out or quote it"


_NO_TITLE = {"title": "-", "title_quote": "", "title_evidence": 0, "form": "points", "labels": ()}


def proven_part(page: WrittenPage, evidence: Sequence[Passage]) -> tuple[WrittenPage, list[str]]:
    """A page without the points that its evidence does not hold, and these, a line each.

    The title may still have a problem of its own.
    """
    kept: list[int] = []
    left_out: list[str] = []
    for at, point in enumerate(page.points):
        alone = page.model_copy(update={**_NO_TITLE, "points": (point,)})
        problem = page_problem(alone, evidence)
        if problem is None:
            kept.append(at)
        else:
            left_out.append(f"{point.text} ({problem.removeprefix('points.0.')})")
    points = tuple(page.points[at] for at in kept)
    return page.model_copy(update={"points": points, "form": "points", "labels": ()}), left_out


def quoted_evidence(quote: str, number: int, evidence: Sequence[Passage]) -> tuple[Evidence, ...]:
    """A quote of numbered evidence as it stands in an outline; none where it is not there."""
    if not quote or not 1 <= number <= len(evidence):
        return ()
    passage = evidence[number - 1]
    if SearchableText([passage.quote]).find(quote) is None:
        return ()
    return (Evidence(document=passage.document, page=passage.page, quote=quote),)


def evidence_lines(evidence: Sequence[Passage]) -> str:
    """Passages as a model sees them: a line each, with the number that it names them by.

    >>> evidence_lines([])
    'none'
    """
    lines = (
        f"[{number}] ({item.document}{f', page {item.page}' if item.page else ''}) {item.quote}"
        for number, item in enumerate(evidence, start=1)
    )
    return "\n".join(lines) or "none"
