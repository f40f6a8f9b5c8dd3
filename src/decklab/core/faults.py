"""Faults that pydantic finds in data of people, in our words."""

from collections.abc import Mapping
from typing import Any, Final

_WORDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "finite_number": "give a number",
    "string_type": "give a text",
    "bool_type": "give true or false",
    "bool_parsing": "give true or false",
    "list_type": "give a list",
    "tuple_type": "give a list",
    "dict_type": "give an object",
    "model_type": "give an object",
    "model_attributes_type": "give an object",
    "dataclass_type": "give an object",
    "greater_than_equal": "give at least {ge}",
    "greater_than": "give more than {gt}",
    "less_than_equal": "give at most {le}",
    "less_than": "give less than {lt}",
    "literal_error": "choose {expected}",
    "enum": "choose {expected}",
    "string_too_short": "give at least {min_length} characters",
    "string_too_long": "give at most {max_length} characters",
    "too_short": "give at least {min_length}",
    "too_long": "give at most {max_length}",
    "json_invalid": "is not JSON: {error}",
}
"""What is wrong by pydantic's name for it; names in braces are from its context."""
_SHOWN: Final = 40


def fault_words(fault: Mapping[str, Any]) -> str:
    """A fault, an item of ``ValidationError.errors()``, in words that name the value given; its
    place is the caller's to name.

    >>> fault_words({"type": "int_type", "input": "a", "msg": "Input should be a valid integer"})
    "give a whole number, not 'a'"
    >>> fault_words({"type": "value_error", "input": "a", "msg": "Value error, no such slide"})
    'no such slide'
    """
    words = _WORDS.get(fault["type"])
    if words is None:
        return str(fault["msg"]).removeprefix("Value error, ")
    said = words.format_map(fault.get("ctx", {}))
    given = fault["input"]
    if not said.startswith(("give", "choose")) or not isinstance(given, str | int | float | None):
        return said
    shown = repr(given if given is None or not isinstance(given, str) else given[:_SHOWN])
    return f"{said}, not {shown}"
