"""Run untrusted code, such as code that a model wrote, under hard limits.

>>> from decklab.sandbox.sandbox import Sandbox
>>> with Sandbox(isolation="process") as sandbox:  # the weak kind, for code of your own
...     sandbox.run("result = total * 2", globals={"total": 21}).value
42
"""
