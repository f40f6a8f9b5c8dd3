"""The two judges of PPTArena (paper 003, section 3.3 and appendix E), and their variants.

Of ``EditJudge``, ``instruction`` sees structured differences and never a picture, ``visual`` sees
pictures and never a difference. ``together`` and ``from_pictures`` are the other rows of table 4.
``judge_agreement`` compares two models, ``draft_style_target`` writes what a person then checks.
"""
