"""Words replaced wherever a deck holds them: beside texts also charts, notes and descriptions."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.every_text import SHOWN_KINDS, HeldText, TextKind, every_text, held_texts
from decklab.editing.finding import find_shape
from decklab.editing.replacing import word_pattern

PLACES = ("text", "notes", "chart", "alt text")
"""What a slide holds words in: ``text`` is shapes, tables, footers and diagrams."""
_PLACE_OF = {"table": "text", "footer": "text", "diagram": "text"}
_ON_SLIDES: tuple[TextKind, ...] = ("text", "table", "footer", "diagram", "chart")


def replace_everywhere(
    prs: Presentation,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
    kinds: Collection[TextKind] = SHOWN_KINDS,
) -> Counter[TextKind]:
    """Replace words in all texts of a deck of some kinds; how often, by kind. Looks stay.

    Names of a chart are changed in its workbook as well.
    """
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    counts: Counter[TextKind] = Counter()
    with held_texts(prs, kinds=kinds) as held:
        for text in held:
            counts[text.place.kind] += text.replace(pattern, new)
    return +counts


def replace_on_slide(
    prs: Presentation,
    slide: int,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
    beyond_view: bool = True,
    spare: Callable[[HeldText], bool] | None = None,
) -> dict[str, int]:
    """Replace words in all that belongs to a slide; how often, by the names of ``PLACES``.

    ``beyond_view`` says whether notes and alternative texts count too. A chart's
    title and names of categories and series are changed in its workbook as well. Formatting
    stays. Places without the words are left out. Texts for which ``spare`` holds stay.
    """
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    kinds = (*_ON_SLIDES, "notes", "alt text") if beyond_view else _ON_SLIDES
    counts: Counter[str] = Counter()
    with held_texts(prs, slides=[slide], kinds=kinds) as held:
        for text in held:
            if spare is not None and spare(text):
                continue
            kind = text.place.kind
            counts[_PLACE_OF.get(kind, kind)] += text.replace(pattern, new)
    return dict(+counts)


def replace_in_shape(
    prs: Presentation,
    slide: int,
    shape: str | int,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
) -> int:
    """Replace words in one shape, table, chart or diagram; return how often."""
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    element = find_shape(prs, slide, shape)
    with held_texts(prs, slides=[slide], kinds=_ON_SLIDES) as held:
        return sum(text.replace(pattern, new) for text in held if is_in(text, element))


def is_in(text: HeldText, element: Any) -> bool:
    """Whether a text is that of a shape, or of one in it."""
    return text.shape is element or any(one is element for one in text.shape.iterancestors())


def replace_on_masters(
    prs: Presentation, old: str, new: str, *, whole_word: bool = True, match_case: bool = True
) -> int:
    """Replace words in what masters and layouts show themselves; return how often.

    Their prompts, such as “Click to add a title”, show on no slide and stay.
    """
    how: Any = {"whole_word": whole_word, "match_case": match_case}
    return replace_everywhere(prs, old, new, kinds=("layout", "master"), **how).total()


def words_in(
    prs: Presentation, slides: Iterable[int], words: str, *, whole_word: bool = True
) -> dict[str, int]:
    """How often words stand on slides and in their notes and descriptions, by their spelling.

    Letter case does not count: ``Cat`` and ``CAT`` are spellings of ``cat``.
    """
    pattern = word_pattern(words, whole_word=whole_word, match_case=False)
    kinds = (*_ON_SLIDES, "notes", "alt text")
    texts = every_text(prs, slides=slides, kinds=kinds)
    return dict(Counter(match.group() for text in texts for match in pattern.finditer(text.text)))
