"""Style targets drafted by a model from original and truth, for a person to check (E.1)."""

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from decklab.core.options import JUDGE_TEMPERATURE
from decklab.core.results import NotScored
from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.snapshots import DeckEdit
from decklab.diffing.wording import words
from decklab.evals.judges.asking import Questions
from decklab.evals.judges.editing.evidence import LONGEST, PicturePair
from decklab.evals.judges.editing.verdict import TARGET_SYSTEM
from decklab.models.asking import Ask


class StyleTarget(BaseModel):
    """What an outcome has to fulfil, by the four headings of paper 003, E.1."""

    model_config = ConfigDict(extra="forbid", strict=True)

    content: list[str] = Field(description="Texts and data, word for word, slide by slide.")
    layout: list[str] = Field(description="Alignment, spacing, order.")
    typography: list[str] = Field(description="Fonts, sizes, weights, hierarchy.")
    constraints: list[str] = Field(description="Theme, masters, and what must not change.")

    @property
    def text(self) -> str:
        """As one text, marked as a draft: a person has to check it, as the paper's were."""
        headings = ("Content", "Layout", "Typography", "Constraints")
        parts = ["DRAFT, to be checked by a person"]
        for heading in headings:
            lines = getattr(self, heading.lower())
            parts += [f"{heading}:", *(f"- {line}" for line in lines)] if lines else []
        return "\n".join(parts)


def draft_style_target(
    ask: Ask,
    instruction: str,
    edit: DeckEdit,
    *,
    pictures: Sequence[PicturePair] = (),
    temperature: float | None = JUDGE_TEMPERATURE,
) -> StyleTarget | NotScored:
    """A style target for the edit that leads from an original to its truth.

    ``pictures`` are changed slides, with the original in the place of the truth and the truth in
    that of the prediction. NotScored where nothing changes, the model failed or its reply does
    not fit. Raises ModelUnavailable.
    """
    changes = words(edit.found)
    if not changes:
        return NotScored("original and truth are the same")
    shown = [f"slide {pair.number}: before, then after" for pair in pictures]
    outline = json.dumps(_outline(edit.before), ensure_ascii=False)[:LONGEST]
    prompt = "\n\n".join(
        (
            f"Instruction:\n{instruction}",
            f"Original, in outline:\n{outline}",
            "Every change from the original to the finished deck:\n" + "\n".join(changes)[:LONGEST],
            "Pictures:\n" + ("\n".join(shown) or "none"),
        )
    )
    images = [image for pair in pictures for image in pair.images]
    judge = Questions(ask, system=TARGET_SYSTEM, temperature=temperature)
    return judge.put(prompt, StyleTarget, stage="style target", images=images)


def _outline(deck: Snapshot) -> list[dict[str, object]]:
    return [
        {
            "slide": slide["number"],
            "layout": slide.get("layout", ""),
            "shapes": [
                {
                    "name": shape.get("name", ""),
                    "kind": shape["kind"],
                    "text": shape.get("text", {}).get("text", "")[:400]
                    if isinstance(shape.get("text"), dict)
                    else "",
                }
                for shape in slide.get("shapes", [])
            ],
        }
        for slide in deck["slides"]
    ]
