"""The starter set: what its tasks hold, and that its rubrics tell attempts apart."""

import ast
import json
from collections import Counter
from pathlib import Path

import pytest
from tests.drawing import SharedOffice

from decklab.evals.ppteval.meta import (
    GradedAttempt,
    agreement,
    find_attempts,
    grade_attempts,
    times,
)
from decklab.evals.ppteval.tasks import (
    ATTEMPTS,
    CATEGORIES,
    FILES,
    LEVELS,
    EditingTask,
    edit,
    make_attempts,
    starter_tasks,
    write_starter,
)
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import GradeOptions, grade_compared
from decklab.evals.rubrics.graded import load_tasks
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.evals.rubrics.running import LeafRoom
from decklab.rendering.renderer import Cache, Renderer
from decklab.sandbox.sandbox import Sandbox

TASKS = {task.name: task for task in starter_tasks()}


GRADED = ("bold-bullets", "calm-background", "crews-slide", "section-transitions", "sorted-table")
"""Of every difficulty and deck; ``decklab bench ppteval-meta`` grades all 29 tasks."""


@pytest.fixture(scope="module")
def graded(
    caged: None, office: SharedOffice, cache: Cache, tmp_path_factory: pytest.TempPathFactory
) -> list[GradedAttempt]:
    """All attempts at some tasks, graded; slides are drawn."""
    folder = tmp_path_factory.mktemp("attempts")
    registry = write_starter(folder)
    for task, level, deck in make_attempts(map(TASKS.__getitem__, GRADED), folder / FILES, LEVELS):
        path = folder / ATTEMPTS / task.name / f"{level}.pptx"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(deck)
    names = load_tasks(registry)
    decks = {task.name: folder / task.file_path for task in names}
    tasks = [EditingTask(one.name, one.goal, decks[one.name], one.rubric) for one in names]
    chosen = [task for task in tasks if task.name in GRADED]
    return grade_attempts(find_attempts(chosen, folder), renderer=Renderer(office, cache))


def test_the_tasks_are_of_every_difficulty_over_all_structures() -> None:
    assert Counter(task.difficulty for task in TASKS.values()) == {
        "Easy": 13, "Medium": 8, "Hard": 8,
    }  # fmt: skip
    named = Counter(category for task in TASKS.values() for category in task.categories)
    assert set(named) == set(CATEGORIES) - {"other"}
    assert min(named.values()) >= 2


@pytest.mark.parametrize("name", TASKS)
def test_rubrics_have_both_kinds_of_leaves_and_ask_no_model(name: str) -> None:
    rubric = parse_rubric(dict(TASKS[name].rubric))
    done, kept = rubric.root.children
    assert (done.is_critical, kept.is_critical) == (True, False)
    assert len(done.children) >= 1 and len(kept.children) >= 2
    for _, leaf in rubric.leaves():
        tree = ast.parse(leaf.scorer.code)
        called = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert not called & {"llm_call", "vlm_call"}


def test_the_set_is_written_in_the_published_format_byte_for_byte_the_same(
    starter: Path, tmp_path: Path
) -> None:
    write_starter(tmp_path)
    names = sorted(path.relative_to(starter) for path in starter.rglob("*") if path.is_file())
    assert len(names) == 29 + 1 + 3
    for name in names:
        assert (tmp_path / name).read_bytes() == (starter / name).read_bytes()
    listed = json.loads((starter / "task_registry" / "tasks.json").read_text())
    assert list(listed) == list(TASKS)
    assert set(listed["crews-slide"]) == {"goal", "rubric_path", "tags", "misc", "file_path"}


@pytest.mark.long
def test_attempts_are_the_same_each_time(caged: None, starter: Path) -> None:
    some = [TASKS["cover-wording"], TASKS["chart-from-table"]]
    one, other = (
        [deck for _, _, deck in make_attempts(some, starter / FILES, ["perfect"])] for _ in range(2)
    )
    assert [deck[:4] for deck in one] == [b"PK\x03\x04"] * 2
    assert _contents(one[0]) == _contents(other[0])


def _contents(deck: bytes) -> dict[str, bytes]:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.long
@pytest.mark.office
def test_no_progress_is_0_and_perfect_is_1_and_some_is_less_than_significant(
    graded: list[GradedAttempt],
) -> None:
    assert len(graded) == len(GRADED) * 4
    scores = {(one.labelled.task.name, one.labelled.level): one.tree.score for one in graded}
    for name in GRADED:
        none, some, significant, perfect = (scores[name, level] for level in LEVELS)
        assert none == 0, name
        assert perfect == 1, name
        assert 0 < some < significant < 1, name


