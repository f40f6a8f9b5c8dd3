"""What decklab itself makes of the tasks, without any model: baselines that are worth beating.

``extract_from_picture`` reads a slide off its picture, ``Critic`` scores one, ``order_slides`` puts
shuffled ones in order.
"""
