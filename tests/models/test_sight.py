"""Models that do not see pictures are found out before they judge any."""

import io
from typing import Any

import pytest
from PIL import Image

from decklab.core.errors import ModelFailed
from decklab.models.asking import ModelReply
from decklab.models.asking_loop import QUESTION, PicturesUnseen, sight_number, with_sight_check

PNG = b"\x89PNG\r\n\x1a\nnot really"


class Model:
    """Says ``number`` where it is asked for the number, else ``yes``."""

    def __init__(self, number: str | ModelFailed) -> None:
        self.number, self.asked = number, list[tuple[str, int]]()
        self.shown = b""

    def __call__(self, prompt: str, *, images: Any = (), **_how: Any) -> ModelReply[Any]:
        self.asked.append((prompt, len(images)))
        if prompt != QUESTION:
            return ModelReply("yes")
        (self.shown,) = images
        if isinstance(self.number, ModelFailed):
            raise self.number
        return ModelReply(self.number)


def test_a_model_that_reads_the_number_is_asked_once_for_it() -> None:
    model = Model(f"It is {sight_number('a/model')}.")
    ask = with_sight_check(model, "a/model")
    assert [ask("Blue?", images=[PNG]).text for _ in range(2)] == ["yes", "yes"]
    assert model.asked == [(QUESTION, 1), ("Blue?", 1), ("Blue?", 1)]
    assert Image.open(io.BytesIO(model.shown)).size == (240, 120)


def test_questions_without_pictures_need_no_sight() -> None:
    model = Model("none")
    assert with_sight_check(model, "a/model")("Well?").text == "yes"
    assert model.asked == [("Well?", 0)]


@pytest.mark.parametrize("said", ["I see a cat", "", ModelFailed("m", "no image input", "refused")])
def test_a_model_that_does_not_read_it_is_shown_nothing_more(said: str | ModelFailed) -> None:
    model = Model(said)
    ask = with_sight_check(model, "a/model")
    for _ in range(2):
        with pytest.raises(PicturesUnseen, match="a/model: does not see pictures") as caught:
            ask("Blue?", images=[PNG])
        assert caught.value.kind == "refused"
    assert ask("Well?").text == "yes"
    assert model.asked == [(QUESTION, 1), ("Well?", 0)]


def test_a_server_that_fails_at_pictures_alone_does_not_take_them() -> None:
    model = Model(ModelFailed("m", "500: can only concatenate str (not list) to str", "server"))
    ask = with_sight_check(model, "a/model")
    with pytest.raises(PicturesUnseen, match="can only concatenate"):
        ask("Blue?", images=[PNG])
    assert [images for _, images in model.asked] == [1, 0]


def test_a_busy_server_says_nothing_about_sight() -> None:
    model = Model(ModelFailed("m", "slow down", "busy"))
    ask = with_sight_check(model, "a/model")
    with pytest.raises(ModelFailed, match="slow down"):
        ask("Blue?", images=[PNG])
    model.number = sight_number("a/model")
    assert ask("Blue?", images=[PNG]).text == "yes"
