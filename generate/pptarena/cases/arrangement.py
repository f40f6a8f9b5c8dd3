"""Cases of the categories Layout and Styling."""

from generate.pptarena.cases.harm import BAD, PLAIN, RICH
from generate.pptarena.edits import deckwide, shapes, text
from generate.pptarena.recipe import Recipe

_BODY = "Text Placeholder 2"
_ALIGNMENT = "Alignment, Distribution, Grid, Grouping, Z-order"
_WORDS = ("TextBox 18", "TextBox 38", "TextBox 58", "TextBox 78")

LAYOUT: tuple[Recipe, ...] = (
    Recipe(
        "Labels in one row",
        "bad",
        _ALIGNMENT,
        "On slide 3, line the five amounts up in one row 110 pt from the top, each over its bar.",
        "Slide 3: the texts $7M, $12M, $16M, $23M and $31M have their tops at 110 pt; their left "
        "edges and sizes stay. Bars, years and axes stay.",
        truth=tuple(
            shapes.place(3, name, left, 110)
            for name, left in (
                ("TextBox 5", 190),
                ("TextBox 8", 322),
                ("TextBox 11", 454),
                ("TextBox 14", 586),
                ("TextBox 17", 718),
            )
        ),
        wrong=tuple(shapes.move(5, name, 0, 20) for name in _WORDS),
        damage=BAD["promise retold"],
    ),
    Recipe(
        "The pump in front",
        "rich",
        _ALIGNMENT,
        "On slide 8, bring the heat pump to the front and put it at 80 pt, 170 pt; then make one "
        "group, named Energy, of the three bars beside it.",
        "Slide 8: the group '!!Heat pump' is drawn above what was there, at 80, 170 pt. The groups "
        "'Electricity', 'From the sea' and 'Heat delivered' are members of one group 'Energy' and "
        "stand where they stood.",
        truth=(
            shapes.place(8, "!!Heat pump", 80, 170),
            shapes.to_front(8, "!!Heat pump"),
            shapes.group(
                8, ("Electricity: 1 kWh", "From the sea: 2 kWh", "Heat delivered: 3 kWh"), "Energy"
            ),
        ),
        wrong=(
            shapes.place(7, "!!Heat pump", 450, 120),
            shapes.to_front(7, "!!Heat pump"),
            shapes.group(7, ("Storage icon", "Homes icon"), "Energy"),
        ),
        damage=RICH["budget gone"],
        partial=(shapes.place(8, "!!Heat pump", 80, 170),),
    ),
    Recipe(
        "Help in two columns",
        "plain",
        "Slide Layouts & Placeholders",
        "Put slides 2 and 7 on the layout 'Two Content'.",
        "Slides 2 and 7 follow the layout 'Two Content'; their texts are in the left column and "
        "keep their words and links. Slide 6 stays as it is.",
        truth=(deckwide.layout(2, "Two Content"), deckwide.layout(7, "Two Content")),
        wrong=(deckwide.layout(6, "Two Content"), deckwide.layout(3, "Title and Content")),
        damage=PLAIN["ridge smaller"],
    ),
    Recipe(
        "Swap the columns",
        "plain",
        "Slide Layouts & Placeholders",
        "On slide 4, swap the headings of the two columns, and rewrite the slide's title to fit: "
        "'What was hard, what went well'.",
        "Slide 4: the left placeholder begins with 'Was hard', the right one with 'Went well'; the "
        "points below stay. Title 'What was hard, what went well'.",
        truth=(
            text.paragraph_text(4, "Text Placeholder 2", 1, "Was hard"),
            text.paragraph_text(4, "Text Placeholder 3", 1, "Went well"),
            text.text(4, "title", "What was hard, what went well"),
        ),
        wrong=(
            text.paragraph_text(2, _BODY, 1, "Was hard"),
            text.paragraph_text(6, _BODY, 1, "Went well"),
            text.text(2, "title", "What was hard, what went well"),
        ),
        damage=PLAIN["plans retold"],
    ),
)

STYLING: tuple[Recipe, ...] = (
    Recipe(
        "Violet accents",
        "rich",
        "Themes & Background",
        "Set the theme's accent1 to #5B2C83. Set the theme's accent2 to #E0A100.",
        "Theme: accent 1 #5B2C83, accent 2 #E0A100, the other colours and the typefaces as "
        "before. No shape gets a colour of its own; all that uses the accents follows.",
        truth=(
            deckwide.theme_color("accent1", "5B2C83"),
            deckwide.theme_color("accent2", "E0A100"),
        ),
        wrong=(deckwide.background(9, "5B2C83"), shapes.fill(13, "Assumptions button", "E0A100")),
        damage=RICH["pathways retold"],
    ),
    Recipe(
        "Green pages",
        "plain",
        "Themes & Background",
        "Give slides 2, 4 and 6 a background of #EAF3E6. Set the theme's heading font to "
        "'Georgia'.",
        "Slides 2, 4 and 6: solid background #EAF3E6; the others keep theirs. Theme: the typeface "
        "of headings is Georgia, that of bodies stays.",
        truth=(
            deckwide.background(2, "EAF3E6"),
            deckwide.background(4, "EAF3E6"),
            deckwide.background(6, "EAF3E6"),
            deckwide.theme_font("major", "Georgia"),
        ),
        wrong=(
            deckwide.background(3, "EAF3E6"),
            deckwide.background(5, "EAF3E6"),
            deckwide.background(7, "EAF3E6"),
            deckwide.theme_font("minor", "Georgia"),
        ),
        damage=PLAIN["footer gone"],
    ),
    Recipe(
        "Titles in forest green",
        "plain",
        "Master-level edits",
        "In the slide master, set titles in #2E5E2A at 36 pt.",
        "Master: title style #2E5E2A, 36 pt. No slide and no layout overrides it, and bodies stay.",
        truth=(deckwide.master_title(value="2E5E2A"), deckwide.master_title(points=36)),
        wrong=(text.color(3, "title", "2E5E2A"), text.font_size(3, "title", 36)),
        damage=PLAIN["help moved"],
    ),
    Recipe(
        "A warmer band",
        "rich",
        "Master-level edits",
        "In the slide master, fill the band at the edge with #F2704E, make the short accent by the "
        "title #0F4C5C, and set titles at 30 pt.",
        "Master: shape 'Edge band' #F2704E, shape 'Title accent' #0F4C5C, title style 30 pt. "
        "Layouts and slides have no changes of their own.",
        truth=(
            deckwide.master_fill("Edge band", "F2704E"),
            deckwide.master_fill("Title accent", "0F4C5C"),
            deckwide.master_title(points=30),
        ),
        wrong=(
            deckwide.layout_title_color("Title only", "F2704E", 30),
            text.font_size(5, "title", 30),
        ),
        damage=RICH["section smaller"],
    ),
)
