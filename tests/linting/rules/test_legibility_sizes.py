import pytest

from decklab.linting.rules.legibility import role_of


def drawn(build, drawn_pt, **fields):
    text = build.text("Some running text", **fields)
    return text, [build.span("Some running text", 107, 105, 250, 115, size_pt=drawn_pt)]


@pytest.mark.parametrize(
    ("fields", "size", "found"),
    [
        ({"placeholder": "body", "idx": 1}, 11.0, ["text.small"]),
        ({"placeholder": "body", "idx": 1}, 12.0, []),
        ({}, 9.5, ["text.small"]),
        ({}, 10.0, []),
        ({"placeholder": "ftr", "idx": 11}, 9.0, []),
        ({"placeholder": "ftr", "idx": 11}, 8.0, ["text.small"]),
    ],
)
def test_each_role_has_its_least_size(build, fields, size, found):
    text, spans = drawn(build, size, **fields)
    assert build.rules(build.slide(text), spans) == found


def test_sizes_are_those_of_a_slide_seven_and_a_half_inches_high(build):
    text, spans = drawn(build, 8.0)
    small = build.slide(text, size_pt=(720.0, 405.0))  # 8 pt there are 10.7 pt on a large slide
    large = build.slide(text, size_pt=(1440.0, 810.0))  # and 5.3 pt here
    assert build.rules(small, spans) == []
    (found,) = build.lint(large, spans)
    assert found.measured == 5.3 and "on a slide 7.5 inches high" in found.message
    assert found.fix.startswith(
        "Set it in at least 10 pt as seen on a slide 7.5 inches high (15 pt"
    )


def test_text_that_shrinks_counts_as_large_as_it_was_saved(build):
    text, spans = drawn(build, 8.0, size=14.0, autofit="shrink")
    assert build.rules(build.slide(text), spans) == []


def test_superscripts_and_marks_are_not_text(build):
    text = build.text("the 21st century©", size=20)
    spans = [
        build.span("the 21", 107, 105, 150, 121, size_pt=20),
        build.span("st", 151, 105, 158, 112, size_pt=8),
        build.span("century", 160, 105, 220, 121, size_pt=20),
        build.span("©", 221, 105, 226, 110, size_pt=6),
    ]
    assert build.rules(build.slide(text), spans) == []


def test_one_finding_names_the_smallest_and_counts_the_rest(build):
    one, other = build.text("Footnote one"), build.text("Footnote two", y=300)
    spans = [
        build.span("Footnote one", 107, 105, 180, 113, size_pt=8, line=0),
        build.span("Footnote two", 107, 305, 180, 312, size_pt=7, line=1),
    ]
    (found,) = build.lint(build.slide(one, other), spans)
    assert found.measured == 7 and "and 1 more text under 10 pt" in found.message


def test_small_print_of_the_layout_is_told_as_such(build):
    note = build.text("Copyright Contoso Ltd", 10, 500, 300, 30)
    spans = [build.span("Copyright Contoso Ltd", 17, 510, 120, 516, size_pt=6)]
    (found,) = build.lint(build.slide(), spans, layouts=(build.layout(note),))
    assert found.severity == "info" and "on the layout or master" in found.message


def test_roles_follow_placeholders(build):
    assert role_of(build.text("x", placeholder="title")) == "body"
    assert role_of(build.text("x", placeholder="sldNum")) == "small print"
    assert role_of(build.table(0, 0, 9, 9, [["a"]])) == "label"


def test_a_raised_word_of_several_letters_is_not_judged_beside_its_line(build):
    text = build.text("Widget trademark", size=20)
    spans = [
        build.span("Widget", 107, 105, 150, 121, size_pt=20),
        build.span("trademark", 151, 105, 190, 112, size_pt=8),
    ]
    assert build.rules(build.slide(text), spans) == []
    beside = [spans[0], build.span("trademark", 107, 125, 146, 132, size_pt=8, line=1)]
    assert build.rules(build.slide(text), beside) == ["text.small"]  # on a line of its own


def test_words_set_as_superscript_are_not_judged_on_any_line(build):
    text = build.text("Widget\nfootnote", size=20)
    first, second = text.paragraphs
    raised = second.runs[0].font.model_copy(update={"baseline": 30.0})
    run = second.runs[0].model_copy(update={"font": raised})
    lifted = text.model_copy(
        update={"paragraphs": (first, second.model_copy(update={"runs": (run,)}))}
    )
    spans = [
        build.span("Widget", 107, 105, 150, 121, size_pt=20),
        build.span("footnote", 107, 125, 146, 132, size_pt=8, line=1),
    ]
    assert build.rules(build.slide(text), spans) == ["text.small"]
    assert build.rules(build.slide(lifted), spans) == []
