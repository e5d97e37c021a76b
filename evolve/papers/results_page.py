"""docs/results.md and README's table, made of the committed data in docs/data: ``python -m hanabi.evolve.papers.results_page``.

No number there is typed. ``--measure`` (`make results`) first makes the data anew: it runs the commands of
COMMANDS, which are also what the page prints above each table. What others published stands in docs/data/others.toml,
with its source.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from hanabi.evolve.analysis.rendering import shown
from hanabi.evolve.measure.ablation import by_worth
from hanabi.evolve.measure.cross_play import errors_text, matrix, ordered, strangers
from hanabi.evolve.measure.tournament import summarise
from hanabi.evolve.papers import osawa, partner_tables
from hanabi.evolve.papers.paper_reports import grid, markdown, refreshed
from hanabi.files import write_whole

DATA, PAGE, PARTNERS, README = (
    Path("docs/data"),
    Path("docs/results.md"),
    Path("docs/partners.md"),
    Path("README.md"),
)
OSAWA, SWEEP = Path("docs/osawa.md"), Path("docs/osawa-sweep.svg")
SHORT = (
    "convention",
    "from-nothing",
    "convention-2026",
    "convention-simple",
    "epistemic",
    "mirror-situational-2018",  # README's
    "piers",
)
AGENTS = (
    "convention from-both from-nothing convention-2026 convention-simple epistemic"
    " mirror-situational-2018 \\\n    mirror-old-2018 van-den-bergh piers iggi outer internal"
    " sample cautious irvall flawed legal-random"
)
CROSS = (
    "iggi outer piers flawed van-den-bergh mirror-situational-2018"
    " runs/reference/mirror-cig2018/best.toml \\\n    runs/reference/mixed-cig2018/best.toml"
    " epistemic convention-simple convention-2026 \\\n    convention search:convention"
)
UNITS = {
    "games/s/core": "games/s per core",
    "µs/decision": "µs per decision",
    "s, all cores together": "s of CPU",
}
SPEEDS = {  # benchmark: (what it is, the units shown)
    "piers-mirror": ("Piers' list with copies of itself", ("games/s/core",)),
    "random-order": ("all 72 rules of 2018 in random order", ("games/s/core",)),
    "situational-mirror": ("MirrorSituational, the best evolved agent of 2018", ("games/s/core",)),
    "epistemic-mirror": ("every move from exact knowledge", ("games/s/core",)),
    "convention-mirror": (
        "marks kept, every hint judged",
        ("games/s/core", "times slower than piers-mirror"),
    ),
    "kripke-questions": (
        "all that a player knows, and knows that others know; 2, 3, 4, 5 players",
        ("µs/decision",),
    ),
    "kripke-hints": ("the same after each legal hint", ("µs/decision",)),
    "table-iii": ("Table III of 2018 at 11,200 games per row, all cores", ("s",)),
    "slowest-decision": ("the slowest single decision of five agents", ("ms",)),
    "plain-twin": ("the same code as plain Python", ("times slower",)),
    "all-cores": ("two workers", ("times one worker",)),
    "two-workers": (
        "evolution by conventions on two workers; two tables that share nothing",
        ("times one worker",),
    ),
    "compile-cold": (
        "empty compile cache to the first game with all rules of 2018",
        ("s by the clock", "s, all cores together"),
    ),
    "compile-warm": ("the same, once everything has been compiled", ("s",)),
    "compile-all": (
        "with every rule, convention and question there is",
        ("s by the clock", "s, all cores together"),
    ),
    "help": ("`hanabi --help`; `hanabi rules`", ("s",)),
}
COMMANDS = {  # file in docs/data: the commands that make it
    "tournament.csv": (
        f"hanabi tournament {AGENTS} \\\n    --mode mirror --games 20000 --seed 20261120 -o"
        " docs/data/tournament.csv"
    ),
    "cross.csv": (
        f"hanabi tournament {CROSS} \\\n    --mode cross --games 5000 --searched-games 16 --seed"
        " 20261122 \\\n    --picture docs/cross-play.svg -o docs/data/cross.csv"
    ),
    "partners.json": "hanabi bench search-mixed --json > docs/data/partners.json",
    "level.csv": (
        'for level in 0 1 2; do sed "s/LEVEL/$level/" docs/level.toml > /tmp/level-$level.toml;'
        " done\nhanabi tournament /tmp/level-0.toml /tmp/level-1.toml /tmp/level-2.toml \\\n   "
        " --games 4000 --seed 20261121 -o docs/data/level.csv"
    ),
    "lab.csv": "hanabi lab convention --games 5000 -o docs/data/lab.csv",
    "losses.csv": "hanabi analyse convention --losses --games 4000 -o docs/data/losses.csv",
    "reference.json": "hanabi experiment reference --table --json > docs/data/reference.json",
    "search.json": "hanabi experiment search --seeds 8 --json > docs/data/search.json",
    "cig2018.json": "hanabi reproduce cig2018 --json > docs/data/cig2018.json",
    "osawa.json": "hanabi reproduce osawa --games 6000 --json > docs/data/osawa.json",
    "against.json": (
        "git worktree add --detach /tmp/ab4f31e ab4f31e\n"
        "hanabi bench convention-mirror piers-mirror epistemic-mirror \\\n"
        "    --against /tmp/ab4f31e --json > docs/data/against.json\n"
        "git worktree remove /tmp/ab4f31e"
    ),
    "bench.json": (
        f"hanabi bench {' '.join(tuple(SPEEDS)[:8])} \\\n    {' '.join(tuple(SPEEDS)[8:])} --json >"
        " docs/data/bench.json"
    ),
}


def by_players(counts: Sequence[object]) -> list[str]:
    """The headings of columns by number of players."""
    return [f"{count} players" if place == 0 else f"{count}" for place, count in enumerate(counts)]


def scores(rows: pd.DataFrame) -> str:
    """The rows of a tournament as a table: kept points by player count, means by both scorings, perfect games."""
    kept, zero = (summarise(rows, scoring).to_dict() for scoring in ("kept", "zero"))
    whole = rows.groupby("agent", sort=False)[["perfect_games", "games"]].sum()
    perfect = (whole["perfect_games"] / whole["games"]).to_dict()
    counts = rows["players"].unique().tolist()

    def cell(table, agent, column, places):
        return (
            f"{table['mean', column][agent]:.{places}f} ± {table['sem', column][agent]:.{places}f}"
        )

    return grid(
        ["agent", *by_players(counts), "mean, kept", "mean, zero", "perfect"],
        [
            [
                f"{agent}",
                *(cell(kept, agent, count, 2) for count in counts),
                cell(kept, agent, "mean", 3),
                cell(zero, agent, "mean", 3),
                f"{share:.1%}",
            ]
            for agent, share in perfect.items()
        ],
    )


def company(rows: pd.DataFrame) -> str:
    """The rows of a cross tournament as a table, a line per agent: mirror play, its mean as a guest, and who suits it."""
    found = strangers(rows).loc[ordered(matrix(rows)[0])]
    return grid(
        ["agent", "mirror", "guest", "loses", "host", "best among", "worst among"],
        [
            [
                f"{agent}",
                f"{of['mirror']:.2f} ± {of['mirror_sem']:.2f}",
                f"{of['guest']:.2f} ± {of['guest_sem']:.2f}",
                f"{of['loses']:+.2f}",
                f"{of['host']:.2f}",
                f"{of['best']} ({of['best_points']:.1f})",
                f"{of['worst']} ({of['worst_points']:.1f})",
            ]
            for agent, of in found.iterrows()
        ],
    )


def worths(rows: pd.DataFrame) -> str:
    """The rows of a lab as a table: what each rule, convention and group that the agent uses is worth, most first."""
    rows = rows[
        rows["kind"].isin(("rule", "convention", "together")) & (rows["switched"] == "off")
    ].astype({"players": str})
    counts = sorted(count for count in rows["players"].unique() if len(count) == 1)

    def cell(row):
        return f"{row['worth_kept']:.2f} ± {row['sem_kept']:.2f}" if row else ""

    return grid(
        ["part", *by_players(counts)],
        [
            [head["what"], *(cell(by_count.get(count)) for count in counts)]
            for head, by_count in by_worth(rows)
        ],
    )


def reached(rows: list[dict], short: bool = False) -> str:
    """The entries of ``hanabi experiment --json`` as a table, a line per run: mean points that were published, that are to be
    reached, and that are; ``short``: without those by players.
    """
    runs: dict[str, dict] = {row["run"]: {} for row in rows}
    for row in rows:
        runs[row["run"]][row["row"]] = row

    def points(row, key="mean", places=2):
        return "" if not row or row[key] is None else f"{row[key]:.{places}f}"

    lines = []
    for run, of in runs.items():
        ours = of.get("ours")
        mean = f"{ours['mean']:.3f} ± {ours['error']:.3f}" if ours else "not made yet"
        lines.append(
            [
                f"`{run}`",
                points(of.get("published")),
                points(of.get("to reach")),
                mean,
                *(
                    []
                    if short
                    else [
                        *(points(ours, str(count)) for count in (2, 3, 4, 5)),
                        points(ours, "zero", 3),
                        f"{ours['games']:,.0f}" if ours else "",
                    ]
                ),
            ]
        )
    more = [] if short else [*by_players((2, 3, 4, 5)), "mean, zero", "games"]
    return grid(["run", "published", "to reach", "reached", *more], lines)


def searched(rows: list[dict]) -> str:
    """The same of the experiment ``search``: what a search reaches, and by how much that is more than what it stands against."""
    runs: dict[str, dict] = {row["run"]: {} for row in rows}
    for row in rows:
        runs[row["run"]][row["row"]] = row
    return grid(
        ["search", "seeds", "mean ± s.d.", "against", "gain ± 95 %", "sees"],
        [
            [
                one["ours"]["name"],
                f"{one['ours']['seeds']:.0f}",
                f"{one['ours']['mean']:.3f} ± {one['ours']['error']:.3f}",
            ]
            + (
                [
                    runs[gain["against"]]["ours"]["name"],
                    f"{gain['mean']:+.3f} ± {gain['error']:.3f}",
                    f"{gain['sees']:.3f}",
                ]
                if (gain := one.get("gain"))
                else [""] * 3
            )
            for one in runs.values()
            if "ours" in one
        ],
    )


def number(value: float) -> str:
    """A measured value with three digits that matter, or all before the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def speeds(results: list[dict], others: dict[str, str]) -> str:
    """The entries of ``hanabi bench --json`` as a table, beside what others take."""
    rows = []
    for name, (what, units) in SPEEDS.items():
        shown = []
        for unit in units:
            entries = [
                entry
                for entry in results
                if entry["unit"] == unit
                and (
                    entry["name"].split(" ")[0] == name
                    or name == "help"
                    and entry["name"].startswith("hanabi ")
                )
            ]
            entries = [entry for entry in entries if entry["players"] == "2-5"] or entries
            values = [entry["value"] for entry in entries]
            if name == "slowest-decision" and values:
                values = [max(values)]
            if name == "all-cores":  # one worker is 1 by definition
                values = values[-1:]
            if values:
                shown.append(f"{' / '.join(map(number, values))} {UNITS.get(unit, unit)}")
        rows.append([f"`{name}`", what, "; ".join(shown), others.get(name, "")])
    return grid(["benchmark", "what", "here", "for comparison"], rows, 2)


