"""The two judges of PPTArena (paper 003, section 3.3 and appendix E), and their variants.

``judge_instruction`` sees structured differences and never a picture, ``judge_visual`` sees
pictures and never a difference. ``judge_together`` and ``judge_from_pictures`` are the other rows
of table 4. ``judge_agreement`` compares two models, ``draft_style_target`` writes what a person
then checks.
"""

from decklab.judges.editing.agreement import JudgeAgreement, judge_agreement
from decklab.judges.editing.drafting import StyleTarget, draft_style_target
from decklab.judges.editing.evidence import Evidence, structured_evidence
from decklab.judges.editing.instruction import judge_instruction
from decklab.judges.editing.variants import judge_from_pictures, judge_together
from decklab.judges.editing.verdict import EditVerdict, Question
from decklab.judges.editing.visual import judge_visual

__all__ = [
    "EditVerdict",
    "Evidence",
    "JudgeAgreement",
    "Question",
    "StyleTarget",
    "draft_style_target",
    "judge_agreement",
    "judge_from_pictures",
    "judge_instruction",
    "judge_together",
    "judge_visual",
    "structured_evidence",
]
