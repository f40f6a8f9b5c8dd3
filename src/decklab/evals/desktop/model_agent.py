"""An agent that asks a model: it sees pictures of the screen, and replies with calls of a tool.

Paper 001, sections 3 and 4.2: a screenshot after each action, and 30 actions at most. The tool is
Inspect AI's ``computer``, for which some providers have one of their own; other models get it as a
plain function.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from PIL import Image
from pydantic import BaseModel, ConfigDict, Field

from decklab.evals.desktop.action_calls import calls_in, read_call
from decklab.evals.desktop.environment import ActionRefused
from decklab.evals.desktop.runs import AgentFailed
from decklab.evals.desktop.scaling import LONGEST_SIDE, PictureScale, picture_scale
from decklab.evals.desktop.session import AgentSession, Finish
from decklab.evals.desktop.trajectory import png_bytes
from decklab.models.asking import fill_prompt
from decklab.models.turns import (
    Chat,
    ModelTurn,
    OfferedTool,
    ToolCallMade,
    ToolTurn,
    Turn,
    UserTurn,
)

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

ActionName = Literal[
    "left_click", "double_click", "triple_click", "right_click", "middle_click", "mouse_move",
    "left_click_drag", "scroll", "type", "key", "wait", "screenshot", "zoom",
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
        description="For type: the text. For key: keys such as ctrl+s, Return or F2. For a click: "
        "keys to hold, such as shift.",
    )
    scroll_direction: Literal["up", "down", "left", "right"] | None = None
    scroll_amount: int | None = Field(None, description="Notches of the wheel, 1 to 50.")
    duration: int | None = Field(None, description="Seconds to wait.")
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
    model that does not see can work.
    """

    chat: Chat
    longest: int = LONGEST_SIDE
    pictures: int = NEWEST_PICTURES
    thousandths: bool = False
    controls: bool = False

    def __call__(self, session: AgentSession) -> Finish:
        """Work on a screen until the model ends; raises what ``AgentSession.do`` and the model
        raise, and AgentFailed if the model says nothing any more."""
        return _Work(self, session).done()

    def scale(self, size: tuple[int, int]) -> PictureScale:
        """How a screen of a size is shown to the model."""
        frame = self.chat.facts.frame
        return picture_scale(
            size, longest=self.longest, frame=frame, thousandths=self.thousandths and not frame
        )


class _Work:
    """A conversation under way."""

    def __init__(self, agent: ModelAgent, session: AgentSession) -> None:
        self.agent, self.session = agent, session
        self.scale = agent.scale(session.environment.size)
        how = {"seen": "a picture of the screen" if agent.pictures else "the list of its controls"}
        self.system = session.system = fill_prompt(
            _PACKAGE, "prompts/computer.txt", points=self.scale.words(),
            steps=str(session.limits.steps), **how,
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
            elif reply.text.strip() and not reply.cut:
                return Finish(reply.text.strip())
            else:
                self.urge(cut=reply.cut)

    def reply(self) -> ModelTurn:
        """The model's next turn, while there is a step left for it."""
        self.session.check()
        keep = None if self.agent.chat.facts.every_picture else self.agent.pictures
        shown = with_newest_pictures(self.turns, keep)
        reply = self.agent.chat(shown, system=self.system, tools=offered_tools(self.agent.chat))
        self.session.spend(reply.usage)
        return reply

    def answered(self, call: ToolCallMade, thought: str) -> Finish | None:
        """Do what one call asks for, and answer with the result; not None if it is the end."""
        if call.name == FINISH and not call.problem:
            told = call.arguments
            return Finish(str(told.get("message", "")), told.get("outcome") == "impossible")
        try:
            self.check(call)
            calls = calls_in(call.arguments)
        except ActionRefused as error:
            self.session.refuse(str(error), {"action": call.name, **call.arguments}, thought)
            self.tell(call, str(error), self.session.screen, refused=True)
            return None
        picture = self.session.screen
        for one in calls:
            try:
                picture = self.step(one, thought)
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
        x, y = self.scale.told(*pointer)
        return f"The pointer is at {x}, {y}."

    def controls(self) -> str:
        """The controls on the screen as text, with points as the model tells them; empty if
        they are not wanted or there are none."""
        found = self.session.environment.accessible_text() if self.agent.controls else None
        if not found:
            return ""
        if len(found) > _MOST_CONTROLS:
            found = f"{found[:_MOST_CONTROLS].rpartition(chr(10))[0]}\n… and more"
        return _CONTROLS + _PLACE.sub(self._place, found)

    def _place(self, found: re.Match[str]) -> str:
        x, y, width, height = map(int, found.groups())
        left, top = self.scale.told(x, y)
        right, bottom = self.scale.told(x + width, y + height)
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
    told: list[Turn] = []
    left = len(turns) if keep is None else keep
    newest = True
    for turn in reversed(turns):
        if isinstance(turn, ModelTurn) or not turn.images:
            told.append(turn)
            continue
        left -= 1
        text = turn.text
        if left < 0 and not (newest and keep == 0):
            text = turn.text.partition(_CONTROLS)[0]
        if left < 0 and keep:
            text = f"{text} {_LEFT_OUT}"
        told.append(replace(turn, images=turn.images if left >= 0 else (), text=text))
        newest = False
    return told[::-1]


def _thought(reply: ModelTurn) -> str:
    return "\n".join(filter(None, (reply.thought.strip(), reply.text.strip())))
