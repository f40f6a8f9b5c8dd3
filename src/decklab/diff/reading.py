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
        taken = [snapshot(_Thinned(package, same)) for package in (before, after)]
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


class _Thinned(Package):
    """A package in which some slides are blank, and that lists no layouts, masters or media: a
    snapshot reads those that the other slides use."""

    def __init__(self, package: Package, blank: frozenset[int]) -> None:
        super().__init__(package.archive)
        main = self.main_part
        links = self.relationships(main)
        self._blank = frozenset(
            links[item.get(qn("r:id"), "")].target
            for item in self.xml(main).iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}")
            if parse_int(item.get("id")) in blank
        )

    @property
    def names(self) -> tuple[str, ...]:
        """None: only media are looked up by going through all parts."""
        return ()

    def xml(self, name: str) -> Element:
        """The root element of a part; of a blank slide an empty one."""
        if name in getattr(self, "_blank", ()):
            return parse_xml(_SLIDE, path=self.label, part=name, limits=self.limits)
        root = super().xml(name)
        for tag in ("p:sldMasterIdLst", "p:sldLayoutIdLst"):
            for listed in root.findall(qn(tag)):
                root.remove(listed)
        return root

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """The relationships of a part; a blank slide has none."""
        return {} if part in getattr(self, "_blank", ()) else super().relationships(part)
