"""Everything decklab raises.

::

    DecklabError
    ├── DeckError                 something is wrong with a file; names file and part
    │   ├── UnsupportedFormat     not a kind of deck that decklab reads
    │   ├── NotAPackage           no zip, or a zip that is no Office package
    │   ├── EncryptedDeck         needs a password
    │   ├── TruncatedDeck         the file ends early or its bytes are damaged
    │   ├── DuplicatePart         two parts with one name
    │   ├── UnsafePath            a part name that leaves the package
    │   ├── LimitExceeded         larger, deeper or denser than the limits allow
    │   ├── MalformedPart         a part that is not the XML it claims to be
    │   └── MissingPart           a part that another one needs is not there
    ├── RenderError               a deck could not be turned into pictures
    │   ├── RendererMissing       a program is not installed; says what to install
    │   ├── RenderTimeout         the deadline passed
    │   └── RenderFailed          the program died, refused or gave no picture
    │       └── RendererDied      it died each time the deck was tried
    ├── SandboxError              in `decklab.sandbox`: foreign code could not run, or ended badly
    ├── ModelError                a model could not be asked
    │   ├── ModelUnavailable      no such model or provider, no key, or the extra is missing
    │   ├── ModelFailed           it was asked, and no reply came; says of what kind the failure is
    │   └── BudgetSpent           what a run may cost is spent; nothing more is asked
    ├── PlanError                 a plan of slides that cannot become slides; names the slide
    │   └── NothingToWrite        documents that hold nothing for a slide
    ├── InvalidAgent              a command, a script or a page by which no agent can work
    ├── SettingsError             a configuration that cannot be used; names file and key
    ├── SourceError               decks from elsewhere, or a data set of them, cannot be read
    ├── ResultsError              scores, ranks or a reference that cannot be read
    ├── Unavailable               what a run needs is not on this machine; says what to do:
    │                             RendererMissing, ModelUnavailable and SandboxUnavailable
    └── RegistryError
        ├── UnknownName           nothing is registered by that name
        ├── DuplicateName         something already is
        └── ExtensionError        what another package adds cannot be loaded; names the package
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

_WORDS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_from_float": "give a whole number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "finite_number": "give a number",
    "string_type": "give a text",
    "bool_type": "give true or false",
    "bool_parsing": "give true or false",
    "list_type": "give a list",
    "tuple_type": "give a list",
    "dict_type": "give an object",
    "model_type": "give an object",
    "model_attributes_type": "give an object",
    "dataclass_type": "give an object",
    "greater_than_equal": "give at least {ge}",
    "greater_than": "give more than {gt}",
    "less_than_equal": "give at most {le}",
    "less_than": "give less than {lt}",
    "literal_error": "choose {expected}",
    "enum": "choose {expected}",
    "string_too_short": "give at least {min_length} characters",
    "string_too_long": "give at most {max_length} characters",
    "too_short": "give at least {min_length}",
    "too_long": "give at most {max_length}",
    "string_pattern_mismatch": "give a text of the form {pattern}",
    "union_tag_invalid": "choose {expected_tags} as {discriminator}",
    "union_tag_not_found": "has no {discriminator}",
}
"""Wording of a fault by pydantic's name for it; names in braces are from its context."""
_SHOWN: Final = 40


def fault_words(fault: Mapping[str, Any]) -> str:
    """A fault, an item of ``ValidationError.errors()``, in words that name the value given; its
    place is the caller's to name.

    >>> fault_words({"type": "int_type", "input": "a", "msg": "Input should be a valid integer"})
    "give a whole number, not 'a'"
    >>> fault_words({"type": "value_error", "input": "a", "msg": "Value error, no such slide"})
    'no such slide'
    >>> fault_words({"type": "set_type", "input": "a", "msg": "Input should be a valid set"})
    'give a valid set'
    """
    words = _WORDS.get(fault["type"])
    if fault["type"] in ("value_error", "assertion_error"):
        return re.sub("^(?:Value error|Assertion failed), ", "", str(fault["msg"]))
    if fault["type"] == "json_invalid":
        line = re.search(r"line \d+", str(fault["msg"]))
        return f"is no JSON{f' from {line[0]} on' if line else ''}"
    if words is None:
        wanted = str(fault["msg"]).partition("Input should be ")[2]
        return f"give {wanted}" if wanted else "has another form than is read here"
    said = words.format_map(fault.get("ctx", {}))
    given = fault["input"]
    if not said.startswith(("give", "choose")) or not isinstance(given, str | int | float | None):
        return said
    shown = repr(given[:_SHOWN]) if isinstance(given, str) else json.dumps(given)
    return f"{said}, not {shown}"


def json_of(data: str | bytes) -> Any:
    """JSON that a person may have written; raises ValueError, in our words, if it is none.

    >>> json_of('{"title":\\n x}')
    Traceback (most recent call last):
    ValueError: is no JSON from line 2, column 2 on
    """
    if not data.strip():
        raise ValueError("is empty")
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"is no JSON from {position} on") from None
    except UnicodeDecodeError:
        raise ValueError("is not in UTF-8") from None
    except RecursionError:
        raise ValueError("is nested too deep") from None


def json_in(path: str | Path, error: Callable[[str], Exception]) -> Any:
    """JSON of a file that a person may have written; where it cannot be read or is none, raises an
    ``error`` that names the file."""
    try:
        return json_of(Path(path).read_bytes())
    except OSError as cause:
        raise error(f"{path}: it cannot be read: {cause.strerror}") from cause
    except ValueError as cause:
        raise error(f"{path}: {cause}") from cause


