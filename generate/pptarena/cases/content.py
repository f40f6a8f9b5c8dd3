"""Cases of the category Content: texts, shapes, pictures, tables."""

from pptx.enum.shapes import MSO_SHAPE

from generate.pptarena.cases.harm import BAD, PLAIN, RICH
from generate.pptarena.edits import data, shapes, text
from generate.pptarena.recipe import Recipe

_BODY = "Text Placeholder 2"
_SHOT = "Screenshot 2025-11-03 at 16.42"

CONTENT: tuple[Recipe, ...] = (
    Recipe(
        "Crew leaders",
        "plain",
        "Text & Typography",
        "Replace 'four new crew leaders' with 'six new crew leaders' on slide 6. Make the "
        "title bold on slide 6. Set the size of the title on slide 6 to 44 pt.",
        "Slide 6, second block: the sentence on training names six crew leaders; its other words "
        "and its type stay. Slide 6, title: same words, bold, 44 pt. Nothing else changes.",
        truth=(
            text.replace(6, _BODY, "four new crew leaders", "six new crew leaders"),
            text.bold(6, "title"),
            text.font_size(6, "title", 44),
        ),
        wrong=(
            text.replace(2, _BODY, "Two footbridges", "Six footbridges"),
            text.bold(2, "title"),
            text.font_size(2, "title", 44),
        ),
        damage=PLAIN["help moved"],
    ),
    Recipe(
        "Kilometres in full",
        "plain",
        "Text & Typography",
        "Replace '35 km' with '35 kilometres' on slide 2. Set row 1, column 4 of the table on "
        "slide 3 to 'Trail cleared (kilometres)'.",
        "Slide 2: the first point reads '35 kilometres of trail cleared on 19 work days'. "
        "Slide 3: the last column is headed 'Trail cleared (kilometres)'. Numbers stay as they "
        "are, and so does the type. The word 'kilometre' on slides 5 and 6 stays.",
        truth=(
            text.replace(2, _BODY, "35 km", "35 kilometres"),
            data.cell_text(3, "Work by month", 1, 4, "Trail cleared (kilometres)"),
        ),
        wrong=(
            text.replace(5, "Text Placeholder 3", "kilometre", "km"),
            text.replace(6, _BODY, "kilometre", "km"),
        ),
        damage=PLAIN["glance recoloured"],
    ),
    Recipe(
        "Storage stands out",
        "rich",
        "Shapes & Drawing",
        "On slide 7, draw attention to the storage step: fill its box with #F2704E and give it a "
        "3 pt outline in #0B2E3B.",
        "Slide 7, shape 'Storage box': solid fill #F2704E, outline #0B2E3B of 3 pt. Its words, "
        "place and size stay, and so do the other boxes, icons and connectors.",
        truth=(
            shapes.fill(7, "Storage box", "F2704E"),
            shapes.outline(7, "Storage box", "0B2E3B", 3),
        ),
        wrong=(
            shapes.fill(13, "Assumptions button", "F2704E"),
            shapes.outline(13, "Assumptions button", "0B2E3B", 3),
        ),
        damage=RICH["cover moved"],
    ),
    Recipe(
        "A plainer button",
        "rich",
        "Shapes & Drawing",
        "Make the button on slide 13 a plain rectangle, 240 pt wide and 50 pt high, with its top "
        "left corner at 600 pt, 420 pt.",
        "Slide 13, shape 'Assumptions button': geometry rectangle, 240 by 50 pt, at 600, 420 pt. "
        "Words, fill and link stay.",
        truth=(
            shapes.geometry(13, "Assumptions button", MSO_SHAPE.RECTANGLE),
            shapes.resize(13, "Assumptions button", 240, 50),
            shapes.place(13, "Assumptions button", 600, 420),
        ),
        wrong=(
            shapes.geometry(7, "Homes box", MSO_SHAPE.OVAL),
            shapes.resize(7, "Homes box", 190, 206),
            shapes.place(7, "Homes box", 740, 226),
        ),
        damage=RICH["network recoloured"],
    ),
    Recipe(
        "Trim the screenshot",
        "bad",
        "Images & Pictures",
        "Cut 10 % off the left and right of the screenshot on slide 4, and place what is left at "
        "224 pt, 140 pt, 512 pt wide and 290 pt high.",
        "Slide 4, the screenshot: crop 10 % left and 10 % right, none above and below; box "
        "512 by 290 pt at 224, 140 pt. The image itself and all other shapes stay.",
        truth=(
            shapes.crop(4, _SHOT, left=0.1, right=0.1),
            shapes.resize(4, _SHOT, 512, 290),
            shapes.place(4, _SHOT, 224, 140),
        ),
        wrong=(
            shapes.crop(1, "Picture 1", left=0.1, right=0.1),
            shapes.resize(1, "Picture 1", 512, 290),
            shapes.place(1, "Picture 1", 224, 140),
        ),
        damage=BAD["moat moved"],
    ),
    Recipe(
        "The cover again",
        "bad",
        "Images & Pictures",
        "Replace the screenshot on slide 4 with the picture of slide 1, in the same place and "
        "size, and describe it as 'The cover of this presentation'.",
        "Slide 4: the picture shows the image of slide 1, uncropped, in the box of the "
        "screenshot; its alt text reads 'The cover of this presentation'. Slide 1 stays.",
        truth=(
            shapes.show_picture_of(4, _SHOT, 1, "Picture 1"),
            shapes.alt_text(4, _SHOT, "The cover of this presentation"),
        ),
        wrong=(
            shapes.show_picture_of(1, "Picture 1", 4, _SHOT),
            shapes.alt_text(1, "Picture 1", "The cover of this presentation"),
        ),
        damage=BAD["promise retold"],
    ),
    Recipe(
        "A November row",
        "plain",
        "Tables",
        "In the table on slide 3, add a row for November above the total: 1 work day, 9 "
        "volunteers, 1.5 km. Bring the totals up to date.",
        "Slide 3, table: a new row 'November | 1 | 9 | 1.5' between October and Total, in the "
        "type of the other rows. The total row reads 20, 159 and 36.5. All other cells stay.",
        truth=(
            data.add_row(3, "Work by month", 7, "November", "1", "9", "1.5"),
            data.cell_text(3, "Work by month", 8, 2, "20"),
            data.cell_text(3, "Work by month", 8, 3, "159"),
            data.cell_text(3, "Work by month", 8, 4, "36.5"),
        ),
        wrong=(text.add_paragraph(2, _BODY, "November: 1 work day, 9 volunteers, 1.5 km"),),
        damage=PLAIN["plans retold"],
    ),
    Recipe(
        "Interest and electricity",
        "rich",
        "Tables",
        "Set row 2, column 3 of the table on slide 14 to '91'. Fill that row with #FDE9E3, and "
        "drop the row on interest.",
        "Slide 14, table: row 'Electricity price' has 91 in the column Base and #FDE9E3 in all "
        "four cells; no row 'Interest on the loan'; four rows of data in their old order. Type "
        "and widths of columns stay.",
        truth=(
            data.cell_text(14, "Assumptions", 2, 3, "91"),
            data.cell_fill(14, "Assumptions", 2, "FDE9E3"),
            data.remove_row(14, "Assumptions", 5),
        ),
        wrong=(
            data.cell_text(14, "Assumptions", 6, 3, "91"),
            data.cell_fill(14, "Assumptions", 6, "FDE9E3"),
            data.remove_row(14, "Assumptions", 3),
        ),
        damage=RICH["section smaller"],
    ),
)
