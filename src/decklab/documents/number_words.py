"""Words that say what a number is: units, currencies, scales, months, words that lead references.

English and German, the languages of the documents we read so far.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9,
    "billions": 1e9, "trillion": 1e12, "trillions": 1e12, "mn": 1e6, "bn": 1e9, "tn": 1e12,
    "Tausend": 1e3, "Mio.": 1e6, "Mio": 1e6, "Million": 1e6, "Millionen": 1e6,
    "Mrd.": 1e9, "Mrd": 1e9, "Milliarde": 1e9, "Milliarden": 1e9, "Billion": 1e12,
    "Billionen": 1e12,
}  # fmt: skip
"""Factor of a word that scales a number; a capital letter marks a German "Billion"."""

ATTACHED_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}
"""The same for letters that follow a number at once, and in money after a space too."""

CURRENCY_SIGNS = {"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}

CURRENCY_WORDS = {
    **{code: code for code in _words("USD EUR GBP JPY CHF CNY INR SEK NOK DKK PLN AUD CAD")},
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "Euro": "EUR",
    "pounds": "GBP", "yen": "JPY", "Dollar": "USD", "Franken": "CHF", "€": "EUR", "$": "USD",
}  # fmt: skip
"""Currencies by ISO 4217, by the words that follow an amount (codes may lead it too)."""

PERCENT_UNITS = {
    "%": "%", "percent": "%", "per cent": "%", "Prozent": "%",
    "percentage points": "percentage points", "percentage point": "percentage points",
    "Prozentpunkte": "percentage points", "Prozentpunkten": "percentage points",
    "pp": "percentage points", "basis points": "basis points", "bps": "basis points",
}  # fmt: skip

UNITS = _words(
    "km m cm mm µm nm mi ft in yd kg g mg µg t lb oz l L ml h hr hrs min s ms µs ns d yr yrs "
    "B KB kB MB GB TB PB KiB MiB GiB TiB bit bits bytes Hz kHz MHz GHz W kW MW GW kWh MWh GWh TWh "
    "V kV mV A mA N kN Pa kPa MPa bar J kJ MJ cal kcal K °C °F ° px pt dpi fps rpm mol M ha "
    "km/h m/s km² m² cm² m³ km2 m2 x × fold dB ppm CO2"
)
"""Measures that may follow a number at once or after a space, in their own spelling."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "January Januar Jan", "February Februar Feb", "March März Mar", "April Apr",
            "May Mai", "June Juni Jun", "July Juli Jul", "August Aug",
            "September Sept Sep", "October Oktober Oct Okt", "November Nov",
            "December Dezember Dec Dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

REFERENCE_WORDS = {
    "figure": "figure figures fig figs abbildung abbildungen abb",
    "table": "table tables tab tabelle tabellen",
    "section": "section sections sec secs sect chapter chapters chap appendix part abschnitt "
    "kapitel teil anhang §",
    "equation": "equation equations eq eqs eqn gleichung",
    "theorem": "theorem theorems lemma proposition corollary definition remark satz",
    "page": "page pages p pp seite seiten s",
    "example": "example examples exercise listing algorithm beispiel footnote note line lines step",
    "number": "no nos nr vol volume issue",
}
"""Kinds of references, and the words that lead to their number; case does not matter."""

STANDARDS = "RFC ISO DIN IEC IEEE EN ANSI PEP BSI"

PROGRAMS = (
    "Python Java Debian Ubuntu Fedora LibreOffice Office Windows Linux Android iOS macOS PHP Ruby "
    "Perl PostgreSQL MySQL SQLite CUDA PyTorch TensorFlow Unicode HTML HTTP CSS Rust Go Node"
)
"""Names after which a number is a version."""

NO_UNITS = _words(
    "and or of in on at to for from by with as is are was were be been the a an than that this "
    "these those which who when while where if but not per per-cent each every about over under "
    "und oder von in an auf zu für aus mit als ist sind war waren der die das den dem ein eine "
    "dass wenn aber nicht pro je bis also so then more less fewer times mehr weniger after before "
    "we it they he she i you has have had can could may might will would shall should must do "
    "does did such only just even both all any some no its their our his her since during until "
    "between within without through into onto up down out off again there here however"
)
"""Words that end the search for the counted thing."""
