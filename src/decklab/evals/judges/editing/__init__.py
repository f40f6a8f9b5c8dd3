"""The two judges of PPTArena (paper 003, section 3.3 and appendix E), and their variants.

``judge_instruction`` sees structured differences and never a picture, ``judge_visual`` sees
pictures and never a difference. ``judge_together`` and ``judge_from_pictures`` are the other rows
of table 4. ``judge_agreement`` compares two models, ``draft_style_target`` writes what a person
then checks.
"""
