"""The library of rules and conventions as data, and what each of them would add to a list."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from string import Formatter
from typing import Any, NamedTuple

import numpy as np

from hanabi import __version__
from hanabi.conditions import QUANTITIES
from hanabi.conventions.register import CONVENTION_FAMILIES, needs_marks, sort_by_stage
from hanabi.conventions.weights import WEIGHTS
from hanabi.evolve.measure.paired import Estimate, PairedGain
from hanabi.evolve.measure.variations import (
    inserted,
    is_of_museum,
    kind_of,
    middle,
    new_conventions,
    new_rules,
    place_in,
)
from hanabi.evolve.workbench.edited_list import EditedList
from hanabi.evolve.workbench.job_queue import Job
from hanabi.evolve.workbench.list_scores import BLOCK, ListGames, play_block
from hanabi.player import RuleError
from hanabi.rulebook import FAMILIES, Family, Rule
from hanabi.rules import SETS
from hanabi.rules.agents import load, read_worths
from hanabi.rules.user_rules import LOADED, load_rules
from hanabi.table import ListPlayer, Table
from hanabi.variant import Variant, read_variant

LIBRARY = {"rules": FAMILIES, "conventions": CONVENTION_FAMILIES}


class UserRules:
    """Some files of user rules, which are loaded.

    Attributes:
        files: Their paths.
        broken: By file, why it cannot be loaded.
        errors: By family, why machine code cannot be made of it, or why it failed in a trial game.
        checked: Whether all families have been tried.
    """

    def __init__(self, files: Sequence[Path] = ()) -> None:
        self.files = list(files)
        self.broken: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.checked = not files
        for file in self.files:
            try:
                load_rules(file)
            except ValueError as error:
                self.broken[file.name] = str(error)

    def check(self, job: Job) -> Generator[None]:
        """Compile each rule and convention, and play its trial games; note what fails."""
        variant = read_variant("standard").at(3)
        for part, families in LIBRARY.items():
            for family in filter(_is_users, families.values()):
                try:
                    Table(variant, [inserted(ListPlayer(()), part, 0, middle(family))])
                except Exception as error:  # a user's rule may raise anything
                    self.errors[family.name] = " ".join(str(error).split())
                yield
        self.checked = True


def _is_users(family: Family) -> bool:
    return family.function.__code__.co_filename in LOADED


SOURCES = {  # by the set of a rule
    "modern": "hints and sight",
    "epistemic": "knowledge",
    "conventional": "by conventions",
}
# rules to begin with, in the order in which a person may add them
PLAIN = (
    "play_safe",
    "tell_playable",
    "discard_useless",
    "discard_chop",
    "discard_oldest",
    "play_just_hinted",
    "tell_save",
    "tell_next_playable",
    "tell_ones",
    "discard_dispensable",
    "hail_mary",
    "play_likely",
    "tell_unknown",
    "tell_most_news",
    "discard_highest",
)


def library_data(user_rules: UserRules, papers: bool = False) -> dict[str, Any]:
    """Return the library as data.

    Args:
        user_rules: The files of user rules.
        papers: Return the ``groups`` of the rules of papers alone, which are no part of the rest.

    Returns:
        ``groups``: [part ("rules" or "conventions"), kind ("play", "tell", "discard" or "meaning"),
        source, families]; each family is [name, sentence (a format string with its values), facts].
        The facts, where there is something to say: ``values`` ({key: choices}, or the choices alone
        if the sentence has the keys in their order), ``goes_with``,
        ``stage`` ("game"), ``needs_marks``, ``plain`` (its place, from 1 on, among the rules to
        begin with), ``known`` ([agent, worth, standard error] in a named agent), and of a user rule
        ``file`` and ``error`` (why it cannot be used).

        ``quantities``: by name of what a guard may bound: [lowest, highest, only of hints].

        ``weights``: by name [default, lowest, highest, meaning].

        ``files``: by name of a file of user rules, why it cannot be loaded, "" if it can.

        ``checked``: whether the rules of users have all been tried.

        ``loaded``: changes with the content of the files of users.
    """
    known = {
        name: entry for name, entry in read_worths().items() if entry["hash"] == load(name).hash
    }
    groups: dict[tuple[str, str, str], list[list[Any]]] = defaultdict(list)
    for part, families in LIBRARY.items():
        for family in families.values():
            if not family.grammar and is_of_museum(family) == papers:
                kind = likely_kind(family) if part == "rules" else "meaning"
                facts = _family_facts(family, part, known, user_rules.errors)
                group = groups[part, kind, source_of(family)]
                group.append([family.name, family.sentence, facts])
    listed = [[*group, families] for group, families in groups.items()]
    if papers:
        return {"groups": listed}
    return {
        "groups": listed,
        "quantities": {name: list(quantity[:3]) for name, quantity in QUANTITIES.items()},
        "weights": {name: list(entry) for name, entry in WEIGHTS.items()},
        "files": {file.name: user_rules.broken.get(file.name, "") for file in user_rules.files},
        "checked": user_rules.checked,
        "loaded": "".join(LOADED.values()),
    }


def library_digest(user_rules: UserRules) -> str:
    """Return a text that changes with the version and with the files of users."""
    loaded = sorted((str(file), mark) for file, mark in LOADED.items())
    state = [user_rules.broken, user_rules.errors, user_rules.checked]
    return hashlib.sha256(json.dumps([__version__, loaded, state]).encode()).hexdigest()[:16]


def source_of(family: Family) -> str:
    """Return where a rule comes from, in words."""
    if is_of_museum(family):
        return "2018" if ".museum.cig2018" in family.function.__module__ else "theses and papers"
    if _is_users(family):
        return "own file"
    sets = {name: {entry.partition("(")[0] for entry in SETS[name]} for name in SOURCES}
    name = next((name for name in SOURCES if family.name in sets[name]), "conventional")
    return SOURCES[name]


def _family_facts(
    family: Family, part: str, known: dict[str, dict[str, Any]], errors: dict[str, str]
) -> dict[str, Any]:
    """Return what there is to say about a family beside its name and its sentence."""
    file = Path(family.function.__code__.co_filename)
    facts = {
        "values": _listed_choices(family),
        "goes_with": family.goes_with,
        "stage": family.stage if family.stage == "game" else "",
        "needs_marks": part == "rules" and needs_marks(middle(family)),
        "plain": PLAIN.index(family.name) + 1 if part == "rules" and family.name in PLAIN else 0,
        "known": _known_worth(family.name, part, known),
        "file": file.name if str(file) in LOADED else "",
        "error": errors.get(family.name, ""),
    }
    return {key: value for key, value in facts.items() if value}


def _listed_choices(family: Family) -> dict[str, list[float]] | list[list[float]]:
    """Return the choices by name, or without names if the sentence has them in this order."""
    choices = {key: list(values) for key, values in family.grid.items()}
    named = [key for _, key, _, _ in Formatter().parse(family.sentence) if key]
    return list(choices.values()) if list(dict.fromkeys(named)) == list(choices) else choices


def _known_worth(name: str, part: str, known: dict[str, dict[str, Any]]) -> list[Any]:
    """Return [agent, worth, standard error] of the first agent for which a family counts.

    If it counts for none, the first agent that has it; [] if none has it.
    """
    rows: list[list[Any]] = [
        [agent, float(f"{found[part][name][0]:.2g}"), float(f"{found[part][name][1]:.1g}")]
        for agent, found in known.items()
        if name in found[part]
    ]
    counts = (row for row in rows if abs(row[1]) > 2 * row[2])
    return next(counts, rows[0] if rows else [])


SWEEP_GAMES = BLOCK  # of a trial in contention
VALUING_GAMES = 200  # of a rule that values moves in dealt worlds: 30 times as long per game
# (games, standard errors from 0 of a gain that is then out of contention)
LOOKS = ((50, -3.0), (100, -2.5), (200, -1.5), (400, -1.0))
SAME = 200  # games after which a trial that plays as its rival does is given up
SWEEP_BEST = 10  # families whose place and gain are measured again
NEAR_PLACES = 2  # places up and down that are tried for these
UNTOLD = 1.0  # standard errors from 0 of one of the best that gets no more games
# (games of one of the best, standard errors from 0 of a gain that is clear without them)
MORE_GAMES = ((1_500, np.inf), (4_000, 4.0))
KINDS = ("play", "tell", "discard")


def sweep_steps(
    job: Job, listed: EditedList, variant: Variant, museum: bool, points: np.ndarray
) -> Generator[None]:
    """Measure what each family of the library would add to a list, a block of games per step.

    Each family is tried at one place with the middle of its values: a rule before the first rule
    that comes later in its set. It plays 500 games, or fewer if it is clearly worse before or plays
    as the list does. The best ten of those that help are then tried at the places around, which are
    compared in the same way, and measured at the best one with 1,500 games, or 4,000 while it is in
    doubt whether it gains. Games in which the list never comes to the place of a new rule are the
    same, and not played. A convention that comes with a rule is added together with it, and
    measured alone, too.

    The state of the job: ``rules`` and ``conventions``, by family [entry, place, gain, standard
    error, entry of the rule that comes with it, [gain, standard error] without that rule, place of
    that rule]; ``done`` and ``of``, families. A user rule that fails is left out.

    Args:
        job: The job.
        listed: The list.
        variant: The variant with its player count.
        museum: The rules of papers instead of the living ones and those of users.
        points: Of the list, on the first deals of the scores.
    """
    base = BaseGames(points, _deepest_places(listed, variant))
    yield
    trials = list(_library_trials(listed, museum))
    found: dict[str, dict[str, list]] = {"rules": {}, "conventions": {}}
    job.update(**deepcopy(found), done=0, of=len(trials))
    measured: list[TrialGames] = []
    alone: dict[str, list] = {}

    for done, trial in enumerate(trials, 1):
        games = TrialGames(trial, variant, base)
        with suppress(RuleError):  # of a user
            valuing = trial.entry.family.asks_rest
            yield from games.contend(points, VALUING_GAMES if valuing else SWEEP_GAMES)
            measured.append(games)
            if trial.companion:
                only = _make_trial(listed, trial.part, trial.entry, trial.place)
                single = TrialGames(only, variant, base)
                yield from single.contend(points, SWEEP_GAMES)
                alone[trial.entry.family.name] = list(single.gain(points))
            found[trial.part][trial.entry.family.name] = trial.row(games.gain(points), alone)
        job.update(done=done)
    job.update(**deepcopy(found))
    for games in _best(measured, points):
        chosen = yield from _find_place(games, listed, base)
        for count, clear in MORE_GAMES:
            if UNTOLD < chosen.errors_from_0(points) < clear:
                yield from chosen.extend(count)
        part, name = chosen.trial.part, chosen.trial.entry.family.name
        found[part][name] = chosen.trial.row(chosen.gain(points), alone)
    job.update(**found)


class BaseGames(NamedTuple):
    """The games of the list without a new entry.

    Attributes:
        points: By deal.
        deepest: By deal, the place of the last rule that decides (``otherwise`` follows the rules).
    """

    points: np.ndarray
    deepest: np.ndarray


class LibraryTrial(NamedTuple):
    """A list with one more entry, and perhaps the rule that goes with it."""

    part: str
    entry: Rule
    place: int
    listed: EditedList
    companion: Rule | None = None

    def row(self, gain: Estimate, alone: dict[str, list]) -> list[Any]:
        """The trial as data: see ``sweep_steps``."""
        row: list[Any] = [self.entry.name, self.place, *gain]
        if self.companion:
            place = self.listed.rules.index(self.companion)
            row += [self.companion.name, alone.get(self.entry.family.name), place]
        return row

    def places(self, base: EditedList) -> "Iterator[LibraryTrial]":
        """The same entry at the places around, nearest first."""
        # the place of an entry of the stage "game" makes no difference
        reach = 0 if self.entry.family.stage == "game" else NEAR_PLACES
        last = min(len(getattr(base, self.part)), self.place + reach)
        around = range(max(0, self.place - reach), last + 1)
        for place in sorted(around, key=lambda place: abs(place - self.place))[1:]:
            yield _make_trial(base, self.part, self.entry, place, self.companion)


class TrialGames(ListGames):
    """The points of a trial on the first deals of the scores, as far as it has played.

    Games that never come to the place of a new rule are not played: they are those of the list.

    Args:
        trial: The trial.
        variant: The variant with its player count.
        base: The games of the list without the entry.
    """

    def __init__(self, trial: LibraryTrial, variant: Variant, base: BaseGames) -> None:
        super().__init__(trial.listed.player, variant, "score")
        self.trial, self.base = trial, base

    def play(self, first: int, games: int) -> np.ndarray:
        """Return the points of some deals."""
        points = self.base.points[first : first + games].astype(np.int64)
        reached = np.ones(games, bool)
        if self.trial.part == "rules":
            known = self.base.deepest[first : first + games]
            reached[: len(known)] = known >= self.trial.place
        if reached.any():
            points[reached] = self.play_numbers(np.flatnonzero(reached) + first)
        return points

    def contend(self, rival: np.ndarray, games: int) -> Generator[None, None, bool]:
        """Play some games; return whether this is in contention.

        It plays fewer if it is clearly worse before, or the same in the first games.

        Args:
            rival: Points of the other list on the same deals.
            games: How many.
        """
        for look, worst in LOOKS:
            if look <= games:
                yield from self.extend(look)
                same = look >= SAME and np.array_equal(self.points, rival[:look])
                if same or self.errors_from_0(rival) < worst:
                    return False
        yield from self.extend(games)
        return True

    def gain(self, points: np.ndarray) -> Estimate:
        """Return the gain over a list with some points on the same deals."""
        return PairedGain.of(self.points, points).gain

    def errors_from_0(self, points: np.ndarray) -> float:
        """Return the gain over a list in standard errors."""
        gain = self.gain(points)
        return (gain.mean or 0.0) / gain.sem if gain.sem else 0.0


def _deepest_places(listed: EditedList, variant: Variant) -> np.ndarray:
    """Return ``BaseGames.deepest`` of the first deals, whose games are played again for it."""
    fired = play_block(listed.player, variant, "score", 0, SWEEP_GAMES)["fired"]
    return fired.shape[1] - 1 - (fired[:, ::-1] > 0).argmax(axis=1)


def _best(measured: list[TrialGames], points: np.ndarray) -> list[TrialGames]:
    """Return the trials that help most, best first.

    None of a rule that asks what the rest of the list does: it values that and other moves in dealt
    worlds, and 4,000 games of it take longer than the rest of the sweep.
    """
    gains = [
        (games.gain(points).mean or 0.0, games)
        for games in measured
        if not games.trial.entry.family.asks_rest
    ]
    helps = sorted((pair for pair in gains if pair[0] > 0), key=lambda pair: -pair[0])
    return [games for _, games in helps[:SWEEP_BEST]]


def _find_place(
    home: TrialGames, listed: EditedList, base: BaseGames
) -> Generator[None, None, TrialGames]:
    """Return the trial, or that of a place around it which is better on the same deals."""
    chosen = home
    for trial in home.trial.places(listed):
        games = TrialGames(trial, home.variant, base)
        contends = yield from games.contend(chosen.points, SWEEP_GAMES)
        if contends and (games.gain(base.points).mean or 0.0) > (
            chosen.gain(base.points).mean or 0.0
        ):
            chosen = games
    return chosen


def _make_trial(
    base: EditedList, part: str, entry: Rule, place: int, companion: Rule | None = None
) -> LibraryTrial:
    changed = inserted(base, part, place, entry)
    if companion:
        changed = inserted(changed, "rules", place_in_set(changed.rules, companion), companion)
    return LibraryTrial(part, entry, place, changed, companion)


def place_in_set(rules: Sequence[Rule], new: Rule) -> int:
    """Return the place at which a new rule is tried first.

    That is before the first rule whose family comes later in the smallest set that has the new
    one. If the list has no rule of that set, it is before the first rule of the same kind or of a
    later kind: plays, hints, discards.
    """
    name = new.family.name
    orders = [
        list(dict.fromkeys(entry.partition("(")[0] for entry in entries))
        for entries in SETS.values()
    ]
    order = min((one for one in orders if name in one), key=len, default=[])
    if any(rule.family.name in order for rule in rules):
        return place_in(rules, name, order)
    kind, *kinds = (KINDS.index(likely_kind(rule.family)) for rule in (new, *rules))
    return next((place for place, other in enumerate(kinds) if other >= kind), len(rules))


def likely_kind(family: Family) -> str:
    """Return "play", "tell" or "discard": as its name says, else as that of its module."""
    module = family.function.__module__.rpartition(".")[2]
    return kind_of(family) or next((kind for kind in KINDS if kind in module), "tell")


def _library_trials(base: EditedList, museum: bool) -> Iterator[LibraryTrial]:
    """The list with each family of the library that it lacks."""
    held = {entry.family.name for entry in base.rules}
    for family in new_rules(base.rules, museum):
        entry = middle(family)
        yield _make_trial(base, "rules", entry, place_in_set(base.rules, entry))
    for family in () if museum else new_conventions(base.conventions):
        answer = family.goes_with
        companion = middle(FAMILIES[answer]) if answer in FAMILIES and answer not in held else None
        trial = _make_trial(base, "conventions", middle(family), len(base.conventions), companion)
        with suppress(ValueError):
            sort_by_stage(trial.listed.conventions)  # raises for a convention that does not fit
            yield trial
