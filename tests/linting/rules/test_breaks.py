import pytest

from decklab.linting.rules.page import StandIn


def broken(build, words, lines, **fields):
    text = build.text(words, 100, 100, 120, 90, **fields)
    spans = [
        build.span(line, 107, 105 + 24 * n, 107 + 10 * len(line), 121 + 24 * n, line=n)
        for n, line in enumerate(lines)
    ]
    return build.told("text.broken", build.slide(text), spans)


def test_a_word_on_two_lines_is_told_with_both_places(build):
    (found,) = broken(build, "Our documentation", ["Our", "documenta", "tion"])
    assert found.severity == "warning" and found.shape == "Shape 1 (id 1)"
    assert '"documentation"' in found.message
    assert found.box == (107, 129, 197, 169)


def test_a_word_set_letter_by_letter_is_a_label_that_was_turned(build):
    assert broken(build, "PRESS", list("PRESS")) == []
    assert len(broken(build, "01", ["0", "1"])) == 1


def test_numbers_break_too(build):
    (found,) = broken(build, "2026 1250000", ["2026", "12500", "00"])
    assert '"1250000"' in found.message


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Our plan for growth", ["Our plan", "for growth"]),
        ("well-known facts", ["well-", "known facts"]),
        ("either/or choices", ["either/", "or choices"]),
        ("data base database", ["data", "base database"]),  # both parts are words of the text
        ("永和九年春", ["永和", "九年春"]),
        ("", []),
    ],
)
def test_lines_that_end_where_they_may_are_left_alone(build, words, lines):
    assert broken(build, words, lines) == []


def test_addresses_have_no_better_place_to_break(build):
    (found,) = broken(build, "example.org/a_long_path", ["example.org/a_lo", "ng_path"])
    assert found.severity == "info"


def test_a_word_that_fits_in_its_own_font_is_a_note(build):
    text = build.text("Documentation", 100, 100, 120, 90, font="Aptos")
    spans = [
        build.span("Documentati", 107, 105, 217, 121, line=0),
        build.span("on", 107, 129, 127, 145, line=1),
    ]
    # 13 letters in a font a fifth narrower take the room of 11
    aptos = {"aptos": StandIn("Aptos", "Noto Sans", wider=1.2)}
    (found,) = build.told("text.broken", build.slide(text), spans, replaced_fonts=aptos)
    assert found.severity == "info" and "may fit where Aptos" in found.message


def test_a_word_broken_in_a_cell_is_found_beside_other_cells(build):
    table = build.table(100, 100, 400, 60, [["Opportunities", "Threats"]])
    spans = [
        build.span("Opportunitie", 107, 105, 227, 121, line=0),
        build.span("Threats", 307, 105, 397, 121, line=0),
        build.span("s", 107, 129, 117, 145, line=1),
    ]
    (found,) = build.told("text.broken", build.slide(table), spans)
    assert '"Opportunities"' in found.message and found.box == (107, 105, 227, 145)


def test_cells_beside_each_other_are_no_lines_of_one_text(build):
    table = build.table(100, 100, 400, 60, [["in", "formation"], ["information", "x"]])
    spans = [
        build.span("in", 107, 105, 127, 121, line=0),
        build.span("formation", 307, 105, 397, 121, line=1),
        build.span("information", 107, 135, 217, 151, line=2),
        build.span("x", 307, 135, 317, 151, line=3),
    ]
    assert build.told("text.broken", build.slide(table), spans) == []


def test_a_mark_alone_on_a_line_belongs_to_the_number_above(build):
    (found,) = broken(build, "1.", ["1", "."])
    assert '"1."' in found.message and found.severity == "warning"
    assert broken(build, "1 .", ["1", "."]) == []
    assert broken(build, "שלום.", ["שלום", "."]) == []


def test_a_font_that_few_machines_have_is_no_excuse(build):
    text = build.text("Documentation", 100, 100, 120, 90, font="Staatliches")
    spans = [
        build.span("Documentati", 107, 105, 217, 121, line=0),
        build.span("on", 107, 129, 127, 145, line=1),
    ]
    fonts = {"staatliches": StandIn("Staatliches", "Noto Sans", wider=1.2)}
    slide = build.slide(text)
    (found,) = build.told("text.broken", slide, spans, replaced_fonts=fonts)
    assert found.severity == "warning" and "may fit where Staatliches" in found.message


def titled(build, lines, widths, **fields):
    """A title whose lines have widths."""
    title = build.text(" ".join(lines), 60, 30, 820, 90, placeholder="title", **fields)
    spans = [
        build.span(line, 67, 40 + 40 * n, 67 + width, 70 + 40 * n, line=n, size_pt=32)
        for n, (line, width) in enumerate(zip(lines, widths, strict=True))
    ]
    return build.slide(title), spans


def test_one_short_word_on_the_last_line_of_a_title_is_told(build):
    slide, spans = titled(build, ["How we plan growth for", "you"], [800, 60])
    (found,) = build.told("text.orphan", slide, spans)
    assert found.severity == "warning" and '"you"' in found.message
    assert found.box == (67, 80, 127, 110) and found.measured == 0.07


@pytest.mark.parametrize(
    ("lines", "widths"),
    [
        (["How we plan growth", "for you"], [800, 120]),  # two words
        (["How we plan growth", "internationally"], [800, 190]),  # a long one
        (["How we", "plan"], [130, 90]),  # nearly as wide
        (["Plan"], [90]),
    ],
)
def test_other_last_lines_of_titles_are_left_alone(build, lines, widths):
    assert build.told("text.orphan", *titled(build, lines, widths)) == []


def test_a_line_that_the_author_broke_is_no_orphan(build):
    slide, spans = titled(build, ["How we plan growth for", "you"], [800, 60])
    broken_by_hand = slide.texts[0].model_copy(update={"text": "How we plan growth for\nyou"})
    slide = slide.model_copy(update={"texts": (broken_by_hand,)})
    assert build.told("text.orphan", slide, spans) == []


def justified(build, align, widths):
    """Three lines of 20 letters each, of some widths."""
    text = build.text("aaaaaaaaa aaaaaaaaaa " * len(widths), 100, 100, 420, 90)
    paragraph = text.paragraphs[0].model_copy(update={"align": align})
    text = text.model_copy(update={"paragraphs": (paragraph,)})
    spans = [
        build.span("aaaaaaaaa aaaaaaaaaa", 107, 105 + 24 * n, 107 + width, 121 + 24 * n, line=n)
        for n, width in enumerate(widths)
    ]
    return build.told("text.justified", build.slide(text), spans)


def test_justified_lines_that_are_pulled_apart_are_told(build):
    (found,) = justified(build, "justify", [400, 390, 200])
    assert found.severity == "warning" and found.measured == 2.0
    assert found.box == (107, 105, 507, 121)


def test_lines_of_about_one_width_or_aligned_left_are_left_alone(build):
    assert justified(build, "justify", [400, 390, 300]) == []
    assert justified(build, "left", [400, 390, 200]) == []
    assert justified(build, "justify", [400]) == []
