"""Read games written by `hanabi games`: observations and moves as arrays, for numpy or PyTorch.

Run: hanabi games piers convention --players 3 -n 1000 -o moves.parquet
     python examples/learn_from_moves.py moves.parquet
"""

import sys

import numpy as np
import pyarrow.parquet as parquet

INPUTS = ("tokens", "lives", "deck", "fireworks", "gone", "hands", "hints")


def array(batch, name):
    """Return a column of a batch as an array (rows, numbers of a cell)."""
    flat = batch[name].flatten() if batch[name].type.num_fields else batch[name]
    return flat.to_numpy().reshape(len(batch), -1)


def batches(path, size=4096):
    """Yield (observations, legal moves, moves, final points), some rows at a time."""
    for batch in parquet.ParquetFile(path).iter_batches(size):
        seen = np.concatenate([array(batch, name) for name in INPUTS], axis=1).astype(np.float32)
        yield seen, array(batch, "legal"), array(batch, "move")[:, 0], array(batch, "final")[:, 0]
        # PyTorch: torch.from_numpy(seen)


def main(path="moves.parquet"):
    """Print the shapes of the first batch and how often each kind of move is made."""
    seen, legal, moves, points = next(batches(path))
    shares = np.bincount(np.digitize(moves, [6, 11]), minlength=3) / len(moves)
    print(f"{seen.shape} observations, {legal.sum(axis=1).mean():.1f} legal moves each")
    print("plays, discards, hints:", " ".join(f"{share:.0%}" for share in shares))
    print(f"{points.mean():.2f} points at the end of the games")


if __name__ == "__main__":
    main(*sys.argv[1:])
