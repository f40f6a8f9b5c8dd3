"""Plans of long documents in small: what a few sentences show is told as if there were many."""

import pytest

from decklab.writer.story import outlining


@pytest.fixture
def long_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are told as long ones, however short they are."""
    monkeypatch.setattr(outlining, "is_short", lambda *_given: False)
