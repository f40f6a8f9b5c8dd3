"""decklab: the workbench for slide decks, and for the agents that judge, edit and write them.

What people, the command line and other programs call; each is loaded when it is first used::

    import decklab

    with decklab.open("talk.pptx") as deck:              # slides, elements, snapshot, Markdown
        print(deck.markdown())
    run = decklab.score("talk.pptx", "results")          # scores, findings and reports
    found = decklab.lint("talk.pptx")                    # what is wrong, where, and how to mend it
    changes = decklab.diff("old.pptx", "new.pptx")       # typed changes, save noise apart
    edited = decklab.edit("talk.pptx", "delete slide 3") # exactly what was asked, verified
    graded = decklab.grade("old.pptx", "new.pptx", "rubric.json")
    drawn = decklab.render("talk.pptx", "pictures")      # one picture a slide
    elements = decklab.extract("talk.pptx")              # effective styles and where they come from
    kb = decklab.read_documents(["report.pdf"])          # text, figures, tables, numbers, places

Results print as tables in a notebook, and ``to_frame()`` turns them into a data frame.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from decklab.agents.editor.deck_tools import place_lines
    from decklab.agents.editor.edit import EditModel, edit, slide_numbers
    from decklab.agents.editor.given_edits import edit_with_patches, edit_with_program
    from decklab.agents.editor.layouts import layout_lines
    from decklab.agents.editor.outline import deck_facts, outline_lines, slides_in_full, text_view
    from decklab.agents.editor.taking_back import keyed_changes, take_back
    from decklab.agents.editor.text_steps import deck_texts
    from decklab.agents.requests.examples import edit_examples
    from decklab.agents.writer.request import WriteOptions
    from decklab.agents.writer.write import write_deck as write
    from decklab.benchmarks.eval_logs import logged_run, logged_sample
    from decklab.benchmarks.pptarena.session import bench_pptarena
    from decklab.benchmarks.pptarena.style_drafts import draft_style_targets
    from decklab.benchmarks.ppteval.published_decks import fetch_decks as fetch_ppteval_decks
    from decklab.benchmarks.ppteval.running import bench_ppteval, bench_ppteval_meta
    from decklab.benchmarks.ppteval.sabotage import bench_sabotage
    from decklab.benchmarks.ppteval.starter import write_starter as write_ppteval_starter
    from decklab.benchmarks.slidesgen.instructions import write_starter_set as write_slidesgen_set
    from decklab.benchmarks.slidesgen.running import bench_slidesgen
    from decklab.benchmarks.unippt.running import bench_unippt
    from decklab.benchmarks.unippt.starter import write_starter as write_unippt_starter
    from decklab.benchmarks.unippt.starter import write_starter_decks as write_unippt_decks
    from decklab.cluster.jobs import Job
    from decklab.cluster.machines import machine_named
    from decklab.cluster.run import described as dataset_lines
    from decklab.cluster.run import run_job
    from decklab.cluster.sources import pair_items, source_items
    from decklab.comparing.contact_sheet import write_ladder_sheet
    from decklab.comparing.decks import diff_decks as diff
    from decklab.comparing.page import write_comparison
    from decklab.composing.templates.checking import check_template
    from decklab.corpus.annotations import annotate as corpus_annotate
    from decklab.corpus.checking import check_cases
    from decklab.corpus.drafting import draft_cases
    from decklab.corpus.duplicates import duplicate_groups
    from decklab.corpus.duplicates import duplicates as corpus_duplicates
    from decklab.corpus.page import write_summary_page
    from decklab.corpus.select import SelectionWishes, selection_rows
    from decklab.corpus.select import select as corpus_select
    from decklab.corpus.summary import summary as corpus_summary
    from decklab.corpus.summary import summary_lines as corpus_summary_lines
    from decklab.deck.deck import Deck
    from decklab.deck.deck import open_deck as open
    from decklab.deck.samples import write_samples
    from decklab.deck.views.plain import plain_slide, slide_schema
    from decklab.deck.views.snapshot import snapshot_bytes
    from decklab.diffing.wording import words_by_slide
    from decklab.documents.knowledge import KnowledgeBase
    from decklab.documents.model import document_json
    from decklab.documents.reading import read_documents
    from decklab.documents.retrieval import retrieve
    from decklab.documents.showing import print_reading, write_reading
    from decklab.editing.operations import operation_docs, operation_names
    from decklab.extract_elements import extract, lay_out
    from decklab.grading.drafting import propose_for_deck as propose_tasks
    from decklab.grading.drafting import write_draft as draft_rubric
    from decklab.grading.grade import GradeOptions, grade
    from decklab.grading.page import print_graded
    from decklab.judges.preference.page import write_preference_page
    from decklab.judges.preference.prefer import prefer
    from decklab.judges.preference.systems import prefer_systems
    from decklab.judges.preference.tables import print_preference, write_preference_scores
    from decklab.judges.quiz.quiz import build_quiz, take_quiz
    from decklab.judges.scenario.judging import judge_decks as judge
    from decklab.judges.scenario.reliability import read_score_table
    from decklab.judges.scenario.showing import print_judgement, print_reliability
    from decklab.linting.annotations import github_lines
    from decklab.linting.baseline import read_baseline, write_baseline
    from decklab.linting.explaining import explain as explain_rule
    from decklab.linting.fixes.mend import fix_deck, write_fixed
    from decklab.linting.lint import lint, lint_each, lint_json
    from decklab.linting.project import LintOptions, find_lintable
    from decklab.linting.sarif import sarif_log
    from decklab.linting.settings import LintSettings, read_settings
    from decklab.linting.settings import chosen_rules as lint_rules
    from decklab.linting.statistics import rule_counts
    from decklab.mcp.serving import serve_mcp
    from decklab.metrics.catalogue import metric_info
    from decklab.ooxml.patch_paths import Patch
    from decklab.ooxml.patches import part_text
    from decklab.ooxml.validity.validating import validate_deck as validate
    from decklab.perturb.deck import write_ladder, write_perturbed
    from decklab.rendering.cache import Cache
    from decklab.rendering.inputs import check_decks, find_decks
    from decklab.rendering.job import render
    from decklab.rendering.office.installation import find_installation
    from decklab.rendering.renderer import Renderer
    from decklab.rendering.saving import Pictures
    from decklab.reports.files import print_csv, print_json
    from decklab.reports.terminal import print_comparison, print_findings, print_table
    from decklab.results import NotScored
    from decklab.rubrics.drafting import RequiredCriteria
    from decklab.rubrics.tasks import check_folder as check_rubrics
    from decklab.scoring.against import earlier_scores
    from decklab.scoring.agreement.agree import agree
    from decklab.scoring.agreement.page import print_agreement, write_agreement_page
    from decklab.scoring.deck import ScoreOptions
    from decklab.scoring.limits import missed_limits, parse_limit
    from decklab.scoring.lint_run import lint_decks
    from decklab.scoring.reference import load_reference, reference_of_run, write_reference
    from decklab.scoring.run import score
    from decklab.web.serving import serve_workbench as serve

__all__ = [
    "Cache",
    "Deck",
    "EditModel",
    "GradeOptions",
    "Job",
    "KnowledgeBase",
    "LintOptions",
    "LintSettings",
    "NotScored",
    "Patch",
    "Pictures",
    "Renderer",
    "RequiredCriteria",
    "ScoreOptions",
    "SelectionWishes",
    "WriteOptions",
    "agree",
    "bench_pptarena",
    "bench_ppteval",
    "bench_ppteval_meta",
    "bench_sabotage",
    "bench_slidesgen",
    "bench_unippt",
    "build_quiz",
    "check_cases",
    "check_decks",
    "check_rubrics",
    "check_template",
    "corpus_annotate",
    "corpus_duplicates",
    "corpus_select",
    "corpus_summary",
    "corpus_summary_lines",
    "dataset_lines",
    "deck_facts",
    "deck_texts",
    "diff",
    "document_json",
    "draft_cases",
    "draft_rubric",
    "draft_style_targets",
    "duplicate_groups",
    "earlier_scores",
    "edit",
    "edit_examples",
    "edit_with_patches",
    "edit_with_program",
    "explain_rule",
    "extract",
    "fetch_ppteval_decks",
    "find_decks",
    "find_installation",
    "find_lintable",
    "fix_deck",
    "github_lines",
    "grade",
    "judge",
    "keyed_changes",
    "lay_out",
    "layout_lines",
    "lint",
    "lint_decks",
    "lint_each",
    "lint_json",
    "lint_rules",
    "load_reference",
    "logged_run",
    "logged_sample",
    "machine_named",
    "metric_info",
    "missed_limits",
    "open",
    "operation_docs",
    "operation_names",
    "outline_lines",
    "pair_items",
    "parse_limit",
    "part_text",
    "place_lines",
    "plain_slide",
    "prefer",
    "prefer_systems",
    "print_agreement",
    "print_comparison",
    "print_csv",
    "print_findings",
    "print_graded",
    "print_json",
    "print_judgement",
    "print_preference",
    "print_reading",
    "print_reliability",
    "print_table",
    "propose_tasks",
    "read_baseline",
    "read_documents",
    "read_score_table",
    "read_settings",
    "reference_of_run",
    "render",
    "retrieve",
    "rule_counts",
    "run_job",
    "sarif_log",
    "score",
    "selection_rows",
    "serve",
    "serve_mcp",
    "slide_numbers",
    "slide_schema",
    "slides_in_full",
    "snapshot_bytes",
    "source_items",
    "take_back",
    "take_quiz",
    "text_view",
    "validate",
    "words_by_slide",
    "write",
    "write_agreement_page",
    "write_baseline",
    "write_comparison",
    "write_fixed",
    "write_ladder",
    "write_ladder_sheet",
    "write_perturbed",
    "write_ppteval_starter",
    "write_preference_page",
    "write_preference_scores",
    "write_reading",
    "write_reference",
    "write_samples",
    "write_slidesgen_set",
    "write_summary_page",
    "write_unippt_decks",
    "write_unippt_starter",
]

_HOMES = {
    "open": "deck.deck:open_deck",
    "score": "scoring.run:score",
    "lint": "linting.lint:lint",
    "diff": "comparing.decks:diff_decks",
    "edit": "agents.editor.edit:edit",
    "keyed_changes": "agents.editor.taking_back",
    "take_back": "agents.editor.taking_back",
    "write": "agents.writer.write:write_deck",
    "grade": "grading.grade:grade",
    "render": "rendering.job:render",
    "extract": "extract_elements:extract",
    "Deck": "deck.deck",
    "Cache": "rendering.cache",
    "EditModel": "agents.editor.edit",
    "GradeOptions": "grading.grade",
    "RequiredCriteria": "rubrics.drafting",
    "Pictures": "rendering.saving",
    "Renderer": "rendering.renderer",
    "ScoreOptions": "scoring.deck",
    "WriteOptions": "agents.writer.request",
    "print_table": "reports.terminal",
    "print_findings": "reports.terminal",
    "print_json": "reports.files",
    "print_csv": "reports.files",
    "KnowledgeBase": "documents.knowledge",
    "document_json": "documents.model",
    "print_reading": "documents.showing",
    "read_documents": "documents.reading",
    "retrieve": "documents.retrieval",
    "write_reading": "documents.showing",
    "logged_run": "benchmarks.eval_logs",
    "logged_sample": "benchmarks.eval_logs",
    "NotScored": "results",
    "Job": "cluster.jobs",
    "SelectionWishes": "corpus.select",
    "corpus_annotate": "corpus.annotations:annotate",
    "check_cases": "corpus.checking",
    "draft_cases": "corpus.drafting",
    "corpus_duplicates": "corpus.duplicates:duplicates",
    "corpus_select": "corpus.select:select",
    "selection_rows": "corpus.select",
    "duplicate_groups": "corpus.duplicates",
    "corpus_summary": "corpus.summary:summary",
    "corpus_summary_lines": "corpus.summary:summary_lines",
    "write_summary_page": "corpus.page",
    "dataset_lines": "cluster.run:described",
    "machine_named": "cluster.machines",
    "pair_items": "cluster.sources",
    "run_job": "cluster.run",
    "source_items": "cluster.sources",
    "agree": "scoring.agreement.agree",
    "judge": "judges.scenario.judging:judge_decks",
    "print_judgement": "judges.scenario.showing",
    "print_reliability": "judges.scenario.showing",
    "read_score_table": "judges.scenario.reliability",
    "prefer": "judges.preference.prefer",
    "prefer_systems": "judges.preference.systems",
    "print_preference": "judges.preference.tables",
    "write_preference_page": "judges.preference.page",
    "write_preference_scores": "judges.preference.tables",
    "print_agreement": "scoring.agreement.page",
    "write_agreement_page": "scoring.agreement.page",
    "bench_pptarena": "benchmarks.pptarena.session",
    "draft_style_targets": "benchmarks.pptarena.style_drafts",
    "bench_ppteval": "benchmarks.ppteval.running",
    "bench_ppteval_meta": "benchmarks.ppteval.running",
    "bench_sabotage": "benchmarks.ppteval.sabotage",
    "bench_slidesgen": "benchmarks.slidesgen.running",
    "write_slidesgen_set": "benchmarks.slidesgen.instructions:write_starter_set",
    "bench_unippt": "benchmarks.unippt.running",
    "write_unippt_starter": "benchmarks.unippt.starter:write_starter",
    "write_unippt_decks": "benchmarks.unippt.starter:write_starter_decks",
    "build_quiz": "judges.quiz.quiz",
    "check_decks": "rendering.inputs",
    "check_rubrics": "rubrics.tasks:check_folder",
    "check_template": "composing.templates.checking",
    "draft_rubric": "grading.drafting:write_draft",
    "fetch_ppteval_decks": "benchmarks.ppteval.published_decks:fetch_decks",
    "find_decks": "rendering.inputs",
    "find_installation": "rendering.office.installation",
    "print_graded": "grading.page",
    "lay_out": "extract_elements",
    "LintOptions": "linting.project",
    "LintSettings": "linting.settings",
    "find_lintable": "linting.project",
    "explain_rule": "linting.explaining:explain",
    "github_lines": "linting.annotations",
    "lint_decks": "scoring.lint_run",
    "lint_each": "linting.lint",
    "read_baseline": "linting.baseline",
    "read_settings": "linting.settings",
    "fix_deck": "linting.fixes.mend",
    "write_fixed": "linting.fixes.mend",
    "rule_counts": "linting.statistics",
    "write_baseline": "linting.baseline",
    "lint_json": "linting.lint",
    "lint_rules": "linting.settings:chosen_rules",
    "plain_slide": "deck.views.plain",
    "propose_tasks": "grading.drafting:propose_for_deck",
    "sarif_log": "linting.sarif",
    "slide_numbers": "agents.editor.edit",
    "slide_schema": "deck.views.plain",
    "snapshot_bytes": "deck.views.snapshot",
    "take_quiz": "judges.quiz.quiz",
    "validate": "ooxml.validity.validating:validate_deck",
    "words_by_slide": "diffing.wording",
    "write_comparison": "comparing.page",
    "write_ladder": "perturb.deck",
    "write_ladder_sheet": "comparing.contact_sheet",
    "write_perturbed": "perturb.deck",
    "write_ppteval_starter": "benchmarks.ppteval.starter:write_starter",
    "write_samples": "deck.samples",
    "load_reference": "scoring.reference",
    "earlier_scores": "scoring.against",
    "missed_limits": "scoring.limits",
    "parse_limit": "scoring.limits",
    "print_comparison": "reports.terminal",
    "reference_of_run": "scoring.reference",
    "write_reference": "scoring.reference",
    "edit_examples": "agents.requests.examples",
    "Patch": "ooxml.patch_paths",
    "deck_facts": "agents.editor.outline",
    "deck_texts": "agents.editor.text_steps",
    "edit_with_patches": "agents.editor.given_edits",
    "edit_with_program": "agents.editor.given_edits",
    "layout_lines": "agents.editor.layouts",
    "metric_info": "metrics.catalogue",
    "operation_docs": "editing.operations",
    "operation_names": "editing.operations",
    "outline_lines": "agents.editor.outline",
    "part_text": "ooxml.patches",
    "place_lines": "agents.editor.deck_tools",
    "serve": "web.serving:serve_workbench",
    "serve_mcp": "mcp.serving",
    "slides_in_full": "agents.editor.outline",
    "text_view": "agents.editor.outline",
}
"""Where each name is defined, below ``decklab``; after a colon its name there."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, other = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), other or name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
