"""What both paths tell a model about the edit at hand."""

from dataclasses import dataclass

from decklab.agents.editor.planning.answers import EditPlan, Step
from decklab.deck.views.snapshot import Snapshot
from decklab.errors import DecklabError


class StepFailed(DecklabError):
    """A step of an edit that could not be made as the model gave it; the text can be acted on."""


@dataclass(frozen=True)
class Brief:
    """One step, with what there is to know about it."""

    instruction: str
    step: Step
    plan: EditPlan
    taken: Snapshot
    """Of the deck that the step starts from."""
    images: tuple[bytes, ...] = ()
    pictures: str = ""
    """Says which slides the images show."""
    feedback: str = ""
    """What came of the round before; empty in the first."""

    @property
    def planned(self) -> str:
        """The plan in words."""
        return plan_words(self.plan)

    @property
    def emu_per_px(self) -> str:
        """EMU of a pixel of the 960x540 frame, across and down."""
        width, height = self.taken["size_pt"]
        across, down = round(width * 12700 / 960), round(height * 12700 / 540)
        return str(across) if across == down else f"{across} (across) or {down} (down)"


def plan_words(plan: EditPlan) -> str:
    """The plan, one line for each change and each text."""
    lines = []
    for change in plan.changes:
        where = f" (slides {', '.join(map(str, change.slides))})" if change.slides else ""
        lines.append(f"- {'' if change.required else 'perhaps: '}{change.what}{where}")
    return "\n".join([*lines, *(f"- {line}" for line in plan.content)])
