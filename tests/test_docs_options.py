"""Options, defaults and exit codes that the docs state are those of the command line.

What stands in blocks is checked in ``test_docs``; here is what stands in sentences and tables.
"""

import re
import shlex
from collections import defaultdict
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from tests.commands import commands
from tests.test_docs import PAGES, ROOT, parse

from decklab.board.library import LAYOUTS
from decklab.board.themes import THEMES
from decklab.linting.rules.every import LINT_RULES
from decklab.sandbox.limits import RunLimits
from decklab.writer.markdown_content import MARKDOWN_LAYOUTS

INLINE = re.compile(r"`(decklab [a-z][^`]*)`")
"""A command in a sentence; ``...`` in it stands for what the page leaves out."""
BENCH = re.compile(r"python -m (bench[.\w]*)([^`\n|]*)")
DEFAULTS = [
    re.compile(r"`(--[a-z-]+)(?: [^`]*)?` \((\d[\d,.]*\d|\d)\)"),
    re.compile(r"`(--[a-z-]+)(?: [^`]*)?` \| [^|(]*\((\d[\d,.]*\d|\d)\) \|"),
    re.compile(r"`(--[a-z-]+)(?: [^`]*)?`(?: \||,)[^|`;.]*?(\b\d\S*) by default"),
]
"""``--runs`` (3); a cell that ends with (3); a cell or clause that says "3 by default"."""

NUMBERS = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"


