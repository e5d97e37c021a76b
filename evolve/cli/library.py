"""Commands about rules and agents: rules, agents, new, check, doctor."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import as_typed, ask_again, register_command
from hanabi.evolve.cli.printing import Answer, counted, listing, print_table, say, table_command
from hanabi.evolve.cli.progress_display import Work
from hanabi.shell_command import command


@table_command("Library", "cig2018", compiled=False, rules=True)
def rules(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A set such as cig2018; with --conventions one of them, with --questions a word.",
        ),
    ] = None,
    conventions: Annotated[
        bool, typer.Option("--conventions", help="List what hints may mean instead.")
    ] = False,
    questions: Annotated[
        bool, typer.Option("--questions", help="List what a rule may ask instead.")
    ] = False,
) -> Answer:
    """List the rules as sentences.

    The rules of a set are numbered. --conventions lists the conventions and the quantities that a
    guard may bound, or one convention with each choice of its values. --questions lists fields of
    the view, questions, helpers, and common mistakes.
    """
    if conventions:
        return _conventions(name)
    if questions:
        asked = lazy.question_reference.found(name or "")
        return Answer(
            lambda: _print_questions(asked, name or ""), data=[dict(vars(one)) for one in asked]
        )

    entries = lazy.agents.rules(name or "")
    rows = [(str(i) if name else "", entry.name, entry.says) for i, entry in enumerate(entries)]
    title = f"{counted(len(entries), 'rule')}{f' of the set {name}' if name else ''}"
    sets = ", ".join(f"{key} ({len(names)})" for key, names in lazy.rules.SETS.items())
    note = "" if name else f"Sets: {sets}. `hanabi rules SET` numbers them."
    data = [
        dict(number=i if name else None, name=entry.name, says=entry.says, values=entry.settings)
        for i, entry in enumerate(entries)
    ]
    heads = ["#" if name else "", "rule", "what it does"]
    return Answer(lambda: _print_listing(title, heads, rows, note), data=data)


def _print_listing(
    title: str, heads: list[str], rows: list[tuple[str, str, str]], note: str
) -> None:
    listing(title, *heads, rows=rows)
    if note:
        say(as_typed(note))


def _conventions(name: str | None) -> Answer:
    """Return the conventions, or one with each choice of its values."""
    from hanabi import rules  # noqa: F401  registers the library's conventions

    known = lazy.register.CONVENTION_FAMILIES
    if name and name not in known:
        raise ValueError(
            f"no convention {name!r}{lazy.variant.nearest(name, known)}; there are"
            f" {', '.join(known)}"
        )
    families = [known[name]] if name else known.values()
    entries = [
        entry
        for family in families
        for entry in (lazy.rulebook.some_of(family) if name else lazy.rulebook.some_of(family)[:1])
    ]
    data = [
        dict(
            name=entry.name,
            says=entry.says,
            stage=entry.family.stage,
            values=entry.settings,
            within=entry.family.within,
        )
        for entry in entries
    ]
    bounds = ", ".join(
        f"{key} ({quantity.lowest} to {quantity.highest}"
        + ("; of hints)" if quantity.of_hints else ")")
        for key, quantity in lazy.conditions.QUANTITIES.items()
    )
    note = (
        "Each is listed with the first choice of its values; `hanabi rules --conventions NAME`"
        " lists all. A guard may follow a convention or a rule: says(slot=6, what=0,"
        f" promised=1) when distance == 1 and deck <= 20. It bounds {bounds}."
    )
    title = f"Conventions {name}" if name else counted(len(entries), "convention")
    rows = [(entry.family.stage, entry.name, entry.says) for entry in entries]
    heads = ["stage", "convention", "what it says"]
    return Answer(lambda: _print_listing(title, heads, rows, "" if name else note), data=data)


def _print_questions(entries: list[lazy.question_reference.Question], word: str) -> None:

    for i, (title, some) in enumerate(lazy.question_reference.groups(entries)):
        modules = sorted({entry.module for entry in some if entry.module})
        if i:
            print()
        listing(
            f"{title}{f' (from {lazy.notation.all_of(modules)} import …)' if modules else ''}",
            "",
            "asked",
            "what it says",
            rows=[("", entry.asked, entry.says if word else entry.sentence) for entry in some],
        )


@table_command("Library", "piers", compiled=False, rules=True)
def agents(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[SPEC]", help="Print this agent, or a run's, in full instead."),
    ] = None,
) -> Answer:
    """List the agents, or print one.

    Lists the named agents with their mirror scores, their source and how they differ from it; or
    prints the lists of one as numbered sentences, with its conventions and its score. hanabi export
    writes it as a file to edit.
    """
    if name:
        from hanabi.evolve.cli.runs import agent_of, print_agent

        agent = agent_of(name)
        return Answer(lambda: print_agent(agent), data=agent_data(agent))

    found, measured = (
        [lazy.agents.load(name) for name in lazy.agents.NAMED],
        lazy.agents.read_scores(),
    )
    scores = {  # of those whose lists have not changed since
        agent.name: measured[agent.name]
        for agent in found
        if agent.name in measured and measured[agent.name]["hash"] == agent.hash
    }
    data = [agent_data(agent) | dict(scores=scores.get(agent.name)) for agent in found]
    return Answer(lambda: _print_agents(found, scores), data=data)


def agent_data(agent: lazy.agents.Agent) -> dict[str, Any]:
    """Return an agent as data for JSON."""
    return dict(
        name=agent.name,
        source=agent.source,
        differs=agent.differs,
        otherwise=agent.otherwise,
        book=lazy.agents.book_text(agent),
        partner=lazy.partner_menu.partner(agent.name)._asdict(),
        rules={key: [rule.name for rule in rules] for key, rules in agent.lists.items()},
    )


def _print_agents(found: list[lazy.agents.Agent], scores: dict[str, Any]) -> None:
    """Print the named agents below their books, what to expect of them, and other specs."""
    by_book: dict[str, list[list[str]]] = {}
    for agent in found:
        entry = scores.get(agent.name, {})
        points = [f"{entry[count][0]:.2f}" if count in entry else "" for count in "2345"]
        means = ["", ""]
        if entry:
            kept, kept_error, zero, _ = lazy.agents.mean_score(entry)
            means = [f"{kept:.2f} ± {kept_error:.3f}", f"{zero:.2f}"]
        row = [agent.name, *points, *means, agent.source, agent.differs]
        by_book.setdefault(
            lazy.agents.book_text(agent), [[f"({lazy.agents.book_text(agent)})", *[""] * 8]]
        ).append(row)
    columns = ["<agent", ">2", ">3", ">4", ">5", "|>kept", ">zero", "|source"]
    print_table(
        f"{len(found)} named agents below their books of conventions, and their mirror scores,"
        " standard game, by players; kept: points stay when the last life is lost, zero: such a"
        " game counts 0",
        [*columns, "|differs from its source"],
        [row for some in by_book.values() for row in some],
    )
    print("\n")
    _print_partners()
    say(as_typed("`hanabi teach NAME` shows what an agent's hints mean, with examples."))
    say(as_typed(f"Books, whose specs are such as book:convention: {', '.join(lazy.named.BOOKS)}."))
    say(as_typed(f"Pools, which `hanabi pool list` describes: {', '.join(lazy.agents.POOLS)}."))
    kinds = [kind.spec_help for kind in lazy.agent_kind.KINDS.values() if kind.spec_help]
    say(f"Agent kinds: {', '.join(kinds)}.")


def _print_partners() -> None:
    """Print what a person should expect of each agent as a partner."""
    rows = [
        [
            one.name,
            one.says,
            "" if one.alone is None else lazy.partner_menu.stars(one.alone),
            "" if one.strangers is None else lazy.partner_menu.stars(one.strangers),
            "" if one.seconds is None else f"{1000 * one.seconds:.0f}",
        ]
        for one in lazy.partner_menu.described()
    ]
    title = (
        "What to expect of agents as partners; stars by mean points in cross play"
        " (docs/data/cross.csv): ★★★★★ from 23, ★★★★ 19, ★★★ 16, ★★ 12"
    )
    columns = ["<agent", "what it expects", "<alone", "<with strangers", ">ms per move"]
    print_table(title, columns, rows)


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
    commands = lazy.file_templates.write_template(kind, file)
    print(f"{file} is written. Try:")
    for words in commands:
        print(as_typed(f"  {command(*words)}"))


@table_command("Library", "my_rules.py", "checking")
def check(
    tell: Work,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE.py…", help="Your own rules and conventions.")
    ],
) -> Answer:
    """Check your own rules and conventions.

    Tests that they are legal, pure, independent of hidden cards, and the same when uncompiled. Exit
    code 1 if there are faults.
    """
    found = lazy.user_rule_check.check(files, tell)
    data = [
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
    code = 1 if any(entry.findings for entry in found) else 0
    return Answer(lambda: print_check(found), data=data, code=code)


def print_check(found: list[lazy.user_rule_check.CheckResult]) -> None:
    """Print the faults of user rules and conventions, and write the first position of each."""
    for entry in found:
        asked = len(entry.asked)
        settings = f" ({counted(asked, 'setting')})" if asked > 1 else ""
        say(f"{entry.what} {entry.name}{settings}: {'' if entry.findings else 'ok'}")
        for rule, finding in entry.findings:
            say(f"  {rule.name}: {finding}" if asked > 1 else f"  {finding}")
        placed = next(((rule, finding) for rule, finding in entry.findings if finding.place), None)
        if placed:
            text, turn = lazy.user_rule_check.text_of(*placed)
            file = lazy.files.write_new(text)
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


@table_command("Library", "", "examining the installation", compiled=False)
def doctor() -> Answer:
    """Say what is installed and what is missing.

    Prints versions, cores, memory, the cache, and the command that installs each extra. Exit code
    1 if there is a problem.
    """
    try:
        found = lazy.doctor.examine()
    except ModuleNotFoundError as error:  # a package that this command needs itself
        name = str(error.name).partition(".")[0]
        install = command(sys.executable, "-m", "pip", "install", name)
        raise ValueError(f"the package {name} is missing: {install}") from None
    text = "\n".join(f"{what:12} {line}" for what, line in lazy.doctor.lines(found))
    return Answer(lambda: say(text, 13), data=found, code=1 if found["problems"] else 0)