class DecklabError(Exception):
    """Root of all errors that decklab raises on purpose; its text is one line."""

    def __reduce__(self) -> tuple[object, ...]:
        """Survive pickling from one process to another, whatever the constructor takes."""
        return (_revived, (type(self), str(self), self.__dict__))


def _revived(kind: type[DecklabError], text: str, state: dict[str, object]) -> DecklabError:
    error = kind.__new__(kind)
    Exception.__init__(error, text)
    error.__dict__.update(state)
    return error


def one_line(text: str) -> str:
    """``text`` on one line: control characters are spelled out, such as ``\\n``."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


class Unavailable(DecklabError):
    """Something that a run needs is not on this machine; the text says what, and what to do."""


class DeckError(DecklabError):
    """A file that cannot be read as a deck.

    ``path`` is the file; ``part`` the place inside it, if there is one; ``detail`` what is
    wrong. The text is ``path: part: detail`` on one line.
    """

    def __init__(self, path: str | Path, detail: str, part: str | None = None) -> None:
        self.path = str(path)
        self.part = part
        self.detail = " ".join(detail.split())
        super().__init__(": ".join(map(one_line, filter(None, (self.path, part, self.detail)))))


class UnsupportedFormat(DeckError):
    """The file is not of a kind that decklab reads."""


class NotAPackage(DeckError):
    """The file is no zip archive, or one that holds no Office document."""


class EncryptedDeck(DeckError):
    """The deck is encrypted; a password would be needed."""


class TruncatedDeck(DeckError):
    """The file ends early, or the bytes of a part are damaged."""


class DuplicatePart(DeckError):
    """The archive holds two parts of one name, so readers may disagree on its content."""


class UnsafePath(DeckError):
    """A part's name points outside the package."""


class LimitExceeded(DeckError):
    """The deck is larger, deeper or more compressed than the limits allow."""


class MalformedPart(DeckError):
    """A part is not well-formed XML, or uses XML features that decks have no use for."""


class MissingPart(DeckError):
    """A part that the deck cannot do without is not in the package."""


class RenderError(DecklabError):
    """A deck could not be turned into pictures. ``path`` is the file, ``detail`` the cause."""

    def __init__(self, path: str | Path, detail: str) -> None:
        self.path = str(path)
        self.detail = " ".join(detail.split())
        super().__init__(f"{one_line(self.path)}: {self.detail}")


class RendererMissing(RenderError, Unavailable):
    """A program that draws this kind of deck is not installed; the text says what to install."""


class RenderTimeout(RenderError):
    """Drawing the deck took longer than its deadline."""


class RenderFailed(RenderError):
    """The drawing program died, refused the deck, or gave no picture."""


class RendererDied(RenderFailed):
    """The drawing program died while it drew the deck, each time it was tried."""


class InvalidAgent(DecklabError, ValueError):
    """A command, a script or a page by which no agent can work; the text says why."""


class PlanError(DecklabError):
    """A plan of a deck, or a theme, that cannot become slides; the text names the place and why."""


class NothingToWrite(PlanError):
    """Documents that were read hold nothing that can be put on a slide."""


class ResultsError(DecklabError):
    """Scores, ranks or a reference that cannot be read; the text names file and cause."""

    def __init__(self, path: str | Path, detail: str) -> None:
        self.path = str(path)
        self.detail = detail
        super().__init__(f"{one_line(str(path))}: {one_line(detail)}")


class SettingsError(DecklabError):
    """A configuration or baseline file that cannot be used; the text names file, key and cause."""

    def __init__(self, path: str | Path, detail: str, key: str = "") -> None:
        self.path = str(path)
        super().__init__(": ".join(map(one_line, filter(None, (self.path, key, detail)))))


class SourceError(DecklabError):
    """A source of decks, or a data set of many, that cannot be read. ``source`` is its name,
    ``detail`` the cause."""

    def __init__(self, source: str | Path, detail: str) -> None:
        self.source = str(source)
        self.detail = " ".join(detail.split())
        super().__init__(f"{one_line(self.source)}: {one_line(self.detail)}")


class ModelError(DecklabError):
    """A model could not be asked. ``model`` is its name, ``detail`` the cause."""

    def __init__(self, model: str, detail: str) -> None:
        self.model = model
        self.detail = " ".join(detail.split())
        super().__init__(f"{one_line(self.model)}: {one_line(self.detail)}")


class ModelUnavailable(ModelError, Unavailable):
    """No model or provider of that name, no key for it, or ``decklab[evals]`` is not installed."""


FailureKind = Literal[
    "refused", "too_long", "busy", "server", "stalled", "unreachable", "withheld", "failed"
]
"""Why no reply came. ``refused``: the server takes no such request. ``too_long``: longer than the
model reads. ``busy``: too many requests. ``server``: it failed itself. ``stalled``: it gave no sign
in time. ``unreachable``: no connection. ``withheld``: filtered. ``failed``: anything else."""


class ModelFailed(ModelError):
    """The model was asked, and no reply came.

    ``kind`` says why. ``requests`` is how many were sent for this question, ``seconds`` how long
    it took with all of them.
    """

    def __init__(
        self,
        model: str,
        detail: str,
        kind: FailureKind = "failed",
        requests: int = 0,
        seconds: float = 0.0,
    ) -> None:
        self.kind, self.requests, self.seconds = kind, requests, seconds
        super().__init__(model, detail)


class BudgetSpent(ModelError):
    """A run has spent what it may cost in tokens, dollars or minutes, so no more is asked."""


class RegistryError(DecklabError):
    """A name could not be registered or looked up."""


class UnknownName(RegistryError):
    """Nothing is registered by that name; the text offers the nearest ones."""


class DuplicateName(RegistryError):
    """Something is already registered by that name."""


class ExtensionError(RegistryError):
    """Something that another package adds to decklab cannot be loaded."""
