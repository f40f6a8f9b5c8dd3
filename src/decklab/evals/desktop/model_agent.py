"""Whole runs of agents on a screen, from the first picture to the deck that they leave.

One agent asks a model: it sees pictures of the screen, and replies with calls of a tool. Paper 001,
sections 3 and 4.2: a screenshot after each action, and 30 actions at most. The tool is Inspect AI's
``computer``, for which some providers have one of their own; other models get it as a plain
function. The others need no model. A script is a JSON list of calls of the ``computer`` tool with
points in pixels of the screen, or an object with such a list as ``actions``. Besides the tool's
arguments a call may have a ``thought``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Self

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from decklab.core.errors import (
    BudgetSpent,
    DecklabError,
    InvalidAgent,
    ModelError,
    UnknownName,
    json_of,
)
from decklab.core.files import package_values
from decklab.core.options import EditLimits
from decklab.evals.desktop.environment import (
    LONGEST_SIDE,
    ActionRefused,
    Closed,
    Environment,
    EnvironmentFailed,
    PictureScale,
    Pixel,
    picture_scale,
)
from decklab.evals.desktop.formats import FormatReply, format_scale, read_reply
from decklab.evals.desktop.session import (
    REPEATS,
    AgentSession,
    Finish,
    ReadCall,
    RunStopped,
    ScreenAgent,
    calls_in,
    read_call,
)
from decklab.evals.desktop.trajectory import (
    RunEnd,
    RunEnding,
    Trajectory,
    TrajectoryWriter,
    png_bytes,
)
from decklab.models.asking import NO_USAGE, Usage, fill_prompt
from decklab.models.model_run import (
    Chat,
    ModelTurn,
    OfferedTool,
    ToolCallMade,
    ToolTurn,
    Turn,
    UserTurn,
)


class AgentFailed(DecklabError):
    """The agent itself cannot go on, through no fault of the model or of the screen."""


@dataclass(frozen=True)
class ScreenRun:
    """Result of a run: how it ended, and the deck that the editor left, if any.

    ``last_saved`` is the deck as it was last saved, if the environment failed. ``turns`` are the
    conversation with the model, begun by ``system``, for logs.
    """

    end: RunEnd
    closed: Closed | None
    last_saved: Path | None = None
    usage: Usage = NO_USAGE
    system: str = ""
    turns: tuple[Turn, ...] = ()

    @property
    def deck(self) -> Path | None:
        """The deck to grade; None if no deck is known to be the last."""
        return self.closed.deck if self.closed else None


def run_agent(
    agent: ScreenAgent,
    environment: Environment,
    instruction: str,
    *,
    limits: EditLimits | None = None,
    repeats: int = REPEATS,
    trajectory: Path | None = None,
    price: Callable[[Usage], float | None] = lambda _usage: None,
    about: Mapping[str, Any] | None = None,
) -> ScreenRun:
    """Have ``agent`` do what ``instruction`` says on ``environment``, then save and close the deck.

    ``trajectory`` is a new folder for what it did; ``about`` goes into its ``run.json``. The run
    ends when the agent says so, or at a limit, a loop, a budget that is spent, or a failure: model,
    environment and agent are told apart, see ``RunEnding``. The deck is saved and closed in each
    case but that of a failed environment. Raises OSError if the trajectory cannot be written.
    """
    writer = TrajectoryWriter(trajectory)
    session = AgentSession(environment, instruction, limits or EditLimits(), repeats, writer, price)
    ended, detail, message, saved = _lived(agent, session, about or {})
    closed: Closed | None = None
    if ended != "environment failed":
        try:
            closed = environment.close()
        except EnvironmentFailed as error:
            ended, detail, saved = "environment failed", str(error), error.saved
    usage = session.usage
    end = RunEnd(
        ended, detail, message, session.steps, round(session.seconds, 3), usage.input_tokens,
        usage.output_tokens, price(usage) if usage.requests else None,
    )  # fmt: skip
    if writer.begun:
        writer.end(end)
    return ScreenRun(end, closed, saved, usage, session.system, tuple(session.turns))


def _lived(
    agent: ScreenAgent, session: AgentSession, about: Mapping[str, Any]
) -> tuple[RunEnding, str, str, Path | None]:
    """Run the agent to its end: how it ended, details, its last words, the deck last saved."""
    try:
        session.begin(about)
        finish: Finish = agent(session)
    except RunStopped as stopped:
        return stopped.ended, stopped.detail, "", None
    except BudgetSpent as error:
        return "budget", str(error), "", None
    except ModelError as error:
        return "model failed", str(error), "", None
    except EnvironmentFailed as error:
        ended: RunEnding = "agent failed" if error.ended == "agent" else "environment failed"
        return ended, str(error), "", error.saved
    except AgentFailed as error:
        return "agent failed", str(error), "", None
    return ("declined" if finish.declined else "finished"), "", finish.message, None


def do_nothing(session: AgentSession) -> Finish:
    """An agent that does nothing: the lower bound."""
    return Finish("nothing was done", declined=True)


@dataclass(frozen=True)
class ScriptedAgent:
    """Plays calls one after the other; the first that is refused ends it with AgentFailed.

    ``call_of`` makes such calls of actions. With an action ``form`` the calls are replies in it.
    """

    calls: Sequence[Any]
    form: str = ""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The agent of a script. Raises OSError if there is none, InvalidAgent if the file
        is no script: it names the call that is wrong."""
        try:
            data = json_of(Path(path).read_bytes())
        except ValueError as error:
            raise InvalidAgent(f"{path}: {error}") from None
        form = str(data.get("format") or "") if isinstance(data, dict) else ""
        calls = data.get("actions") if isinstance(data, dict) else data
        if not isinstance(calls, list):
            raise InvalidAgent(f"{path}: a script is a list of actions")
        agent = cls(calls, form)
        try:
            agent.check()
        except (ActionRefused, UnknownName) as error:
            raise InvalidAgent(f"{path}: {error}") from None
        return agent

    def check(self) -> None:
        """Read all calls on the largest screen there may be. Raises ActionRefused for the first
        that cannot be read, and UnknownName for an action format that there is not."""
        for number, call in enumerate(self.calls, 1):
            try:
                scale = picture_scale(_LARGEST, longest=_LARGEST[0])
                list(_calls_of(self.form, call, scale, (0, 0)))
            except ActionRefused as error:
                raise ActionRefused(f"action {number}: {error}") from None

    @classmethod
    def of(cls, trajectory: Trajectory) -> Self:
        """The agent that repeats a trajectory, action by action."""
        return cls([action for step in trajectory.steps for action in step.actions])

    def __call__(self, session: AgentSession) -> Finish:
        """Play the script on a screen; its repetitions are meant, and no loop."""
        session.repeats = 0
        scale = picture_scale(session.environment.size, longest=max(session.environment.size))
        for number, call in enumerate(self.calls, 1):
            try:
                for read, args, thought in _calls_of(self.form, call, scale, session.pointer):
                    session.do(read, args, thought)
            except ActionRefused as error:
                raise AgentFailed(f"action {number} of the script: {error}") from error
        return Finish(f"{len(self.calls)} actions were played")


