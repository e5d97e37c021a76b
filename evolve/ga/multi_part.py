"""A run of several parts, each evolved by itself, in a folder inside the run's, as a run of its own: lists for player counts, which
are joined into one agent at the end; or replies to the partners of a pool, which become its response table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import hanabi
from hanabi.evolve.ga.config import ANYBODY, Config
from hanabi.evolve.ga.progress import Progress, seconds_left
from hanabi.evolve.ga.race import note_final
from hanabi.evolve.ga.run_folder import result, sealed, times_of, unsealed
from hanabi.evolve.measure.arena import SCORINGS, Arena, derive, error_text, players_text, pooled
from hanabi.files import write_whole
from hanabi.notation import counted
from hanabi.rules import agents
from hanabi.rules.agents import responses
from hanabi.rules.agents.responses import Responses


class MultiPartRun:
    """Tells how far the whole of a run is while its parts tell how far they are. ``progress`` hears it."""

    def __init__(
        self,
        folder: Path,
        parts: list[str],
        config: Config,
        progress: Callable[[Progress], None],
        jobs: int = -1,
    ) -> None:
        self.folder, self.parts, self.config, self.progress, self.jobs = (
            folder,
            parts,
            config,
            progress,
            jobs,
        )
        self.times = (
            [seconds for part in parts for seconds in times_of(folder / part)]
            if len(parts) > 1
            else []
        )

    def at(self, part: str) -> Callable[[Progress], None]:
        """What hears of a part."""
        if len(self.parts) == 1:
            return self.progress
        before, each = self.parts.index(part), self.config.search.generations + 1

        def hear(step: Progress) -> None:
            if step.stage == "evolve":
                self.times.append(step.seconds)
            done, of = before * each + step.generation, len(self.parts) * each - 1
            left = seconds_left(self.times, of - done)
            self.progress(
                replace(
                    step,
                    run=self.folder,
                    generation=done,
                    generations=of,
                    left=left,
                    text=step.text
                    and (f"{part}{'' if self.config.parts.replies else ' players'}: {step.text}"),
                )
            )

        return hear


def join(overall: MultiPartRun) -> None:
    """Write best.toml, finals.csv and result.json of a run out of those of its parts; of replies those to anybody, and first
    replies.toml."""
    config, names = overall.config, list(overall.config.parts.lists)
    if config.parts.replies:
        _write_replies(overall)
        names = [config.part_name(ANYBODY, text) for text in config.parts.lists or ("",)]
    _join(overall, {part: overall.folder / part for part in names})


def _join(overall, parts):
    """Make one agent of some parts, by name."""
    folder, config, progress = overall.folder, overall.config, overall.progress
    found = {part: agents.load(str(place / "best.toml")) for part, place in parts.items()}
    stated = {part: result(place) for part, place in parts.items()}
    rows = sorted(
        (row for one in stated.values() for row in one["results"] if len(row["players"]) == 1),
        key=lambda row: row["players"],
    )
    total = rows[0] | {
        "players": players_text(config.game.players),
        **{
            key: sum(row[key] for row in rows)
            for key in ("games", "perfect_games", "forfeited_games")
        },
    }
    for scoring in SCORINGS:
        mean, sem = pooled(
            (row[f"mean_{scoring}"] for row in rows), (row[f"sem_{scoring}"] for row in rows)
        )
        total |= {f"mean_{scoring}": round(mean, 6), f"sem_{scoring}": round(sem, 6)}
    if len(rows) > 1:
        rows.append(total)
    first = next(iter(found.values()))
    provenance = first.provenance | {
        "run": folder.name,
        "config": config.hash(),
        "rule_set": unsealed(folder / "run.json")["rules_hash"],
        "players": players_text(config.game.players),
        "score": total[f"mean_{config.game.scoring}"],
        "sem": total[f"sem_{config.game.scoring}"],
        "games": total["games"],
        "results": [
            {key: value for key, value in row.items() if key not in ("variant", "mode")}
            for row in rows
        ],
    }
    agent = agents.Agent(
        folder.name,
        _all(found, "lists"),
        config.genome.otherwise,
        first.source,
        provenance,
        _all(found, "conventions"),
        _all(found, "weights"),
    )
    shares = {key: some for one in stated.values() for key, some in one["shares"].items()}
    text = agents.dumps(agent, shares)
    write_whole(folder / "best.toml", text)
    note_final(folder / "finals.csv", agent, rows)
    write_whole(
        folder / "result.json",
        sealed(
            {
                "results": rows,
                "shares": shares,
                "parts": {part: one["best_toml"] for part, one in stated.items()},
                "best_toml": hashlib.sha256(text.encode()).hexdigest(),
            }
        ),
    )
    mean, sem = total[f"mean_{config.game.scoring}"], total[f"sem_{config.game.scoring}"]
    progress(
        Progress(
            folder,
            "done",
            config.search.generations,
            config.search.generations,
            text=(
                f"{mean:.3f}{error_text(sem)} points ({config.game.scoring}) over {counted(total['games'], 'fresh game')}; {folder / 'best.toml'}"
            ),
        )
    )


def _all(found, what):
    """What agents have by player counts, in one table."""
    return {key: some for one in found.values() for key, some in getattr(one, what).items()}


def _write_replies(overall):
    """Write replies.toml: what every reply scores with every partner of the pool on common fresh deals."""
    folder, config, found = overall.folder, overall.config, {}
    for reply in config.pools():
        parts = {
            text: agents.load(str(folder / config.part_name(reply, text) / "best.toml"))
            for text in config.parts.lists or ("",)
        }
        found[reply] = agents.Agent(
            reply,
            _all(parts, "lists"),
            config.genome.otherwise,
            "",
            {},
            _all(parts, "conventions"),
            _all(parts, "weights"),
        )
    partners = [
        replace(agents.load(pool[0]), source="", provenance={})
        for name, pool in config.pools().items()
        if name != ANYBODY
    ]
    overall.progress(
        Progress(
            folder,
            "final",
            config.search.generations,
            config.search.generations,
            text=(
                f"every reply with every partner, {counted(config.final.final_games, 'fresh deal')} per player count"
            ),
        )
    )
    arena = Arena(
        config.game.players,
        seed=derive(config.search.seed, "replies") >> 1,
        variant=config.game.variant,
        jobs=overall.jobs,
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
        f"Replies to {', '.join(config.game.pool)}, evolved by hanabi {hanabi.__version__} (run {folder.name}, config "
        f"{config.hash()}); scores: {counted(config.final.final_games, 'fresh deal')} per player count, common to all replies"
    )
    table = Responses(config.game.pool[0], {one.name: one for one in partners}, found, scores)
    write_whole(folder / "replies.toml", responses.dumps(table, about, agents.fill))
    overall.progress(
        Progress(
            folder,
            "final",
            config.search.generations,
            config.search.generations,
            text=f"the response table: {folder / 'replies.toml'}",
        )
    )
