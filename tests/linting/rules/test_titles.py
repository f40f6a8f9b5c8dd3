import pytest

from decklab.linting.rules.every import accessibility_findings, integrity_findings
from decklab.linting.rules.page import Page


def titled(build, count=5, **odd):
    """Slides with one title each, the last of them odd."""
    slides = []
    for number in range(1, count + 1):
        fields = {"x": 60, "y": 30, "w": 840, "h": 60, "size": 32.0, "placeholder": "title"}
        title = build.text(f"Title {number}", **fields | (odd if number == count else {}))
        slides.append(build.slide(title, number=number))
    return slides


def lint(build, slides, pages=()):
    return integrity_findings(build.deck(*slides), pages)


def test_titles_alike_give_nothing(build):
    assert lint(build, titled(build)) == []


def test_a_title_that_stands_elsewhere(build):
    (found,) = lint(build, titled(build, y=50))
    assert found.rule == "title.position" and found.slide == 5
    assert "stands 20 px below where it stands on 4 other slides" in found.message
    (found,) = lint(build, titled(build, x=20))
    assert "stands 40 px to the left of where it stands" in found.message
    (found,) = lint(build, titled(build, x=90, y=0))
    assert "stands 30 px to the right and 30 px above where it stands" in found.message


def test_a_title_that_only_looks_moved_has_not(build):
    slides = titled(build, y=50)
    pages = [Page(n, [build.span(f"Title {n}", 67, 40, 200, 64, size_pt=32)]) for n in range(1, 6)]
    assert lint(build, slides, pages) == []


def test_a_title_of_another_size_or_font(build):
    (found,) = lint(build, titled(build, size=28.0))
    assert (found.rule, found.measured, found.threshold) == ("title.size", 28, 32)
    (found,) = lint(build, titled(build, font="Comic Sans MS"))
    assert (
        found.rule == "title.font" and "is set in Comic Sans MS, not in the Arial" in found.message
    )


def test_titles_without_the_name_of_a_font(build):
    slides = [
        build.slide(build.text(f"Title {n}", size=32.0, font="", placeholder="title"), number=n)
        for n in range(1, 6)
    ]
    assert lint(build, slides) == []


def test_a_size_that_autofit_made_is_not_the_decks(build):
    assert lint(build, titled(build, size=28.8, scale=0.9)) == []


def test_without_a_majority_no_title_is_odd(build):
    slides = titled(build, 4)
    moved = [
        slide.model_copy(
            update={"texts": (slide.texts[0].model_copy(update={"y": 30.0 + 20 * n}),)}
        )
        for n, slide in enumerate(slides)
    ]
    assert lint(build, moved) == []
    assert lint(build, titled(build, 3, y=90)) == []


def test_other_layouts_and_hidden_slides_are_not_compared(build):
    slides = titled(build, y=90)
    assert lint(build, [*slides[:4], slides[4].model_copy(update={"layout_part": "other"})]) == []
    assert lint(build, [*slides[:4], slides[4].model_copy(update={"hidden": True})]) == []


def rules(plain, *slides):
    return [
        (finding.slide, finding.rule.removeprefix("accessibility."))
        for finding in accessibility_findings(plain.deck(*slides))
    ]


def test_a_slide_with_its_own_title_is_fine(plain):
    one, other = plain.slide(plain.title("One")), plain.slide(plain.title("Two"), number=2)
    assert rules(plain, one, other) == []


def test_slides_without_title_with_an_empty_or_a_hidden_one(plain):
    slides = [plain.slide(plain.title(f"Title {n}"), number=n) for n in range(1, 11)]
    bare = plain.slide(plain.text("words"), number=11)
    empty = plain.slide(plain.title("  "), number=12)
    hidden = plain.slide(plain.title("Plan", hidden=True), number=13)
    found = [
        item
        for slide in (bare, empty, hidden)
        for item in accessibility_findings(plain.deck(*slides, slide))
    ]
    assert [(item.slide, item.message) for item in found] == [
        (11, 'The slide has no title placeholder; "words" is no title to screen readers.'),
        (12, "The slide has an empty title."),
        (13, "The slide has only a hidden title."),
    ]
    assert [item.severity for item in found] == ["error", "info", "info"]  # two have no words
    (all_in_one,) = accessibility_findings(plain.deck(*slides, bare, empty, hidden))
    assert all_in_one.message == "3 of 13 slides have no title: 11-13."
    assert all_in_one.slides == (11, 12, 13)


def test_a_title_off_the_slide_is_there_for_screen_readers(plain):
    assert rules(plain, plain.slide(plain.title("Plan", y=-100))) == []


