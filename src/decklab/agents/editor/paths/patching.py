"""The XML path: patches that a model wrote, made on a copy of the deck."""

from pathlib import Path

from decklab.agents.editor.conversation import Conversation
from decklab.agents.editor.paths.brief import Brief, StepFailed
from decklab.agents.editor.planning.answers import PatchList
from decklab.agents.editor.planning.outline import slides_in_full
from decklab.agents.editor.prompts import prompt
from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.patch_paths import PatchesRefused
from decklab.ooxml.patches import apply_patches, part_text

PARTS_CHARACTERS = 80_000
"""Most characters of XML shown at once: some 25,000 tokens. Ours."""
_LISTED = 60
_BESIDE = ("chart", "diagramData", "notesSlide", "slideLayout")
"""Kinds of parts of a slide that are listed by name as well."""


def ask_for_patches(talk: Conversation, brief: Brief, deck: Path) -> PatchList:
    """The patches a model writes for a step on ``deck``; raises Unanswered or DeckError."""
    with Package.open(deck) as package:
        shown, others = _parts(package, brief)
        text = "\n\n".join(_shown(package, shown))
    asked = prompt(
        "patch",
        task=brief.step.task,
        plan=brief.planned,
        parts=text,
        others=", ".join(others[:_LISTED]) or "none",
        slides=slides_in_full(brief.taken, brief.step.slides) or "none: the design is meant",
        emu=brief.emu_per_px,
        pictures=brief.pictures or "There are no pictures.",
        instruction=brief.instruction,
        feedback=brief.feedback,
    )
    return talk.answer("patch", asked, PatchList, images=brief.images)


def make_patches(patches: PatchList, deck: Path, target: Path) -> None:
    """Make patches on ``deck`` and save it as ``target``, whole or not at all.

    Raises StepFailed where they are refused; nothing is written then.
    """
    with Package.open(deck) as package:
        try:
            draft = apply_patches(package, [form.patch() for form in patches.patches])
        except PatchesRefused as error:
            reasons = "\n".join(error.reasons[:20])
            raise StepFailed(f"The patches were refused, and none was made:\n{reasons}") from error
        draft.save(target)


def _parts(package: Package, brief: Brief) -> tuple[list[str], list[str]]:
    """The parts to show, and the names of others that lie near them."""
    there = {slide["number"]: str(slide.get("part", "")) for slide in brief.taken["slides"]}
    slides = [there[number] for number in brief.step.slides if there.get(number)]
    named = [found for name in brief.plan.parts if (found := package.find(name))]
    links = [name for slide in slides if (name := package.find(relationships_part(slide)))]
    near = [name for slide in slides for kind in _BESIDE for name in package.related(slide, kind)]
    design = [
        name
        for name in package.names
        if name.startswith(("ppt/theme/", "ppt/slideMasters/slide", "ppt/slideLayouts/slide"))
        or name == package.main_part
    ]
    shown = list(dict.fromkeys([*slides, *named]))
    if not shown:
        shown = [name for name in design if "slideMasters/" in name or "theme1" in name]
    beside = dict.fromkeys([*links, *near, *design])
    return shown, [name for name in beside if name not in shown]


def _shown(package: Package, names: list[str]) -> list[str]:
    """The XML of parts, each with an equal share of the room."""
    share = PARTS_CHARACTERS // max(1, len(names))
    found = []
    for name in names:
        try:
            found.append(f"{name}:\n{part_text(package, name, most=share)}")
        except DeckError as error:
            found.append(f"{name}: cannot be shown: {error.detail}")
    return found
