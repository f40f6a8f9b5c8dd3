"""Failed requests, and what kind of failure each is, by status and by the server's words."""

import re
from dataclasses import dataclass
from textwrap import shorten
from typing import Final

from decklab.core.errors import FailureKind, one_line

_BUSY: Final = frozenset({408, 409, 425, 429, 529})
_FAILING: Final = frozenset({500, 502, 503, 504, 520, 521, 522, 523, 524})
_NO_SUCH_FORM: Final = frozenset({400, 404, 405, 415, 422, 500, 501})
"""With which servers answer to a form of structured answers that they do not know."""
_TOO_LONG = re.compile(
    r"context.?length|maximum context|context window|too many tokens|prompt is too long"
    r"|exceeds? the (available )?context|context_length_exceeded", re.IGNORECASE,
)  # fmt: skip
_NAMES_FORM = re.compile(r"response_format|schema|json|\btools?\b|tool_choice|function", re.I)
_NAMES_MODEL = re.compile(r"\bmodel\b.{0,80}(not found|not exist|unknown)|no such model", re.I)
_NAMES_PICTURE = re.compile(r"image|picture|vision|multimodal", re.IGNORECASE)
_NAMES_HEAT = re.compile(r"temperature", re.IGNORECASE)
_SHOWN: Final = 300
"""Characters of a server's words in messages. Ours."""


@dataclass
class SendFailure(Exception):
    """One request failed: ``status`` of HTTP where there is one, and the server's words.

    ``kind`` is set where the transport says more than the status: no sign in time, no connection.
    ``retry_after`` is the pause in seconds that the server asks for. ``requests``, the tokens and
    ``calls`` of tools are what was spent before and with it.
    """

    message: str
    status: int | None = None
    kind: FailureKind | None = None
    retry_after: float | None = None
    requests: int = 1
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0

    @property
    def words(self) -> str:
        """Status and words in a line, such as ``429: slow down``, shortened."""
        said = one_line(shorten(self.message, _SHOWN, placeholder=" …"))
        return said if self.status is None else f"{self.status}: {said}"


def failure_kind(failure: SendFailure) -> FailureKind:
    """What kind of failure it is."""
    status = failure.status
    if failure.kind is not None:
        return failure.kind
    if status is None:
        return "failed"
    if _TOO_LONG.search(failure.message) and status not in _BUSY:
        return "too_long"
    if status in _BUSY:
        return "busy"
    return "server" if status in _FAILING else "refused"


def refuses_form(failure: SendFailure, *, worked: bool) -> bool:
    """Whether another form of the answer may be taken; ``worked``: this one was, before."""
    if failure.status not in _NO_SUCH_FORM or failure_kind(failure) == "too_long":
        return False
    said = failure.message
    if _NAMES_FORM.search(said):
        return failure.status < 500 or not worked
    return not worked and not (_NAMES_MODEL.search(said) or _NAMES_PICTURE.search(said))


def refuses_temperature(failure: SendFailure) -> bool:
    """Whether the server does not take a temperature."""
    return failure.status in (400, 422) and _NAMES_HEAT.search(failure.message) is not None
