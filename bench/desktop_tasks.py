"""PPT-Eval's starter tasks on the screen of Impress: what a save alone scores, and what scripts do.

``python -m bench.desktop_tasks noop`` opens and saves the deck of every task and grades it: all
score 0. ``python -m bench.desktop_tasks scripts`` plays the lists of actions in
``bench/desktop_scripts``, which solve their tasks through menus, dialogs and keys alone: all score
1. With ``--format`` each call is first written as a model of that action format would write it, and
read back; scripts with an action that the format lacks are left out, and named. All leave the
report of a run, with a page of every trajectory, in ``--out``, print it, and end with 1 where a
score is another.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from decklab.core.options import EditLimits, TaskAgent
from decklab.evals.desktop.impress import SIZE
from decklab.evals.ppteval.running import bench_ppteval
from decklab.evals.ppteval.tasks import starter_tasks

SCRIPTS: Final = Path(__file__).with_name("desktop_scripts")
_LIMITS: Final = EditLimits(seconds=600.0, steps=60)
"""Scripts have a step for each key and click, more than a model's 30."""


Writer = Callable[[Mapping[str, Any]], str]
_CLICKS: Final = {"left_click": 1, "double_click": 2, "triple_click": 3}


def as_pyautogui(call: Mapping[str, Any]) -> str:
    """A call as code for pyautogui."""
    x, y = call.get("coordinate", (None, None))
    match call["action"]:
        case "key":
            lines = [
                f"pyautogui.hotkey({', '.join(map(repr, chord.split('+')))})"
                for chord in call["text"].split()
            ] * call.get("repeat", 1)
        case "type":
            lines = [f"pyautogui.write({call['text']!r})"]
        case "wait":
            lines = [f"pyautogui.sleep({call['duration']})"]
        case "mouse_move":
            lines = [f"pyautogui.moveTo({x}, {y})"]
        case name:
            lines = [f"pyautogui.click({x}, {y}, clicks={_CLICKS[name]})"]
            if keys := call.get("text"):
                lines = [f"with pyautogui.hold({keys!r}):", f"    {lines[0]}"]
    return "```python\n" + "\n".join(lines) + "\n```"


def as_openai(call: Mapping[str, Any]) -> str:
    """A call as actions of OpenAI's computer tool; KeyError for what it has not."""
    point = dict(zip("xy", call.get("coordinate", ()), strict=False))
    match call["action"]:
        case "key":
            actions = [{"type": "keypress", "keys": chord.split("+")}
                       for chord in call["text"].split()] * call.get("repeat", 1)  # fmt: skip
        case "type":
            actions = [{"type": "type", "text": call["text"]}]
        case "wait":
            actions = [{"type": "wait"}] * call["duration"]
        case name:
            kind = {"left_click": "click", "double_click": "double_click", "mouse_move": "move"}
            keys = {"keys": call["text"].split("+")} if "text" in call else {}
            actions = [{"type": kind[name], **point, **keys}]
    return json.dumps(actions)


def as_qwen(call: Mapping[str, Any]) -> str:
    """A call as calls of Qwen3-VL, points in thousandths; KeyError for what it has not."""
    more: dict[str, Any] = {}
    if point := call.get("coordinate"):
        more["coordinate"] = [round(1000 * at / side) for at, side in zip(point, SIZE, strict=True)]
    match call["action"]:
        case "key":
            given = [{"action": "key", "keys": chord.split("+")}
                     for chord in call["text"].split()] * call.get("repeat", 1)  # fmt: skip
        case "type":
            given = [{"action": "type", "text": call["text"]}]
        case "wait":
            given = [{"action": "wait", "time": call["duration"]}]
        case name if "text" in call:
            raise KeyError(f"{name} with keys held")
        case name:
            given = [{"action": name, **more}]
    calls = [json.dumps({"name": "computer_use", "arguments": one}) for one in given]
    return "\n".join(f"<tool_call>\n{text}\n</tool_call>" for text in calls)


WRITERS: Final[Mapping[str, Writer]] = {
    "pyautogui": as_pyautogui, "openai": as_openai, "qwen3-vl": as_qwen,
}  # fmt: skip


def rewritten(names: Sequence[str], form: str, folder: Path) -> list[str]:
    """Write the scripts in a format to ``folder``; gives the tasks whose script can be written."""
    possible = []
    for name in names:
        calls = json.loads((SCRIPTS / f"{name}.json").read_text())
        try:
            replies = [WRITERS[form](call) for call in calls]
        except KeyError as lacking:
            print(f"{name}: left out, for {form} has no {lacking}", flush=True)
            continue
        script = {"format": form, "actions": replies}
        (folder / f"{name}.json").write_text(json.dumps(script, ensure_ascii=False))
        possible.append(name)
    return possible


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.desktop_tasks", description=__doc__)
    parser.add_argument("what", choices=("noop", "scripts"))
    parser.add_argument("--out", type=Path, default=Path("decklab-results/desktop-tasks"))
    parser.add_argument("--task", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--environments", type=int, default=2)
    parser.add_argument("--format", choices=list(WRITERS))
    how = parser.parse_args(arguments)
    scripted = how.what == "scripts"
    known = sorted(path.stem for path in SCRIPTS.glob("*.json"))
    names = how.task or (known if scripted else [task.name for task in starter_tasks()])
    with TemporaryDirectory(prefix="bench-scripts-") as folder:
        scripts = SCRIPTS if scripted else None
        if scripted and how.format:
            scripts, names = Path(folder), rewritten(names, how.format, Path(folder))
        agent = TaskAgent("desktop", scripts, environments=how.environments)
        run = bench_ppteval(
            how.out / (how.format or how.what), names=names, agent=agent, limits=_LIMITS,
            overwrite=True, pictures=scripted,
        )  # fmt: skip
    wrong = [one for one in run.outcomes if one.score != float(scripted)]
    for line in (*run.lines(), *run.warnings()):
        print(line)
    for one in wrong:
        print(f"{one.task}: {one.range.shown}, not {float(scripted):g}: {one.reason}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
