"""How operations are carried out whose requests mean more than a call for each slide or shape."""

from collections.abc import Callable, Mapping

from decklab.editing.phrasing import Phrase
from decklab.editing.requests import look_plans, object_plans, slide_plans, text_plans
from decklab.editing.requests.carrying_out import Slots
from decklab.editing.requests.operation import OpenDeck
from decklab.editing.verification import ExpectedChange

Plan = Callable[[Callable[..., object], Phrase, str, Slots, OpenDeck], tuple[ExpectedChange, ...]]
PLANS: Mapping[str, Plan] = {
    "delete_slide": slide_plans.plan_deletion,
    "move_slide": slide_plans.plan_move,
    "order_slides": slide_plans.plan_order,
    "clone_slide": slide_plans.plan_copies,
    "add_slide": object_plans.plan_new_slide,
    "bring_slide": slide_plans.plan_brought_slides,
    "add_section": slide_plans.plan_section,
    "move_section": slide_plans.plan_moved_section,
    "replace_text": text_plans.plan_replacement,
    "add_bullet": text_plans.plan_bullets,
    "set_link": text_plans.plan_link,
    "format_text": look_plans.plan_look,
    "change_case": look_plans.plan_case,
    "set_line_spacing": look_plans.plan_spacing,
    "add_text_box": object_plans.plan_new_thing,
    "add_shape": object_plans.plan_new_thing,
    "add_picture": object_plans.plan_new_thing,
    "add_table": object_plans.plan_new_thing,
    "add_chart": object_plans.plan_new_thing,
    "replace_picture": object_plans.plan_new_picture,
    "set_geometry": object_plans.plan_geometry,
    "align_shapes": object_plans.plan_edge,
    "add_row": object_plans.plan_line,
    "add_column": object_plans.plan_line,
    "delete_row": object_plans.plan_line,
    "delete_column": object_plans.plan_line,
    "merge_cells": object_plans.plan_merge,
    "set_cell": object_plans.plan_cell,
    "set_chart_value": object_plans.plan_point,
    "move_row": object_plans.plan_moved_line,
    "move_column": object_plans.plan_moved_line,
    "set_column_width": object_plans.plan_line_size,
    "set_row_height": object_plans.plan_line_size,
    "fill_cells": object_plans.plan_cells,
    "move_bullet": text_plans.plan_moved_bullet,
    "set_paragraph_space": look_plans.plan_space,
}
"""The plan of an operation by its name; of others it is ``carry_out``."""