_LARGEST: Final = (1 << 20, 1 << 20)


def _calls_of(
    form: str, call: Any, scale: PictureScale, pointer: Pixel | None
) -> Iterator[tuple[ReadCall, Mapping[str, Any], str]]:
    """The calls of an entry of a script as they are read, each with its arguments and thought."""
    if form:
        reply, scale = read_reply(form, call, scale, pointer), format_scale(form, scale)
        listed, thought = reply.calls, reply.thought
    elif isinstance(call, dict):
        thought = call.get("thought", "")
        listed = ({name: value for name, value in call.items() if name != "thought"},)
    else:
        raise ActionRefused("it is no object")
    for args in listed:
        read = read_call(args, scale, pointer)
        pointer = read.pointer
        yield read, args, thought


NEWEST_PICTURES: Final = 3
"""Pictures that go along with each request, the newest. Ours: older ones cost as much again, and
the screen has changed since."""
COMPUTER, FINISH = "computer", "finish"
_SILENT: Final = 3
"""Replies in a row without a word or a call, after which the agent ends. Ours."""
_LEFT_OUT: Final = "(The picture of then is left out.)"
_CONTROLS: Final = "\n\nControls on the screen, with place and size:\n"
_PLACE: Final = re.compile(r"\b(\d+),(\d+) (\d+)x(\d+)$", re.MULTILINE)
_MOST_CONTROLS: Final = 12_000
"""Characters of the list of controls. Ours: twice what Impress has without a dialog."""
_PACKAGE: Final = "decklab.evals.desktop"
PROMPTS: Final[Mapping[str, Mapping[str, str]]] = package_values(_PACKAGE, "prompts.toml")
"""Words on the action formats in which a model may answer."""
_BY_TOOL: Final = {
    "form": "Each reply is a call of a tool.",
    "done": "call `finish` with the outcome `done`",
    "failed": "call `finish` with the outcome `impossible` and say why",
}

