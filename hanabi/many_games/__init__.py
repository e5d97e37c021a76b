"""Many games at once, in which lists of rules play compiled and other players decide together.

Modules: kernels (what is kept of a game, and its compiled play), games (who is asked when;
players that decide from observations).
"""
