"""The metrics of VLM-SlideEval (paper 000) in the catalogue: values of a whole run."""

from decklab.metrics.catalogue import METRICS, MetricInfo
from decklab.results import Direction

_Line = tuple[str, str, Direction, float, float | None, str, str]

_LINES: tuple[_Line, ...] = (
    ("extraction.matching_precision", "", "higher", 0.0, 1.0,
     "Share of predicted elements that stand for a true one.", "E.2"),
    ("extraction.matching_recall", "", "higher", 0.0, 1.0,
     "Share of true elements that were predicted.", "E.2"),
    ("extraction.matching_f1", "", "higher", 0.0, 1.0,
     "Harmonic mean of matching precision and recall.", "E.2, table 4"),
    ("extraction.text_f1", "", "higher", 0.0, 1.0,
     "F1 of texts, each match counting as much as its words are alike.", "E.2, table 4"),
    ("extraction.any_style_f1", "", "higher", 0.0, 1.0,
     "F1 of telling which texts are bold, italic or underlined at all.", "table 4"),
    ("extraction.iou_error", "", "lower", 0.0, 1.0,
     "Mean 1 - IoU of matched boxes.", "E.2, table 4"),
    ("extraction.center_error", "", "lower", 0.0, 1.0,
     "Mean distance of matched centres, as a share of the frame's diagonal.", "E.2, table 4"),
    ("extraction.size_error", "", "lower", 0.0, 1.0,
     "Mean difference in width and height of matched boxes, relative to the truth.",
     "E.2, table 4"),
    ("extraction.aspect_error", "", "lower", 0.0, 1.0,
     "Mean difference in aspect ratio of matched images, over the larger one.", "E.2, table 4"),
    ("extraction.radius_error", "", "lower", 0.0, 1.0,
     "Mean difference in corner radius, over the largest possible.", "E.2"),
    ("extraction.length_error", "", "lower", 0.0, 1.0,
     "Mean difference in length of matched lines, relative to the truth.", "E.2"),
    ("extraction.angle_error", "", "lower", 0.0, 1.0,
     "Mean angle between matched lines, over a right angle.", "E.2"),
    ("extraction.text_error", "", "lower", 0.0, 1.0,
     "Mean 1 - similarity of matched texts.", "E.2"),
    ("extraction.font_size_error", "pt", "lower", 0.0, None,
     "Mean absolute error of font sizes.", "E.2, table 4"),
    ("extraction.bold_mismatch", "", "lower", 0.0, 1.0,
     "Share of matched texts that are bold on one side only.", "E.2"),
    ("extraction.italic_mismatch", "", "lower", 0.0, 1.0,
     "Share of matched texts that are italic on one side only.", "E.2"),
    ("extraction.underline_mismatch", "", "lower", 0.0, 1.0,
     "Share of matched texts that are underlined on one side only.", "E.2"),
    ("extraction.stroke_width_error", "pt", "lower", 0.0, None,
     "Mean absolute error of stroke widths.", "E.2"),
    ("extraction.text_color", "dE00", "lower", 0.0, None,
     "Mean CIEDE2000 of matched texts' colours.", "E.2, table 4"),
    ("extraction.fill_color", "dE00", "lower", 0.0, None,
     "Mean CIEDE2000 of matched areas' fills.", "E.2"),
    ("extraction.stroke_color", "dE00", "lower", 0.0, None,
     "Mean CIEDE2000 of matched outlines and lines.", "E.2"),
    ("extraction.background_color", "dE00", "lower", 0.0, None,
     "Mean CIEDE2000 of slide backgrounds.", "E.2"),
    ("extraction.contrast_shift", "ratio", "lower", 0.0, 20.0,
     "Mean absolute change of texts' contrast with the background.", "table 4"),
    ("extraction.font_family_accuracy", "", "higher", 0.0, 1.0,
     "Share of texts whose typeface was named.", "table 4, G"),
    ("extraction.font_group_accuracy", "", "higher", 0.0, 1.0,
     "Share of texts whose group of typefaces was named.", "table 4, G.2"),
    ("parseability.rate", "", "higher", 0.0, 1.0,
     "Share of replies that fit the schema.", "E.1"),
    ("ordering.length_ratio", "", "neutral", 0.0, None,
     "Slides in the order given, over slides of the deck.", "F.3"),
    ("ordering.kendall_tau", "", "higher", -1.0, 1.0,
     "Kendall's tau of the order given with the true one.", "F.3"),
    ("ordering.spearman_rho", "", "higher", -1.0, 1.0,
     "Spearman's rho of the order given with the true one.", "F.3"),
    ("ordering.exact_match", "", "higher", 0.0, 1.0,
     "Share of slides put in their own place.", "F.3"),
    ("sensitivity.adjacent_poa", "", "higher", 0.0, 1.0,
     "Share of steps in severity at which degradation does not fall.", "section 3"),
    ("sensitivity.mace", "", "lower", 0.0, 1.0,
     "Mean distance of degradation from severity.", "section 3"),
    ("sensitivity.spearman", "", "higher", -1.0, 1.0,
     "Spearman's rho of severity and degradation.", "sections 3 and 4"),
    ("sensitivity.scale_link_r2", "", "higher", 0.0, 1.0,
     "R2 of the isotonic link from the 5-point to the 100-point scale.", "section 4"),
    ("sensitivity.scale_link_rmse", "", "lower", 0.0, 1.0,
     "RMSE of that link, in degradation.", "section 4"),
    ("sensitivity.model_agreement", "", "higher", -1.0, 1.0,
     "Spearman's rho between two models' degradation of the same slides.", "figure 3"),
)  # fmt: skip

SLIDEEVAL_METRICS: tuple[MetricInfo, ...] = tuple(
    MetricInfo(
        name, "run", unit, direction, low, high, meaning, f"VLM-SlideEval (paper 000), {source}"
    )
    for name, unit, direction, low, high, meaning, source in _LINES
)
"""All of them; importing this module puts them in the catalogue.

>>> METRICS["extraction.iou_error"].direction
'lower'
"""

for _info in SLIDEEVAL_METRICS:
    METRICS.register(_info.name, _info)
