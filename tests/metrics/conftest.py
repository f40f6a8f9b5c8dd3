"""Slides of the plain schema in a few words, and a snapshot to edit as plain data."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from decklab.deck.deck import write_samples
from decklab.deck.model.base import PlainSlide
from decklab.deck.views.snapshot import snapshot
from decklab.ooxml.package import Package

BLACK, WHITE = "#000000", "#FFFFFF"


def text(x: float, y: float, w: float, h: float, words: str, **font: Any) -> dict[str, Any]:
    """A text box; ``font`` changes its name, size, style or colour."""
    plain = {"name": "Arial", "size": 18.0, "style": (), "color": BLACK}
    place = {"x": float(x), "y": float(y), "w": float(w), "h": float(h)}
    return place | {"text": words, "font": plain | font, "align": "left"}


def rect(x: float, y: float, w: float, h: float, **paint: Any) -> dict[str, Any]:
    """A filled and outlined area."""
    plain = {"rx": 0.0, "fill": "#336699", "stroke": BLACK, "strokeWidth": 1.0}
    return {"x": float(x), "y": float(y), "w": float(w), "h": float(h)} | plain | paint


def line(x1: float, y1: float, x2: float, y2: float, **paint: Any) -> dict[str, Any]:
    """A black line of 2 pt."""
    ends = {"x1": float(x1), "y1": float(y1), "x2": float(x2), "y2": float(y2)}
    return ends | {"stroke": BLACK, "strokeWidth": 2.0} | paint


def image(x: float, y: float, w: float, h: float) -> dict[str, Any]:
    """A picture."""
    return {"x": float(x), "y": float(y), "w": float(w), "h": float(h)}


def table(x: float, y: float, w: float, h: float, *rows: tuple[str, ...]) -> dict[str, Any]:
    """A table by its rows."""
    return {"x": float(x), "y": float(y), "w": float(w), "h": float(h), "cells": rows}


def slide(background: str = WHITE, **families: list[dict[str, Any]]) -> PlainSlide:
    """A slide with these families of elements, the others empty."""
    empty: dict[str, Any] = dict.fromkeys(("texts", "rects", "lines", "images", "tables"), ())
    size = {"w": 960.0, "h": 540.0}
    return PlainSlide.model_validate({"size": size, "background": background} | empty | families)


class Drawing:
    """The builders above under one name, for tests to ask for as a fixture."""

    text, rect, line = staticmethod(text), staticmethod(rect), staticmethod(line)
    image, table = staticmethod(image), staticmethod(table)
    slide: Callable[..., PlainSlide] = staticmethod(slide)

    @staticmethod
    def full() -> PlainSlide:
        """A slide with something of every kind that any metric looks at."""
        return slide(
            background="#FAFAFA",
            texts=[
                text(60, 40, 600, 60, "Quarterly results", size=36.0, style=("bold",)),
                text(60, 140, 400, 100, "Revenue grew by 12%", name="Georgia", color="#224488"),
                text(60, 260, 400, 100, "Costs fell", name="Calibri", style=("italic",)),
                text(60, 480, 200, 20, "See appendix", size=10.0, style=("underscore",)),
            ],
            rects=[
                rect(500, 140, 200, 100, rx=10.0),
                rect(720, 140, 200, 100, fill="#FFCC00", stroke="#AA0000", strokeWidth=3.0),
            ],
            lines=[line(60, 110, 900, 110), line(500, 260, 600, 460, stroke="#00AA00")],
            images=[image(640, 280, 240, 180)],
            tables=[table(300, 300, 180, 120, ("Year", "Sum"), ("2024", "7"))],
        )


@pytest.fixture
def draw() -> Drawing:
    """Builders of plain slides."""
    return Drawing()


@pytest.fixture(scope="session")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A snapshot of the plain sample deck."""
    path = write_samples(Path(tmp_path_factory.mktemp("plain")))[0]
    with Package.open(path) as package:
        return snapshot(package)


@pytest.fixture
def deck(taken: dict[str, Any]) -> dict[str, Any]:
    """The deck as it is."""
    return deepcopy(taken)


@pytest.fixture
def other(taken: dict[str, Any]) -> dict[str, Any]:
    """The same deck, for a test to change."""
    return deepcopy(taken)


@pytest.fixture
def third(taken: dict[str, Any]) -> dict[str, Any]:
    return deepcopy(taken)
