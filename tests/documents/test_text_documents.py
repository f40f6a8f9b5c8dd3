"""Markdown, HTML, plain text, CSV: what a person sees in the file is what is read."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from decklab.documents.reading import read_document
from decklab.errors import UnsupportedFormat


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
    assert figure.size == (40, 30)
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
        ("table", "wide\na\tb", 0),
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


@pytest.mark.parametrize("text", ["<", "</p></p>", "<p" * 2000, "<div>" * 3000 + "x"])
def test_damaged_html_does_no_harm(tmp_path, text):
    document = read_document(written(tmp_path, "a.html", text))
    assert [block.text for block in document.blocks if block.text == "x"] == ["x"] * ("x" in text)


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
