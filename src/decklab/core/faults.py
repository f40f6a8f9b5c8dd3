"""Faults that pydantic finds in data of people, in our words."""

import json
import re
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
    "string_pattern_mismatch": "give a text of the form {pattern}",
    "union_tag_invalid": "choose {expected_tags} as {discriminator}",
    "union_tag_not_found": "has no {discriminator}",
}
"""Wording of a fault by pydantic's name for it; names in braces are from its context."""
_SHOWN: Final = 40


def fault_words(fault: Mapping[str, Any]) -> str:
    """A fault, an item of ``ValidationError.errors()``, in words that name the value given; its
    place is the caller's to name.

    >>> fault_words({"type": "int_type", "input": "a", "msg": "Input should be a valid integer"})
    "give a whole number, not 'a'"
    >>> fault_words({"type": "value_error", "input": "a", "msg": "Value error, no such slide"})
    'no such slide'
    >>> fault_words({"type": "set_type", "input": "a", "msg": "Input should be a valid set"})
    'give a valid set'
    """
    words = _WORDS.get(fault["type"])
    if fault["type"] in ("value_error", "assertion_error"):
        return re.sub("^(?:Value error|Assertion failed), ", "", str(fault["msg"]))
    if fault["type"] == "json_invalid":
        line = re.search(r"line \d+", str(fault["msg"]))
        return f"is no JSON{f' from {line[0]} on' if line else ''}"
    if words is None:
        wanted = str(fault["msg"]).partition("Input should be ")[2]
        return f"give {wanted}" if wanted else "has another form than is read here"
    said = words.format_map(fault.get("ctx", {}))
    given = fault["input"]
    if not said.startswith(("give", "choose")) or not isinstance(given, str | int | float | None):
        return said
    shown = repr(given[:_SHOWN]) if isinstance(given, str) else json.dumps(given)
    return f"{said}, not {shown}"


def json_of(data: str | bytes) -> Any:
    """JSON that a person may have written; raises ValueError, in our words, if it is none.

    >>> json_of('{"title":\\n x}')
    Traceback (most recent call last):
    ValueError: is no JSON from line 2, column 2 on
    """
    if not data.strip():
        raise ValueError("is empty")
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"is no JSON from {position} on") from None
    except UnicodeDecodeError:
        raise ValueError("is not in UTF-8") from None
    except RecursionError:
        raise ValueError("is nested too deep") from None
