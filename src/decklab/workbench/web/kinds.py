"""Every kind of job of the workbench."""

from collections.abc import Mapping
from typing import Final

from decklab.workbench.web.deck_jobs import DECK_JOBS
from decklab.workbench.web.document_jobs import DOCUMENT_JOBS
from decklab.workbench.web.jobs import JobKind
from decklab.workbench.web.write_jobs import WRITE_JOBS

KINDS: Final[Mapping[str, JobKind]] = {**DECK_JOBS, **DOCUMENT_JOBS, **WRITE_JOBS}
"""By name; ``worker.WORK`` has what a process does for each."""
