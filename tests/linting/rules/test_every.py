from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import decklab.linting.rules as linting_rules
from decklab.linting.rules.every import LINT_RULES, integrity_findings
from decklab.linting.rules.page import Page
from decklab.linting.rules.rule import Rule


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


MICROSOFT = {
    "MissingAltText", "MissingSlideTitle", "DuplicateSlideTitle", "MissingTableHeaders",
    "MergedTableCells", "NonDescriptiveLinkText", "ReadingOrder",
}  # fmt: skip


def test_every_rule_says_what_it_is_called_elsewhere():
    rules = [LINT_RULES[name] for name in LINT_RULES]
    assert {"TextOverflow", "OffSlide", "ShapeCollision", "MinFontSize", "OffGridDrift"} <= {
        rule.name for rule in rules if not rule.id.startswith("accessibility.")
    }
    assert all(rule.id == name for rule, name in zip(rules, LINT_RULES, strict=True))


def test_microsofts_names_are_there():
    rules = [LINT_RULES[name] for name in LINT_RULES]
    assert {rule.name for rule in rules if rule.id.startswith("accessibility.")} >= MICROSOFT


def test_every_rule_that_a_module_defines_is_listed():
    found = iter_modules(linting_rules.__path__, f"{linting_rules.__name__}.")
    defined = {
        item.id
        for module in found
        for item in vars(import_module(module.name)).values()
        if isinstance(item, Rule)
    }
    assert defined == set(LINT_RULES)


def test_the_documentation_has_every_rule_in_order():
    text = (Path(__file__).parents[3] / "docs/lint.md").read_text("utf-8").partition("## Rules")[2]
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{rule.id}`{' (drawn)' if rule.drawn else ''} | {rule.severity} | {rule.threshold} |"
        f" {rule.fix} |"
        for rule in map(LINT_RULES.__getitem__, LINT_RULES)
    ]
