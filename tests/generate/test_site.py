"""The site of the documentation."""

import json
from pathlib import Path

import numpy as np
import pytest
from generate.site.__main__ import main, navigation
from generate.site.links import link_faults
from generate.site.metric_pages import IMAGES
from PIL import Image

from decklab.metrics.aesthetics.harmony import harmony


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("zensical")
    out = tmp_path_factory.mktemp("site")
    assert main(["--out", str(out)]) == 0
    return out / "site"


@pytest.mark.long
def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    assert len(list(site.rglob("*.html"))) > 60
    assert list(link_faults(site)) == []


@pytest.mark.long
def test_every_page_has_its_place_in_the_navigation(site: Path) -> None:
    folder = site.parent / "pages"
    listed = json.dumps(navigation(folder))
    for page in folder.rglob("*.md"):
        assert f'"{page.relative_to(folder)}"' in listed


@pytest.mark.long
def test_the_reference_shows_docstrings(site: Path) -> None:
    assert "Score every deck that" in (site / "reference" / "index.html").read_text()


def test_links_that_lead_nowhere_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html">b</a><a href="#here">here</a><a href="#top" id="top">top</a>'
        '<script src="https://example.org/x.js"></script><img src="gone.png">'
    )
    assert list(link_faults(tmp_path)) == [
        "a.html links to #here: there is no such place on that page",
        "a.html links to b.html, which is not there",
        "a.html links to gone.png, which is not there",
        "a.html loads https://example.org/x.js",
    ]


def test_the_pictures_of_harmony_differ_in_it() -> None:
    """The strips are what was scored: the clashing one lies far from every template."""
    found = [
        harmony(np.asarray(Image.open(IMAGES / f"harmony.score-{kind}.webp").convert("RGB")))
        for kind in ("more", "less")
    ]
    assert found[0].distance_deg < 1
    assert found[1].distance_deg > 5
