"""The map of all modules in docs/reference/modules.md, made of the first line of each docstring.

``python tests/support/module_map.py`` writes it anew; tests/test_readme.py compares.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/modules.md"
BEGIN, END = "<!-- map: made by tests/support/module_map.py -->", "<!-- end -->"


def summary(path):
    """The first sentence of a module's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    words = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", words)[0].rstrip(":").replace("|", "\\|")


def module_map():
    """A table for each folder: its modules, and what is in each."""
    parts = []
    for package in ("hanabi", "rules", "evolve"):
        folders = sorted({path.parent for path in (ROOT / package).rglob("*.py")})
        for folder in folders:
            name = folder.relative_to(ROOT).as_posix()
            about = summary(folder / "__init__.py") if (folder / "__init__.py").exists() else ""
            rows = [
                f"| `{path.stem}` | {summary(path)} |"
                for path in sorted(folder.glob("*.py"))
                if not path.stem.startswith("__")
            ]
            parts.append(f"### `{name}/`\n\n{about}\n")
            if rows:
                parts.append("\n".join(["| module | what is in it |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def page(text):
    """The text of the page with the map of today."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{module_map()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
