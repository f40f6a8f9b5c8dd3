from decklab.metrics.editability.facts import InheritanceFacts
from decklab.metrics.editability.structure import judge_structure
from decklab.results import NotScored


def shown(*appeared):
    return lambda: [InheritanceFacts(n, "l", seen) for n, seen in enumerate(appeared, start=1)]


def scattered(build, count=20):
    return [build.shape((10 * n, 200, 10 * n + 10, 210)) for n in range(count)]


def test_placeholders_and_a_visible_master_pass(build):
    deck = build.deck(*(build.slide(build.title("x")) for _ in range(3)))
    gate = judge_structure(deck, shown(True, True, False))
    assert gate.outcome == "passed"
    assert "2 of 3 (67 %)" in gate.summary and "checked 3 of 3" in gate.summary
    assert [item.severity for item in gate.evidence] == ["info"]


def test_loose_text_on_blank_layouts_is_hardcoded(build, never):
    slides = [build.slide(build.text("Loose words"), layout=build.blank()) for _ in range(3)]
    gate = judge_structure(build.deck(*slides, build.slide(build.title("x"))), never)
    assert gate.outcome == "failed" and "3 of 4 (75 %)" in gate.summary
    assert gate.evidence[0].rule == "editability.hardcoded-layout"
    assert "“Blank”" in gate.evidence[0].detail


def test_a_pasted_background_fails_though_titles_are_placeholders(build, never):
    full = (0, 0, 960, 540)
    slides = [build.slide(build.picture(full), build.title("x")) for _ in range(5)]
    gate = judge_structure(build.deck(*slides), never)
    assert gate.outcome == "failed"
    assert gate.evidence[0].rule == "editability.pasted-background"


def test_a_loose_graphic_fails_and_a_grouped_one_passes(build, never):
    loose = build.slide(build.title("x"), *scattered(build))
    gate = judge_structure(build.deck(loose), never)
    assert gate.outcome == "failed" and "1 of 1 are loose" in gate.summary
    grouped = [build.shape((10 * n, 200, 10 * n + 10, 210), groups=(99,)) for n in range(20)]
    deck = build.deck(build.slide(build.title("x"), *grouped))
    assert judge_structure(deck, shown(True)).outcome == "passed"


def test_one_loose_graphic_among_groups_is_only_named(build):
    grouped = [build.shape(groups=(99,)) for _ in range(5)]
    deck = build.deck(build.slide(build.title("x"), *grouped, *scattered(build)))
    gate = judge_structure(deck, shown(True))
    assert gate.outcome == "passed"
    assert [(item.rule, item.severity) for item in gate.evidence] == [
        ("editability.loose-shapes", "warning")
    ]


def test_a_hundred_loose_shapes_fail_whatever_is_grouped(build, never):
    pieces = [build.shape((9 * (n % 20), 9 * (n // 20), 9 * (n % 20) + 9, 9 * (n // 20) + 9))
              for n in range(100)]  # fmt: skip
    groups = [build.shape(groups=(900 + k,)) for k in range(3) for _ in range(5)]
    gate = judge_structure(build.deck(build.slide(build.title("x"), *pieces, *groups)), never)
    assert gate.outcome == "failed"


def test_a_master_that_does_not_show_fails(build):
    deck = build.deck(*(build.slide(build.title("x")) for _ in range(3)))
    gate = judge_structure(deck, shown(True, False, False))
    assert gate.outcome == "failed" and "not on slides 2 and 3" in gate.summary
    assert gate.evidence[0].rule == "editability.covered-layout"


def test_without_a_drawing_the_gate_is_not_scored(build):
    deck = build.deck(build.slide(build.title("x")))
    gate = judge_structure(deck, lambda: NotScored("LibreOffice is missing"))
    assert gate.outcome == "not_scored"


def test_blank_slides_have_no_structure(build, never):
    assert judge_structure(build.deck(build.slide()), never).outcome == "not_applicable"
