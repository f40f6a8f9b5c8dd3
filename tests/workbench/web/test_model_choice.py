"""The model is chosen on a page; its key goes to the process that asks it, and nowhere else."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.workbench.web.web_fakes import ended

from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.looking import WorkDone, WorkTask
from decklab.workbench.web.serving import KINDS, make_app
from decklab.workbench.web.workbench import Workbench
from decklab.workbench.web.worker import variables

KEY = "sk-nobody-may-see-this"


@contextmanager
def telling_worker() -> Iterator[Callable[[WorkTask], WorkDone]]:
    """Edits say which variables and earlier requests they were given."""

    def do(task: WorkTask) -> WorkDone:
        if task.kind != "edit":
            return WorkDone()
        task.out.write_bytes(task.file.read_bytes() + b"!")
        kinds = ("undone", "put_back", "warnings", "left_out", "readings", "slides")
        said = [f"{name} {len(value)}" for name, value in task.environment.items()]
        lists: dict[str, list[str]] = {kind: [] for kind in kinds}
        earlier = list(task.asked.get("earlier", ()))
        return WorkDone({"outcome": "done", "sentences": said, "earlier": earlier, **lists})

    yield do


@pytest.fixture
def jobs(library: Library) -> Iterator[Jobs]:
    with Jobs(library, KINDS, processes=1, seconds=20, work=telling_worker) as made:
        yield made


@pytest.fixture
def client(jobs: Jobs) -> TestClient:
    return TestClient(make_app(Workbench(jobs.library, jobs)), raise_server_exceptions=False)


def test_a_key_is_in_no_page_and_in_no_row_and_in_the_process_that_asks(
    client: TestClient, jobs: Jobs, add: Callable[..., str], tmp_path: Path
) -> None:
    deck = add()
    given = {"name": "openai-api/our.own/qwen", "key": KEY, "address": "http://127.0.0.1:9/v1"}
    page = client.post("/model", data=given).text
    assert "openai-api/our.own/qwen" in page and "http://127.0.0.1:9/v1" in page
    place = f"/api/decks/{deck}/versions/1/edit"
    client.post(place, json={"instruction": "bigger", "model": "true"})
    row = ended(jobs, jobs.of_deck(deck, "edit")[0].id)
    assert row.result is not None
    assert sorted(row.result["sentences"]) == [f"OUR_OWN_API_KEY {len(KEY)}", "OUR_OWN_BASE_URL 21"]
    client.post(place, json={"instruction": "more", "model": "true", "follow": "true"})
    row = ended(jobs, jobs.of_deck(deck, "edit")[1].id)
    assert row.result is not None and row.result["earlier"][0].startswith(
        "“bigger” (done): OUR_OWN"
    )
    client.post(place, json={"instruction": "by commands", "model": "", "follow": "true"})
    assert ended(jobs, jobs.of_deck(deck, "edit")[2].id).result["sentences"] == []
    shown = [client.get(one).text for one in ("/model", f"/decks/{deck}", f"/api/decks/{deck}")]
    assert KEY not in "".join(shown)
    assert all(KEY.encode() not in path.read_bytes() for path in tmp_path.rglob("*.sqlite*"))
    client.post("/model", data={**given, "key": ""})  # the key of the same service stays
    assert jobs.environment["OUR_OWN_API_KEY"] == KEY
    client.post("/model", data={"name": ""})
    assert jobs.environment == {}
    refused = client.post(place, json={"instruction": "again", "model": "true"})
    assert refused.status_code == 400


def test_a_key_does_not_go_to_another_service(client: TestClient, jobs: Jobs) -> None:
    client.post("/model", data={"name": "openai/gpt-5", "key": KEY})
    assert jobs.environment == {"OPENAI_API_KEY": KEY}
    assert "api.openai.com" in client.get("/model").text
    client.post("/model", data={"name": "mistral/large"})
    assert jobs.environment == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "gpt"},
        {"name": "a/b c"},
        {"name": "a/b\nPATH=x"},
        {"name": "a/b", "key": "two words"},
        {"name": "a/b", "address": "file:///etc/passwd"},
        {"name": "<script>/x"},
    ],
)
def test_what_is_no_model_is_refused(client: TestClient, wrong: dict[str, str]) -> None:
    assert client.post("/model", data=wrong).status_code == 400


def test_variables_are_there_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECKLAB_ONE", "before")
    with variables({"DECKLAB_ONE": "now", "DECKLAB_TWO": "too"}):
        assert (os.environ["DECKLAB_ONE"], os.environ["DECKLAB_TWO"]) == ("now", "too")
    assert os.environ["DECKLAB_ONE"] == "before"
    assert "DECKLAB_TWO" not in os.environ
