"""Markdown, HTML, plain text, CSV: what a person sees in the file is what is read."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from decklab.core.errors import UnsupportedFormat
from decklab.documents.reading import read_document
from decklab.documents.sections import document_sections


def kinds(document):
    return [(block.kind, block.text, block.level) for block in document.blocks]


def png():
    content = BytesIO()
    Image.new("RGB", (40, 30), "red").save(content, "PNG")
    return content.getvalue()


def written(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


MARKDOWN = """---
author: nobody
---
# Sales *2024*

The first paragraph
runs on.

- one
  - two

1. three

| Region | Sales |
|---|---|
| North | 10 |

Table 1: Sales by region.

```
code()
```

![The plan](plan.png)
![Elsewhere](https://example.org/x.png) ![Above](../x.png) ![Gone](gone.png)
"""


def test_markdown(tmp_path):
    (tmp_path / "plan.png").write_bytes(png())
    document = read_document(written(tmp_path, "sales.md", MARKDOWN))
    assert kinds(document) == [
        ("heading", "Sales 2024", 1),
        ("paragraph", "The first paragraph runs on.", 0),
        ("item", "one", 1),
        ("item", "two", 2),
        ("item", "1. three", 1),
        ("table", "Region\tSales\nNorth\t10", 0),
        ("caption", "Table 1: Sales by region.", 0),
        ("code", "code()", 0),
        ("figure", "", 0),
        ("caption", "The plan", 0),
    ]
    assert document.title == "Sales 2024"
    [table] = document.tables
    assert (table.header_rows, table.label, table.native) == (1, "Table 1", True)
    [figure] = document.figures
    assert figure.size == (40.0, 30.0)
    assert Image.open(BytesIO(figure.draw())).size == (40, 30)
    reasons = [item.reason for item in document.unread]
    assert ["fetched" in reasons[0], "outside" in reasons[1], "not there" in reasons[2]] == [
        True
    ] * 3


HTML = """<!doctype html><html><head><title>Window</title><script>var x = "no";</script></head>
<body><nav>Home</nav><header>Site</header><main><h1>Report</h1><p>First &amp; second<p>Third
<ul><li>one<ul><li>two</ul><li>three</ul>
<table><caption>Table 1: Sales</caption><tr><th>Region<th>Sales<tr><td>North<td>10</table>
<table><tr><td colspan=2>wide</td></tr><tr><td>a</td><td>b</td></tr></table>
<figure><img src="data:image/png;base64,{png}"><figcaption>Figure 2: Red</figcaption></figure>
<div hidden>secret</div><pre>a
 b</pre>loose <b>text</b></main><footer>Imprint</footer></body></html>"""


def test_html(tmp_path):
    text = HTML.replace("{png}", base64.b64encode(png()).decode())
    document = read_document(written(tmp_path, "report.html", text))
    assert kinds(document) == [
        ("heading", "Report", 1),
        ("paragraph", "First & second", 0),
        ("paragraph", "Third", 0),
        ("item", "one", 1),
        ("item", "two", 2),
        ("item", "three", 1),
        ("caption", "Table 1: Sales", 0),
        ("table", "Region\tSales\nNorth\t10", 0),
        ("table", "wide\t\na\tb", 0),
        ("figure", "", 0),
        ("caption", "Figure 2: Red", 0),
        ("code", "a\n b", 0),
        ("paragraph", "loose text", 0),
    ]
    assert [table.native for table in document.tables] == [True, False]
    assert document.tables[1].why_not == "cells are merged"
    assert document.figures[0].label == "Figure 2"


def test_html_without_a_main_part_leaves_out_what_stands_around_it(tmp_path):
    text = "<body><header>Site</header><nav>x</nav><div><p>Word</div><footer>Imprint</footer>"
    assert kinds(read_document(written(tmp_path, "a.htm", text))) == [("paragraph", "Word", 0)]


def test_terms_with_several_paragraphs_are_headings(tmp_path):
    told = "<dd><p>Draws.<p>Erases."
    text = f"<h2>Tools</h2><dl><dt>Pen{told}<dt>Ink{told}<dl><dt>Red<dd>Is red.</dl></dl><p>End"
    assert kinds(read_document(written(tmp_path, "a.html", text)))[1:] == [
        ("heading", "Pen", 3), ("paragraph", "Draws.", 0), ("paragraph", "Erases.", 0),
        ("heading", "Ink", 3), ("paragraph", "Draws.", 0), ("paragraph", "Erases.", 0),
        ("item", "Red: Is red.", 2), ("paragraph", "End", 0),
    ]  # fmt: skip


def test_the_header_of_a_section_is_part_of_the_text(tmp_path):
    text = "<body><header>Site</header><section><header><h1>Whales</h1><p>Sing</header>Loud"
    document = read_document(written(tmp_path, "a.html", text))
    assert kinds(document) == [
        ("heading", "Whales", 1), ("paragraph", "Sing", 0), ("paragraph", "Loud", 0),
    ]  # fmt: skip


LISTS = """<body><ol start=3><li>three<ol type=a><li>deep<li value=28>far</ol><li><p>four</p><p>more
</ol><ol reversed><li>b<li>a</ol><ol type=I><li>x<pre>code</pre></ol><ul><li><ul><li>z</ul></ul>
<dl><dt>Term<dt>Word:<dd><p>What it is.<p>And more.<ul><li>inner</ul><dt>Alone</dl>"""


def test_html_lists_keep_their_numbers_terms_and_depths(tmp_path):
    assert kinds(read_document(written(tmp_path, "a.html", LISTS))) == [
        ("item", "3. three", 1),
        ("item", "a. deep", 2),
        ("item", "ab. far", 2),
        ("item", "4. four", 1),
        ("item", "more", 1),
        ("item", "2. b", 1),
        ("item", "1. a", 1),
        ("item", "I. x", 1),
        ("code", "code", 0),
        ("item", "z", 2),
        ("item", "Term, Word: What it is.", 1),
        ("paragraph", "And more.", 0),
        ("item", "inner", 2),
        ("item", "Alone", 1),
    ]


MERGED = """<table><thead><tr><th rowspan=2>Region<th colspan=2>Sales<tr><th>2023<th>2024</thead>
<tfoot><tr><td>All<td>3<td>7</tfoot><tbody><tr><td>North<td>1<td rowspan=0>5
<tr><td>South<td><p>2</p><p>est.</p></tbody></table>
<table><tr><td><h2>Placed</h2><td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>"""


def test_merged_cells_of_html_keep_their_columns_and_layout_tables_are_no_tables(tmp_path):
    document = read_document(written(tmp_path, "a.html", MERGED))
    merged, inner = document.tables
    assert merged.rows == (
        ("Region", "Sales", ""),
        ("", "2023", "2024"),
        ("North", "1", "5"),
        ("South", "2 est.", ""),
        ("All", "3", "7"),
    )
    assert (merged.header_rows, merged.native) == (2, False)
    assert (inner.rows, inner.header_rows, inner.native) == ((("a", "b"), ("1", "2")), 1, True)
    assert [block.text for block in document.headings] == ["Placed"]


SITE = """<html><head><title>Site</title></head><body class="has-sidebar">
<div class="cookie-banner">We use cookies, agree?</div><div id=sidebar>Deals of the day</div>
<ul><li><a href=a>A</a><li><a href=b>B</a><li><a href=c>C</a><li><a href=d>D</a><li><a href=e>E</a>
</ul><h1>Whales<a class=headerlink href=#x>¶</a></h1><p>Whales sing in the sea, <img src="gone.png"
> and nobody knows why they do so at all.</p><p>They also swim <svg><text>plot</text></svg> far.
<p><a rel=prev href=p>Back</a> <a rel=next href=n>On</a></p><div role=contentinfo>Imprint us</div>
<iframe src=x></iframe></body>"""


def test_what_is_no_text_of_a_web_page_is_left_out_and_told(tmp_path):
    document = read_document(written(tmp_path, "a.html", SITE))
    assert kinds(document) == [
        ("heading", "Whales", 1),
        ("paragraph", "Whales sing in the sea, and nobody knows why they do so at all.", 0),
        ("paragraph", "They also swim far.", 0),
    ]
    assert document.title == "Whales"
    assert [item.reason for item in document.unread] == [
        "the picture gone.png is not there",
        "a drawing inside the page (svg) is not read",
        "a page inside the page (iframe) is not read",
        "left out as no part of the text: a footer (2 words), a notice about cookies (4 words), "
        "navigation (11 words)",
    ]


def test_a_page_of_links_keeps_them(tmp_path):
    links = "".join(f"<li><a href={n}>Chapter {n}</a>" for n in range(9))
    document = read_document(written(tmp_path, "a.html", f"<div class=menu><ul>{links}</ul></div>"))
    assert [block.text for block in document.blocks] == [f"Chapter {n}" for n in range(9)]


def test_html_inside_markdown_is_read(tmp_path):
    (tmp_path / "plan.png").write_bytes(png())
    text = """# Head

<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>

<details><summary>More</summary>

Some **bold** <sub>low</sub> text ![plan](plan.png) goes on.

</details>

<!-- a remark --><p align="center"><img src="plan.png" width="400"></p>
<script>no()</script>
"""
    document = read_document(written(tmp_path, "a.md", text))
    assert kinds(document) == [
        ("heading", "Head", 1),
        ("table", "a\tb\n1\t2", 0),
        ("paragraph", "More", 0),
        ("paragraph", "Some bold low text goes on.", 0),
        ("figure", "", 0),
        ("caption", "plan", 0),
        ("figure", "", 0),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<",
        "</p></p>",
        "<p" * 2000,
        "<div>" * 3000 + "x",
        "<dl>" * 300 + "<dt>x",
        "<table>" * 300 + "<tr><td>x",
        "<ol start=-99999999999 type=i><li value=x></ol>x",
        "<table>" + "<tr><td rowspan=65534 colspan=1000>" * 200 + "</table>x",
    ],
)
def test_damaged_html_does_no_harm(tmp_path, text):
    document = read_document(written(tmp_path, "a.html", text))
    assert [block.text for block in document.blocks if block.text == "x"] == ["x"] * ("x" in text)


def test_what_is_told_of_a_file_has_no_control_characters(tmp_path):
    [told] = read_document(written(tmp_path, "a.html", "<img src='\x1b[2J.png'>")).unread
    assert told.reason == "the picture [2J.png is not there"


def test_quotations_in_quotations_are_read(tmp_path):
    document = read_document(written(tmp_path, "a.md", "> " * 60 + "deep"))
    assert [block.text for block in document.blocks] == ["deep"]


def test_a_text_about_pdf_is_a_text(tmp_path):
    document = read_document(written(tmp_path, "a.md", "A PDF file begins with %PDF-1.7 in it."))
    assert document.kind == "markdown"


def test_csv_with_semicolons_and_a_title_line(tmp_path):
    text = "Sales in 2024;;\nRegion;Sales;Share\nNorth;10;12,5 %\nSouth;12;\n\nnote\n"
    document = read_document(written(tmp_path, "sales.csv", text.encode("cp1252")))
    assert [block.text for block in document.blocks if block.kind == "paragraph"] == [
        "Sales in 2024",
        "note",
    ]
    [table] = document.tables
    assert table.rows == (
        ("Region", "Sales", "Share"),
        ("North", "10", "12,5 %"),
        ("South", "12", ""),
    )
    assert table.header_rows == 1


def test_text_in_windows_and_utf_16_letters(tmp_path):
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        path = written(tmp_path, "a.txt", "Größe – 5 €\n\nnext".encode(encoding))
        assert [block.text for block in read_document(path).blocks] == ["Größe – 5 €", "next"]


def test_what_is_no_document_is_told(tmp_path):
    with pytest.raises(UnsupportedFormat, match=r"a\.xyz: no kind of document"):
        read_document(written(tmp_path, "a.xyz", "text"))


GROUPED = """<table><thead><tr><th rowspan=2>Region<th colspan=2>2023<th colspan=2>2024
<tr><th>Sales<th>Costs<th>Sales<th>Costs</thead><tr><td>North<td>1<td>2<td>3<td>4
<tr><td>South<td>5<td>6<td>7<td>8</table>"""


def test_a_head_of_merged_cells_becomes_one_row(tmp_path):
    [table] = read_document(written(tmp_path, "a.html", GROUPED)).tables
    assert table.rows == (
        ("Region", "2023 / Sales", "2023 / Costs", "2024 / Sales", "2024 / Costs"),
        ("North", "1", "2", "3", "4"),
        ("South", "5", "6", "7", "8"),
    )
    assert (table.header_rows, table.native) == (1, True)


def test_questions_terms_in_tables_and_footnotes(tmp_path):
    html = (
        "<h1>Elm FAQ</h1><p><a href='#a'>Why does elm not print my file on both sides?</a><br>"
        + "".join(
            f"<a href='#{n}'>What is question number {n} of this list?</a><br>" for n in "bcde"
        )
        + "</p><dl><dt>Why?</dt><dd><p>Because it can.</p></dd><dt>How?</dt><dd>By hand.</dd></dl>"
        "<table><tr><td>query</td><td>Shows all the inputs and outputs of a given target.</td></tr>"
        "<tr><td>graph</td><td>Draws the graph of the targets, as in: <pre>elm -g</pre></td></tr>"
        "</table>"
    )
    document = read_document(written(tmp_path, "a.html", html))
    assert kinds(document) == [
        ("heading", "Elm FAQ", 1),
        ("heading", "Why?", 2),
        ("paragraph", "Because it can.", 0),
        ("heading", "How?", 2),
        ("paragraph", "By hand.", 0),
        ("item", "query: Shows all the inputs and outputs of a given target.", 1),
        ("item", "graph: Draws the graph of the targets, as in: elm -g", 1),
    ]
    text = "# Elm\n\nIt runs on Linux[^1].\n\n[^1]: Older kernels may work.\n"
    document = read_document(written(tmp_path, "b.md", text))
    assert [block.text for block in document.blocks][1] == "It runs on Linux."
    assert [section.part for section in document_sections(document)] == ["body", "notice"]


def test_the_kind_of_a_note_is_no_text(tmp_path):
    path = tmp_path / "note.md"
    path.write_text(
        "# Keys\n\n> [!NOTE]\n> This is for planned work only.\n\nA key lasts a year.\n"
    )
    said = " ".join(block.text for block in read_document(path).blocks)
    assert "planned work" in said and "NOTE" not in said


def test_front_matter_without_a_title_names_the_report_and_its_project(tmp_path):
    path = tmp_path / "status.md"
    path.write_text(
        "---\nproject: KESTREL-1\nreport: weekly status 31\n---\n\n### What happened\n\nAll.\n"
    )
    assert read_document(path).title == "KESTREL-1: weekly status 31"
