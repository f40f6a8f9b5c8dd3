from decklab.linting.rules.rule import Rule

RULE = Rule(
    "text.loud", "Shouting", "Text shouts.", severity="error", threshold="any", fix="Whisper."
)


def test_a_finding_takes_from_its_rule_and_element_what_it_does_not_say_itself(build):
    text = build.text("WOW", 10, 20, 30, 40)
    found = RULE.finding("It shouts.", 3, text)
    assert (found.rule, found.severity, found.fix) == ("text.loud", "error", "Whisper.")
    assert (found.slide, found.shape, found.box) == (3, "Shape 1 (id 1)", (10, 20, 40, 60))
    own = RULE.finding("It shouts.", 3, text, severity="info", box=None, fix="Mumble.")
    assert (own.severity, own.box, own.fix) == ("info", None, "Mumble.")
    assert RULE.finding("All shout.").shape is None


def test_a_finding_that_counts_is_on_the_first_of_its_elements(build):
    found = RULE.counted("They shout.", 1, [build.text("A"), build.text("B")], severity="info")
    assert (found.shape, found.measured, found.threshold) == ("Shape 1 (id 1)", 2, 0)
    assert found.severity == "info"
