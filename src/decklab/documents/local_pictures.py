"""Pictures that a text names by an address: those in files beside it are read."""

from urllib.parse import unquote, urlsplit

from decklab.documents.drafting import DocumentDraft


def add_local_picture(draft: DocumentDraft, source: str, words: str) -> None:
    """A picture that a document names, if it is a file in the document's folder or below."""
    shown = source[:80]
    try:
        address = urlsplit(source)
        if address.scheme or address.netloc:
            draft.refuse(f"the picture {shown} is not in a file beside it; nothing is fetched")
            return
        folder = draft.path.resolve().parent
        file = (folder / unquote(address.path)).resolve()
        if not file.is_relative_to(folder):
            draft.refuse(f"the picture {shown} is outside the document's folder")
            return
        data = file.read_bytes()
    except (OSError, ValueError):
        draft.refuse(f"the picture {shown} is not there")
        return
    draft.add_figure(data, caption=words)