def test_a_deck_mostly_without_titles_gives_one_finding(plain):
    slides = [plain.slide(number=n) for n in (1, 2, 3)]
    titled = plain.slide(plain.title("End"), number=4)
    (found,) = accessibility_findings(plain.deck(*slides, titled))
    assert found.message == "3 of 4 slides have no title: 1-3." and found.measured == 3


def with_titles(plain, *titles):
    return [plain.slide(plain.title(words), number=n) for n, words in enumerate(titles, start=1)]


def test_titles_that_come_again_elsewhere_are_one_finding(plain):
    slides = with_titles(
        plain, "Results", "Next", " results\u00a0", "RESULTS (2/2)", "Next", "Results"
    )
    (found,) = accessibility_findings(plain.deck(*slides))
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
def test_slides_that_build_on_each_other_or_take_turns_may_share_a_title(plain, titles):
    assert rules(plain, *with_titles(plain, *titles)) == []


def test_a_slide_that_comes_again_as_it_was_may_have_its_title_again(plain):
    def agenda(number):
        return plain.slide(plain.title("Agenda"), plain.text("One, two, three"), number=number)

    between = [plain.slide(plain.title(f"Point {n}"), number=n) for n in (2, 4)]
    slides = [agenda(1), between[0], agenda(3), between[1], agenda(5)]
    assert rules(plain, *slides) == []


def test_hidden_slides_repeat_titles_freely(plain):
    one = plain.slide(plain.title("Results"))
    other = plain.slide(plain.title("Results"), number=2, hidden=True)
    assert rules(plain, one, other) == []


def test_an_empty_deck_has_no_findings(plain):
    assert rules(plain) == []


@pytest.mark.parametrize(
    ("align", "edges"),
    [
        ("left", (107, 200)),
        ("right", (200, 320)),
        ("center", (170, 330)),  # 250 is the middle of this and of 200 to 300
    ],
)
def test_a_moved_title_whose_words_begin_end_or_are_centred_where_others_are_has_not(
    build, align, edges
):
    usual = {"left": (107, 300), "right": (120, 320), "center": (200, 300)}[align]

    def found(last):
        slides = titled(build, y=50)
        turned = [
            slide.model_copy(
                update={"texts": (slide.texts[0].model_copy(update={"align": align}),)}
            )
            for slide in slides
        ]
        pages = [
            Page(n, [build.span(f"Title {n}", left, 40, right, 64, size_pt=32)])
            for n, (left, right) in enumerate([usual] * 4 + [last], start=1)
        ]
        return [item.rule for item in lint(build, turned, pages)]

    assert found(edges) == []
    assert found((edges[0] + 30, edges[1] + 30)) == ["title.position"]


@pytest.mark.parametrize("size", [11.9, 12.0])
def test_a_slide_with_nothing_but_small_print_hardly_needs_a_title(plain, size):
    slides = [plain.slide(plain.title(f"Title {n}"), number=n) for n in range(1, 11)]
    text = plain.text("Printed by the town")
    small = text.model_copy(update={"font": text.font.model_copy(update={"size": size})})
    (found,) = accessibility_findings(plain.deck(*slides, plain.slide(small, number=11)))
    assert found.severity == ("error" if size >= 12 else "info")


def instead(plain, *texts):
    slides = [plain.slide(plain.title(f"Title {n}"), number=n) for n in range(1, 11)]
    (found,) = accessibility_findings(plain.deck(*slides, plain.slide(*texts, number=11)))
    return found.message.partition("; ")[2]


def sized(plain, words, size, y=60):
    text = plain.text(words, y=y)
    return text.model_copy(update={"font": text.font.model_copy(update={"size": size})})


def test_the_text_that_looks_like_a_title_is_named(plain):
    told = '"Harvest" is no title to screen readers.'
    body = sized(plain, "Wheat and rye", 20.0, y=200)
    assert instead(plain, body, sized(plain, "Harvest", 24.0)) == told  # 1.2 times as large
    assert instead(plain, sized(plain, "Harvest", 23.9), body) == ""
    assert instead(plain, sized(plain, "Harvest", 40.0, y=181), body) == ""  # under the upper third
    assert instead(plain, sized(plain, "Harvest", 40.0, y=180), body) == told
    assert instead(plain, sized(plain, "Harvest\nand more", 40.0), body) == ""
    assert instead(plain, sized(plain, "Harvest\n", 40.0), body) == told
    assert instead(plain, sized(plain, "x" * 81, 40.0), body) == ""
    hidden = sized(plain, "Unseen", 60.0).model_copy(update={"hidden": True})
    assert instead(plain, hidden, sized(plain, "Harvest", 40.0), body) == told
