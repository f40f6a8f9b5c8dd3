"""Slides in Markdown: what each form becomes, what is told, and that a plan reads back."""

from pathlib import Path

import pytest
from generate.composing.showcase import showcase_plan
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tests.board.plans import LANGUAGES, every_layout, later_layouts
from tests.examples import examples

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.marked_text import MARKS, spans_of
from decklab.board.pages.pictures import picture_size
from decklab.core.errors import PlanError
from decklab.writer.markdown_out import plan_markdown
from decklab.writer.markdown_slides import MarkdownSlides, markdown_slides, read_markdown_slides

HERE = Path("talk.md")


def slides(text: str, file: Path = HERE) -> tuple[SlidePlan, ...]:
    return markdown_slides(text, file).plan.slides


def one(text: str) -> SlidePlan:
    (found,) = slides(f"## Name\n\n{text}")
    return found


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pictures that plans show."""
    return tmp_path_factory.mktemp("pictures")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_layout_reads_back_as_the_same_plan(language: str, pictures: Path) -> None:
    for plan in (every_layout(language, pictures), later_layouts(language, pictures)):
        text = plan_markdown(plan, pictures / "slides.md")
        assert text is not None
        assert markdown_slides(text, pictures / "slides.md").plan == plan


def test_a_slide_as_json_that_is_none_is_told_and_kept_in_the_notes() -> None:
    given = '```slide\n{"layout": "options", "options": []}\n```\n'
    made = markdown_slides(f"# A\n\n- a\n\n---\n\n# B\n\n{given}", HERE)
    assert any("layout 'options' needs options" in line for line in made.told)
    assert '"options": []' in made.plan.slides[-1].notes


@pytest.mark.long
def test_a_whole_deck_reads_back_without_a_word_to_tell(pictures: Path) -> None:
    plan = showcase_plan(pictures)
    text = plan_markdown(plan, pictures / "slides.md")
    assert text is not None
    told = markdown_slides(text, pictures / "slides.md").told
    assert [line for line in told if "bold" not in line] == []


@examples(40)
@given(st.lists(st.text(max_size=30), min_size=2, max_size=4), st.text(max_size=60))
def test_any_text_reads_back_or_is_not_written(texts: list[str], notes: str) -> None:
    try:
        body = tuple(Point(text=text, level=at % 2) for at, text in enumerate(texts[1:]))
        slide = SlidePlan(layout="body", title=texts[0], body=body, notes=notes)
        plan = DeckPlan(title=texts[0], slides=(slide,))
    except ValueError:
        return
    text = plan_markdown(plan, HERE)
    assert text is None or markdown_slides(text, HERE).plan == plan


def test_marks_of_markdown_stay_words() -> None:
    texts = ("# no heading", "1. no number", "- no item", "a * b * c [x](y) <z> `q` & | ~", "a_b_c")
    body = tuple(Point(text=text) for text in texts)
    plan = DeckPlan(title="T", slides=(SlidePlan(layout="body", title="**T**", body=body),))
    text = plan_markdown(plan, HERE)
    assert text is not None and markdown_slides(text, HERE).plan == plan


def test_breaks_part_slides_and_headings_do_where_there_is_no_break() -> None:
    marp = "# A\n\nwords\n\n---\n\n## B\n\n- b\n\n---\n\n## C\n\n- c\n\n### d\n\n- e\n"
    assert [slide.title for slide in slides(marp)] == ["A", "B", "C"]
    pandoc = "# A\n\nwords\n\n## B\n\n- b\n\n# Part\n\n## C\n\n- c\n"
    made = slides(pandoc)
    assert [(slide.layout, slide.title) for slide in made] == [
        ("title", "A"), ("body", "B"), ("section", "Part"), ("body", "C"),
    ]  # fmt: skip
    assert [slide.section for slide in made] == [None, None, "Part", "Part"]


def test_slidev_settings_of_a_slide_name_its_layout() -> None:
    text = "# A\n\nwords\n\n---\nlayout: two-cols\n---\n\n# B\n\n- left\n\n::right::\n\n- right\n"
    made = slides(text)
    assert made[1].layout == "two_columns"
    assert [column.points[0].text for column in made[1].columns] == ["left", "right"]


def test_lists_keep_their_levels_and_deeper_ones_are_told() -> None:
    text = "## Name\n\n- a\n  - b\n    - c\n      - d\n- e\n"
    read = markdown_slides(text, HERE)
    (slide,) = read.plan.slides
    assert [(at.text, at.level) for at in slide.body] == [
        ("a", 0), ("b", 1), ("c", 2), ("d", 2), ("e", 0),
    ]  # fmt: skip
    assert read.told == ("talk.md, line 3: points of level 4 are shown on level 3",)


def test_numbered_lists_are_processes() -> None:
    made = one("1. **Plan**: two weeks\n2. Build: nine months\n3. Test\n   - twice\n")
    assert made.layout == "process"
    assert [(step.label, step.text) for step in made.steps] == [
        ("Plan", "two weeks"), ("Build", "nine months"), ("Test", "twice"),
    ]  # fmt: skip


def test_tables_are_tables_and_charts_where_asked() -> None:
    table = "| Quarter | Ships |\n|---|---|\n| Q1 | 2,100 |\n| Q2 | 262 |\n"
    made = one(table)
    assert made.table is not None and made.table.rows == (("Q1", "2,100"), ("Q2", "262"))
    made = one(f"<!-- chart: bar -->\n<!-- source: Port office -->\n\n{table}")
    assert made.chart is not None and made.layout == "chart"
    assert (made.chart.kind, made.chart.source) == ("bar", "Port office")
    assert made.chart.series[0].values == (2100, 262)


def test_a_chart_block_holds_csv_and_a_wrong_one_becomes_a_table_that_is_told() -> None:
    made = one("```chart line\nYear;Cost\n2020;1.5\n2021;\n```\n\n- cheap\n")
    assert made.layout == "chart_takeaways" and made.chart is not None
    assert made.chart.series[0].values == (1.5, None)
    assert made.chart.source == "Source: talk.md"
    read = markdown_slides("## N\n\n```chart\na,b\nx,many\ny,few\n```\n", HERE)
    assert read.plan.slides[0].table is not None
    assert "line 3: no chart can be made" in read.told[0]


def test_columns_of_two_units_become_a_combination_and_no_shared_axis() -> None:
    made = one("```chart\nQuarter,Calls (number),Tonnage (t)\nQ1,12,3.5\nQ2,15,4\n```\n")
    assert made.chart is not None and made.chart.kind == "combination"
    assert [(item.name, item.unit) for item in made.chart.series] == [
        ("Calls", "number"), ("Tonnage", "t"),
    ]  # fmt: skip
    read = markdown_slides("## N\n\n```chart bar\na,x (t),y (kg)\np,1,2\nq,3,4\n```\n", HERE)
    assert read.plan.slides[0].table is not None
    assert "'t' and 'kg' cannot share an axis" in read.told[0]
    made = one("<!-- units: t, EUR -->\n\n```chart scatter\na,x,y\np,1,2\nq,3,4\n```\n")
    assert made.chart is not None and made.chart.units == ("t", "EUR")
    read = markdown_slides(
        "## N\n\n<!-- units: t -->\n\n```chart scatter\na,x,y\np,1,2\nq,3,4\n```\n", HERE
    )
    assert "a unit for each of its 2 series" in read.told[0]


def test_a_change_stands_between_two_numbers_and_is_told_elsewhere() -> None:
    made = one("<!-- change: -35 % -->\n<!-- layout: big-numbers -->\n\n"
               "- **9.4 h**: before\n- **6.1 h**: after\n")  # fmt: skip
    assert (made.change, len(made.numbers)) == ("-35 %", 2)
    read = markdown_slides("## N\n\n<!-- change: -35 % -->\n<!-- layout: big-numbers -->\n\n"
                           "- **9.4 h**: before\n", HERE)  # fmt: skip
    assert read.plan.slides[0].change is None
    assert "a change is between 2 numbers, not 1" in read.told[0]


def test_a_list_stands_beside_a_table_if_the_layout_says_so() -> None:
    table = "| Quarter | Ships |\n|---|---|\n| Q1 | 2,100 |\n| Q2 | 262 |\n"
    made = one(f"<!-- layout: table -->\n\n{table}\n- fewer\n- larger\n")
    assert made.table is not None
    assert [point.text for point in made.body] == ["fewer", "larger"]


def test_plans_with_units_changes_and_points_beside_tables_are_read_back_the_same() -> None:
    chart = {"kind": "combination", "categories": ["Q1", "Q2"], "source": "a.csv", "series": [
        {"name": "Calls (all)", "values": [1.0, 2.0], "unit": "calls, total"},
        {"name": "Tonnage", "values": [3.0, None], "unit": "t"}]}  # fmt: skip
    numbers = [{"value": "9.4 h", "label": "before"}, {"value": "6.1 h", "label": "after"}]
    table = {"header": ["a", "b"], "rows": [["1", "2"]]}
    slides = [
        {"layout": "chart", "title": "A", "chart": chart},
        {"layout": "big_numbers", "title": "B", "numbers": numbers, "change": "-35 %"},
        {"layout": "table", "title": "C", "table": table, "body": [{"text": "p"}, {"text": "q"}]},
    ]
    plan = DeckPlan.model_validate({"title": "T", "slides": slides}, strict=False)
    text = plan_markdown(plan, HERE)
    assert text is not None and "units" in text


def test_headings_below_the_title_are_columns_or_cards() -> None:
    made = one("### Rent\n\n- cheap\n- soon\n\n### Buy\n\n- dear\n")
    assert [column.heading for column in made.columns] == ["Rent", "Buy"]
    made = one("### Rent\n\ncheap\n\n### Buy\n\ndear\n")
    assert [(card.label, card.text) for card in made.cards] == [("Rent", "cheap"), ("Buy", "dear")]
    made = one(":::: columns\n::: column\n- a\n:::\n::: column\n- b\n:::\n::::\n")
    assert made.layout == "two_columns"


def test_a_quote_knows_whose_words_it_is() -> None:
    quote = one("> Ships do not wait.\n>\n> — A captain\n").quote
    assert quote is not None and (quote.text, quote.by) == ("Ships do not wait.", "A captain")


def test_notes_of_all_forms() -> None:
    assert one("- a\n\n<!-- notes: Say\nhello. -->").notes == "Say\nhello."
    assert one("- a\n\n<!-- a plain comment -->").notes == "a plain comment"
    assert one("- a\n\n::: notes\nPandoc's\n\nnotes\n:::\n").notes == "Pandoc's\n\nnotes"
    made = one("- a\n\nNote: of reveal.js\n\n- more of it\n")
    assert made.notes == "of reveal.js\nmore of it" and len(made.body) == 1


def test_pictures_beside_text_alone_and_several(tmp_path: Path) -> None:
    for name in ("a b.png", "c.jpg"):
        Image.new("RGB", (8, 6)).save(tmp_path / name)
    file = tmp_path / "talk.md"
    made = slides("## N\n\n- words\n\n![A crane](<a b.png>)\n\n![Ships](c.jpg)\n", file)
    assert [slide.layout for slide in made] == ["picture_right", "picture_full"]
    assert [slide.title for slide in made] == ["N (1/2)", "N (2/2)"]
    pictures = [slide.picture for slide in made if slide.picture]
    assert [(at.alt, at.kind) for at in pictures] == [
        ("A crane", "figure"), ("Ships", "photograph"),
    ]  # fmt: skip


def test_what_marp_and_pandoc_add_to_pictures_and_headings(tmp_path: Path) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "quay.png")
    text = "# <!-- fit --> N {#n .unnumbered}\n\n![bg left:40%](quay.png)\n\n- a\n\n. . .\n\n- b\n"
    read = markdown_slides(text, tmp_path / "talk.md")
    (made,) = read.plan.slides
    assert (made.title, made.layout) == ("N", "picture_left")
    assert made.picture is not None and made.picture.alt == "quay"
    assert read.told == ("talk.md, line 7: a pause is not kept", "talk.md, line 1: not used: fit")


def test_a_comparison_needs_a_heading_over_each_side() -> None:
    text = "<!-- layout: comparison -->\n\n{}- slow\n\n### B\n\n- quick\n"
    both, lone = (one(text.format(heading)) for heading in ("### A\n\n", ""))
    assert [side.heading for side in both.columns] == ["A", "B"]
    assert lone.layout != "comparison"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("![x](nowhere.png)\n\n- a", "line 3: the picture nowhere.png is not there"),
        ("![x](https://a.example/b.png)\n\n- a", "line 3: the picture https://a.example/b.png is"),
        ("<table><tr><td>1</td></tr></table>\n\n- a", "line 3: HTML is not shown: <table>"),
        ("- a [port](plans/port.pdf)", "line 3: the link to plans/port.pdf leads nowhere"),
        ("```mermaid\nsequenceDiagram\nA->>B: hi\n```", "line 3: the diagram stands as its source"),
        ("<!-- layout: spiral -->\n\n- a", "line 3: there is no layout 'spiral'"),
        ("<!-- layout: quote -->\n\n- a", "line 1: the slide does not hold what the layout 'quo"),
        ("- a\n\n<!-- role: king -->", "there is no role 'king'"),
    ],
)
def test_what_cannot_be_placed_is_told_with_its_line(text: str, told: str) -> None:
    read = markdown_slides(f"## N\n\n{text}\n", HERE)
    assert any(told in line for line in read.told), read.told
    assert read.plan.slides[0].texts[1:] != ()


def test_front_matter_names_title_theme_and_language() -> None:
    front = "marp: true\ntitle: Häfen\nauthor: A. Lotse\nlang: de\ntheme: dark\n"
    text = f"---\n{front}---\n\n## N\n\n- a\n"
    read = markdown_slides(text, HERE)
    assert (read.plan.title, read.plan.language, read.theme) == ("Häfen", "de", "dark")
    first = read.plan.slides[0]
    assert (first.layout, first.title, first.byline) == ("title", "Häfen", "A. Lotse")
    assert read.told == ()


def test_a_title_page_takes_what_it_lacks_of_the_front_matter() -> None:
    front = "---\ntitle: T\nsubtitle: S\nauthor: A\ndate: D\n---\n\n"
    first = markdown_slides(f"{front}# Name\n", HERE).plan.slides[0]
    assert (first.title, first.subtitle, first.byline) == ("Name", "S", "A · D")
    read = markdown_slides(f"{front}# Name\n\nown\n\nwords\n", HERE)
    assert (read.plan.slides[0].subtitle, read.plan.slides[0].byline) == ("own", "words")
    assert read.told == ("talk.md, line 1: not shown: S", "talk.md, line 1: not shown: A · D")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no slide"),
        ("---\ntitle: A\n---\n", "there is no slide"),
        ("---\nlang: German!\n---\n\n# A\n", "no language tag"),
        ("# A\n\n## B\n\n|a|b|c|d|e|f|g|h|i|\n|-|-|-|-|-|-|-|-|-|\n|1|2|3|4|5|6|7|8|9|\n",
         "line 3"),
        ("# P\n\n## B\n\n- a\n\n## C\n\n<!-- section: Q -->\n\n- a\n\n## D\n\n"
         "<!-- section: P -->\n\n- a\n", "is over already"),
    ],
)  # fmt: skip
def test_what_gives_no_deck_is_one_clear_line(text: str, said: str) -> None:
    with pytest.raises(PlanError, match=said):
        markdown_slides("# P2\n\n- x\n\n" * ("over" in said) + text, HERE)


def test_what_is_no_text_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "talk.md").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "talk.md", tmp_path / "nowhere.md", tmp_path):
        with pytest.raises(PlanError, match="cannot be read"):
            read_markdown_slides(path)


_LINES = """# A|## B|### C|---|- a|  - b|1. x|2. y|> q|words|**b** c|```chart bar|```|a,1|<!--|-->
<!-- notes: n -->|<!-- layout: cards -->|<!-- section: s -->|:::|::: column|Note: n|![i](i.png)|"""
_MIXED = [*_LINES.replace("\n", "|").split("|"), "|a|b|", "|-|-|", "|1|2|"]


@examples(50)
@given(st.lists(st.sampled_from(_MIXED), max_size=14))
def test_any_mixture_gives_slides_or_one_clear_line(lines: list[str]) -> None:
    try:
        read = markdown_slides("\n".join(lines), HERE)
    except PlanError as error:
        assert str(HERE) in str(error)
        return
    assert isinstance(read, MarkdownSlides) and len(read.lines) == len(read.plan.slides)


@pytest.mark.parametrize(
    ("items", "numbers", "points"),
    [
        ("- **61**: millions\n- **2**: cranes", [("61", "millions"), ("2", "cranes")], []),
        ("- **61**: millions\n- **2**", [], ["61: millions", "2"]),
        ("- **61**\n- **2**", [], ["61", "2"]),
    ],
)
def test_large_numbers_of_which_one_has_no_words_stay_a_list(
    items: str, numbers: list[tuple[str, str]], points: list[str]
) -> None:
    made = one(f"<!-- layout: big-numbers -->\n\n{items}\n")
    assert [(number.value, number.label) for number in made.numbers] == numbers
    assert [point.text for point in made.body] == points
    assert made.layout == ("big_numbers" if numbers else "body")


def test_code_stands_on_the_slide_with_its_points_beside_it() -> None:
    made = one("```python title=x\ndef a():\n\treturn 1\n```\n\n- runs\n")
    assert made.layout == "code" and made.code is not None
    assert made.code.lines == ("def a():", "    return 1") and made.code.language == "python"
    assert [point.text for point in made.body] == ["runs"]


def test_a_theme_of_another_program_is_told_and_the_rest_goes_on() -> None:
    read = markdown_slides("---\nmarp: true\ntheme: gaia\n---\n\n# A\n\n- b\n", HERE)
    assert read.theme == "" and any("no theme 'gaia'" in line for line in read.told)


def test_pandoc_title_block_simple_table_and_formula() -> None:
    text = (
        "% Vineyards\n% A. Ruiz; B. Keller\n% May 2026\n\n# Part\n\n## Yields\n\n"
        "Plot   Yield (t)\n----- ----------\nA            4.1\nB|b          3.6\n\n"
        ": Yields of 2025\n\n## Model\n\n- $W^2$ of H~2~O, R^2^ and $5 or $6\n\n"
        "---\n\n## Last\n\n- [x] done\n- [ ] open\n"
    )
    made = slides(text)
    assert [slide.title for slide in made] == ["Vineyards", "Part", "Yields", "Model", "Last"]
    assert made[0].byline == "A. Ruiz, B. Keller · May 2026" and made[1].layout == "section"
    assert made[2].table is not None
    assert made[2].table.header == ("Plot", "Yield (t)") and made[2].subtitle == "Yields of 2025"
    assert made[2].table.rows == (("A", "4.1"), ("B|b", "3.6"))
    assert made[3].body[0].text == "W² of H₂O, R² and $5 or $6"
    assert [(point.mark, point.text) for point in made[4].body] == [("☑", "done"), ("☐", "open")]


def test_footnotes_are_sources_of_their_slides() -> None:
    text = "## N\n\n- a[^x] and b^[said]\n\n[^x]: Ruiz 2026,\n    page 3\n"
    made = slides(text)[0]
    assert made.body[0].text == "a¹ and b²"
    assert made.source == "¹ Ruiz 2026, page 3 · ² said"


def test_headings_between_breaks_part_slides_unless_the_program_says_otherwise() -> None:
    text = "# A\n\n- a\n\n# B\n\n- b\n\n---\n\n# C\n\n- c\n"
    assert [slide.title for slide in slides(text)] == ["A", "B", "C"]
    assert [slide.title for slide in slides(f"---\nmarp: true\n---\n\n{text}")] == ["A", "C"]
    divided = f"---\nmarp: true\nheadingDivider: 1\n---\n\n{text}"
    assert [slide.title for slide in slides(divided)] == ["A", "B", "C"]


def test_a_picture_behind_a_slide_leaves_it_its_heading_and_steps(tmp_path: Path) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "p.png")
    text = "{}\n\n## Costs\n\n1. a\n2. b\n"
    for picture in ("![bg right:40%](p.png)", "<!-- backgroundImage: url(p.png) -->"):
        (made,) = slides(text.format(picture), tmp_path / "talk.md")
        assert (made.title, made.layout) == ("Costs", "picture_right")
        assert [point.text for point in made.body] == ["a", "b"]


def test_two_columns_of_slidev_have_their_headings() -> None:
    text = (
        "---\nlayout: two-cols\n---\n\n# L\n\n- a\n\n::right::\n\n# R\n\n- b\n\n---\n\n# C\n\n- c\n"
    )
    made = slides(f"# A\n\nwords\n\n{text}")[1]
    assert made.title == "L" and [column.heading for column in made.columns] == [None, "R"]


def marks(text: str) -> list[tuple[str, str]]:
    """The spans of a text: their words, and the first of their marks."""
    return [
        (span.text, next((mark for mark in MARKS if getattr(span, mark)), span.link))
        for span in spans_of(text)
    ]


def test_marks_stay_in_titles_points_cells_quotes_and_settings() -> None:
    text = (
        "---\ntitle: Soil and *carbon*\n---\n\n# A **b**\n\n- c `d` [e](https://a.example)\n\n---\n\n"
        "# T\n\n| x | y |\n|---|:-:|\n| **1** | 2 |\n\n---\n\n# Q\n\n> so *said*\n>\n> -- *R*\n"
    )
    opening, first, second, third = slides(text)
    assert marks(opening.title) == [("Soil and ", ""), ("carbon", "italic")]
    assert marks(first.title) == [("A ", ""), ("b", "bold")]
    assert marks(first.body[0].text) == [
        ("c ", ""), ("d", "code"), (" ", ""), ("e", "https://a.example"),
    ]  # fmt: skip
    assert second.table is not None and second.table.align == ("", "center")
    assert marks(second.table.rows[0][0]) == [("1", "bold")]
    assert third.quote is not None and third.quote.by is not None
    assert (marks(third.quote.text)[1], marks(third.quote.by)) == (
        ("said", "italic"), [("R", "italic")],
    )  # fmt: skip


def test_a_plan_with_marks_reads_back_with_them(tmp_path: Path) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "quay.png")
    text = (
        "# *A*\n\nwords\n\n---\n\n# B\n\nlead **x**\n\n$$a^2$$\n\n"
        "- p `q`\n    1. r\n- [x] s\n\n---\n\n"
        "# C\n\n<!-- subtitle: of *D* -->\n\n| $x$ | y |\n|--:|---|\n| `a|b` | ~~c~~ |\n\n---\n\n"
        "# P\n\n![z w:50%](quay.png)\n\n---\n\n# F\n\n```mermaid\ngraph LR\na-->b\n```\n"
    )
    plan = markdown_slides(text, tmp_path / "talk.md").plan
    written = plan_markdown(plan, tmp_path / "talk.md")
    assert written is not None
    assert markdown_slides(written, tmp_path / "talk.md").plan.model_dump() == plan.model_dump()


def test_what_stands_side_by_side_in_each_dialect_is_columns() -> None:
    boxes = '<div class="columns">\n<div>\n\n- a\n\n</div>\n<div>\n\n- b\n\n</div>\n</div>\n'
    grid = '<div grid="~ cols-2 gap-4">\n<div>\n\n- a\n\n</div><div>\n\n- b\n\n</div>\n</div>\n'
    pandoc = ":::: {.columns}\n::: {.column width=40%}\n- a\n:::\n::: column\n- b\n:::\n::::\n"
    slidev = "::left::\n\n- a\n\n::right::\n\n- b\n"
    for text in (boxes, grid, pandoc, slidev):
        made = one(text)
        assert made.layout == "two_columns", text
        assert [[point.text for point in column.points] for column in made.columns] == [
            ["a"],
            ["b"],
        ]
    assert one(f"Both cost.\n\n{slidev}").subtitle == "Both cost."


def test_code_stands_beside_the_column_of_words() -> None:
    made = one("Words:\n\n- a\n\n::right::\n\n```js\nlet a = 1\n```\n")
    assert made.layout == "code" and [point.text for point in made.body] == ["Words:", "a"]
    assert [point.mark for point in made.body] == ["", "•"]


def test_sizes_of_pictures_in_each_dialect(tmp_path: Path) -> None:
    Image.new("RGB", (8, 6)).save(tmp_path / "quay.png")
    sizes = {"![q w:320px](quay.png)": 0.25, "![q](quay.png){width=50%}": 0.5,
             "![w:640 blur:2px](quay.png)": 0.5, "![q](quay.png)": None}  # fmt: skip
    for text, width in sizes.items():
        made = slides(f"## N\n\n{text}\n", tmp_path / "talk.md")[0]
        assert made.picture is not None
        assert (made.picture.width, made.picture.alt) == (width, "q" if "q" in text[:4] else "quay")


def test_headings_of_slidev_that_are_quotes_or_numbers_are_statements() -> None:
    text = (
        "# A\n\nwords\n\n---\nlayout: fact\n---\n\n# 92 %\nat the *edge*\n\n"
        "---\nlayout: section\n---\n\n# B\n"
    )
    made = slides(text)
    assert (made[1].layout, made[1].title, made[1].body[0].text) == (
        "statement", "92 %", "at the edge",
    )  # fmt: skip


def test_definitions_and_lettered_lists_of_pandoc() -> None:
    terms = one("Silt\n:   Fine *soil*\n\nClay\n\n:   Finer\n")
    assert [point.text for point in terms.body] == ["Silt: Fine soil", "Clay: Finer"]
    made = one("1. First\n    a. one\n    b. two\n2. Second\n")
    assert [(point.mark, point.level) for point in made.body] == [
        ("1.", 0), ("1.", 1), ("2.", 1), ("2.", 0),
    ]  # fmt: skip


def test_settings_without_a_use_are_told_once() -> None:
    text = (
        "---\nmarp: true\npaginate: true\nclass: lead\nstyle: |\n  a { b }\n---\n\n"
        "# A\n\n- a\n\n<style>h1 {}</style>\n"
    )
    told = markdown_slides(text, HERE).told
    assert told == (
        "talk.md, line 3: not used: paginate, class, style", "talk.md, line 13: not used: style",
    )  # fmt: skip


def test_words_and_pictures_of_html_stand_on_the_slide(tmp_path: Path) -> None:
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"></svg>'
    (tmp_path / "crane.svg").write_text(drawing)
    text = (
        '## N\n\n<v-click>\n\n- a\n\n</v-click>\n\n<div class="m-4">\n  Ships &amp; cranes '
        '<carbon:arrow-right />\n</div>\n\n<img class="w-40" src="crane.svg" alt="A crane">\n'
    )
    read = markdown_slides(text, tmp_path / "talk.md")
    (made,) = read.plan.slides
    assert [point.text for point in made.body] == ["a", "Ships & cranes"]
    assert made.picture is not None and made.picture.alt == "A crane"
    assert picture_size(made.picture.path) == (400, 300)
    assert read.told == ()


def test_nested_settings_of_a_slide_are_no_heading() -> None:
    read = markdown_slides(
        "# A\n\n- a\n\n---\nfoo: bar\ndrag:\n  square: 1,2\n---\n\n# B\n\n- b\n", HERE
    )
    assert [made.title for made in read.plan.slides] == ["A", "B"]
    read = markdown_slides("---\n# a remark: of YAML\ntitle: T\n---\n\n## N\n\n- a\n", HERE)
    assert read.told == ()


def test_the_last_step_of_code_that_moves_is_shown() -> None:
    text = "## N\n\n````md magic-move\n```ts {1|2}\nlet a\n```\n\n```ts\nlet b\n```\n````\n"
    read = markdown_slides(text, HERE)
    (made,) = read.plan.slides
    assert made.code is not None and (made.code.lines, made.code.language) == (("let b",), "ts")
    assert any("of 2 steps of code the last is shown" in line for line in read.told)


def test_a_quote_below_points_stays_on_their_slide() -> None:
    made = one("- a\n- b\n\n> Said *so*\n>\n> — Ada\n")
    assert [point.text for point in made.body] == ["a", "b", "Said so — Ada"]
    assert made.body[2].mark == "" and one("> Alone\n").quote is not None


def test_long_numbered_lists_stay_lists() -> None:
    steps, points = (
        one("".join(f"{at}. item {at}\n" for at in range(1, last))) for last in (5, 12)
    )
    assert steps.layout == "process" and points.layout == "body"
    assert [point.mark for point in points.body][-1] == "11."