@pytest.mark.long
@pytest.mark.office
def test_the_set_agrees_with_its_levels(graded: list[GradedAttempt]) -> None:
    found = agreement(one.attempt for one in graded)
    assert [row.accuracy for row in found.levels] == [1.0, 1.0, 1.0, 1.0]
    assert found.tau_b >= 0.9
    assert found.not_scored == found.wrong == ()
    spent = times(graded)
    assert spent["total"] > spent["sandbox"] > 0
    assert spent["total"] > spent["pictures"] > 0
    assert spent["model"] == 0


@pytest.mark.long
@pytest.mark.office
def test_no_leaf_fails_whatever_the_attempt(graded: list[GradedAttempt]) -> None:
    leaves = [leaf for one in graded for leaf in one.tree.root.leaves()]
    assert [leaf.not_scored for leaf in leaves if leaf.not_scored is not None] == []
    assert all(leaf.reason for leaf in leaves)


@pytest.mark.long
@pytest.mark.office
def test_damage_beside_the_task_costs(
    caged: None, office: SharedOffice, cache: Cache, starter: Path, tmp_path: Path
) -> None:
    hard = [TASKS[name] for name in ("calm-background", "new-order", "sorted-table")]
    made = make_attempts(hard, starter / FILES, ["collateral"])
    with LeafRoom() as room:
        for task, _, deck in made:
            path = tmp_path / f"{task.name}.pptx"
            path.write_bytes(deck)
            original = starter / FILES / f"{task.deck}.pptx"
            with ComparedDecks(original, path, renderer=Renderer(office, cache)) as decks:
                tree = grade_compared(decks, parse_rubric(dict(task.rubric)), room=room)
            _, kept = tree.root.children
            assert 0 < tree.root.high < 1, task.name
            assert kept.high < 1, task.name
            assert tree.counted and tree.damage.loss > 0, task.name


SPOILT = {
    "sign-up-link": "run._r.rPr.hlinkClick.set('action', 'ppaction://noaction')",
    "jump-links": "found[0].runs[0]._r.rPr.hlinkClick.set('tooltip', 'Do not click')",
    "columns-on-click": """
from pptx.oxml.ns import qn
[*slide.element.iter(qn("p:cond"))][-1].set("delay", "9000")
""",
    "staged-picture": """
from pptx.oxml.ns import qn
[*slide.element.iter(qn("p:cTn"))][-1].set("dur", "9000")
""",
    "chart-from-table": """
axis = next(shape.chart for shape in slide.shapes if shape.has_chart).value_axis
axis.minimum_scale, axis.maximum_scale = 10_000, 20_000
""",
    "sorted-table": "grid.cell(3, 1).text_frame.paragraphs[0].runs[0].font.bold = True",
    "picture-crop": "picture.width = picture.width * 2",
}
"""Program by task that spoils the perfect attempt in a way that the changes allowed do not tell."""


@pytest.mark.long
@pytest.mark.office
@pytest.mark.by_day(2)
@pytest.mark.usefixtures("caged")
@pytest.mark.parametrize("name", SPOILT)
def test_leaves_tell_what_spoils_a_perfect_attempt(
    name: str, office: SharedOffice, cache: Cache, starter: Path, tmp_path: Path
) -> None:
    task, path = TASKS[name], tmp_path / "edited.pptx"
    original = starter / FILES / f"{task.deck}.pptx"
    full = []
    with Sandbox(files={original.name: original}) as sandbox, LeafRoom() as room:
        for more in ("", SPOILT[name]):
            path.write_bytes(edit(sandbox, original.name, f"{task.attempts['perfect']}\n{more}"))
            with ComparedDecks(original, path, renderer=Renderer(office, cache)) as decks:
                options = GradeOptions(damage="off")
                rubric = parse_rubric(dict(task.rubric))
                full.append(grade_compared(decks, rubric, options=options, room=room).score == 1)
    assert full == [True, False]


@pytest.mark.long
@pytest.mark.parametrize("name", ["crews-slide", "return-pipe", "sorted-table"])
def test_leaves_score_0_where_the_whole_deck_is_another(
    name: str, caged: None, starter: Path
) -> None:
    task = TASKS[name]
    with ComparedDecks(
        starter / FILES / f"{task.deck}.pptx", starter / FILES / "bad.pptx"
    ) as decks:
        tree = grade_compared(decks, parse_rubric(dict(task.rubric)))
    assert tree.score == 0
