"""The configuration of lint: ``[lint]`` of a decklab.toml, or ``[tool.decklab.lint]`` of a
pyproject.toml, in the folder of a deck or the nearest one above it; and what a deck itself says
lint shall ignore.

A line ``decklab: ignore contrast.low, title`` in the notes of a slide is about that slide. The same
line among the tags of the file (keywords), or a custom document property ``decklab.ignore`` with
the names alone, is about the whole deck.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import SettingsError, UnknownName
from decklab.core.results import Finding, named_slides
from decklab.deck.model.slide import DeckElements
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.rule import THRESHOLDS, RuleLimits

OWN_FILE: Final = "decklab.toml"
SHARED_FILE: Final = "pyproject.toml"
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    OWN_FILE: ("lint",), SHARED_FILE: ("tool", "decklab", "lint"),
}  # fmt: skip
_KEYS: Final = ("select", "extend-select", "ignore", "per-file-ignores", "thresholds", "languages")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class LintSettings:
    """The settings of a project for lint. Names stand for a rule, or a group such as ``text``."""

    file: Path | None = None
    """Where it says so; None if nothing is configured."""
    select: tuple[str, ...] = ()
    """The rules that are applied; empty for all."""
    extend_select: tuple[str, ...] = ()
    """Rules besides ``select``."""
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further rules to ignore, by a pattern of the deck's path below the file's folder."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """By the names of ``THRESHOLDS``."""
    languages: tuple[str, ...] = ()
    """The languages that decks are in; empty for any. The first is that of text without one."""

    @property
    def limits(self) -> RuleLimits:
        """The thresholds and languages as the rules take them."""
        return RuleLimits.of(self.thresholds, self.languages)

    def rules_for(
        self, deck: Path, *, only: Iterable[str] = (), ignore: Iterable[str] = ()
    ) -> frozenset[str]:
        """Ids of the rules that are applied to a deck.

        ``only`` takes the place of ``select``; ``ignore`` is added to what is ignored.
        """
        names = tuple(only) or self.select
        wanted = [*names, *self.extend_select] if names else []
        return chosen_rules(wanted, [*self.ignore, *ignore, *self._ignored_in(deck)])

    def _ignored_in(self, deck: Path) -> list[str]:
        path = _below(deck, self.file)
        patterns = self.per_file_ignores
        own = [p for p in patterns if fnmatchcase(path, p) or fnmatchcase(deck.name, p)]
        return [name for pattern in own for name in patterns[pattern]]

    def as_json(self) -> dict[str, Any]:
        """The settings with all defaults filled in, as plain JSON."""
        limits = self.limits
        return {
            "file": None if self.file is None else str(self.file),
            "select": list(self.select) or "all",
            "extend-select": list(self.extend_select),
            "ignore": list(self.ignore),
            "per-file-ignores": {key: list(names) for key, names in self.per_file_ignores.items()},
            "thresholds": {name: getattr(limits, THRESHOLDS[name].field) for name in THRESHOLDS},
            "languages": list(self.languages),
        }


UNSET: Final = LintSettings()
"""The settings where nothing is configured."""


def _below(deck: Path, file: Path | None) -> str:
    """The deck's path from the folder of the settings; absolute if it is not below."""
    path = deck.absolute()
    folder = (file or path).parent.absolute()
    return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()


def chosen_rules(only: Iterable[str] = (), ignore: Iterable[str] = ()) -> frozenset[str]:
    """Ids of the rules to apply: all, or those in ``only``, without those in ``ignore``.

    A name stands for a rule, or for all rules that begin with it and a dot. Raises UnknownName
    if there is no such rule.

    >>> sorted(chosen_rules(["title", "text.small"], ignore=["title.font"]))
    ['text.small', 'title.position', 'title.shrunk', 'title.size']
    """
    wanted = set().union(*map(named_rules, only)) or set(LINT_RULES)
    return frozenset(wanted.difference(*map(named_rules, ignore)))


def named_rules(name: str) -> set[str]:
    """Ids of the rules that a name stands for; raises UnknownName."""
    group = {rule for rule in LINT_RULES if rule.startswith(f"{name}.")}
    return group or {LINT_RULES[name].id}


def find_settings(deck: str | Path) -> LintSettings:
    """The settings for a deck: those of its folder, or of the nearest folder above that has some.

    In one folder decklab.toml comes before pyproject.toml. A file without the table of lint says
    nothing, and the search goes on above. Raises SettingsError where a file cannot be used.
    """
    folder = Path(deck).absolute().parent
    for level in (folder, *folder.parents):
        if (settings := _in_folder(level)) is not None:
            return settings
    return UNSET


def _in_folder(folder: Path) -> LintSettings | None:
    for name, table in _TABLES.items():
        file = folder / name
        if file.is_file() and (content := _table(_toml(file), file, table)) is not None:
            return _settings(file, table, content)
    return None


