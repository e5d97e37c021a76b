"""The agent that a run ends with, as a file that a person can read."""
from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from evolve.ga.config import Config
from evolve.ga.fitness import FORFEITED, Evaluator, Played, summary
from evolve.ga.individual import Order
from evolve.ga.race import final_games
from hanabi.table import RuleError
from rules import agents


def list_keys(players: tuple[int, ...]) -> list[str]:
    """The keys of agent lists that cover some player counts: (2, 3, 5) gives ["2-3", "5"]."""
    keys = []
    for n in players:
        if keys and int(keys[-1][-1]) == n - 1:
            keys[-1] = f"{keys[-1][0]}-{n}"
        else:
            keys.append(str(n))
    return keys


def trimmed(order: list, fired: np.ndarray) -> list:
    """An order without the rules that never fired; ``fired`` (player counts, longest + 1)."""
    short = [gene for gene, times in zip(order, fired.sum(axis=0)) if times > 0] or list(order[:1])
    return order.having(short) if isinstance(order, Order) else short


def result_rows(config: Config, played: Played, perfect: int) -> list[dict]:
    """What the first order of some games scored: a row a player count and one for all ("2-5"), both scorings."""
    _, counts, partners, games = played.kept.shape
    chosen = [([place], str(config.players[place])) for place in range(counts)]
    if counts > 1:
        chosen.append((list(range(counts)), ",".join(list_keys(config.players))))
    rows = []
    for places, players in chosen:
        part = Played(played.kept[:1, places], played.ends[:1, places], played.fired[:1])
        row = {"variant": config.variant, "mode": config.mode, "players": players,
               "games": len(places) * partners * games}
        for scoring in ("kept", "zero"):
            mean, sem = summary(part.points(scoring))
            row |= {f"mean_{scoring}": round(float(mean[0]), 6), f"sem_{scoring}": round(float(sem[0]), 6)}
        rows.append(row | {"perfect": int((part.kept == perfect).sum()),
                           "forfeits": int((part.ends == FORFEITED).sum())})
    return rows


def exported(play: Evaluator, config: Config, order: list, fresh: Played, perfect: int,
             provenance: dict) -> tuple[agents.Agent, str, list[dict]]:
    """(agent, its file, its results): an order without what never fired in its fresh games (``fresh``), with the
    conventions and the weights of the individual where it has some.

    The shorter order plays the same deals and must score the same in every game; RuleError otherwise (then a rule
    that proposed nothing has still changed something).
    """
    short = trimmed(order, fresh.fired[0])
    again = final_games(play, short, fresh.kept.shape[3])
    if not (np.array_equal(again.kept, fresh.kept) and np.array_equal(again.ends, fresh.ends)):
        raise RuleError("dropping the rules that never fired changed the score of a game: a rule keeps state, or "
                        "its move depends on what other rules asked (run the conformance tests)")
    rules = play.setting.find_rules()
    chosen, makeup = tuple(rules[gene] for gene in short), play.setting.makeup
    conventions, weights = makeup.conventions_of(whole := makeup.whole(short)), makeup.weights_of(whole)
    rows = result_rows(config, again, perfect)
    keys = list_keys(config.players)
    places = {key: [i for i, n in enumerate(config.players) if key[0] <= str(n) <= key[-1]] for key in keys}
    shares = {}
    for key in keys:
        fired = again.fired[0][places[key]].sum(axis=0)
        shares[key] = [float(times / max(1, fired.sum())) for times in fired[:len(short)]]
    agent = agents.Agent(provenance["run"], {key: chosen for key in keys}, config.otherwise,
                         "evolved by hanabi", provenance | {"score": rows[-1][f"mean_{config.scoring}"],
                                       "sem": rows[-1][f"sem_{config.scoring}"], "games": rows[-1]["games"],
                                       "scoring": config.scoring,
                                       "results": [{key: value for key, value in row.items()
                                                    if key not in ("variant", "mode")} for row in rows]},
                         {key: conventions for key in keys if conventions}, {key: dict(weights) for key in keys if weights})
    return agent, agents.dumps(agent, shares), rows


def export(run: str | Path) -> str:
    """The text of the agent file that a finished run ends with. ValueError for a run that is not finished."""
    folder = Path(run)
    if not (folder / "result.json").exists():
        if not (folder / "run.json").exists():
            raise ValueError(f"{folder} is not a run folder; `hanabi runs` lists them")
        raise ValueError(f"{folder} has not finished; go on with: hanabi resume {folder}")
    try:
        text = (folder / "best.toml").read_bytes()
        stated = json.loads((folder / "result.json").read_bytes())["best_toml"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"the files of {folder} are damaged ({' '.join(str(error).split())}); remove its result.json and "
                         f"write them anew with: hanabi resume {folder}") from None
    if hashlib.sha256(text).hexdigest() != stated:
        raise ValueError(f"{folder / 'best.toml'} was changed after the run; its scores hold no longer; "
                         f"play it as it is, or remove result.json and write it anew with: hanabi resume {folder}")
    return text.decode()
