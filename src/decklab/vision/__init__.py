"""A slide read off its picture, without a model: text lines, filled areas, strokes, elements."""
