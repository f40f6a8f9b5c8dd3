"""What all element models have in common."""

from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from decklab.deck.styles.effective import Origin

__all__ = ["NOWHERE", "Hex", "Many", "Model", "Pair", "Sha256", "Share", "Sources", "Statements"]

T = TypeVar("T")

Hex = Annotated[str, StringConstraints(pattern=r"^#[0-9A-F]{6}$")]
"""An opaque colour, ``#RRGGBB`` in capitals."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of a part's bytes."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A share of one."""

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""Several of a kind, in order; a JSON array, also where it was parsed to a list before."""

Pair = Annotated[tuple[float, float], Field(strict=False)]
"""Two numbers."""

Sources = dict[str, Origin]
"""Field name to the place that states its value; fields that nothing states are not in it, and
hold what the standard or PowerPoint takes by default."""


Statements = dict[str, JsonValue]
"""What one place states, by the names of what is stated."""

NOWHERE: Sources = {}
"""What holds of a record that states nothing: all by default."""


class Model(BaseModel):
    """A strict, frozen record: no unknown fields, no conversions, no infinities."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )
