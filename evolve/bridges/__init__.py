"""Our agents at the tables of other engines, and their bots at ours. Nothing here is imported before it is used, and each engine is
an optional part of the package: ``pip install hanabi-evolve[openspiel]``, ``[hle]``.
"""
