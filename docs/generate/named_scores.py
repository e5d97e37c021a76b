"""Scores of named agents, for rules/agents/scores.toml: run it as a module to measure them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import tomlkit

from hanabi.evolve.measure.tournament import tournament
from hanabi.files import write_whole
from hanabi.rules import agents
from hanabi.rules.agents import NAMED, load, read_scores

GAMES = 10_000  # per player count
SEED = 20_181  # of deals that nothing was tuned on
FILE = Path(agents.__file__).with_name("scores.toml")
HEADER = (
    "Mirror scores of the named agents, written by `python -m docs.generate.named_scores`; not "
    "made to be edited. By number of players:",
    "[mean kept, s.e., mean zero, s.e.]. kept: points stay when the last life is lost; zero: "
    "such a game counts 0.",
)


def measured(name: str, games: int = GAMES, progress: Callable[..., None] | None = None) -> dict:
    """Measure an agent.

    Returns:
        Its entry: its hash, the games per player count, and the four numbers of HEADER by player
        count.
    """
    agent = load(name)
    players = [count for count in range(2, 6) if agent.plays(count)]
    rows = tournament([agent], players=players, games_each=games, seed=SEED, progress=progress).rows
    return dict(hash=agent.hash, games=games) | {
        str(row["players"]): [
            round(float(value), 4)
            for value in (row[key] for key in ("mean_kept", "sem_kept", "mean_zero", "sem_zero"))
        ]
        for row in rows.to_dict("records")
    }


def text(entries: dict[str, dict]) -> str:
    """Return the text of the file: one table per agent."""
    document = tomlkit.document()
    for line in [*HEADER, f"Deals of seed {SEED}."]:
        document.add(tomlkit.comment(line))
    for name, entry in entries.items():
        table = tomlkit.table()
        table.update(
            {
                key: value
                for key, value in entry.items()
                if key in ("hash", "games") or key.isdigit()
            }
        )
        document.add(name, table)
    return tomlkit.dumps(document)


def stale(entries: dict[str, dict], games: int = GAMES) -> list[str]:
    """Return the named agents never measured, with fewer games, or before their lists changed."""
    return [
        name
        for name in NAMED
        if name not in entries
        or entries[name]["hash"] != load(name).hash
        or entries[name]["games"] < games
    ]


def measure(
    everyone: bool = False,
    games: int = GAMES,
    file: Path = FILE,
    tell: Callable[[str], None] = print,
    progress: Callable[..., None] | None = None,
) -> list[str]:
    """Measure the agents that need it and write the file.

    Args:
        everyone: Measure all agents.
        games: Games per player count.
        file: The file.
        tell: Called with the name of each agent.
        progress: Called with the games done and the games in all.

    Returns:
        The names of the agents that were measured.
    """
    entries = {} if everyone else read_scores(file)
    names = stale(entries, games)
    for name in names:
        tell(name)
        entries[name] = measured(name, games, progress)
    write_whole(file, text({name: entries[name] for name in NAMED}))
    return names


if __name__ == "__main__":
    measure()
