"""Runs: evolve in a new folder, and resume.

    runs/2026-11-20-name/
        config.toml run.json     what it is made of; compared at every resume
        log.csv                  one row per generation: results, the same for any number of workers
        changes.csv lineage.csv  mutations accepted in local searches; the parents of individuals
        odds.csv                 odds and success of each kind of mutation in local searches
        first_rules.csv          the first rules of the lists of each generation
        language.csv             with language = "ordered": the decisions about conventions
        timing.csv               one row per generation: times
        front.csv front/         with select = "nsga2": the front, an agent file of each list
        map.csv archive.csv      with MAP-Elites in place of the two lines above: the archive by
        map.json elites/         generation; its elites, their summary and an agent file of each
        checkpoint-*.json        the last two (checkpoint.py)
        race.csv finals.csv      the race of the finalists; the winner on the final deals
        best.toml result.json    the agent and its scores; result.json exists once the run is done

``Run`` (result.py) reads them; its docstrings list the columns of the tables.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import hanabi
from hanabi.evolve.ga.config import ANYBODY, Config, read as read_config, with_paths
from hanabi.evolve.ga.evolution import Evolution
from hanabi.evolve.ga.fitness import Evaluator
from hanabi.evolve.ga.individual import Problem
from hanabi.evolve.ga.map_elites import MapElites
from hanabi.evolve.ga.operators import load_operators
from hanabi.evolve.ga.progress import Progress, RunStoppedError, seconds_left
from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import (
    RunError,
    RunState,
    check_run_name,
    damaged,
    extend,
    last_generations,
    list_runs,
    locked,
    new_folder,
    read,
    result,
    run_files,
    sealed,
    times_of,
    unsealed,
)
from hanabi.evolve.ga.run_recorder import run_to_end
from hanabi.evolve.ga.versions import changes, made_of
from hanabi.evolve.ga.winner import note_final, stated_results
from hanabi.evolve.measure.arena import SCORINGS, derive, error_text, players_text, pooled
from hanabi.evolve.measure.tournament import tournament
from hanabi.files import whole_path, write_whole
from hanabi.notation import counted
from hanabi.rules import agents

__all__ = ["Progress", "RunError", "RunState", "RunStoppedError", "evolve", "list_runs", "resume"]


def evolve(
    config: Config | str | Path,
    runs: str | Path = "runs",
    name: str = "evolution",
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Progress], None] | None = None,
    dated: bool = True,
) -> Run:
    """Evolve an agent in a new run folder.

    Args:
        config: A config, the path of one, or the name of a preset such as "quick".
        runs: The folder of run folders.
        name: The name of the run.
        jobs: How many workers; -1: all cores. Workers change only the time.
        backend: "threads" or "processes"; see Workers for clusters.
        progress: Called at each step.
        dated: The folder's name begins with the date.

    Returns:
        The run, with its agent, logs and scores.

    Raises:
        ValueError: The config is bad.
        RunStoppedError: Ctrl-C or SIGTERM.
        RuleFailedError: A rule raised or moved illegally.
        RunError: The folder cannot be written.
        WorkerDiedError: A worker process died.
    """
    check_run_name(name)
    config = with_paths(
        config if isinstance(config, Config) else read_config(config),
        lambda file: str(whole_path(file)),
    )
    load_operators(config)
    parts = config.part_configs()
    problems = {part: Problem.of(one) for part, one in (parts or {"": config}).items()}
    # before there is a folder: a rule may not compile
    first = Evaluator(next(iter(problems.values())), jobs, backend)
    contents = run_files(config, first.problem)
    for part, one in parts.items():
        contents |= run_files(one, problems[part], part, config.parts_before(part))
    overall = MultiPartRun(new_folder(Path(runs), name, contents, dated), config, progress, jobs)
    return overall.finish(
        lambda part: (
            first if problems[part] is first.problem else Evaluator(problems[part], jobs, backend)
        )
    )


def resume(
    run: str | Path | Run,
    extend_to: int | None = None,
    jobs: int = -1,
    backend: str = "threads",
    progress: Callable[[Progress], None] | None = None,
    operators: Sequence[str | Path] = (),
) -> Run:
    """Continue a run from its last whole checkpoint; it ends as if it had never been stopped.

    Args:
        run: The run or its folder.
        extend_to: How many generations to play in all; None: as many as the config says.
        jobs: See ``evolve``.
        backend: See ``evolve``.
        progress: See ``evolve``.
        operators: Files of user-defined operators that the run names and that may be loaded.

    Returns:
        The run.

    Raises:
        RunError: The config, the rules or a version changed since; the message names it.
        ValueError: The run names a file of operators that is not in ``operators``.
    """
    folder = Path(run)
    config, record = read(folder)
    load_operators(config, list(operators))
    wanted = config
    if extend_to is not None:
        ends = last_generations(folder, config)
        if extend_to <= max(ends):
            raise ValueError(
                f"--extend-to {extend_to}: {folder} goes to generation {max(ends)} as it is"
            )
        wanted = config.without_clock([extend_to])  # its time is over
    problems = {part: Problem.of(read(folder / part)[0]) for part in config.part_configs() or [""]}
    for part in dict.fromkeys(("", *problems)):
        now, before = read(folder / part)
        try:
            found = changes(before, made_of(now, problems.get(part, next(iter(problems.values())))))
        except (TypeError, AttributeError, ValueError):  # a list where a name should be
            raise damaged(folder / part, "run.json holds what no run writes") from None
        if found:
            raise RunError(
                f"cannot go on with {folder / part}: {'; '.join(found)}. Undo this, "
                "or start a new run"
            )
    if extend_to is not None:
        with locked(folder):
            for (part, problem), end in zip(problems.items(), ends):
                now, before = read(folder / part)
                ended, longer = now.without_clock([end]), now.without_clock([extend_to])
                extend(folder / part, before, ended, longer, problem)
            if config.part_configs():
                ended = config.without_clock(ends)
                extend(folder, record, ended, wanted, next(iter(problems.values())))
    overall = MultiPartRun(folder, wanted, progress, jobs)
    return overall.finish(lambda part: Evaluator(problems[part], jobs, backend))


class MultiPartRun:
    """A run of one or more parts; turns their progress into that of the whole run.

    Args:
        folder: The run folder.
        config: Its config.
        progress: Called at each step of the whole run.
        jobs: How many workers.
    """

    def __init__(
        self,
        folder: Path,
        config: Config,
        progress: Callable[[Progress], None] | None,
        jobs: int = -1,
    ) -> None:
        self.folder, self.config, self.jobs = folder, config, jobs
        self.progress = progress or (lambda step: None)
        self.parts = config.part_configs()
        self.times = [seconds for part in self.parts for seconds in times_of(folder / part)]

    def finish(self, evaluator: Callable[[str], Evaluator]) -> Run:
        """Run the unfinished parts to their ends, and join them to one agent or a reply table.

        Args:
            evaluator: Returns what plays the games of a part, by its name.
        """
        for part, one in (self.parts or {"": self.config}).items():
            search = MapElites if one.map.behaviours else Evolution
            place = self.folder / part
            run_to_end(place, self.folder, one, evaluator(part), self.at(part), search)
        if self.parts and not (self.folder / "result.json").exists():
            with locked(self.folder):
                join(self)
        return Run(self.folder)

    def at(self, part: str) -> Callable[[Progress], None]:
        """Return the function to which a part reports its progress."""
        if len(self.parts) < 2:
            return self.progress
        each, place = last_generations(self.folder, self.config), [*self.parts].index(part)
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
    folder, scoring, names = run.folder, run.config.game.scoring, list(run.config.parts.lists)
    if run.config.parts.replies:
        _write_replies(run)
        names = [run.config.part_name(ANYBODY, text) for text in names or ("",)]
    ends = last_generations(folder, run.config)
    config = run.config.without_clock(ends)  # whose result is the same
    parts = [agents.load(str(folder / name / "best.toml")) for name in names]
    results = {name: result(folder / name) for name in names}
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
    rows += [total] if len(rows) > 1 else []
    mean, sem = total[f"mean_{scoring}"], total[f"sem_{scoring}"]
    provenance = parts[0].provenance | {
        "run": folder.name,
        "config": config.hash(),
        "rule_set": unsealed(folder / "run.json")["rules_hash"],
        "players": players_text(config.game.players),
        "score": mean,
        "sem": sem,
        "games": total["games"],
        "results": stated_results(rows),
    }
    agent = _merged(folder.name, parts, config, parts[0].source, provenance)
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
        found["time_limit"] = {"minutes": run.config.search.minutes, "generations": ends}
    write_whole(folder / "result.json", sealed(found))
    games = counted(total["games"], "fresh game")
    run.tell(
        "done",
        f"{mean:.3f}{error_text(sem)} points ({scoring}) over {games}; {folder / 'best.toml'}",
    )


def _merged(name, parts, config, source="", provenance=None):
    """One agent with the lists of several."""
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
    played = tournament(
        [*found.values()],
        "mixed",
        partners,
        list(config.game.players),
        config.final.final_games,
        seed=derive(config.search.seed, "replies") >> 1,
        variant=config.game.variant,
        jobs=run.jobs,
    )
    scores: dict[str, dict[str, dict[str, float]]] = {
        name: {one.name: {} for one in partners} for name in found
    }
    for row in played.rows.to_dict("records"):
        scores[row["agent"]][row["partner"]][str(row["players"])] = round(row["mean_kept"], 3)
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
