"""Functions that commands call beside the verbs; each name loads its module when it is first used.

Help and usage errors so load nothing of what a command needs.
"""

from typing import TYPE_CHECKING

from decklab.core.lazy import loaded_on_use

if TYPE_CHECKING:
    from decklab.deck.views.snapshot import plain_slide, slide_schema, snapshot_bytes
    from decklab.diffing.page import write_comparison
    from decklab.diffing.wording import words_by_slide
    from decklab.documents.model import document_json
    from decklab.documents.retrieval import retrieve
    from decklab.documents.showing import print_reading, write_reading
    from decklab.editing.requests.forms import form_lines
    from decklab.editor.chat import EditChat, Undone, chat_copy, undo_edit, undone_lines
    from decklab.editor.edit import slide_numbers
    from decklab.editor.result import EditHistory
    from decklab.evals.agreement.agree import agreement_lines, write_agreement_page
    from decklab.evals.judges.preference.page import (
        print_preference,
        write_preference_page,
        write_preference_scores,
    )
    from decklab.evals.judges.scenario.result import (
        print_judgement,
        print_reliability,
        read_score_table,
    )
    from decklab.evals.perturb.deck import write_ladder_sheet
    from decklab.evals.pptarena.checking import draft_style_targets
    from decklab.evals.ppteval.tasks import fetch_decks as fetch_ppteval_decks
    from decklab.evals.ppteval.tasks import write_starter as write_ppteval_starter
    from decklab.evals.rubrics.page import print_graded
    from decklab.evals.slideeval.items import deck_files
    from decklab.evals.slideeval.report import LOGS as SLIDEEVAL_LOGS
    from decklab.evals.slideeval.report import PAGE as SLIDEEVAL_PAGE
    from decklab.evals.slideeval.report import (
        check_report_folder,
        headlines,
        report_dataset,
        report_folder,
    )
    from decklab.evals.slideeval.report import warnings as slideeval_warnings
    from decklab.evals.slideeval.runs import begin_judges, check_models, run_judges
    from decklab.evals.slideeval.summary import dataset_of_decks
    from decklab.evals.slideeval.tables import print_dataset
    from decklab.evals.slideeval.tasks import slideeval_extract, slideeval_order, slideeval_perturb
    from decklab.evals.slideeval.zenodo import fetch_zenodo
    from decklab.evals.slidesgen.instructions import write_starter_set as write_slidesgen_set
    from decklab.evals.unippt.tasks import write_starter as write_unippt_starter
    from decklab.evals.unippt.tasks import write_starter_decks as write_unippt_decks
    from decklab.linting.explaining import explain as explain_rule
    from decklab.linting.lint import lint_json, rule_counts
    from decklab.linting.mend import write_fixed
    from decklab.linting.project import (
        LintOptions,
        find_lintable,
        is_baseline,
        read_baseline,
        write_baseline,
    )
    from decklab.linting.sarif import github_lines, sarif_log
    from decklab.linting.settings import LintSettings, read_settings
    from decklab.linting.settings import chosen_rules as lint_rules
    from decklab.pages.files import print_csv, print_json
    from decklab.pages.wording import clean_line
    from decklab.rendering.office_process import find_installation
    from decklab.rendering.opening import check_decks, find_decks, lay_out
    from decklab.scoring.against import (
        earlier_scores,
        load_reference,
        missed_limits,
        parse_limit,
        reference_of_run,
        write_reference,
    )
    from decklab.scoring.extensions import extensions
    from decklab.scoring.process_pool import lint_decks
    from decklab.scoring.reports.terminal import print_comparison, print_findings, print_table
    from decklab.seen.reader import write_seen_page
    from decklab.workbench.cluster.run import described as dataset_lines
    from decklab.workbench.cluster.run import machine_named
    from decklab.workbench.cluster.sources import pair_items, source_items
    from decklab.workbench.corpus.select import duplicate_groups, selection_rows
    from decklab.workbench.corpus.summary import check_summary_page, write_summary_page
    from decklab.workbench.corpus.summary import summary_lines as corpus_summary_lines
    from decklab.writer.design_page import write_design_page
else:
    __getattr__, __dir__ = loaded_on_use(__name__)
