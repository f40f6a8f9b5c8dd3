"""What an edit will be, before anything is edited: paper 003, appendix G.1.

``outline`` makes a deck short enough to be told; ``answers`` holds the forms that a model fills in;
``routing`` asks which path to take on which slides, ``planning`` what will change.
"""
