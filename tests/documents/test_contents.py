"""Lists of contents are told from the sections that they announce, and from repeated lines."""

import pytest

from decklab.documents.contents import listed_contents

TEXT = ["The harbour has grown for years,", "and now it serves many ships."]
BODY = [["1. Ships"], TEXT, ["2. Cranes"], TEXT, ["3. Rails"], TEXT]


@pytest.mark.parametrize(
    ("runs", "listed"),
    [
        ([["Contents"], ["1. Ships ... 2", "2. Cranes ... 5", "3. Rails .. 9"], *BODY], {1}),
        ([["1. Ships"], ["2. Cranes"], ["3. Rails"], *BODY], {0, 1, 2}),
        ([["Contents"], ["Ships", "Cranes"], ["Rails", "A line that is gone"], *BODY], {1, 2}),
        ([["Contents"], ["1. Ships", "2. Cranes", "3. Rails"], ["It begins."], *BODY], {1}),
        ([["1. Ships"], TEXT, *BODY], set()),
        ([["Ships", "Boats", "Canoes", "Rafts", "Ferries", "Cranes", "Rails"], *BODY], set()),
        (BODY, set()),
        ([], set()),
    ],
)
def test_lines_that_stand_again_above_their_sections(runs, listed):
    assert listed_contents(runs) == listed
