"""The witness between decklab and a server, and a live run against a scripted server."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest
from bench.live.checks import asked_again, invented, lines_of, miscounted, untyped
from bench.live.inputs import write_inputs
from bench.live.runs import PROVIDER, RUNS, Place, run_live
from bench.live.witness import Witness, witnessed
from tests.editor.scripted import cannot
from tests.openai_server import Answer, OpenAIServer, Script, serving

Watching = Callable[[Script], AbstractContextManager[tuple[OpenAIServer, Witness]]]


@pytest.fixture
def watching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watching:
    """A scripted server behind a witness, where the live runs look for it."""

    @contextmanager
    def between(script: Script) -> Iterator[tuple[OpenAIServer, Witness]]:
        with serving(script) as server, witnessed(server.url, tmp_path / "w.jsonl") as witness:
            monkeypatch.setenv("LIVE_BASE_URL", f"{witness.url}/v1")
            monkeypatch.setenv("LIVE_API_KEY", "none")
            yield server, witness

    return between


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decks")
    write_inputs(folder)
    return folder


@pytest.fixture
def place(decks: Path, tmp_path: Path) -> Place:
    """A model of its own for each test, for Inspect AI remembers models by their names."""
    return Place(f"{PROVIDER}/{tmp_path.name}", decks, tmp_path / "run")


def ask(url: str, **asked: object) -> int:
    body = json.dumps({"model": "m", "messages": [], **asked}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{url}/v1/chat/completions", body)) as got:
        return int(got.status)


def test_what_passes_is_counted_and_bounded(watching: Watching, tmp_path: Path) -> None:
    with watching(["hello"]) as (server, witness):
        ask(witness.url)
        ask(witness.url, max_tokens=5)
        assert [one.status for one in witness.seen] == [200, 200]
    assert [request["max_tokens"] for request in server.requests] == [300, 5]
    assert [(one.input_tokens, one.output_tokens) for one in witness.seen] == [(7, 3), (7, 3)]
    assert len((tmp_path / "w.jsonl").read_text().splitlines()) == 2


def test_what_the_server_refuses_comes_through(watching: Watching) -> None:
    with watching([Answer("no", 401)]) as (_, witness), pytest.raises(HTTPError, match="401"):
        ask(witness.url)
    assert [(one.status, one.input_tokens) for one in witness.seen] == [(401, 0)]


def test_a_server_that_is_gone_is_a_502(tmp_path: Path) -> None:
    with (
        witnessed("http://127.0.0.1:9", tmp_path / "w.jsonl") as witness,
        pytest.raises(HTTPError, match="502"),
    ):
        ask(witness.url)


TASKS = "\n".join(f"[easy] [SLIDE:{n}] Make the title of slide {n} bold" for n in (1, 2, 3))


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("script", "ending", "requests"),
    [
        ([TASKS], "made", 1),
        (["Sure!", TASKS], "made", 2),
        (["I cannot."], "DraftRejected", 4),
        ([Answer("no such key", 401)], "ModelFailed (refused)", 1),
    ],
)
def test_a_run_ends_typed_and_its_record_is_what_passed(
    script: Script, ending: str, requests: int, place: Place, watching: Watching
) -> None:
    with watching(script) as (server, witness):
        result = run_live("propose", RUNS["propose"], place)
        assert [one.how for one in result.endings] == [ending]
        lines = lines_of(place.record)
        assert not [*untyped(result), *invented(result, lines)]
        assert not list(miscounted("propose", lines, witness.seen))
        assert len(server.requests) == len(witness.seen) == requests
        run_live("propose", RUNS["propose"], place)
        again = len(witness.seen) - requests
        assert not list(asked_again("propose", lines, lines_of(place.record), again))
        assert again == (1 if ending.startswith("ModelFailed") else 0)


def test_an_edit_that_the_model_refuses_is_an_outcome(place: Place, watching: Watching) -> None:
    refusal = json.dumps(cannot("there is no slide 40"))
    with watching([refusal]) as (_, witness):
        result = run_live("edit", RUNS["edit, no such slide"], place)
    assert [(one.how, one.detail) for one in result.endings] == [
        ("refused", "there is no slide 40")
    ]
    assert not list(miscounted("edit", lines_of(place.record), witness.seen))


def test_what_is_not_raised_on_purpose_is_untyped(tmp_path: Path) -> None:
    def broken(place: Place) -> list[object]:
        raise KeyError("slide")

    result = run_live("broken", broken, Place("m", tmp_path, tmp_path / "run"))  # type: ignore[arg-type]
    [fault] = untyped(result)
    assert "KeyError" in fault
