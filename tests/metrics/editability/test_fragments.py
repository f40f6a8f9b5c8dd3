import pytest

from decklab.metrics.editability.fragments import broken_paragraphs, broken_share

LINES = ("The committee decided last", "week that all proposals must", "be handed in by Friday.")


def stack(build, lines, left=100, step=22, **fields):
    return [
        build.text(words, (left, 100 + step * index, left + 8 * len(words), 120 + step * index),
                   size=16, **fields)
        for index, words in enumerate(lines)
    ]  # fmt: skip


def test_lines_that_read_on_are_one_broken_paragraph(build):
    slide = build.slide(*stack(build, LINES))
    (found,) = broken_paragraphs(slide, 1.0)
    assert found.text == " ".join(LINES)
    assert found.box.top == 100 and found.box.bottom == 164


def test_the_order_of_shapes_in_the_file_does_not_matter(build):
    slide = build.slide(*reversed(stack(build, LINES)))
    assert len(broken_paragraphs(slide, 1.0)[0].lines) == 3


@pytest.mark.parametrize(
    "lines",
    [
        ("Strategy", "Policy", "Programs"),
        ("We stop here.", "and begin anew"),
        ("2019 was good", "2020 was not"),
    ],
)
def test_lists_and_finished_sentences_are_no_paragraph(build, lines):
    assert broken_paragraphs(build.slide(*stack(build, lines)), 1.0) == []


def test_columns_distances_sizes_and_placeholders_keep_lines_apart(build):
    first, second = stack(build, LINES[:2])
    (aside,) = stack(build, LINES[1:2], left=400)
    far = stack(build, LINES[:2], step=60)
    large = build.text(LINES[1], (100, 122, 400, 160), size=24)
    placeholders = stack(build, LINES, placeholder="body")
    for shapes in ((first, aside), far, (first, large), placeholders):
        assert broken_paragraphs(build.slide(*shapes), 1.0) == []
    assert len(broken_paragraphs(build.slide(first, second), 1.0)) == 1


def test_a_box_of_several_lines_is_whole(build):
    whole = build.text(" ".join(LINES), (100, 100, 300, 190), size=16)
    assert broken_paragraphs(build.slide(whole, *stack(build, ["and so on"])), 1.0) == []


def test_scripts_without_case_read_on_where_the_line_was_full(build):
    full, rest, short = "委员会上周决定所有提案必须", "在星期五之前提交", "目录"
    assert broken_paragraphs(build.slide(*stack(build, (full, rest))), 1.0)
    assert not broken_paragraphs(build.slide(*stack(build, (short, full))), 1.0)


def test_the_share_counts_characters_of_all_text(build):
    whole = build.text("x" * 67, (100, 300, 900, 400))
    share, broken = broken_share(build.deck(build.slide(*stack(build, LINES), whole)))
    inside = sum(len(line.replace(" ", "")) for line in LINES)
    assert share == pytest.approx(inside / (inside + 67))
    assert len(broken) == 1


def test_a_deck_without_text_has_no_broken_share(build):
    assert broken_share(build.deck(build.slide(build.shape()))) == (0.0, [])
