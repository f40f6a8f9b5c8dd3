"""Known requests by what they are about: the table of the documentation, and hints for others."""

import re
from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "Words": (
        "replace Agenda with Overview everywhere",
        "replace 'cat' with 'dog' in titles on slides 2-4, part of words",
        "replace 'teh' with 'the' in notes, ignoring case",
        "change 'Q3' to 'Q4' on slide 2",
        "delete the text 'DRAFT'",
        "put the titles in capital letters",
    ),
    "Titles, texts and bullets": (
        "change the title of slide 2 to What we found",
        "rename slide 3 to 'More cats'",
        "add the bullet 'Costs' to slide 2",
        "delete the second bullet of slide 2",
        "no bullets on slide 2",
    ),
    "Font, size, colour, alignment": (
        "set the font of the titles to Georgia",
        "make the titles dark blue except the first",
        "make the body text on slide 2 2 points bigger",
        "set all titles to 30pt",
        "use accent 2 for the title on slide 3",
        "make the title of slide 2 bold and red",
        "make the word study italic on slide 2",
        "center the body text on slides 2-3",
        "give all slides a light grey background",
        "normalise fonts",
    ),
    "Slides": (
        "delete the last two slides",
        "delete every slide except 1 and 2",
        "move slide 2 after slide 4",
        "swap slides 3 and 5",
        "duplicate the second slide",
        "make two copies of slide 2",
        "hide slides 4 and 5",
        "unhide slide 4",
        "reverse the order of the slides",
        "add a slide called 'Thank you' at the end",
        "apply the layout 'Title Only' to slide 6",
    ),
    "Pictures and shapes": (
        "remove the picture on slide 4",
        "resize the picture on slide 4 to 2 inches wide",
        "move the picture on slide 4 up by half an inch",
        "make the picture on slide 4 twice as big",
        "set the alt text of the picture on slide 4 to 'Sales by region'",
    ),
    "Tables and charts": (
        "set row 2, column 3 of the table to 17 %",
        "make the table header bold",
        "add a row to the table on slide 6 with A, B, C",
        "delete the last column of the table on slide 6",
        "turn the chart into a line chart",
        "change the value of North in 2025 to 6 in the chart",
    ),
    "Slide numbers and footers": (
        "number the slides",
        "remove slide numbers on slide 1",
        "set the footer on slides 2-3 to Draft",
        "remove the footer on slide 1",
    ),
    "Notes": (
        "set the notes of slide 2 to 'Start with the story.'",
        "add the note 'Ask for questions.' to slide 2",
        "remove all notes",
    ),
    "Links": (
        "link 'study' on slide 2 to https://example.org",
        "link the picture on slide 4 to slide 1",
        "make our site on slide 5 jump to slide 2",
        "remove all links on slide 5",
    ),
    "Transitions and animations": (
        "set the transition on slides 2-3 to push, lasting 0.7 seconds",
        "remove all transitions",
        "let slides 2-4 wipe in",
        "let the picture on slide 4 fade in on click",
        "remove all animations on slide 5",
    ),
    "Theme": (
        "set the theme's heading font to 'Georgia'",
        "set the theme's accent1 to #0B6E4F",
    ),
}  # fmt: skip
"""Each can be done on a deck that has what it names."""

NEAREST = 3
"""How many known requests are named at most."""

_SAME = {
    "remove": "delete", "clear": "delete", "erase": "delete", "drop": "delete", "take": "delete",
    "set": "change", "turn": "change", "switch": "swap", "insert": "add", "append": "add",
    "substitute": "replace", "exchange": "swap", "reorder": "move", "clone": "duplicate",
    "copy": "duplicate", "colour": "color", "image": "picture", "photo": "picture",
    "heading": "title", "headline": "title", "big": "size", "bigger": "size", "small": "size",
    "smaller": "size", "large": "size", "larger": "size", "typeface": "font", "url": "link",
    "hyperlink": "link", "page": "slide", "paragraph": "body", "rename": "title",
    "description": "alt", "hidden": "hide", "invisible": "hide", "centre": "center",
    "effect": "animation", "animated": "animation", "speaker": "note",
}  # fmt: skip
_EMPTY = frozenset({"the", "of", "on", "to", "in", "and", "a", "an", "all", "it", "by", "with",
                    "as", "for", "from", "slide", "change", "make", "add", "use",
                    "put", "into", "every", "each"})  # fmt: skip
"""Words that do not make two requests alike when they share nothing else."""


def nearest(part: str) -> tuple[str, ...]:
    """The known requests that share the most words with a part, rare words counting more.

    Empty if they share only words that stand in requests of every kind.
    """
    bags = {example: _bag(example) for family in EXAMPLES.values() for example in family}
    counts: dict[str, int] = {}
    for bag in bags.values():
        for word in bag:
            counts[word] = counts.get(word, 0) + 1
    asked = _bag(part)
    scores = {
        example: sum(1 / counts[word] for word in (bag & asked) - _EMPTY) / (len(bag) + 4)
        for example, bag in bags.items()
        if (bag & asked) - _EMPTY
    }
    return tuple(sorted(scores, key=lambda example: -scores[example])[:NEAREST])


def _bag(text: str) -> frozenset[str]:
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", " ", text.lower())
    words = (word if word in _SAME else word.rstrip("s") for word in re.findall(r"[a-z]+", plain))
    return frozenset(_SAME.get(word, word) for word in words)


def edit_examples() -> Mapping[str, tuple[str, ...]]:
    """Known requests for ``decklab edit`` without a model, by what they are about."""
    return EXAMPLES


def examples_table() -> str:
    """All known requests by family, as the table of the documentation (Markdown)."""
    lines = ["| what | requests |", "| --- | --- |"]
    for family, examples in EXAMPLES.items():
        lines.append(f"| {family} | {'<br>'.join(f'`{example}`' for example in examples)} |")
    return "\n".join(lines)
