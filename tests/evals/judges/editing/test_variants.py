import numpy as np
from tests.evals.judges.editing.conftest import Judged
from tests.evals.judges.honest import honest
from tests.openai_server import images_of, prompt_of, serving

from decklab.core.results import NotScored
from decklab.evals.judges.editing.judging import EditJudge
from decklab.models.inspect import asking

BOTH = (
    '{"instruction_following": 2, "instruction_reason": "Half of it.",'
    ' "visual_quality": 4, "visual_reason": "Hardly to be seen."}'
)


def test_one_judge_sees_everything_in_one_call(
    judged: dict[str, Judged], slides: list[np.ndarray]
) -> None:
    one = judged["Crew leaders"]
    with serving(honest([BOTH])) as server, asking(server.model()) as ask:
        instruction, visual = EditJudge(ask, one.question).together(
            one.evidence, slides[:7], slides[:7]
        )
    request = server.requests[0]
    assert [len(images_of(one)) for one in server.requests] == [14, 2, 2]
    assert one.evidence.remaining in prompt_of(request)
    assert (instruction.score, visual.score) == (2, 4)
    assert visual.reason == "Hardly to be seen."


def test_one_judge_without_a_fitting_reply_scores_nothing(
    judged: dict[str, Judged], slides: list[np.ndarray]
) -> None:
    one = judged["Crew leaders"]
    with serving(['{"score": 3, "reason": "x"}']) as server, asking(server.model()) as ask:
        verdicts = EditJudge(ask, one.question).together(one.evidence, slides[:1], slides[:1])
    assert all(isinstance(verdict.score, NotScored) for verdict in verdicts)


def test_without_differences_all_slides_are_shown_and_nothing_else(
    judged: dict[str, Judged], slides: list[np.ndarray]
) -> None:
    one = judged["Crew leaders"]
    scores = ((5, "a"), (3, "b"), (5, "the same"), (0, "in pieces"))
    replies = [f'{{"score": {score}, "reason": "{reason}"}}' for score, reason in scores]
    with serving(replies) as server, asking(server.model()) as ask:
        found = EditJudge(ask, one.question).from_pictures(slides[:6], slides[:6])
    assert [len(images_of(request)) for request in server.requests] == [10, 2, 2, 2]
    assert "differs from the truth" not in prompt_of(server.requests[0])
    assert (found.score, found.reason) == (3, "b")
    with serving(replies) as server, asking(server.model()) as ask:
        assert EditJudge(ask, one.question).from_pictures([], []).score == NotScored(
            "there are no slides"
        )
