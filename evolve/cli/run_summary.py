"""Print a finished run on one screen: score, known agents, best rules, files, next commands."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import NamedTuple

from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import as_typed
from hanabi.evolve.cli.printing import counted, folded, print_table, say, width
from hanabi.shell_command import command

SUMMARY = "map.json"  # of a run of MAP-Elites
FRONT = "front.csv"  # of a run that searches for a front
MOST = 8  # rules and conventions that are shown, at most
ROWS = 16  # that they may take
BAR = 28  # columns of the longest bar
NAME = 24  # columns of an agent's name
ABOUT = {
    "report.html": "the run as a page: all rules, charts, games to step through",
    "map.html": "the map: the best list of each way to play",
    "front": "the lists of the front, each named by its words",
    "best.toml": "the agent, to read and edit",
    "tournament.csv": "the tournament's rows",
    "worth.csv": "share and worth of each rule and convention",
}


def print_summary(run: lazy.result.Run, options: list[str | Path]) -> None:
    """Print the result of a finished run.

    Args:
        run: The run.
        options: Options that load its user rules.
    """
    agent = run.agent
    print_score(agent)
    if limit := run.time_limit:
        ends = lazy.notation.all_of([str(number) for number in limit["generations"]])
        say(
            f"{lazy.progress.minutes_text(limit['minutes'])} ended it after generation {ends};"
            f" the same without a clock: {run.again}"
        )
    perfect = lazy.variant.read_variant(run.config.game.variant).perfect
    print_curves(run, perfect)
    print()
    say(f"Points (kept), {run.config.game.mode} play:")
    for name, mean, sem in _as_measured(run):
        print(
            bar(name, mean / perfect, name == agent.name)
            + f" {mean:5.2f}{lazy.arena.error_text(sem)}"
        )
    print_rules(run, agent)
    if (run / SUMMARY).exists():
        found = lazy.run_folder.unsealed(run / SUMMARY)
        cells = counted(found["size"], "cell")
        say(
            f"\nThe map has {found['found']['cells']:,} of {cells} filled. "
            f"Its champion is best.toml: {agent.provenance['score']:.2f} points on fresh deals.",
            0,
        )
    if (run / FRONT).exists():
        print_front(run)
    print(f"\nFiles in {run.folder}:")
    for name, says in ABOUT.items():
        if (run / name).exists():
            print(f"  {name:14}  {says}")
    best, players = run / "best.toml", run.config.game.players
    seats = [] if 2 in players else ["-p", str(players[0])]
    print(
        as_typed(
            f"\nNext:\n  {command('hanabi', 'show', run.folder)}\n "
            f" {command('hanabi', 'play', best, *seats, *options)}\n "
            f" {command('hanabi', 'report', run.folder, '--browser')}"
        )
    )


def print_curves(run: lazy.result.Run, perfect: int) -> None:
    """Print the best of each generation as a line of blocks, for each list of a run."""
    from hanabi.evolve.cli.progress_display import blocks

    for part in run.parts:
        best = part.log["best"].tolist()
        name = "Best by generation" + f", {part.name}" * (part.folder != run.folder)
        line = blocks(best, perfect, width() - len(name) - 18)
        print(f"{name}: {line} {best[0]:.2f} to {best[-1]:.2f}")


def print_front(run: lazy.result.Run) -> None:
    """Print the points of each list of the front of a run, by words."""
    rows = run.front
    print()
    print_table(
        f"The front of points against words, {counted(rows['games'].iloc[0], 'fresh game')} each:",
        [">sentences", ">words", ">kept ± s.e.", ">zero ± s.e."],
        [
            [
                str(row["sentences"]),
                str(row["words"]),
                *(
                    f"{row[f'mean_{law}']:.2f}{lazy.arena.error_text(row[f'sem_{law}'])}"
                    for law in lazy.arena.SCORINGS
                ),
            ]
            for row in rows.to_dict("records")
        ],
    )


def print_score(agent: lazy.agents.Agent) -> None:
    """Print the score in an agent's file, if there is one, and how often it forfeits."""
    facts = agent.provenance
    if "score" in facts:
        say(
            f"Score on fresh deals ({facts['scoring']}): {facts['score']:.3f} ± {facts['sem']:.3f}"
            f" (s.e.) over {counted(facts['games'], 'game')}."
        )
        forfeited = facts["results"][-1].get("forfeited_games", 0)
        if forfeited:
            say(
                f"Forfeits, {forfeited / facts['games']:.1%} of these games:"
                f" {lazy.transcript.ABOUT_FORFEITS}"
            )


def bar(name: str, share: float, marked: bool) -> str:
    """Return a name and a bar of a share of the longest one; ``marked`` names get an arrow."""
    arrow, short = ">" if marked else " ", name if len(name) <= NAME else f"{name[: NAME - 1]}…"
    return f"{arrow} {short:{NAME}} {'█' * round(BAR * share):{BAR}}"


def _as_measured(run):
    """Return (name, mean, standard error) of a run's agent on its final deals, best first.

    In the standard game and mirror play also those of the known agents, as measured.
    """
    total, scores = lazy.run_folder.result(run.folder)["results"][-1], lazy.agents.read_scores()
    found = [(run.agent.name, total["mean_kept"], total["sem_kept"])]
    if run.config.game.mode == "mirror" and run.config.game.variant == "standard":
        for name in lazy.tournament.LITERATURE:
            cells = [scores[name][str(count)] for count in run.config.game.players]
            means, errors = [cell[0] for cell in cells], [cell[1] for cell in cells]
            found.append((name, *lazy.arena.pooled(means, errors)))
    return sorted(found, key=lambda one: -one[1])


class UsefulEntry(NamedTuple):
    """A rule or convention of a run: its share of the decisions, points lost without it, error."""

    name: str
    share: float
    worth: float
    sem: float


def print_rules(run: lazy.result.Run, agent: lazy.agents.Agent) -> None:
    """Print the rules and conventions worth most: share of decisions, points lost without it."""
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
    texts: list[list[str]] = []
    for name, share, worth, sem in entries:
        part = "" if isnan(share) else f"{share:.1%}"
        numbers = f"  {part:>6}  {worth:+6.2f} ± {sem:.2f}  "
        texts.append(folded(numbers + says.get(name, name), len(numbers.lstrip())))
        if len(texts) > 1 and sum(map(len, texts)) > ROWS:
            texts.pop()
            break
    what = "rules and conventions" if any(agent.conventions.values()) else "rules"
    few = f"{len(texts)} most useful of {len(says)}" if len(texts) < len(says) else len(says)
    say(f"The {few} {what}: share of decisions, worth in points ± s.e.:")
    for lines in texts:
        print("\n".join(lines))


def most_useful(run: lazy.result.Run) -> list[UsefulEntry]:
    """Return the rules and conventions worth most.

    They are means over the player counts, where an entry that a list lacks counts 0; empty if the
    report measured none.
    """
    file = run / "worth.csv"
    if not file.exists():
        return []
    table = lazy.pandas.read_csv(file)
    counts = table["players"].nunique()
    scoring = run.config.game.scoring
    table["worth"], table["variance"] = table[f"worth_{scoring}"], table[f"sem_{scoring}"] ** 2
    sums = table.groupby("entry")[["share", "worth", "variance"]].sum(min_count=1)
    best = sums.sort_values("worth", ascending=False, kind="stable").head(MOST)
    return [
        UsefulEntry(str(name), share / counts, worth / counts, variance**0.5 / counts)
        for name, share, worth, variance in best.itertuples()
        if worth / counts >= 0.005
    ]
