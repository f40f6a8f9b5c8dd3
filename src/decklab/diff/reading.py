"""Two packages in, typed changes out, reading no more of them than differs."""

from decklab.deck.snapshot import Snapshot, snapshot
from decklab.diff.deck import diff, match_decks
from decklab.diff.matching.slides import STRANGE, likeness
from decklab.diff.model import DeckDiff
from decklab.diff.unchanged import unchanged_slides
from decklab.ooxml.names import qn
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element, parse_xml
from decklab.ooxml.relationships import Relationship
from decklab.ooxml.units import parse_int

__all__ = ["diff_packages"]

_SLIDE = (
    b'<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">'
    b"<p:cSld><p:spTree/></p:cSld></p:sld>"
)


def diff_packages(before: Package, after: Package) -> DeckDiff:
    """The changes that lead from one deck to another: those of ``diff`` on their snapshots.

    Slides that are the same in both files, byte for byte with all their parts, are not read,
    where the templates are the same too. Raises what taking a snapshot raises.
    """
    same = unchanged_slides(before, after)
    if same:
        sheets = _sheets(before, same) | _sheets(after, same)
        taken = [snapshot(_Thinned(package, same, sheets)) for package in (before, after)]
        if not _doubtful(taken[0], taken[1], same):
            return diff(*taken)
    return diff(snapshot(before), snapshot(after))


def _doubtful(before: Snapshot, after: Snapshot, same: frozenset[int]) -> bool:
    """Whether slides that were not read may matter: some slide kept its id and little else, so
    that it may be a copy of one of them, or lost the mark by which slides are told apart."""
    for old, new in match_decks(before, after).pairs:
        if old["id"] not in same and (
            old.get("creation_id") != new.get("creation_id") or likeness(old, new) < STRANGE
        ):
            return True
    return False


def _slides(package: Package, ids: frozenset[int], *, but: bool = False) -> frozenset[str]:
    """Parts of the slides of these ids; with ``but`` of all others."""
    main = package.main_part
    links = package.relationships(main)
    return frozenset(
        link.target
        for item in package.xml(main).iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}")
        if (parse_int(item.get("id")) in ids) is not but
        and (link := links.get(item.get(qn("r:id")) or "")) is not None
    )


def _sheets(package: Package, same: frozenset[int]) -> frozenset[str]:
    """Layouts, and their masters, of the slides that have to be read."""
    layouts = {
        layout
        for part in _slides(package, same, but=True)
        if part in package
        for layout in package.related(part, "slideLayout")
    }
    masters = {master for layout in layouts for master in package.related(layout, "slideMaster")}
    return frozenset(layouts | masters)


class _Thinned(Package):
    """A package in which some slides are blank, and that lists some layouts and masters only and
    no media."""

    def __init__(self, package: Package, same: frozenset[int], sheets: frozenset[str]) -> None:
        self._blank: frozenset[str] = frozenset()
        super().__init__(package.archive)
        self._sheets = sheets
        self._blank = _slides(package, same)

    @property
    def names(self) -> tuple[str, ...]:
        """None: only media are looked up by going through all parts."""
        return ()

    def xml(self, name: str) -> Element:
        """The root element of a part; of a blank slide an empty one."""
        if name in self._blank:
            return parse_xml(_SLIDE, path=self.label, part=name, limits=self.limits)
        root = super().xml(name)
        for path in ("p:sldMasterIdLst", "p:sldLayoutIdLst"):
            for item in root.findall(f"{qn(path)}/*"):
                link = self.relationships(name).get(item.get(qn("r:id")) or "")
                parent = item.getparent()
                if parent is not None and (link is None or link.target not in self._sheets):
                    parent.remove(item)
        return root

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """The relationships of a part; a blank slide has none."""
        return {} if part in self._blank else super().relationships(part)
