import pytest

from decklab.metrics.accessibility.findings import accessibility_findings


def rules(build, *slides):
    return [
        (finding.slide, finding.rule.removeprefix("accessibility."))
        for finding in accessibility_findings(build.deck(*slides))
    ]


def test_a_slide_with_its_own_title_is_fine(build):
    one, other = build.slide(build.title("One")), build.slide(build.title("Two"), number=2)
    assert rules(build, one, other) == []


def test_slides_without_title_with_an_empty_or_a_hidden_one(build):
    slides = [build.slide(build.title(f"Title {n}"), number=n) for n in range(1, 11)]
    bare = build.slide(build.text("words"), number=11)
    empty = build.slide(build.title("  "), number=12)
    hidden = build.slide(build.title("Plan", hidden=True), number=13)
    found = [
        item
        for slide in (bare, empty, hidden)
        for item in accessibility_findings(build.deck(*slides, slide))
    ]
    assert [(item.slide, item.message) for item in found] == [
        (11, 'The slide has no title placeholder; "words" is no title to screen readers.'),
        (12, "The slide has an empty title."),
        (13, "The slide has only a hidden title."),
    ]
    assert [item.severity for item in found] == ["error", "info", "info"]  # two have no words
    (found,) = accessibility_findings(build.deck(*slides, bare, empty, hidden))
    assert found.message == "3 of 13 slides have no title: 11-13." and found.slides == (11, 12, 13)


def test_a_title_off_the_slide_is_there_for_screen_readers(build):
    assert rules(build, build.slide(build.title("Plan", y=-100))) == []


def test_a_deck_mostly_without_titles_gives_one_finding(build):
    slides = [build.slide(number=n) for n in (1, 2, 3)]
    titled = build.slide(build.title("End"), number=4)
    (found,) = accessibility_findings(build.deck(*slides, titled))
    assert found.message == "3 of 4 slides have no title: 1-3." and found.measured == 3


def titled(build, *titles):
    return [build.slide(build.title(words), number=n) for n, words in enumerate(titles, start=1)]


def test_titles_that_come_again_elsewhere_are_one_finding(build):
    slides = titled(build, "Results", "Next", " results\u00a0", "RESULTS (2/2)", "Next", "Results")
    (found,) = accessibility_findings(build.deck(*slides))
    assert found.rule == "accessibility.duplicate-slide-title" and found.severity == "info"
    assert found.message == (
        '2 titles come again on slides apart from each other: "Results" (slides 1, 3, 6),'
        ' "Next" (slides 2, 5).'
    )
    assert found.slides == (1, 2, 3, 5, 6)


@pytest.mark.parametrize(
    "titles",
    [
        ("Plan", "Plan", "Plan"),
        ("Plan", "Plan (cont.)", "Plan (3/3)"),
        ("Question", "Answer", "Question", "Answer"),
        ("Question 1", "Question 2"),
    ],
)
def test_slides_that_build_on_each_other_or_take_turns_may_share_a_title(build, titles):
    assert rules(build, *titled(build, *titles)) == []


def test_a_slide_that_comes_again_as_it_was_may_have_its_title_again(build):
    def agenda(number):
        return build.slide(build.title("Agenda"), build.text("One, two, three"), number=number)

    between = [build.slide(build.title(f"Point {n}"), number=n) for n in (2, 4)]
    slides = [agenda(1), between[0], agenda(3), between[1], agenda(5)]
    assert rules(build, *slides) == []


def test_hidden_slides_repeat_titles_freely(build):
    one = build.slide(build.title("Results"))
    other = build.slide(build.title("Results"), number=2, hidden=True)
    assert rules(build, one, other) == []


def test_an_empty_deck_has_no_findings(build):
    assert rules(build) == []
