"""Running leaves: one sandbox for a whole tree, with the globals of paper 001, appendix A.1.3; and
models that answer leaves, after a check that they look at what they are shown.

A failure that is not the deck's never becomes a score. A picture that could not be drawn, and a
model that was not named or did not answer, end the leaf from outside, so that its code cannot catch
the failure and make it a 0.

Leaves are written by others, so text of the deck is found in their questions by program. Text that
an audience cannot see is taken out, the rest stands between marks. Before its first answer a model
is asked of statements about the edited deck that are known to be true or false, and before its
first answer on pictures which of two is plainly damaged. One that does not know answers no leaf.
"""

import json
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from decklab.core.errors import DeckError, DecklabError, ModelError, RenderError
from decklab.core.files import Closing
from decklab.core.options import JUDGE_TEMPERATURE, LEAF_SECONDS, Isolation
from decklab.core.results import NotScored
from decklab.deck.deck import open_deck
from decklab.diffing.ppteval_records import PowerPointDiff
from decklab.evals.judges.asking import (
    FENCE_RULE,
    KnownStatements,
    KnownTally,
    Questions,
    WithKnown,
    fenced,
    fenced_where_said,
    known_statements,
    lines_said,
    scrambled,
)
from decklab.evals.judges.preference.showing import hidden_out, unseen_texts
from decklab.evals.rubrics.graded import LeafResult, ModelCall
from decklab.evals.rubrics.rubric import FunctionScorer, LlmScorer, Rubric, RubricNode
from decklab.models.asking import Ask, ModelReply, StrictForm, for_stage
from decklab.models.reading import NoAnswer, Unanswered, answered
from decklab.pages.pictures import decoded, encode_png
from decklab.sandbox.limits import CodeFailed, Outcome, Plain, RunFailed, RunLimits, TimedOut
from decklab.sandbox.sandbox import Sandbox, bundle_module
from decklab.seen.reader import seen_deck

_SHOWN: Final = 6000
_LEAST_WORDS: Final = 2
_LEAST_CHARACTERS: Final = 8
"""Characters of the deck that go with known statements; words, or characters, of a text that is
looked for in questions. Ours: a single word may as well be the rubric's."""


class WhichIsDamaged(StrictForm):
    """Which of two pictures of a slide is damaged, and how one sees it."""

    damaged: Literal["first", "second"]
    reason: str = Field(min_length=1)


@dataclass
class LeafAudit:
    """The audit of a model that answers the leaves of one tree."""

    ask: Ask
    original: Path
    modified: Path
    picture: Callable[[int], bytes]
    """Gives a slide of the modified deck as PNG; raises RenderError."""
    secret: str
    looked: bool = False
    """Whether the model was asked about pictures."""

    @cached_property
    def texts(self) -> dict[int, list[str]]:
        """The texts of the edited deck that an audience sees, by slide."""
        with open_deck(self.modified) as deck:
            seen = seen_deck(deck)
        return {
            slide.number: [part.text for part in slide.pieces if part.text and part.reason is None]
            for slide in seen.slides
        }

    @cached_property
    def _unseen(self) -> tuple[str, ...]:
        with open_deck(self.original) as deck:
            pieces = (piece for slide in seen_deck(deck).slides for piece in slide.pieces)
            known = [piece.text for piece in pieces if piece.text]
        return unseen_texts(self.modified, known, hidden_slides=False)

    def question(self, prompt: str) -> str:
        """A question of a leaf as it is put: without words that nobody sees and nobody but the
        editor wrote, and with the deck's text between marks."""
        texts = (text for own in self.texts.values() for text in own if _is_text(text))
        spelled = (way for text in texts for way in (text, json.dumps(text)[1:-1]))
        return fenced_where_said(hidden_out(prompt, self._unseen), spelled, self.secret)

    def statements(self, prompt: str) -> KnownStatements:
        """Statements about the deck's text in a question that are known to be true or false."""
        said = [text for own in self.texts.values() for text in own if text in prompt]
        return known_statements({"The question holds the words": said}, prompt, self.secret)

    @cached_property
    def failure(self) -> str:
        """Why no answer of the model counts, by its words about the edited deck; empty where it
        knows them, or there are none."""
        said = {number: "\n".join(own) for number, own in self.texts.items()}
        slides = "\n\n".join(f"Slide {number}:\n{text}" for number, text in said.items())
        slides = slides[:_SHOWN]
        shown = {
            number: [line for line in lines if line in slides]
            for number, lines in lines_said(said).items()
        }
        if not (known := known_statements(shown, slides, self.secret)).text:
            return ""
        prompt = f"{FENCE_RULE}\n\n{fenced(slides, 'known', self.secret)}\n\n{known.text}"
        judge = Questions(self.ask, temperature=JUDGE_TEMPERATURE)
        answer = judge.put(prompt, WithKnown, stage="known statements", known=known)
        if isinstance(answer, NotScored):
            return f"known statements: {answer.reason}"
        return judge.known.failure

    @cached_property
    def failure_with_pictures(self) -> str:
        """Why no answer of the model on pictures counts; empty where it tells a slide from a
        plainly damaged copy of it, in both orders. Raises RenderError."""
        for number in self.texts:
            slide = self.picture(number)
            if (copy := scrambled(decoded(slide))) is not None:
                return self._compared(slide, encode_png(copy))
        return ""

    def _compared(self, slide: bytes, copy: bytes) -> str:
        judge = Questions(self.ask, stage="known pictures", temperature=JUDGE_TEMPERATURE)
        for images, right in (([slide, copy], "second"), ([copy, slide], "first")):
            answer = judge.put(_COMPARE, WhichIsDamaged, images=images)
            if isinstance(answer, NotScored):
                return f"a damaged copy: {answer.reason}"
            judge.known.compare(right=answer.damaged == right)
        return judge.known.failure


