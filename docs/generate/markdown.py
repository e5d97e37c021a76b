"""Markdown of generated pages: tables, and docstrings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hanabi.evolve.papers.report import LEAST, aligned_table


def cell(text: object) -> str:
    """Return a text as the content of a table's cell."""
    return " ".join(str(text).split()).replace("|", "\\|")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return "\n".join(lines + [f"| {' | '.join(map(cell, row))} |" for row in rows])


def as_markdown(text: str) -> str:
    """Return a docstring as Markdown: blocks after ``::`` become fenced."""
    lines, out, block = text.splitlines(), [], False
    for line in lines:
        if block and line and not line.startswith("    "):
            out, block = [*_without_blank_end(out), "```", ""], False
        if line.endswith("::"):
            out += [*([line[:-1], ""] if line != "::" else []), "```text"]
            block = True
            continue
        if block and out[-1] == "```text" and not line:
            continue
        out.append(line[4:] if block else line.replace("``", "`"))
    return "\n".join([*_without_blank_end(out), "```"] if block else out)


def _without_blank_end(lines):
    """Return lines without the empty ones at the end."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def with_error(mean: float, error: float, games: float, form: str = ".2f") -> str:
    """Return a mean of some games with its standard error, or alone if the games are too few."""
    return f"{mean:{form}}" + (f" ± {error:{form.strip('+')}}" if games >= LEAST else "")


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Return a Markdown table; the first ``left`` columns are left-aligned, the others right."""
    return aligned_table(columns, [place >= left for place in range(len(columns))], rows)
