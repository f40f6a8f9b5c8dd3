"""Edits that python-pptx lacks, as functions on an open presentation.

Every function takes ``prs``, a ``pptx.Presentation`` opened on a copy, and changes it in memory;
the caller saves it. Slides are 1-based numbers as they stand at the time of the call; ``slides`` is
an iterable of numbers, None for all. ``where`` is ``"all"``, ``"title"`` or ``"body"``. ``shape``
is a shape's name or its id. What cannot be done raises ``EditError`` with one line that says why;
functions that may find nothing to do return how many places they changed.

This package runs in the sandbox too (see ``sandboxed``), so it imports the standard library, lxml,
python-pptx, and modules of ``decklab.ooxml`` that need no more than those.
"""

from decklab.agents.editor.library.animations import add_animation, remove_animations
from decklab.agents.editor.library.charts import (
    chart_data,
    set_chart_data,
    set_chart_title,
    set_chart_type,
)
from decklab.agents.editor.library.diagrams import diagram_texts, set_diagram_text
from decklab.agents.editor.library.errors import EditError
from decklab.agents.editor.library.footers import set_footer, show_slide_numbers
from decklab.agents.editor.library.formatting import format_text, normalise_fonts
from decklab.agents.editor.library.kinds import presentation_in  # noqa: F401 - goes along
from decklab.agents.editor.library.links import remove_links, set_link
from decklab.agents.editor.library.notes import add_notes, get_notes, set_alt_text, set_notes
from decklab.agents.editor.library.replacing import replace_text
from decklab.agents.editor.library.slides import clone_slide, delete_slide, hide_slide, move_slide
from decklab.agents.editor.library.theme import format_master_text, set_theme_color, set_theme_fonts
from decklab.agents.editor.library.transitions import set_transition
from decklab.agents.editor.library.writing import set_cell, set_text

__all__ = [
    "EditError",
    "add_animation",
    "add_notes",
    "chart_data",
    "clone_slide",
    "delete_slide",
    "diagram_texts",
    "format_master_text",
    "format_text",
    "get_notes",
    "hide_slide",
    "move_slide",
    "normalise_fonts",
    "remove_animations",
    "remove_links",
    "replace_text",
    "set_alt_text",
    "set_cell",
    "set_chart_data",
    "set_chart_title",
    "set_chart_type",
    "set_diagram_text",
    "set_footer",
    "set_link",
    "set_notes",
    "set_text",
    "set_theme_color",
    "set_theme_fonts",
    "set_transition",
    "show_slide_numbers",
]
