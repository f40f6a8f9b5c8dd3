"""What a process is told to do for a draft; nothing is written here."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.workbench.web.web_fakes import fake_worker

from decklab.workbench.web.database import JobRow
from decklab.workbench.web.drafts import Drafts, DraftSettings, GivenFile
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library, NotThere
from decklab.workbench.web.writing import WRITE_JOBS


@pytest.fixture
def idle(library: Library) -> Iterator[Jobs]:
    with Jobs(library, {}, processes=1, work=fake_worker) as jobs:
        jobs.close()
        yield jobs


def job(kind: str, about: str | None, **asked: object) -> JobRow:
    return JobRow(id=uuid4().hex, kind=kind, about=about, asked=asked, state="queued", created=0.0)


def given(tmp_path: Path, role: str, name: str) -> GivenFile:
    (tmp_path / name).write_text("words")
    return GivenFile(role, name, tmp_path / name)  # type: ignore[arg-type]


def test_a_draft_is_written_from_its_own_documents(idle: Jobs, tmp_path: Path) -> None:
    drafts = Drafts(idle.library)
    other = drafts.add(DraftSettings(), [given(tmp_path, "source", "other.md")])
    files = [given(tmp_path, role, name) for role, name in
             (("source", "a.md"), ("source", "b.md"), ("slides", "talk.md"))]  # fmt: skip
    draft = drafts.add(DraftSettings(), files)
    folder = idle.library.folder / "drafts" / draft.id
    asked = job("draft-outline", draft.id)
    task = WRITE_JOBS["draft-outline"].prepare(idle, asked)
    documents = [folder / "source" / "a.md", folder / "source" / "b.md"]
    assert (task.kind, task.file, task.seen) == ("draft-outline", documents[0], folder / "work")
    assert task.out.suffix == ".pptx"
    assert task.asked["documents"] == list(map(str, documents))
    assert task.asked["start"] == "documents"
    assert task.asked["options"]["slides_from"] == str(folder / "slides" / "talk.md")
    assert task.asked["record"] == str(folder / "records" / asked.id)
    again = WRITE_JOBS["draft-write"].prepare(idle, job("draft-write", draft.id, start="outline"))
    assert again.out.suffix == "" and again.asked["start"] == "outline"
    assert not again.asked["options"].get("slides_from")  # they are in the outline already
    assert str(other.id) not in str(task.asked)


def test_a_draft_that_is_gone_is_not_written(idle: Jobs) -> None:
    for about in ("0" * 32, None):
        with pytest.raises(NotThere):
            WRITE_JOBS["draft-write"].prepare(idle, job("draft-write", about))
