"""The editor without a model: exact requests in plain English, compiled into calls of the library.

``understand`` takes a request apart into ``Step``s and says of every part that is beyond it which
known requests come nearest. ``FORMS`` are all forms by family, with examples; the page on editing
lists them.
"""

from decklab.agents.editor.commands.model import Desk, Form, Said, Step
from decklab.agents.editor.commands.scope import Scope
from decklab.agents.editor.commands.understanding import (
    FORMS,
    Beyond,
    Understood,
    forms_table,
    understand,
)

__all__ = [
    "FORMS",
    "Beyond",
    "Desk",
    "Form",
    "Said",
    "Scope",
    "Step",
    "Understood",
    "forms_table",
    "understand",
]
