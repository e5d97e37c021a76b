"""Runs of several parts, each a run in a folder inside the run's folder.

The parts are lists for player counts, which are joined into one agent at the end, or replies to the
partners of a pool, which become its response table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import hanabi
from hanabi.evolve.ga.config import ANYBODY, Config
from hanabi.evolve.ga.progress import Progress, seconds_left
from hanabi.evolve.ga.race import note_final
from hanabi.evolve.ga.run_folder import last_generations, result, sealed, times_of, unsealed
from hanabi.evolve.ga.winner import stated_results
from hanabi.evolve.measure.arena import SCORINGS, Arena, derive, error_text, players_text, pooled
from hanabi.files import write_whole
from hanabi.notation import counted
from hanabi.rules import agents


class MultiPartRun:
    """Turns the progress of parts into that of the whole run, and reports it to ``progress``."""

    def __init__(
        self,
        folder: Path,
        parts: list[str],
        config: Config,
        progress: Callable[[Progress], None],
        jobs: int = -1,
    ) -> None:
        self.folder, self.parts, self.config = folder, parts, config
        self.progress, self.jobs = progress, jobs
        places = [folder / part for part in parts] if len(parts) > 1 else []
        self.times = [seconds for place in places for seconds in times_of(place)]

    def at(self, part: str) -> Callable[[Progress], None]:
        """Return the function to which a part reports its progress."""
        if len(self.parts) == 1:
            return self.progress
        each, place = last_generations(self.folder, self.config), self.parts.index(part)
        before, last = sum(each[:place]) + place, sum(each) + len(each) - 1
        label = part if self.config.parts.replies else f"{part} players"

        def report(step: Progress) -> None:
            if step.stage == "evolve":
                self.times.append(step.seconds)
            done = before + step.generation
            self.progress(
                replace(
                    step,
                    run=self.folder,
                    generation=done,
                    generations=last,
                    left=seconds_left(self.times, last - done, self.config.search.minutes),
                    text=f"{label}: {step.text}" if step.text else "",
                )
            )

        return report

    def tell(self, stage: str, text: str) -> None:
        """Report a step behind the last generation."""
        each = last_generations(self.folder, self.config)
        last = sum(each) + len(each) - 1
        self.progress(Progress(self.folder, stage, last, last, text=text))


def join(run: MultiPartRun) -> None:
    """Write best.toml, finals.csv and result.json of a run of several parts.

    For replies, first write replies.toml; the agent is then the reply to anybody.
    """
    config, names = run.config, list(run.config.parts.lists)
    if config.parts.replies:
        _write_replies(run)
        names = [config.part_name(ANYBODY, text) for text in config.parts.lists or ("",)]
    _join(run, {part: run.folder / part for part in names})


def _join(run, parts):
    """Make one agent of some parts, by name."""
    folder, scoring = run.folder, run.config.game.scoring
    ends = last_generations(folder, run.config)
    config = run.config.without_clock(ends)  # whose result is the same
    agents_of = {part: agents.load(str(place / "best.toml")) for part, place in parts.items()}
    results = {part: result(place) for part, place in parts.items()}
    rows = sorted(
        (row for one in results.values() for row in one["results"] if len(row["players"]) == 1),
        key=lambda row: row["players"],
    )
    total = rows[0] | {"players": players_text(config.game.players)}
    for key in ("games", "perfect_games", "forfeited_games"):
        total[key] = sum(row[key] for row in rows)
    for name in SCORINGS:
        mean, sem = pooled(
            (row[f"mean_{name}"] for row in rows), (row[f"sem_{name}"] for row in rows)
        )
        total |= {f"mean_{name}": round(mean, 6), f"sem_{name}": round(sem, 6)}
    if len(rows) > 1:
        rows.append(total)
    mean, sem = total[f"mean_{scoring}"], total[f"sem_{scoring}"]
    first = next(iter(agents_of.values()))
    provenance = first.provenance | {
        "run": folder.name,
        "config": config.hash(),
        "rule_set": unsealed(folder / "run.json")["rules_hash"],
        "players": players_text(config.game.players),
        "score": mean,
        "sem": sem,
        "games": total["games"],
        "results": stated_results(rows),
    }
    agent = _merged(folder.name, agents_of.values(), config, first.source, provenance)
    shares = {key: some for one in results.values() for key, some in one["shares"].items()}
    text = agents.dumps(agent, shares)
    write_whole(folder / "best.toml", text)
    note_final(folder / "finals.csv", agent, rows)
    found = {
        "results": rows,
        "shares": shares,
        "parts": {part: one["best_toml"] for part, one in results.items()},
        "best_toml": hashlib.sha256(text.encode()).hexdigest(),
    }
    if ends != run.config.last_generations():
        minutes = run.config.search.minutes
        found["time_limit"] = {"minutes": minutes, "generations": ends}
    write_whole(folder / "result.json", sealed(found))
    games = counted(total["games"], "fresh game")
    run.tell(
        "done",
        f"{mean:.3f}{error_text(sem)} points ({scoring}) over {games}; {folder / 'best.toml'}",
    )


def _merged(name, parts, config, source="", provenance=None):
    """One agent with the lists of several."""
    parts = list(parts)
    lists, conventions, weights = (
        {key: some for one in parts for key, some in getattr(one, what).items()}
        for what in ("lists", "conventions", "weights")
    )
    otherwise = config.genome.otherwise
    return agents.Agent(name, lists, otherwise, source, provenance or {}, conventions, weights)


def _write_replies(run):
    """Write replies.toml: the score of each reply with each partner, on common fresh deals."""
    folder, config, found = run.folder, run.config, {}
    for reply in config.pools():
        names = [config.part_name(reply, text) for text in config.parts.lists or ("",)]
        parts = [agents.load(str(folder / name / "best.toml")) for name in names]
        found[reply] = _merged(reply, parts, config)
    partners = [
        replace(agents.load(pool[0]), source="", provenance={})
        for name, pool in config.pools().items()
        if name != ANYBODY
    ]
    games = counted(config.final.final_games, "fresh deal")
    run.tell("final", f"every reply with every partner, {games} per player count")
    arena = Arena(
        config.game.players,
        seed=derive(config.search.seed, "replies") >> 1,
        variant=config.game.variant,
        jobs=run.jobs,
    )
    arena.check(*found.values(), *partners)
    matches = [
        arena.match(players, reply, partner, config.final.final_games, place=place)
        for reply in found.values()
        for place, partner in enumerate(partners)
        for players in arena.players
    ]
    scores: dict[str, dict[str, dict[str, float]]] = {
        name: {one.name: {} for one in partners} for name in found
    }
    with arena.workers as workers:
        for match, sums in zip(matches, workers.sums(matches)):
            assert match.partner
            scores[match.agent.name][match.partner.name][str(match.players)] = round(
                sums.kept.mean, 3
            )
    about = (
        f"Replies to {', '.join(config.game.pool)}, evolved by hanabi {hanabi.__version__} "
        f"(run {folder.name}, config {config.hash()}); scores: {games} per player count, common to "
        "all replies"
    )
    from hanabi.rules.agents import responses  # look-ahead: most runs have no replies

    table = responses.Responses(
        config.game.pool[0], {one.name: one for one in partners}, found, scores
    )
    write_whole(folder / "replies.toml", responses.dumps(table, about, agents.fill))
    run.tell("final", f"the response table: {folder / 'replies.toml'}")
