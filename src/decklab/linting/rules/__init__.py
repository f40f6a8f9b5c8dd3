"""Rules of layout, content and accessibility: pure functions of elements and drawn pages.

Lengths are in pixels of the 960x540 frame, where a pixel is a point of a slide 7.5 inches high.
Each number stands beside its check with its reason, and is chosen for precision: a person who looks
at the picture should agree with a finding.
"""
