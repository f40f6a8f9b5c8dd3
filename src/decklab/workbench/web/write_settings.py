"""What a person wants written: the fields of the form and of the JSON API."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from decklab.board.themes import THEMES
from decklab.core.options import WRITE_SLIDES, TextLength

LONGEST_PASTED = 400_000
"""Characters of a text that is pasted; longer ones are uploaded as files (ours)."""
_FITS = ("", "fits", None)


def _checked_theme(name: str) -> str:
    _ = THEMES[name]
    return name


Whether = Annotated[bool | None, BeforeValidator(lambda said: None if said in _FITS else said)]
"""Yes, no, or what the content asks for, which a form sends as empty."""
ThemeChoice = Annotated[str, BeforeValidator(_checked_theme)]
Words = Annotated[
    str, BeforeValidator(lambda said: said.strip() if isinstance(said, str) else said)
]


class DraftSettings(BaseModel):
    """What a deck is wanted for and as; see ``WriteOptions``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: Words = Field(default="", max_length=4000)
    title: Words = Field(default="", max_length=200)
    slides: int = Field(default=WRITE_SLIDES, ge=3, le=200)
    look: Literal["theme", "template", "like"] = "theme"
    """What the deck looks like: a theme, a company template, or another deck."""
    theme: ThemeChoice = "light"
    language: Words = Field(default="en", max_length=35)
    source_language: Words = Field(default="", max_length=35)
    audience: Words = Field(default="", max_length=300)
    tone: Words = Field(default="", max_length=300)
    length: TextLength = "standard"
    title_page: Whether = None
    contents: Whether = None
    closing: Whether = None
    icons: bool = False
    style: bool = False
    """Whether a model fills in the style on top of the theme."""
    free_layout: bool = False
    refine: Whether = None
    """Whether the drawn deck is looked at and mended; for a model by itself."""
    by_model: bool = False
    outline_first: bool = True

    def options(self, theme: str = "") -> dict[str, Any]:
        """The fields of ``WriteOptions`` that name no file, in a theme of its own or another one.

        An empty ``theme`` is the look of these settings.
        """
        same = ("prompt", "title", "slides", "language", "source_language", "length",
                "title_page", "contents", "closing", "style", "refine")  # fmt: skip
        found: dict[str, Any] = {name: getattr(self, name) for name in same}
        found |= {name: said for name in ("audience", "tone") if (said := getattr(self, name))}
        themed = bool(theme) or self.look == "theme"
        found["theme"] = (theme or self.theme) if themed else ""
        found["icons"] = self.icons and themed
        found["free_layout"] = self.free_layout and themed
        return found
