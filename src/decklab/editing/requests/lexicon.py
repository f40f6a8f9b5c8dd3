"""The words that requests are made of, and what each of them means."""

from collections.abc import Mapping


def _table(text: str) -> dict[str, str]:
    """Lines of ``meaning: word, several words``, turned round."""
    found: dict[str, str] = {}
    for line in text.strip().splitlines():
        meaning, words = line.split(":")
        found |= {word.strip(): meaning.strip() for word in words.split(",")}
    return found


def _listed(text: str) -> list[str]:
    return text.split()


def word_set(text: str) -> frozenset[str]:
    """The words of a text that spaces divide."""
    return frozenset(_listed(text))


ACTIONS: Mapping[str, str] = _table("""
delete: delete, remove, erase, drop, take out, take away, take off, get rid of, cut, eliminate
delete: throw out, throw away, strip, clear, discard, kill, turn off, switch off, take down
delete: leave out, disable
add: add, insert, append, create, include, attach, write, turn on, switch on, enable
set: set, change, make, turn, give, use, put, apply, update, switch, convert, let, call, name
set: have, render, modify, edit, adjust, fix, need, want, i want, style, format, assign, show
replace: replace, substitute
rename: rename, retitle, entitle
swap: swap, exchange, interchange, switch around, trade
move: move, shift, bring, place, send, reorder, relocate, push, nudge, drag
duplicate: duplicate, clone, copy, double, repeat, make a copy of, create a copy of
duplicate: make a duplicate of, add a copy of
hide: hide, skip
unhide: unhide, reveal, bring back
reverse: reverse, invert, flip
number: number
link: link, hyperlink
unlink: unlink
resize: resize, halve, triple, bump, scale, enlarge, shrink, increase, decrease, reduce, grow
resize: raise, lower, widen, narrow, stretch
bold: bold, embolden
italic: italicize, italicise
underline: underline
align: align, left-align, right-align, left align, right align, justify, center, centre
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
title: title, titles, heading, headings, headline, headlines, slide title, slide titles
title: slide heading, slide headings, slide headline, slide headlines
subtitle: subtitle, subtitles, subheading, subheadings
body: body, bodies, body text, body texts, content, contents, main text
bullet: bullet, bullets, bullet point, bullet points, bulletpoint, bulletpoints, list item
bullet mark: bullet mark, bullet marks, bullet sign, bullet signs, bullet symbol, bullet symbols
bullet: list items, point text, paragraph, paragraphs
text: text, texts, everything, all text, wording, fonts, font
caption: caption, captions
picture: picture, pictures, image, images, photo, photos, photograph, photographs, pic, pics
shape: shape, shapes, box, boxes, placeholder, placeholders
rectangle: rectangle, rectangles
circle: circle, circles, oval, ovals, ellipse
text box: text box, text boxes, textbox, textboxes, text field
table: table, tables
row: row, rows
column: column, columns
cell: cell, cells
header: header, headers, header row, table header, table headers, heading row, top row, header cells
chart: chart, charts, graph, graphs, plot, chart type, type of chart, kind of chart
chart: type of the chart
chart title: chart title, chart titles, chart heading
diagram: diagram, smartart, diagrams
notes: notes, note, speaker notes, speaker note, presenter notes, speaker's notes
alt text: alt text, alt texts, alternative text, alternative texts, alt-text
alt text: alternative description
footer: footer, footers, footer text
numbers: slide numbers, page numbers, slide number, page number, slide numbering, page numbering
background: background, backgrounds, background color, background colour, slide background
transition: transition, transitions, slide transition, slide transitions
animation: animation, animations, animation effects
link: link, links, hyperlink, hyperlinks, web address, web addresses, web link, web links, url, urls
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
    if word.endswith("s")
    and word not in ("notes", "speaker notes", "series", "contents", "theme's")
) | {"everything", "boxes", "all text"}  # fmt: skip

PROPERTIES: Mapping[str, str] = _table("""
color: color, colour, colors, colours
text color: font color, font colour, text color, text colour, font colors, letter color
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
upper: uppercase, upper case, upper-case, capitals, capital letters, all caps, caps
upper: block letters, block capitals
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
SMALLER = word_set("smaller lower narrower shorter less down thinner")
LARGER = word_set("bigger larger higher taller wider greater up more longer")

NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        _listed("""
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
""")
    )
    if number
}
ORDINALS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        _listed("""
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""),
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
FILLERS = word_set("""
the a an all al every each any of on in for from at to with its it's their our that which is are
be please just only also so this there as by into across throughout over within and , : whole
entire both these those them it own now here too exactly look looking appear have has under it's
same again
""")
"""Words that add nothing to the slots that are found."""
NEGATIONS = word_set("not no never don't dont do-not without n't nor neither cannot isn't")
VAGUE = word_set("""
something anything nothing better nicer catchier shorter longer clearer more less whatever what
match matching fit similar else another different appropriate suitable
""")
"""A value that begins with one of these is rather a wish than the words themselves."""

_OTHERS = """
accent after ahead also bald ball before beginning behind bell better black blank blinds blue
board body bond bottom brown busy but cable call called can case catchy cell checker class clean
clear close cold colors colours convincing cope copy core cost costs could count cover cross cut
daily dark data date dissolve doing double drive early east end enter equal even event every
everywhere except excluding fade fall field fight file fill final find fine first focus fold
following font food foot force form fort from front fund goal goals gold gray great green grey
group guide half hall heading headings heart hide high hold hole horse house i'd ignore ignoring
image improve inch inches input insensitive inside instance instances issue items known label
large later learn leave left level life light like limit line lines link links live local love
lower lunch made major make maker makes male market match matter maybe media might mode model
modern mold money month more move moved music must named navy never new next nicer night noise
north note notes occurrence occurrences odd off offer often on onwards orange order other owner
page paper part parts party peace percent phase phone piece pilot pink place placed places plain
plant point position presentation price prime print prior professional proof proud purple push
quick quiet quote random range rapid rates reach read reads ready red regardless remaining
replace rest rewrite ride right rival river role roles round rule rural sale sales scale scope
score second seconds sell sense series serious seven shall shape share sharp sheet shift short
shorten should side sight simple since site size skill sleep slide small smart smile sold solid
solve sound south space speed spend split sport staff stage stand start state steel stick still
stock stone store story study style summarise summarize sweet table tables taken tale tall taste
teach teal team tell test text thank them theme then there these thick thing think those through
tile tiles time title titled today told top total totals tower track trade train translate
transparent treat trend trial triple truck truth twice uncle uncover under union unless until
upper urban usage usual value video visible visit vital voice volunteers wall want water west
wheel where while white whole wide wipe wise woman words world worth would write yellow young
zoom horizontally vertically
"""
"""Words of requests that stand in no table, and common words that are near to known ones."""
_TABLES = (
    ACTIONS, TARGETS, PROPERTIES, STYLES, ALIGNMENTS, CASES, CHARTS, NUMBERS, ORDINALS, UNITS
)  # fmt: skip
EXACT_WORDS = (
    frozenset(word for table in _TABLES for phrase in table for word in phrase.split())
    | word_set(_OTHERS)
    | FILLERS | SMALLER | LARGER | NEGATIONS
)  # fmt: skip
"""All single words that are spelled right, for typos to be held against."""
