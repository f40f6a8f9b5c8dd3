"""Options of commands and functions: their values, by name, and their defaults.

Rooms take their defaults from here, and so does the command line, which must not load a room to
show its help.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

MetricVariant = Literal["aim", "printed"]
"""Rows on top of the usual ones. ``aim``: two that agree with Aalto AIM. ``printed``: what paper
002 prints elsewhere for the same measures (table 8's weights, table 10's sigma, eq 17)."""
ReportForm = Literal["md", "pdf", "card", "badge"]
"""Forms of a deck's report beside its page. ``card``: a picture to share; ``badge``: a small one
for a readme."""
NoData = Literal["failed", "not_applicable"]
"""Result for a deck without data graphics. The paper does not say: its protocol begins with finding
a chart (I.4.3 step 4), and the systems of its table 5 fail because theirs are drawn or pictures.
``failed``: there is nothing with data to edit; or ``not_applicable``, and evaluation goes on."""
TextGate = Literal["box", "slide"]
"""Where doubled text must stay. ``box``: in its own box, the paper's criterion (I.4.3 step 1).
``slide``: it must wrap and stay on the slide, but may run past the top or bottom of its box."""
Severity = Literal["error", "warning", "info"]
"""How much a finding matters, worst first."""
Axis = Literal["geometry", "text", "style"]
"""Aspect that a perturbation damages (paper 000, section 3.3)."""
LadderDraws = Literal["coupled", "independent"]
"""``coupled``: each severity adds to the damage of those below it. ``independent``: each is drawn
anew, as in paper 000."""
Isolation = Literal["bubblewrap", "process"]
"""``bubblewrap`` isolates code from the machine; ``process`` only limits it, and has to be asked
for by name."""
EditPaths = Literal["hybrid", "program", "xml"]
"""Which paths an editor may take: the model's choice, or one for everything."""
DamageUse = Literal["auto", "count", "show", "off"]
"""How damage outside a rubric's task counts: ``count`` lowers the score, ``show`` only reports it,
``auto`` counts it where the rubric states what may change, and shows it with any other."""
JudgeConfiguration = Literal["dual", "single", "no-diff"]
"""How judges of edits are asked (paper 003, table 4): two judges with differences, one judge with
all signals, two judges with pictures."""
AgentKind = Literal["desktop", "browser", "command"]
"""An agent's means: the screen of an editor, a page in a browser, the deck's file."""
PreferenceWay = Literal["arena", "rating", "ppteval"]
"""How a model judges decks for one task (paper 002, section 3.2): in pairs, by a weighted rating of
each, or by PPTEval's three scores of each."""
PictureFormat = Literal["png", "jpeg", "webp"]
DeckFormat = Literal["pptx", "html", "pdf"]
"""File format of a written deck."""
TextLength = Literal["short", "standard", "full"]
"""How much text stands on the slides of a deck that is written."""
SlideReading = Literal["text", "pictures"]
"""How an examinee reads slides: the deck's own text, or what a model sees on their pictures."""
ScenarioSetting = Literal["vague", "long-doc", "multimodal", "multi-source"]
"""Material of a deck (paper 004, section III): a request alone, one long document, a document with
figures and tables, or several documents."""
DocumentKindName = Literal[
    "report", "paper", "manual", "minutes", "memo", "faq", "how-to", "comparison", "status", "data"
]
"""Kinds of documents that a writer tells apart: each has its own order of what matters."""

WriteStage = Literal["documents", "outline", "plan"]
"""First stage of a run of the writer: the documents, or the artefact of an earlier run."""
WriteEnd = Literal["outline", "deck"]
"""Last stage of a run of the writer: the outline, for a person to look at, or the deck."""

EDIT_ROUNDS: Final = 3
"""Rounds of one edit, the first included. Paper 003, section 5.2 reports that one more pass often
settles what the first left."""
TOOL_CALLS: Final = 30
"""Calls of tools in one question to a model, all its tries together. Ours."""
WRITE_SLIDES: Final = 12
"""Slides of a deck that is written, unless told otherwise. Ours."""
MOST_GENERATED: Final = 4
"""Pictures that an image model makes for a deck, unless told otherwise. Ours."""
LEAF_SECONDS: Final = 20.0
"""How long one leaf may run, without the time it waits for others. Ours: published leaves
take under a second on decks of 50 slides."""
NON_CRITICAL_WEIGHT: Final = 0.3
"""The most that non-critical children can take away: lambda of paper 001, section 3.5.2."""
RUBRIC_REPAIRS: Final = 3
"""How often the draft of a rubric is repaired. Ours."""
MCP_PORT: Final = 8765
"""Where ``decklab mcp --http`` is reached. Ours."""
MCP_SECONDS: Final = 180.0
"""How long one call of a tool may take. Ours: scoring 60 slides takes a third of it."""
MCP_PROCESSES: Final = 2
"""Calls of tools that are done at once. Ours."""
SECONDS_A_DECK: Final = 120.0
"""How long drawing one deck may take. Ours."""
AGGREGATION_RULES: Final = ("ppteval", "mind2web2", "mind2web2-strict")
"""How the scores of a rubric tree are joined, by name."""
EXTRACT_SAMPLE: Final = 100
"""Slides that SlideEval asks to read, unless told otherwise. Ours."""
RATE_SAMPLE: Final = 50
"""Slides that SlideEval damages: up to 50 per severity and axis (paper 000, section 3)."""
ORDER_SAMPLE: Final = 100
"""Decks that SlideEval has put in order: as many as paper 000 has (section 3)."""
JUDGE_TEMPERATURE: Final = 0.2
"""Of the judges of edits (paper 003, E.2). Its top-k of 1 cannot be had of every provider."""
SCENARIO_RUNS: Final = 3
"""How often a model judges a deck; scores are means (paper 004, section VI-A)."""
BASELINE_EDITORS: Final = ("noop", "commands", "truth")
"""Editors without a model that every editing benchmark has."""