def read_settings(file: str | Path) -> LintSettings:
    """The settings in a file; raises SettingsError where it has none or cannot be used.

    A file with another name than pyproject.toml is read as a decklab.toml.
    """
    path = Path(file).absolute()
    table = _TABLES.get(path.name, _TABLES[OWN_FILE])
    if (content := _table(_toml(path), path, table)) is None:
        raise SettingsError(file, f"there is no table [{'.'.join(table)}]")
    return _settings(path, table, content)


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(file, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise SettingsError(file, "it is not in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        position = re.search(r"at (line \d+, column \d+)", str(error))
        where = f" from {position[1]} on" if position else ""
        raise SettingsError(file, f"it is no TOML{where}") from error


def _table(content: dict[str, Any], file: Path, names: tuple[str, ...]) -> dict[str, Any] | None:
    held: Any = content
    for depth, name in enumerate(names, 1):
        if name not in held:
            return None
        held = held[name]
        if not isinstance(held, dict):
            raise SettingsError(file, "this is no table", ".".join(names[:depth]))
    return dict(held)


def _settings(file: Path, table: tuple[str, ...], values: dict[str, Any]) -> LintSettings:
    reading = _Reading(file, ".".join(table))
    for key in values:
        if key not in _KEYS:
            raise reading.wrong(key, f"there is no such key; there are {', '.join(_KEYS)}")
    per_file = reading.table(values, "per-file-ignores")
    return LintSettings(
        file=file,
        select=reading.rules(values, "select"),
        extend_select=reading.rules(values, "extend-select"),
        ignore=reading.rules(values, "ignore"),
        per_file_ignores={
            pattern: reading.rules(per_file, pattern, "per-file-ignores.") for pattern in per_file
        },
        thresholds=reading.thresholds(values),
        languages=reading.languages(values),
    )


@dataclass(frozen=True)
class _Reading:
    """Reads the keys of one table; raises SettingsError, which names file and key."""

    file: Path
    name: str

    def wrong(self, key: str, detail: str) -> SettingsError:
        return SettingsError(self.file, detail, f"{self.name}.{key}")

    def names(self, values: Mapping[str, Any], key: str, prefix: str = "") -> tuple[str, ...]:
        value = values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(prefix + key, "this is no list of names")
        return tuple(value)

    def rules(self, values: Mapping[str, Any], key: str, prefix: str = "") -> tuple[str, ...]:
        names = self.names(values, key, prefix)
        try:
            for name in names:
                named_rules(name)
        except UnknownName as error:
            raise self.wrong(prefix + key, str(error)) from None
        return names

    def table(self, values: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "this is no table")
        return value

    def thresholds(self, values: Mapping[str, Any]) -> dict[str, float]:
        limits = dict(_flat(self.table(values, "thresholds")))
        for name, value in limits.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise self.wrong(f"thresholds.{name}", "this is no number")
            try:
                RuleLimits.of({name: value})
            except (UnknownName, ValueError) as error:
                raise self.wrong(f"thresholds.{name}", str(error)) from None
        return limits

    def languages(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        codes = self.names(values, "languages")
        for name in codes:
            if not _LANGUAGE.fullmatch(name):
                raise self.wrong("languages", f"{name!r} is no language tag such as en or pt-BR")
        return codes


def _flat(table: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """The values of nested tables by dotted names: TOML reads ``text.small`` as nested."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{name}", item) for name, item in _flat(value))
        else:
            yield key, value


PROPERTY: Final = "decklab.ignore"
"""The custom document property that names what is ignored in the whole deck."""
_TAGS = "keywords"
_LINE = re.compile(r"^\s*decklab:\s*ignore\b[ \t]*(?P<names>.*)$", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"decklab:\s*ignore\s+(?P<names>[^;]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Ignored:
    """The rules that a deck ignores."""

    everywhere: frozenset[str] = frozenset()
    """Ids of rules that are ignored in the whole deck."""
    slides: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Ids of rules by the number of the slide that ignores them."""
    problems: tuple[str, ...] = ()
    """Names that are no rule, with their place, one line each."""

    def split(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
        """The findings that stay, and those that are ignored.

        A finding for several slides, some of which ignore its rule, stays for the others.
        """
        stay: list[Finding] = []
        gone: list[Finding] = []
        for finding in findings:
            if (rest := self._rest(finding)) is None:
                gone.append(finding)
            else:
                stay.append(rest)
        return stay, gone

    def _rest(self, finding: Finding) -> Finding | None:
        if finding.rule in self.everywhere:
            return None
        about = finding.slides or (() if finding.slide is None else (finding.slide,))
        without = [number for number in about if finding.rule in self.slides.get(number, ())]
        left = tuple(number for number in about if number not in without)
        if not without:
            return finding
        if not left:
            return None
        said = f"{finding.message} Ignored on {named_slides(without)}, as the notes there say."
        moved = {"slide": left[0], "shape": None, "box": None} if finding.slide in without else {}
        return finding.model_copy(update={"message": said, "slides": left, **moved})


def ignored_by(deck: DeckElements) -> Ignored:
    """The rules that a deck ignores, and names in it that are no rule."""
    problems: list[str] = []
    everywhere = _rules(_deck_names(deck.properties), "the properties of the deck", problems)
    slides = {}
    for slide in deck.slides:
        names = _names(match["names"] for match in _LINE.finditer(slide.notes or ""))
        if rules := _rules(names, f"the notes of slide {slide.number}", problems):
            slides[slide.number] = rules
    return Ignored(everywhere, slides, tuple(problems))


def _deck_names(properties: Mapping[str, str]) -> Iterator[str]:
    yield from _names([properties.get(PROPERTY, "")])
    yield from _names(match["names"] for match in _TAG.finditer(properties.get(_TAGS, "")))


def _names(texts: Iterable[str]) -> Iterator[str]:
    return (name.rstrip(".") for text in texts for name in re.split(r"[,\s]+", text) if name)


def _rules(names: Iterable[str], source: str, problems: list[str]) -> frozenset[str]:
    rules: set[str] = set()
    for name in names:
        try:
            rules |= named_rules(name)
        except UnknownName as error:
            problems.append(f"{source} ignore something unknown: {error}")
    return frozenset(rules)
