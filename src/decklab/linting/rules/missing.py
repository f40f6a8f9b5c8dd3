"""Words of placeholders and images of pictures that are missing, and content that nobody sees."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from decklab.core.geometry import FRAME
from decklab.core.naming import labelled_id
from decklab.core.options import Severity
from decklab.core.results import Occurrence, quoted
from decklab.deck.model.shapes import (
    Diagram,
    Element,
    Image,
    PictureFill,
    Rect,
    Table,
    Text,
    box_of,
)
from decklab.deck.model.slide import KINDS, SlideElements, TemplateElements
from decklab.deck.views.drawn import squeezed
from decklab.linting.rules.legibility import FOOTERS
from decklab.linting.rules.page import DrawnSlide, DrawnText, is_wordy, share_inside, visible
from decklab.linting.rules.rule import Rule, called, label
from decklab.linting.rules.titles import TITLES
from decklab.seen.drawn import INK_SHARE, ink_share, is_flat
from decklab.seen.seen_slide import LEAST_SIZE, SeenPiece, SeenSlide, VisibilityFault

TOLD_BY: Final[Mapping[VisibilityFault, tuple[str, ...]]] = {
    "covered": ("text.hidden", "text.overlap"),
    "off the slide": ("text.off-slide", "shape.off-slide"),
    "faint": ("contrast.low",),
    "small": ("text.small", "text.broken"),
}
"""The rules that say why a text is not seen; other findings about its look would say nothing."""

LOOKS_OUT: Final = 0.02
"""Ours: share of a thing from which on an eye meets what looks out from behind another."""

TEXT_UNSEEN = Rule(
    "text.unseen",
    "UnseenText",
    "The audience cannot see a text.",
    threshold="a text with words of which `decklab seen` says that nothing is seen, if no other"
    " rule says so",
    fix="Show the text, or move it to the notes.",
    why="Text that nobody sees is still read aloud, printed in outlines and found by search; most "
    "of it was meant to be shown.",
    scored=False,
)


@dataclass(frozen=True)
class Unseen:
    """The elements of a slide of which nothing is seen."""

    texts: Mapping[int, SeenPiece] = field(default_factory=dict)
    """A piece of each text, with the reason, by the id of its shape."""
    things: frozenset[int] = frozenset()
    """The ids of areas, lines, pictures and other graphics."""

    @classmethod
    def on(cls, slide: SeenSlide | None, view: DrawnSlide) -> "Unseen":
        """The findings of ``decklab seen`` on a slide; none if it was not asked. That the show
        does not reach a slide does not count: its text may be shown another day. Nor is text lost
        whose ink the picture shows, or that stands letter by letter, or a thing that looks out."""
        texts: dict[int, list[SeenPiece]] = {}
        things = set()
        for piece in slide.pieces if slide is not None else ():
            if piece.kind == "text" and piece.text:
                texts.setdefault(piece.id, []).append(piece)
            elif piece.kind in ("shape", "graphic") and piece.reason and not _looks_out(piece):
                things.add(piece.id)
        lost = {
            id: own[0]
            for id, own in texts.items()
            if all(p.reason for p in own) and not _is_refuted(own[0], view)
        }
        return cls(lost, frozenset(things))

    def seen_part(self, slide: SlideElements) -> SlideElements:
        """The slide without what is not seen."""
        if not self.texts and not self.things:
            return slide
        kept = {
            kind: tuple(
                item
                for item in getattr(slide, kind)
                if item.id not in (self.texts if kind == "texts" else self.things)
            )
            for kind in KINDS
        }
        return slide.model_copy(update=kept)

    def seen_view(self, view: DrawnSlide) -> DrawnSlide:
        """The drawn slide without what is not seen."""
        if not self.texts and not self.things:
            return view
        lost = [item for item in view.texts if item.element.id in self.texts]
        lost += [item for item in view.contents if item.element.id in self.things]
        gone, spans = {id(item) for item in lost}, {id(s) for item in lost for s in item.spans}
        return replace(
            view,
            slide=self.seen_part(view.slide),
            texts=tuple(item for item in view.texts if id(item) not in gone),
            contents=tuple(item for item in view.contents if id(item) not in gone),
            spans=tuple(span for span in view.spans if id(span) not in spans),
        )

    def tells(self, rule: str, shape: str | None) -> bool:
        """Whether a finding of a rule says why the text of a shape, named by its label, is not
        seen."""
        piece = self.texts.get(labelled_id(shape or "") or -1)
        return piece is not None and rule in TOLD_BY.get(piece.reason or "gone", ())


def _is_refuted(piece: SeenPiece, view: DrawnSlide) -> bool:
    """Whether a text may be seen after all: the picture shows its ink, it stands letter by letter,
    or no picture says whether the file's colours and places are all there is."""
    if view.image is None:
        return piece.reason in TOLD_BY
    if piece.reason == "small":
        return (piece.size or 0.0) >= LEAST_SIZE
    return (piece.reason == "faint" or _looks_out(piece)) and any(
        _is_inked(item, view) for item in view.texts if item.element.id == piece.id
    )


