"""Render the tables of an analysis as cells for terminals, Markdown and notebooks."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hanabi.evolve.analysis.contribution import COUNTS, DRAWN, EVERY, FEWEST, NEXT
from hanabi.evolve.analysis.loss_causes import CAUSES
from hanabi.evolve.analysis.subjects import GROUPS, count_heads, spans
from hanabi.evolve.measure.ablation import by_worth
from hanabi.evolve.measure.arena import players_text
from hanabi.evolve.measure.cross_play import matrix
from hanabi.notation import counted

MOST = 5  # alternatives of a decision, first rules of a population, that get a line each
NEAREST = 10  # alternatives of all decisions together that get a line each
WORTH_NOTE = (
    "Per game: moves that a rule decides, hints that mean what a convention says; share: of the "
    "moves, of the hints. Lost: kept points with the entry less points without it, paired, ± s.e.; "
    "nothing is tuned again."
)
LOSS_NOTE = (
    "± s.e.; the last rows: times per game. Time: the game ended with the card in a hand; known by "
    "conventions, without any by hints and what one sees. Last copy, a 5: discarded, no hint had "
    "touched it; giver: the player before, who could have warned."
)


@dataclass(frozen=True)
class RenderedTable:
    """A table to be shown.

    A column's name begins with > if it is right-aligned, with < if it is never broken; both follow
    a | if the columns from there on may move below (cli/tables.py).

    Attributes:
        title: Its title.
        columns: The names of its columns.
        rows: Its cells.
        note: A note below it.
    """

    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str = ""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.lstrip("|<>") for column in self.columns]

    def frame(self) -> pd.DataFrame:
        """Return the cells as a DataFrame."""
        return pd.DataFrame(self.rows, columns=self.names)

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.title, self.frame().to_string(index=False), self.note]))

    def html(self) -> str:
        """Return the table for a notebook."""
        from html import escape

        table = self.frame().to_html(index=False)
        return f"<p>{escape(self.title)}</p>{table}<p>{escape(self.note)}</p>"

    def markdown(self) -> str:
        """Return the table in Markdown."""
        sides = "|".join("--:" if ">" in column[:2] else "---" for column in self.columns)
        lines = [
            f"**{self.title}**",
            "",
            f"| {' | '.join(self.names)} |",
            f"|{sides}|",
            *(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in self.rows),
            "",
        ]
        return "\n".join(lines + ([self.note, ""] if self.note else []))


def number(value: float, sem: float, places: int = 3) -> str:
    """Return ``+0.123 ± 0.012``; "" for NaN."""
    return "" if np.isnan(value) else f"{value:+.{places}f} ± {sem:.{places}f}"


def render(frames: dict[str, pd.DataFrame]) -> list[RenderedTable]:
    """Return the tables of an analysis in their order."""
    makers = {
        "best": _best,
        "heads": _heads,
        "population": _population,
        "worth": _worth,
        "losses": _losses,
        "used": _used,
        "alike": _alike,
        "cross": _cross,
        "parts": _parts,
        "decisions": _decisions,
    }
    return [table for name, frame in frames.items() if len(frame) for table in makers[name](frame)]


def _best(rows):
    sources, runs = rows["source"].value_counts(), rows.groupby("run").size()
    many = f"{runs.min()} to {runs.max()}" if runs.nunique() > 1 else f"{runs.min()}"
    lines = count_heads(rows)
    origins = ", ".join(f"{name} {count}" for name, count in sources.items())
    note = f"Lists as they stand, unused rules too; individuals from: {origins}."
    titles = {
        ("first rule",): "{}: the first rule",
        ("first tell", "play first"): "{}: the first rule that tells",
    }
    tables = [
        (title.format(mode), [line for line in lines if line[0] == mode and line[1] in whats])
        for mode in dict.fromkeys(line[0] for line in lines)
        for whats, title in titles.items()
    ]
    for last, (title, mine) in enumerate(tables, 1 - len(tables)):
        # the groups that have individuals
        kept = [place for place in range(3, 6) if any(line[place] for line in mine)]
        yield RenderedTable(
            f"{title}, of the {many} best individuals of {counted(len(runs), 'run')}",
            ["rule", *(f">{GROUPS[place - 3]}" for place in kept)],
            [[line[2], *(line[place] for place in kept)] for line in mine],
            "" if last else note,
        )


def _heads(rows):
    for (run, players), mine in rows.groupby(["run", "players"], sort=False):
        columns, lines = spans(mine)
        yield RenderedTable(
            f"{run}, {players} players: the first rule of the best individual of a generation,"
            " share of the generations",
            ["first rule", *(f">{column}" for column in columns)],
            lines,
        )


def _population(rows):
    yield RenderedTable(
        f"The whole last generation: the {MOST} most frequent first rules",
        ["<run", ">players", ">generation", "first rule", ">individuals"],
        [
            [row.run, row.players, str(row.generation), row.first, f"{row.individuals}/{row.of}"]
            for row in rows.groupby(["run", "players"], sort=False).head(MOST).itertuples()
        ],
    )


def _worth(rows):
    """Yield a table for each list of a winner, its player counts side by side."""
    lists: dict[tuple, list] = {}
    for (run, players), mine in rows.groupby(["run", "players"], sort=False):
        lists.setdefault((run, *zip(mine["kind"], mine["entry"])), []).append((players, mine))
    for last, ((run, *entries), counts) in enumerate(lists.items(), 1 - len(lists)):
        lost = [f">lost at {players}" for players, _ in counts]
        lost[0] = f"|{lost[0]}"
        yield RenderedTable(
            f"{run}, {players_text([players for players, _ in counts])} players: what each rule "
            "and convention does, and what the score loses without it, "
            f"{counts[0][1]['games'].iloc[0]:,} fresh deals"
            + (" per player count" if len(counts) > 1 else ""),
            [">", "entry", ">per game", ">share", *lost],
            [_entry([mine.iloc[i] for _, mine in counts]) for i in range(len(entries))],
            "" if last else WORTH_NOTE,
        )


def _entry(rows):
    """Return the cells of one entry at some player counts."""
    fires, share = (np.mean([row[what] for row in rows]) for what in ("fires", "share"))
    return [
        f"{rows[0]['place']}." if rows[0]["kind"] == "rule" else "",
        rows[0]["entry"],
        "" if np.isnan(fires) else f"{fires:.2f}",
        "" if np.isnan(share) else f"{share:.1%}",
        *(number(row["worth_kept"], row["sem_kept"]) for row in rows),
    ]


def _losses(rows):
    groups = list(rows.groupby("run", sort=False))
    for last, (run, mine) in enumerate(groups, 1 - len(groups)):
        counts = list(dict.fromkeys(mine["players"]))
        cells = {(row.cause, row.players): (row.points, row.sem) for row in mine.itertuples()}
        lines = [
            [says, *("{:.2f}±{:.2f}".format(*cells[cause, count]) for count in counts)]
            for cause, says in (CAUSES | {"all": "all points lost"} | COUNTS).items()
            if any(cells[cause, count][0] for count in counts)
        ]
        columns = [f">{count}" for count in counts]
        columns[0] += " players"
        yield RenderedTable(
            f"{run}: what points are lost by, per game, {mine['games'].iloc[0]:,} games per "
            "player count",
            ["cause", *columns],
            lines,
            "" if last else LOSS_NOTE,
        )


def _used(rows):
    of, unused = int(rows["of"].iloc[0]), rows[rows["winners"] == 0]
    verb = "uses" if of == 1 else "use"
    never = [
        f"{kind}s {', '.join(mine['name'])}" for kind, mine in unused.groupby("kind", sort=False)
    ]
    yield RenderedTable(
        f"What {counted(of, 'winner')} of these {verb}, at any player count",
        ["<kind", "name", ">winners"],
        [
            [kind, name, str(winners)]
            for kind, name, winners, _ in rows.itertuples(index=False)
            if winners
        ],
        f"There, and never used: {'; '.join(never)}." if never else "",
    )


def _alike(rows):
    lines: dict[tuple, list[int]] = {}  # player counts at which a pair is as much alike
    for row in rows.itertuples():
        values = (
            "" if np.isnan(value) else f"{value:.2f}"
            for value in (row.tau, row.jaccard, row.jaccard_conventions)
        )
        lines.setdefault((row.one, row.other, *values), []).append(row.players)
    yield RenderedTable(
        "How alike winners are by their rules: order (Kendall's tau-b), share of the rules and of "
        "the conventions that both have",
        ["one", "other", ">players", ">tau", ">rules", ">conventions"],
        [
            [one, other, players_text(players), *values]
            for (one, other, *values), players in lines.items()
        ],
    )


def _cross(rows):
    means, sems = matrix(rows)
    points, errors = means.to_numpy(), sems.to_numpy()
    counts, places = sorted(set(rows["players"])), range(len(means))
    yield RenderedTable(
        "Cross-play: each winner in one seat among copies of another, mean over "
        f"{', '.join(map(str, counts))} players, {rows['games'].iloc[0]:,} games each",
        [">", "in one seat", *(f">among {place + 1}" for place in places)],
        [
            [f"{i + 1}", means.index[i]]
            + [f"{points[i, j]:.2f} ± {errors[i, j]:.2f}" for j in places]
            for i in places
        ],
        "Kept points ± s.e.; with itself: mirror play.",
    )


def _parts(rows):
    """Yield a table for each agent: kept by player count, then both scorings, most worth first."""
    for _, mine in rows.groupby("agent", sort=False):
        labels = list(mine["players"].unique())
        counts = [label for label in labels if len(label) == 1]
        whole = next((label for label in labels if len(label) > 1), counts[0])
        first = mine.iloc[0]
        among = (
            "" if first["partner"] == first["agent"] else f" in one seat among {first['partner']}"
        )
        shown = [(count, "kept") for count in counts]
        shown += [(whole, "kept")] * (len(counts) > 1) + [(whole, "zero")]
        lines = [
            [_part_name(head), *(_part_cell(by_count.get(key), scoring) for key, scoring in shown)]
            for head, by_count in by_worth(mine)
        ]
        over_all = [f"|>{whole} kept"] * (len(counts) > 1)
        yield RenderedTable(
            f"{first['agent']}{among}: what each part is worth, points with it less points without,"
            f" ± s.e., {first['games']:,} common deals per player count"
            " (+: not used by the agent, added)",
            ["part", *(f">{count} players" for count in counts), *over_all, f">{whole} zero"],
            lines,
        )


def _part_name(head):
    sign = "+ " if head["switched"] == "on" else "  "
    return f"{sign}{head['what']}" + " (weight)" * (head["kind"] == "weight")


def _part_cell(row, scoring):
    if not row:
        return ""
    return f"{row[f'worth_{scoring}']:+.3f}±{row[f'sem_{scoring}']:.3f}".replace("±0", "±")


def _decisions(rows):
    """Yield two tables for each agent and player count: of all decisions, and of each rule's."""
    for agent, of_agent in rows.groupby("agent", sort=False):
        counts = list(of_agent.groupby("players", sort=False))
        for last, (players, mine) in enumerate(counts, 1 - len(counts)):
            every = mine[(mine["entry"] == "") & mine["judged"]]
            shown = every.sort_values("advantage_kept", ascending=False)
            is_rule = ~shown["instead"].isin([NEXT, *DRAWN])
            shown = pd.concat([shown[is_rule].head(NEAREST), shown[~is_rule]])
            positions = int(mine["positions"].max())
            yield RenderedTable(
                f"{agent}, {players} players: points with the move of another rule instead, the"
                f" deal played on with the list; {positions:,} positions, one in {EVERY} turns",
                ["instead", ">moves otherwise", ">advantage"],
                [
                    [row.instead, f"{row.moves / positions:.1%}", _advantage(row)]
                    for row in shown.itertuples()
                ],
            )
            others = ("rest", "play", "discard", "hint")
            yield RenderedTable(
                f"{agent}, {players} players: the same by the rule that decided, for the rest of"
                " the list, for another play, discard or hint, and for the best other rule",
                ["rule", ">decides", *(f">{other}" for other in others), "|best other rule", ">"],
                [
                    _decided(name, of_rule, positions)
                    for name, of_rule in mine.groupby("entry", sort=False)
                    if name
                ],
                "" if last else _decisions_note(of_agent),
            )