def faster(results: list[dict]) -> str:
    """The entries of ``hanabi bench --against`` as a table: games per second before and now, and the ratio."""
    return grid(
        ["benchmark", "players", "before", "now", "times faster"],
        [
            [
                f"`{row['name']}`",
                str(row["players"]),
                f"{row['before']:,}",
                f"{row['after']:,}",
                f"{row['ratio']:.2f}",
            ]
            for row in results
        ],
    )


def commands(*names: str) -> str:
    """The commands that make some files of data, as a block."""
    return "\n".join(["```sh", *(COMMANDS[name] for name in names), "```"])


def page(folder: Path) -> str:
    """The text of docs/results.md from the data in a folder. ValueError, one line, where a file is missing."""
    missing = [name for name in (*COMMANDS, "others.toml") if not (folder / name).exists()]
    if missing:
        raise ValueError(
            f"there is no {folder / missing[0]}: run this in the project's folder, and --measure"
            " makes the data"
        )
    others = tomllib.loads((folder / "others.toml").read_text(encoding="utf-8"))
    cig2018 = json.loads((folder / "cig2018.json").read_text(encoding="utf-8"))
    bench = json.loads((folder / "bench.json").read_text(encoding="utf-8"))["results"]
    against = json.loads((folder / "against.json").read_text(encoding="utf-8"))
    tournament, lab = (
        pd.read_csv(folder / "tournament.csv"),
        pd.read_csv(folder / "lab.csv", dtype={"players": str}),
    )
    cross, level, losses = (
        pd.read_csv(folder / "cross.csv"),
        pd.read_csv(folder / "level.csv"),
        pd.read_csv(folder / "losses.csv"),
    )
    reference = json.loads((folder / "reference.json").read_text(encoding="utf-8"))
    return TEXT.format(
        where=others["machine"],
        tournament=scores(tournament),
        tournament_games=tournament["games"].iloc[0],
        tournament_command=commands("tournament.csv"),
        agents=grid(
            ["program", "kept, by players", "source"],
            [[entry["name"], entry["kept"], entry["source"]] for entry in others["agents"]],
            3,
        ),
        cross=company(cross),
        cross_games=cross["games"].max(),
        cross_searched=cross["games"].min(),
        cross_errors=errors_text(cross),
        cross_command=commands("cross.csv"),
        level=scores(level),
        level_games=level["games"].iloc[0],
        level_command=commands("level.csv"),
        losses="\n".join(one.markdown() for one in shown({"losses": losses})).rstrip(),
        losses_command=commands("losses.csv"),
        search=searched(json.loads((folder / "search.json").read_text(encoding="utf-8"))),
        search_command=commands("search.json"),
        reference=reached(reference),
        reference_command=commands("reference.json"),
        lab=worths(lab),
        lab_games=lab["games"].iloc[0],
        lab_command=commands("lab.csv"),
        cig2018="\n".join(map(markdown, cig2018["tables"])).rstrip(),
        cig2018_command=commands("cig2018.json"),
        bench=speeds(bench, others["speed"]),
        bench_command=commands("bench.json"),
        against=faster(against["results"]),
        against_note=against.get("note", ""),
        against_command=commands("against.json"),
    )


