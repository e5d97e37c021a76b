"""Scores of named agents as guests, for rules/agents/guests.toml.

    python -m docs.generate.guest_scores docs/data/cross.csv

The rows are those of a cross tournament: one agent in one seat among copies of another.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import tomlkit

from hanabi.evolve.measure.cross_play import matrix, strangers
from hanabi.files import write_whole
from hanabi.rules import agents
from hanabi.rules.agents import NAMED

FILE = Path(agents.__file__).with_name("guests.toml")
HEADER = (
    "Scores of the named agents as guests, made of docs/data/cross.csv by "
    "`python -m docs.generate.guest_scores`.",
    "guest: mean over all hosts but itself; among: by host, in one seat among its copies; "
    "[mean kept, s.e.] over 2 to 5 players.",
)


def text(rows: pd.DataFrame) -> str:
    """Return the text of the file: one table per named agent.

    Args:
        rows: The rows of a cross tournament.
    """
    means, sems = matrix(rows)
    guests = strangers(rows)
    document = tomlkit.document()
    for line in HEADER:
        document.add(tomlkit.comment(line))
    for name in means.index:
        if name not in NAMED:
            continue
        table = tomlkit.table()
        table["guest"] = _pair(guests.loc[name, "guest"], guests.loc[name, "guest_sem"])
        among = tomlkit.table()
        for host in means.columns:
            if host in NAMED and host != name:
                among[host] = _pair(means.loc[name, host], sems.loc[name, host])
        table["among"] = among
        document.add(name, table)
    return tomlkit.dumps(document)


def _pair(mean: float, sem: float) -> list[float]:
    return [round(float(mean), 4), round(float(sem), 4)]


if __name__ == "__main__":
    write_whole(FILE, text(pd.read_csv(sys.argv[1])))
