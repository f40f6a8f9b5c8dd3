"""A model by its name, as a plain function of a question, or of the turns of a conversation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from decklab.core.errors import ModelUnavailable
from decklab.core.extras import needs_extra
from decklab.models.asking import Ask
from decklab.models.limits import AskLimits, RunCosts
from decklab.models.record import QuestionRecord, recorded
from decklab.models.sight import Sight, with_sight_check
from decklab.models.turns import Chat, chat_with_sight_check, recorded_chat

_FRAMEWORK = "inspect_ai"
BATCH_SECONDS = 86_400.0
"""How long a batch may take: providers promise a day."""


@contextmanager
def open_asking(
    name: str,
    *,
    limits: AskLimits | None = None,
    account: RunCosts | None = None,
    record: QuestionRecord | None = None,
    tell: Callable[[str], None] | None = None,
    connections: int | None = None,
    batch: int | None = None,
) -> Iterator[Ask]:
    """The model that Inspect AI knows as ``name``, as a plain function.

    ``limits`` bound each question, ``account`` all of them; ``record`` keeps every question and
    reply; ``tell`` is called with a line whenever a request is put again. Inspect AI keeps at most
    ``connections`` requests open at once, and gives ``batch`` of them together to the provider's
    batch interface, where it has one; a batch may take a day. Questions with pictures raise
    PicturesUnseen where the model does not see any. Raises ModelUnavailable where there is no such
    model, its key is missing, or ``decklab[evals]`` is not installed.
    """
    adapter = _adapter("decklab.models.inspect", name)
    given = {"connections": connections, "batch": batch}
    model = adapter.open_model(name, **{key: one for key, one in given.items() if one is not None})
    if batch is not None and limits is None:
        limits = AskLimits(BATCH_SECONDS, BATCH_SECONDS)
    with adapter.asking(model, name=name, limits=limits, account=account, tell=tell) as ask:
        kept = ask if record is None else recorded(ask, record, name)
        yield with_sight_check(kept, name, tell=tell or (lambda _line: None))


@contextmanager
def open_chat(
    name: str,
    *,
    limits: AskLimits | None = None,
    account: RunCosts | None = None,
    record: QuestionRecord | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[Chat]:
    """The model that Inspect AI knows as ``name``, for conversations of many turns with tools;
    options and errors as in ``open_asking``."""
    adapter = _adapter("decklab.models.inspect_turns", name)
    model = _adapter("decklab.models.inspect", name).open_model(name)
    said = tell or (lambda _line: None)
    how: dict[str, Any] = {"name": name, "limits": limits, "account": account, "tell": tell}
    with adapter.chatting(model, **how) as (chat, ask):
        kept = chat if record is None else recorded_chat(chat, record)
        known = ask if record is None else recorded(ask, record, name)
        yield chat_with_sight_check(kept, known, sight=Sight(), tell=said)


def _adapter(module: str, name: str) -> Any:
    """A module that needs Inspect AI; raises ModelUnavailable where that is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != _FRAMEWORK:
            raise
        raise ModelUnavailable(name, needs_extra("asking models", "evals")) from error
