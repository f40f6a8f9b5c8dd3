"""Slides cloned, deleted, moved and brought in from other decks, with nothing left dangling.

Each operation is a function on a :class:`Draft`, an edited view of a package that is then saved::

    with Package.open("talk.pptx") as package:
        draft = Draft(package)
        clone_slide(draft, 3)
        move_slide(draft, 4, position=1)
        delete_slide(draft, 7)
        draft.save("talk-2.pptx")
"""
