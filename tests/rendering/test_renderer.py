"""Renderers that several threads share."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from decklab.rendering import renderer as renderer_module
from decklab.rendering.office.office import RecordedOffice
from decklab.rendering.renderer import Renderer


def test_threads_that_begin_at_once_share_one_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    class SlowToFind(RecordedOffice):
        def __init__(self, *, deadline: float) -> None:
            super().__init__({})
            time.sleep(0.05)
            made.append(deadline)

        def close(self) -> None:
            made.append("closed")

    monkeypatch.setattr(renderer_module, "Office", SlowToFind)
    with Renderer(deadline=7).started() as renderer, ThreadPoolExecutor(4) as threads:
        engines = list(threads.map(lambda _: renderer.converter.engine, range(4)))
    assert engines == ["recorded"] * 4
    assert made == [7, "closed"]
