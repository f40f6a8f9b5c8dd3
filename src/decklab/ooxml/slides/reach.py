"""Which parts a package can reach from its root: the others are of no use to anybody."""

from decklab.ooxml.slides.draft import Draft


def reachable(draft: Draft, without: str | None = None) -> set[str]:
    """Names of all parts that relationships lead to from the package's root.

    Ways through the part ``without`` do not count, nor does that part.
    """
    found: set[str] = set()
    waiting = [""]
    while waiting:
        for link in draft.relationships(waiting.pop()).values():
            name = link.target
            if link.external or name in found or name == without or name not in draft:
                continue
            found.add(name)
            waiting.append(name)
    return found


def sweep(draft: Draft, before: set[str]) -> None:
    """Remove parts that could be reached ``before`` and no longer can.

    Parts that nothing led to in the first place are left alone.
    """
    for name in before - reachable(draft):
        draft.remove(name)
