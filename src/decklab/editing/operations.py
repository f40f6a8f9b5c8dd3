"""The operations that a model's programs have as globals, and their documentation for a prompt.

``__all__`` lists them in the order of the prompt. Every function takes ``prs``, a
``pptx.Presentation`` opened on a copy, and changes it in memory; the caller saves it. Slides are
1-based numbers as they stand at the time of the call; ``slides`` is an iterable of numbers, None
for all. ``where`` is ``"all"``, ``"title"`` or ``"body"``. ``shape`` is a shape's name or its id.
Lengths are pixels of the 960x540 frame. An operation that fails raises ``EditError`` with one line
that says why; functions that add a shape return its id, functions that may find nothing to do how
many places they changed.

This module and what it imports run in the sandbox too (see ``decklab.editor.steps``), so they
import the standard library, lxml, python-pptx, Pillow, and modules of ``decklab.ooxml`` that need
no more than those.
"""

import ast
import inspect
import re
from collections.abc import Callable, Collection, Iterable

from decklab.editing.arranging import (
    add_connector,
    align_shapes,
    crop_more,
    crop_picture,
    distribute_shapes,
    flip_shape,
    geometry_of,
    group_shapes,
    match_sizes,
    order_shape,
    set_geometry,
    ungroup_shape,
)
from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.chart_parts import (
    color_point,
    color_series,
    set_axis_bound,
    set_axis_title,
    set_legend,
    set_number_format,
    show_data_labels,
    show_gridlines,
)
from decklab.editing.charts import (
    add_category,
    add_chart,
    add_series,
    chart_data,
    delete_category,
    delete_series,
    set_chart_data,
    set_chart_title,
    set_chart_value,
)
from decklab.editing.finding import EditError
from decklab.editing.formatting import (
    change_case,
    format_master_text,
    format_text,
    normalise_fonts,
    set_language,
    set_theme_color,
    set_theme_fonts,
)
from decklab.editing.links import format_words, remove_links, set_link
from decklab.editing.lists import (
    add_bullet,
    delete_bullet,
    hide_marks,
    indent_bullet,
    move_bullet,
    set_line_spacing,
    set_list,
    set_paragraph_space,
)
from decklab.editing.mending import join_texts, make_title
from decklab.editing.motion import add_animation, remove_animations, set_transition
from decklab.editing.new_shapes import (
    add_picture,
    add_shape,
    add_text_box,
    change_shape,
    duplicate_shape,
    replace_picture,
)
from decklab.editing.open_parts import presentation_in  # noqa: F401 - goes along
from decklab.editing.phrasing import phrases_of
from decklab.editing.placing import delete_shape, fill_shape, outline_shape, set_background
from decklab.editing.replacing import replace_text
from decklab.editing.slides import (
    add_section,
    add_slide,
    apply_layout,
    clone_slide,
    delete_section,
    delete_slide,
    hide_slide,
    move_section,
    move_slide,
    order_slides,
    rename_section,
)
from decklab.editing.tables import (
    add_column,
    add_row,
    add_table,
    add_total_row,
    delete_column,
    delete_row,
    fill_cells,
    merge_cells,
    move_column,
    move_row,
    set_column_width,
    set_row_height,
    sort_rows,
    split_cell,
    table_texts,
)
from decklab.editing.texts import (
    add_notes,
    diagram_texts,
    get_notes,
    set_alt_text,
    set_body,
    set_cell,
    set_diagram_text,
    set_footer,
    set_notes,
    set_text,
    set_title,
    show_slide_numbers,
)

_FAMILIES: dict[str, tuple[Callable[..., object], ...]] = {
    "slides": (
        add_slide, clone_slide, delete_slide, move_slide, order_slides, hide_slide, apply_layout,
        add_section, rename_section, move_section, delete_section,
    ),
    "texts": (
        set_title, set_body, set_text, add_bullet, delete_bullet, move_bullet, indent_bullet,
        set_list, hide_marks, set_line_spacing, set_paragraph_space, replace_text, format_text,
        format_words, change_case, get_notes, set_notes, add_notes, set_alt_text, set_link,
        remove_links,
        make_title, join_texts, set_language,
    ),
    "shapes": (
        add_text_box, add_shape, change_shape, add_connector, delete_shape, fill_shape,
        outline_shape, geometry_of, set_geometry, flip_shape, match_sizes, align_shapes,
        distribute_shapes, order_shape, duplicate_shape, group_shapes, ungroup_shape,
    ),
    "pictures": (add_picture, replace_picture, crop_picture, crop_more),
    "tables": (
        add_table, table_texts, set_cell, add_row, delete_row, add_column, delete_column,
        merge_cells, split_cell, sort_rows, move_row, move_column, set_column_width,
        set_row_height, fill_cells, add_total_row,
    ),
    "charts and diagrams": (
        add_chart, chart_data, set_chart_data, set_chart_title, set_chart_type, set_chart_value,
        add_category, delete_category, add_series, delete_series, set_legend, show_data_labels,
        set_axis_title, set_axis_bound, show_gridlines, set_number_format, color_series,
        color_point, diagram_texts, set_diagram_text,
    ),
    "design": (
        set_background, set_theme_color, set_theme_fonts, format_master_text, normalise_fonts,
        set_footer, show_slide_numbers,
    ),
    "show": (set_transition, add_animation, remove_animations),
}  # fmt: skip
FAMILIES = tuple(_FAMILIES)
"""Names of the families that the operations belong to."""

