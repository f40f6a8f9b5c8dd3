"""One part of an instruction read: its action decides which readers try it, in which order."""

from collections.abc import Callable, Mapping

from decklab.editing.requests.clause import Clause, Read
from decklab.editing.requests.reading_deleting import read_delete
from decklab.editing.requests.reading_links import read_link, read_unlink
from decklab.editing.requests.reading_looks import read_look
from decklab.editing.requests.reading_motion import read_animation, read_transition
from decklab.editing.requests.reading_objects import read_add, read_move_shape, read_numbers
from decklab.editing.requests.reading_replacing import read_becoming, read_replace
from decklab.editing.requests.reading_slides import (
    read_layout,
    read_move,
    read_new_slide,
    read_slides,
    read_swap,
)
from decklab.editing.requests.reading_tables import read_cell, read_heading
from decklab.editing.requests.reading_texts import (
    read_named_value,
    read_new_name,
    read_put_in,
    read_set,
)
from decklab.editing.requests.reading_values import (
    read_chart_kind,
    read_chart_value,
    read_description,
)

Reader = Callable[[Clause], Read | None]

_SETTING: tuple[Reader, ...] = (
    read_layout, read_transition, read_animation, read_numbers, read_slides, read_cell,
    read_chart_value, read_heading, read_set, read_chart_kind, read_look, read_new_name,
    read_named_value, read_put_in, read_replace, read_link,
)  # fmt: skip
_STATED: tuple[Reader, ...] = (
    read_layout, read_move, read_transition, read_animation, read_cell, read_chart_value,
)  # fmt: skip
READERS: Mapping[str, tuple[Reader, ...]] = {
    "delete": (read_slides, read_delete),
    "add": (read_new_slide, read_transition, read_animation, read_cell, read_add, read_put_in),
    "set": (*_SETTING, read_add, read_move_shape, read_move, read_swap),
    "replace": (read_replace, read_set),
    "rename": (read_heading, read_set, read_new_name, read_replace),
    "swap": (read_swap, read_replace),
    "move": (read_move, read_move_shape),
    "duplicate": (read_slides, read_move, read_look),
    "hide": (read_slides, read_numbers),
    "unhide": (read_slides, read_numbers),
    "reverse": (read_slides,),
    "keep": (read_slides,),
    "number": (read_numbers,),
    "link": (read_link,),
    "unlink": (read_unlink,),
    "resize": (read_look, read_set, read_move_shape),
    "describe": (read_description,),
    "align": (read_look, read_move_shape),
    "": (*_STATED, read_set, read_look, read_named_value, read_becoming, read_link),
}
"""Which readers try a request, by its action; the first that understands it counts."""
_LOOKS: tuple[Reader, ...] = (read_set, read_look, read_move_shape)


def read_clause(clause: Clause) -> Read | None:
    """What a part of an instruction asks for; None where nobody understands it.

    Raises Unclear where it can be read in two ways, EditError where it makes no sense.
    """
    if not clause.tokens or clause.negated:
        return None
    for reader in READERS.get(clause.action, _LOOKS):
        found = reader(clause)
        if found is not None:
            return found
    return None
