"""Compare the decks of folders, and print shares, left-out spans and classes of the rest."""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.styles_witness.expected import slide_places, slide_rows, squeezed
from bench.styles_witness.judging import Verdict, judge, why_unmatched
from bench.styles_witness.matching import match_spans
from bench.styles_witness.styles import read_styles
from decklab.core.errors import DecklabError
from decklab.deck.reading import read_outline
from decklab.deck.styles.text import paragraph_text
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn
from decklab.rendering.office import Office
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Cache, Renderer

DECKS = Path(__file__).parents[3] / "shared" / "decks"
GOAL = 0.97
EXAMPLES = 3


@dataclass
class _Tally:
    spans: int = 0
    verdicts: list[tuple[str, Verdict]] = field(default_factory=list)
    """With the deck and slide each is on."""
    unmatched: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)


def main(arguments: Sequence[str]) -> int:
    """Print the comparison; 1 where fewer than 97 % of the spans agree."""
    folders = [Path(name) for name in arguments] or [DECKS / "real", DECKS / "features"]
    decks = [deck for folder in folders for deck in sorted(folder.glob("*.pptx"))]
    if not decks:
        print(f"no decks in {', '.join(map(str, folders))}")
        return 1
    tally = _Tally()
    with tempfile.TemporaryDirectory() as room, Office() as office:
        for deck in decks:
            try:
                _compare(deck, office, Cache(room), tally)
            except DecklabError as error:
                print(f"left out: {error}")
    return _report(len(decks), tally)


def _compare(deck: Path, office: Office, cache: Cache, tally: _Tally) -> None:
    with Package.open(deck) as package:
        styles, outline = read_styles(package), read_outline(package)
        defaulted = {part.part: set(_defaulted(package, part.part)) for part in styles.slides}
    with open_rendered(deck, renderer=Renderer(office, cache), ocr=False) as drawn:
        for number in range(1, len(drawn) + 1):
            rows, places = (
                slide_rows(outline, styles, number),
                slide_places(outline, styles, number),
            )
            where = f"{deck.name[:40]}, slide {number}"
            for match in match_spans(drawn.slide(number).spans, rows, places):
                tally.spans += 1
                if match.pieces:
                    known = defaulted[styles.slides[number - 1].part]
                    tally.verdicts.append((where, judge(match, known)))
                    continue
                why = why_unmatched(match.span, places, rows)
                tally.unmatched[why] += 1
                tally.examples.setdefault(why, []).append(f"{where}: {match.span.text[:40]!r}")


def _defaulted(package: Package, part: str) -> Iterator[str]:
    """Texts of paragraphs whose own properties hold ``a:defRPr``."""
    for paragraph in package.xml(part).iter(qn("a:p")):
        if paragraph.find(f"{qn('a:pPr')}/{qn('a:defRPr')}") is not None:
            yield squeezed(paragraph_text(paragraph))


def _report(decks: int, tally: _Tally) -> int:
    verdicts = [verdict for _, verdict in tally.verdicts]
    refitted = [verdict for verdict in verdicts if verdict.refitted]
    judged = [verdict for verdict in verdicts if not verdict.refitted]
    same_font = [verdict for verdict in judged if not verdict.replaced]
    print(f"{decks} decks, {tally.spans} drawn spans, {_share(len(verdicts), tally.spans)} matched")
    for why, count in tally.unmatched.most_common():
        print(f"  not matched: {count:5}  {why}")
        if why == "other":
            _examples(tally.examples[why])
    agree = sum(verdict.size for verdict in refitted)
    print(f"left out, in shapes that shrink text on overflow: {len(refitted)} spans"
          f" ({agree} of them drawn at the effective size all the same,"
          f" {sum(v.color for v in refitted)} in the effective colour)")  # fmt: skip
    replaced = sum(verdict.replaced for verdict in judged)
    print(f"drawn in a replaced font: {replaced} of the {len(judged)} spans that remain")
    reached = _print_shares("all that remain", judged)
    _print_shares("those in the font named", same_font)
    _print_kinds(tally)
    met = reached >= GOAL
    print(f"goal of {GOAL:.0%}: {'met' if met else 'MISSED'}")
    return 0 if met else 1


def _print_shares(name: str, verdicts: Sequence[Verdict]) -> float:
    count = len(verdicts)
    both = sum(verdict.size and verdict.color for verdict in verdicts)
    sizes = _share(sum(verdict.size for verdict in verdicts), count)
    colors = _share(sum(verdict.color for verdict in verdicts), count)
    print(
        f"{name}: {count} spans; size within 0.5 pt {sizes}, colour within CIEDE2000 2 {colors},"
        f" both {_share(both, count)}"
    )
    return both / count if count else 0.0


def _print_kinds(tally: _Tally) -> None:
    kinds: dict[str, list[str]] = {}
    for where, verdict in tally.verdicts:
        if verdict.kind and not (verdict.refitted and verdict.color):
            kinds.setdefault(verdict.kind, []).append(f"{where}: {_told(verdict)}")
    print("what disagrees:")
    for kind, told in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"  {len(told):4}  {kind}")
        _examples(told)


def _examples(told: Sequence[str]) -> None:
    for line in told[:EXAMPLES]:
        print(f"          {line}")


def _told(verdict: Verdict) -> str:
    font, sources = verdict.run.font, verdict.run.sources
    return (
        f"{verdict.span.text[:30]!r} drawn {verdict.span.size_pt:g} pt {verdict.span.color},"
        f" effective {font.size:g} pt ({sources.get('size', 'default')}) {font.color}"
        f" ({sources.get('color', 'default')})"
    )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2%}" if whole else "none"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
