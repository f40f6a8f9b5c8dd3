"""A deck from Markdown as python-pptx, a browser's HTML and LibreOffice see it."""

import re
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest
from lxml import etree, html
from PIL import Image
from pptx import Presentation

from decklab.deck.deck import open_deck
from decklab.ooxml.validity.validating import validate_deck
from decklab.ooxml.xml import qn
from decklab.writer.request import WriteOptions
from decklab.writer.write import write_deck

pytestmark = pytest.mark.chromium

TALK = r"""---
marp: true
---

# Queues

### What *eleven* outages taught

---

## Why they fill

- Arrivals are **bursty**, *not* `even`, ~~calm~~
- See [the book](https://a.example/book)
- Little's law is $L = \lambda W$

1. First

---

## The wait

The mean is

$$
W = \frac{\rho}{\mu(1-\rho)}
$$

---

## Limit

```python
def take(n: int) -> bool:
    return n >= 1  # else shed

```

---

## Path

```mermaid
graph LR
  A[Client] --> B{Room?}
  B -->|yes| C[Queue]
  B -->|no| D[Refused]
```

---

## Steps

1. Measure
    1. often
    2. *well*
2. Limit

- [x] done
- [ ] open

![w:320](quay.png)
"""


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("native")
    Image.new("RGB", (80, 60), "teal").save(folder / "quay.png")
    (folder / "talk.md").write_text(TALK, encoding="utf-8")
    options = WriteOptions(slides_from=str(folder / "talk.md"), formats=("pptx", "html"))
    write_deck([], folder / "talk.pptx", options=options)
    return folder / "talk.pptx"


@pytest.fixture(scope="module")
def slides(deck: Path) -> list[Any]:
    return list(Presentation(str(deck)).slides)


def runs(slide: Any) -> dict[str, Any]:
    """The runs of a slide by their words, those in equations' alternatives once."""
    root = etree.fromstring(etree.tostring(slide._element))
    for other in list(root.iter(qn("mc:Fallback"))):
        other.getparent().remove(other)
    return {run.findtext(qn("a:t")) or "": run.find(qn("a:rPr")) for run in root.iter(qn("a:r"))}


def test_emphasis_is_that_of_runs(slides: list[Any]) -> None:
    seen = runs(slides[1])
    assert seen["bursty"].get("b") == "1" and seen["not"].get("i") == "1"
    assert seen["calm"].get("strike") == "sngStrike"
    assert "Mono" in seen["even"].find(qn("a:latin")).get("typeface")
    assert seen["Arrivals are "].get("b") != "1"


def test_links_are_where_they_were_written(slides: list[Any]) -> None:
    link = runs(slides[1])["the book"].find(qn("a:hlinkClick"))
    assert slides[1].part.rels[link.get(qn("r:id"))].target_ref == "https://a.example/book"
    assert not slides[1].has_notes_slide


def test_formulas_are_equations_with_something_for_other_programs(slides: list[Any]) -> None:
    (choice,) = slides[1]._element.iter(qn("mc:Choice"))
    (math,) = choice.iter(qn("m:oMath"))
    assert [text.text for text in math.iter(qn("m:t"))] == ["L", "=", "λ", "W"]
    fallback = choice.getnext()
    assert fallback.find(f".//{qn('m:oMath')}") is None
    assert "L = λW" in "".join(text.text or "" for text in fallback.iter(qn("a:t")))
    (shown,) = slides[2]._element.iter(qn("m:oMathPara"))
    fraction = shown.find(f".//{qn('m:f')}")
    assert "".join(text.text for text in fraction.find(qn("m:num")).iter(qn("m:t"))) == "ρ"
    assert slides[2]._element.find(f".//{qn('mc:Fallback')}//{qn('p:pic')}") is not None


def test_words_of_code_have_colours_of_the_theme(slides: list[Any]) -> None:
    seen = runs(slides[3])
    keyword, comment = (
        seen[word].find(f".//{qn('a:schemeClr')}") for word in ("def", "# else shed")
    )
    assert keyword.get("val") == "accent1" != comment.get("val")
    text = next(
        shape.text_frame.text for shape in slides[3].shapes if "def" in shape.text_frame.text
    )
    assert text.split("\v") == ["def take(n: int) -> bool:", "    return n >= 1  # else shed"]


def test_a_flowchart_is_of_shapes_and_glued_connectors(slides: list[Any]) -> None:
    root = slides[4]._element
    named = {
        shape.shape_id: shape.text_frame.text for shape in slides[4].shapes if shape.has_text_frame
    }
    ends = {
        tuple(named[int(end.get("id"))] for end in line.iter(qn("a:stCxn"), qn("a:endCxn")))
        for line in root.iter(qn("p:cxnSp"))
    }
    assert ends == {("Client", "Room?"), ("Room?", "Queue"), ("Room?", "Refused")}
    assert {geometry.get("prst") for geometry in root.iter(qn("a:prstGeom"))} >= {"diamond"}
    assert {"yes", "no"} <= set(named.values())


def test_numbers_count_within_their_list(slides: list[Any]) -> None:
    marks = [
        (paragraph.findtext(f"{qn('a:r')}/{qn('a:t')}"), paragraph.find(qn("a:pPr")))
        for paragraph in slides[5]._element.iter(qn("a:p"))
    ]
    numbers = {
        words: (int(look.get("lvl")), look.find(qn("a:buAutoNum")).get("startAt"))
        for words, look in marks if look is not None and look.find(qn("a:buAutoNum")) is not None
    }  # fmt: skip
    assert numbers == {"Measure": (0, "1"), "often": (1, "1"), "well": (1, "1"), "Limit": (0, "1")}
    boxes = {words: look.find(qn("a:buChar")) for words, look in marks if look is not None}
    assert (boxes["done"].get("char"), boxes["open"].get("char")) == ("☑", "☐")


def test_a_picture_has_the_width_that_is_written(slides: list[Any]) -> None:
    (picture,) = (shape for slide in slides for shape in slide.shapes if shape.shape_type == 13)
    page = slides[5].part.package.presentation_part.presentation.slide_width
    assert picture.width / page == pytest.approx(320 / 1280, rel=0.01)


def letters(text: str) -> str:
    return "".join(sorted(re.findall(r"\w", normalize("NFKC", text))))


def test_all_forms_say_the_same(deck: Path, slides: list[Any]) -> None:
    page: Any = html.fromstring(deck.with_suffix(".html").read_text(encoding="utf-8"))
    sections = page.xpath("//section")
    for section in sections:
        for silent in section.xpath(".//aside|.//svg"):
            silent.drop_tree()
    with open_deck(deck) as read:
        ours = [" ".join(text.text for text in slide.texts) for slide in read.slides]
    for section, words in zip(sections, ours, strict=True):
        assert letters(section.text_content()) == letters(words)


def test_the_file_is_sound(deck: Path) -> None:
    assert [str(problem) for problem in validate_deck(deck)] == []
