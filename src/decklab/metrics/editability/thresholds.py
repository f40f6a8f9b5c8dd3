"""Every number that decides an editability gate, with its reason.

Paper 002 (section 2.4, appendix I) describes the gates as a person walks through them and prints
no thresholds; all of these are ours. Lengths are pixels of the 960x540 frame, shares are 0 to 1.
"""

MOSTLY = 0.5
"""A deck is judged by what most of it does: one bad slide must not sink forty good ones, and one
good slide must not save a bad deck. Used for raster slides, reflow, blurred graphics, layouts and
data graphics, always on the share strictly above (or, for what must hold, at least) one half."""

# Gate 1, text integrity

FULL_SLIDE = 0.85
"""Share of the slide from which a picture is the slide: leaves room for a thin frame or a title
strip of about 80 pixels, while a half-bleed photograph (0.5 to 0.7) stays a picture."""

ONLY_PICTURE = 0.4
"""Share of the slide from which a picture that is all there is on it is the slide: a page
letterboxed into another format (a 4:3 or upright page on a wide slide) covers 0.4 to 0.75."""

STRAY_SHAPES = 2
"""Shapes on a full-slide picture that do not make it a composition: a mark, a frame."""

SPARSE_TEXT = 15
"""Characters of selectable text up to which a slide under a full-slide picture counts as having
none: a page number, a date or a watermark stay below, a real title does not."""

MIN_FRAGMENTS = 2
"""Single-line boxes that make a broken paragraph: two lines that read on are one already."""

FRAGMENT_LEADING = 1.9
"""Largest distance between the tops of two lines of one paragraph, in line heights: double
spacing and a little; boxes farther apart read as separate items."""

FRAGMENT_INDENT = 8
"""Largest difference of left edges within one paragraph: an OCR box hugs its ink, so edges wander
by a few pixels, while columns and indents differ by 20 and more."""

FRAGMENT_SHARE = 0.3
"""Share of the deck's text (by characters) that may sit in broken paragraphs. Line-by-line
exports break nearly all of it; people break a caption or two."""

DEFAULT_SIZE_PT = 18.0
"""Size of text that names none and inherits none: the format's own default for text boxes."""

SINGLE_LINE_HEIGHT = 2.3
"""Largest height of a one-line box, in font sizes: a line of 1.2 and the usual insets."""

WIDE_LINE = 0.85
"""Width, against the line after it, from which a line without cased letters was full and broken
off: in scripts without case the next line's first letter tells nothing."""

REFLOW_TOLERANCE = 6
"""How far ink may pass an edge and still be inside: italics, bullets hung into the margin and a
replaced font stick out by a few pixels (0.6 % of the slide's width)."""

SHORT_LABEL_WORDS = 3
"""Up to so many words a box without wrapping is a label (an axis name, a button), which grows
with its text as its editor expects; a longer line in such a box is a sentence that cannot wrap."""

SHORT_LABEL_CHARACTERS = 24
"""Longest label in characters, for scripts that do not put spaces between words."""

# Gate 2, vector graphics

SHARP_AT_400 = 4 * 1280 / 960
"""Pixels a raster needs per frame pixel to stay sharp at 400 % zoom (paper 002, I.4.3 step 2). A
16:9 slide is 13.33 inches wide, 1280 pixels at the 96 dpi that editors call 100 %."""

PHOTO_SOFT_SHARE = 0.25
"""Share of soft steps between neighbouring pixels (more than 3, at most 48 of 255) from which a
raster is a photograph. Of 202 pictures of real decks, icons, illustrations and screenshots stay
below 0.25 and photographs of people, places and things start at 0.29."""

SMOOTH_EDGE_SHARE = 0.004
"""Share of hard steps (above 48) below which a raster has no edges that zooming could blur."""

SMOOTH_TOP_COLOURS = 0.7
"""A raster without hard edges is a colour wash only where its eight commonest colours cover less
than this; a large plain shape has no edges either, but few colours."""

BLUR_AREA = 0.02
"""Share of the slide that blurred graphics must cover before the slide counts as pixelated: three
icons of 8 % of the slide's width do, one logo does not."""

LOGO_AREA = 0.05
"""Largest share of the slide for a picture that, standing at one place on several slides, is
taken for a logo or a mark: it is a brand asset, not a graphic of the slide."""

# Gate 3, structure

CLUSTER_GAP = 2
"""Loose pieces this near count as touching: outlines are drawn over shared edges."""

PIECE_AREA = 0.25
"""Share of the slide above which a shape is a panel that other things stand on, not a piece."""

ICON_EXTENT = 0.4
"""Largest extent of an icon or figure, as a share of the slide in each direction. What is larger
is a composition of the slide, whose parts people do select one by one."""

ICON_PIECES = 8
"""Textless pieces that make a loose icon or figure. Up to seven that touch occur in decoration
that people place by hand; drawn figures have ten, traced icons dozens."""

LOOSE_PIECES = 20
"""Textless pieces that make a loose graphic of any extent: a person lays out a dozen boxes and
arrows and expects to select them one by one, but not twenty that touch."""

COMPLEX_GROUP = 5
"""Members from which a group is a complex graphic that moves as one unit."""

LOOSE_SHARE = 0.5
"""Share of a deck's complex graphics (loose clusters over clusters and complex groups) that may
be loose."""

HUNDREDS = 100
"""Loose pieces in one cluster that fail the gate by themselves: the paper's atomic isolation
speaks of hundreds of loose shapes."""

PASTED_SHARE = 0.8
"""Share of slides that carry the same object at the same place before it counts as pasted
background: title and closing slides are usually dressed differently."""

MIN_PASTED_SLIDES = 4
"""Slides below which repetition says nothing."""

PASTED_AREA = 0.25
"""Share of the slide that pasted objects must cover to be its background: a full picture or
side, top and bottom bars do; a logo and a rule do not and are only named."""

# Gate 4, data

MIN_BARS = 3
"""Bars that make a chart: two rectangles on a line are an illustration."""

BAR_TOLERANCE = 1.5
"""Largest difference of baselines and, besides a tenth of the width, of bar widths."""

BAR_EVENNESS = 0.15
"""Largest deviation of the distances between bars from their mean, as a share of that mean."""

SURE_BARS = 5
"""Bars from which even spacing is not asked for: clustered columns stand in pairs and threes."""

MIN_AXIS_LABELS = 2
"""Short texts with digits that must stand by the bars: a chart has a scale or values written on
it, while a skyline or a row of stripes has none."""

AXIS_REACH = 60
"""How far from the bars their labels may stand: an axis title and a row of category names."""

LABEL_LENGTH = 12
"""Characters up to which a text with digits is an axis or value label: ``$12,500``, ``2012 Q4``."""

MIN_SECTORS = 2
"""Sectors around one centre that make a pie: a single ring segment is a gauge or an ornament."""

MIN_PROCESS_LINES = 3
"""Boxes, and lines between them, that make a process on one slide: lines glued to boxes at both
ends make it a connected diagram, lines glued to nothing are named."""

BAR_HEIGHT_SPREAD = 1.15
"""Smallest ratio of the longest to the shortest bar: equal boxes are a row of cards."""

CELL_TOLERANCE = 1e-6
"""Largest relative difference between a cell and the value the chart draws: caches are written
with 15 digits, so anything more is another number."""

# Gate 5, cinematic

MOVING_SHARE = 0.5
"""Share of slides with a transition or an animation from which a deck is directed in time; a
lone effect on a title slide leaves the rest a static show."""
