"""Every topic module registers its commands, every command has help, and help imports nothing
heavy.
"""

import ast
import re
import subprocess
import sys

import pytest
from command import find_command
from paths import PATIENCE, ROOT

from docs.generate import reference_pages
from docs.generate.module_map import OUTER
from hanabi.evolve.cli import app as cli, command_registry as registry
from hanabi.evolve.cli.command_registry import register_command

FILES = [*(ROOT / "evolve/cli").glob("*.py"), *(ROOT / "evolve").glob("*/commands.py")]
COMMANDS = {name: find_command(name) for name in registry.COMMANDS}
HEAVY = {
    "numba",
    "numpy",
    "pandas",
    "vl_convert",
    "scipy",
    "deap",
    "multiprocessing.pool",
    "rich.table",
    "tomlkit",
    "jinja2",
    "starlette",
    "uvicorn",
}


def registered(path):
    """The names of the commands in a file: its functions below @register_command(…)."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        for decorator in getattr(node, "decorator_list", ()):
            called = isinstance(decorator, ast.Call) and ast.unparse(decorator.func)
            if called in ("register_command", "table_command"):
                yield next(
                    (key.value.value for key in decorator.keywords if key.arg == "name"), node.name
                )


def test_every_command_of_every_file_is_there_once():
    written = [name for path in sorted(FILES) for name in registered(path)]
    assert sorted(written) == sorted(COMMANDS) and len(written) == len(set(written)) > 15
    assert {"check", "show", "evolve", "tournament", "experiment"} <= set(COMMANDS)


def test_the_page_of_commands_has_every_command_and_option():
    page = reference_pages.commands()
    for name, command in COMMANDS.items():
        _, _, section = page.partition(f"### `hanabi {name}`")
        section = section.partition("\n### ")[0]
        assert section, name
        for param in command.params:
            assert all(option in section for option in param.opts if option[0] == "-"), param.opts


def test_a_command_needs_a_known_group_and_a_new_name():
    with pytest.raises(ValueError, match="group 'Plya'"):
        register_command("Plya")
    with pytest.raises(ValueError, match="two commands show"):
        register_command("Play", name="show")(lambda: None)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as end:
        cli.app([*name.split(), "--help"], prog_name="hanabi")
    shown = capsys.readouterr().out
    assert end.value.code in (0, None) and shown.startswith(f"Usage: hanabi {name}")
    sentence = shown.split("\n\n")[1].strip()
    assert sentence and sentence[0].isupper()


def test_help_imports_nothing_heavy():
    """With an import of numba or pandas the help of every command would take a second."""
    code = (
        "import sys; sys.argv = ['hanabi', '--help']\nfrom hanabi.evolve.cli.app import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\nprint('MODULES', *sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
    )
    modules = set(done.stdout.split("MODULES ")[1].split())
    assert "hanabi.evolve.cli.runs" in modules and not modules & HEAVY, modules & HEAVY
    light = {
        "hanabi.evolve.ga",
        "hanabi.evolve.ga.preset_files",
        "hanabi.evolve.processes",
        "hanabi.lazy_exports",
        "hanabi.registry",
        "hanabi.shell_command",
        "hanabi.terminal_text",
    }
    outer = {f"hanabi.{folder.replace('/', '.')}" for folder in OUTER}
    light |= outer | {f"{package}.commands" for package in outer}
    assert not [
        name
        for name in modules - light
        if name.startswith("hanabi.") and not re.match(r"hanabi\.evolve(\.cli\b.*)?$", name)
    ]
