import pytest

from decklab.metrics.integrity.findings import integrity_findings, sound_slides
from decklab.metrics.integrity.page import Page
from decklab.metrics.integrity.rules import INTEGRITY_RULES
from decklab.metrics.integrity.sightings import Sighting, named_slides, told
from decklab.results import Finding, NotScored


def test_an_empty_deck_and_a_blank_slide_have_no_findings(build):
    assert integrity_findings(build.deck()) == []
    assert build.lint(build.slide(), (), build.white()) == []


def test_pages_that_are_no_slides_are_passed_over(build):
    assert integrity_findings(build.deck(build.slide()), [Page(7, [])]) == []


def test_pages_are_taken_one_at_a_time(build):
    taken = []

    def pages():
        for number in (1, 2):
            taken.append(number)
            yield Page(number, ())

    assert integrity_findings(build.deck(build.slide(), build.slide(number=2)), pages()) == []
    assert taken == [1, 2]


def test_rules_of_the_file_need_no_pages(build):
    slide = build.slide(build.rect(-300, 0, 90, 90), build.text("Your title here"))
    rules = [finding.rule for finding in integrity_findings(build.deck(slide))]
    assert rules == ["shape.off-slide", "placeholder.prompt"]


def test_text_over_another_is_not_told_as_overflow_as_well(build):
    one = build.text("one two three four five six seven eight", 100, 100, 300, 20)
    other = build.text("Conclusion", 100, 170, 300, 40)
    spans = [
        *build.lines(one, top=105, count=4),
        build.span("Conclusion", 107, 178, 200, 194, line=9),
    ]
    assert build.rules(build.slide(one, other), spans) == ["text.overlap"]


def sighting(slide, cause="x", rule="text.small"):
    return Sighting(Finding(rule=rule, severity="info", message="Seen.", slide=slide), cause)


def test_three_slides_with_one_cause_are_one_finding():
    (found,) = told([sighting(4), sighting(2), sighting(9), sighting(2)])
    assert (found.slide, found.message) == (2, "Seen. The same on 3 slides: 2, 4, 9.")


def test_two_slides_or_other_causes_and_rules_stay_apart():
    assert [f.slide for f in told([sighting(4), sighting(2)])] == [2, 4]
    assert len(told([sighting(1, "a"), sighting(2, "b"), sighting(3, "c")])) == 3
    assert len(told([sighting(1), sighting(1, rule="text.margin")])) == 2


@pytest.mark.parametrize(
    ("numbers", "name"),
    [([1], "1"), ([2, 1], "1, 2"), ([3, 1, 2], "1-3"), ([1, 2, 4, 5, 6], "1, 2, 4-6")],
)
def test_slides_are_named_in_runs(numbers, name):
    assert named_slides(numbers) == name


def test_sound_slides_are_those_without_errors_and_warnings():
    findings = [
        Finding(rule="a", severity="info", message="", slide=1),
        Finding(rule="b", severity="warning", message="", slide=2),
        Finding(rule="c", severity="error", message="", slide=2),
    ]
    assert sound_slides(findings, 4) == 0.75
    assert sound_slides([], 0) == NotScored("the deck has no slides")


def test_every_rule_says_what_it_is_called_elsewhere():
    rules = [INTEGRITY_RULES[name] for name in INTEGRITY_RULES]
    assert {"TextOverflow", "OffSlide", "ShapeCollision", "MinFontSize", "OffGridDrift"} <= {
        rule.name for rule in rules
    }
    assert all(rule.id == name for rule, name in zip(rules, INTEGRITY_RULES, strict=True))
