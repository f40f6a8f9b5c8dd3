"""Which version of a data set a checkout holds."""

import shutil
import subprocess
from pathlib import Path


def pinned_version(folder: Path) -> str | None:
    """``commit <hash>`` of the git checkout whose root is ``folder``, with ``(changed)`` where
    tracked files differ from it; None where it is no such root or git is not installed.
    """
    if not (folder / ".git").exists() or shutil.which("git") is None:
        return None
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit[:12]}{' (changed)' if changed else ''}"


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments],
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
