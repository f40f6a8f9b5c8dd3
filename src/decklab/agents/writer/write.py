"""``decklab write``: from documents to a deck, stage by stage."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from decklab.agents.editor.stages import Progress, Stages
from decklab.agents.writer.extractive import extractive_outline
from decklab.agents.writer.grounding import NumberOnSlide, numbers_on_slides
from decklab.agents.writer.outline import Outline, missing_quotes, read_outline, write_outline
from decklab.agents.writer.slides import deck_plan
from decklab.composing.blueprint import DeckPlan, read_plan
from decklab.composing.compose import Composed, compose
from decklab.composing.pptx_deck import write_pptx
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Unread
from decklab.documents.reading import read_documents
from decklab.errors import PlanError
from decklab.files import check_file, write_whole
from decklab.options import WRITE_SLIDES, DeckFormat, WriteStage
from decklab.rendering.renderer import Renderer

OUTLINE_FILE: Final = "outline.json"
PLAN_FILE: Final = "plan.json"


@dataclass(frozen=True)
class WriteOptions:
    """What a deck is to be. ``slides`` is the most it may have before long ones are split."""

    title: str = ""
    focus: str = ""
    slides: int = WRITE_SLIDES
    theme: str = "light"
    language: str = "en"
    formats: tuple[DeckFormat, ...] = ("pptx",)


@dataclass(frozen=True)
class WrittenDeck:
    """A deck that was written, and what it stands on."""

    files: tuple[Path, ...]
    slides: int
    outline: Outline | None
    """None where the plan itself was given."""
    unread: tuple[Unread, ...] = ()
    """What of the documents could not be read."""
    numbers: tuple[NumberOnSlide, ...] = ()
    """Every number on the slides, and whether a source has it."""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def unfounded(self) -> tuple[NumberOnSlide, ...]:
        """The numbers that no source has."""
        return tuple(number for number in self.numbers if not number.found)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "files": [str(path) for path in self.files],
            "slides": self.slides,
            "unread": [str(item) for item in self.unread],
            "numbers": len(self.numbers),
            "unfounded": [{"slide": item.slide, "text": item.text} for item in self.unfounded],
            "seconds": self.seconds,
        }


def write_deck(
    documents: Sequence[str | Path],
    out: str | Path,
    *,
    options: WriteOptions | None = None,
    keep: str | Path | None = None,
    start: WriteStage = "documents",
    progress: Progress | None = None,
    renderer: Renderer | None = None,
) -> WrittenDeck:
    """Write a deck from documents without a model, to ``out`` and files of its name beside it.

    ``keep`` is a folder for the artefact of each stage: ``outline.json``, ``plan.json`` and the
    pictures. With ``start`` the run goes on from the artefact there, which a person may have
    changed. Raises PlanError where the documents or an artefact give no deck, OSError where
    something cannot be read or written, Unavailable where a library of ``decklab[write]`` or, for
    PDF, LibreOffice is missing. Nothing is written then but artefacts.
    """
    options = options or WriteOptions()
    stages = Stages(progress)
    target = Path(out)
    check_file(target, inputs=documents)
    if start != "documents" and keep is None:
        raise PlanError(f"to start from the {start} name the folder that an earlier run kept")
    with ExitStack() as stack:
        folder = Path(keep) if keep else Path(stack.enter_context(TemporaryDirectory()))
        with stages.stage("read"):
            sources = read_documents(documents)
        outline = None
        if start != "plan":
            outline = _outlined(sources, options, folder, stages, start)
            plan = _planned(outline, sources, folder, stages)
        else:
            plan = read_plan(folder / PLAN_FILE)
        with stages.stage("compose"):
            composed = compose(plan, options.theme)
        files = _written(composed, target, options.formats, stages, renderer)
        with stages.stage("check"):
            numbers = tuple(numbers_on_slides(files[0], sources)) if files else ()
    return WrittenDeck(
        files, len(composed.slides), outline, sources.unread, numbers, dict(stages.seconds)
    )


def _outlined(
    sources: KnowledgeBase, options: WriteOptions, folder: Path, stages: Stages, start: WriteStage
) -> Outline:
    with stages.stage("outline"):
        if start == "outline":
            outline = read_outline(folder / OUTLINE_FILE)
            missing = missing_quotes(outline, sources)
            if missing:
                raise PlanError(f"{folder / OUTLINE_FILE}: {missing[0]}")
            return outline
        outline = extractive_outline(
            sources, slides=options.slides, title=options.title, focus=options.focus,
            language=options.language,
        )  # fmt: skip
        write_outline(outline, folder / OUTLINE_FILE)
        return outline


def _planned(outline: Outline, sources: KnowledgeBase, folder: Path, stages: Stages) -> DeckPlan:
    with stages.stage("plan"):
        plan = deck_plan(outline, sources, folder / "pictures")
        text = plan.model_dump_json(indent=1, exclude_defaults=True)
        write_whole(folder / PLAN_FILE, f"{text}\n".encode())
        return plan


def _written(
    composed: Composed, target: Path, formats: Sequence[DeckFormat], stages: Stages,
    renderer: Renderer | None,
) -> tuple[Path, ...]:  # fmt: skip
    """The files of a deck, the PPTX first; the PDF is what LibreOffice makes of the PPTX."""
    files = [target.with_suffix(".pptx")]
    with stages.stage("write"):
        write_pptx(composed, files[0])
        if "html" in formats:
            files.append(target.with_suffix(".html"))
            write_html(composed, files[-1])
    if "pdf" in formats:
        files.append(target.with_suffix(".pdf"))
        with stages.stage("pdf"):
            _write_pdf(files[0], files[-1], renderer)
    return tuple(files)


def _write_pdf(deck: Path, target: Path, renderer: Renderer | None) -> None:
    with (renderer or Renderer()).started() as started:
        content = started.pdf(deck)
    write_whole(target, content)
