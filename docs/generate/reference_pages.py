"""The pages of docs/reference, generated from the code: commands, config, rules, agents, API.

Each function returns the text of a page in Markdown.
"""

from __future__ import annotations

import typing
from importlib import import_module
from inspect import cleandoc, getdoc
from pathlib import Path
from typing import Any

import typer

from docs.generate.markdown import table
from hanabi import rules
from hanabi.agent_kind import KINDS
from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.cli.app import app
from hanabi.evolve.cli.command_registry import COMMANDS, GROUPS
from hanabi.evolve.ga.config_sections import DEFAULTS, SECTIONS
from hanabi.evolve.ga.preset_files import PRESETS, description
from hanabi.rulebook import FAMILIES, Family, some_of
from hanabi.rules.agents import NAMED, POOLS, load, mean_score, read_pool, read_scores
from hanabi.text import question_reference
from hanabi.variant import NAMED as VARIANTS

ROOT = Path(__file__).parents[2]


def commands() -> str:
    """Return the page of the command line: every command with its arguments and options."""
    parts = [
        "# Command line",
        "Every command of `hanabi`. `hanabi COMMAND --help` prints the same in a terminal.",
    ]
    for group in GROUPS:
        names = sorted(name for name, command in COMMANDS.items() if command.group == group)
        links = [
            (f"[`{name}`](#hanabi-{name.replace(' ', '-')})", COMMANDS[name].summary)
            for name in names
        ]
        parts += [f"## {group}", table(["command", "summary"], links)]
        parts += [_command(name) for name in names]
    return "\n\n".join(parts) + "\n"


def _command(name):
    """Return the section of one command."""
    main = typer.main.get_command(app)
    command = main
    for word in name.split():
        command = command.commands[word]
    with main.make_context("hanabi", [], resilient_parsing=True) as parent:
        context = command.make_context(name, [], parent=parent, resilient_parsing=True)
        usage = " ".join(["hanabi", name, *command.collect_usage_pieces(context)])
        records = [
            (param.param_type_name, record)
            for param in command.get_params(context)
            if "--help" not in param.opts and (record := param.get_help_record(context))
        ]
    parts = [f"### `hanabi {name}`", cleandoc(command.help or ""), f"```text\n{usage}\n```"]
    for kind in ("argument", "option"):
        rows = [(f"`{record[0]}`", record[1]) for found, record in records if found == kind]
        parts += [table([kind, "meaning"], rows)] if rows else []
    return "\n\n".join([*parts, f"Example: `{COMMANDS[name].example}`"])


def config() -> str:
    """Return the page of config keys: sections, keys, ranges, defaults, and presets."""
    parts = [
        "# Config keys",
        "A config is a TOML file with these sections. Keys without a default must be given, in "
        'the file or by a preset that it names (`base = "quick"`). `hanabi evolve --set KEY=VALUE` '
        "changes one key. [How the search works](../explanations/search.md) explains them.",
    ]
    for name, section in SECTIONS.items():
        rows = [
            (f"`{key}`", _kind(field), _range(field), _default(key), field.description)
            for key, field in section.model_fields.items()
        ]
        columns = ["key", "type", "range", "default", "meaning"]
        parts += [f"## `[{name}]`", getdoc(section) or "", table(columns, rows)]
    rows = [(f"`{name}`", description(name)) for name in PRESETS]
    parts += [
        "## Presets",
        "`hanabi evolve --preset NAME` runs a preset; `base` takes its keys into a config.",
        table(["preset", "summary"], rows),
    ]
    return "\n\n".join(parts) + "\n"


def _kind(field):
    """Return the type of a key in words."""
    words = {int: "whole number", float: "number", bool: "true or false", str: "text"}
    if field.annotation in words:
        return words[field.annotation]
    if typing.get_origin(field.annotation) is typing.Literal:
        return " or ".join(f'`"{choice}"`' for choice in typing.get_args(field.annotation))
    return "list of numbers" if typing.get_args(field.annotation)[0] is int else "list of names"


def _range(field):
    """Return the range of a number."""
    limits: dict[str, Any] = {}
    for limit in field.metadata:
        limits |= {end: getattr(limit, end) for end in ("ge", "le") if hasattr(limit, end)}
    return f"{limits['ge']:,} to {limits['le']:,}" if len(limits) == 2 else ""


def _default(key):
    """Return the default of a key as TOML."""
    if key not in DEFAULTS:
        return ""
    value = DEFAULTS[key]
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return (
        f'`"{value}"`' if isinstance(value, str) else f"`{value or 0}`" if value != () else "`[]`"
    )


