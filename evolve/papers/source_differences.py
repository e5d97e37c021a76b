"""Where agents differ from their sources, as a table of a report."""

from __future__ import annotations

from collections.abc import Iterable

from hanabi.rules.agents import load


def differences(names: Iterable[str]) -> dict:
    """A table of where named agents differ from their source; those of whom nothing is said have no row."""
    rows = [[name, found] for name in dict.fromkeys(names) if (found := load(name).differs)]
    return dict(
        name="differences",
        title="Where our agents differ from their source",
        columns=["agent", "differs"],
        rows=rows,
        note="",
    )
