"""The half of the sandbox that runs inside it; it imports nothing of decklab but itself.

`supervisor` is the warm process: it starts each run (`process`, which shuts it off),
has it watched (`monitor`) and hands out the files it left; `runner` executes the code there. `wire`
is how all of them, and the host, talk.
"""
