"""Cases of the category Content: charts, diagrams, sound and video."""

from pptx.enum.chart import XL_LEGEND_POSITION

from generate.pptarena.cases.harm import BAD, RICH
from generate.pptarena.edits import data, shapes, text
from generate.pptarena.recipe import Recipe

_VIDEO = "launch_teaser_FINAL"

OBJECTS: tuple[Recipe, ...] = (
    Recipe(
        "Less oil, and a title",
        "rich",
        "Charts",
        "In the chart on slide 4, correct heating oil to 52 and natural gas to 44.5, and title "
        "the chart 'Heat used in 2024, in GWh'.",
        "Slide 4, chart 'Heat by source': Heating oil 52, Natural gas 44.5, the other three "
        "values as before, also in the workbook behind it. Title 'Heat used in 2024, in GWh'. "
        "Kind, colours and axes stay.",
        truth=(
            data.chart_values(4, "Heat by source", Heating_oil=52.0),
            data.chart_values(4, "Heat by source", Natural_gas=44.5),
            data.chart_title(4, "Heat by source", "Heat used in 2024, in GWh"),
        ),
        wrong=(
            data.chart_values(11, "Heat mix 2035", Peak_boiler=0.05),
            data.chart_title(11, "Heat mix 2035", "Heat used in 2024, in GWh"),
        ),
        damage=RICH["pathways retold"],
    ),
    Recipe(
        "Columns with a legend",
        "rich",
        "Charts",
        "Turn the bars on slide 4 into columns and show a legend below them. On slide 5, put the "
        "legend of the chart on the right.",
        "Slide 4: upright columns with the same values, categories below; legend at the bottom, "
        "beside the plot and not over it. Slide 5: legend on the right. Data and colours stay.",
        truth=(
            data.chart_bars(4, "Heat by source", "col"),
            data.chart_legend(4, "Heat by source", XL_LEGEND_POSITION.BOTTOM),
            data.chart_legend(5, "Emission pathways", XL_LEGEND_POSITION.RIGHT),
        ),
        wrong=(data.chart_legend(11, "Heat mix 2035", XL_LEGEND_POSITION.BOTTOM),),
        damage=RICH["cover moved"],
    ),
    Recipe(
        "The phases slip",
        "rich",
        "SmartArt & Diagrams",
        "The old town starts a year later, in 2030, and the hillside in 2033. Correct the diagram "
        "on slide 12.",
        "Slide 12, diagram 'Four phases': the third arrow is headed '2030 Old town', the fourth "
        "'2033 Hillside'; it is still SmartArt with the same nodes. Everything else stays.",
        truth=(
            data.diagram_text(12, "Four phases", "2029 Old town", "2030 Old town"),
            data.diagram_text(12, "Four phases", "2032 Hillside", "2033 Hillside"),
        ),
        wrong=(
            text.paragraph_text(7, "Storage box", 1, "2030 Old town"),
            text.paragraph_text(7, "Homes box", 1, "2033 Hillside"),
        ),
        damage=RICH["network recoloured"],
    ),
    Recipe(
        "More pipe, more homes",
        "rich",
        "SmartArt & Diagrams",
        "In the diagram on slide 12, the old town needs 11 km of pipe for 2,600 homes, and the "
        "permits of the first phase are called 'Permits and tenders'.",
        "Slide 12, diagram: '11 km of pipe' and '2,600 homes' below Old town, 'Permits and "
        "tenders' as the first point of Design. The figures of the hillside stay.",
        truth=(
            data.diagram_text(12, "Four phases", "9 km of pipe", "11 km of pipe"),
            data.diagram_text(12, "Four phases", "2,300 homes", "2,600 homes"),
            data.diagram_text(12, "Four phases", "Permits", "Permits and tenders"),
        ),
        wrong=(
            data.diagram_text(12, "Four phases", "7 km of pipe", "11 km of pipe"),
            data.diagram_text(12, "Four phases", "4,100 homes", "2,600 homes"),
            data.diagram_text(12, "Four phases", "Intake survey", "Permits and tenders"),
        ),
        damage=RICH["section smaller"],
    ),
    Recipe(
        "A smaller recording",
        "rich",
        "Audio & Video",
        "On slide 10, make the sound's picture 330 pt wide and 94.5 pt high, and move it to 56 "
        "pt, 380 pt. Set the alt text of 'Pump hall sound' on slide 10 to 'Recording of the "
        "pump hall, three seconds'.",
        "Slide 10, 'Pump hall sound': box 330 by 94.5 pt at 56, 380 pt, alt text 'Recording of the "
        "pump hall, three seconds'. The recording and its animation stay.",
        truth=(
            shapes.resize(10, "Pump hall sound", 330, 94.5),
            shapes.place(10, "Pump hall sound", 56, 380),
            shapes.alt_text(10, "Pump hall sound", "Recording of the pump hall, three seconds"),
        ),
        wrong=(
            shapes.resize(13, "Assumptions button", 330, 94.5),
            shapes.place(13, "Assumptions button", 56, 380),
            shapes.alt_text(13, "Assumptions button", "Recording of the pump hall, three seconds"),
        ),
        damage=RICH["pathways retold"],
    ),
    Recipe(
        "The teaser fills the slide",
        "bad",
        "Audio & Video",
        "On slide 7, enlarge the video to 640 by 360 pt at 160 pt, 30 pt and describe it as "
        "'Teaser of the launch'. Then move the thanks down so that the two do not overlap.",
        "Slide 7: video 640 by 360 pt at 160, 30 pt with alt text 'Teaser of the launch'; text "
        "'THANK YOU!!!' at 130, 420 pt, clear of it. The clip stays.",
        truth=(
            shapes.resize(7, _VIDEO, 640, 360),
            shapes.place(7, _VIDEO, 160, 30),
            shapes.alt_text(7, _VIDEO, "Teaser of the launch"),
            shapes.place(7, "TextBox 5", 130, 420),
        ),
        wrong=(
            shapes.resize(4, "Screenshot 2025-11-03 at 16.42", 640, 360),
            shapes.place(4, "Screenshot 2025-11-03 at 16.42", 160, 30),
            shapes.alt_text(4, "Screenshot 2025-11-03 at 16.42", "Teaser of the launch"),
        ),
        damage=BAD["axis gone"],
    ),
)