ActionName = Literal[
    "left_click", "double_click", "triple_click", "right_click", "middle_click", "mouse_move",
    "left_click_drag", "left_mouse_down", "left_mouse_up", "back_click", "forward_click",
    "scroll", "type", "key", "hold_key", "wait", "screenshot", "zoom",
]  # fmt: skip


class ComputerCall(BaseModel):
    """One action with mouse or keyboard."""

    model_config = ConfigDict(extra="allow")

    action: ActionName | None = Field(None, description="What to do. zoom shows a part closely.")
    coordinate: list[int] | None = Field(
        None, description="Where, as [x, y]; for a drag, where it ends."
    )
    start_coordinate: list[int] | None = Field(
        None, description="Where a drag begins, as [x, y]; else where the pointer is."
    )
    text: str | None = Field(
        None,
        description="For type: the text. For key: keys such as ctrl+s, Return or F2. For "
        "hold_key: keys to hold for duration. For a click: keys to hold, such as shift.",
    )
    scroll_direction: Literal["up", "down", "left", "right"] | None = None
    scroll_amount: int | None = Field(None, description="Notches of the wheel, 1 to 50.")
    duration: int | None = Field(None, description="Seconds to wait, or to hold keys.")
    region: list[int] | None = Field(
        None, description="For zoom: the part as [left, top, right, bottom]."
    )
    repeat: int | None = Field(None, description="For key: how often, 1 to 100.")
    press_enter: bool | None = Field(None, description="For type: press Return after the text.")


class OwnComputerCall(ComputerCall):
    """One action with mouse or keyboard, or several.

    Its arguments are those by which Inspect AI knows its own tool, and puts a provider's in place.
    """

    actions: list[dict[str, Any]] | None = Field(
        None, description="Several actions in order, each an object with these arguments."
    )


class FinishCall(BaseModel):
    """The end of the work."""

    outcome: Literal["done", "impossible"] = Field(description="Whether the change is made.")
    message: str = Field(description="What was done, or why it cannot be done, in a sentence.")


@dataclass(frozen=True)
class ModelAgent:
    """Asks ``chat`` for each action.

    The picture that the model sees has at most ``longest`` pixels on its longer side, or the size
    that its provider's own tool assumes. The newest ``pictures`` go along with each request.
    ``thousandths`` is for models that tell points in thousandths of the picture's sides. With
    ``controls`` the screen is described in text, too, as far as it can be; so with 0 pictures a
    model that does not see can work. With an action ``form`` the model answers in words of that
    format, and gets no tools.
    """

    chat: Chat
    longest: int = LONGEST_SIDE
    pictures: int = NEWEST_PICTURES
    thousandths: bool = False
    controls: bool = False
    form: str = ""

    def __call__(self, session: AgentSession) -> Finish:
        """Work on a screen until the model ends; raises what ``AgentSession.do`` and the model
        raise, and AgentFailed if the model says nothing any more."""
        return _Work(self, session).done()

    def scale(self, size: tuple[int, int]) -> PictureScale:
        """How a screen of a size is shown to the model."""
        frame = None if self.form else self.chat.facts.frame
        thousandths = self.thousandths and not frame
        scale = picture_scale(size, longest=self.longest, frame=frame, thousandths=thousandths)
        return format_scale(self.form, scale) if self.form else scale


