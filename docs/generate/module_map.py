"""The map of modules: a table per folder, made of the first sentence of each docstring."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
OUTER = (  # folders that extend the core, which imports nothing of them
    "evolve/bench",
    "evolve/charts",
    "evolve/experiments",
    "evolve/lessons",
    "evolve/live",
    "evolve/logic",
    "evolve/papers",
    "evolve/reports",
    "evolve/site",
    "evolve/workbench",
    "hanabi/logic",
    "rules/museum/irvall",
    "rules/museum/osawa",
    "rules/museum/student_report",
    "rules/museum/zhao",
)


def is_outer(path: Path) -> bool:
    """Return whether a file or folder, relative to the root, is in the outer ring."""
    return f"{path.as_posix()}/".startswith(tuple(f"{folder}/" for folder in OUTER))


def summary(path: Path) -> str:
    """Return the first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    words = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", words)[0].rstrip(":").replace("|", "\\|")


def module_map() -> str:
    """Return a table for each folder: its modules, and what is in each."""
    parts = []
    for package in ("hanabi", "rules", "evolve"):
        for folder in sorted({path.parent for path in (ROOT / package).rglob("*.py")}):
            name = folder.relative_to(ROOT).as_posix()
            rows = [
                f"| `{path.stem}` | {summary(path)} |"
                for path in sorted(folder.glob("*.py"))
                if not path.stem.startswith("__")
            ]
            ring = "outer ring" if is_outer(folder.relative_to(ROOT)) else "core"
            parts.append(f"### `{name}/` ({ring})\n\n{summary(folder / '__init__.py')}\n")
            if rows:
                parts.append("\n".join(["| module | what is in it |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)
