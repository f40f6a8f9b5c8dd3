import pytest

from decklab.deck.styles.themes import family_without_style, plain_family


@pytest.mark.parametrize(
    ("typeface", "family"),
    [
        ("Tahoma (Headings)", "Tahoma"),
        (" Calibri  Light ", "Calibri Light"),
        ("'Open Sans', sans-serif", "Open Sans"),
        ("@SimSun", "SimSun"),
        ("(Body)", "(Body)"),
        ("", ""),
    ],
)
def test_a_typeface_names_a_family(typeface, family):
    assert plain_family(typeface) == family


def test_styles_are_no_part_of_the_family():
    assert family_without_style("Segoe UI Semilight") == "Segoe UI"
    assert family_without_style("Roboto-Bold Italic") == "Roboto"
    assert family_without_style("Light") == "Light"