def _advantage(row):
    return number(row.advantage_kept, row.sem_kept, 2 if row.sem_kept > 0.1 else 3)


def _decided(name, rows, positions):
    """Return the cells of a rule's decisions."""
    found = {row.instead: row for row in rows[rows["judged"]].itertuples()}
    others = [found.pop(what, None) for what in (NEXT, *DRAWN)]
    best = max(found.values(), key=lambda row: row.advantage_kept / row.sem_kept, default=None)
    return [
        name,
        f"{rows['positions'].iloc[0] / positions:.1%}",
        *(_advantage(row) if row else "" for row in others),
        *((best.instead, _advantage(best)) if best else ("", "")),
    ]


def _decisions_note(rows):
    """Return in words whether any alternative of an agent is better than its own decisions."""
    judged, better = rows[rows["judged"]], rows[rows["beats"]]
    if judged.empty:
        return f"Nothing is judged: too few games ({FEWEST} with another move are needed)."
    order = (judged["advantage_kept"] / judged["sem_kept"]).sort_values(ascending=False).index
    said = [
        f"{row.instead} in place of {row.entry or 'any rule'}"
        + (f" ({row.players} players)" if rows["players"].nunique() > 1 else "")
        + f", {_advantage(row)}"
        for row in judged.loc[order].head(max(1, min(MOST, len(better)))).itertuples()
    ]
    if better.empty:
        return (
            f"None of {len(judged)} alternatives beats the list's own decisions by more than"
            f" chance (5 % over all of them). The nearest: {said[0]}."
        )
    return (
        f"{len(better)} of {len(judged)} alternatives beat the list's own decisions by more than"
        f" chance (5 % over all of them): {'; '.join(said)}."
    )
