"""``decklab write``: from documents to a deck, stage by stage."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from decklab.board.blueprint import DeckPlan, SlidePlan, first_fault, language_tag, read_plan
from decklab.board.pages.layout import lay_out_deck, stay_whole
from decklab.board.templates.filling import Filled, Unheld
from decklab.board.themes import THEMES
from decklab.core.errors import PlanError, json_of
from decklab.core.files import (
    check_file,
    check_folder,
    keep_copy,
    name_taken,
    scratch_folder,
    write_output,
    write_whole,
)
from decklab.core.options import DeckFormat, Spending, WriteEnd, WriteStage
from decklab.core.stages import Progress, Stages
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.languages import language_of
from decklab.documents.model import Unread
from decklab.documents.reading import read_documents
from decklab.linting.rules.accessibility import may_be_written_in, script_of
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import begin_run, file_digest
from decklab.rendering.html import check_browser
from decklab.rendering.renderer import Renderer
from decklab.writer.defects import SlideDefect
from decklab.writer.design_choice import DEFAULT_DESIGN, design_for
from decklab.writer.designing import PLAN_FILE, write_plan
from decklab.writer.framing import framed
from decklab.writer.grounding import NumberOnSlide, numbers_on_slides
from decklab.writer.image_models import PictureService, with_generated
from decklab.writer.making import MadeDeck, check_design, make_deck
from decklab.writer.markdown_out import plan_markdown
from decklab.writer.markdown_slides import MarkdownSlides, read_markdown_slides
from decklab.writer.narrative import NarratedOutline, narrate
from decklab.writer.outline import Outline, OutlinePage, load_outline, missing_quotes, write_outline
from decklab.writer.own_pictures import read_pictures, with_pictures
from decklab.writer.redo import Redoing, replaced
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter
from decklab.writer.slides import deck_plan, plain_slide, slide_of_page
from decklab.writer.story.coverage import Coverage
from decklab.writer.story.outlining import story_of

OUTLINE_FILE: Final = "outline.json"
SLIDES_FILE: Final = "slides.md"
SETTINGS_FILE: Final = "settings.json"


@dataclass(frozen=True)
class WrittenDeck:
    """A deck that was written, and what it stands on; without files where only an outline was."""

    files: tuple[Path, ...]
    slides: int
    outline: Outline | None
    """None where the plan itself was given."""
    unread: tuple[Unread, ...] = ()
    """What of the documents could not be read."""
    numbers: tuple[NumberOnSlide, ...] = ()
    """Every number on the slides, and whether a source has it."""
    left_out: tuple[str, ...] = ()
    """What a model wrote that its evidence does not hold, and what it asked for in vain."""
    changes: tuple[str, ...] = ()
    """What was changed because of defects of the drawn deck."""
    defects: tuple[SlideDefect, ...] = ()
    """What is wrong with the drawn deck still; empty, too, where nobody looked."""
    not_looked: tuple[str, ...] = ()
    """What could not be looked for in the drawn deck, and why."""
    told: tuple[str, ...] = ()
    """What of slides in Markdown, of a wish or of an option is not in the deck as it was asked."""
    looked_up: bool = True
    """Whether numbers were looked up: slides in Markdown and kept plans need no sources."""
    theme: str = DEFAULT_DESIGN
    model: str = ""
    """The model that was named; empty where there was none, or a function."""
    usage: Usage = field(default_factory=Usage)
    """What the model cost."""
    seconds: dict[str, float] = field(default_factory=dict)
    coverage: Coverage | None = None
    """Without a model what of the documents is on slides, and what is not."""
    unheld: tuple[Unheld, ...] = ()
    """With a template what it has no place for, and what was done instead."""
    like: Filled | None = None
    """With a deck to write like which examples were used, and what they could not show."""

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
            "told": list(self.told),
            "theme": self.theme,
            "changes": list(self.changes),
            "defects": [asdict(item) for item in self.defects],
            "not_looked": list(self.not_looked),
            "unheld": [asdict(item) for item in self.unheld],
            "like": None if self.like is None else self.like.as_json(),
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "coverage": None if self.coverage is None else self.coverage.as_json(),
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
    until: WriteEnd = "deck",
    force: bool = False,
    progress: Progress | None = None,
    renderer: Renderer | None = None,
) -> WrittenDeck:
    """Write a deck from documents, to ``out`` and files of its name beside it.

    ``model`` writes what stands on the slides, from the documents or the prompt alone; None takes
    the documents' own sentences. A plain function may stand for a model; of one that is named,
    ``spending`` bounds what it costs and keeps its record. With ``options.slides_from`` the slides
    are those of a Markdown file, and documents are what numbers are looked up in.
    ``keep`` is a folder for the artefact of each stage: ``outline.json``, ``plan.json``, the plan
    as ``slides.md``, and the pictures; with a model what it answered (``story.json``,
    ``pages.json``) and ``style.json``, and ``refine.json`` where the drawn deck
    was looked at. With ``start`` the run goes on from the artefact there, which a person may have
    changed; with ``options.redo`` from the plan, of which one slide is made anew. With ``until``
    the outline the run ends when that lies in ``keep``, and no deck is written. With ``force``
    files of the deck may exist, and ``keep`` may have the artefacts of a run from other documents;
    copies of them are kept beside them. Raises NameTaken where they exist otherwise, PlanError
    where the documents or an artefact give no deck or options do not go together, DeckError
    where a template or a deck to write like cannot be used, OSError where something cannot be
    read or written, Unavailable where a library of ``decklab[write]``, for a theme Chromium or,
    for PDF, LibreOffice is missing. Nothing is written then but artefacts.
    """
    wanted = options or WriteOptions()
    stages = Stages(progress)
    start = "plan" if wanted.redo else start
    targets = _targets(Path(out), wanted.formats)
    given = [*documents, *filter(None, [wanted.slides_from])]
    for path in {Path(out), *targets}:
        inputs = [*given, *filter(None, (wanted.template, wanted.like))]
        check_file(path, inputs=inputs, force=force)
    check_design(wanted)
    _check_start(start, bool(given) or model is not None, keep is not None)
    _check_end(
        until, outlined=start == "documents" and not wanted.slides_from, kept=keep is not None
    )
    slides = _slides_given(wanted)
    options = _settled(wanted, slides, Path(keep) if keep and start == "plan" else None)
    _check(options)
    if keep is not None:
        check_folder(keep)
    recorded = spending is not None and spending.record is not None
    earlier = _artefacts(keep, wanted) if start == "documents" and not recorded else ()
    if earlier and not force:
        raise name_taken(earlier[0])
    with ExitStack() as stack:
        drawing = stack.enter_context((renderer or Renderer()).started(own_cache=True))
        if "pdf" in options.formats:
            drawing.check()
        if until == "deck" and not (options.template or options.like):
            check_browser(targets[0])
        folder = Path(keep) if keep else stack.enter_context(scratch_folder("write"))
        with stages.timed("read"):
            sources = read_documents(documents)
        options = replace(options, language=_language_of(sources, options))
        for path in earlier:
            keep_copy(path)
        run = _Run(
            sources=sources, options=options, folder=folder, stages=stages, spending=spending
        )
        ask = None if model is None else stack.enter_context(run.asking(model))
        if until == "outline":
            return run.outlined(ask)
        planned = run.planned(start, slides, ask)
        free_design = not options.theme
        run = replace(run, options=replace(options, theme=planned.theme))
        scratch = stack.enter_context(scratch_folder("deck"))
        finished = tuple(scratch / path.name for path in targets)
        how = {
            "ask": None if options.redo else ask, "rewriter": run.rewriter,
            "free_design": free_design, "kept": start != "documents", "stages": stages,
            "renderer": drawing,
        }  # fmt: skip
        with _markdown_lines(planned, slides):
            made = _made(planned.plan, run.options, finished, folder, **how)
        if fewer := run.with_fewer(planned, made.slides):
            planned, made = fewer, _made(fewer.plan, run.options, finished, folder, **how)
        run.keep(made)
        _write_pdf(finished, stages, drawing)
        with stages.stage("check"):
            looked_up = bool(documents) or planned.outline is not None
            numbers = _numbers(finished[0], sources, made.like) if looked_up else None
        for path, target in zip(finished, targets, strict=True):
            write_output(target, path.read_bytes(), force=force)
    return replace(planned, unread=sources.unread).written(targets, made, numbers, model, stages)


def plan_of_source(source: Path, folder: Path) -> DeckPlan:
    """The plan of a deck of slides in Markdown (``.md``) or of a document, by rules alone.

    ``folder`` takes pictures and artefacts. Raises PlanError or OSError where there is no deck.
    """
    marked = source.suffix.lower() in (".md", ".markdown")
    options = WriteOptions(slides_from=str(source) if marked else "")
    slides = _slides_given(options)
    sources = read_documents([] if marked else [source])
    options = replace(options, language=_language_of(sources, options))
    run = _Run(sources=sources, options=options, folder=folder, stages=Stages(None), spending=None)
    return run.planned("documents", slides, None).plan


def _language_of(sources: KnowledgeBase, options: WriteOptions) -> str:
    """The language of the deck: as asked for, else that of the documents, else English."""
    if options.language or options.source_language:
        return options.language or options.source_language
    words = "\n".join(section.text for section in sources.sections)
    return language_of(words or options.prompt) or "en"


def _made(plan: DeckPlan, options: WriteOptions, *places: Any, **how: Any) -> MadeDeck:
    """The deck of a plan; of one that no person and no model wrote, a slide whose layout has no
    room for its contents becomes a plain one."""
    own = how["ask"] is None and not how["kept"] and not options.slides_from
    for _ in range(len(plan.slides) if own else 0):
        try:
            return make_deck(plan, options, *places, **how)
        except PlanError as error:
            named = re.match(r"slide (\d+)", str(error))
            at = int(named[1]) - 1 if named else len(plan.slides)
            if at >= len(plan.slides) or plain_slide(plan.slides[at]) == plan.slides[at]:
                raise
            slides = list(plan.slides)
            slides[at] = plain_slide(slides[at])
            plan = plan.model_copy(update={"slides": tuple(slides)})
    return make_deck(plan, options, *places, **how)


def _artefacts(keep: str | Path | None, options: WriteOptions) -> tuple[Path, ...]:
    """Artefacts of an earlier run, which a person may have changed and a new one replaces."""
    if keep is None:
        return ()
    paths = [Path(keep) / name for name in (OUTLINE_FILE, PLAN_FILE, SLIDES_FILE)]
    given = options.slides_from
    return tuple(path for path in paths if path.exists() and not (given and path.samefile(given)))


def _numbers(deck: Path, sources: KnowledgeBase, like: Filled | None) -> tuple[NumberOnSlide, ...]:
    """The numbers on the slides, without those that stay from a deck to write like."""
    found = numbers_on_slides(deck, sources)
    return tuple(one for one in found if like is None or not like.holds(one.slide, one.text))


def _slides_given(options: WriteOptions) -> MarkdownSlides | None:
    """The slides in Markdown that the options name."""
    if not options.slides_from:
        return None
    language = options.language
    return read_markdown_slides(options.slides_from, title=options.title, language=language)


def _settled(
    options: WriteOptions, slides: MarkdownSlides | None, kept: Path | None
) -> WriteOptions:
    """The options with the theme that is named: by them, by the slides, or by the kept deck."""
    theme = options.theme or (slides.theme if slides else "")
    if not theme and kept is not None:
        theme = _kept_theme(kept / SETTINGS_FILE)
    if not theme and options.redo:
        theme = DEFAULT_DESIGN
    return replace(options, theme=theme)


def _kept_theme(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        found = json_of(path.read_bytes())["theme"]
    except (ValueError, KeyError, TypeError) as error:
        raise PlanError(f"{path}: it names no theme") from error
    return str(found)


@contextmanager
def _markdown_lines(planned: "_Planned", slides: MarkdownSlides | None) -> Iterator[None]:
    """An error in the block about a slide that was given in Markdown names its line."""
    try:
        yield
    except PlanError as error:
        found = re.match(r"slide (\d+)", str(error))
        if slides is None or found is None:
            raise
        shown = planned.plan.slides[int(found[1]) - 1]
        lines = zip(slides.lines, slides.plan.slides, strict=True)
        line = next((line for line, slide in lines if slide == shown), None)
        raise PlanError(f"{error} (line {line})" if line else str(error)) from error


def _check_start(start: WriteStage, given: bool, kept: bool) -> None:
    """Raise PlanError where there is nothing to start from."""
    if not given and start != "plan":
        raise PlanError("without a model a deck is written from documents: name at least one")
    if start != "documents" and not kept:
        raise PlanError(f"to start from the {start} name the folder that an earlier run kept")


def _check_end(until: WriteEnd, *, outlined: bool, kept: bool) -> None:
    """Raise PlanError where no outline is made, or nobody could see it."""
    if until == "outline" and not outlined:
        raise PlanError("an outline is made from documents or a prompt, at the start of a run")
    if until == "outline" and not kept:
        raise PlanError("to end with the outline name a folder to keep it in")


@dataclass(frozen=True)
class _Planned:
    """The plan of a deck, and what it came from."""

    plan: DeckPlan
    outline: Outline | None = None
    left_out: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    unread: tuple[Unread, ...] = ()
    coverage: Coverage | None = None
    theme: str = DEFAULT_DESIGN
    """The one that is named, else the one that suits the plan."""

    def written(
        self,
        files: tuple[Path, ...],
        made: MadeDeck,
        numbers: tuple[NumberOnSlide, ...] | None,
        model: str | Ask | None,
        stages: Stages,
    ) -> WrittenDeck:
        """The deck once its files are written; ``numbers`` is None where none were looked up."""
        return WrittenDeck(
            files, made.slides, self.outline, self.unread, numbers or (),
            left_out=(*self.left_out, *made.told), told=self.told, changes=made.changes,
            defects=made.defects, not_looked=made.not_looked, looked_up=numbers is not None,
            theme=made.theme, model=model if isinstance(model, str) else "",
            usage=self.usage + made.usage, seconds=dict(stages.seconds), coverage=self.coverage,
            unheld=made.unheld, like=made.like,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Run:
    """One deck on its way: from where its artefacts are to the plan of its slides."""

    sources: KnowledgeBase
    options: WriteOptions
    folder: Path
    stages: Stages
    spending: Spending | None

    def planned(
        self, start: WriteStage, slides: MarkdownSlides | None, ask: Ask | None
    ) -> _Planned:
        """The plan: of slides in Markdown, kept, or of an outline; with the pages around it."""
        if self.options.redo:
            return self._redone(*self.options.redo, ask)
        if slides is not None:
            made = _Planned(slides.plan, told=slides.told)
        elif start == "plan":
            made = _Planned(read_plan(self.folder / PLAN_FILE))
        else:
            told = self.kept_outline() if start == "outline" else self.new_outline(ask)
            plan = self.plan_of(told.outline)
            lines = self._language(ask, told.outline)
            made = _Planned(
                plan, told.outline, told.left_out, lines, told.usage, coverage=told.coverage
            )
        around = framed(made.plan, self.options)
        theme = self.options.theme or design_for(around.plan, self.options)
        plan, unused = self._with_pictures(around.plan, theme)
        lines = (*made.told, *around.told, *unused)
        return replace(made, plan=plan, told=lines, theme=theme)

    def with_fewer(self, planned: _Planned, slides: int) -> _Planned | None:
        """The plan of fewer pages, by rules, if some ran over and made too many slides."""
        most = self.options.slides
        if planned.coverage is None or not most < slides < 2 * most:
            return None
        run = replace(self, options=replace(self.options, slides=2 * most - slides))
        made = run.planned("documents", None, None)
        coverage = made.coverage and replace(made.coverage, asked=most, slides=most)
        return replace(made, coverage=coverage)

    def _with_pictures(self, plan: DeckPlan, theme: str) -> tuple[DeckPlan, list[str]]:
        """The plan with pictures of the user's folder, then of the image model."""
        told: list[str] = []
        folder = self.folder / "pictures"
        if self.options.pictures:
            pictures, told = read_pictures(self.options.pictures, folder)
            plan, left = with_pictures(plan, pictures, theme)
            told = [*told, *left]
        if self.options.images:
            kept = self.spending.record if self.spending else None
            service = PictureService(self.options.images, kept or folder)
            with self.stages.stage("pictures"):
                plan, failed = with_generated(plan, service, theme, self.stages.tell)
            told = [*told, *failed]
        return plan, told

    def _language(self, ask: Ask | None, outline: Outline) -> tuple[str, ...]:
        """A line where the deck is not in the language that was asked for."""
        options = self.options
        script = script_of(" ".join(point.text for page in outline.pages for point in page.points))
        written = options.source_language or options.language
        if ask is None and script and not may_be_written_in(written, script):
            return (f"the deck is marked as {written}, but most of it is in {script} script: name "
                    "its language with --language",)  # fmt: skip
        if ask is not None or options.source_language in ("", options.language):
            return ()
        return (f"without a model a deck stays in the language of its documents: it is in "
                f"{options.source_language}, not in {options.language}",)  # fmt: skip

    def _redone(self, number: int, wish: str, ask: Ask | None) -> _Planned:
        """The kept plan with one slide made anew; the number is that of the slide in the deck."""
        plan = read_plan(self.folder / PLAN_FILE)
        places = lay_out_deck(plan, THEMES[self.options.theme]).places
        if not 1 <= number <= len(places):
            raise PlanError(f"--redo {number}: the deck has slides 1 to {len(places)}")
        place = places[number - 1]
        pictures = self.folder / "pictures"
        redoing = Redoing(plan, self.sources, self.options, pictures, self.slide_fault)
        try:
            # Without a model a wish is refused before anything has begun.
            with self.stages.stage("redo") if ask else nullcontext():
                made = redoing.redone(place, wish, ask)
        except PlanError as error:
            raise PlanError(f"--redo {number}: {error}") from error
        plan = replaced(plan, place, made.slide)
        return _Planned(plan, told=made.told, usage=made.usage, theme=self.options.theme)

    def keep(self, made: MadeDeck) -> None:
        """Write the plan, also as Markdown where it can be read back whole, and the theme."""
        plan = made.plan
        write_plan(plan, self.folder)
        write_whole(self.folder / SETTINGS_FILE, _json({"theme": made.theme or self.options.theme}))
        path = self.folder / SLIDES_FILE
        given = self.options.slides_from
        if given and path.exists() and path.samefile(given):
            return
        words = plan_markdown(plan, path)
        if words is None:
            path.unlink(missing_ok=True)
        else:
            write_whole(path, words.encode())

    def kept_outline(self) -> NarratedOutline:
        """The outline of an earlier run, whose quotes have to be in the documents still."""
        path = self.folder / OUTLINE_FILE
        outline = load_outline(path)
        missing = missing_quotes(outline, self.sources)
        if missing:
            raise PlanError(f"{path}: {missing[0]}")
        return NarratedOutline(outline)

    def new_outline(self, ask: Ask | None) -> NarratedOutline:
        """The outline by the model, or by rules where there is none."""
        if ask is None:
            with self.stages.stage("outline"):
                story = story_of(
                    self.sources,
                    slides=self._outlined_slides(ask),
                    title=self.options.title,
                    focus=self.options.prompt,
                    language=self.options.source_language or self.options.language,
                    kind=self.options.kind,
                )
            made = NarratedOutline(story.outline, coverage=story.coverage)
        else:
            with self.stages.stage("story"):
                wanted = replace(self.options, slides=self._outlined_slides(ask))
                made = narrate(
                    self.sources, wanted, ask, fault_of=self._page_fault, tell=self.stages.tell
                )
            for name, form in made.stages.items():
                text = form.model_dump_json(indent=1)
                write_whole(self.folder / f"{name}.json", f"{text}\n".encode())
        write_outline(made.outline, self.folder / OUTLINE_FILE)
        return made

    @property
    def rewriter(self) -> PageRewriter:
        """What a model writes single pages anew from."""
        pictures = self.folder / "pictures"
        return PageRewriter(self.sources, self.options, pictures, self.slide_fault)

    def _page_fault(self, page: OutlinePage) -> str | None:
        """Why a page that a model wrote gives no slide, or more than one; None if it gives one."""
        folder, language = self.folder / "pictures", self.options.language
        try:
            slide = slide_of_page(page, self.sources, folder, language)
        except ValidationError as error:
            return first_fault(error)
        except ValueError as error:
            return f"the figure cannot be drawn: {error}"
        return None if self.options.template or self.options.like else self.slide_fault(slide)

    def slide_fault(self, slide: SlidePlan) -> str | None:
        """Why a slide does not fit one page of the deck's theme; None if it fits."""
        alone = DeckPlan(title=slide.title, language=self.options.language,
                         slides=(slide.model_copy(update={"section": None}),))  # fmt: skip
        try:
            whole = stay_whole(alone, THEMES[self.options.theme or DEFAULT_DESIGN])[0]
        except PlanError as error:
            return str(error)
        if whole:
            return None
        return (f"layout {slide.layout}: its words do not fit one page at 16 points; say it in "
                "fewer words, with fewer points, or in another layout")  # fmt: skip

    def outlined(self, ask: Ask | None) -> WrittenDeck:
        """The outline alone, which lies in the folder now."""
        made = self.new_outline(ask)
        return WrittenDeck(
            (), 0, made.outline, self.sources.unread, left_out=made.left_out,
            told=self._language(ask, made.outline), looked_up=False,
            theme=self.options.theme or DEFAULT_DESIGN,
            usage=made.usage, seconds=dict(self.stages.seconds), coverage=made.coverage,
        )  # fmt: skip

    def _outlined_slides(self, ask: Ask | None) -> int:
        """How many slides the outline may have, so that no slide is lost to pages not wanted. Only
        a model makes an ending."""
        options = self.options
        ending = ask is not None and options.closing is False
        return options.slides + (options.title_page is False) + ending

    def plan_of(self, outline: Outline) -> DeckPlan:
        """The slides of an outline."""
        with self.stages.stage("plan"):
            try:
                plan = deck_plan(outline, self.sources, self.folder / "pictures")
            except ValidationError as error:
                raise PlanError(f"the outline gives no slides: {first_fault(error)}") from error
            write_plan(plan, self.folder)
            return plan

    @contextmanager
    def asking(self, model: str | Ask) -> Iterator[Ask]:
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


def _json(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def _targets(target: Path, formats: Sequence[DeckFormat]) -> tuple[Path, ...]:
    """The files of a deck, the PPTX first."""
    deck = target if target.suffix.lower() == ".pptx" else target.with_suffix(".pptx")
    others = [name for name in ("html", "pdf") if name in formats]
    return (deck, *(target.with_suffix(f".{name}") for name in others))


def _check(options: WriteOptions) -> None:
    """Check the names of theme, language and folder before the work."""
    if options.pictures and not Path(options.pictures).is_dir():
        raise PlanError(f"{options.pictures}: there is no folder of pictures")
    if options.theme:
        _ = THEMES[options.theme]
    try:
        for tag in filter(None, (options.language, options.source_language)):
            language_tag(tag)
    except ValueError as error:
        raise PlanError(str(error)) from None


def _write_pdf(targets: Sequence[Path], stages: Stages, renderer: Renderer) -> None:
    """Write the PDF that LibreOffice makes of the PPTX."""
    deck, *others = targets
    for path in (path for path in others if path.suffix == ".pdf"):
        with stages.stage("pdf"):
            write_whole(path, renderer.pdf(deck))