def text_of(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_sentences_could_run(page: Path) -> None:
    for found in INLINE.findall(text_of(page)):
        words = shlex.split(" ".join(found.split()))[1:]
        left_out = any(re.search(r"\.\.\.|…|\*|^[A-Z]+$", word) for word in words[:2])
        if len(words) > 1 and not left_out:  # no group, such as "decklab quiz"
            parse([*words, "value"] if words[-1].startswith("--") else words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_programs_of_bench_know_their_options(page: Path) -> None:
    for module, rest in BENCH.findall(page.read_text()):
        place = ROOT.joinpath(*module.split("."))
        files = sorted(place.glob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        source = "".join(file.read_text() for file in files)
        for option in re.findall(r"--[a-z][a-z-]*", rest):
            assert f'"{option}"' in source, f"{page.name}: python -m {module} {option}"


def defaults() -> dict[str, set[str]]:
    """The defaults of each option, over all commands that have it."""
    found: dict[str, set[str]] = defaultdict(set)
    for _, command in commands():
        for parameter in command.params:
            for name in parameter.opts:
                found[name].add(str(parameter.default).removesuffix(".0"))
    return found


def test_defaults_on_the_pages_are_those_of_the_commands() -> None:
    known, stated = defaults(), 0
    for page in PAGES:
        for pattern in DEFAULTS:
            for option, value in pattern.findall(text_of(page)):
                if option in known:
                    stated += 1
                    plain = value.replace(",", "")
                    assert plain in known[option], f"{page.name}: {option} {value}"
    assert stated > 10


def stated_codes(command: Any) -> set[str]:
    """The exit codes besides 0 and 2 that the help of a command names."""
    text = " ".join((command.help or "").split())
    codes = re.search(r"Exit codes: (.*?)\.(?: |$)", text)
    named = re.findall(r"(?:^|[;,] )(\d)(?= )", codes[1]) if codes else []
    return {*named, *re.findall(r"exits with (\d)", text, re.IGNORECASE)} - {"0", "2"}


def rows() -> dict[str, dict[str, str]]:
    """What each code means, by the names of commands in the table of exit codes."""
    table: dict[str, dict[str, str]] = {}
    text = (ROOT / "docs" / "exit-codes.md").read_text()
    for names, *cells in re.findall(r"^\| (`.+?) \| ?(.*?) ?\| ?(.*?) ?\| ?(.*?) ?\|$", text, re.M):
        for name in re.findall(r"`([a-z. ]+)`", names):
            table[name.removesuffix(" ...")] = dict(zip("134", cells, strict=True))
    return table


def test_exit_codes_of_commands_have_their_row() -> None:
    table, group = rows(), "bench"
    names = dict(commands())
    assert set(table) - {group} <= set(names)
    for name, command in names.items():
        row = table.get(name) or table.get(name.split()[0], {})
        for code in stated_codes(command):
            assert row.get(code), f"{name} exits with {code}"
        for code in "34":
            if row.get(code) and name in table:
                assert code in stated_codes(command), f"the help of {name} names no {code}"


ELSEWHERE = {
    *("CachePolicy", "KaTeX", "acme_decks", "case_007", "claude_desktop_config", "fly_in_from_top"),
    *("library_speech", "mcp_config", "mcp_server_stdio", "tool_timeout_sec", "with_japanese"),
}
"""Names of other programs, and of files and decks of a reader's own."""


def test_names_in_code_are_those_of_the_code() -> None:
    name = re.compile(r"\b(?:[a-z]+_[a-z_0-9]+|[A-Z][a-z]+[A-Z]\w+)\b")
    codes = (
        code
        for page in PAGES
        if page.name != "CONTRIBUTING.md"
        for code in re.findall(r"`([^`\n]+)`", text_of(page))
    )
    unknown = {found for code in codes for found in name.findall(code)} - ELSEWHERE
    assert len(unknown) > 300
    for folder in ("src", "bench", "generate", "tests", "scripts"):
        for path in sorted((ROOT / folder).rglob("*")):
            unknown.discard(path.stem)
            if unknown and path.suffix in {".py", ".toml", ".txt"}:
                text = path.read_text()
                unknown -= {word for word in unknown if word in text}
    assert not unknown


def test_the_limits_of_a_run_are_those_of_the_sandbox() -> None:
    stated: dict[str, str] = {}
    for names, defaults in re.findall(
        r"^\| (`[a-z_`, ]+`) \| ([\d, KMGiB]+) \|", (ROOT / "docs/sandbox.md").read_text(), re.M
    ):
        numbers = defaults.split(", ")
        stated |= dict(zip(re.findall(r"`(\w+)`", names), numbers, strict=True))
    units = {"MiB": 2**20, "GiB": 2**30}
    for name, words in stated.items():
        number, _, unit = words.partition(" ")
        assert int(number) * units.get(unit, 1) == getattr(RunLimits(), name), name
    assert set(stated) == {field.name for field in fields(RunLimits)}


def test_rules_that_reports_leave_out_are_named() -> None:
    page = " ".join((ROOT / "docs/lint.md").read_text().split())
    sentence = re.search(r"Rules of the groups ([^:]*?) are not in the reports", page)
    assert sentence is not None
    named = re.findall(r"`([a-z.-]+)`", sentence[1])
    stated = {id for id in LINT_RULES if {id, id.split(".")[0]}.intersection(named)}
    assert stated == {id for id in LINT_RULES if not LINT_RULES[id].scored}


def test_layouts_of_plain_markdown_are_all_named() -> None:
    page = text_of(ROOT / "docs/markdown-slides.md")
    row = re.search(r"^\| `<!-- layout: timeline -->` \| the layout: (.*) \|$", page, re.M)
    assert row is not None
    named = {name.replace("-", "_") for name in re.findall(r"`([a-z-]+)`", row[1])}
    assert named == MARKDOWN_LAYOUTS


def test_layouts_and_designs_are_counted_as_they_are() -> None:
    counted = 0
    for page in PAGES:
        text = text_of(page)
        for number in re.findall(r"\b(\d+) (?:layouts(?: that|,)|arrangements of a slide)", text):
            assert int(number) == len(LAYOUTS), f"{page.name}: {number} layouts"
            counted += 1
        for number in re.findall(rf"\b({NUMBERS}) \[?(?:designs|themes)\b", text):
            assert (number, len(list(THEMES))) == ("twelve", 12), f"{page.name}: {number} designs"
            counted += 1
    assert counted > 5


def test_the_architecture_names_all_that_rooms_share() -> None:
    row = re.search(r"^\| `core` \| (.*) \|$", (ROOT / "docs/architecture.md").read_text(), re.M)
    assert row is not None
    modules = {path.stem for path in (ROOT / "src/decklab/core").glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", row[1])) == modules
