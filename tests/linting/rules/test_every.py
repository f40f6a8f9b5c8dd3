from decklab.linting.rules.every import integrity_findings, sound_slides
from decklab.linting.rules.page import Page
from decklab.linting.rules.rule import ACCESSIBILITY_RULES, INTEGRITY_RULES
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


MICROSOFT = {
    "MissingAltText", "MissingSlideTitle", "DuplicateSlideTitle", "MissingTableHeaders",
    "MergedTableCells", "NonDescriptiveLinkText", "ReadingOrder",
}  # fmt: skip


def test_microsofts_names_are_there():
    rules = [ACCESSIBILITY_RULES[name] for name in ACCESSIBILITY_RULES]
    assert {rule.name for rule in rules} >= MICROSOFT
    assert all(rule.id == name for rule, name in zip(rules, ACCESSIBILITY_RULES, strict=True))
