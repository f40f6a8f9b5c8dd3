"""The operations that a model's programs have as globals, and their documentation for a prompt.

``__all__`` lists them in the order of the prompt. Every function takes ``prs``, a
``pptx.Presentation`` opened on a copy, and changes it in memory; the caller saves it. Slides are
1-based numbers as they stand at the time of the call; ``slides`` is an iterable of numbers, None
for all. ``where`` is ``"all"``, ``"title"`` or ``"body"``. ``shape`` is a shape's name or its id.
What cannot be done raises ``EditError`` with one line that says why; functions that may find
nothing to do return how many places they changed.

This module and what it imports run in the sandbox too (see ``agents.editor.steps``), so they
import the standard library, lxml, python-pptx, and modules of ``decklab.ooxml`` that need no more
than those.
"""

import inspect

from decklab.editing.charts import chart_data, set_chart_data, set_chart_title, set_chart_type
from decklab.editing.diagrams import diagram_texts, set_diagram_text
from decklab.editing.finding import EditError
from decklab.editing.footers import set_footer, show_slide_numbers
from decklab.editing.formatting import format_text, normalise_fonts
from decklab.editing.links import remove_links, set_link
from decklab.editing.motion import add_animation, remove_animations, set_transition
from decklab.editing.open_parts import presentation_in  # noqa: F401 - goes along
from decklab.editing.replacing import replace_text
from decklab.editing.slides import clone_slide, delete_slide, hide_slide, move_slide
from decklab.editing.texts import add_notes, get_notes, set_alt_text, set_cell, set_notes, set_text
from decklab.editing.theme import format_master_text, set_theme_color, set_theme_fonts

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


def operation_docs() -> str:
    """Signature and documentation of every operation, as text for a prompt."""
    operations = [(name, globals()[name]) for name in __all__]
    return "\n\n".join(
        f"{name}{_signature(operation)}\n{_indented(inspect.getdoc(operation) or '')}"
        for name, operation in operations
        if inspect.isfunction(operation)
    )


def _signature(function: object) -> str:
    """The signature, without the parts that every operation has."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    text = str(signature.replace(return_annotation=inspect.Signature.empty))
    return text.replace("pptx.presentation.Presentation", "Presentation").replace(
        "collections.abc.", ""
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
