"""Sensitivity: does a judge notice damage, and in proportion (paper 000, sections 3 and 4).

``averaged`` turns ratings into normalised degradation, on which the rest works:
``consistency_fidelity`` gives adjacent POA, Spearman's rho and MACE per judge, axis and scale,
``scale_links`` the isotonic link between the scales, ``model_agreement`` judges in pairs.
``slide_damage`` measures the damage itself, ``damage_ceilings`` its scores as if it were a judge,
``manipulation_check`` all judges together and the damage.
"""
