"""The forms in which a structured answer is asked for, and which of them a model takes.

Servers differ: some take a JSON schema, some only a tool call, some only the word that JSON is
wanted, some nothing but a prompt. The forms are tried in the order of ``FORMS`` until one is taken;
that one is remembered, so that only the first question of a run pays for it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel

from decklab.models.asking import AnswerForm

FORMS: Final[tuple[AnswerForm, ...]] = ("json_schema", "tool", "json_object", "text")
ANSWER_TOOL: Final = "give_answer"
"""The name of the tool whose call is the answer."""
_PROSE: Final = 2
"""Replies without any JSON after which a form that never worked is left. Ours."""
WORDS: Final[dict[AnswerForm, str]] = {
    "json_schema": "a JSON schema", "tool": "a tool call", "json_object": "a JSON object",
    "text": "JSON in words",
}  # fmt: skip


class FormMemory:
    """Which forms of an answer a model takes; one for each model, shared by all questions.

    A form is left for all answers where it never worked, else for the answer in question alone.
    ``tools_work`` says whether the model has called a tool.
    """

    def __init__(self, forms: Sequence[AnswerForm] = FORMS) -> None:
        self._forms = tuple(forms)
        self._works: set[AnswerForm] = set()
        self._left: set[tuple[AnswerForm, str]] = set()
        self._prose: Counter[AnswerForm] = Counter()
        self._tools_ignored = 0
        self.tools_work = False

    def form(self, answer: str, but: Sequence[AnswerForm] = ()) -> AnswerForm:
        """The first form to ask for ``answer`` in, the name of its class, none of ``but``."""
        for form in self._forms:
            known = form in but or (form, "") in self._left or (form, answer) in self._left
            if not known:
                return form
        return "text"

    def has_worked(self, form: AnswerForm) -> bool:
        """Whether a model has answered in this form."""
        return form in self._works

    def worked(self, form: AnswerForm) -> None:
        """Remember that a model answered in this form."""
        self._works.add(form)

    def refused(self, forms: Sequence[AnswerForm], answer: str) -> None:
        """Remember that a model does not take these forms, though it took the question."""
        self._left.update((form, answer if form in self._works else "") for form in forms)

    def ignored(self, form: AnswerForm) -> None:
        """Remember a reply that held no JSON at all."""
        self._prose[form] += 1
        if form != "text" and form not in self._works and self._prose[form] >= _PROSE:
            self._left.add((form, ""))

    @property
    def takes_tools(self) -> bool:
        """Whether tools are offered: until they were refused, or ignored twice."""
        return self.tools_work or self._tools_ignored < _PROSE

    def tools(self, *, worked: bool, refused: bool = False) -> None:
        """Remember whether a model that was offered tools called any, or refused them."""
        self.tools_work = worked or (self.tools_work and not refused)
        self._tools_ignored += _PROSE if refused else not worked


def schema_words(answer: type[BaseModel]) -> str:
    """The schema of an answer as a request in words."""
    schema: dict[str, Any] = answer.model_json_schema()
    told = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"Reply with JSON and nothing else. It has to fit this JSON schema:\n{told}"