__all__ = ["EditError"]
__all__ += [operation.__name__ for family in _FAMILIES.values() for operation in family]


def operation_names() -> dict[str, tuple[str, ...]]:
    """The names of the operations of each family."""
    return {
        family: tuple(operation.__name__ for operation in operations)
        for family, operations in _FAMILIES.items()
    }


def operations_of(family: str) -> tuple[Callable[..., object], ...]:
    """The operations of a family, as functions."""
    return _FAMILIES[family]


def named_operations() -> dict[str, Callable[..., object]]:
    """All operations by their names."""
    return {member.__name__: member for members in _FAMILIES.values() for member in members}


def operation_docs(families: Collection[str] | None = None) -> str:
    """Signature and documentation of the operations of some families, for None of all.

    It is text for a prompt. Raises EditError for a family that there is not.
    """
    if unknown := [name for name in families or () if name not in _FAMILIES]:
        raise EditError(f"there is no family {unknown[0]!r}; there are {', '.join(FAMILIES)}")
    wanted = (family for family in _FAMILIES if families is None or family in families)
    return "\n\n".join(operation_doc(member) for family in wanted for member in _FAMILIES[family])


def operations_like(words: Iterable[str]) -> list[Callable[..., object]]:
    """The operations whose name or family has one of some words."""
    wanted = [word.strip().casefold() for word in words]
    return [
        operation
        for family, members in _FAMILIES.items()
        for operation in members
        if any(word in operation.__name__ or word in family for word in wanted)
    ]


def operation_doc(operation: Callable[..., object]) -> str:
    """Signature and documentation of an operation, and the kinds of changes that it declares."""
    lines = [inspect.getdoc(operation) or ""]
    changes, follows = declared_changes(operation)
    if changes:
        along = f"; may come along: {', '.join(follows)}" if follows else ""
        lines.append(f"Changes: {', '.join(changes)}{along}.")
    doc = _indented("\n".join(lines))
    return f"{operation.__name__}{_signature(operation)}\n{doc}"


def declared_changes(operation: Callable[..., object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The kinds of changes that the phrases of an operation declare, and those that come along."""
    phrases = phrases_of(operation)
    changes = _kinds(phrase.changes for phrase in phrases)
    follows = _kinds(phrase.follows for phrase in phrases)
    return changes, tuple(kind for kind in follows if kind not in changes)


def _kinds(declared: Iterable[str]) -> tuple[str, ...]:
    words = (word for text in declared for word in text.partition(":")[0].split())
    return tuple(dict.fromkeys(word.replace("_", " ") for word in words))


def operation_calls() -> str:
    """All operations by family, each as the call of its example without the presentation, followed
    by its other parameters with their defaults."""
    return "\n".join(
        f"{family}: " + "; ".join(map(operation_call, members))
        for family, members in _FAMILIES.items()
    )


def operation_call(operation: Callable[..., object]) -> str:
    """An operation as it is called, such as ``crop_more(4, 'Picture 3', 'left', 0.2)``."""
    example = _EXAMPLE.search(inspect.getdoc(operation) or "")
    call = ast.parse(example[1] if example else f"{operation.__name__}(prs)", mode="eval").body
    assert isinstance(call, ast.Call)
    del call.args[0]
    given = {keyword.arg for keyword in call.keywords}
    _prs, *parameters = inspect.signature(operation).parameters.values()
    others = (
        parameter for parameter in parameters[len(call.args) :] if parameter.name not in given
    )
    words = [ast.unparse(item) for item in (*call.args, *call.keywords)]
    words += [f"{parameter.name}={parameter.default!r}" for parameter in others]
    return f"{operation.__name__}({', '.join(words)})"


_EXAMPLE = re.compile(r"Example: (.+)", re.DOTALL)


def _signature(function: object) -> str:
    """The signature, without the parts that every operation has."""
    signature = inspect.signature(function)  # type: ignore[arg-type]
    text = str(signature.replace(return_annotation=inspect.Signature.empty))
    for long, short in _SHORTER.items():
        text = text.replace(long, short)
    return text


_SHORTER = {
    "pptx.presentation.Presentation": "Presentation",
    "collections.abc.": "",
    "typing.": "",
    "tuple[float, float, float, float]": "(x, y, width, height)",
}


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
