"""The end of a run on one screen: its score beside known agents, the rules that matter, its files, what to type next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hanabi.evolve.cli.command_name import as_typed
from hanabi.evolve.cli.printing import counted, say, width
from hanabi.shell_command import command

if TYPE_CHECKING:
    import pandas as pd

    from hanabi.evolve.ga.result import Run
    from hanabi.rules.agents import Agent

MOST = 8  # rules and conventions that are shown
BAR = 28  # columns of the longest bar
NAME = 24  # columns of an agent's name
ABOUT = {
    "report.html": "the run as a page: all rules, charts, games to step through",
    "best.toml": "the agent, to read and edit",
    "tournament.csv": "the tournament's rows",
    "worth.csv": "share and worth of each rule and convention",
    "finals.csv": "the score by number of players",
    "log.csv": "each generation",
}


def print_summary(run: Run, options: list[str | Path], rows: pd.DataFrame | None = None) -> None:
    """Print what a finished run made. ``options``: those that name its user-defined rules; ``rows``: of a tournament."""
    from hanabi.evolve.measure.arena import error_text
    from hanabi.variant import read_variant

    agent = run.agent
    print_score(agent)
    print()
    say(f"Points (kept), {'in the tournament' if rows is not None else f'{run.config.mode} play'}:")
    perfect = read_variant(run.config.variant).perfect
    for name, mean, sem in _from_tournament(rows) if rows is not None else _as_measured(run):
        print(bar(name, mean / perfect, name == agent.name) + f" {mean:5.2f}{error_text(sem)}")
    print_rules(run, agent)
    print(f"\nFiles in {run.folder}:")
    for name, says in ABOUT.items():
        if (run / name).exists():
            print(f"  {name:14}  {says}")
    best = run / "best.toml"
    print(
        as_typed(
            f"\nNext:\n  {command('hanabi', 'show', run.folder)}\n "
            f" {command('hanabi', 'play', best, *options)}"
        )
    )


def print_score(agent: Agent) -> None:
    """Print the score that an agent's file states, and how often it forfeits; nothing where it states none."""
    from hanabi.text.transcript import ABOUT_FORFEITS

    facts = agent.provenance
    if "score" in facts:
        say(
            f"Score on fresh deals ({facts['scoring']}): {facts['score']:.3f} ± {facts['sem']:.3f}"
            f" (s.e.) over {counted(facts['games'], 'game')}."
        )
        forfeited = facts["results"][-1].get("forfeited_games", 0)
        if forfeited:
            say(f"Forfeits, {forfeited / facts['games']:.1%} of these games: {ABOUT_FORFEITS}")


def bar(name: str, share: float, marked: bool) -> str:
    """Return a name with its share of the longest bar; ``marked``: behind an arrow."""
    return f"{'>' if marked else ' '} {_cut(name, NAME):{NAME}} {'█' * round(BAR * share):{BAR}}"


def _cut(text, room):
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _from_tournament(rows):
    """(name, mean, s.e.) of each agent of a tournament, the best first."""
    from hanabi.evolve.measure.tournament import summarise

    found = summarise(rows)
    each = [
        (name, float(found["mean", "mean"][name]), float(found["sem", "mean"][name]))
        for name in found.index
    ]
    return sorted(each, key=lambda one: -one[1])


def _as_measured(run):
    """(name, mean, s.e.) of a run's agent on its final deals, and of known agents as measured where they played the same game."""
    from hanabi.evolve.ga.run_folder import result
    from hanabi.evolve.measure.tournament import LITERATURE
    from hanabi.rules.agents import read_scores

    total, scores = result(run.folder)["results"][-1], read_scores()
    found = [(run.agent.name, total["mean_kept"], total["sem_kept"])]
    if run.config.mode == "mirror" and run.config.variant == "standard":
        for name in LITERATURE:
            cells = [scores[name][str(count)] for count in run.config.players]
            found.append(
                (
                    name,
                    sum(cell[0] for cell in cells) / len(cells),
                    sum(cell[1] ** 2 for cell in cells) ** 0.5 / len(cells),
                )
            )
    return sorted(found, key=lambda one: -one[1])


def print_rules(run: Run, agent: Agent) -> None:
    """Print the rules and conventions that are worth most: the share of decisions that each makes, and the points lost without it."""
    entries = most_useful(run)
    if not entries:
        return
    says = {
        entry.name: entry.says
        for some in (agent.lists, agent.conventions)
        for listed in some.values()
        for entry in listed
    }
    print()
    say(
        f"The {len(entries)} most useful of {len(says)} rules and conventions: share of decisions,"
        " worth:"
    )
    room = width() - 18
    for name, share, worth in entries:
        text = says.get(name, name)
        part = "" if share != share else f"{share:.1%}"
        print(f"  {part:>6}  {worth:+6.2f}  {_cut(text, room)}")


def most_useful(run: Run) -> list[tuple[str, float, float]]:
    """Return (name, share of decisions, worth) of the entries worth most, means over the player counts; an entry that a list lacks counts 0
    there. Empty where the run's page measured none."""
    import pandas as pd

    file = run / "worth.csv"
    if not file.exists():
        return []
    table = pd.read_csv(file)
    counts = table["players"].nunique()
    sums = (
        table.groupby("entry")[["share", f"worth_{run.config.scoring}"]].sum(min_count=1) / counts
    )
    best = sums.sort_values(f"worth_{run.config.scoring}", ascending=False, kind="stable").head(
        MOST
    )
    return [
        (str(name), float(share), float(worth))
        for name, share, worth in best.itertuples()
        if worth >= 0.005
    ]
