import re
from xml.etree import ElementTree

import pytest
from tests.scoring.reports.conftest import PictureMaker, ResultMaker

from decklab.core.colors import contrast_ratio, parse_color
from decklab.core.results import DeckResult, Finding, Measurement, NotScored
from decklab.scoring.reports.sharing import (
    BADGE_COLOURS,
    CARD_SIZE,
    markdown_report,
    plain_markdown,
    score_badge,
    score_card,
)


def judged(quality: float | NotScored) -> DeckResult:
    standing = {"standing": {"percentile": 80, "decks": 18}}
    evidence = {} if isinstance(quality, NotScored) else standing
    row = Measurement.of("quality.score", quality, direction="higher", evidence=evidence)
    return DeckResult(deck="talks/a.pptx", status="scored", slides=2, measurements=(row,))


def test_a_card_is_one_picture_with_scores_and_cover(
    scored: ResultMaker, pictures: PictureMaker
) -> None:
    root = ElementTree.fromstring(score_card(scored(slides=3), pictures(1)[1]))
    assert (int(root.attrib["width"]), int(root.attrib["height"])) == CARD_SIZE
    words = " ".join(root.itertext())
    assert "kickoff.pptx" in words and "L2 of L5" in words
    assert len(root.findall(".//{*}image")) == 1


def test_cards_and_badges_take_any_text(hostile: DeckResult, without_slides: DeckResult) -> None:
    for result in (hostile, without_slides):
        for made in (score_card(result), score_badge(result)):
            tags = {node.tag.rpartition("}")[2] for node in ElementTree.fromstring(made).iter()}
            assert tags <= {"svg", "rect", "text", "path", "g", "clipPath"}


def test_a_badge_says_the_score_or_that_there_is_none() -> None:
    good, none = score_badge(judged(68.2)), score_badge(judged(NotScored("no elements")))
    assert "quality 68" in good and BADGE_COLOURS["good"] in good
    assert "not scored" in none and BADGE_COLOURS[None] in none


@pytest.mark.parametrize("colour", BADGE_COLOURS.values())
def test_badges_can_be_read(colour: str) -> None:
    assert contrast_ratio(parse_color(colour), parse_color("#FFFFFF")) >= 4.5


def test_markdown_tells_scores_with_standing_and_every_finding(scored: ResultMaker) -> None:
    result = scored(findings=12)
    text = markdown_report(result)
    assert "| Aesthetics | 25.8 of 45 |" in text
    for finding in result.findings:
        assert plain_markdown(finding.message) in text
    assert "| Quality | 68.0 of 100 | good | better than 80% of 18 reference decks |" in (
        markdown_report(judged(68.0))
    )


def test_markdown_of_hostile_failed_and_empty_decks_holds_no_markup(
    hostile: DeckResult, failed: DeckResult, without_slides: DeckResult
) -> None:
    assert not re.search(r"(?<!\\)<", markdown_report(hostile))
    assert "could not be read" in markdown_report(failed)
    assert "not scored" in markdown_report(without_slides)


def test_markdown_says_where_each_finding_is_and_what_is_the_machines() -> None:
    note = " It is drawn with Noto Sans in place of Aptos: it may fit where Aptos is installed."
    findings = (
        Finding(rule="text.small", severity="error", slide=2, message="Small", fix="Larger."),
        Finding(rule="text.small", severity="error", slide=3, message="Tiny", fix="Larger."),
        Finding(rule="accessibility.language", severity="info", message="No language"),
        Finding(rule="fonts.replaced", severity="info", message="Aptos is missing"),
        Finding(rule="text.overflow", severity="info", slide=4, message=f"Over{note}"),
    )
    result = judged(68.0).model_copy(update={"findings": findings})
    lines = markdown_report(result).splitlines()
    assert lines[2] == "2 slides, 3 findings."
    assert "1. **Text: small** (slides 2–3): Larger." in lines
    start = lines.index("## Findings")
    told = [line for line in lines[start:] if line.startswith(("- ", "#", "Fix"))]
    assert told[:6] == [
        "## Findings",
        "### Text: small (2 errors)",
        "Fix: Larger.",
        "- slide 2: Small",
        "- slide 3: Tiny",
        "### Accessibility: language (1 note)",
    ]
    assert told[6] == "- whole deck: No language"
    assert told[7:9] == ["## About this machine, not the deck", "- Aptos is missing"]
    assert told[9].startswith("- slide 4: Over It is drawn") and len(told) == 10
    one = result.model_copy(update={"findings": findings[:1]})
    assert "1. **Text: small** (slide 2): Larger." in markdown_report(one).splitlines()


def test_markdown_of_a_deck_without_findings_says_so() -> None:
    lines = markdown_report(judged(68.0)).splitlines()
    assert "Nothing to fix was found." in lines and "## Do these first" not in lines
    assert not any("About this machine" in line for line in lines)


def test_a_card_has_a_line_for_each_score_and_says_what_is_not_scored() -> None:
    def told(result: DeckResult) -> list[tuple[str, float]]:
        root = ElementTree.fromstring(score_card(result))
        words = [(node.text or "", float(node.attrib["y"])) for node in root.findall(".//{*}text")]
        return [(text, y) for text, y in words if 200 < y < 590]

    lines = told(judged(68.2))
    assert [text for text, _y in lines] == [
        "Quality", "68 of 100", "good: better than 80% of 18 reference decks",
        "Aesthetics", "not scored", "", "Editability", "not scored", "",
    ]  # fmt: skip
    heights = [y for _text, y in lines]
    assert heights[::3] == [235, 355, 475]
    assert [b - a for a, b in zip(heights[::3], heights[2::3], strict=True)] == [36, 36, 36]
    assert [text for text, _y in told(judged(NotScored("no elements")))].count("not scored") == 3
