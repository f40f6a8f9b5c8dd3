"""Slides that somebody wrote in Markdown, as the plan of a deck.

The form is that of Marp, Slidev and Pandoc; ``markdown_parts`` reads it. Words stay as they are.
What a slide cannot show is told with its line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from decklab.board.blueprint import DeckPlan, SlidePlan, first_fault, language_tag
from decklab.board.marked_text import joined
from decklab.board.themes import THEMES
from decklab.core.errors import PlanError
from decklab.core.registry import one_of
from decklab.writer.markdown_content import MarkdownSlide
from decklab.writer.markdown_parts import FrontMatter, MarkdownPart, MarkdownParts, front_matter
from decklab.writer.wording import fixed_words

_COUNT = re.compile(r" \(\d+/\d+\)\Z")
"""Of the slides that one slide became."""


@dataclass(frozen=True)
class MarkdownSlides:
    """The plan of a deck that was written in Markdown."""

    plan: DeckPlan
    lines: tuple[int, ...]
    """Where each slide of the plan begins in the file, counted from 1."""
    told: tuple[str, ...] = ()
    """Parts of the file that are not on the slides as they are written, a line each."""
    theme: str = ""
    """The theme that the file names; empty where it names none."""


def read_markdown_slides(
    path: str | Path, *, title: str = "", language: str = ""
) -> MarkdownSlides:
    """The slides of a Markdown file.

    ``title`` and ``language`` (a BCP 47 tag) stand before those of the file's front matter. Raises
    PlanError, in a line that names file and line, where it cannot be read or a slide cannot be made
    of it; Unavailable without ``decklab[write]``.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"{file}: it cannot be read: {error}") from error
    return markdown_slides(text, file, title=title, language=language)


def markdown_slides(
    text: str, file: Path, *, title: str = "", language: str = ""
) -> MarkdownSlides:
    """The slides of Markdown text as ``read_markdown_slides`` gives them.

    ``file`` is where the text stands, or will: pictures are looked for beside it.
    """
    front = front_matter(text)
    parts = MarkdownParts(text, front.end)
    read = parts.read()
    drafts = list(_drafts(read, front))
    apart = _has_title_apart(read, drafts, front)
    plans: list[SlidePlan] = []
    lines: list[int] = []
    told = [*front.told, *parts.told]
    section: str | None = None
    tag = language or front.values.get("language", "en")
    source = f"{fixed_words(tag).source}: {file.name}"
    for number, draft in enumerate(drafts):
        last = number == len(drafts) - 1 and number > 1
        known = {plan.section for plan in plans}
        before = (
            _COUNT.sub("", plans[-1].title)
            if plans
            else title or front.values.get("title", file.stem)
        )
        try:
            first = number == 0 and not apart
            slide = MarkdownSlide(file, draft, source, first=first, last=last)
            section = slide.section_after(section, known)
            made = slide.plans(before, section)
        except ValidationError as error:
            raise PlanError(f"{file}, line {draft[0].line}: {first_fault(error)}") from error
        told += slide.told
        plans += made
        lines += [draft[0].line] * len(made)
    if not plans:
        raise PlanError(f"{file}: there is no slide in it")
    opening = _title_page(plans[0], front, title)
    if opening is not None:
        plans, lines = [opening, *plans], [1, *lines]
    elif plans[0].layout == "title":
        plans[0], unused = _titled(plans[0], front)
        told += unused
    plan = _deck(plans, file, front, title, tag)
    theme = front.values.get("theme", "")
    if theme and theme not in THEMES:
        told.append(f"there is no theme {theme!r} here; {one_of(list(THEMES))} can be named")
        theme = ""
    shown = tuple(dict.fromkeys(f"{file.name}, {line}" for line in told))
    return MarkdownSlides(plan, tuple(lines), shown, theme)


