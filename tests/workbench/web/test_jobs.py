"""The queue of work."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psutil
import pytest
from sqlalchemy import update
from tests.workbench.web.web_fakes import ended, fake_worker

from decklab.workbench.web import jobs as jobs_module
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.jobs import Jobs, QueueFull
from decklab.workbench.web.library import Library, NotThere
from decklab.workbench.web.serving import KINDS
from decklab.workbench.web.workbench import Workbench

Add = Callable[..., str]


@pytest.mark.long
def test_an_edit_makes_a_version_and_has_it_looked_at(
    library: Library, jobs: Jobs, add: Add
) -> None:
    deck = add(b"deck")
    job = ended(jobs, jobs.ask("edit", deck, 1, instruction=" and more"))
    assert (job.state, job.result and job.result["version"]) == ("done", 2)
    version = library.version(deck, 2)
    assert library.file(version).read_bytes() == b"deck and more"
    assert (version.parent, version.made_by, version.job) == (1, " and more", job.id)
    (look,) = jobs.of_deck(deck, "look")
    assert ended(jobs, look.id).state == "done"
    facts = library.facts(version)
    assert facts is not None
    assert facts.titles == ("One",)
    assert library.decks("cranes")[0].id == deck


@pytest.mark.long
def test_requests_on_the_current_version_go_on_from_each_other(library: Library, add: Add) -> None:
    deck = add(b"deck")
    with Jobs(library, KINDS, processes=2, seconds=20, work=fake_worker) as jobs:
        bench = Workbench(library, jobs)
        asked = [bench.edit(deck, 1, said, "", False) for said in ("one", "refuse", "two", "three")]
        rows = [ended(jobs, one) for one in asked]
        assert [row.state for row in rows] == ["done", "failed", "done", "done"]
        last = library.version(deck, library.deck(deck).current)
        assert library.file(last).read_bytes() == b"deckonetwothree"
        assert last.parent == 3
        branch = ended(jobs, bench.edit(deck, 1, "aside", "", False))
        assert branch.result is not None
        aside = library.version(deck, branch.result["version"])
        assert (aside.parent, library.file(aside).read_bytes()) == (1, b"deckaside")


@pytest.mark.long
@pytest.mark.parametrize("number", [1, None])
def test_requests_of_the_same_moment_are_all_in_the_current_version(
    library: Library, add: Add, number: int | None
) -> None:
    deck, said = add(b"deck"), ["-one", "-two", "-three", "-four", "-five"]
    with Jobs(library, KINDS, processes=2, seconds=20, work=fake_worker) as jobs:
        bench, start = Workbench(library, jobs), Barrier(len(said))
        holds = bench.edit(deck, 1, "-first", "", False)  # so that version 1 is being left

        def ask(words: str) -> str:
            start.wait()
            return bench.edit(deck, number, words, "", False)

        with ThreadPoolExecutor(len(said)) as people:
            asked = list(people.map(ask, said))
        rows = [ended(jobs, one) for one in (holds, *asked)]
        assert [row.state for row in rows] == ["done"] * 6
        assert not any("fork" in (row.result or {}) for row in rows)
        last = library.file(library.version(deck, library.deck(deck).current)).read_bytes()
        assert sorted(last.decode().split("-")) == sorted(
            ["deck", "first", "one", "two", "three", "four", "five"]
        )
        assert len({row.asked.get("after") for row in rows}) == 6


@pytest.mark.long
def test_a_version_that_leaves_the_current_one_behind_says_so(
    library: Library, jobs: Jobs, add: Add
) -> None:
    deck = add(b"deck")
    bench = Workbench(library, jobs)
    ended(jobs, bench.edit(deck, 1, " on", "", False))
    aside = ended(jobs, bench.edit(deck, 1, " aside", "", False)).result or {}
    assert aside["fork"] == (
        "Version 3 goes on from version 1. Version 2 was the current one: its own changes are not "
        "in it."
    )
    bench.choose(deck, 1)  # whoever undoes it knows
    again = ended(jobs, bench.edit(deck, 1, " again", "", False)).result or {}
    assert (again["version"], "fork" in again) == (4, False)


@pytest.mark.long
def test_work_that_cannot_be_done_says_why_and_changes_nothing(
    library: Library, jobs: Jobs, add: Add
) -> None:
    deck = add()
    refused = ended(jobs, jobs.ask("edit", deck, 1, instruction="refuse"))
    died = ended(jobs, jobs.ask("edit", deck, 1, instruction="die"))
    assert (refused.state, refused.message) == ("failed", "it cannot be done")
    assert (died.state, died.message) == ("failed", "the process died with exit code 7")
    assert len(library.versions([deck])[deck]) == 1
    assert ended(jobs, jobs.ask("edit", deck, 1, instruction="on")).state == "done"


def test_running_work_is_stopped(library: Library, jobs: Jobs, add: Add) -> None:
    deck = add()
    runs = jobs.ask("edit", deck, 1, instruction="sleep")
    waits = jobs.ask("edit", deck, 1, instruction="waits")
    jobs.stop(waits)
    jobs.stop(waits)
    while jobs.job(runs).state == "queued":
        pass
    jobs.stop(runs)
    assert ended(jobs, runs).state == "stopped"
    assert jobs.job(waits).state == "stopped"
    assert len(library.versions([deck])[deck]) == 1


@pytest.mark.long
def test_a_started_server_takes_up_what_ran(library: Library, add: Add) -> None:
    deck = add()
    with Jobs(library, KINDS, processes=1, work=fake_worker) as first:
        ids = [ended(first, first.ask("edit", deck, 1, instruction=str(n))).id for n in range(3)]
    for job, state, tries in zip(ids, ("running", "running", "stopping"), (1, 2, 1), strict=True):
        with library.writing() as session:
            session.execute(update(JobRow).where(JobRow.id == job).values(state=state, tries=tries))
    with Jobs(library, KINDS, processes=1, work=fake_worker) as second:
        done, poison, stopped = (ended(second, job) for job in ids)
    assert (done.state, done.tries) == ("done", 2)
    assert (poison.state, poison.message) == ("failed", "the server ended twice during this work")
    assert stopped.state == "stopped"


def test_closing_puts_running_work_back(library: Library, add: Add) -> None:
    deck = add()
    with Jobs(library, KINDS, processes=1, work=fake_worker) as jobs:
        job = jobs.ask("edit", deck, 1, instruction="sleep")
        while jobs.job(job).state == "queued":
            pass
    assert jobs.job(job).state == "queued"


def test_a_full_queue_refuses(jobs: Jobs, add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "MOST_QUEUED", 1)
    deck = add()
    jobs.ask("edit", deck, 1, instruction="sleep")
    with pytest.raises(QueueFull):
        for _ in range(3):
            jobs.ask("edit", deck, 1, instruction="more")


@pytest.mark.long
def test_a_deck_that_was_removed_meanwhile_ends_its_work(
    library: Library, jobs: Jobs, add: Add
) -> None:
    deck, other = add(b"1"), add(b"2")
    job = jobs.ask("edit", deck, 1, instruction="sleep")
    while jobs.job(job).state == "queued":
        pass
    library.remove(deck)
    with pytest.raises(NotThere):
        jobs.job(job)
    assert ended(jobs, jobs.ask("edit", other, 1, instruction="x")).state == "done"


@pytest.mark.long
def test_work_that_takes_too_much_memory_ends_with_what_it_started(
    library: Library, add: Add
) -> None:
    deck = add()
    with Jobs(library, KINDS, processes=1, megabytes=200, work=fake_worker) as jobs:
        grown = ended(jobs, jobs.ask("edit", deck, 1, instruction="grow"))
        assert (grown.state, grown.message) == ("failed", "it took more than 200 MB of memory")
        assert not [one for one in psutil.process_iter(["cmdline"]) if _grows(one)]
        assert ended(jobs, jobs.ask("edit", deck, 1, instruction="on")).state == "done"


def _grows(process: psutil.Process) -> bool:
    return "x = b'x' * 2**28; input()" in (process.info["cmdline"] or ())


@pytest.mark.long
def test_what_follows_from_work_is_not_bounded(
    library: Library, jobs: Jobs, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = add()
    job = jobs.ask("edit", deck, 1, instruction="on")
    monkeypatch.setattr(jobs_module, "MOST_QUEUED", 0)
    assert ended(jobs, job).state == "done"
    assert [ended(jobs, one.id).state for one in jobs.of_deck(deck, "look")] == ["done"]


@pytest.mark.long
def test_a_result_that_cannot_be_kept_fails_alone(library: Library, jobs: Jobs, add: Add) -> None:
    deck = add()
    broken = ended(jobs, jobs.ask("edit", deck, 1, instruction="surrogate"))
    assert broken.state == "failed"
    assert ended(jobs, jobs.ask("edit", deck, 1, instruction="on")).state == "done"


@pytest.mark.long
def test_scores_of_versions_that_were_edited_on_do_not_wait(
    library: Library, jobs: Jobs, add: Add
) -> None:
    deck = add(b"deck")
    first = jobs.ask("edit", deck, 1, instruction=" two")
    ended(jobs, first)
    holds = jobs.ask("edit", add(), 1, instruction="sleep")
    while jobs.job(holds).state == "queued":
        pass
    jobs.ask("score", deck, 1, follows=True)
    latest = jobs.ask("score", deck, 2, follows=True)
    jobs.withdraw("score", deck, but=2)
    waiting = {one.number: one.state for one in jobs.of_deck(deck, "score")}
    assert waiting[1] == "stopped"
    assert jobs.job(latest).state == "queued"
    jobs.stop(holds)
    assert ended(jobs, latest).state == "done"
    bench = Workbench(library, jobs)
    bench.choose(deck, 1)
    assert library.deck(deck).current == 1


@pytest.mark.long
def test_scores_do_not_fill_the_queue(
    library: Library, jobs: Jobs, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "MOST_QUEUED", 2)
    deck = add()
    holds = jobs.ask("edit", deck, 1, instruction="sleep")
    while jobs.job(holds).state == "queued":
        pass
    for _ in range(5):
        jobs.ask("score", deck, 1, follows=True)
    waits = jobs.ask("edit", add(b"other"), 1, instruction="now")
    jobs.stop(holds)
    assert ended(jobs, waits).state == "done"


@pytest.mark.long
def test_what_waits_long_comes_before_what_came_later(
    library: Library, jobs: Jobs, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    holds = jobs.ask("edit", add(), 1, instruction="sleep")
    while jobs.job(holds).state == "queued":
        pass
    look = jobs.ask("look", add(b"long ago"), 1)
    with library.writing() as session:
        session.execute(update(JobRow).where(JobRow.id == look).values(created=JobRow.created - 60))
    edit = jobs.ask("edit", add(b"now"), 1, instruction="on")
    jobs.stop(holds)
    assert ended(jobs, edit).state == ended(jobs, look).state == "done"
    begun = [jobs.job(one).begun or 0 for one in (look, edit)]
    assert begun == sorted(begun)