@dataclass(frozen=True)
class EditLimits:
    """Limits of an editor in one task of a benchmark.

    ``steps`` is paper 001's (section 4.2); the paper names no time and no count of messages, so
    those are ours.
    """

    seconds: float = 600.0
    steps: int = 30
    messages: int = 120


@dataclass(frozen=True)
class EditorAccess:
    """Access of an editor that is not decklab's own.

    ``trust`` takes the walls of the sandbox away, ``network`` lets it use the host's network.
    ``environment`` are names of variables that it gets, ``files`` what it may read.
    """

    trust: bool = False
    environment: Sequence[str] = ()
    files: Sequence[Path] = ()
    network: bool = False


@dataclass(frozen=True)
class WebPage:
    """An editor on a page of the web, for agents that use a browser.

    In ``url`` the words ``{task}`` and ``{deck}`` stand for the names of the task and of its deck.
    Only its host and ``hosts`` are reached. ``profile`` is a folder of Chromium's that is signed
    in. The page hands out the deck by exactly one of ``keys``, ``clicks`` and ``fetch``: a chord
    that starts a download, CSS selectors to click in turn, the deck's address.
    """

    url: str
    hosts: Sequence[str] = ()
    profile: Path | None = None
    keys: str = ""
    clicks: Sequence[str] = ()
    fetch: str = ""


@dataclass(frozen=True)
class TaskAgent:
    """The agent that does the tasks of a benchmark, in place of an editor.

    ``kind`` is what it uses: the screen of a desktop editor, a ``page`` in a browser, or the deck's
    file as a program, ``command``. On a screen it is the run's model; with ``scripts``, a folder of
    lists of actions named after tasks, these are played instead; without either it does nothing.
    ``environments`` is how many work side by side. ``access`` is what a program may reach. A model
    may answer in an action ``form`` in place of calls, and get the ``controls`` of the screen as
    text. ``screen`` is the desktop's size, such as ``1280x800``; it is shown once it has not
    changed for ``delay`` seconds.
    """

    kind: AgentKind
    scripts: Path | None = None
    command: str = ""
    page: WebPage | None = None
    environments: int = 1
    access: EditorAccess = field(default_factory=EditorAccess)
    form: str = ""
    controls: bool = False
    screen: str = ""
    delay: float | None = None


@dataclass(frozen=True)
class Spending:
    """Limits on the cost of a run's questions to its models, and the folder that keeps them.

    ``tokens``, in and out together, ``dollars`` and ``minutes`` end the run; None sets no bound.
    ``prices`` are US dollars for a million tokens in and out by the name of the model; those of
    ``""`` are for all others. ``record`` is a folder that keeps every question and reply: the same
    run, begun again with it, asks only the rest.
    """

    tokens: int | None = None
    dollars: float | None = None
    minutes: float | None = None
    prices: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    record: Path | None = None


@dataclass(frozen=True)
class HttpAddress:
    """Where a server is reached by HTTP.

    ``token`` is what clients have to send, as ``Authorization: Bearer TOKEN``; a host other than
    the loopback needs one. ``names`` are further names of the host that clients may use. Port 0 is
    any that is free.
    """

    host: str = "127.0.0.1"
    port: int = MCP_PORT
    token: str = ""
    names: Sequence[str] = ()


@dataclass(frozen=True)
class ImageModel:
    """An image model behind an OpenAI-compatible address, such as ``https://host/v1``.

    ``most`` is how many pictures of it a deck gets at most.
    """

    name: str
    url: str
    most: int = MOST_GENERATED


@dataclass(frozen=True)
class JudgeOptions:
    """The models that judge edits, the second one for comparison, and how they are asked."""

    models: Sequence[str] = ()
    configuration: JudgeConfiguration = "dual"
    temperature: float | None = JUDGE_TEMPERATURE
    repeats: int = 1


@dataclass(frozen=True)
class AgentOptions:
    """How decklab's own agent edits: the variants of paper 003, table 4."""

    paths: EditPaths = "hybrid"
    rounds: int = EDIT_ROUNDS


def names_function(editor: str) -> bool:
    """Whether an editor's name is that of a function, and not of a model, which may have a colon
    after a slash.

    >>> [names_function(name) for name in ("a.b:edit", "a/b.py:edit", "ollama/one:8b", "noop")]
    [True, True, False, False]
    """
    module, _, function = editor.rpartition(":")
    return bool(module) and (module.endswith(".py") or ("/" not in editor and function != ""))
