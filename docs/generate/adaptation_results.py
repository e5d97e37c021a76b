"""Adapting to unknown partners as data of the documentation.

``python -m docs.generate.adaptation_results TRAIN TEST [REPETITIONS]`` plays the agents that
know the pool TRAIN, by its response table, with the partners of the pool TEST, and puts the result
into docs/data/adaptation.json. ``… TRAIN TEST 1 ROLLOUTS`` adds to it what look-ahead changes.

The errors are over partners: the meetings with one partner are not independent.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from bench.adaptation import (
    INFERRED,
    LOOK_AHEAD,
    MEETING,
    WAYS,
    Knowledge,
    adapt,
    learn,
    oracle,
)

from docs.generate.markdown import grid
from hanabi.files import write_whole
from hanabi.rules.agents import pool, read_pool
from hanabi.rules.agents.agent import from_data
from hanabi.rules.agents.responses import read_responses

FILE = Path("docs/data/adaptation.json")
MODULE = "docs.generate.adaptation_results"
COMMANDS = f"""\
python -m {MODULE} map-2p map-2p-seed-2 3
for n in 3 4 5; do
    hanabi pool measure map-${{n}}p:train --games 200 --seed 1 --responses map-${{n}}p-train.toml
    python -m {MODULE} map-${{n}}p-train.toml map-${{n}}p:test 3
done
python -m {MODULE} map-2p map-2p-seed-2 1 100"""
SEED = 20_261_124
GAMES = 200  # of each pair of agents, and of each reply and partner on each half of the oracle's


def mean_error(points: np.ndarray) -> list[float]:
    """Return (mean, standard error over the partners) of points (partners, repetitions, games)."""
    of_partners = points.mean(axis=(1, 2))
    error = of_partners.std(ddof=1) / len(of_partners) ** 0.5
    return [round(float(of_partners.mean()), 3), round(float(error), 3)]


def wrong_model(knowledge: Knowledge) -> dict[str, float]:
    """Return the points of the reply to the right partner, to another one, and to all of them."""
    own = knowledge.scores[1:]  # the first reply is to all
    count = len(own)
    right = own.diagonal().mean()
    wrong = (own.sum() - own.diagonal().sum()) / (count * (count - 1))
    means = {"right": right, "another": wrong, "all": knowledge.scores[0].mean()}
    return {name: round(float(mean), 3) for name, mean in means.items()}


def _meet(train, test, repetitions, rollouts):
    """Return (what is known, the partners, their points by way to play)."""
    [players] = read_pool(test).players
    knowledge, partners = learn(read_responses(train, from_data), players, GAMES, SEED), pool(test)
    found = adapt(
        knowledge,
        partners,
        repetitions,
        SEED,
        lambda done, of: print(f"{done} of {of} partners", file=sys.stderr, flush=True),
        rollouts,
    )
    return knowledge, partners, found


def measure_look_ahead(train: str, test: str, repetitions: int, rollouts: int) -> dict[str, Any]:
    """Return what look-ahead scores, and its points over the same without it on these deals."""
    found = _meet(train, test, repetitions, rollouts)[2]
    return {
        "command": f"python -m {MODULE} {train} {test} {repetitions} {rollouts}",
        "games": repetitions * MEETING,
        "points": mean_error(found[LOOK_AHEAD]),
        "over_inferred": mean_error(found[LOOK_AHEAD] - found[INFERRED]),
        "gain": mean_error(found[LOOK_AHEAD] - found["generalist"]),
        "first": mean_error(found[LOOK_AHEAD][:, :, :1]),
    }


def measure(train: str, test: str, repetitions: int) -> dict[str, Any]:
    """Return what the agents that know one pool score with the partners of another one."""
    knowledge, partners, found = _meet(train, test, repetitions, 0)
    best = oracle(knowledge, partners, GAMES, SEED + 1)
    return {
        "train": train,
        "test": test,
        "command": f"python -m {MODULE} {train} {test} {repetitions}",
        "players": knowledge.players,
        "partners": len(partners),
        "games": repetitions * MEETING,
        "ways": {
            way: {
                "points": mean_error(found[way]),
                "first": mean_error(found[way][:, :, :1]),
                "gain": mean_error(found[way] - found["generalist"]),
            }
            for way in WAYS
        },
        "over_published": mean_error(found["ours"] - found["published"]),
        "oracle": round(float(np.mean(best)), 3),
        "wrong_model": wrong_model(knowledge),
    }


def adaptation(folder: Path) -> str:
    """Return the table of points with unknown partners, by way to play."""
    lines = []
    for one in json.loads((folder / FILE.name).read_text(encoding="utf-8")):
        train = one["train"].replace("-train.toml", ":train")  # a response table of this part
        where = f"{train} → {one['test']}, {one['players']} players"
        ways = one["ways"] | ({LOOK_AHEAD: one["look_ahead"]} if "look_ahead" in one else {})
        for way, row in ways.items():
            mean, error = row["points"]
            gain, gain_error = row["gain"]
            lines.append(
                [
                    where,
                    way,
                    f"{mean:.2f} ± {error:.2f}",
                    f"{row['first'][0]:.2f}",
                    "" if way == "generalist" else f"{gain:+.2f} ± {gain_error:.2f}",
                ]
            )
        lines.append([where, "oracle", f"{one['oracle']:.2f}", "", ""])
    columns = ["trained on → met", "way to play", "points", "first game", "gain"]
    return grid(columns, lines)


def look_ahead_change(folder: Path) -> str:
    """Return the points that look-ahead adds, with their standard error."""
    entries = json.loads((folder / FILE.name).read_text(encoding="utf-8"))
    [(change, error)] = [
        one["look_ahead"]["over_inferred"] for one in entries if "look_ahead" in one
    ]
    return f"{change:+.2f} ± {error:.2f}"


def main(train: str, test: str, repetitions: str = "1", rollouts: str = "0") -> None:
    """Measure and put the entry of these two pools into the data file; see the module."""
    pools = train, test
    found: dict[str, Any]
    if int(rollouts):
        found = {"look_ahead": measure_look_ahead(*pools, int(repetitions), int(rollouts))}
    else:
        found = measure(*pools, int(repetitions))
    entries = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    by_pools = {(one["train"], one["test"]): one for one in entries}
    by_pools[pools] = by_pools.get(pools, {}) | found
    write_whole(FILE, json.dumps([*by_pools.values()], indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