class _Work:
    """A conversation under way."""

    def __init__(self, agent: ModelAgent, session: AgentSession) -> None:
        self.agent, self.session = agent, session
        self.scale = agent.scale(session.environment.size)
        how = {"seen": "a picture of the screen" if agent.pictures else "the list of its controls"}
        self.system = session.system = fill_prompt(
            _PACKAGE, "prompts/computer.txt", points=self.scale.words(),
            steps=str(session.limits.steps), **how, **PROMPTS.get(agent.form, _BY_TOOL),
        )  # fmt: skip
        how["instruction"] = session.instruction
        task = fill_prompt(_PACKAGE, "prompts/task.txt", **how)
        self.turns = session.turns
        first = task.strip() + self.controls()
        self.turns.append(UserTurn(first, (self.shown(session.screen),)))
        self.silent = 0

    def done(self) -> Finish:
        while True:
            reply = self.reply()
            self.turns.append(reply)
            if reply.calls:
                self.silent = 0
                for number, call in enumerate(reply.calls):
                    finish = self.answered(call, _thought(reply) if not number else "")
                    if finish is not None:
                        return finish
            elif self.agent.form and reply.text.strip() and not reply.cut:
                self.silent = 0
                if (finish := self.done_in_words(reply.text)) is not None:
                    return finish
            elif reply.text.strip() and not reply.cut:
                return Finish(reply.text.strip())
            else:
                self.urge(cut=reply.cut)

    def reply(self) -> ModelTurn:
        """The model's next turn, while there is a step left for it."""
        self.session.check()
        keep = None if self.agent.chat.facts.every_picture else self.agent.pictures
        shown = with_newest_pictures(self.turns, keep)
        tools = () if self.agent.form else offered_tools(self.agent.chat)
        reply = self.agent.chat(shown, system=self.system, tools=tools)
        self.session.spend(reply.usage)
        return reply

    def done_in_words(self, text: str) -> Finish | None:
        """Do what a reply in the agent's action format asks for; not None if it is the end."""
        said, picture = "Done.", self.session.screen
        try:
            reply = read_reply(self.agent.form, text, self.scale, self.session.pointer)
        except ActionRefused as error:
            self.session.refuse(str(error), {"action": "reply", "text": text[:200]})
            reply, said = FormatReply(()), f"That was not done: {error}"
        try:
            for number, call in enumerate(reply.calls):
                picture = self.step(call, "" if number else reply.thought)
        except ActionRefused as error:
            said, picture = f"That was not done: {error}", self.session.screen
        self.turns.append(UserTurn(said + self.controls(), (self.shown(picture),)))
        return reply.finish

    def answered(self, call: ToolCallMade, thought: str) -> Finish | None:
        """Do what one call asks for, and answer with the result; not None if it is the end."""
        if call.name == FINISH and not call.problem:
            args = call.arguments
            return Finish(str(args.get("message", "")), args.get("outcome") == "impossible")
        try:
            self.check(call)
            calls = calls_in(call.arguments)
        except ActionRefused as error:
            self.session.refuse(str(error), {"action": call.name, **call.arguments}, thought)
            self.tell(call, str(error), self.session.screen, refused=True)
            return None
        picture = self.session.screen
        for item in calls:
            try:
                picture = self.step(item, thought)
            except ActionRefused as error:
                self.tell(call, str(error), self.session.screen, refused=True)
                return None
            thought = ""
        self.tell(call, self.words(calls[-1]), picture)
        return None

    def check(self, call: ToolCallMade) -> None:
        if call.problem:
            raise ActionRefused(f"the arguments cannot be read: {call.problem[:300]}")
        if call.name != COMPUTER:
            raise ActionRefused(f"there is no tool {call.name!r}; there are {COMPUTER}, {FINISH}")

    def step(self, call: Mapping[str, Any], thought: str) -> Image.Image:
        """One action, and the picture of it; the whole screen, or the part to look at closely."""
        try:
            read = read_call(call, self.scale, self.session.pointer)
        except ActionRefused as error:
            self.session.refuse(str(error), call, thought)
            raise
        screen = self.session.do(read, call, thought)
        return screen if read.region is None else screen.crop(read.region)

    def words(self, call: Mapping[str, Any]) -> str:
        """Text beside a picture: little, for the picture says it."""
        pointer = self.session.pointer
        if call.get("action") != "cursor_position" or pointer is None:
            return "Done. This is the screen now." if self.agent.pictures else "Done."
        x, y = self.scale.to_model(*pointer)
        return f"The pointer is at {x}, {y}."

    def controls(self) -> str:
        """The controls on the screen as text, with points as the model tells them; empty if
        they are not wanted or there are none."""
        controls = self.session.environment.accessible_text() if self.agent.controls else None
        if not controls:
            return ""
        if len(controls) > _MOST_CONTROLS:
            controls = f"{controls[:_MOST_CONTROLS].rpartition(chr(10))[0]}\n… and more"
        return _CONTROLS + _PLACE.sub(self._place, controls)

    def _place(self, match: re.Match[str]) -> str:
        x, y, width, height = map(int, match.groups())
        left, top = self.scale.to_model(x, y)
        right, bottom = self.scale.to_model(x + width, y + height)
        return f"{left},{top} {right - left}x{bottom - top}"

    def tell(
        self, call: ToolCallMade, text: str, picture: Image.Image, *, refused: bool = False
    ) -> None:
        words = (f"That was not done: {text}" if refused else text) + self.controls()
        self.turns.append(ToolTurn(call, words, (self.shown(picture),), refused))

    def urge(self, *, cut: bool) -> None:
        """Tell the model that its reply was of no use. Raises AgentFailed after several."""
        self.silent += 1
        if self.silent >= _SILENT:
            raise AgentFailed(f"{_SILENT} replies of the model held neither words nor a call")
        why = "was cut off by its length limit" if cut else "was empty"
        self.turns.append(UserTurn(f"Your reply {why}. Call {COMPUTER}, or {FINISH} at the end."))

    def shown(self, picture: Image.Image) -> bytes:
        """A picture as the model gets it: the screen, or a part of it as large as the screen."""
        if picture.size == self.scale.screen:
            return png_bytes(self.scale.shown(picture))
        width, height = self.scale.picture
        factor = min(width / picture.width, height / picture.height)
        size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
        return png_bytes(picture.resize(size, Image.Resampling.LANCZOS))


