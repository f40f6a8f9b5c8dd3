"""Results for files: the same as those of reports."""

from tests.scoring.reports.conftest import failed, hostile, pictures, scored, without_slides

__all__ = ["failed", "hostile", "pictures", "scored", "without_slides"]
