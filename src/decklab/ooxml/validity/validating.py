"""All checks of a package in one go."""

from pathlib import Path

from decklab.ooxml.package import Package
from decklab.ooxml.validity.conformance import check_conformance, check_texts
from decklab.ooxml.validity.inspection import Inspection, Problem
from decklab.ooxml.validity.parts import check_declarations, check_references, check_required_parts
from decklab.ooxml.validity.pictures import check_pictures
from decklab.ooxml.validity.slides import check_content, check_lists


def validate(package: Package) -> list[Problem]:
    """Everything wrong with a presentation package, each problem once, errors first.

    ``error`` marks what PowerPoint would offer to repair, refuse or be unable to show,
    ``warning`` what it puts up with. A package without errors opens cleanly as far as decklab can
    tell; what no rule covers (sound and video, macros, the insides of extensions) is not looked
    at. Parts that cannot be read are reported, never raised. Raises MissingPart, MalformedPart or
    TruncatedDeck only where the package's own relationships cannot be read, or name no main part.
    """
    inspection = Inspection(package)
    main = package.main_part
    check_declarations(inspection)
    check_references(inspection)
    if inspection.root(main) is not None:
        check_lists(inspection)
        check_required_parts(inspection)
    check_content(inspection)
    check_conformance(inspection)
    check_texts(inspection)
    check_pictures(inspection)
    return sorted(inspection.found, key=lambda problem: problem.severity != "error")


def validate_deck(path: str | Path) -> list[Problem]:
    """``validate`` for a file; raises DeckError where it cannot be opened."""
    with Package.open(path) as package:
        return validate(package)
