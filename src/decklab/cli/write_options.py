"""Options of ``decklab write``: where its slides come from, the pages around them, their look."""

import os
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from decklab.core.options import ImageModel

StyleFilled = Annotated[
    bool | None,
    typer.Option(
        "--style/--no-style",
        help="With a model: have it fill in colours, sizes, fonts and parts on top of the theme.",
    ),
]
FreeLayout = Annotated[
    bool | None,
    typer.Option(
        "--free-layout/--no-free-layout",
        help="With a model: have it arrange the contents of slides itself.",
    ),
]
RefineDeck = Annotated[
    bool | None,
    typer.Option(
        "--refine/--no-refine",
        help="Look at the drawn deck and mend defects; with a model unless told otherwise.",
    ),
]


SlidesFrom = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Slides in Markdown, as in Marp, Slidev or Pandoc; --source then proves numbers.",
    ),
]
RedoSlide = Annotated[
    tuple[int, str],
    typer.Option(
        metavar="N WISH",
        show_default=False,
        help='Make slide N of the deck in --keep anew, such as 4 "shorter, as a timeline".',
    ),
]
TemplateFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Use the masters and layouts of this .pptx or .potx, not a theme."
    ),
]
LikeDeckFile = Annotated[
    Path | None,
    typer.Option(metavar="DECK", help="Fill copies of this deck's slides, not a theme."),
]
PicturesFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Show pictures of a folder on slides whose words fit their captions."
    ),
]
ImageModelName = Annotated[
    str, typer.Option(metavar="NAME", help="Have an image model make pictures for slides.")
]
ImageUrl = Annotated[
    str,
    typer.Option(
        metavar="URL",
        envvar="DECKLAB_IMAGE_URL",
        help="Where the image model is, such as https://host/v1 (OpenAI-compatible).",
    ),
]
BudgetPictures = Annotated[
    int, typer.Option(metavar="N", min=1, max=50, help="Pictures of the image model at most.")
]
IconsChoice = Annotated[
    bool,
    typer.Option("--icons/--no-icons", help="Icons on cards, steps and numbers (English words)."),
]
SourceLanguage = Annotated[
    str, typer.Option(metavar="TAG", help="Of the documents, where it is not that of the deck.")
]
TitlePage = Annotated[
    bool | None, typer.Option("--title-page/--no-title-page", help="Begin with a title page.")
]
ContentsPage = Annotated[
    bool | None,
    typer.Option("--contents/--no-contents", help="List the parts; else where there are three."),
]
ClosingPage = Annotated[
    bool | None,
    typer.Option("--closing/--no-closing", help="End with a closing page; else with a summary."),
]
ScoreCard = Annotated[
    bool, typer.Option("--score/--no-score", help="Score the deck, and print what is found.")
]


def image_model_of(name: str, url: str, most: int) -> ImageModel | None:
    """The image model that options name; raises typer.BadParameter if one is missing."""
    if not name:
        if url and not os.environ.get("DECKLAB_IMAGE_URL"):
            raise typer.BadParameter("needs --image-model", param_hint="--image-url")
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        detail = f"{url!r} is no address such as https://host/v1"
        raise typer.BadParameter(detail, param_hint="--image-url")
    return ImageModel(name, url, most)
