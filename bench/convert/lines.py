"""Do Chromium and LibreOffice break texts into as many lines? ``python -m bench.convert.lines``

``--out OUT [--texts 1000]``. Texts of ten scripts in the installed fonts, 12 to 40 pt, in boxes of
140 to 860 px without insets: laid out by Chromium (``--font-render-hinting=none``; Korean breaks at
spaces, as on the pages of the board), and by
LibreOffice in text boxes of the same width and exact line spacing: with punctuation that may hang
in the margin, without, and with texts of Chinese, Japanese, Korean and Arabic in boxes that are 3 %
wider. Writes ``lines.md``: the
percentage of equal counts by script, and the side on which the others are; and ``baselines.csv``:
for each font where the first baseline is, in em. LibreOffice puts it its "descent" above the end
of the first line, Chromium half the difference of ascent and descent below the line's middle.
Ends with 1 below 97 % of equal counts without hanging punctuation.
"""

import argparse
import csv
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import pptx
import pypdfium2
from lxml import etree
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt

from bench.convert.words import RAISED_EM, drawn_words
from decklab.rendering.fonts import installed_families
from decklab.rendering.html import DEADLINE_SECONDS, Browser
from decklab.rendering.renderer import Renderer

GOAL: Final = 0.97
WIDER: Final = 1.03
ROOMY: Final = frozenset({"Chinese", "Japanese", "Korean", "Arabic"})
"""The scripts whose boxes are also tried wider."""
RIGHT_TO_LEFT: Final = frozenset({"Arabic", "Hebrew"})
EMU_PER_PX: Final = 9525
PX_PER_PT: Final = 96 / 72
PAGE: Final = (960, 5000)
"""Width and height in pixels: room for the longest text in the narrowest box."""
WIDTHS: Final = (140, 860)
SIZES_PT: Final = (12, 14, 16, 18, 20, 24, 28, 32, 36, 40)
SPACINGS: Final = (1.2, 1.4, 1.6)
_LATIN: Final = (
    "Carlito", "Caladea", "Liberation Sans", "Liberation Serif", "Liberation Mono",
    "Liberation Sans Narrow", "Lato", "Open Sans", "Roboto", "Roboto Condensed", "DejaVu Sans",
    "DejaVu Serif", "DejaVu Sans Mono", "Noto Sans", "Noto Serif", "Noto Sans Display",
    "URW Gothic", "URW Bookman", "Nimbus Sans", "P052", "C059",
)  # fmt: skip
_EASTERN: Final = (
    "Carlito", "Liberation Sans", "Liberation Serif", "Open Sans", "Roboto", "DejaVu Sans",
    "DejaVu Serif", "Noto Sans", "Noto Serif",
)  # fmt: skip
FONTS: Final = {
    "Latin": _LATIN, "German": _LATIN, "Greek": _EASTERN, "Cyrillic": _EASTERN,
    "Arabic": ("Noto Naskh Arabic", "Noto Sans Arabic", "Noto Kufi Arabic", "DejaVu Sans"),
    "Hebrew": ("Noto Sans Hebrew", "Noto Serif Hebrew", "Liberation Sans", "DejaVu Sans"),
    "Chinese": ("Noto Sans CJK SC", "Noto Serif CJK SC", "Noto Sans CJK TC"),
    "Japanese": ("Noto Sans CJK JP", "Noto Serif CJK JP"),
    "Korean": ("Noto Sans CJK KR", "Noto Serif CJK KR"),
    "Thai": ("Noto Sans Thai", "Noto Serif Thai", "Noto Looped Thai"),
}  # fmt: skip
SHARES: Final = {
    "Latin": 28, "German": 16, "Greek": 8, "Cyrillic": 8, "Arabic": 9, "Hebrew": 6, "Chinese": 8,
    "Japanese": 7, "Korean": 6, "Thai": 4,
}  # fmt: skip
"""Texts of each hundred."""
_SCRIPT: Final = """() => [...document.querySelectorAll("p")].map((p) => {
  const bottoms = [], size = parseFloat(getComputedStyle(p).fontSize);
  const range = document.createRange();
  range.selectNodeContents(p);
  for (const rect of range.getClientRects()) {
    const known = bottoms.some((some) => Math.abs(some - rect.bottom) < size / 2);
    if (rect.width && !known) bottoms.push(rect.bottom);
  }
  const probe = p.nextElementSibling.getBoundingClientRect();
  const level = p.nextElementSibling.firstElementChild.getBoundingClientRect().bottom;
  return [bottoms.length, level - probe.top];
})"""


