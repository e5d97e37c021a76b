"""Commands about rules and agents: rules, conventions, questions, agents, new, check."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.errors import ask_again
from hanabi.evolve.cli.options import AsJson, RuleFiles, load_rules
from hanabi.evolve.cli.printing import counted, listing, print_json, print_table, say
from hanabi.evolve.cli.progress_display import working
from hanabi.shell_command import command

if TYPE_CHECKING:
    from hanabi.evolve.measure.user_rule_check import CheckResult


@register_command("Library", "cig2018", compiled=False)
def rules(
    name: Annotated[
        str | None,
        typer.Argument(metavar="SET", help="A set such as cig2018; by default all rules."),
    ] = None,
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """List the rules as sentences.

    The rules of a set are numbered.
    """
    from hanabi.rules import SETS
    from hanabi.rules.agents import rules

    load_rules(files)
    entries = rules(name or "")
    if json:
        print_json(
            [
                dict(
                    number=i if name else None,
                    name=entry.name,
                    says=entry.says,
                    values=entry.settings,
                )
                for i, entry in enumerate(entries)
            ]
        )
        return
    listing(
        f"{counted(len(entries), 'rule')}{f' of the set {name}' if name else ''}",
        "#" if name else "",
        "rule",
        "what it does",
        rows=[(str(i) if name else "", entry.name, entry.says) for i, entry in enumerate(entries)],
    )
    if not name:
        sets = ", ".join(f"{key} ({len(names)})" for key, names in SETS.items())
        say(as_typed(f"Sets: {sets}. `hanabi rules SET` numbers them."))


@register_command("Library", "focus", compiled=False)
def conventions(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="One convention, with each choice of its values."),
    ] = None,
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """List what hints may mean.

    Lists the conventions, and the quantities that a guard may bound.
    """
    from hanabi import rules  # noqa: F401  registers the library's conventions
    from hanabi.conditions import QUANTITIES
    from hanabi.conventions.register import CONVENTION_FAMILIES
    from hanabi.rulebook import some_of
    from hanabi.variant import nearest

    load_rules(files)
    if name and name not in CONVENTION_FAMILIES:
        raise ValueError(
            f"no convention {name!r}{nearest(name, CONVENTION_FAMILIES)}; there are"
            f" {', '.join(CONVENTION_FAMILIES)}"
        )
    families = [CONVENTION_FAMILIES[name]] if name else CONVENTION_FAMILIES.values()
    entries = [
        entry for family in families for entry in (some_of(family) if name else some_of(family)[:1])
    ]
    if json:
        print_json(
            [
                dict(
                    name=entry.name,
                    says=entry.says,
                    stage=entry.family.stage,
                    values=entry.settings,
                    within=entry.family.within,
                )
                for entry in entries
            ]
        )
        return
    listing(
        f"Conventions {name}" if name else counted(len(entries), "convention"),
        "stage",
        "convention",
        "what it says",
        rows=[(entry.family.stage, entry.name, entry.says) for entry in entries],
    )
    if not name:
        bounds = ", ".join(
            f"{key} ({quantity.lowest} to {quantity.highest}"
            + ("; of hints)" if quantity.of_hints else ")")
            for key, quantity in QUANTITIES.items()
        )
        say(
            as_typed(
                "Each is listed with the first choice of its values; `hanabi conventions NAME`"
                " lists all. A guard may follow a convention or a rule: says(slot=6, what=0,"
                f" promised=1) when distance == 1 and deck <= 20. It bounds {bounds}."
            )
        )


@register_command("Library", "chance", compiled=False)
def questions(
    word: Annotated[
        str | None, typer.Argument(metavar="[WORD]", help="Only entries that contain this word.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List what a rule may ask.

    Lists fields of the view, questions, helpers, and common mistakes.
    """
    from hanabi.text.question_reference import found, groups

    entries = found(word or "")
    if json:
        print_json([dict(vars(entry)) for entry in entries])
        return
    for i, (title, some) in enumerate(groups(entries)):
        modules = {entry.module for entry in some if entry.module}
        if i:
            print()
        listing(
            f"{title}{f' (from {modules.pop()} import …)' if len(modules) == 1 else ''}",
            "",
            "asked",
            "what it says",
            rows=[("", entry.asked, entry.says if word else entry.sentence) for entry in some],
        )


