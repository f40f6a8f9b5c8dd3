from decklab.metrics.accessibility.rules import ACCESSIBILITY_RULES

MICROSOFT = {
    "MissingAltText", "MissingSlideTitle", "DuplicateSlideTitle", "MissingTableHeaders",
    "MergedTableCells", "NonDescriptiveLinkText", "ReadingOrder",
}  # fmt: skip


def test_microsofts_names_are_there():
    rules = [ACCESSIBILITY_RULES[name] for name in ACCESSIBILITY_RULES]
    assert {rule.name for rule in rules} >= MICROSOFT
    assert all(rule.id == name for rule, name in zip(rules, ACCESSIBILITY_RULES, strict=True))
