"""decklab served: in the browser, to models by MCP, and over many machines and decks.

``serve`` starts the workbench, ``serve_mcp`` the tools for models; ``run_job`` runs a ``Job`` over
many decks. ``corpus_annotate``, ``corpus_duplicates``, ``corpus_summary`` and ``corpus_select``
(with ``SelectionWishes``) read what it wrote; ``draft_cases`` and ``check_cases`` make benchmarks
of it.
"""

from typing import TYPE_CHECKING

from decklab.core.lazy import loaded_on_use

if TYPE_CHECKING:
    from decklab.workbench.cluster.jobs import Job as Job
    from decklab.workbench.cluster.run import run_job as run_job
    from decklab.workbench.corpus.annotations import annotate
    from decklab.workbench.corpus.drafting import check_cases as check_cases
    from decklab.workbench.corpus.drafting import draft_cases as draft_cases
    from decklab.workbench.corpus.select import SelectionWishes as SelectionWishes
    from decklab.workbench.corpus.select import duplicates, select
    from decklab.workbench.corpus.summary import summary
    from decklab.workbench.mcp.serving import serve_mcp as serve_mcp
    from decklab.workbench.web.serving import serve_workbench

    corpus_annotate = annotate
    corpus_duplicates = duplicates
    corpus_select = select
    corpus_summary = summary
    serve = serve_workbench
else:
    __getattr__, __dir__ = loaded_on_use(__name__)
