from collections import Counter
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.errors import UnknownName
from decklab.evals.pptarena.cases import CATEGORIES, EDIT_TYPES, CaseSet, Decks, load_cases, slug
from decklab.evals.pptarena.checking import self_check
from decklab.evals.pptarena.reference_scores import compare
from decklab.evals.pptarena.running import ATTEMPTS, attempt_path, write_starter
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate


def test_every_writing_gives_the_same_bytes(starter: CaseSet, tmp_path: Path) -> None:
    names = [case.name for case in starter]
    again = write_starter(tmp_path, names)
    folder = starter.path.parent
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert len(files) == 1 + 1 + 2 + 2 * len(ATTEMPTS)
    for file in files:
        assert (folder / file).read_bytes() == (again.parent / file).read_bytes(), file
    assert load_cases(again).version == starter.version


def test_truths_are_what_python_pptx_reads_of_them(starter: CaseSet) -> None:
    crew, links = starter
    title = Presentation(str(crew.ground_truth)).slides[5].shapes.title
    assert title is not None
    run = title.text_frame.paragraphs[0].runs[0]
    assert run.font.bold is True
    assert run.font.size is not None
    assert run.font.size.pt == 44
    body = Presentation(str(links.ground_truth)).slides[6].shapes[1].text_frame
    assert body.paragraphs[2].runs[-1].hyperlink.address.endswith("/volunteer")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> CaseSet:
    return load_cases(write_starter(Path(tmp_path_factory.mktemp("whole"))))


def test_there_are_two_cases_for_each_of_the_sixteen_edit_types(whole: CaseSet) -> None:
    assert len(EDIT_TYPES) == 16
    assert set(EDIT_TYPES.values()) == set(CATEGORIES)
    found = Counter(edit_type for case in whole for edit_type in case.edit_types)
    assert found == dict.fromkeys(EDIT_TYPES, 2)


def test_names_differ_also_as_files(whole: CaseSet) -> None:
    assert len({slug(case.name) for case in whole}) == len(whole) == 32


def test_a_name_that_the_set_has_not_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'Crew leaders'"):
        write_starter(tmp_path, ["Crew leader"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_the_set_is_sound_and_every_truth_above_every_flawed_attempt(whole: CaseSet) -> None:
    pairs = 0
    with Decks(pictures=False) as decks:
        for case in whole:
            truth = compare(case, case.ground_truth, decks)
            assert (truth.passed, truth.edit) == (True, 1), case.name
            for kind in ATTEMPTS:
                path = attempt_path(whole.path.parent, case.name, kind)
                flawed = compare(case, path, decks)
                assert not flawed.passed, (case.name, kind)
                assert flawed.edit < 1, (case.name, kind)
                pairs += 1
        for case in whole.cases[::2]:  # one for each edit type; the command checks all
            [check] = self_check([case], decks=decks)
            assert (check.faults, check.notes) == ((), ()), case.name
    assert pairs == 96


def faults(path: Path) -> set[tuple[str, str]]:
    with Package.open(path) as package:
        return {(one.rule, one.detail) for one in validate(package)}


@pytest.mark.long
def test_no_deck_of_the_set_is_less_valid_than_its_sample(whole: CaseSet) -> None:
    known = {path: faults(path) for path in {case.original for case in whole}}
    for case in whole:
        new = faults(case.ground_truth) - known[case.original]
        assert not new, case.name
