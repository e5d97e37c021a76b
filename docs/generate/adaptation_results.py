"""Adapting to unknown partners as data of the documentation.

``python -m docs.generate.adaptation_results KNOWN TEST [REPETITIONS]`` plays the agents that know
the pools KNOWN (with commas; the first one by its response table) with the partners of the pool
TEST, and puts the result into docs/data/adaptation.json. ``… choose KNOWN`` meets the partners of
each of the pools as if nothing were known of that pool, with each setting of ours, and writes
docs/data/adaptation-choice.json. ``… search KNOWN`` plays these meetings with each search of ours,
into docs/data/adaptation-search.json. The setting with the highest mean gain over the best fixed
list, less its standard error, is the choice.

The errors are over partners: the meetings with one partner are not independent.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from bench.adaptation import (
    FIXED,
    MEETING,
    WAYS,
    Knowledge,
    adapt,
    learn,
    oracle,
    try_searches,
    try_trusts,
)

from docs.generate.markdown import grid
from hanabi.files import write_whole
from hanabi.rules.agents import pool, read_pool
from hanabi.rules.agents.agent import from_data
from hanabi.rules.agents.responses import read_responses

FILE = Path("docs/data/adaptation.json")
CHOICE = Path("docs/data/adaptation-choice.json")
SEARCHED = Path("docs/data/adaptation-search.json")
MODULE = "docs.generate.adaptation_results"
MAPS = "map-2p,map-2p-seed-2,docs/data/map-2p-seed-3.toml"
NEVER_MET = "docs/data/map-2p-seed-5.toml"
COMMANDS = f"""\
python -m {MODULE} choose {MAPS}
python -m {MODULE} search {MAPS}
hanabi evolve --preset map --seed 5 --name map-2p-seed-5
hanabi pool make {NEVER_MET} runs/*-map-2p-seed-5 --parts 20
python -m {MODULE} {MAPS} {NEVER_MET}
# 3 to 5 players: at commit d1f9416c, where the posterior of "ours" was not tempered
for n in 3 4 5; do
    hanabi pool measure map-${{n}}p:train --games 200 --seed 1 --responses map-${{n}}p-train.toml
    python -m {MODULE} map-${{n}}p-train.toml map-${{n}}p:test 3
done"""
SEED = 20_261_124
GAMES = 200  # of each pair of agents, and of each reply and partner on each half of the oracle's


def mean_error(points: np.ndarray) -> list[float]:
    """Return (mean, standard error over the partners) of points (partners, repetitions, games)."""
    of_partners = points.mean(axis=(1, 2))
    error = of_partners.std(ddof=1) / len(of_partners) ** 0.5
    return [round(float(of_partners.mean()), 3), round(float(error), 3)]


def wrong_model(knowledge: Knowledge) -> dict[str, float]:
    """Return the points of the reply to the right partner, to another one, and to all of them."""
    count = len(knowledge.replies) - 1  # the first reply is to all
    own = knowledge.scores[1:, :count]
    right = own.diagonal().mean()
    wrong = (own.sum() - own.diagonal().sum()) / (count * (count - 1))
    means = {"right": right, "another": wrong, "all": knowledge.scores[0].mean()}
    return {name: round(float(mean), 3) for name, mean in means.items()}


def _progress(done, of):
    print(f"{done} of {of} partners", file=sys.stderr, flush=True)


def learn_pools(names: str) -> Knowledge:
    """Return what is known of pools with commas between; the first one has a response table."""
    first, *further = names.split(",")
    responses = read_responses(first, from_data)
    [players] = read_pool(responses.pool).players
    return learn(responses, players, GAMES, SEED, further=[pool(name) for name in further])


def choose(known: str) -> list[dict[str, Any]]:
    """Return, for each setting of ours, its gain over the best fixed list in pools left out."""
    found = try_trusts(learn_pools(known), SEED + 2, _progress)
    return [
        {**trust._asdict(), "over_fixed": mean_error(gains[:, None, None])}
        for trust, gains in found.items()
    ]


def search(known: str) -> list[dict[str, Any]]:
    """Return, for each search of ours, its gain over the best fixed list in pools left out."""
    found = try_searches(learn_pools(known), SEED + 3, _progress)
    return [
        {"search": name, "over_fixed": mean_error(gains[:, None, None])}
        for name, gains in found.items()
    ]


def chosen(tried: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the setting with the highest gain over the best fixed list, less its error."""
    return max(tried, key=lambda one: one["over_fixed"][0] - one["over_fixed"][1])


def measure(known: str, test: str, repetitions: int) -> dict[str, Any]:
    """Return what the agents that know some pools score with the partners of another one."""
    knowledge, partners = learn_pools(known), pool(test)
    found = adapt(knowledge, partners, repetitions, SEED, _progress)
    best = oracle(knowledge, partners, GAMES, SEED + 1)
    return {
        "train": known,
        "test": test,
        "command": f"python -m {MODULE} {known} {test} {repetitions}",
        "players": knowledge.players,
        "partners": len(partners),
        "games": repetitions * MEETING,
        "ways": {
            way: {
                "points": mean_error(found[way]),
                "first": mean_error(found[way][:, :, :1]),
                "gain": mean_error(found[way] - found["generalist"]),
                "over_fixed": mean_error(found[way] - found[FIXED]),
            }
            for way in WAYS
        },
        "oracle": round(float(np.mean(best)), 3),
        "wrong_model": wrong_model(knowledge),
    }


def adaptation(folder: Path) -> str:
    """Return the table of points with unknown partners, by way to play."""
    lines = []
    for one in json.loads((folder / FILE.name).read_text(encoding="utf-8")):
        train = one["train"].replace("-train.toml", ":train")  # a response table of this part
        names = ", ".join(Path(name).stem for name in train.split(","))
        where = f"{names} → {Path(one['test']).stem}, {one['players']} players"
        for way, row in one["ways"].items():
            points, gain, over = (_with_error(row[key]) for key in ("points", "gain", "over_fixed"))
            lines.append(
                [
                    where,
                    way,
                    points.lstrip("+"),
                    f"{row['first'][0]:.2f}",
                    "" if way == "generalist" else gain,
                    "" if way == FIXED else over,
                ]
            )
        lines.append([where, "oracle", f"{one['oracle']:.2f}", "", "", ""])
    columns = "trained on → met", "way to play", "points", "first game", "gain", "over best fixed"
    return grid(columns, lines)


def _with_error(value: list[float]) -> str:
    """Return a mean as text with its standard error, where that is known."""
    return " ± ".join([f"{value[0]:+.2f}", *(f"{error:.2f}" for error in value[1:])])


def choices(folder: Path) -> str:
    """Return the table of the settings that were tried inside the training pool."""
    tried = json.loads((folder / CHOICE.name).read_text(encoding="utf-8"))
    return grid(
        ["outside", "temper", "over the best fixed list"],
        [
            [
                f"{one['outside']:.2f}",
                f"{one['temper']}",
                _with_error(one["over_fixed"]),
            ]
            for one in tried
        ],
    )


def searches(folder: Path) -> str:
    """Return the table of the searches that were tried inside the training pool."""
    tried = json.loads((folder / SEARCHED.name).read_text(encoding="utf-8"))
    return grid(
        ["search", "over the best fixed list"],
        [[f"`{one['search'] or 'rollouts=0'}`", _with_error(one["over_fixed"])] for one in tried],
    )


def main(known: str, test: str, repetitions: str = "1") -> None:
    """Measure and put the result into its data file; see the module."""
    trials = {"choose": (CHOICE, choose), "search": (SEARCHED, search)}
    if known in trials:
        file, tried = trials[known]
        write_whole(file, json.dumps(tried(test), indent=1) + "\n")
        return
    found = measure(known, test, int(repetitions))
    entries = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    by_pools = {(one["train"], one["test"]): one for one in entries}
    by_pools[known, test] = found
    write_whole(FILE, json.dumps([*by_pools.values()], indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
