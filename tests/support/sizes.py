"""How much the random tests try: `make test` a third of what `make test-slow` does, always the
same.
"""

import os

THOROUGH = os.environ.get("HANABI_THOROUGH") == "1"


def tries(most: int) -> int:
    """How many of at most so many games, states or examples are tried."""
    return most if THOROUGH else -(-most // 3)
