"""What a process is told to look at for a case of a run; nothing is drawn here."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.workbench.web.evaluate_runs import arena_case, arena_results, write_deck, write_json
from tests.workbench.web.web_fakes import fake_worker

from decklab.workbench.web.database import JobRow
from decklab.workbench.web.evaluate_details import evaluate_jobs
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library, NotThere


@pytest.fixture
def idle(library: Library) -> Iterator[Jobs]:
    with Jobs(library, {}, processes=1, work=fake_worker) as jobs:
        jobs.close()
        yield jobs


def test_the_decks_of_a_case_are_looked_at_and_a_case_without_any_is_refused(
    idle: Jobs, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    names = ("original", "prediction", "ground_truth")
    decks = {name: write_deck(results / f"{name}.pptx", name) for name in names}
    cases = [arena_case("One", 2.0, **{name: str(deck) for name, deck in decks.items()}),
             arena_case("Two", 5.0)]  # fmt: skip
    write_json(results / "results.json", arena_results({"ours": cases}))
    index = RunIndex([results])
    [run] = index.runs()
    [(name, kind)] = evaluate_jobs(index).items()
    one, two = (
        JobRow(id=f"{number}" * 32, kind=name, asked={"run": run.id, "case": case.id})
        for number, case in enumerate(run.cases)
    )
    task = kind.prepare(idle, one)
    seen = [Path(path) for path, _folder, _digest in task.asked["decks"]]
    assert seen == [decks[name] for name in names]
    assert task.file == decks["original"]
    digests = [digest for _path, _folder, digest in task.asked["decks"]]
    assert digests == [hashlib.sha256(path.read_bytes()).hexdigest() for path in seen]
    with pytest.raises(NotThere, match="the case has no deck"):
        kind.prepare(idle, two)
