"""Games measured: tournaments, comparisons, the worth of parts."""
