"""The half of the sandbox that runs inside it; it imports nothing of decklab but itself.

`supervisor` is the warm process: it starts each run (`cell`, which shuts it off with `system` and
`seccomp`), attends to it (`attend`, `census`) and hands out what it left (`leftovers`); `runner`
is what runs in the cell. `wire` is how all of them, and the host, talk.
"""