@dataclass(frozen=True)
class Run:
    """A piece of a text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


@dataclass(frozen=True)
class Text:
    """One text and how it is set."""

    script: str
    lang: str
    font: str
    runs: tuple[Run, ...]
    size_pt: int
    spacing: float
    """Line height in em."""
    width: int
    """Of its box, in pixels."""

    @property
    def line_px(self) -> float:
        """The line height in pixels."""
        return self.size_pt * PX_PER_PT * self.spacing


@dataclass(frozen=True)
class Laid:
    """A text as one program lays it out."""

    lines: int
    baseline: float
    """Of the first line, in pixels from the box's top."""


def make_texts(count: int, families: Iterable[str], *, seed: int = 33) -> list[Text]:
    """Texts of all scripts in those of their fonts that are among ``families``; the same for one
    seed. A third of the texts of alphabets mixes bold and italic, an eighth of the others is bold.
    """
    known = {family.casefold() for family in families}
    chance = random.Random(seed)
    stock = json.loads(Path(__file__).with_name("scripts.json").read_text(encoding="utf-8"))
    texts = []
    for script, share in SHARES.items():
        fonts = [font for font in FONTS[script] if font.casefold() in known]
        for _ in range(round(count * share / 100) if fonts else 0):
            texts.append(_text(script, stock[script], chance.choice(fonts), chance))
    return texts


def _text(script: str, stock: dict[str, str], font: str, chance: random.Random) -> Text:
    words = stock["words"].split(" ")
    first, length = chance.randrange(len(words)), chance.randint(20, 420)
    joint = "" if script in ("Chinese", "Japanese") else " "
    chosen: list[str] = []
    while len(joint.join(chosen)) < length:
        chosen.append(words[(first + len(chosen)) % len(words)])
    alphabet = script not in (*ROOMY, "Thai")
    if alphabet and chance.random() < 1 / 3:
        runs = tuple(_mixed(chosen, chance))
    else:
        runs = (Run(joint.join(chosen), bold=chance.random() < 1 / 8),)
    return Text(
        script, stock["lang"], font, runs, chance.choice(SIZES_PT), chance.choice(SPACINGS),
        chance.randint(*WIDTHS),
    )  # fmt: skip


def _mixed(words: Sequence[str], chance: random.Random) -> Iterator[Run]:
    at = 0
    while at < len(words):
        end = min(len(words), at + chance.randint(1, 5))
        gap = "" if end == len(words) else " "
        yield Run(" ".join(words[at:end]) + gap, chance.random() < 0.4, chance.random() < 0.3)
        at = end


def browser_layout(texts: Sequence[Text], folder: Path) -> list[Laid]:
    """The texts as Chromium lays them out."""
    path = folder / "lines.html"
    body = "\n".join(map(_html, texts))
    path.write_text(
        '<!doctype html><meta charset="utf-8"><style>p,div{margin:0 0 20px;white-space:pre-wrap;'
        "overflow-wrap:break-word}:lang(ko){word-break:keep-all}i{display:inline-block}</style>"
        f"{body}",
        encoding="utf-8",
    )
    browser = Browser(path, deadline=DEADLINE_SECONDS)
    try:
        return [Laid(lines, baseline) for lines, baseline in browser.page.evaluate(_SCRIPT)]
    finally:
        browser.close()


