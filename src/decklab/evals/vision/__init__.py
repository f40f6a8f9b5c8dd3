"""A slide read from its picture, without a model: text lines, filled areas, strokes, elements."""
