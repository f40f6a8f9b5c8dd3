"""The judge of instruction following (IF): structured differences, and no picture."""

from decklab.judges.editing.evidence import Evidence
from decklab.judges.editing.prompts import IF_SCALE, IF_SYSTEM, questions
from decklab.judges.editing.verdict import TEMPERATURE, EditVerdict, Marked, Question, asked, pooled
from decklab.models.asking import Ask, Usage
from decklab.results import NotScored


def judge_instruction(
    ask: Ask,
    question: Question,
    evidence: Evidence,
    *,
    temperature: float | None = TEMPERATURE,
    repeats: int = 1,
) -> EditVerdict:
    """Whether an edit did what was asked, 0 to 5 (paper 003, section 3.3 and listing 4).

    The model is asked even where prediction and truth do not differ. NotScored where it failed or
    its reply does not fit. Raises ModelUnavailable, and ValueError for no repeats.
    """
    prompt = questions(question, scale=IF_SCALE, material=evidence.material)

    def sample() -> EditVerdict:
        answer, reply = asked(ask, prompt, form=Marked, system=IF_SYSTEM, temperature=temperature)
        shown = f"differences as {evidence.form.upper()}"
        usage, model = (reply.usage, reply.model) if reply else (Usage(), "")
        if isinstance(answer, NotScored):
            return EditVerdict(answer, answer.reason, usage=usage, model=model, shown=shown)
        return EditVerdict(
            float(answer.score), answer.reason, usage=usage, model=model, shown=shown
        )

    return pooled(sample, repeats)
