"""How much the random tests try. `make test` tries a third of what `make test-slow` does: each fault that was planted by
hand was found within that."""
import os

THOROUGH = os.environ.get("HANABI_THOROUGH") == "1"


def tries(most: int) -> int:
    """How many of at most so many games, states or examples are tried."""
    return most if THOROUGH else -(-most // 3)
