"""Which structures of a deck a task is about: the categories of paper 001, figure 7.

The published list of tasks does not say, so the words of the goal decide; the starter set says.
"""

import re
from collections.abc import Mapping
from typing import Any

OTHER = "other"
"""The category of a task that no word gives away."""

_WORDS = {
    "animations": r"animat\w*|entrance|emphasis effect",
    "transitions": r"transition\w*",
    "charts": r"charts?|graph|legend|axis label\w*",
    "tables": r"tables?|cells?",
    "images": r"images?|pictures?|photos?|icons?|logo\w*|figure|diagram|emojis?|crop\w*",
    "links": r"hyperlinks?|links? to|url",
    "notes": r"speaker notes?|notes?",
    "shapes": r"shapes?|box(?:es)?|callouts?|circles?|rectang\w+|arrows?|smartart|borders?",
    "layout": r"layouts?|backgrounds?|themes?|new slide|slide number\w*|footers?|headers?"
    r"|reorder\w*|move slide|delete slide|duplicate",
    "text": r"texts?|titles?|subtitles?|fonts?|bold\w*|italic\w*|words?|bullets?|paragraphs?"
    r"|spelling|lists?|phrase|headings?",
}
"""Whole words, in the order in which reports list the categories. Ours."""

CATEGORIES = (*_WORDS, OTHER)


def categories_of(goal: str, misc: Mapping[str, Any]) -> tuple[str, ...]:
    """The categories a task states in ``misc``, else those that its goal speaks of.

    >>> categories_of("Add a slide transition effect of 'Fade' to slide 2", {})
    ('transitions',)
    >>> categories_of("Make it better", {})
    ('other',)
    """
    stated = misc.get("categories")
    if isinstance(stated, list) and stated:
        return tuple(map(str, stated))
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", " ", goal.lower())  # quoted words are content
    found = tuple(name for name, words in _WORDS.items() if re.search(rf"\b(?:{words})\b", plain))
    return found or (OTHER,)