def _looks_out(piece: SeenPiece) -> bool:
    """Whether a part of what is covered can be seen."""
    return piece.reason == "covered" and piece.share > LOOKS_OUT


def _is_inked(drawn: DrawnText, view: DrawnSlide) -> bool:
    """Whether the picture shows the ink of a text."""
    if (image := view.image) is None:
        return False
    shares = (ink_share(image, span.box, span.color) for span in drawn.spans if span.color)
    return any(share is not None and share >= INK_SHARE for share in shares)


def unseen_texts(
    slide: SlideElements, unseen: Unseen, reported: Collection[str | None]
) -> Iterator[Occurrence]:
    """Texts of which an audience sees nothing, as `decklab seen` finds them in the file: under an
    effect that never lets them in, on their head, or see-through.

    Shapes that are hidden, text off the slide, which is there for screen readers, and what another
    rule tells are left out.
    """
    for text in slide.texts:
        piece = unseen.texts.get(text.id)
        if piece is None or piece.reason in ("hidden", "off the slide", "empty", "gone"):
            continue
        finding = TEXT_UNSEEN.finding(
            f"The audience does not see {quoted(text.text)} in {called(text)}: {piece.detail}.",
            slide.number,
            text,
        )
        if is_wordy(text.text) and finding.shape not in reported:
            yield Occurrence(finding, (text.name, piece.reason))


LEAST_PROMPT: Final = 3
"""Ours: a layout's own words are a prompt from so many letters on; a ``1`` in a circle is none."""

_THING = (
    r"(?:main |sub)?(?:title|text|subtitle|heading|headline|point|topic|name|caption|description"
    r"|content|logo|date|company(?: name)?|bullet)s?"
)
_PROMPT = re.compile(
    r"click (?:here )?to (?:add|edit|enter|insert)\b.*"
    r"|(?:click|double.click) (?:the )?icon to add\b.*"
    r"|lorem ipsum\b.*"
    rf"|(?:add|insert|enter|type|write|put) (?:an? |the |your |some )?{_THING}"
    r"(?: or \w+)?(?: here)?[.!…]*"
    rf"|(?:your|sample|placeholder|dummy) {_THING}(?: goes)?(?: here)?[.!…]*"
    r"|(?:briefly )?elaborate on (?:what|the)\b.*"
    r"|add (?:an? |another )?(?:[\w-]+ ){0,3}(?:page|slide)"
    r"|write (?:your|an?|the) (?:[\w-]+ ){0,3}(?:topic|idea|agenda|statement|point|message|answer"
    r"|problem|title|subtitle|text)s?(?: or (?:idea|topic))?(?: here)?\b.*"
    r"|(?:here is where|you (?:can|could) (?:enter|add|write|replace|describe|explain|give|put)) .*"
    r"|present with (?:ease|canva).*|presentations are (?:communication )?tools that can be .*"
    r"|(?:how to )?use th(?:is|ese) (?:presentation|template|(?:design )?resources|icons)\b.*"
    r"|(?:the )?fonts? (?:we )?used(?: in this (?:presentation|template))?"
    r"|(?:this )?(?:presentation )?template (?:uses|was created)\b.*"
    r"|(?:don.t forget to |please )?(?:delete|hide) (?:(?:or|and) (?:delete|hide) )?this"
    r" (?:page|slide|note)\b.*"
    r"|find the magic and fun in presenting\b.*|happy designing!?"
    r"|(?:mercury is the (?:closest|smallest) planet|venus has a beautiful name|jupiter is (?:a gas"
    r" giant|the biggest planet)|(?:despite being red, )?mars is (?:actually )?a cold place)\b.*"
    rf"|[\[<{{](?:insert|add|enter|your|type)\b[^\]>}}]*[\]>}}]",
    re.IGNORECASE | re.DOTALL,
)

