import pytest

from decklab.metrics.element_measures import FONT_GROUPS, canonical_font, font_group

# Paper 000, table 5: canonical names with counts, as printed.
TABLE_5 = {
    "calibri": 2183, "arial": 1692, "unknown": 460, "lato": 260, "montserrat": 203, "roboto": 159,
    "open sans": 132, "century gothic": 105, "oswald": 105, "helvetica neue": 98,
    "avenir next": 97, "garamond": 70, "verdana": 66, "ibm plex sans": 65, "corbel": 64,
    "georgia": 61, "source sans pro": 53, "libre franklin": 43, "tahoma": 41, "patrick hand": 33,
    "raleway": 32, "soehne": 31, "dosis": 30, "inter": 22, "times new roman": 22,
    "quattrocento sans": 20, "titillium web": 20, "bahnschrift": 16, "barlow": 16, "cambria": 16,
    "elephant": 15, "franklin gothic": 14, "nunito": 14, "gill sans": 12, "amatic sc": 10,
    "american typewriter": 10, "source code pro": 10, "ubuntu": 9, "ibm plex mono": 5,
    "palatino linotype": 4, "aptos": 3, "handwriting": 3, "segoe script": 3,
    "bookman old style": 2, "menlo": 2, "playfair display": 2, "tenorite": 2, "bodoni": 1,
    "inconsolata": 1, "pacifico": 1, "proxima nova": 1, "segoe ui": 1,
}  # fmt: skip
TABLE_6 = {"sans": 5503, "other": 569, "serif": 203, "script": 47, "mono": 18}


def test_the_groups_of_table_5_add_up_to_table_6() -> None:
    counts = dict.fromkeys(TABLE_6, 0)
    for name, count in TABLE_5.items():
        counts[font_group(name)] += count
    assert counts == TABLE_6


@pytest.mark.parametrize("name", sorted({*TABLE_5, *FONT_GROUPS}))
def test_canonical_names_stay_as_they_are(name: str) -> None:
    assert canonical_font(name) == name


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("Calibri Light", "calibri"),
        ("Calibri (Body)", "calibri"),
        ("Segoe UI Semibold", "segoe ui"),
        ("Avenir Next LT Pro Demi", "avenir next"),
        ("Arial Rounded MT Bold", "arial rounded mt"),
        ("Arial, Helvetica, sans-serif", "arial"),
        ("'Open Sans'", "open sans"),
        ("OpenSans-ExtraBoldItalic", "open sans"),
        ("TimesNewRomanPS-BoldMT", "times new roman"),
        ("Times", "times new roman"),
        ("Söhne", "soehne"),
        ("Bebás", "bebas"),
        ("Franklin Gothic Book", "franklin gothic"),
        ("Futura Std Light", "futura"),
        ("MS Gothic", "ms gothic"),
        ("Light", "light"),
        ("  ", "unknown"),
        ("", "unknown"),
    ],
)
def test_other_spellings_lead_to_the_canonical_name(spelling: str, canonical: str) -> None:
    assert canonical_font(spelling) == canonical
