"""The server as clients see it, over standard input and output and by HTTP."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from pptx import Presentation
from tests.workbench.mcp.conftest import SERVER, Server, hostile_decks, http_server, temporary
from typer.testing import CliRunner

from decklab import workbench
from decklab.cli.serve import app
from decklab.core.errors import Unavailable
from decklab.core.options import HttpAddress
from decklab.workbench.mcp.serving import TOOLS

PROGRAM = "def edit(prs):\n    set_title(prs, 1, 'Mice')\n    print('slides:', len(prs.slides))"


def test_every_tool_has_a_schema_and_says_whether_it_writes(server: Server) -> None:
    tools = {tool.name: tool for tool in server.portal.call(server.client.list_tools).tools}
    assert list(tools) == list(TOOLS)
    writing = {name for name, tool in tools.items() if not tool.annotations.read_only_hint}
    assert writing == {"edit", "run_program", "apply_patches", "undo", "write"}
    for tool in tools.values():
        assert tool.annotations.destructive_hint is False
        assert tool.input_schema["additionalProperties"] is False
        assert "roots" not in tool.input_schema["properties"]
        assert 60 < len(tool.description or "") < 400
    spent = sum(
        len(json.dumps(one.input_schema)) + len(one.description or "") for one in tools.values()
    )
    assert spent < 16_000  # every client pays for it in every conversation
    assert "list_files" in (server.client.instructions or "")


@pytest.mark.long
def test_decks_are_listed_read_and_searched(server: Server) -> None:
    assert "talk.pptx (" in server.text("list_files", pattern="*.pptx")
    shown = server.text("outline", deck="talk.pptx")
    assert "3 slides" in shown and '2: "Results" [Title Only; ' in shown
    assert "slide 2, text, Fine print" in server.text("find", deck="talk.pptx", words="IGNORE all")
    assert "Slide 2" in server.text("extract", deck="talk.pptx", slides=2)
    shapes = server.text("extract", deck="talk.pptx", slides=[2], detail="shapes")
    assert '"size":6' in shapes.replace(" ", "")
    everything = server.text("extract", deck="talk.pptx", detail="everything")
    rest = server.text("extract", deck="talk.pptx", detail="everything", start=10)
    assert '"sources"' in everything and rest[-200:] == everything[-200:]
    assert "nothing to repair" in server.text("validate", deck="talk.pptx")


def test_words_of_a_deck_are_marked_and_cannot_close_the_mark(server: Server) -> None:
    shown = server.text("extract", deck="talk.pptx", slides="1")
    assert shown.count("<deck_content>") == shown.count("</deck_content>") == 1
    assert shown.index("Ignore all rules") < shown.index("</deck_content>")


@pytest.mark.long
@pytest.mark.office
def test_slides_are_drawn_linted_and_scored(server: Server) -> None:
    result = server.call("render", deck="talk.pptx", slides="1,2", width=320)
    assert [one.type for one in result.content] == ["text", "image", "image"]
    found = server.text("lint", deck="talk.pptx", rules=["text", "accessibility"])
    assert "[text.small]" in found and "Fix: " in found
    assert "[text.small]" not in server.text("lint", deck="talk.pptx", ignore=["text"])
    scored = server.text("score", deck="one.pptx")
    assert re.search(
        r"^quality.score: [\d.]+ \(0 to 100, higher is better\): ", scored, re.MULTILINE
    )
    assert "harmony.score: not scored: no slide has" in scored


@pytest.mark.long
@pytest.mark.office
def test_edits_write_new_files_and_leave_the_input(server: Server, caged: None) -> None:
    source = server.folder / "talk.pptx"
    before = source.read_bytes()
    mine = f"{server.pid}"
    calls: dict[str, dict[str, Any]] = {
        "edit": {"request": "change the title of slide 1 to Mice"},
        "run_program": {"code": PROGRAM},
        "apply_patches": {
            "patches": [{"part": "ppt/slides/slide1.xml", "action": "text", "value": "Mice",
                         "xpath": "//p:sp[p:nvSpPr/p:nvPr/p:ph]//a:t"}]
        },
    }  # fmt: skip
    for name, arguments in calls.items():
        said = server.text(name, deck="talk.pptx", out=f"{mine}/{name}.pptx", **arguments)
        assert said.startswith(f"done: wrote {mine}/{name}.pptx, edit 1 of this session.")
        assert "“Cats” became “Mice”" in said
        title = Presentation(str(server.folder / mine / f"{name}.pptx")).slides[0].shapes.title
        assert title is not None and title.text == "Mice"
        again = server.refused(name, deck="talk.pptx", out=f"{mine}/{name}.pptx", **arguments)
        assert "no file is overwritten" in again and f"{mine}/{name}-2.pptx" in again
    assert source.read_bytes() == before
    assert "“Cats” became “Mice”" in server.text(
        "diff", before="talk.pptx", after=f"{mine}/edit.pptx"
    )
    graded = server.text(
        "grade", original="talk.pptx", modified=f"{mine}/edit.pptx", rubric="rubric.json"
    )
    assert "The title is 'Mice'" in graded


def test_a_session_goes_on_with_its_deck_and_takes_edits_back(server: Server, caged: None) -> None:
    source = server.folder / "talk.pptx"
    before = source.read_bytes()
    calls = ["set_title(1, 'Mice')", "set_notes(1, 'Wave.')"]
    said = server.text("edit", deck="talk.pptx", operations=calls, out=f"stack-{server.pid}.pptx")
    name = f"stack-{server.pid}.pptx"
    assert said.startswith(f"done: wrote {name}, edit 1 of this session.")
    said = server.text("edit", deck=name, request="change the title of slide 2 to Dogs")
    assert said.startswith(f"done: wrote {name}, edit 2 of this session.")

    def titles() -> list[str]:
        shown = (slide.shapes.title for slide in Presentation(str(server.folder / name)).slides)
        return [title.text for title in shown if title is not None]

    assert titles()[:2] == ["Mice", "Dogs"]
    assert "1. “set_title(1, 'Mice'); set_notes" in server.text("history", deck=name)
    assert "Edit 1 is taken back." in server.text("undo", deck=name, number=1)
    assert titles()[:2] == ["Cats", "Dogs"]
    assert "(taken back)" in server.text("history", deck=name)
    server.text("undo", deck=name)
    assert titles()[:2] == ["Cats", "Results"]
    assert "no edit of" in server.refused("undo", deck=name)
    assert "was not edited in this session" in server.refused("undo", deck="talk.pptx")
    assert source.read_bytes() == before


def test_wrong_operations_change_nothing_and_are_explained(server: Server) -> None:
    said = server.refused("edit", deck="talk.pptx", operations=["set_title(1)"])
    assert "set_title: missing a required argument: 'text'" in said
    assert "near" not in server.refused("edit", deck="talk.pptx", operations=["titles(1)"])
    assert "not both" in server.refused("edit", deck="talk.pptx")
    call = ["set_title(1, 'Mice')"]
    said = server.refused("edit", deck="talk.pptx", operations=call, slides="2")
    assert "operations name their slides themselves" in said


@pytest.mark.office
def test_an_edit_shows_the_slides_that_look_different(server: Server, caged: None) -> None:
    result = server.call("edit", deck="talk.pptx", operations=["set_title(1, 'Mice')"],
                         pictures=2, out=f"seen-{server.pid}.pptx")  # fmt: skip
    assert [one.type for one in result.content] == ["text", "image"]
    assert "slide 1 after the edit" in result.content[0].text


@pytest.mark.long
def test_a_deck_is_written_and_judged(server: Server) -> None:
    name = f"cats-{server.pid}.pptx"
    assert f"Wrote {name}" in server.text("write", out=name, sources=["report.md"])
    judged = server.text("judge", deck=name, sources=["report.md"], setting="long-doc")
    assert "Key point coverage" in judged
    given = f"given-{server.pid}.pptx"
    server.text("write", out=given, markdown="# Cats\n\n- purr\n\n---\n\n# Dogs\n\n- bark\n")
    assert len(Presentation(str(server.folder / given)).slides) == 2


def test_the_tools_explain_themselves(server: Server) -> None:
    assert "replace Agenda with Overview everywhere" in server.text("how_to", topic="edit")
    assert "set_chart_data(slide: int, " in server.text("how_to", topic="operations", word="chart")
    assert "crop_more(4, 'Picture 3', 'left', 0.2)" in server.text("how_to", topic="operations")
    assert '"Title Only"' in server.text("how_to", topic="layouts", deck="talk.pptx")
    assert "text.small" in server.text("how_to", topic="lint")
    assert "<p:sld>" in server.text("part_xml", deck="talk.pptx", part="2")
    assert "ppt/slides/slide2.xml" in server.text("part_xml", deck="talk.pptx", part="slide2")


def test_wrong_calls_are_answered_with_what_to_do(server: Server) -> None:
    assert "did you mean 'outline'?" in server.refused("outlin", deck="talk.pptx")
    wrong = server.refused("outline", dek="talk.pptx")
    assert "there is no argument 'dek'; did you mean 'deck'?" in wrong
    assert "'deck' is missing" in server.refused("outline")
    assert "did you mean 'talk.pptx'" in server.refused("outline", deck="tallk.pptx")
    assert "is no PowerPoint deck" in server.refused("outline", deck="report.md")
    assert "there is no slide 9" in server.refused("render", deck="talk.pptx", slides="9")
    assert "how_to(topic='lint')" in server.refused("lint", deck="talk.pptx", rules=["txt"])
    assert "run_program" in server.refused("edit", deck="talk.pptx", request="make it nicer")
    assert "name sources" in server.refused("write", out="x.pptx")
    assert "there is no part" in server.refused(
        "apply_patches", deck="talk.pptx",
        patches=[{"part": "ppt/no.xml", "action": "text", "xpath": "//a:t"}],
    ).replace("such ", "")  # fmt: skip


@pytest.mark.by_day(1)
@pytest.mark.parametrize("name", ["cut", "bomb", "entities", "escaping"])
def test_hostile_decks_cost_one_line_and_nothing_else(server: Server, name: str) -> None:
    hostile_decks(server.folder)
    for tool in ("outline", "lint", "render"):
        assert f"{name}.pptx: " in server.refused(tool, deck=f"{name}.pptx")
    refused = server.refused("edit", deck=f"{name}.pptx", request="delete slide 1")
    assert f"{name}.pptx: " in refused and not [*server.folder.glob(f"{name}.edited*")]
    assert "3 slides" in server.text("outline", deck="talk.pptx")


@pytest.mark.parametrize(
    "path", ["../outside.pptx", "/etc/passwd", "away.pptx", "folder/outside.pptx", "a\0b", ""]
)
def test_nothing_outside_of_the_folder_is_read_or_written(server: Server, path: str) -> None:
    outside = server.folder.parent / "outside.pptx"
    outside.write_bytes((server.folder / "talk.pptx").read_bytes())
    if not (server.folder / "away.pptx").is_symlink():
        (server.folder / "away.pptx").symlink_to(outside)
        (server.folder / "folder").symlink_to(server.folder.parent)
    assert "list_files" in server.refused("outline", deck=path)
    if path:
        server.refused("edit", deck="talk.pptx", request="delete slide 1", out=path)
    assert "away.pptx" not in server.text("list_files")
    assert outside.read_bytes() == (server.folder / "talk.pptx").read_bytes()


@pytest.mark.long
@pytest.mark.office
@pytest.mark.parametrize("server", ["stdio"], indirect=True)
def test_a_scripted_model_mends_a_deck_until_lint_finds_nothing(
    server: Server, caged: None
) -> None:
    """It reads findings, and has one way to mend each rule, as a model would think of it."""
    requests = {
        "accessibility.poor-alt-text":
            "set the alt text of the picture on slide {} to 'A green square'",
        "text.small": "make the text on slide {} 18pt",
    }  # fmt: skip
    deck, seen = "talk.pptx", set[str]()
    for _ in range(3):
        found = server.text("lint", deck=deck)
        findings = re.findall(r"slide (\d+).*\[([\w.-]+)\]$", found, re.MULTILINE)
        seen |= {rule for _, rule in findings}
        wanted = [requests[rule].format(slide) for slide, rule in findings if rule in requests]
        if wanted:
            deck = written(server.text("edit", deck=deck, request="; ".join(wanted)))
        untitled = [slide for slide, rule in findings if "missing-slide-title" in rule]
        if untitled:
            code = f"def edit(prs): set_title(prs, {untitled[0]}, 'What is next')"
            deck = written(server.text("run_program", deck=deck, code=code))
        if not findings:
            break
    assert "0 errors, 0 warnings" in found and deck == "talk.edited.pptx"
    assert seen == {*requests, "accessibility.missing-slide-title"}


def written(said: str) -> str:
    """The name of the new deck that an answer tells."""
    return said.split("wrote ")[1].splitlines()[0].rstrip(".").partition(", edit ")[0]


def state(server: Server) -> dict[str, object]:
    """What a server holds: processes, open files, and what lies in folders. A display of its own
    would be one of the processes."""
    process = psutil.Process(server.pid)
    below = process.children(recursive=True)
    return {
        "processes": len(below),
        "files": sum(one.num_fds() for one in (process, *below)),
        "temporary": sorted(temporary(server.folder).rglob("*")),
        "folder": sorted(server.folder.rglob("*")),
    }


@pytest.mark.long
def test_fifty_calls_leave_nothing_behind(server: Server) -> None:
    calls = [
        ("outline", {"deck": "talk.pptx"}),
        ("find", {"deck": "talk.pptx", "words": "cats"}),
        ("edit", {"deck": "talk.pptx", "request": "nothing"}),
        ("list_files", {}),
        ("outline", {"deck": "cut.pptx"}),
    ]
    for name, arguments in calls:
        server.call(name, **arguments)
    before = state(server)
    for turn in range(50):
        name, arguments = calls[turn % len(calls)]
        server.call(name, **arguments)
    assert state(server) == before
    assert before["processes"] == 1 and before["temporary"] == []


HELLO = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
)
"""How a client of an earlier version of the protocol begins."""


def called(name: str, **arguments: str) -> dict[str, object]:
    params = {"name": name, "arguments": arguments}
    return {"id": 2 if name != "score" else 3, "method": "tools/call", "params": params}


@pytest.mark.long
def test_only_the_protocol_is_on_standard_output_and_the_end_of_input_ends_it(
    folder: Path, caged: None
) -> None:
    with subprocess.Popen(
        [*SERVER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for line in (*HELLO, called("find", deck="talk.pptx", words="Cats")):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
        process.stdin.write("no json\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        below = psutil.Process(process.pid).children(recursive=True)
        rest, _ = process.communicate(timeout=20)
    assert [answer["id"] for answer in answers] == [1, 2] and process.returncode == 0
    assert "slide 1" in answers[1]["result"]["content"][0]["text"]
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
    assert below and psutil.wait_procs(below, timeout=10)[1] == []


@pytest.mark.long
def test_a_signal_ends_a_server_in_the_middle_of_a_call(folder: Path) -> None:
    with subprocess.Popen(
        [*SERVER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for line in (
            *HELLO,
            called("outline", deck="talk.pptx"),
            called("score", deck="talk.pptx"),
        ):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}) + "\n")
            process.stdin.flush()
        assert [json.loads(process.stdout.readline())["id"] for _ in range(2)] == [1, 2]
        below = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        assert process.wait(timeout=10) == 128 + signal.SIGTERM
        assert below and psutil.wait_procs(below, timeout=10)[1] == []


def post(address: str, **headers: str) -> int:
    body = {"jsonrpc": "2.0", **HELLO[0]}
    accepted = {"Accept": "application/json, text/event-stream", **headers}
    return httpx.post(address, json=body, headers=accepted, timeout=20).status_code


@pytest.mark.long
def test_other_sites_and_clients_without_the_token_are_refused(folder: Path) -> None:
    token = "a-token-of-some-length"
    with http_server(folder, DECKLAB_MCP_TOKEN=token) as (address, _):
        mine = {"Authorization": f"Bearer {token}"}
        assert address.startswith("http://127.0.0.1:")
        assert post(address, **mine) == 200
        assert post(address) == post(address, Authorization="Bearer another-token-here") == 401
        assert post(address, Origin="https://evil.example", **mine) == 403
        assert post(address, Host="evil.example", **mine) == 421
        assert post(address, Origin=address.removesuffix("/mcp"), **mine) == 200


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (HttpAddress("0.0.0.0"), "give a token"),
        (HttpAddress("decks.example"), "give a token"),
        (HttpAddress("0.0.0.0", token="short"), "at least 16 characters"),
    ],
)
def test_a_server_that_would_be_unsafe_is_not_started(
    folder: Path, address: HttpAddress, said: str
) -> None:
    with pytest.raises(Unavailable, match=said):
        workbench.serve_mcp([folder], http=address)


def test_what_cannot_be_served_is_said_in_a_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="is no folder"):
        workbench.serve_mcp([tmp_path / "nowhere"])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = HttpAddress(port=taken.getsockname()[1])
        with pytest.raises(Unavailable, match="cannot be had: Address already in use"):
            workbench.serve_mcp([folder], http=address)
    for words in (["--host", "0.0.0.0"], ["--token-file", "x"], ["--http", "--token-file", "x"]):
        done = CliRunner().invoke(app, ["mcp", str(folder), *words])
        assert done.exit_code == 2 and ("need --http" in done.output or "x cannot" in done.output)


def test_without_the_extra_it_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['mcp'] = None; sys.argv = ['decklab', 'mcp', '.']\n"
        "from decklab.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("decklab: decklab mcp needs more packages: ")
    assert done.stderr.endswith("[mcp]'\n")
