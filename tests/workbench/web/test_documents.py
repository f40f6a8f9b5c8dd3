"""Documents of the library: added, read, found, removed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import ended

from decklab.core.errors import DecklabError
from decklab.documents.model import DOCUMENT_SUFFIXES
from decklab.documents.reading import read_document
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import (
    DECK_SUFFIXES,
    Library,
    UploadRefused,
    add_document,
    document_file,
    remove_document,
)
from decklab.workbench.web.serving import KINDS, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import worker

TEXT = "# Harbour plan\n\nTwo *cranes* & one `<quay>`.\n"


@pytest.fixture
def reading(library: Library) -> Iterator[Jobs]:
    with Jobs(library, KINDS, processes=1, seconds=20, work=worker) as jobs:
        yield jobs


@pytest.mark.long
def test_documents_are_read_found_and_removed(reading: Jobs, library: Library) -> None:
    client = TestClient(make_app(Workbench(library, reading)), headers={"x-decklab": "1"})
    given: Any = [("files", ("plan.md", TEXT)), ("files", ("bad.pdf", b"no pdf"))]
    assert client.post("/decks", files=given, follow_redirects=False).headers["location"] == "/"
    found = client.get("/api/documents").json()["documents"]
    bad, plan = sorted(found, key=lambda one: one["name"])
    for one in (plan, bad):
        ended(reading, one["waiting"])
    card = client.get(f"/documents/{bad['id']}/card").text
    assert 'class="bad"' in card
    assert str(library.folder) not in card
    read = client.get(f"/api/documents/{plan['id']}").json()
    assert (read["kind"], read["lines"][0], read["failed"]) == ("MD", "Harbour plan", "")
    page = client.get("/", params={"q": "cranes"}).text
    assert "plan.md" in page
    assert "&lt;quay&gt;" in page
    assert "plan.md" not in client.get("/", params={"q": "submarine"}).text
    assert client.delete(f"/api/documents/{bad['id']}").status_code == 204
    assert client.delete(f"/api/documents/{plan['id']}").status_code == 204
    assert client.get(f"/api/documents/{plan['id']}").status_code == 404
    assert client.get("/documents/../x/card").status_code == 404
    assert list((library.folder / "files").iterdir()) == []


def test_a_file_that_two_documents_share_stays_until_both_are_gone(
    library: Library, tmp_path: Path
) -> None:
    rows = []
    for name in ("a.txt", "b.txt"):
        (tmp_path / "upload").write_text("same")
        rows.append(add_document(library, name, tmp_path / "upload"))
    file = document_file(library, rows[0])
    remove_document(library, rows[0].id)
    assert file.read_text() == "same"
    remove_document(library, rows[1].id)
    assert not file.exists()
    with pytest.raises(UploadRefused, match=r"x\.exe: no deck, and no document"):
        add_document(library, "x.exe", tmp_path / "upload")


@pytest.mark.parametrize("suffix", sorted(set(DOCUMENT_SUFFIXES) - set(DECK_SUFFIXES)))
def test_every_kind_that_is_taken_has_a_reader(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"From: a@b.example\nSubject: a\n\na,b\n1,2\n")
    refused = ""
    try:
        read_document(path)
    except DecklabError as error:
        refused = type(error).__name__
    assert refused != "UnsupportedFormat"
