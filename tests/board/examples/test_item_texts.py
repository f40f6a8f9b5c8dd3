"""The content of planned slides, for decks like another one."""

from pathlib import Path

import pytest
from tests.board.plans import LANGUAGES, every_layout, later_layouts

from decklab.board.examples.item_texts import content_of

ALONE = ("title", "section", "closing", "contents")
"""Layouts that may be a title alone."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_layout_is_without_content(language: str, tmp_path: Path) -> None:
    for plan in (every_layout(language, tmp_path), later_layouts(language, tmp_path)):
        for slide in plan.slides:
            content = content_of(slide)
            held = content.drawn or content.shown or content.points or content.items
            assert held or slide.layout in ALONE, slide.layout
