from decklab.metrics.integrity.findings import integrity_findings
from decklab.metrics.integrity.page import Page


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