def landing_page(text: str, folder: Path) -> str:
    """README's text with its short tables of results made new; that of the reference runs where it has a place."""
    rows = pd.read_csv(folder / "tournament.csv")
    text = refreshed(text, "results", scores(rows[rows["agent"].isin(SHORT)]))
    if "<!-- table: reference -->" in text:
        text = refreshed(
            text,
            "reference",
            reached(
                json.loads((folder / "reference.json").read_text(encoding="utf-8")), short=True
            ),
        )
    return text


TEXT = """\
<!-- Made by `python -m hanabi.evolve.papers.results_page` from docs/data: do not edit. -->
# Results and speed

Standard game. *Kept*: points stay when the last life is lost; *zero*: such a game counts 0. Above each table stand the commands that make
its data; `make results` runs them all and writes this page anew. The same seed gives the same numbers on any machine; only speeds differ.

## Mirror play

Each agent with copies of itself, {tournament_games:,} games for each number of players, the same deals for all; points ± standard error.

{tournament_command}

{tournament}

For comparison, other programs:

{agents}

## Cross-play

Who understands whom: each agent in one seat, drawn for each deal, among copies of each other agent in all other seats. Kept points, the
mean over 2 to 5 players, {cross_games:,} games per pair and number of players; {cross_searched:,} where `search:convention` sits, which
is told the lists of its partners and so is no stranger to them. Standard errors: {cross_errors}. Those stand together who lose little
by playing with each other instead of each with its own copies.

{cross_command}

![A matrix of 13 agents in one seat (rows) among copies of each other (columns): points as numbers and as colours](cross-play.svg)

*Guest*: the mean among copies of the others, one row of the matrix without mirror play; *loses*: mirror less guest; *host*: the mean of the
others as guests of its copies, one column; *best, worst among*: whose copies.

{cross}

## The tables of 2018, played again

What Canaan et al. 2018 print, our score with its standard error, and how many standard errors of the difference lie between them.
Two names in the paper's project resolved to other agents, so it played against the pool `cig2018-paper`; the pool `cig2018-nominal` is
the one it names ([rules-2018.md](rules-2018.md#4-agents)).

{cig2018_command}

{cig2018}

## The reference runs

What evolution reaches, in the runs that `hanabi experiment reference` makes and `runs/reference/` keeps: kept points on the final deals
± standard error, in mixed play in one seat among the agents of the pool. `…-orders`: the rules of 2018 as bare orders, as
the paper has them; the other runs of these rules have values that move and guards. `…-further` goes on from `…-long`, `…-correct` from
there ([search.md](search.md) §6).

{reference_command}

{reference}

## What each part of the search is worth

One thing changed at a time, at about equal games, seed by seed ([search.md](search.md)). *Gain*: over the search that it stands against,
with its 95 % interval; *sees*: the gain that so many seeds would have found with 80 % power.

{search_command}

{search}

## What `convention` loses its points by

{losses_command}

{losses}

## What each part of `convention` is worth

Points with the part less points without it, kept, paired on {lab_games:,} deals. An empty cell: the list for that number of players does
not use it. Nothing is tuned anew, so a part can be worth little because another one stands in for it. `stall` taken away alone leaves the
rule `tell_stall`, whose hint is then read as something that it does not mean.

{lab_command}

{lab}

## What each level of knowledge is worth

The same six rules (`docs/level.toml`) on what a player knows by hints alone (level 0), by each card and the copies it sees (1), and by
all its cards taken together, as only the worlds do it (2); {level_games:,} games for each number of players.

{level_command}

{level}

## Speed

{where} Medians by CPU time; where several numbers of players are measured and one value is shown, their mean.

{bench_command}

{bench}

### Against an older version

Commit ab4f31e, before rules were called in one form and hints judged in two phases: both versions play the same games in turn, each
freshly compiled. Games per second of one core at the fastest round; the ratio is the median of 21 pairs of rounds.

{against_command}

{against_note}

{against}
"""


