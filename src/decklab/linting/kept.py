"""Findings that take the picture of a slide, kept between runs by all that they depend on."""

import json
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from decklab.core.result_store import ResultStore, code_stamp
from decklab.core.results import Finding, Occurrence
from decklab.deck.model.shapes import Element
from decklab.deck.model.slide import Contents
from decklab.linting.rules.every import LINT_RULES, PictureFindings
from decklab.linting.rules.legibility import LowContrastText
from decklab.linting.rules.missing import Unseen
from decklab.linting.rules.page import DrawnSlide
from decklab.metrics.contrast import InkContrast


class KeptFindings:
    """Findings on slides whose pictures have keys, from ``results`` if they are there."""

    def __init__(self, results: ResultStore | None) -> None:
        self._results = results
        self._fresh: dict[str, bytes] = {}
        self._sheets: dict[str, str] = {}

    def of(
        self, shows: DrawnSlide, lost: Unseen, judge: Callable[[], PictureFindings]
    ) -> PictureFindings:
        """The findings that ``judge`` gives, or gave of the same slide before."""
        if self._results is None or not shows.page.key:
            return judge()
        key = self._key(shows, lost)
        kept = self._results.get([key]).get(key)
        if kept is None:
            kept = self._fresh[key] = _plain(judge(), shows)
        return _findings(kept, shows)

    def keep(self) -> None:
        """Keep the findings that are new."""
        if self._results is not None:
            self._results.put(self._fresh)

    def _key(self, shows: DrawnSlide, lost: Unseen) -> str:
        for sheet in shows.behind:
            if sheet.part not in self._sheets:
                self._sheets[sheet.part] = _digest(sheet)
        sheets = [self._sheets[sheet.part] for sheet in shows.behind]
        facts = [code_stamp(), shows.page.key, lost, shows.replaced, shows.limits, shows.strict]
        return sha256(repr([*facts, *sheets, _digest(shows.slide)]).encode()).hexdigest()


def _digest(contents: Contents) -> str:
    return sha256(contents.model_dump_json().encode()).hexdigest()


def _elements(shows: DrawnSlide) -> list[Element]:
    return [item for sheet in (shows.slide, *shows.behind) for item in sheet.elements()]


def _plain(found: PictureFindings, shows: DrawnSlide) -> bytes:
    """Findings as JSON: texts and elements by their places on the slide."""
    places = {id(item): place for place, item in enumerate(_elements(shows))}
    spans = {id(span): place for place, span in enumerate(shows.spans)}
    faint = [
        [item.slide, spans[id(item.span)], asdict(item.contrast), item.least, item.severity,
         item.rule.id, item.element and places[id(item.element)], item.everywhere]
        for item in found.faint
    ]  # fmt: skip
    hits = [[hit.finding.model_dump(mode="json"), hit.cause, hit.also] for hit in found.hits]
    return json.dumps([faint, hits]).encode()


def _findings(plain: bytes, shows: DrawnSlide) -> PictureFindings:
    faint, hits = json.loads(plain)
    elements = _elements(shows) if faint else []
    return PictureFindings(
        [
            LowContrastText(
                slide, shows.spans[span], _contrast(contrast), least, severity, LINT_RULES[rule],
                None if element is None else elements[element], everywhere,
            )
            for slide, span, contrast, least, severity, rule, element, everywhere in faint
        ],
        [
            Occurrence(Finding.model_validate(finding, strict=False), _hashable(cause), also)
            for finding, cause, also in hits
        ],
    )  # fmt: skip


def _contrast(plain: dict[str, Any]) -> InkContrast:
    return InkContrast(**{name: _hashable(value) for name, value in plain.items()})


def _hashable(plain: Any) -> Any:
    """JSON with tuples in place of lists."""
    return tuple(map(_hashable, plain)) if isinstance(plain, list) else plain