_COMPARE: Final = """Two pictures of one slide. In one of them pieces have changed places, so that
words are cut off and nothing stands in line. Which one is damaged?"""


def _is_text(text: str) -> bool:
    return len(text.split()) >= _LEAST_WORDS or len(text) >= _LEAST_CHARACTERS


MODEL_CALLS = 20
"""How often one leaf may ask a model, however short the decks are. Ours: published leaves that do
not go by slide ask once or twice."""
CALLS_A_SLIDE = 4
"""How often more for each slide of the longer deck. Ours: published leaves ask once a slide; one
that asks about before and after apart, and again where an answer is unclear, gets through."""
MOST_CALLS = 1000
"""How often at most, however long the decks are. Ours: once a slide of the longest decks."""
PICTURES_A_CALL = 2
"""Pictures that one leaf may send, for each call it may make; any call may carry any number of
them. Ours: a slide before and after."""
MODEL_BYTES = 32 * 2**20
"""Bytes of prompt and pictures that one call may carry. Ours: twenty lossless slides."""
LEAF_TEXT_BYTES = 8 * 2**20
"""Bytes of text that one leaf may send in all. Ours: some two million tokens; a leaf that sends
the text of a long deck with every question needs half of that."""
MODEL_SECONDS = 3600.0
"""How long one leaf may wait for answers in all. Ours: 360 answers of ten seconds; a call that is
under way is waited for."""
LOGGED = 2000
"""Characters of a prompt and of an answer that the log of model calls keeps. Ours."""
NEEDS_MODEL = "needs a model: none was named"

Side = Literal["original", "modified"]
_LIMITS = RunLimits(seconds=LEAF_SECONDS, calls=5000, call_bytes=2**30, answer_bytes=16 * 2**20)
"""Questions are counted here and not by the sandbox, which counts questions and drawn slides
together: its limit allows MOST_CALLS and 2,000 slides of each deck."""


def _not_looked(number: int, shape: int | None, wanted: Mapping[str, Any]) -> str:
    raise RenderError("slide", f"nobody can say what is seen on slide {number} of this pair")


@dataclass(frozen=True)
class DeckPair:
    """Two decks, how they differ, and how they look: all that leaves may ask about.

    ``slides`` gives number and id of the slides of each deck. ``picture`` gives a slide as PNG, by
    its deck and number, or raises RenderError or DeckError; it is called only when a leaf asks for
    that picture. ``unseen`` says why a shape of the modified deck is not seen, or a slide is not
    shown, by number of the slide, id of the shape (None for the slide itself) and what of it is
    wanted (``text``, ``look``, ``colour``); empty if it is seen. It raises what ``picture`` raises.
    """

    original: Path
    modified: Path
    diff: PowerPointDiff
    slides: dict[Side, Sequence[tuple[int, str]]]
    picture: Callable[[Side, int], bytes]
    unseen: Callable[[int, int | None, Mapping[str, Any]], str] = _not_looked


