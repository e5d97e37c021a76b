"""Small compiled helpers that several tests use."""

from hanabi.backend import compiled
from hanabi.game import is_legal
from hanabi.moves import END

FROM, TO = -2, END + 20  # the numbers that ``legality`` asks about, one past the last


@compiled
def legality(view, out):
    """is_legal of every number from FROM to TO - 1, into booleans."""
    for move in range(FROM, TO):
        out[move - FROM] = is_legal(view, move)
