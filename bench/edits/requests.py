"""Ten requests on ten decks, and requests drawn at random that a deck can carry out."""

import random
import re
from collections.abc import Callable, Iterator

from decklab.deck.model.slide import DeckElements, SlideElements

__all__ = ["TEN", "drawn"]

TEN = (
    ("full_intro-react_slides.pptx", "replace 'React' with 'Preact' on slides 2-4"),
    ("full_azure-functions_slides.pptx",
     "set row 2, column 1 of the table on slide 22 to 'Pilot'; "
     "set the alt text of the picture on slide 26 to 'A function and its triggers'"),
    ("full_django-get-started_slides.pptx", "delete slide 4"),
    ("full_intro-git-github-version-control_slides.pptx", "duplicate slide 6"),
    ("long_slides_43.pptx", "move slide 5 to position 2"),
    ("full_build-resume-website_slides.pptx", "add slide numbers on slides 6-8"),
    ("test-data_slideshow_aptia.pptx", "align the titles right on slides 2-4"),
    ("full_regression-aml-designer_RegressionAMLDesigner.pptx",
     "set the font of the titles on slides 4-6 to 'Georgia'; make the title on slide 5 bold"),
    ("test-data_slideshow_keyframes.pptx",
     "set the transition on slides 1-2 to fade, lasting 0.7 seconds; "
     "set the notes of slide 1 to 'Start with the story.'"),
    ("test-data_slideshow_2411-Performance_Up.pptx",
     "set the color of the body text on slide 6 to accent2; "
     "link 'webserver' on slide 2 to slide 6"),
)  # fmt: skip
"""Deck and request."""

Maker = Callable[[random.Random, SlideElements, int], str | None]


def drawn(deck: DeckElements, chance: random.Random, count: int) -> Iterator[str]:
    """Requests of different kinds that name what the deck has."""
    kinds = chance.sample(_MAKERS, len(_MAKERS))
    slides = list(deck.slides)
    for make in kinds:
        if not count:
            return
        chance.shuffle(slides)
        found = next((asked for one in slides if (asked := make(chance, one, len(slides)))), None)
        if found:
            count -= 1
            yield found


def _words(slide: SlideElements) -> list[str]:
    said = " ".join(run.text for item in slide.texts for line in item.paragraphs
                    for run in line.runs if run.kind == "run")  # fmt: skip
    return [word for word in re.findall(r"[^\W\d_]{4,}", said) if "’" not in word]


def _replace(chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    words = _words(slide)
    if not words:
        return None
    new = chance.choice(("Überprüfung", "it's", "数据", "x & <y>", "word"))
    return f'replace "{chance.choice(words)}" with "{new}" on slide {slide.number}'


def _everywhere(chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    words = _words(slide)
    return f"replace '{chance.choice(words)}' with 'Something'" if words else None


def _title(_chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    held = any(one.placeholder and one.placeholder.type in ("title", "ctrTitle")
               for one in slide.texts)  # fmt: skip
    return f"set the title of slide {slide.number} to 'A “new” title'" if held else None


def _look(chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    if not _words(slide):
        return None
    where = chance.choice(("titles", "body text", "all text"))
    look = chance.choice(("#C00000", "accent3", "bold", "underlined", "13 pt", "not italic"))
    return f"make the {where} {look} on slide {slide.number}".replace("the all", "all")


def _shape(chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    named = [one.name for one in slide.texts if one.name and "'" not in one.name and one.text]
    if not named:
        return None
    shape = chance.choice(named)
    return f"set the size of the text of the shape '{shape}' on slide {slide.number} to 11.5 pt"


def _font(_chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    return f"set the font on slide {slide.number} to 'Courier New'" if _words(slide) else None


def _center(_chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    return f"center the body text on slide {slide.number}" if _words(slide) else None


def _order(chance: random.Random, slide: SlideElements, total: int) -> str | None:
    if total < 2:
        return None
    n, m = slide.number, chance.randint(1, total)
    return chance.choice((f"delete slide {n}", f"duplicate slide {n}", f"copy slide {n} to the end",
                          f"hide slide {n}", f"move slide {n} to position {m}"))  # fmt: skip


def _notes(chance: random.Random, slide: SlideElements, _total: int) -> str:
    n = slide.number
    return chance.choice((f"set the notes of slide {n} to 'One. Two; and then three'",
                          f"add 'Ask “why”.' to the notes of slide {n}"))  # fmt: skip


def _alt(_chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    names = [one.name for one in slide.images if one.name and "'" not in one.name]
    return f"set the alt text of '{names[0]}' on slide {slide.number} to 'New'" if names else None


def _motion(chance: random.Random, slide: SlideElements, _total: int) -> str:
    if slide.animations:
        return f"remove all animations on slide {slide.number}"
    kind = chance.choice(("push", "wheel", "random bars"))
    return f"add a {kind} transition to slide {slide.number}"


def _link(chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    words = [word for word in _words(slide) if _words(slide).count(word) == 1]
    to = chance.choice(("'https://example.org/?a=1&b=2'", "slide 1"))
    return f"link '{chance.choice(words)}' on slide {slide.number} to {to}" if words else None


def _foot(chance: random.Random, slide: SlideElements, _total: int) -> str:
    n = slide.number
    return chance.choice(
        (f"show slide numbers on slide {n}", f"set the footer on slide {n} to 'Draft'")
    )


def _plain_fonts(_chance: random.Random, slide: SlideElements, _total: int) -> str:
    return f"normalise fonts on slide {slide.number}"


def _cell(_chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    return (
        f"set row 1, column 1 of the table on slide {slide.number} to '17 %'"
        if slide.tables
        else None
    )


def _theme(chance: random.Random, slide: SlideElements, _total: int) -> str | None:
    if slide.number > 1:
        return None
    return chance.choice(
        ("set the theme's accent1 to #0B6E4F", "set the theme's heading font to Georgia")
    )


_MAKERS: tuple[Maker, ...] = (
    _replace, _everywhere, _title, _look, _shape, _font, _center, _order, _notes, _alt, _motion,
    _link, _foot, _plain_fonts, _cell, _theme,
)  # fmt: skip
