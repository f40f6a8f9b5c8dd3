"""A screen that a program of the tests draws: a slide with one title, and a deck behind it."""

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from pptx import Presentation

from decklab.evals.desktop.environment import (
    Action,
    ActionRefused,
    Click,
    Closed,
    EnvironmentFailed,
    Keys,
    Move,
    Type,
    chord,
)

SIZE = (640, 400)
TITLE = (120, 150, 520, 210)
"""Where the title is: left, top, right, bottom."""


class FakeScreen:
    """A click on the title selects its text, typing replaces it, ctrl+s saves.

    ``dies_at`` is the number of the action at which the editor ends; with ``blinks`` a text cursor
    is there after every second one.
    """

    def __init__(self, deck: Path, *, title: str = "Old title", dies_at: int = 0) -> None:
        self.deck, self.title, self.dies_at = deck, title, dies_at
        self.selected = self.closed = self.blinks = False
        self.saved: str | None = None
        self.done: list[Action] = []
        self._save()

    size = SIZE

    def screenshot(self) -> Image.Image:
        picture = Image.new("RGB", SIZE, "white")
        draw = ImageDraw.Draw(picture)
        draw.rectangle((0, 0, SIZE[0], 24), fill="#dde3ea")
        draw.text((8, 6), "Saved" if self.saved == self.title else "Not saved", fill="black")
        draw.rectangle(TITLE, outline="#2a62c8" if self.selected else "#999", width=2)
        draw.text((140, 170), self.title, fill="black")
        if self.blinks and len(self.done) % 2:
            draw.line((300, 160, 300, 200), fill="black", width=2)
        return picture

    def act(self, action: Action) -> Image.Image:
        self.done.append(action)
        if len(self.done) == self.dies_at:
            raise EnvironmentFailed("editor", "it was killed", self.deck)
        match action:
            case Click(x, y) | Move(x, y) if not (0 <= x < SIZE[0] and 0 <= y < SIZE[1]):
                raise ActionRefused(f"the point {x}, {y} is not on the screen")
            case Click(x, y):
                left, top, right, bottom = TITLE
                self.selected = left <= x < right and top <= y < bottom
            case Type(text) if self.selected:
                self.title = text
            case Keys(keys) if chord(keys) == chord("ctrl+s"):
                self._save()
            case Keys("F9"):
                raise ActionRefused("there is no key F9 on this keyboard")
        return self.screenshot()

    def accessible_text(self) -> str | None:
        left, top, right, _ = TITLE
        return f"window 'deck'\nshape 'Title' = '{self.title}' {left},{top} {right - left}x60"

    def close(self) -> Closed:
        if 0 < self.dies_at <= len(self.done):
            raise EnvironmentFailed("editor", "it was killed", self.deck)
        self._save()
        self.closed = True
        return Closed(self.deck, saved=True)

    def _save(self) -> None:
        deck: Any = Presentation()
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = self.title
        deck.save(self.deck)
        self.saved = self.title


def title_of(deck: Path | None) -> str:
    """The title of the first slide, as python-pptx reads it."""
    assert deck is not None
    presentation: Any = Presentation(str(deck))
    return str(presentation.slides[0].shapes.title.text)
