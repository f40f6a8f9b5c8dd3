"""The folder of a set of cases: where its list is, where its decks are, and its version."""

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from decklab.core.errors import DecklabError
from decklab.core.programs import output_of

PUBLISHED_LIST = "evaluation_pairs_refined.json"
"""Name of the list of PPTArena's 100 cases; its repository holds an earlier list as well."""
_MARKS = frozenset({"prompt", "original", "ground_truth"})
"""Fields by which a list of cases is known."""
_DEEPEST = 3
"""Folders between a checkout and its list. Ours."""
_GIT_SECONDS = 60.0
_SHOWN = 20  # faults that the message lists


class CasesRejected(DecklabError):
    """A set of cases that cannot be used; the text says why, by case and field where it can."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path, self.faults = path, tuple(faults)
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        super().__init__(f"{path}: {'; '.join(faults[:_SHOWN])}{more}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.path, list(self.faults))


def list_in(folder: Path) -> Path:
    """The list of cases in a checkout: the published one, or else the only one.

    Raises CasesRejected where there is none, and where there are several.
    """
    found = [
        path
        for path in sorted(folder.rglob("*.json"))
        if len(path.relative_to(folder).parts) <= _DEEPEST + 1
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and _looks_like_cases(path)
    ]
    published = [path for path in found if path.name == PUBLISHED_LIST]
    if len(published) == 1:
        return published[0]
    if len(found) == 1:
        return found[0]
    if not found:
        fields = ", ".join(sorted(_MARKS))
        raise CasesRejected(folder, [f"holds no JSON list of cases with the fields {fields}"])
    names = ", ".join(str(path.relative_to(folder)) for path in found)
    raise CasesRejected(folder, [f"holds {len(found)} lists of cases, name one: {names}"])


def _looks_like_cases(path: Path) -> bool:
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return False
    first = content[0] if isinstance(content, list) and content else None
    return isinstance(first, dict) and first.keys() >= _MARKS


def root_of(listed: Path, given: Path | None = None) -> Path:
    """The folder that paths of decks may not leave: that of the git checkout around the list, or
    the folder above ``src``, or ``given``, or that of the list."""
    above = list(listed.absolute().parents)[: _DEEPEST + 1]
    for folder in above:
        if (folder / ".git").exists():
            return folder
    inner = (given or listed.parent).absolute()
    sources = next((folder.parent for folder in above if folder.name == "src"), inner)
    return sources if inner.is_relative_to(sources) else inner


def deck_in(value: str, listed: Path, root: Path) -> Path | str:
    """The deck that a list names by a path relative to it, to ``root`` or to a folder between; or
    what is wrong with it, in words."""
    above = (listed.absolute().parent, *listed.absolute().parent.parents)
    for base in (folder for folder in above if folder.is_relative_to(root)):
        try:
            path = (base / value).resolve()
            if not path.is_relative_to(root.resolve()):
                return f"{value} leaves the folder of the set"
            if path.is_file():
                return path
        except (OSError, ValueError) as error:  # too long, a null character, links in a circle
            return f"{value[:80]!r} is no path: {error}"
    return f"there is no file {value}"


def version_of(listed: Path, root: Path, decks: Iterable[Path]) -> str:
    """``commit <hash>`` where the list is one of a git checkout's files, with ``(changed)`` where
    these differ from it; else ``content <hash>`` over the list and the decks."""
    if _is_tracked(listed, root):
        pinned = pinned_version(root)
        if pinned:
            return pinned
    whole = hashlib.sha256(listed.read_bytes())
    for path in sorted(set(decks)):
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return f"content {whole.hexdigest()[:12]}"


def _is_tracked(file: Path, root: Path) -> bool:
    if not (root / ".git").exists() or shutil.which("git") is None:
        return False
    return _git(root, "ls-files", "--error-unmatch", "--", str(file.absolute())) is not None


def pinned_version(folder: Path) -> str | None:
    """``commit <hash>`` of the git checkout whose root is ``folder``, with ``(changed)`` where
    tracked files differ from it; None where ``folder`` is no such root or git is not installed.
    """
    if not (folder / ".git").exists() or shutil.which("git") is None:
        return None
    commit = _git(folder, "rev-parse", "HEAD")
    if commit is None:
        return None
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return f"commit {commit[:12]}{' (changed)' if changed else ''}"


def _git(folder: Path, *arguments: str) -> str | None:
    done = output_of(["git", "-C", str(folder), *arguments], _GIT_SECONDS)
    return None if done is None or done.returncode else done.stdout.decode().strip()
