"""What these tests share."""

import pytest
from tests.perturb.slides import plain

from decklab.deck.elements.model.plain import PlainSlide


@pytest.fixture
def slide() -> PlainSlide:
    return plain()
