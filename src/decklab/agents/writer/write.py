"""``decklab write``: from documents to a deck, stage by stage."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pydantic import ValidationError

from decklab.agents.stages import Progress, Stages
from decklab.agents.writer.extractive import extractive_outline
from decklab.agents.writer.grounding import NumberOnSlide, numbers_on_slides
from decklab.agents.writer.narrative import NarratedOutline, narrate
from decklab.agents.writer.outline import Outline, load_outline, missing_quotes, write_outline
from decklab.agents.writer.request import WriteOptions
from decklab.agents.writer.slides import deck_plan
from decklab.composing.blueprint import DeckPlan, first_fault, language_tag, read_plan
from decklab.composing.compose import Composed, compose
from decklab.composing.html_deck import write_html
from decklab.composing.pptx_deck import write_pptx
from decklab.composing.templates.filling import Filled, Unheld, fill
from decklab.composing.templates.reading import read_template
from decklab.composing.templates.writing import write_filled
from decklab.composing.themes import THEMES
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Unread
from decklab.documents.reading import read_documents
from decklab.errors import PlanError
from decklab.files import check_file, check_folder, write_whole
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.options import DeckFormat, Spending, WriteStage
from decklab.rendering.renderer import Renderer

OUTLINE_FILE: Final = "outline.json"
PLAN_FILE: Final = "plan.json"


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
    left_out: tuple[str, ...] = ()
    """What a model wrote that its evidence does not hold."""
    usage: Usage = field(default_factory=Usage)
    """What the model cost."""
    seconds: dict[str, float] = field(default_factory=dict)
    unheld: tuple[Unheld, ...] = ()
    """What the template has no place for, and what was done instead."""

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
            "left_out": list(self.left_out),
            "unheld": [asdict(item) for item in self.unheld],
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "seconds": self.seconds,
        }


def write_deck(
    documents: Sequence[str | Path],
    out: str | Path,
    *,
    options: WriteOptions | None = None,
    model: str | Ask | None = None,
    spending: Spending | None = None,
    keep: str | Path | None = None,
    start: WriteStage = "documents",
    progress: Progress | None = None,
    renderer: Renderer | None = None,
) -> WrittenDeck:
    """Write a deck from documents, to ``out`` and files of its name beside it.

    ``model`` writes what stands on the slides, from the documents or the prompt alone; None takes
    the documents' own sentences. A plain function may stand for a model; of one that is named,
    ``spending`` bounds what it costs and keeps its record.
    ``keep`` is a folder for the artefact of each stage: ``outline.json``, ``plan.json`` and the
    pictures. With ``start`` the run goes on from the artefact there, which a person may have
    changed. Raises PlanError where the documents or an artefact give no deck or options do not go
    together, DeckError where the template of the options cannot be used, OSError where something
    cannot be read or written, Unavailable where a library of ``decklab[write]`` or, for PDF,
    LibreOffice is missing. Nothing is written then but artefacts.
    """
    options = options or WriteOptions()
    stages = Stages(progress)
    target = Path(out)
    targets = _targets(target, options.formats)
    inputs = [*documents, *([options.template] if options.template else [])]
    for path in {target, *targets}:
        check_file(path, inputs=inputs)
    _check(options)
    template = None if options.template is None else read_template(options.template)
    _check_start(start, documents=bool(documents), model=model is not None, kept=keep is not None)
    if keep is not None:
        check_folder(keep)
    with ExitStack() as stack:
        drawing = stack.enter_context((renderer or Renderer()).started())
        if "pdf" in options.formats:
            drawing.check()
        folder = Path(keep) if keep else Path(stack.enter_context(TemporaryDirectory()))
        with stages.timed("read"):
            sources = read_documents(documents)
        run = _Run(
            sources=sources,
            options=options,
            folder=folder,
            stages=stages,
            model=model,
            spending=spending,
        )
        made = run.outline_from(start)
        plan = run.plan_of(made.outline) if made else read_plan(folder / PLAN_FILE)
        with stages.stage("compose"):
            made_slides = fill(plan, template) if template else compose(plan, options.theme)
        _write(made_slides, targets, stages, drawing)
        with stages.stage("check"):
            numbers = tuple(numbers_on_slides(targets[0], sources))
    return WrittenDeck(
        targets,
        len(made_slides.slides),
        made.outline if made else None,
        sources.unread,
        numbers,
        made.left_out if made else (),
        made.usage if made else Usage(),
        dict(stages.seconds),
        made_slides.unheld if isinstance(made_slides, Filled) else (),
    )


def _check_start(start: WriteStage, *, documents: bool, model: bool, kept: bool) -> None:
    """Raise PlanError where there is nothing to start from."""
    if not documents and not model and start != "plan":
        raise PlanError("without a model a deck is written from documents: name at least one")
    if start != "documents" and not kept:
        raise PlanError(f"to start from the {start} name the folder that an earlier run kept")


@dataclass(frozen=True, kw_only=True)
class _Run:
    """One deck on its way: from where its artefacts are to the plan of its slides."""

    sources: KnowledgeBase
    options: WriteOptions
    folder: Path
    stages: Stages
    model: str | Ask | None
    spending: Spending | None

    def outline_from(self, start: WriteStage) -> NarratedOutline | None:
        """The outline, kept or new; None where the run goes on from a plan."""
        if start == "plan":
            return None
        return self.kept_outline() if start == "outline" else self.new_outline()

    def kept_outline(self) -> NarratedOutline:
        """The outline of an earlier run, whose quotes have to be in the documents still."""
        path = self.folder / OUTLINE_FILE
        outline = load_outline(path)
        missing = missing_quotes(outline, self.sources)
        if missing:
            raise PlanError(f"{path}: {missing[0]}")
        return NarratedOutline(outline)

    def new_outline(self) -> NarratedOutline:
        """The outline by the model, or by rules where there is none."""
        if self.model is None:
            with self.stages.stage("outline"):
                made = NarratedOutline(
                    extractive_outline(
                        self.sources,
                        slides=self.options.slides,
                        title=self.options.title,
                        focus=self.options.prompt,
                        language=self.options.language,
                    )
                )
        else:
            with self._asking(self.model) as ask, self.stages.stage("story"):
                made = narrate(self.sources, self.options, ask, tell=self.stages.tell)
        write_outline(made.outline, self.folder / OUTLINE_FILE)
        return made

    def plan_of(self, outline: Outline) -> DeckPlan:
        """The slides of an outline, as a file too."""
        with self.stages.stage("plan"):
            try:
                plan = deck_plan(outline, self.sources, self.folder / "pictures")
            except ValidationError as error:
                raise PlanError(f"the outline gives no slides: {first_fault(error)}") from error
            text = plan.model_dump_json(indent=1, exclude_defaults=True)
            write_whole(self.folder / PLAN_FILE, f"{text}\n".encode())
            return plan

    @contextmanager
    def _asking(self, model: str | Ask) -> Iterator[Ask]:
        """The model as a plain function, with its budget and record."""
        if not isinstance(model, str):
            yield model
            return
        files = {document.name: file_digest(document.path) for document in self.sources.documents}
        facts = {
            "command": "write",
            "decklab": version("decklab"),
            "model": model,
            "documents": files,
            **asdict(self.options),
        }
        run = begin_run(self.spending, facts)
        with run.asking(model, tell=self.stages.tell) as ask:
            yield ask


def _targets(target: Path, formats: Sequence[DeckFormat]) -> tuple[Path, ...]:
    """The files of a deck, the PPTX first."""
    deck = target if target.suffix.lower() == ".pptx" else target.with_suffix(".pptx")
    others = [name for name in ("html", "pdf") if name in formats]
    return (deck, *(target.with_suffix(f".{name}") for name in others))


def _check(options: WriteOptions) -> None:
    """Check the names of the theme and language, and what goes together, before the work."""
    _ = THEMES[options.theme]
    if options.template is not None and "html" in options.formats:
        raise PlanError("a deck in a template has no HTML: choose pptx and pdf, or a theme")
    if options.template is not None and options.theme != WriteOptions.theme:
        raise PlanError("a template has its own design: give a template or a theme, not both")
    try:
        language_tag(options.language)
    except ValueError as error:
        raise PlanError(str(error)) from None


def _write(
    composed: Composed | Filled, targets: Sequence[Path], stages: Stages, renderer: Renderer
) -> None:  # fmt: skip
    """Write the files of a deck; the PDF is what LibreOffice makes of the PPTX."""
    deck, *others = targets
    with stages.stage("write"):
        if isinstance(composed, Filled):
            write_filled(composed, deck)
        else:
            write_pptx(composed, deck)
            for path in (path for path in others if path.suffix == ".html"):
                write_html(composed, path)
    for path in (path for path in others if path.suffix == ".pdf"):
        with stages.stage("pdf"):
            write_whole(path, renderer.pdf(deck))
