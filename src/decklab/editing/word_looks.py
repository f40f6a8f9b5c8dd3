"""Single words inside of texts given a look of their own."""

from pptx.presentation import Presentation

from decklab.editing.finding import slide_at, text_bodies
from decklab.editing.formatting import TextFormat
from decklab.editing.links import runs_of_words
from decklab.editing.replacing import word_pattern


def format_words(prs: Presentation, slide: int, words: str, look: TextFormat) -> int:
    """Give words a look wherever they stand whole on a slide; return how many runs they make."""
    pattern = word_pattern(words, whole_word=True, match_case=True)
    runs = [
        run for body in text_bodies(slide_at(prs, slide)) for run in runs_of_words(body, pattern)
    ]
    for run in runs:
        look.apply(run.get_or_add_rPr())
    return len(runs)
