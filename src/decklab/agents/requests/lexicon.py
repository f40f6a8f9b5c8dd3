"""The words that requests are made of, and what each of them means."""

from collections.abc import Mapping


def _table(text: str) -> dict[str, str]:
    """Lines of ``meaning: word, several words``, turned round."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        meaning, words = line.split(":")
        found |= {word.strip(): meaning.strip() for word in words.split(",")}
    return found


ACTIONS: Mapping[str, str] = _table("""
delete: delete, remove, erase, drop, take out, take away, take off, get rid of, cut, eliminate, throw out, strip, clear, discard, kill
add: add, insert, append, create, include, attach, write
set: set, change, make, turn, give, use, put, apply, update, switch, convert, let, call, name, render, modify, edit, adjust, fix, need, want, i want, style, format, assign, show
replace: replace, substitute, exchange
rename: rename, retitle, entitle
swap: swap, interchange, switch around, trade
move: move, shift, bring, place, send, reorder, relocate, push, nudge, drag
duplicate: duplicate, clone, copy, double, repeat
hide: hide
unhide: unhide, reveal
reverse: reverse, invert, flip
number: number
link: link, hyperlink
unlink: unlink
resize: resize, scale, enlarge, shrink, increase, decrease, reduce, grow, raise, lower, widen, narrow, stretch
bold: bold, embolden
italic: italicize, italicise
underline: underline
align: align, left-align, right-align, justify, center, centre
color: color, colour, paint, recolor, recolour, shade, tint
fill: fill
capitalize: capitalize, capitalise, uppercase
lowercase: lowercase
describe: describe
normalise: normalise, normalize, unify
keep: keep
""")
"""Verbs by what they do. ``show`` and words for looks have other senses too."""

TARGETS: Mapping[str, str] = _table("""
title: title, titles, heading, headings, headline, headlines, slide title, slide titles, slide heading, slide headings, slide headline, slide headlines
subtitle: subtitle, subtitles, subheading, subheadings
body: body, bodies, body text, body texts, content, contents, main text
bullet: bullet, bullets, bullet point, bullet points, bulletpoint, bulletpoints, list item, list items, point text, paragraph, paragraphs
text: text, texts, everything, all text, wording, fonts, font
caption: caption, captions
picture: picture, pictures, image, images, photo, photos, photograph, photographs, pic, pics, logo, screenshot, illustration
shape: shape, shapes, box, boxes
rectangle: rectangle, rectangles
circle: circle, circles, oval, ovals, ellipse
text box: text box, text boxes, textbox, textboxes, text field
table: table, tables
row: row, rows
column: column, columns
cell: cell, cells
header: header, headers, header row, table header, table headers, heading row, top row, header cells
chart: chart, charts, graph, graphs, diagram chart, plot
chart title: chart title, chart titles, chart heading
diagram: diagram, smartart, diagrams
notes: notes, note, speaker notes, speaker note, presenter notes, speaker's notes
alt text: alt text, alt texts, alternative text, alternative texts, alt-text, alternative description
footer: footer, footers, footer text
numbers: slide numbers, page numbers, slide number, page number, slide numbering, page numbering
background: background, backgrounds, background color, background colour, slide background
transition: transition, transitions, slide transition, slide transitions
animation: animation, animations, animation effects
link: link, links, hyperlink, hyperlinks
layout: layout, slide layout
theme: theme, theme's
word: word, words, phrase, term
date: date, dates
outline: outline, border, borders, outlines
series: series
category: category, categories
slide: slide, slides, page, pages
deck: deck, presentation, slideshow, slide deck, document
value: value, values, number, numbers, data point, figure, figures
section: section, sections
""")
"""Nouns by what they mean."""

PLURALS = frozenset(
    word for word in TARGETS
    if word.endswith("s") and word not in ("notes", "speaker notes", "series", "contents", "theme's")
) | {"everything", "boxes", "all text"}  # fmt: skip

PROPERTIES: Mapping[str, str] = _table("""
color: color, colour, colors, colours, font color, font colour, text color, text colour
size: size, sizes, font size, text size, font sizes, letter size
font: font, fonts, typeface, font family, font face, font type, font name, font families
fill: fill, fill color, fill colour, filling
width: width
height: height
style: style, weight, formatting
alignment: alignment
order: order
position: position
""")
"""What of a target a value is for."""

STYLES: Mapping[str, tuple[str, bool]] = {
    word: (name, True)
    for name, words in (
        ("bold", "bold bolded boldface"),
        ("italic", "italic italics italicized italicised cursive"),
        ("underline", "underlined underline underlining"),
    )
    for word in words.split()
} | {"unbold": ("bold", False)}
ALIGNMENTS: Mapping[str, str] = _table("""
left: left, left-aligned, left aligned, flush left, to the left, left-align
right: right, right-aligned, right aligned, flush right, to the right, right-align
center: center, centre, centered, centred, middle, in the middle, to the center, to the centre
justify: justify, justified
""")
CASES: Mapping[str, str] = _table("""
upper: uppercase, upper case, upper-case, capitals, capital letters, all caps, caps, block letters, block capitals
lower: lowercase, lower case, lower-case, small letters
title: title case, title-case, initial capitals
sentence: sentence case, sentence-case
""")
CHARTS: Mapping[str, str] = _table("""
column: column chart, column graph, columns, vertical bars, clustered column chart
stacked column: stacked column chart, stacked columns
bar: bar chart, bars, bar graph, horizontal bars, horizontal bar chart
stacked bar: stacked bar chart, stacked bars
line: line chart, line graph, lines
line with markers: line chart with markers, line with markers
area: area chart, area graph
pie: pie chart, pie
doughnut: doughnut chart, donut chart, doughnut, donut, ring chart
radar: radar chart, radar, spider chart
""")
SMALLER = frozenset("smaller lower narrower shorter less down thinner".split())
LARGER = frozenset("bigger larger higher taller wider greater up more longer".split())

NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
    if number
}
ORDINALS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
        "twentieth".split(),
        start=1,
    )
} | {"last": -1, "final": -1, "penultimate": -2, "opening": 1, "closing": -1}
UNITS: Mapping[str, float] = {
    **dict.fromkeys(("in", "inch", "inches", '"'), 914_400.0),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres"), 360_000.0),
    **dict.fromkeys(("mm", "millimeter", "millimeters", "millimetre", "millimetres"), 36_000.0),
    **dict.fromkeys(("pt", "pts", "point", "points"), 12_700.0),
    **dict.fromkeys(("px", "pixel", "pixels"), 9_525.0),
}
"""Lengths in EMU. A pixel is 1/96 inch (CSS Values 4, section 5.2)."""
FONTS = (
    "Arial Black", "Arial Narrow", "Arial", "Aptos", "Avenir", "Bahnschrift", "Baskerville",
    "Bookman Old Style", "Book Antiqua", "Calibri Light", "Calibri", "Cambria", "Candara",
    "Century Gothic", "Comic Sans MS", "Comic Sans", "Consolas", "Constantia", "Corbel",
    "Courier New", "Courier", "DejaVu Sans", "DejaVu Serif", "Fira Sans", "Franklin Gothic",
    "Futura", "Garamond", "Georgia", "Gill Sans MT", "Gill Sans", "Helvetica Neue", "Helvetica",
    "Impact", "Inter", "Lato", "Liberation Sans", "Liberation Serif", "Lucida Console",
    "Lucida Sans", "Merriweather", "Montserrat", "Noto Sans", "Noto Serif", "Open Sans", "Optima",
    "Oswald", "Palatino Linotype", "Palatino", "Playfair Display", "Poppins", "PT Sans", "Raleway",
    "Roboto Mono", "Roboto", "Rockwell", "Segoe UI", "Source Sans Pro", "Tahoma",
    "Times New Roman", "Times", "Trebuchet MS", "Trebuchet", "Ubuntu", "Verdana",
)  # fmt: skip
"""Fonts that need no quotes, the longer names first."""
FILLERS = frozenset(
    "the a an all al every each any of on in for from at to with its it's their our that which is "
    "are be please just only also so this there as by into across throughout over within and , : "
    "whole entire both these those them it own now here too exactly look looking appear have has "
    "under it's same".split()
)
"""Words that add nothing to the slots that are found."""
NEGATIONS = frozenset("not no never don't dont do-not without n't nor neither cannot isn't".split())
VAGUE = frozenset(
    "something anything better nicer catchier shorter longer clearer more less whatever what "
    "match matching fit similar else another different appropriate suitable".split()
)
"""A value that begins with one of these is rather a wish than the words themselves."""

EXACT_WORDS = frozenset(
    word for table in (ACTIONS, TARGETS, PROPERTIES, STYLES, ALIGNMENTS, CASES, CHARTS, NUMBERS,
                       ORDINALS, UNITS) for phrase in table for word in phrase.split()
) | FILLERS | SMALLER | LARGER | NEGATIONS | frozenset(
    "after before behind except excluding but everywhere start beginning front end top bottom "
    "position place ahead then case ignoring whole percent twice half double triple wide tall "
    "high dark light red blue green yellow orange purple grey gray black white pink brown navy "
    "teal seconds second fade push wipe split cover uncover cut dissolve zoom wheel blinds "
    "checker random theme accent should must read reads could would can you i'd like want "
    "titled called named heading headings left right inch inches transparent visible on off "
    "through until onwards following remaining rest other odd even part inside words also "
    "volunteers replace presentation".split()
)  # fmt: skip
"""All single words that mean something, for typos to be held against."""