def _html(text: Text) -> str:
    style = (
        f"font:{text.size_pt}pt/{text.line_px}px '{text.font}';width:{text.width}px;"
        f"direction:{'rtl' if text.script in RIGHT_TO_LEFT else 'ltr'}"
    )
    spans = "".join(
        f'<span style="font-weight:{700 if run.bold else 400};'
        f'font-style:{"italic" if run.italic else "normal"}">{escape(run.text)}</span>'
        for run in text.runs
    )
    probe = f'<div style="{style}"><i></i>x</div>'
    return f'<p lang="{text.lang}" style="{style}">{spans}</p>{probe}'


def office_layout(
    texts: Sequence[Text], path: Path, renderer: Renderer, *,
    wider: float = 1.0, hanging: bool = False,
) -> list[Laid]:  # fmt: skip
    """The texts as LibreOffice lays them out, each on a slide of its own in ``path``.

    With ``hanging`` punctuation may stand in the margin, as it does unless a paragraph forbids it.
    """
    deck = pptx.Presentation()
    deck.slide_width, deck.slide_height = (Emu(px * EMU_PER_PX) for px in PAGE)
    for text in texts:
        _add_slide(deck, text, wider, hanging)
    deck.save(str(path))
    document = pypdfium2.PdfDocument(renderer.pdf(path))
    try:
        return [_drawn(page, text) for page, text in zip(document, texts, strict=True)]
    finally:
        document.close()


def _add_slide(deck: Any, text: Text, wider: float, hanging: bool) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    width = Emu(round(text.width * wider * EMU_PER_PX))
    frame = slide.shapes.add_textbox(Emu(0), Emu(0), width, Pt(text.size_pt)).text_frame
    frame.word_wrap = True
    frame.margin_left = frame.margin_right = frame.margin_top = frame.margin_bottom = 0
    paragraph = frame.paragraphs[0]
    paragraph.line_spacing = Pt(text.size_pt * text.spacing)
    if not hanging:
        paragraph._p.get_or_add_pPr().set("hangingPunct", "0")
    if text.script in RIGHT_TO_LEFT:
        paragraph._p.get_or_add_pPr().set("rtl", "1")
        paragraph._p.get_or_add_pPr().set("algn", "r")
    for piece in text.runs:
        run = paragraph.add_run()
        run.text, run.font.size = piece.text, Pt(text.size_pt)
        run.font.bold, run.font.italic, run.font.name = piece.bold, piece.italic, text.font
        properties = run._r.get_or_add_rPr()
        properties.set("lang", text.lang)
        for name in ("a:ea", "a:cs"):
            etree.SubElement(properties, qn(name)).set("typeface", text.font)


def _drawn(page: Any, text: Text) -> Laid:
    words = drawn_words(page, *PAGE)
    size = text.size_pt * PX_PER_PT
    levels: list[float] = []
    for word in words:
        if all(abs(word.baseline - level) > RAISED_EM * size for level in levels):
            levels.append(word.baseline)
    return Laid(len(levels), min(levels, default=0.0))


@dataclass(frozen=True)
class Tally:
    """How line counts compare."""

    equal: int
    more: int
    """LibreOffice takes more lines: the text may run over."""
    fewer: int

    @property
    def total(self) -> int:
        """All texts."""
        return self.equal + self.more + self.fewer


def tally(pairs: Iterable[tuple[int, int]]) -> Tally:
    """Compare pairs of counts, Chromium's first.

    >>> tally([(2, 2), (2, 3), (2, 3), (4, 3)])
    Tally(equal=1, more=2, fewer=1)
    """
    counted = list(pairs)
    return Tally(
        sum(ours == theirs for ours, theirs in counted),
        sum(theirs > ours for ours, theirs in counted),
        sum(theirs < ours for ours, theirs in counted),
    )


