"""How numbers are written: one or two significant figures of an error, and as many places."""

from math import floor, isnan, log10


def places(sem: float) -> int:
    """Return the decimal places of a value with this standard error.

    The error gets two figures if it begins with 1 or 2, else one.
    """
    if isnan(sem) or sem <= 0:
        return 2
    first = floor(log10(sem * (1 + 1e-9)))
    return min(4, max(0, -first + (1 if sem / 10**first < 3 - 1e-9 else 0)))


def plus_minus(value: float, sem: float) -> str:
    """Return ``23.717 ± 0.007``; without an error where there is none; "" for NaN."""
    if isnan(value):
        return ""
    count = places(sem)
    return f"{value:.{count}f}" + (f" ± {sem:.{count}f}" if sem > 0 else "")


def share(part: float) -> str:
    """Return a share in percent with one place."""
    return f"{part:.1%}".replace("%", "\u00a0%")