def calls_allowed(slides: int) -> int:
    """How often one leaf may ask the model about decks of at most so many slides.

    >>> calls_allowed(2), calls_allowed(21), calls_allowed(1000)
    (28, 104, 1000)
    """
    return min(MODEL_CALLS + CALLS_A_SLIDE * slides, MOST_CALLS)


class ScoredAnswer(BaseModel):
    """The question to a model that scores a leaf: paper 001, appendix A.1.3."""

    model_config = ConfigDict(extra="forbid")

    reason: str
    score: float = Field(ge=0, le=1)


class ScoredAnswerOfDeck(ScoredAnswer, WithKnown):
    """The same, and which statements about the deck are true."""


class _Refused(DecklabError):
    """A leaf wants a model where none was named, or too much of it."""


@dataclass
class _HostServices:
    """The host's answers to leaves, and the time that they took."""

    pair: DeckPair
    ask: Ask | None
    calls: list[ModelCall] = field(default_factory=list)
    """The model calls of the current leaf."""
    seconds: dict[str, float] = field(default_factory=lambda: {"pictures": 0.0, "model": 0.0})
    text_bytes: int = 0
    """Bytes of all prompts of the current leaf."""
    audit: LeafAudit | None = None
    """Of the model, if there is one."""

    def next_leaf(self) -> None:
        """Start counting anew, for the next leaf."""
        self.calls, self.text_bytes = [], 0

    def draw(self, side: Any, number: Any) -> str:
        """A slide as base64 of a PNG."""
        if side not in ("original", "modified") or not isinstance(number, int):
            raise RenderError("slide", f"there is no slide {number!r} of {side!r}")
        with self._timed("pictures"):
            return b64encode(self.pair.picture(side, number)).decode("ascii")

    def look(self, number: Any, shape: Any, wanted: Any) -> str:
        """Why something of the modified deck is not seen."""
        known = isinstance(number, int) and isinstance(shape, int | None)
        if not known or not isinstance(wanted, dict):
            raise RenderError("slide", f"there is no shape {shape!r} on slide {number!r}")
        with self._timed("pictures"):
            return self.pair.unseen(number, shape, wanted)

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[phase] += _since(started)

    def answer(self, prompt: Any, images: Any, temperature: Any) -> str:
        """The model's answer as text."""
        if not isinstance(prompt, str) or not all(isinstance(image, bytes) for image in images):
            raise _Refused("asked the model with something other than text and pictures")
        warm = isinstance(temperature, int | float) and 0 <= temperature <= 2
        return self.reply(prompt, images=images, temperature=temperature if warm else None).text

    def reply(
        self, prompt: str, *, images: Sequence[bytes] = (), closing: str = "", **how: Any
    ) -> ModelReply[Any]:
        """The model's reply; number and size of calls are limited, each call is timed and
        logged. ``closing`` stands after the question as it is."""
        written = (prompt, how.get("system") or "")
        text = sum(len(piece.encode(errors="replace")) for piece in written)
        call = ModelCall(prompt[:LOGGED], len(images), text + sum(map(len, images)))
        started = time.perf_counter()
        try:
            ask = self._allowed(call, text)
            self.text_bytes += text
            question = f"{self._audited(prompt, bool(images))}{closing}"
            reply = for_stage(ask, "leaf")(question, images=images, **how)
        except (_Refused, ModelError) as error:
            self.calls.append(replace(call, failed=str(error), seconds=_since(started)))
            raise
        finally:
            self.seconds["model"] += _since(started)
        self.calls.append(replace(call, answer=reply.text[:LOGGED], seconds=_since(started)))
        return reply

    def _audited(self, prompt: str, pictures: bool) -> str:
        """A question as it is put to a model that knows what it should."""
        if self.audit is None:
            return prompt
        if failure := self.audit.failure or (self.audit.failure_with_pictures if pictures else ""):
            raise _Refused(failure)
        return self.audit.question(prompt)

    def _allowed(self, call: ModelCall, text: int) -> Ask:
        if self.ask is None:
            raise _Refused(NEEDS_MODEL)
        most = calls_allowed(max((len(slides) for slides in self.pair.slides.values()), default=0))
        if len(self.calls) >= most:
            raise _Refused(f"asked the model more than {most} times")
        if sum(earlier.images for earlier in self.calls) + call.images > PICTURES_A_CALL * most:
            raise _Refused(f"asked the model with more than {PICTURES_A_CALL * most} pictures")
        if call.size > MODEL_BYTES:
            raise _Refused(f"asked the model with more than {MODEL_BYTES:,} bytes")
        if self.text_bytes + text > LEAF_TEXT_BYTES:
            raise _Refused(f"asked the model with more than {LEAF_TEXT_BYTES:,} bytes of text")
        if sum(earlier.seconds for earlier in self.calls) > MODEL_SECONDS:
            raise _Refused(f"waited for the model longer than {MODEL_SECONDS:g} s")
        return self.ask


