"""Icons as vectors: outlines of Lucide (ISC, see LICENSE-lucide.txt), found by English words."""
