import pytest

from decklab.evals.ppteval.tasks import categories_of


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("Rotate the diagram clockwise", ("images",)),
        ("Sort the table by name", ("tables",)),
        ("Change the background color of slide 3 to light blue", ("layout",)),
        ("Add a text box with the text 'a chart' below the picture", ("images", "shapes", "text")),
        ("Crop the picture to the top two rows", ("images",)),
        ("Let it fly in with an animation", ("animations",)),
        ("Do the thing", ("other",)),
        ("", ("other",)),
    ],
)
def test_words_of_the_goal_decide_but_not_quoted_ones(goal: str, found: tuple[str, ...]) -> None:
    assert categories_of(goal, {}) == found


def test_what_a_list_states_goes_before() -> None:
    assert categories_of("Sort the table", {"categories": ["charts"]}) == ("charts",)
    assert categories_of("Sort the table", {"categories": []}) == ("tables",)
