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
from decklab.composing.examples.deck import LikeDeck, check_deck, write_like
from decklab.composing.html_deck import write_html
from decklab.composing.pptx_deck import write_pptx
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
    like: LikeDeck | None = None
    """With ``WriteOptions.like``: which examples were used, and what they could not show."""

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
            "like": None if self.like is None else self.like.as_json(),
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
    changed. Raises PlanError where the documents or an artefact give no deck, OSError where
    something cannot be read or written, Unavailable where a library of ``decklab[write]`` or, for
    PDF, LibreOffice is missing. Nothing is written then but artefacts.
    """
    options = options or WriteOptions()
    stages = Stages(progress)
    target = Path(out)
    targets = _targets(target, options.formats)
    for path in {target, *targets}:
        check_file(path, inputs=[*documents, *([options.like] if options.like else [])])
    _check(options)
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
        like: LikeDeck | None = None
        if options.like:
            with stages.stage("write"):
                like = write_like(plan, options.like, targets[0])
            count = len(like.used)
        else:
            with stages.stage("compose"):
                composed = compose(plan, options.theme)
            _write(composed, targets, stages)
            count = len(composed.slides)
        _write_pdf(targets, stages, drawing)
        with stages.stage("check"):
            numbers = tuple(
                number for number in numbers_on_slides(targets[0], sources)
                if like is None or not like.holds(number.slide, number.text)
            )  # fmt: skip
    return WrittenDeck(
        targets,
        count,
        made.outline if made else None,
        sources.unread,
        numbers,
        made.left_out if made else (),
        made.usage if made else Usage(),
        dict(stages.seconds),
        like,
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
    """Check the names of the theme and language, and the example deck, before the work."""
    _ = THEMES[options.theme]
    if options.like is not None:
        if "html" in options.formats:
            raise PlanError("a deck like another one has no HTML: choose pptx and pdf, or a theme")
        if options.theme != WriteOptions.theme:
            raise PlanError("give a deck to write like or a theme, not both")
        check_deck(options.like)
    try:
        language_tag(options.language)
    except ValueError as error:
        raise PlanError(str(error)) from None


def _write(composed: Composed, targets: Sequence[Path], stages: Stages) -> None:
    """Write a composed deck as PPTX and as HTML."""
    deck, *others = targets
    with stages.stage("write"):
        write_pptx(composed, deck)
        for path in (path for path in others if path.suffix == ".html"):
            write_html(composed, path)


def _write_pdf(targets: Sequence[Path], stages: Stages, renderer: Renderer) -> None:
    """Write the PDF that LibreOffice makes of the PPTX."""
    deck, *others = targets
    for path in (path for path in others if path.suffix == ".pdf"):
        with stages.stage("pdf"):
            write_whole(path, renderer.pdf(deck))