def rule_list() -> str:
    """Return the page of rules, conventions and weights as sentences."""
    parts = [
        "# Rules and conventions",
        "Every rule is listed once, with the values that evolution may choose and the sentence "
        "for the first of them. `hanabi rules SET` lists all rules of a set with their numbers, "
        "`hanabi rules --conventions NAME` all settings of a convention.",
        "## Sets of rules",
        table(["set", "rules"], [(f"`{name}`", len(found)) for name, found in rules.SETS.items()]),
    ]
    by_module: dict[str, list[Family]] = {}
    for family in FAMILIES.values():
        by_module.setdefault(family.function.__module__, []).append(family)
    for module, families in by_module.items():
        if module.startswith("hanabi."):
            title = module.removeprefix("hanabi.rules.").replace("museum.", "")
            parts += [f"## {title}", _summary(module), _sentences("rule", families)]
    parts += [
        "## Conventions",
        "[Conventions](../guides/conventions.md) explains stages and how an agent uses them.",
        _sentences("convention", CONVENTION_FAMILIES.values()),
        "## Weights",
        table(
            ["weight", "default", "range", "meaning"],
            [
                (f"`{name}`", default, f"{low} to {high}", says)
                for name, (default, low, high, says) in WEIGHTS.items()
            ],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def _sentences(kind, families):
    """Return a table of rules or conventions: name, values and first sentence."""
    rows = []
    for family in families:
        values = "; ".join(
            f"{key}: {', '.join(f'{value:g}' for value in choices)}"
            for key, choices in family.grid.items()
        )
        stage = [f"`{family.stage}`"] if kind == "convention" else []
        rows.append([*stage, f"`{family.name}`", values, some_of(family)[0].says])
    columns = ["stage"] if kind == "convention" else []
    return table([*columns, kind, "values", "sentence"], rows)


def _summary(module):
    """Return the first paragraph of a module's docstring."""
    return (getdoc(import_module(module)) or "").split("\n\n")[0]


def questions() -> str:
    """Return the page of what a rule may ask."""
    lines = [
        "# What a rule may ask",
        "",
        "`hanabi rules --questions [WORD]` prints the same.",
        "",
        "A rule is a function of a *view*: what the player to move sees. A card *type* (red 3) is "
        "a number; a *set* of types has",
        "a bit per type; *slots* taken together are bits too. A *pool* counts copies in three "
        "planes: the types with more than 0, 1,",
        "2 of them. Chances are from 0 to 1. [Your first rule](../start/first-rule.md) shows one; "
        "words: [glossary.md](glossary.md).",
    ]
    for title, entries in question_reference.groups(question_reference.questions()):
        lines += ["", f"## {title}", ""]
        modules = sorted({entry.module for entry in entries if entry.module})
        lines += [f"`from {modules[0]} import …`", ""] if len(modules) == 1 else []
        lines += ["| | |", "|---|---|"]
        for entry in entries:
            is_elsewhere = len(modules) > 1 and entry.module
            where = f" (`from {entry.module} import {entry.name}`)" if is_elsewhere else ""
            lines.append(
                f"| {entry.asked if title == 'Traps' else f'`{entry.asked}`'} | "
                f"{entry.says.replace('|', chr(92) + '|')}{where} |"
            )
    return "\n".join(lines) + "\n"


def agents() -> str:
    """Return the page of named agents with their scores, pools, kinds and variants."""
    measured = read_scores()
    rows = []
    for agent in map(load, NAMED):
        entry = measured.get(agent.name, {})
        entry = entry if entry.get("hash") == agent.hash else {}
        points = [f"{entry[count][0]:.2f}" if count in entry else "" for count in "2345"]
        kept = f"{mean_score(entry)[0]:.2f}" if entry else ""
        rows.append([f"`{agent.name}`", *points, kept, agent.source, agent.differs])
    columns = ["agent", "2", "3", "4", "5", "mean", "source", "differs from its source"]
    variants = [(f"`{name}`", str(_settings(variant))) for name, variant in VARIANTS.items()]
    kinds = [f"* {kind.spec_help}" for kind in KINDS.values() if kind.spec_help]
    pools = {name: read_pool(name) for name in POOLS}
    parts = [
        "# Agents",
        "An agent is named by a *spec*: a named agent of this page, the path of an agent file, "
        "numbers of a set of rules (`cig2018:46,8,2`), or one of the kinds below.",
        "## How good is each named agent",
        "Mirror play, standard game, kept points by number of players, measured by "
        "`python -m docs.generate.named_scores`. `hanabi agents NAME` prints an agent's file.",
        table(columns, rows),
        "## Kinds",
        "\n".join(kinds),
        "## Pools",
        "`--pool NAME` of `hanabi tournament`, `hanabi behave --who` and mixed evolutions; "
        "`NAME:train` is a part, `NAME/AGENT` one agent. `hanabi pool show NAME` lists the agents.",
        table(
            ["pool", "description", "agents"],
            [(f"`{name}`", one.says, len(one.members)) for name, one in pools.items()],
        ),
        "## Variants",
        "`--variant NAME`, or settings such as `colours=3,hand=4`.",
        table(["variant", "settings"], variants),
    ]
    return "\n\n".join(parts) + "\n"


def _settings(variant):
    """Return the settings of a variant that differ from the standard game's."""
    standard = VARIANTS["standard"]
    differing = {
        key: value
        for key, value in vars(variant).items()
        if value != vars(standard)[key] and key != "name"
    }
    return ", ".join(f"{key} = {value}" for key, value in differing.items()) or "the standard game"