_WEAK = re.compile(
    r"(?:your |full |first |last |speaker |presenter |member )?name(?: surname)?"
    r"|(?:your |job |speaker |main |second |section )?title|job title|subtitle|(?:your )?position"
    r"|(?:your )?(?:company|department|role)(?: name)?|action (?:point|item)"
    r"|(?:key|main) (?:point|idea)"
    r"|(?:short |brief )?(?:description|explanation)|option|feature|insert|topic"
    r"|(?:briefly )?(?:add|describe|discuss|elaborate|enter|explain|insert|list|mention|put|share"
    r"|state|summari[sz]e|type|write)\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""Words that are a prompt where they stand on a slide twice: they name or ask for what belongs
there."""

_DUMMY = re.compile(
    r"(?:column|data|(?:list )?item|level|text|label|node|cell|row|header|series|category|value|box"
    r"|shape|bullet|paragraph|heading|placeholder) ?\d{1,2}",
    re.IGNORECASE,
)
_DUMMIES: Final = 3
"""Ours: so many different words such as "Item 1" on a slide were made to try it out."""


def is_prompt(text: str) -> bool:
    """Whether words are those with which templates ask for text.

    >>> is_prompt("Click to add title"), is_prompt("Add your title here"), is_prompt("Add salt")
    (True, True, False)
    """
    return _PROMPT.fullmatch(" ".join(text.split())) is not None


PLACEHOLDER_EMPTY = Rule(
    "placeholder.empty",
    "EmptyPlaceholder",
    "A placeholder was left empty.",
    severity="info",
    threshold="no text and no content",
    fix="Fill it, or delete it.",
    why="An empty placeholder is announced to people who use a screen reader, and shows its "
    "prompt to everyone who edits the slide.",
)


def empty_placeholders(slide: SlideElements) -> Iterator[Occurrence]:
    """Placeholders without content, in one finding a slide; titles have rules of their own."""
    if not (empty := [text for text in slide.texts if _is_empty(text)]):
        return
    names = ", ".join(label(text) for text in empty)
    many = len(empty) > 1
    yield Occurrence(
        PLACEHOLDER_EMPTY.counted(
            f"{'Placeholders were' if many else 'A placeholder was'} left empty: {names}.",
            slide.number,
            empty,
            fix="Fill it, or delete it: it shows its prompt to whoever edits the slide.",
        ),
        (slide.layout_part, names),
    )


def _is_empty(text: Text) -> bool:
    box = box_of(text)
    if text.placeholder is None or text.hidden or box is None or text.text.strip():
        return False
    return text.placeholder.type not in FOOTERS | TITLES and share_inside(box, FRAME) > 0


PLACEHOLDER_PROMPT = Rule(
    "placeholder.prompt",
    "PromptText",
    "A template's prompt was left.",
    threshold="the words of the layout or of a known template",
    fix="Write what belongs there, or delete the text.",
    why='Words of the template, such as "Click to add text", tell the audience that the slide is '
    "unfinished.",
)


def prompt_text(slide: SlideElements, layout: TemplateElements | None) -> Iterator[Occurrence]:
    """Texts, cells and labels that are still a template's prompt: well-known ones, the layout's own
    words, words such as "Job Title" that stand on the slide twice, and several such as "Item 1"."""
    weak = _repeated_prompts(slide)
    prompts: list[tuple[Element, str]] = []
    for item in visible(_worded(slide)):
        parts = _parts(item)
        left = next((part for part in parts if is_prompt(part) or squeezed(part) in weak), None)
        if left is None and isinstance(item, Text) and _is_layouts(item, layout):
            left = item.text
        if left is not None:
            prompts.append((item, left))
    if not prompts:
        return
    more = f", and {len(prompts) - 1} more" if len(prompts) > 1 else ""
    yield Occurrence(
        PLACEHOLDER_PROMPT.counted(
            f"{quoted(prompts[0][1])} is a template's prompt{more}.",
            slide.number,
            [item for item, _words in prompts],
        ),
        "prompt",
    )


def _worded(slide: SlideElements) -> list[Element]:
    return [*slide.texts, *slide.tables, *slide.diagrams]


def _parts(item: Element) -> list[str]:
    """The paragraphs of a text, the cells of a table, the labels of a diagram."""
    match item:
        case Text():
            parts = item.text.split("\n")
        case Table():
            parts = [cell for row in item.cells for cell in row]
        case Diagram():
            parts = [node.text for node in item.nodes]
        case _:
            parts = []
    return [part for part in parts if part.strip()]


def _repeated_prompts(slide: SlideElements) -> frozenset[str]:
    """Words that may be a prompt and that several texts, or cells, of a slide have alike."""
    counts: Counter[str] = Counter()
    for item in visible(_worded(slide)):
        counts.update(squeezed(part) for part in _parts(item) if _WEAK.fullmatch(part.strip()))
    dummies = {
        squeezed(part)
        for item in visible(_worded(slide))
        for part in _parts(item)
        if _DUMMY.fullmatch(part.strip())
    }
    dummies = dummies if len(dummies) >= _DUMMIES else set()
    return frozenset(dummies.union(words for words, count in counts.items() if count > 1))


def _is_layouts(text: Text, layout: TemplateElements | None) -> bool:
    """Whether a text is that of its placeholder on the layout."""
    holder = text.placeholder
    if layout is None or holder is None or holder.type in FOOTERS | TITLES:
        return False
    if sum(char.isalpha() for char in text.text) < LEAST_PROMPT:  # a number that is meant to stay
        return False
    prompts = [item.text for item in _holders(layout.texts, text)]
    return squeezed(text.text) in map(squeezed, prompts)


def _holders(texts: Sequence[Text], text: Text) -> Iterator[Text]:
    for item in texts:
        if item.placeholder is not None and text.placeholder is not None:
            same = item.placeholder.idx == text.placeholder.idx
            if same and item.placeholder.type == text.placeholder.type:
                yield item


_RASTERS = frozenset(
    f"image/{name}" for name in ("png", "jpeg", "jpg", "gif", "bmp", "tiff", "webp", "x-png")
)

PICTURE_MISSING = Rule(
    "picture.missing",
    "MissingPicture",
    "A picture's image is not there.",
    severity="error",
    threshold="no image in the file, or one that cannot be read",
    fix="Insert the picture again, embedded.",
    why="Where the image is missing, the slide shows a red cross or nothing.",
)


def missing_pictures(view: DrawnSlide) -> Iterator[Occurrence]:
    """Pictures and picture fills without an image, with a damaged one, or linked to one.

    An image that cannot be read is not reported if the drawn slide shows something in its place.
    """
    slide = view.slide
    items: list[Element] = [*slide.images, *slide.rects]
    for item in visible(items):
        wrong, box = _wrong(item), box_of(item)
        if wrong is None or box is None:
            continue
        drawn = view.image is not None and not is_flat(view.image, box)
        if drawn and wrong[0] == "error":
            continue
        severity, says, fix = wrong
        finding = PICTURE_MISSING.finding(
            f"{called(item, start=True)} {says}.", slide.number, item, severity=severity, fix=fix
        )
        yield Occurrence(finding, (says, item.name))


def _wrong(item: object) -> tuple[Severity, str, str] | None:
    picture: Image | PictureFill
    if isinstance(item, Image):
        picture = item
    elif isinstance(item, Rect) and isinstance(item.paint, PictureFill):
        picture = item.paint
    else:
        return None
    if picture.sha256 is None and picture.link is None:
        return "error", "has no image: the deck does not hold the file", "Insert the image again."
    if picture.sha256 is None:
        return "warning", f"is linked to {picture.link}, not in the deck", "Embed the image."
    damaged = isinstance(picture, Image) and not picture.pixels
    if damaged and isinstance(picture, Image) and picture.content_type in _RASTERS:
        return "error", "has an image that cannot be read", "Insert the image again."
    return None