def _since(started: float) -> float:
    return time.perf_counter() - started


class LeafRoom(Closing):
    """A sandbox for the leaves of one rubric after another; a context manager.

    It starts for the first tree and goes on for the next ones; none sees the files and names of
    another. One thread at a time may use it.
    """

    def __init__(self, isolation: Isolation = "bubblewrap") -> None:
        self._isolation: Isolation = isolation
        self._sandbox: Sandbox | None = None

    def close(self) -> None:
        """End the sandbox; the next tree starts another."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def sandbox_for(self, pair: DeckPair, services: _HostServices) -> Sandbox:
        """The sandbox with these decks in it."""
        if self._sandbox is None:
            self._sandbox = _sandbox(pair, services, self._isolation)
        else:
            self._sandbox.renew(**_contents(pair, services))
        return self._sandbox


def run_leaves(
    rubric: Rubric,
    pair: DeckPair,
    *,
    ask: Ask | None = None,
    seconds: float = LEAF_SECONDS,
    isolation: Isolation = "bubblewrap",
    room: LeafRoom | None = None,
    clock: dict[str, float] | None = None,
    secret: str = "",
) -> dict[str, LeafResult]:
    """Run all leaves of a rubric, one after the other; results by path.

    ``ask`` is the model behind ``llm_call``, ``vlm_call`` and leaves of type ``llm``; leaves that
    need one and have none are NotScored, as are those of a model that does not know what is known
    of the edited deck (``audit``). Marks around deck text are made from ``secret``, a new one by
    default. ``seconds`` bounds each leaf. The time of pictures, model and sandbox, in seconds, is
    added to ``clock``. They run in ``room``, else in a sandbox of their own kind ``isolation``.
    Raises SandboxUnavailable where that cannot be had.
    """
    services = _HostServices(pair, ask, audit=_audit_of(ask, pair, secret or token_hex()))
    started = time.perf_counter()
    results: dict[str, LeafResult] = {}
    with ExitStack() as stack:
        if room is None:
            room = stack.enter_context(LeafRoom(isolation))
        sandbox = room.sandbox_for(pair, services)
        names = {f"{side}_ppt_path": sandbox.path(f"{side}.pptx") for side in pair.slides}
        for path, leaf in rubric.leaves():
            services.next_leaf()
            result = _run(leaf, sandbox, services, names, seconds)
            results[path] = replace(result, asked=tuple(services.calls))
    durations = {**services.seconds, "sandbox": time.perf_counter() - started}
    durations["sandbox"] -= durations["pictures"] + durations["model"]
    if clock is not None:
        clock.update({phase: clock.get(phase, 0.0) + spent for phase, spent in durations.items()})
    return results


def _audit_of(ask: Ask | None, pair: DeckPair, secret: str) -> LeafAudit | None:
    if ask is None:
        return None
    draw = partial(pair.picture, "modified")
    return LeafAudit(ask, pair.original, pair.modified, draw, secret)


def _sandbox(pair: DeckPair, services: _HostServices, isolation: Isolation) -> Sandbox:
    prelude, _ = bundle_module(_GUEST)
    return Sandbox(
        prelude=prelude + _INSTALL, limits=_LIMITS, isolation=isolation, **_contents(pair, services)
    )


def _contents(pair: DeckPair, services: _HostServices) -> dict[str, Any]:
    """Files, services and data of a sandbox for one tree."""
    data = {"diff": _plain(asdict(pair.diff)), "slides": _plain(pair.slides)}
    return {
        "files": {"original.pptx": pair.original, "modified.pptx": pair.modified},
        "services": {
            "_decklab_ask": services.answer,
            "_decklab_draw": services.draw,
            "_decklab_look": services.look,
        },
        "data": {"_decklab_data": data, **bundle_module(_GUEST)[1]},
    }


_GUEST = "decklab.evals.rubrics.leaf_globals"
_INSTALL = f"""
from {_GUEST} import filled, install, service
install(
    globals(),
    diff=_decklab_data["diff"],
    slides=_decklab_data["slides"],
    ask=service(globals(), "_decklab_ask"),
    draw=service(globals(), "_decklab_draw"),
    look=service(globals(), "_decklab_look"),
)
del _decklab_data, install, service
"""
"""Ends the prelude: puts the globals of leaves in place."""


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _run(
    leaf: RubricNode, sandbox: Sandbox, host: _HostServices, names: dict[str, Any], seconds: float
) -> LeafResult:
    try:
        if isinstance(leaf.scorer, LlmScorer):
            return _run_llm(leaf.scorer, sandbox, host, names, seconds)
        assert isinstance(leaf.scorer, FunctionScorer)
        outcome = sandbox.call(leaf.scorer.code, "compute_score", globals=names, seconds=seconds)
        return _judged(outcome)
    except TimedOut as error:
        cause = NotScored(f"ran longer than {seconds:g} s and was ended")
        return LeafResult(cause, seconds=error.seconds)
    except CodeFailed as error:
        return LeafResult(NotScored(_raised(error)), seconds=error.seconds)
    except RunFailed as error:
        return LeafResult(NotScored(str(error)), seconds=error.seconds)
    except (RenderError, DeckError) as error:
        return LeafResult(NotScored(f"needs pictures of the slides: {error}"))
    except _Refused as error:
        return LeafResult(NotScored(str(error)))
    except (ModelError, NoAnswer, Unanswered) as error:
        return LeafResult(NotScored(f"the model gave no answer: {error}"))


def _run_llm(
    scorer: LlmScorer, sandbox: Sandbox, host: _HostServices, names: dict[str, Any], seconds: float
) -> LeafResult:
    """A leaf that a model scores; strangers' prompts are filled in inside the sandbox."""
    if host.ask is None:
        return LeafResult(NotScored(NEEDS_MODEL))
    prompts: list[Plain] = [scorer.system_prompt, scorer.user_prompt]
    outcome = sandbox.run(_FILL, globals={**names, "_decklab_prompts": prompts}, seconds=seconds)
    assert isinstance(outcome.value, list)
    system, user = map(str, outcome.value)
    known = host.audit.statements(user) if host.audit else KnownStatements({})
    if not known.text:
        plain = answered(host.reply, user, ScoredAnswer, system=system or None).answer
        return LeafResult(plain.score, plain.reason, outcome.seconds)
    reply = partial(host.reply, closing=f"\n\n{known.text}")
    answer = answered(reply, user, ScoredAnswerOfDeck, system=system or None).answer
    tally = KnownTally()
    tally.add(known, answer.known)
    return LeafResult(tally.counted(answer.score), answer.reason, outcome.seconds)


_FILL = "result = [filled(prompt, globals()) for prompt in _decklab_prompts]"


def _raised(error: CodeFailed) -> str:
    where = error.traceback[-1].split(",")[0] if error.traceback else ""
    words = f"{error.type}: {error.message}" if error.message else error.type
    if error.type == "ScreenshotsUnavailableError":
        return f"needs pictures of the slides: {error.message}"
    return f"its code raised {words}" + (f" ({where})" if where else "")


def _judged(outcome: Outcome) -> LeafResult:
    """The (reason, score) that a leaf returned, or why that is none."""
    value = outcome.value
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
        cause = NotScored(f"returned {_shown(value)}, not a reason and a score")
        return LeafResult(cause, seconds=outcome.seconds)
    reason, score = value
    if not isinstance(score, bool | int | float) or not 0 <= score <= 1:
        cause = NotScored(f"returned the score {_shown(score)}, not one between 0 and 1")
        return LeafResult(cause, str(reason), outcome.seconds)
    return LeafResult(float(score), str(reason), outcome.seconds)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:100]}…"
