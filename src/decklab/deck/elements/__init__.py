"""Elements: what is on every slide, in the 960x540 slide frame, with all inherited values.

``read_elements`` reads a deck, ``read_slides`` some of its slides; ``model`` says what elements
are; ``slide_schema`` gives their JSON schema; ``plain_slide`` reduces a slide to the schema of
paper 000; ``merge_layout`` adds where and how large its text was drawn.
"""
