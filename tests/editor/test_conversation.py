"""Questions about an edit, and what becomes of pictures that a model does not see."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from decklab.core.errors import ModelFailed
from decklab.editor.conversation import Conversation, EditRecord, with_less
from decklab.models.asking import ModelReply, Usage
from decklab.models.asking_loop import PicturesUnseen


class Yes(BaseModel):
    yes: bool


def test_a_model_that_sees_nothing_is_asked_without_pictures(tmp_path: Path) -> None:
    asked: list[tuple[str, int, str]] = []

    def ask(prompt: str, *, images: Any = (), stage: str = "", **_how: Any) -> ModelReply[Any]:
        if images:
            raise PicturesUnseen("a/model", "shown the number 1234 it said “none”")
        asked.append((prompt, len(images), stage))
        return ModelReply('{"yes": true}', usage=Usage(7, 3, 1.0, 1), model="a/model")

    conversation = Conversation(ask, EditRecord(tmp_path))
    assert conversation.answer("plan", "Is it blue?", Yes, images=[b"png"]) == Yes(yes=True)
    assert asked == [("Is it blue?\n\n(The pictures could not be shown.)", 0, "plan")]
    assert "does not see pictures" in conversation.unseen
    assert conversation.usage == Usage(7, 3, 1.0, 1)


def test_a_function_that_knows_no_stage_is_asked_without(tmp_path: Path) -> None:
    def ask(
        prompt: str, *, images: Any = (), answer: Any = None, system: Any = None,
        temperature: Any = None,
    ) -> ModelReply[Any]:  # fmt: skip
        return ModelReply('{"yes": true}')

    conversation = Conversation(ask, EditRecord(tmp_path))  # type: ignore[arg-type] # no stage
    assert conversation.answer("plan", "Is it?", Yes) == Yes(yes=True)
    assert not conversation.takes_tools


def test_earlier_requests_go_along_with_each_question(tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(prompt: str, **_how: Any) -> ModelReply[Any]:
        asked.append(prompt)
        return ModelReply('{"yes": true}')

    earlier = ["1. “Make it red”: Slide 1: the title is red."]
    Conversation(ask, EditRecord(tmp_path), earlier=earlier).answer("plan", "Bigger", Yes)
    assert asked[0].startswith("Bigger\n\nEarlier requests")
    assert asked[0].endswith(earlier[0])


def test_a_question_that_is_too_long_is_put_with_less() -> None:
    asked = list[int]()

    def ask(most: int) -> str:
        asked.append(most)
        if most > 15_000:
            raise ModelFailed("m", "maximum context length", "too_long")
        return "fits"

    assert with_less(ask, 40_000) == "fits"
    assert asked == [40_000, 20_000, 10_000]
    with pytest.raises(ModelFailed, match="context length"):
        with_less(ask, 80_000)
    assert asked[3:] == [80_000, 40_000, 20_000]


def test_what_fails_for_another_reason_is_not_put_again() -> None:
    asked = list[int]()

    def ask(most: int) -> str:
        asked.append(most)
        raise ModelFailed("m", "no key", "refused")

    with pytest.raises(ModelFailed, match="no key"):
        with_less(ask, 40_000)
    assert asked == [40_000]
