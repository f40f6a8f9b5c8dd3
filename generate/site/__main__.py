"""The documentation as a site: ``python -m generate.site [--out build/site]``.

The pages of ``docs``, a page for each score and rule, the reference from docstrings, and what is
new; made by zensical, without a network. Every link and picture is looked up afterwards, and that
no page loads anything from elsewhere. Exit code 1 where one does not hold.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from generate.site.links import link_faults
from generate.site.metric_pages import metric_pages
from generate.site.reference_pages import ROOT, changes_page, notebook_page, reference_pages

NAVIGATION: Final[Mapping[str, Sequence[str]]] = {
    "Start": ("index", "start", "gallery", "glossary"),
    "How to": (
        "tutorials/lint-in-ci",
        "tutorials/score-your-generator",
        "tutorials/write-from-papers",
        "tutorials/editing-benchmark",
        "tutorials/rank-with-people",
        "notebooks/research",
        *(
            "templates",
            "like",
            "perturb",
            "desktop-agents",
            "mcp",
            "workbench",
            "cluster",
            "corpus",
        ),
        "extending",
    ),
    "Reference": (
        *("exit-codes", "scoring", "lint", "seen", "diff", "edit", "edit-requests"),
        *("write", "designs"),
        *("markdown-slides", "convert", "render", "documents", "deck", "ooxml", "scenario", "quiz"),
        *("rubrics", "preference", "agreement", "models", "metrics/index", "aesthetics"),
        *("editability", "quality", "reference/index"),
    ),
    "Benchmarks": (
        "papers",
        "slideeval",
        "ppteval",
        "slidesgen",
        "pptarena",
        "unippt",
        "presentbench",
        "results",
    ),
    "Evidence": ("benchmarks", "hardening", "writers"),
    "Explanation and help": ("architecture", "composing", "sandbox", "desktop", "reports"),
}
"""Six sections with their first pages; other pages close the last."""

FOLDERS: Final = {
    "metrics": ("Reference", "Score by score"),
    "rules": ("Reference", "Lint, rule by rule"),
    "reference": ("Reference", "By room"),
    "decisions": ("Evidence", "Decisions"),
}
"""Folders of pages: the section that each closes, and what the folder is called there."""


def gather(folder: Path) -> None:
    """Put all pages, committed ones and made ones, into ``folder``."""
    shutil.copytree(ROOT / "docs", folder)
    made = {f"metrics/{name}": text for name, text in metric_pages().items()}
    made |= {f"reference/{name}": text for name, text in reference_pages().items()}
    made |= {"changes.md": changes_page(), "notebooks/research.md": notebook_page()}
    for name, text in made.items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    for page in folder.rglob("*.md"):
        page.write_text(_links_of_the_site(page.read_text(encoding="utf-8")), encoding="utf-8")


def navigation(folder: Path) -> list[dict[str, Any]]:
    """The sections of the site; every page is in one."""
    pages = {str(page.relative_to(folder).with_suffix("")) for page in folder.rglob("*.md")}
    sections: dict[str, list[Any]] = {
        title: [f"{one}.md" for one in listed] for title, listed in NAVIGATION.items()
    }
    left = sorted(pages - {one for listed in NAVIGATION.values() for one in listed} - {"changes"})
    folders: dict[str, list[str]] = {}
    for page in left:
        top = page.partition("/")[0]
        if top in FOLDERS:
            folders.setdefault(top, []).append(f"{page}.md")
        else:
            sections["Explanation and help"].append(f"{page}.md")
    for top, listed in folders.items():
        section, title = FOLDERS[top]
        sections[section].append({title: listed})
    sections["Explanation and help"].append({"What is new": "changes.md"})
    return [{title: listed} for title, listed in sections.items()]


def configuration(folder: Path) -> dict[str, Any]:
    """What zensical is to build."""
    return {
        "site_name": "decklab",
        "site_description": "The workbench for slide decks, and for agents that work on them.",
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "nav": navigation(folder),
        "theme": {
            "name": "material",
            "font": False,
            "features": [
                "navigation.tabs", "navigation.indexes", "navigation.top", "content.code.copy",
                "toc.follow",
            ],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default",
                 "toggle": {"icon": "lucide/moon", "name": "Dark"}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate",
                 "toggle": {"icon": "lucide/sun", "name": "Light"}},
            ],
        },
        "extra_css": ["stylesheets/site.css"],
        "markdown_extensions": ["tables", "admonition", "attr_list", "pymdownx.highlight",
                                "pymdownx.superfences", {"toc": {"permalink": True}}],
        "plugins": ["search", {"mkdocstrings": {"handlers": {"python": {
            "paths": [str(ROOT / "src")],
            "options": {"show_source": False, "show_bases": False, "members_order": "source",
                        "filters": ["!^_"], "show_signature_annotations": True,
                        "separate_signature": True, "docstring_style": "sphinx"},
        }}}}],
    }  # fmt: skip


def _links_of_the_site(text: str) -> str:
    """Links out of ``docs`` into the repository, without their target."""
    return re.sub(r"\[([^\]]+)\]\((?:\.\./)+(?:CONTRIBUTING|README)\.md[^)]*\)", r"\1", text)


def main(arguments: Sequence[str]) -> int:
    """Build the site and look its links up."""
    parser = argparse.ArgumentParser(prog="python -m generate.site", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", metavar="DIR")
    out = parser.parse_args(arguments).out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    gather(out / "pages")
    (out / "mkdocs.yml").write_text(json.dumps(configuration(out / "pages"), indent=2))
    done = subprocess.run(
        [str(Path(sys.executable).with_name("zensical")), "build"], cwd=out, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode or not (out / "site" / "index.html").is_file():
        print(done.stdout + done.stderr, file=sys.stderr)
        return 1
    wrong = list(link_faults(out / "site"))
    for line in wrong:
        print(line, file=sys.stderr)
    print(out / "site" / "index.html")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
