"""Write docs/reference/commands.md, the list of commands: ``python tests/support/command_list.py``."""

from paths import ROOT

from hanabi.evolve.cli import app  # noqa: F401  registers all commands
from hanabi.evolve.cli.command_registry import COMMANDS, GROUPS

PAGE = ROOT / "docs/reference/commands.md"
HEAD = """\
<!-- Made by `python tests/support/command_list.py` from evolve/cli: do not edit. -->
# Commands

`hanabi COMMAND --help` prints the options of each.
"""


def page():
    """Return the text of docs/reference/commands.md."""
    parts = [HEAD]
    for group in GROUPS:
        rows = sorted(one for one in COMMANDS.items() if one[1].group == group)
        lines = [f"| `{name}` | {one.summary} | `{one.example}` |" for name, one in rows]
        parts.append(
            "\n".join(
                [
                    f"## {group}\n",
                    "| command | what it does | example |",
                    "|---|---|---|",
                    *lines,
                    "",
                ]
            )
        )
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
