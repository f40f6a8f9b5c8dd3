"""The flaws behind ``quality.score`` for readers: words, fixes, and findings of the same."""

from typing import Final

FLAW_WORDS: Final = {
    "layout.adrift": "boxes that line up with nothing",
    "layout.cramped": "text that needs more room than its box",
    "layout.crowded": "boxes over each other",
    "layout.margin": "boxes at the slide's edge",
    "layout.overflow": "text beyond its box",
    "layout.overlap": "boxes over each other",
    "layout.stretched": "pictures out of shape",
    "layout.thin": "boxes squeezed flat",
    "layout.unaligned": "boxes that line up with nothing",
    "layout.unbalanced": "slides heavy on one side",
    "style.faint": "faint text",
    "style.typefaces": "many typefaces on one slide",
    "style.italic": "text in italics",
    "style.large": "text above 60 pt",
    "style.loud": "loud text colours",
    "style.marks": "many kinds of emphasis",
    "style.tiny": "text below 18 pt",
    "style.underlined": "underlined text",
    "style.uneven": "text sizes far apart",
    "words.capitals": "capitals inside words",
    "words.joined": "words run together",
    "words.misspelt": "words that look misspelt",
    "deck.untitled": "slides without a title",
    "deck.titles_apart": "titles in different places",
    "deck.many_families": "many typefaces in the deck",
    "deck.only_text": "slides of text alone",
    "deck.dense": "slides full of words",
}
"""Flaws behind ``quality.score`` in words."""

FLAW_FIXES: Final = {
    "layout.adrift": "Line the boxes up with the others of their slide.",
    "layout.cramped": "Cut words, or make the boxes larger.",
    "layout.crowded": "Move the boxes apart, or delete one of them.",
    "layout.margin": "Move the boxes inside the slide's margins.",
    "layout.overflow": "Cut words, make the text smaller, or make the box larger.",
    "layout.overlap": "Move the boxes apart, or delete one of them.",
    "layout.stretched": "Reset the pictures' proportions and crop them instead.",
    "layout.thin": "Make the boxes as high as what is in them.",
    "layout.unaligned": "Line the boxes up with the others of their slide.",
    "layout.unbalanced": "Spread what is on the slide over both of its halves.",
    "style.faint": "Make the text darker or lighter until it stands out from its ground.",
    "style.typefaces": "Keep to one or two typefaces, those of the theme.",
    "style.italic": "Set the text upright; keep italics for single words.",
    "style.large": "Set the text in 60 pt at most.",
    "style.loud": "Use the theme's text colours; keep a loud one for one thing.",
    "style.marks": "Keep to one kind of emphasis, such as bold.",
    "style.tiny": "Set the text in 18 pt at least; cut words or split the slide.",
    "style.underlined": "Take the underlines off all that is no link.",
    "style.uneven": "Set text of the same kind in the same size.",
    "words.capitals": "Keep capitals to the first letter; names that are right need no change.",
    "words.joined": "Put the missing spaces in, or check that they are names.",
    "words.misspelt": "Run the spelling checker; names that are right need no change.",
    "deck.untitled": "Give every slide a title that says its point.",
    "deck.titles_apart": "Reset the titles, so that the layout places them.",
    "deck.many_families": "Keep to one or two typefaces, those of the theme.",
    "deck.only_text": "Give the slides of text alone a picture, chart or diagram.",
    "deck.dense": "Split the fullest slides, or move detail to the notes.",
}
"""What to do about each flaw."""

FLAW_RULES: Final = {
    "layout.margin": ("text.margin",),
    "layout.overflow": ("text.overflow", "text.off-slide"),
    "layout.overlap": ("text.overlap",),
    "layout.crowded": ("text.overlap",),
    "style.faint": ("contrast.low",),
    "style.tiny": ("text.small",),
    "deck.untitled": ("accessibility.missing-slide-title",),
    "deck.titles_apart": ("title.position",),
}
"""Rules whose findings show the flaw."""