def table(tallies: Iterable[tuple[str, Tally]]) -> str:
    """The tallies as a Markdown table."""
    lines = ["| script | texts | equal % | LibreOffice one or more lines more | fewer |",
             "| --- | --- | --- | --- | --- |"]  # fmt: skip
    for name, some in tallies:
        share = f"{100 * some.equal / some.total:.1f}" if some.total else "–"
        lines.append(f"| {name} | {some.total} | {share} | {some.more} | {some.fewer} |")
    return "\n".join(lines) + "\n"


def baseline_rows(
    texts: Sequence[Text], shown: Sequence[Laid], drawn: Sequence[Laid]
) -> Iterator[tuple[str, int, float, float, float, float]]:
    """For each font: texts, LibreOffice's mean descent in em and its spread, Chromium's offset of
    the baseline from the line's middle in em and its spread. A spread is greatest less least."""
    values: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for text, ours, theirs in zip(texts, shown, drawn, strict=True):
        size = text.size_pt * PX_PER_PT
        descent = (text.line_px - theirs.baseline) / size
        values[text.font].append((descent, (ours.baseline - text.line_px / 2) / size))
    for font, pairs in sorted(values.items()):
        descents, offsets = zip(*pairs, strict=True)
        yield (
            font, len(pairs), round(fmean(descents), 4), round(max(descents) - min(descents), 4),
            round(fmean(offsets), 4), round(max(offsets) - min(offsets), 4),
        )  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Lay out the texts and write both tables; 1 below the goal."""
    parser = argparse.ArgumentParser(prog="python -m bench.convert.lines", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=1000)
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    texts = make_texts(asked.texts, installed_families())
    shown = browser_layout(texts, asked.out)
    with Renderer().started() as renderer:
        hung = office_layout(texts, asked.out / "hanging.pptx", renderer, hanging=True)
        drawn = office_layout(texts, asked.out / "lines.pptx", renderer)
        roomy = [n for n, text in enumerate(texts) if text.script in ROOMY]
        wide = office_layout(
            [texts[n] for n in roomy], asked.out / "wider.pptx", renderer, wider=WIDER
        )
    widened = list(drawn)
    for n, laid in zip(roomy, wide, strict=True):
        widened[n] = laid
    layouts = {
        "Boxes as measured": hung, "No hanging punctuation": drawn,
        "No hanging punctuation; Chinese, Japanese, Korean and Arabic 3 % wider": widened,
    }  # fmt: skip
    written = "".join(_report(texts, shown, layouts))
    (asked.out / "lines.md").write_text(written, encoding="utf-8")
    with (asked.out / "baselines.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("font", "texts", "libreoffice_descent_em", "spread",
                         "chromium_from_middle_em", "spread"))  # fmt: skip
        writer.writerows(baseline_rows(texts, shown, drawn))
    print(written)
    return int(_share(shown, drawn) < GOAL)


def _report(
    texts: Sequence[Text], shown: Sequence[Laid], layouts: Mapping[str, Sequence[Laid]]
) -> Iterator[str]:
    for title, laid in layouts.items():
        rows = [
            (script, tally((shown[n].lines, laid[n].lines)
                           for n, text in enumerate(texts) if text.script == script))
            for script in SHARES
        ]  # fmt: skip
        mixed = [n for n, text in enumerate(texts) if len(text.runs) > 1]
        rows.append(("of these bold and italic mixed",
                     tally((shown[n].lines, laid[n].lines) for n in mixed)))  # fmt: skip
        rows.append(("**all**", tally((a.lines, b.lines)
                                      for a, b in zip(shown, laid, strict=True))))  # fmt: skip
        yield f"{title}:\n\n{table(rows)}\n"


def _share(shown: Sequence[Laid], laid: Sequence[Laid]) -> float:
    counts = tally((a.lines, b.lines) for a, b in zip(shown, laid, strict=True))
    return counts.equal / counts.total if counts.total else 0.0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
