"""How much the random tests try: `make test` a third of what `make test-slow` does, always the
same.
"""

import os

import pytest

THOROUGH = os.environ.get("HANABI_THOROUGH") == "1"


def tries(most: int) -> int:
    """How many of at most so many games, states or examples are tried."""
    return most if THOROUGH else -(-most // 3)


def some(*values, fast):
    """Values of a parameter of a test: ``make test`` takes those that are named, the others are slow.

    Args:
        values: All of them.
        fast: Those of every day.
    """
    return [
        value if value in fast else pytest.param(value, marks=pytest.mark.slow) for value in values
    ]