@register_command("Library", "piers", compiled=False)
def agents(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print this agent's file instead.")
    ] = None,
    json: AsJson = False,
    partners: Annotated[
        bool,
        typer.Option("--partners", help="List only what to expect of agents as your partners."),
    ] = False,
) -> None:
    """List the agents, or print one.

    Lists the named agents with their mirror scores, their source and how they differ from it;
    or prints one as a file to edit.
    """
    if partners:
        if name:
            raise ValueError("--partners lists: leave the agent's name out")
        list_partners(json)
        return
    if name:
        from hanabi.rules.agents import dumps
        from hanabi.rules.agents import load as load_agent

        print(dumps(load_agent(name)), end="")
        return
    from hanabi.agent_kind import KINDS
    from hanabi.evolve.pools.partner_menu import partner
    from hanabi.rules.agents import NAMED, POOLS, book_text, load, mean_score, read_scores
    from hanabi.rules.agents.books import BOOKS

    found, measured = [load(name) for name in NAMED], read_scores()
    scores = {  # of those whose lists have not changed since
        agent.name: measured[agent.name]
        for agent in found
        if agent.name in measured and measured[agent.name]["hash"] == agent.hash
    }
    if json:
        print_json(
            [
                dict(
                    name=agent.name,
                    source=agent.source,
                    differs=agent.differs,
                    otherwise=agent.otherwise,
                    book=book_text(agent),
                    scores=scores.get(agent.name),
                    partner=partner(agent.name)._asdict(),
                    rules={
                        key: [rule.name for rule in rules] for key, rules in agent.lists.items()
                    },
                )
                for agent in found
            ]
        )
        return
    by_book: dict[str, list[list[str]]] = {}
    for agent in found:
        entry = scores.get(agent.name, {})
        points = [f"{entry[count][0]:.2f}" if count in entry else "" for count in "2345"]
        means = ["", ""]
        if entry:
            kept, kept_error, zero, _ = mean_score(entry)
            means = [f"{kept:.2f} ± {kept_error:.3f}", f"{zero:.2f}"]
        row = [agent.name, *points, *means, agent.source, agent.differs]
        by_book.setdefault(book_text(agent), [[f"({book_text(agent)})", *[""] * 8]]).append(row)
    columns = ["<agent", ">2", ">3", ">4", ">5", "|>kept", ">zero", "|source"]
    print_table(
        f"{len(found)} named agents below their books of conventions, and their mirror scores,"
        " standard game, by players; kept: points stay when the last life is lost, zero: such a"
        " game counts 0",
        [*columns, "|differs from its source"],
        [row for some in by_book.values() for row in some],
    )
    print()
    print()
    list_partners(json=False)
    say(as_typed("`hanabi teach NAME` shows what an agent's hints mean, with examples."))
    say(as_typed(f"Books, whose specs are such as book:convention: {', '.join(BOOKS)}."))
    say(as_typed(f"Pools, which `hanabi pool list` describes: {', '.join(POOLS)}."))
    say(f"Agent kinds: {', '.join(kind.spec_help for kind in KINDS.values() if kind.spec_help)}.")


