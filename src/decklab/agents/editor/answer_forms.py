"""The forms that a model fills in: every field is required, and no other is allowed.

Class names and class docstrings are part of the JSON schemas that a model gets.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from decklab.agents.editor.verification import ExpectedChange, Plan
from decklab.diffing.changes import Kind
from decklab.ooxml.patch_paths import Patch


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(_Form):
    """One step of an edit, made in one way."""

    path: Literal["program", "xml"]
    task: str = Field(min_length=1)
    """What this step has to do, in words that need no other step."""
    slides: tuple[int, ...]
    """Numbers of the slides it works on; empty for the deck as a whole."""


class Route(_Form):
    """How an edit will be made, step after step; ``cannot`` says why it cannot be, else empty."""

    steps: tuple[Step, ...]
    cannot: str

    @property
    def slides(self) -> tuple[int, ...]:
        """All slides that it works on."""
        return tuple(sorted({number for step in self.steps for number in step.slides}))


class PlannedChange(_Form):
    """One change that the edited deck will show."""

    what: str = Field(min_length=1)
    kinds: tuple[Kind, ...]
    slides: tuple[int, ...]
    design: bool
    """Whether layouts, masters, themes, sections or the deck as a whole change, too."""
    shapes: tuple[str, ...]
    """Ids or names; empty for any."""
    required: bool

    def expected(self) -> ExpectedChange:
        """The same for a verification."""
        shapes = tuple(int(shape) if shape.isdecimal() else shape for shape in self.shapes)
        where = (*self.slides, None) if self.slides and self.design else self.slides
        if self.design and not self.slides:
            where = (None,)
        return ExpectedChange(
            self.what, kinds=self.kinds, slides=where, shapes=shapes, required=self.required
        )


class EditPlan(_Form):
    """What an edit will change, and the words and values it will bring."""

    content: tuple[str, ...]
    """The content plan: one line for each text or value, place and wording."""
    changes: tuple[PlannedChange, ...]
    parts: tuple[str, ...]
    """Names of parts whose XML is needed beside that of the slides."""
    cannot: str

    def plan(self) -> Plan:
        """The same for a verification."""
        return Plan(tuple(change.expected() for change in self.changes))


class PatchForm(_Form):
    """One patch as a model writes it; fields that its action has no use for are empty."""

    part: str
    action: Literal["add", "replace", "remove", "set", "text"]
    xpath: str
    xml: str
    position: Literal["first", "last", "before", "after", ""]
    attribute: str
    value: str

    def patch(self) -> Patch:
        """The same for ``decklab.ooxml.patches``."""
        return Patch(
            part=self.part, action=self.action, xpath=self.xpath, xml=self.xml,
            position=self.position or "last", attribute=self.attribute, value=self.value,
        )  # fmt: skip


class PatchList(_Form):
    """All patches of one step, in the order in which they are made."""

    patches: tuple[PatchForm, ...]


class Review(_Form):
    """What a look at the edited deck found."""

    satisfied: bool
    problems: tuple[str, ...]
    """What still has to be repaired, one instruction each."""
