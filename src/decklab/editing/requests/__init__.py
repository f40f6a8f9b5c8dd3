"""Requests in plain words, read without a model and turned into operations on a deck.

``parts`` divides an instruction and reads each part by ``reading``; ``words``, ``slide_names``
and ``phrases`` find the slots of a part: action, target, scope, values. The modules whose names
end in ``_operations`` say what each action does and which changes to expect.
"""
