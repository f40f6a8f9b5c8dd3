"""The three things to do first: what each would bring, and how to do it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final

from decklab.core.results import DeckResult, Finding
from decklab.pages.wording import rule_title
from decklab.scoring.reports.standing import FindingGroup, LevelLadder

FLAW_WORDS: Final = {
    "layout.adrift": "boxes that line up with nothing",
    "layout.blank": "slides without anything to read",
    "layout.cramped": "text that needs more room than its box",
    "layout.crowded": "boxes over each other",
    "layout.margin": "boxes at the slide's edge",
    "layout.overflow": "text beyond its box",
    "layout.overlap": "boxes over each other",
    "layout.stretched": "pictures out of shape",
    "layout.thin": "boxes squeezed flat",
    "layout.unaligned": "boxes that line up with nothing",
    "layout.unbalanced": "slides heavy on one side",
    "style.faint": "faint text",
    "style.fine": "print too fine for a room",
    "style.flat": "no line that stands out",
    "style.plain": "slides of black on white",
    "style.typefaces": "many typefaces on one slide",
    "style.italic": "text in italics",
    "style.loud": "loud text colours",
    "style.marks": "many kinds of emphasis",
    "style.tiny": "text below 18 pt",
    "style.underlined": "underlined text",
    "style.uneven": "text sizes far apart",
    "words.capitals": "capitals inside words",
    "words.joined": "words run together",
    "words.many": "many words on one slide",
    "words.misspelt": "words that look misspelt",
    "deck.untitled": "slides without a title",
    "deck.titles_apart": "titles in different places",
    "deck.many_families": "many typefaces in the deck",
    "deck.only_text": "slides of text alone",
    "deck.dense": "slides full of words",
}
"""Flaws behind ``quality.score`` in words."""

FLAW_FIXES: Final = {
    "layout.adrift": "Line the boxes up with the others of their slide.",
    "layout.blank": "Say in words what the slide shows, or delete it.",
    "layout.cramped": "Cut words, or make the boxes larger.",
    "layout.crowded": "Move the boxes apart, or delete one of them.",
    "layout.margin": "Move the boxes inside the slide's margins.",
    "layout.overflow": "Cut words, make the text smaller, or make the box larger.",
    "layout.overlap": "Move the boxes apart, or delete one of them.",
    "layout.stretched": "Reset the pictures' proportions and crop them instead.",
    "layout.thin": "Make the boxes as high as what is in them.",
    "layout.unaligned": "Line the boxes up with the others of their slide.",
    "layout.unbalanced": "Spread what is on the slide over both of its halves.",
    "style.faint": "Make the text darker or lighter until it stands out from its ground.",
    "style.fine": "Set text, labels and tables larger, or show a part of them.",
    "style.flat": "Give each slide one large line that says its point.",
    "style.plain": "Give the slides a theme with a colour, and pictures where they help.",
    "style.typefaces": "Keep to one or two typefaces, those of the theme.",
    "style.italic": "Set the text upright; keep italics for single words.",
    "style.loud": "Use the theme's text colours; keep a loud one for one thing.",
    "style.marks": "Keep to one kind of emphasis, such as bold.",
    "style.tiny": "Set the text in 18 pt at least; cut words or split the slide.",
    "style.underlined": "Take the underlines off all that is no link.",
    "style.uneven": "Set text of the same kind in the same size.",
    "words.capitals": "Keep capitals to the first letter; names that are right need no change.",
    "words.joined": "Put the missing spaces in, or check that they are names.",
    "words.many": "Keep what is said aloud in the notes; split the slide.",
    "words.misspelt": "Run the spelling checker; names that are right need no change.",
    "deck.untitled": "Give every slide a title that says its point.",
    "deck.titles_apart": "Reset the titles, so that the layout places them.",
    "deck.many_families": "Keep to one or two typefaces, those of the theme.",
    "deck.only_text": "Give the slides of text alone a picture, chart or diagram.",
    "deck.dense": "Split the fullest slides, or move detail to the notes.",
}
"""Advice against each flaw."""

FLAW_RULES: Final = {
    "layout.margin": ("text.margin",),
    "layout.overflow": ("text.overflow", "text.off-slide"),
    "layout.overlap": ("text.overlap",),
    "layout.crowded": ("text.overlap",),
    "style.faint": ("contrast.low",),
    "style.tiny": ("text.small",),
    "deck.untitled": ("accessibility.missing-slide-title",),
    "deck.titles_apart": ("title.position",),
}
"""Rules whose findings show the flaw."""


MOST: Final = 3
"""Ours: more than three things are a list, and nobody begins at one."""

LEAST_POINTS: Final = 1.0
"""Ours: points of quality below which a flaw is not worth naming first."""

EFFECTS: Final = {
    "accessibility": "People who use a screen reader miss what is here.",
    "contrast": "Many people cannot read this, least of all on a projector.",
    "editability": "Whoever edits the deck next has to make this again.",
    "file": "PowerPoint may want to repair the deck.",
    "placeholder": "The audience sees what was meant for the author.",
    "shape": "The audience sees something out of place.",
    "text": "The audience sees text that is cut off or covered.",
}
"""Costs to people of each family of rules."""


@dataclass(frozen=True)
class Advice:
    """One thing to do. ``finding`` shows where, and is None if no slide stands for it; the page
    then shows ``amount``, the effect in a few signs, such as ``68 → 73``."""

    title: str
    effect: str
    fix: str
    slides: str
    finding: Finding | None
    amount: str = ""


def first_things(
    result: DeckResult, groups: Sequence[FindingGroup], ladder: LevelLadder | None
) -> list[Advice]:
    """At most ``MOST`` things, taken in turn from the errors found, the flaws that cost the most
    points of quality, and the gate that ends the climb to the next level of editability."""
    errors = [group for group in groups if group.severity == "error"]
    shown = {group.rule for group in errors[:MOST]}
    sources = (
        [_of_group(group) for group in errors if not group.rule.startswith("editability.")],
        list(_of_flaws(result, shown)),
        list(_of_gates(result, ladder)),
    )
    turns = chain.from_iterable(zip_longest(*sources))
    return [advice for advice in turns if advice is not None][:MOST]


def _of_group(group: FindingGroup) -> Advice:
    worst = group.findings[0]
    effect = EFFECTS.get(group.rule.split(".", 1)[0], worst.message)
    return Advice(rule_title(group.rule), effect, worst.fix, group.slides, worst)


def _of_flaws(result: DeckResult, shown: set[str]) -> Iterator[Advice]:
    """The flaws with their points, the most first; those that findings in ``shown`` name are left
    out."""
    row = result.row("quality.score")
    if row is None or row.value is None:
        return
    for flaw, points in row.evidence.get("gains", {}).items():
        if points < LEAST_POINTS or shown.intersection(FLAW_RULES.get(flaw, ())):
            continue
        words = FLAW_WORDS.get(flaw, flaw)
        now, then = f"{row.value:.0f}", f"{row.value + points:.0f}"
        effect = f"Quality would rise from {now} to {then} of 100."
        finding = _where(result, flaw)
        slide = "" if finding is None or finding.slide is None else str(finding.slide)
        title, fix = words[:1].upper() + words[1:], FLAW_FIXES.get(flaw, "")
        yield Advice(title, effect, fix, slide, finding, f"{now} → {then}")


def _where(result: DeckResult, flaw: str) -> Finding | None:
    """A finding of the flaw's rules, else one that names the slide the flaw costs most."""
    for finding in result.findings:
        if finding.rule in FLAW_RULES.get(flaw, ()) and finding.slide is not None:
            return finding
    costs = [
        (row.evidence.get("gains", {}).get(flaw, 0.0), -(row.slide or 0))
        for row in result.measurements
        if row.metric == "quality.slide"
    ]
    most, slide = max(costs, default=(0.0, 0))
    if not most:
        return None
    return Finding(rule=flaw, severity="info", message="", slide=-slide)


def _of_gates(result: DeckResult, ladder: LevelLadder | None) -> Iterator[Advice]:
    if ladder is None or ladder.level is None:
        return
    for rung in reversed(ladder.rungs):
        for gate in rung.gates:
            if gate.outcome != "failed" or not gate.mend:
                continue
            finding = next((item for item in result.findings if _proves(item, gate.slides)), None)
            effect = f"Editability stops at L{ladder.level}: {gate.summary}"
            slide = str(gate.slides[0]) if gate.slides else ""
            title, amount = f"Editability: {gate.title}", f"L{ladder.level}"
            yield Advice(title, effect, gate.mend, slide, finding, amount)


def _proves(finding: Finding, slides: Sequence[int]) -> bool:
    return finding.rule.startswith("editability.") and finding.slide in slides
