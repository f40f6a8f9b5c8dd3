"""What these tests share."""

import pytest
from tests.perturb.slides import plain

from decklab.deck.elements import PlainSlide


@pytest.fixture
def slide() -> PlainSlide:
    return plain()
