"""Names of files for tasks, whose own names come from anywhere."""

from hypothesis import given
from hypothesis import strategies as st

from decklab.evals.ppteval.tasks import file_names


def test_published_names_stay_as_they_are() -> None:
    names = ["3-002", "4._Pre-Colonial_Filipino_Culture-001", "application+layer-007"]
    assert list(file_names(names).values()) == names


@given(st.lists(st.text(), unique=True))
def test_no_name_leads_elsewhere_and_no_two_are_alike(tasks: list[str]) -> None:
    found = file_names(tasks)
    assert list(found) == tasks
    assert len({name.lower() for name in found.values()}) == len(tasks)
    for name in found.values():
        assert name.isascii() and not name.startswith((".", "-")) and 0 < len(name) < 120
        assert not set(name) & set('/\\:*?"<>| \n\0')