def list_partners(json: bool) -> None:
    """Print what a person should expect of each agent as a partner."""
    from hanabi.evolve.pools.partner_menu import described, stars

    found = described()
    if json:
        print_json([one._asdict() for one in found])
        return
    rows = [
        [
            one.name,
            one.says,
            "" if one.alone is None else stars(one.alone),
            "" if one.strangers is None else stars(one.strangers),
            "" if one.seconds is None else f"{1000 * one.seconds:.0f}",
        ]
        for one in found
    ]
    print_table(
        "What to expect of agents as partners; stars by mean points in cross play"
        " (docs/data/cross.csv): ★★★★★ from 23, ★★★★ 19, ★★★ 16, ★★ 12",
        ["<agent", "what it expects", "<alone", "<with strangers", ">ms per move"],
        rows,
    )


@register_command("Library", "rule my_rules.py")
def new(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="agent, rule, convention or player.")],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The file to write: .toml for an agent, .py for the others."
        ),
    ],
) -> None:
    """Write a commented template.

    The template of an agent, a rule, a convention or a Python player runs unchanged.
    """
    from hanabi.evolve.file_templates import write_template

    commands = write_template(kind, file)
    print(f"{file} is written. Try:")
    for words in commands:
        print(as_typed(f"  {command(*words)}"))


@register_command("Library", "my_rules.py")
def check(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE.py…", help="Your own rules and conventions.")
    ],
    json: AsJson = False,
) -> None:
    """Check your own rules and conventions.

    Tests that they are legal, pure, independent of hidden cards, and the same when uncompiled. Exit
    code 1 if there are faults.
    """
    with working("checking") as tell:
        from hanabi.evolve.measure.user_rule_check import check as check_files

        found = check_files(files, tell)
    if json:
        print_json(
            [
                dict(
                    name=entry.name,
                    kind=entry.what,
                    settings=len(entry.asked),
                    faults=[
                        dict(setting=rule.name, fault=finding.fault, seen=finding.seen)
                        for rule, finding in entry.findings
                    ],
                )
                for entry in found
            ]
        )
    else:
        print_check(found)
    if any(entry.findings for entry in found):
        raise typer.Exit(1)


def print_check(found: list[CheckResult]) -> None:
    """Print the faults of user rules and conventions, and write the first position of each."""
    from hanabi.evolve.measure.user_rule_check import text_of
    from hanabi.files import write_new

    for entry in found:
        asked = len(entry.asked)
        settings = f" ({counted(asked, 'setting')})" if asked > 1 else ""
        say(f"{entry.what} {entry.name}{settings}: {'' if entry.findings else 'ok'}")
        for rule, finding in entry.findings:
            say(f"  {rule.name}: {finding}" if asked > 1 else f"  {finding}")
        placed = next(((rule, finding) for rule, finding in entry.findings if finding.place), None)
        if placed:
            text, turn = text_of(*placed)
            file = write_new(text)
            if entry.what != "convention":
                say(f"  the first is in {file}:")
                print(as_typed(f"    {ask_again(placed[0], file, turn)}"))  # unfolded, to be copied
            else:
                say(f"  the first is in {file}")
    counts = Counter(entry.what for entry in found)
    kinds = [
        counted(counts[what], what) for what in ("rule", "convention", "primitive") if counts[what]
    ]
    faulty = sum(bool(entry.findings) for entry in found)
    result = f"{faulty} with faults" if faulty else "in order"
    print(f"Checked {' and '.join(kinds)}: {result}.")


@register_command("Library", compiled=False)
def doctor(json: AsJson = False) -> None:
    """Say what is installed and what is missing.

    Prints versions, cores, memory, the cache, and the command that installs each extra. Exit code
    1 if there is a problem.
    """
    with working("examining the installation"):
        try:
            from hanabi.evolve.doctor import examine, lines

            found = examine()
        except ModuleNotFoundError as error:  # a package that this command needs itself
            name = str(error.name).partition(".")[0]
            install = command(sys.executable, "-m", "pip", "install", name)
            raise ValueError(f"the package {name} is missing: {install}") from None
    if json:
        print_json(found)
    else:
        for what, text in lines(found):
            say(f"{what:12} {text}", 13)
    raise typer.Exit(1 if found["problems"] else 0)
