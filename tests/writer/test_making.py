from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from decklab.board.slots.parts import Avoided, PageUse
from decklab.rendering.renderer import Renderer
from decklab.writer import making
from decklab.writer.defects import SlideDefect
from decklab.writer.making import best_drawn

OUT = Path("deck.pptx")


@dataclass(frozen=True)
class Written:
    pages: tuple[PageUse, ...]


class Board:
    """Two slides, each on the first of its pages that is not avoided; what is wrong with a page."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, faults: Mapping[str, str]) -> None:
        self.faults, self.attempts = faults, list[Written]()
        monkeypatch.setattr(making, "linted_defects", self._linted)

    def write(self, avoided: Avoided) -> Written:
        pages = []
        for of, keys in enumerate((("a", "b"), ("c", "d"))):
            kept = [key for key in keys if key not in avoided.get(of, ())] or keys
            pages.append(PageUse(of, kept[0]))
        self.attempts.append(Written(tuple(pages)))
        return self.attempts[-1]

    def _linted(self, _out: Path, _renderer: Renderer) -> tuple[list[SlideDefect], list[str]]:
        found = [
            SlideDefect(number, "lint_warning", self.faults[page.key])
            for number, page in enumerate(self.attempts[-1].pages, start=1)
            if page.key in self.faults
        ]
        return found, []

    def keys(self) -> list[str]:
        return [page.key for page in best_drawn(self.write, OUT, Renderer()).pages]


def test_a_slide_with_a_fault_stands_elsewhere_and_the_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Board(monkeypatch, {"a": "contrast.low: it cannot be read"})
    assert board.keys() == ["b", "c"]
    assert len(board.attempts) == 2


def test_the_first_choice_comes_back_where_no_other_is_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fault = "contrast.low: it cannot be read"
    board = Board(monkeypatch, {"a": fault, "b": fault})
    assert board.keys() == ["a", "c"]
    assert len(board.attempts) == 3  # the file on disk is that of the first choice again


def test_a_deck_without_faults_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(monkeypatch, {})
    assert board.keys() == ["a", "c"] and len(board.attempts) == 1


def test_what_only_the_words_cause_is_no_reason_for_another_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = Board(monkeypatch, {"c": "text.orphan: the last line is one word"})
    assert board.keys() == ["a", "c"] and len(board.attempts) == 1
