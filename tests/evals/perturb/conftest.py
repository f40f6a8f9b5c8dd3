"""What these tests share."""

import pytest
from tests.evals.perturb.slides import plain

from decklab.deck.model.base import PlainSlide


@pytest.fixture
def slide() -> PlainSlide:
    return plain()