def offered_tools(chat: Chat) -> tuple[OfferedTool, ...]:
    """The tools of the agent; where the provider may have a ``computer`` of its own, in the shape
    by which Inspect AI knows that tool."""
    form = OwnComputerCall if chat.facts.own_computer else ComputerCall
    return (
        OfferedTool(COMPUTER, "Use the mouse or the keyboard; you get a picture of the screen "
                    "afterwards.", form),
        OfferedTool(FINISH, "End the work, once the deck is saved.", FinishCall),
    )  # fmt: skip


def with_newest_pictures(turns: Sequence[Turn], keep: int | None) -> list[Turn]:
    """The turns with the pictures, and the controls as text, of the last ``keep`` that have any;
    None keeps all. With 0 only the newest controls are left."""
    kept: list[Turn] = []
    left = len(turns) if keep is None else keep
    newest = True
    for turn in reversed(turns):
        if isinstance(turn, ModelTurn) or not turn.images:
            kept.append(turn)
            continue
        left -= 1
        text = turn.text
        if left < 0 and not (newest and keep == 0):
            text = turn.text.partition(_CONTROLS)[0]
        if left < 0 and keep:
            text = f"{text} {_LEFT_OUT}"
        kept.append(replace(turn, images=turn.images if left >= 0 else (), text=text))
        newest = False
    return kept[::-1]


def _thought(reply: ModelTurn) -> str:
    return "\n".join(filter(None, (reply.thought.strip(), reply.text.strip())))
