"""Our agents in other engines, and bots of other engines and of Python files in our games.

Each engine is an extra of the package: ``pip install hanabi-evolve[openspiel]``, ``[hle]``.
Nothing here is imported before it is used.
"""
