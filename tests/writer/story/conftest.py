"""Plans of long documents in small: what a few sentences show is told as if there were many."""

import pytest

from decklab.writer.story import paging


@pytest.fixture
def long_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents are told as long ones, however short they are."""
    monkeypatch.setattr(paging, "_SHORT", 0)
