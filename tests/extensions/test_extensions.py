"""A package of its own adds a metric, a lint rule, a layout, a document reader and a
benchmark."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation

ACME = Path(__file__).parent / "acme"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def decklab(tmp_path: Path) -> Run:
    """decklab in a process that has the package: what an installer makes of its pyproject.toml."""
    project = tomllib.loads((ACME / "pyproject.toml").read_text())["project"]
    info = tmp_path / "site" / "acme_decks-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-decks\nVersion: 1.0\n")
    groups = project["entry-points"]
    (info / "entry_points.txt").write_text(
        "\n".join(f"[{group}]\n{_lines(entries)}" for group, entries in groups.items())
    )
    for name in ("acme_decks.py", "ribbon.html"):
        (info.parent / name).write_text((ACME / name).read_text())

    def run(*words: str | Path, code: str = "") -> subprocess.CompletedProcess[str]:
        if code:
            (info.parent / "acme_decks.py").write_text(code)
        paths = os.pathsep.join([str(info.parent), *sys.path])
        return subprocess.run(
            [sys.executable, "-m", "decklab", *map(str, words)],
            env=os.environ | {"PYTHONPATH": paths}, cwd=tmp_path, text=True, capture_output=True,
            check=False,
        )  # fmt: skip

    return run


def _lines(entries: dict[str, str]) -> str:
    return "\n".join(f"{name} = {value}" for name, value in entries.items())


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    prs = Presentation()
    for title in ("BUY IT NOW, ALL OF YOU", "What we found"):
        prs.slides.add_slide(prs.slide_layouts[5]).shapes.title.text = title
    prs.save(str(tmp_path / "talk.pptx"))
    return tmp_path / "talk.pptx"


@pytest.mark.long
def test_its_rule_finds_and_is_selected_and_explained_like_any_other(
    decklab: Run, deck: Path
) -> None:
    done = decklab("lint", deck, "--rules", "acme.shouting", "--json")
    (found,) = json.loads(done.stdout)["decks"][0]["findings"]
    assert (found["rule"], found["slide"]) == ("acme.shouting", 1)
    assert "sentence case" in decklab("lint", "--explain", "acme.shouting").stdout


@pytest.mark.long
@pytest.mark.office
def test_its_metric_has_a_row_for_each_slide_and_the_mean_for_the_deck(
    decklab: Run, deck: Path, tmp_path: Path
) -> None:
    decklab("score", deck, "--out", tmp_path / "scored")
    (result,) = json.loads((tmp_path / "scored" / "results.json").read_text())["decks"]
    rows = {row["slide"]: row["value"] for row in result["measurements"]
            if row["metric"] == "acme.darkness"}  # fmt: skip
    assert set(rows) == {None, 1, 2}
    assert rows[None] == pytest.approx((rows[1] + rows[2]) / 2)
    assert 0 < rows[2] < rows[1] < 0.2  # black letters on white, more of them on the first


def test_its_reader_reads_a_kind_of_document(decklab: Run, tmp_path: Path) -> None:
    (tmp_path / "soup.recipe").write_text("Leek soup\nCut the leeks\nBoil them for 20 minutes\n")
    done = decklab("read", tmp_path / "soup.recipe", "--json")
    assert "Leek soup" in done.stdout and "Boil them for 20 minutes" in done.stdout


PLAN = """\
# Leek soup

```slide
{"layout": "acme_ribbon", "title": "How to cook it",
 "steps": [{"label": "Cut", "text": "the leeks"}, {"label": "Boil", "text": "for 20 minutes"}]}
```
"""


@pytest.mark.chromium
def test_its_layout_is_a_page_of_a_written_deck(decklab: Run, tmp_path: Path) -> None:
    (tmp_path / "soup.md").write_text(PLAN)
    done = decklab("write", "--slides-from", "soup.md", "--out", "soup.pptx", "--no-score")
    assert done.returncode == 0, done.stderr
    slide = Presentation(str(tmp_path / "soup.pptx")).slides[-1]
    assert slide.slide_layout.name == "Ribbon"
    words = " ".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame)
    assert "Boil" in words and "for 20 minutes" in words


def test_its_benchmark_is_a_command(decklab: Run) -> None:
    assert "acme-tasting" in decklab("bench", "--help").stdout
    assert decklab("bench", "acme-tasting", "--spoons", "5").stdout == "5 spoons\n"


def test_a_package_that_fails_is_named_in_one_line(decklab: Run, deck: Path) -> None:
    done = decklab("lint", deck, code="raise ImportError('no soup today')")
    assert done.returncode != 0 and len(done.stderr.splitlines()) == 1
    assert "acme-decks 1.0" in done.stderr and "no soup today" in done.stderr


def test_a_rule_that_fails_costs_no_other_finding(decklab: Run, deck: Path) -> None:
    code = (ACME / "acme_decks.py").read_text().replace("text.text.isupper()", "1 / 0")
    done = decklab("lint", deck, "--min-severity", "info", "--json", code=code)
    findings = json.loads(done.stdout)["decks"][0]["findings"]
    failed = [found["message"] for found in findings if found["rule"] == "acme.shouting"]
    assert failed == ["The rule failed: division by zero."] * 2
    assert len(findings) > 2


def test_all_that_it_adds_is_listed_and_works(decklab: Run) -> None:
    done = decklab("extensions")
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.splitlines()) == {
        "metric acme.darkness (acme-decks 1.0): works",
        "lint rule acme.shouting (acme-decks 1.0): works",
        "layout acme_ribbon (acme-decks 1.0): works",
        "document reader recipe (acme-decks 1.0): works",
        "benchmark acme-tasting (acme-decks 1.0): works",
    }


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    ("sound", "broken", "line"),
    [
        ("1 - picture.mean() / 255", "picture.mean()", "255, is not from 0 to 1"),
        ("float(1 - picture.mean() / 255)", "'dark'", "no finite number"),
        ("float(1 - picture.mean() / 255)", "picture.nothing", "it failed on a picture of white"),
        ('"acme.darkness", "slide"', '"acme.dark", "slide"', "the metric 'acme.dark'"),
        ("slide.number, text)", "slide.number + 1, text)", "findings on another slide"),
        ("text.text.isupper()", "text.nothing", "it failed on"),
        ('"ribbon.html"', '"nothing.html"', "its template is no file"),
        ('("steps",)', '("soups",)', "a slide's plan has no soups"),
        ('("steps",)', '("cards",)', "does not show all of cards"),
    ],
)  # fmt: skip
def test_what_does_not_conform_is_told(sound: str, broken: str, line: str, decklab: Run) -> None:
    code = (ACME / "acme_decks.py").read_text()
    assert sound in code
    loose = "text.text.isupper()" if "slide.number + 1" not in broken else "text.text"
    done = decklab("extensions", code=code.replace("text.text.isupper()", loose)
                   .replace(sound, broken))  # fmt: skip
    assert line in done.stdout and done.returncode == 1


@pytest.mark.long
def test_without_any_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "decklab", "extensions"], text=True, capture_output=True,
        check=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.stdout == "No other package adds to decklab.\n"