def write_osawa(data: dict) -> None:
    """Write the tables and the picture of docs/osawa.md, made of what ``hanabi reproduce osawa`` found."""
    tables = {table["name"]: table for table in data["tables"]}
    write_whole(
        OSAWA,
        refreshed(
            OSAWA.read_text(encoding="utf-8"), "osawa", "\n".join(map(markdown, tables.values()))
        ),
    )
    write_whole(SWEEP, osawa.picture(tables["osawa-sweep"]))


def measure() -> None:
    """Make all data anew by the public commands. Takes some minutes; stops at the first command that fails."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    for name, text in COMMANDS.items():
        print(f"docs/data/{name} …", file=sys.stderr)
        subprocess.run(["bash", "-euc", text], check=True, env=os.environ | {"PATH": path})


def main(
    anew: Annotated[
        bool,
        typer.Option(
            "--measure", help="First make docs/data by the commands that the page prints."
        ),
    ] = False,
) -> None:
    """Write docs/results.md, and the tables of docs/partners.md, docs/osawa.md and README.md."""
    try:
        if not DATA.is_dir():
            raise ValueError(f"there is no {DATA}: run this in the project's folder")
        if anew:
            measure()
        write_whole(PAGE, page(DATA))
        played = json.loads((DATA / "partners.json").read_text(encoding="utf-8"))["results"]
        write_whole(PARTNERS, partner_tables.page(PARTNERS.read_text(encoding="utf-8"), played))
        write_osawa(json.loads((DATA / "osawa.json").read_text(encoding="utf-8")))
        write_whole(README, landing_page(README.read_text(encoding="utf-8"), DATA))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"results: {error}")


if __name__ == "__main__":
    typer.run(main)
