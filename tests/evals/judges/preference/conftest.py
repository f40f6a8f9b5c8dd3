"""Decks that are not drawn from files, and models that follow a rule."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.evals.judges.honest import with_known

from decklab.evals.judges.preference.showing import ShownDeck, shown_slides
from decklab.models.asking import ModelReply, Usage


def judgement(winner: str, *, design: str = "", layout: str = "") -> str:
    criterion = {"score_difference": 2, "reason": "seen"}
    return json.dumps(
        {
            "visual_design": {"winner": design or winner, **criterion},
            "layout": {"winner": layout or winner, **criterion},
            "overall_winner": winner, "overall_reason": "it looks so", "confidence": 3,
        }
    )  # fmt: skip


def deck(name: str, slides: int = 2, shade: int = 200) -> ShownDeck:
    """A deck of one grey, by which a model can tell it from others."""
    images = [np.full((54, 96, 3), shade, np.uint8) for _ in range(slides)]
    return shown_slides(name, images, [f"{name} slide {n}" for n in range(1, slides + 1)])


Rule = Callable[[str, list[bytes]], str]


def asking_by(rule: Rule) -> Any:
    """A model that replies by a rule of prompt and pictures; ``asked`` holds what it saw."""
    asked: list[tuple[str, list[bytes]]] = []

    def ask(prompt: str, *, images=(), answer=None, system=None, temperature=None, **_: Any):
        asked.append((prompt, list(images)))
        said = with_known(prompt, rule(prompt, list(images)))
        return ModelReply(said, usage=Usage(10, 5, 0.1, 1), model="rule")

    ask.asked = asked  # type: ignore[attr-defined]
    return ask


@pytest.fixture
def three() -> list[ShownDeck]:
    return [deck("bright", shade=250), deck("middle", shade=150), deck("dark", shade=50)]
