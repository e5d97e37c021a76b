"""What publications report, set beside what this program finds: ``hanabi reproduce WHAT``.

Each entry of REPORTS returns (data that JSON can hold, the same as text for a terminal)."""
from __future__ import annotations

from collections.abc import Callable


def irvall() -> tuple[dict, str]:
    """Irvall's thesis of 2023: the sizes of its models, its times, its agent."""
    from evolve.reproduce_irvall import report
    return report()


REPORTS: dict[str, Callable[[], tuple[dict, str]]] = {"irvall": irvall}