def _drafts(parts: Sequence[MarkdownPart], front: FrontMatter) -> Iterator[list[MarkdownPart]]:
    """The parts of each slide: breaks part slides, and headings to a level do (``_dividing``)."""
    deepest = _dividing(parts, front)
    draft: list[MarkdownPart] = []
    for part in parts:
        divides = part.kind == "break" or (part.kind == "heading" and part.level <= deepest)
        if divides and (part.kind == "break" or any(_is_content(item) for item in draft)):
            if draft:
                yield draft
            draft = []
        if part.kind != "break":
            draft.append(part)
    if draft:
        yield draft


def _dividing(parts: Sequence[MarkdownPart], front: FrontMatter) -> int:
    """The deepest level of the headings that begin a slide; 0 if only breaks do.

    That is what ``headingDivider`` of Marp says; else 2 if there is no break, or if headings of one
    of these levels follow each other between two breaks, as Pandoc has it.
    """
    stated = front.values.get("headingDivider", "")
    if stated or front.marp:
        return int(stated) if stated in ("1", "2", "3", "4", "5", "6") else 0
    broken = any(part.kind == "break" for part in parts)
    if broken and any(part.kind == "directive" and part.name == "layout" for part in parts):
        return 0
    seen: set[int] = set()
    for part in parts:
        if part.kind == "break" or part.name == "column":
            seen = set()
        elif part.kind == "heading" and part.level < 3:
            if part.level in seen:
                return 2
            seen.add(part.level)
    return 0 if broken else 2


def _has_title_apart(
    parts: Sequence[MarkdownPart], drafts: Sequence[Sequence[MarkdownPart]], front: FrontMatter
) -> bool:
    """Whether the title of the front matter is a page before the first heading, as in Pandoc.

    In files whose slides only breaks part, the first slide is the title page.
    """
    heading = next((part.text for part in parts if part.kind == "heading"), "")
    divided = _dividing(parts, front) > 0 and not front.marp
    return divided and len(drafts) > 1 and front.values.get("title", heading) != heading


def _is_content(part: MarkdownPart) -> bool:
    """Whether a part is more than a setting or a picture behind the slide: those may stand above
    its heading."""
    return part.kind != "directive" and not (part.kind == "picture" and part.text.startswith("bg"))


def _title_page(first: SlidePlan, front: FrontMatter, title: str) -> SlidePlan | None:
    """The front matter's title as a slide; None where the first slide is a title page already."""
    values = front.values
    if first.layout == "title" or "title" not in values or values.get("title-page") == "no":
        return None
    return SlidePlan(
        layout="title", title=title or values["title"], subtitle=values.get("subtitle"),
        byline=_byline(front) or None,
    )  # fmt: skip


def _byline(front: FrontMatter) -> str:
    """Author and date of the front matter in one line."""
    return joined(
        " · ", (front.values[name] for name in ("author", "date") if name in front.values)
    )


def _titled(slide: SlidePlan, front: FrontMatter) -> tuple[SlidePlan, list[str]]:
    """A title page with what it lacks of the front matter, and what of that it cannot show."""
    wanted = {"subtitle": front.values.get("subtitle", ""), "byline": _byline(front)}
    said = " ".join(filter(None, (slide.title, slide.subtitle, slide.byline)))
    missing = {
        name: text for name, text in wanted.items()
        if text and not getattr(slide, name) and text not in said
    }  # fmt: skip
    kept = [text for name, text in wanted.items() if text and name not in missing]
    unused = [text for text in kept if text not in said]
    return slide.model_copy(update=missing), [f"line 1: not shown: {text}" for text in unused]


def _deck(
    plans: Sequence[SlidePlan], file: Path, front: FrontMatter, title: str, language: str
) -> DeckPlan:
    values: dict[str, Any] = {"title": title or front.values.get("title", plans[0].title)}
    values["language"] = language
    if "footer" in front.values:
        values["footer"] = front.values["footer"]
    try:
        language_tag(values["language"])
        sections = tuple(dict.fromkeys(plan.section for plan in plans if plan.section))
        return DeckPlan(sections=sections, slides=tuple(plans), **values)
    except ValidationError as error:
        raise PlanError(f"{file}: {first_fault(error)}") from error
    except ValueError as error:
        raise PlanError(f"{file}: {error}") from error
