"""The sections and keys of a config, validated by pydantic; each key with its meaning and range."""

from functools import partial
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from hanabi.evolve.measure.arena import read_players
from hanabi.evolve.measure.behaviour import NAMES as BEHAVIOUR_NAMES
from hanabi.variant import check_known, nearest, shown

MAX_NAMES = 2000  # in one list: more than all rules and agents that exist


def _names(value):
    """A name or a list of names as a tuple."""
    value = (value,) if isinstance(value, str) else value
    if not isinstance(value, list | tuple) or not all(isinstance(v, str) and v for v in value):
        raise ValueError(f"{shown(value)} should be a name, or a list of names")
    if len(value) > MAX_NAMES:
        raise ValueError(f"{len(value):,} names are more than {MAX_NAMES:,}")
    return tuple(map(str, value))


def _player_ranges(value):
    """Names, where a player count may be written as a number."""
    if isinstance(value, list | tuple):
        value = [str(count) if type(count) is int else count for count in value]
    return _names(value)


def _generations(value):
    """Numbers of generations as a tuple."""
    good = isinstance(value, list | tuple) and all(
        type(number) is int and 0 <= number <= 1_000_000 for number in value
    )
    if not good:
        raise ValueError(f"{shown(value)} should be a list of numbers of generations")
    return tuple(value)


def _players(value):
    """Player counts as a sorted tuple."""
    problem = ValueError(
        f'{shown(value)} should be player counts from 2 to 5, such as [2, 3] or "2-5"'
    )
    if isinstance(value, str):
        try:
            value = read_players(value)
        except ValueError:
            raise problem from None
    value = [value] if type(value) is int else value
    if not isinstance(value, list | tuple) or not value:
        raise problem
    if any(type(count) is not int or not 2 <= count <= 5 for count in value):
        raise problem
    if len(set(value)) < len(value):
        raise ValueError(f"{shown(list(value))} names a count twice")
    return tuple(sorted(value))


def _behaviours(value):
    """Two or three different names of behaviours as a tuple; an empty one for none."""
    names = _names(value)
    for name in names:
        check_known(name, BEHAVIOUR_NAMES, "no behaviour")
    if names and not 2 <= len(set(names)) == len(names) <= 3:
        raise ValueError(f"{shown(list(names))} should be two or three different ones")
    return names


# Names of genetic operators by kind, each with DEAP's name; those that are ours have the same name.
DEAP_NAMES = {
    "select": {
        "tournament": "selTournament",
        "best": "selBest",
        "roulette": "selRoulette",
        "lexicase": "lexicase",
        "nsga2": "selNSGA2",
    },
    "mate": {
        "ordered": "cxOrdered",
        "partially_matched": "cxPartialyMatched",
        "uniform": "uniform",
        "aligned": "aligned",
        "whole": "whole",
    },
    "mutate": {
        "swap": "mutShuffleIndexes",
        "insert": "insert",
        "invert": "invert",
        "edit": "edit",
    },
}


def operator_name(kind: str, name: Any) -> Any:
    """Return the name of an operator in place of DEAP's name of it; all else as it is."""
    short = {deap: ours for ours, deap in DEAP_NAMES[kind].items()}
    return short.get(name, name) if isinstance(name, str) else name


Select = Annotated[str, BeforeValidator(partial(operator_name, "select"))]
Mate = Annotated[str, BeforeValidator(partial(operator_name, "mate"))]
Mutate = Annotated[str, BeforeValidator(partial(operator_name, "mutate"))]
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Behaviours = Annotated[tuple[str, ...], BeforeValidator(_behaviours)]
PlayerRanges = Annotated[tuple[str, ...], BeforeValidator(_player_ranges)]
Generations = Annotated[tuple[int, ...], BeforeValidator(_generations)]
Players = Annotated[tuple[int, ...], BeforeValidator(_players)]


def _key(description: str, low: float | None = None, high: float | None = None, **more: Any) -> Any:
    return Field(description=description, ge=low, le=high, **more)


class Section(BaseModel):
    """A section of a config: its fields are the keys."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Game(Section):
    """What is played, with whom, and how it is scored."""

    variant: str = _key("the variant: a name, a .toml file or colours=3,hand=4")
    players: Players = _key("the player counts at which an agent is judged")
    mode: Literal["mirror", "mixed"] = _key(
        "mirror: among copies of itself; mixed: in one random seat among copies of each pool agent"
    )
    pool: Names = _key("mixed: pools and agents, by name, file or cig2018:46,8,2", default=())
    scoring: Literal["kept", "zero"] = _key(
        "kept: points stay when the last life is lost; zero: such a game counts 0"
    )


class Genome(Section):
    """What individuals are made of."""

    rules: Names = _key("sets of rules and single rules that lists are made of, by name")
    rule_files: Names = _key("files with user-defined rules", default=())
    otherwise: Literal["default", "forfeit"] = _key("what an agent does if no rule applies")
    variable_length: bool = _key(
        "true: rules are added, removed and get other values and guards; "
        "false: each rule of the set is in a list once",
        default=False,
    )
    order_length: int = _key("how many rules of an order are read; 0: all", 0, 100_000, default=0)
    conventions: Names = _key(
        'the conventions that evolve, by name or group: "all" (none of the others), "codes", '
        '"hgroup", "meanings", "numbers", "pairs"; ordered: those to decide, by name or setting, '
        "in this order",
        default=(),
    )
    weights: Names = _key('the weights that evolve; "all"', default=())
    start: Names = _key(
        "agents to start from; what does not evolve is as in the first of them", default=()
    )
    language: Literal["free", "ordered", "held"] = _key(
        "free: conventions evolve with the rules; ordered: they are decided first, one after the "
        "other; held: they stay those of start",
        default="free",
    )
    random_rules: bool = _key(
        "held: true: lists begin with random rules; start gives conventions and weights alone",
        default=False,
    )
    meaning_order: Names = _key(
        "ordered: the order in which the meanings of a hint apply, by name", default=()
    )
    convention_gain: float = _key(
        "ordered: points per game that a convention must bring", 0, 25, default=0.06
    )
    setting_gain: float = _key(
        "ordered: points by which a setting must be better than one that conventions names before",
        0,
        25,
        default=0.06,
    )
    decision_games: int = _key("ordered: games of a decision", 100, 10**7, default=8000)
    close_games: int = _key(
        "ordered: games, at most, of a decision that other deals might turn",
        100,
        10**8,
        default=160_000,
    )


class Search(Section):
    """How the genetic algorithm works."""

    seed: int = _key("the seed of all random choices", 0, 2**63 - 1)
    population: int = _key("individuals in a generation", 1, 100_000)
    generations: int = _key("generations after the first", 0, 1_000_000)
    minutes: float = _key(
        "minutes after which the run goes to its finals, once its generation is finished, also "
        "before the last generation; 0: no limit",
        0,
        100_000,
        default=0.0,
    )
    games: int = _key(
        "games per individual and player count (and pool agent) in one generation", 1, 1_000_000
    )
    select: Select = _key(
        "how parents are selected: tournament, best, roulette, lexicase (player counts and "
        "partners as cases), nsga2 (a front of points against words; it selects elitism, too), "
        "another operator of DEAP, or FILE.py:function",
        default="tournament",
    )
    tournament_size: int = _key("random individuals that compete to be a parent", 1, 100_000)
    mate: Mate = _key(
        "how parents are crossed: ordered, partially_matched, uniform, aligned (order of one, "
        "entries of both), whole (the language of one), another operator of DEAP on permutations, "
        "or FILE.py:function",
        default="ordered",
    )
    crossover_probability: float = _key("the chance that two parents are crossed", 0, 1)
    random_mates: bool = _key(
        "true: individuals are crossed with random ones (headless chicken)", default=False
    )
    mutate: Mutate = _key(
        "how a child is changed: swap, insert (genes), invert, edit (a mutation of mutations.py), "
        "another operator of DEAP, or FILE.py:function",
        default="swap",
    )
    mutation_probability: float = _key(
        "the chance that mutate changes a gene (swap, insert) or a child (invert, edit)", 0, 1
    )
    elitism: int = _key("how many of the best are kept unchanged", 0, 100_000)
    mutations: int = _key("random mutations of each child (mutations.py)", 0, 1000, default=0)
    word_price: float = _key(
        "points that the search subtracts for each word of an agent's sentences, and two words for "
        "each weight that is not the default",
        0,
        1,
        default=0.0,
    )

    @property
    def has_front(self) -> bool:
        """Whether individuals are selected by points and by words."""
        return self.select == "nsga2"

    def words_cost(self, one: Any) -> float:
        """Return the points that the search subtracts for an individual's words."""
        return self.word_price * one.words() if self.word_price else 0.0


class LocalSearch(Section):
    """How individuals improve by trying mutations on themselves; without games it is off."""

    local_search_games: int = _key(
        "games of one generation in which individuals try mutations on themselves; 0: none",
        0,
        10**9,
        default=0,
    )
    trials: int = _key("mutations that an individual tries side by side", 1, 1000, default=8)
    trial_games: int = _key(
        "games in which a mutation is judged, at most", 120, 250_000, default=6000
    )
    pair_share: float = _key("the share of trials of two mutations at once", 0, 1, default=0.5)
    crossing_share: float = _key(
        "the share of trials that cross an individual with another one of its generation",
        0,
        1,
        default=0.03,
    )
    graft_share: float = _key(
        "the share of trials that take a part of another one of its generation over, a convention "
        "with the rules that go with it",
        0,
        1,
        default=0.0,
    )
    position_by_usage: float = _key(
        "the share of rule mutations whose position is drawn by how often its rule decides",
        0,
        1,
        default=0.7,
    )
    fixed_odds: float = _key(
        "the share of its odds that each kind of mutation keeps; the others follow the accepted "
        "trials per game of each kind",
        0,
        1,
        default=1.0,
    )
    early_margin: float = _key(
        "extra standard errors for an early acceptance, per stage that a trial may still play",
        0,
        10,
        default=0.0,
    )
    child_share: float = _key(
        "the share of a generation's local search that children of two parents get first "
        "(crossed_share); one that then beats its better parent takes its place",
        0,
        1,
        default=0.1,
    )


class Schedule(Section):
    """What changes with the generations: their size, their children, guards."""

    initial_pool: int = _key(
        "random individuals of which the best begins, for each of the first generation",
        1,
        10_000,
        default=1,
    )
    crossed_share: float = _key(
        "the least share of each generation after the first that are children of two parents",
        0,
        1,
        default=0.0,
    )
    halving_interval: int = _key(
        "generations after which the worse half of the population leaves; 0: never",
        0,
        100_000,
        default=0,
    )
    smallest_population: int = _key(
        "individuals that halving leaves, at least; the others only mate",
        1,
        100_000,
        default=1,
    )
    guards_from: int = _key(
        "the generation from which entries get guards (variable_length = true)",
        0,
        1_000_000,
        default=0,
    )
    zero_from: int = _key(
        "the generation from which a lost game counts 0 in the search with scoring = kept, as in "
        "the race and the pruning then; 0: in none",
        0,
        1_000_000,
        default=0,
    )
    meaning_bias: bool = _key(
        "true: once entries get guards, meanings of hints are tried more often", default=False
    )


class Final(Section):
    """How the winner is found and scored."""

    finalists: int = _key(
        "how many of the last generation, and as many of all time, are raced", 1, 10_000
    )
    race_games: int = _key(
        "games that each individual of the race's last round has played, at least", 1, 10**8
    )
    prune_games: int = _key(
        "games, at most, that show whether the winner needs a part of it; 0: it keeps all parts",
        0,
        10**8,
        default=0,
    )
    added_rules: Names = _key(
        "rules that are too slow for the search, such as finish: the winner gets the best of them "
        "before its other rules, if it then scores more",
        default=(),
    )
    final_games: int = _key(
        "fresh games per player count (and pool agent) that give the winner's score", 2, 10**8
    )


class Map(Section):
    """MAP-Elites: the best individual of each way to play; without behaviours it is off."""

    behaviours: Behaviours = _key(
        "two or three behaviours whose values are the way to play (hanabi behave)", default=()
    )
    cells: int = _key("parts into which a grid cuts each behaviour", 2, 100, default=20)
    centroids: int = _key(
        "0: a grid; else the number of cells of a centroidal Voronoi tessellation",
        0,
        10_000,
        default=0,
    )
    random_individuals: int = _key(
        "random individuals before the first children of elites; none with start",
        0,
        10**7,
        default=0,
    )
    border_share: float = _key(
        "the share of parents that come from filled cells beside an empty one, not from all cells",
        0,
        1,
        default=0.0,
    )
    elite_games: int = _key(
        "fresh games per elite and player count (and pool agent) at the end", 2, 10**6, default=1000
    )


class Parts(Section):
    """Lists that are evolved one after the other, each as a run inside the run."""

    lists: PlayerRanges = _key(
        'player counts that get a separate list, such as ["2", "3-5"]', default=()
    )
    inherit: PlayerRanges = _key(
        "those of the lists that begin with the best of the lists before them", default=()
    )
    part_generations: Generations = _key(
        "generations of each list (or reply), where they differ, as after a run with a time limit",
        default=(),
    )
    replies: bool = _key(
        "true: an agent for the whole pool, and from there one for each partner of it",
        default=False,
    )


SECTIONS: dict[str, type[Section]] = {
    "game": Game,
    "genome": Genome,
    "search": Search,
    "schedule": Schedule,
    "local_search": LocalSearch,
    "final": Final,
    "map": Map,
    "parts": Parts,
}
_FIELDS = {
    key: field for section in SECTIONS.values() for key, field in section.model_fields.items()
}
KEYS = tuple(_FIELDS)
SECTION_OF = {key: name for name, section in SECTIONS.items() for key in section.model_fields}
DEFAULTS = {key: field.default for key, field in _FIELDS.items() if not field.is_required()}
_EXPECTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "a text",
}


def error_text(error: Any) -> str:
    """Return an error of pydantic as one line that names the key."""
    kind, value, key = error["type"], error["input"], error["loc"][-1] if error["loc"] else ""
    if kind == "value_error":
        text = str(error["ctx"]["error"])
        return f"{key}: {text}" if key in _FIELDS else text
    if kind == "missing":
        return (
            f"the key {key!r} is missing; add it below [{SECTION_OF[key]}], or take what is left "
            'out from a preset with base = "paper-mirror"'
        )
    if kind in _EXPECTED:
        return f"{key}: {shown(value)} should be {_EXPECTED[kind]}"
    if kind == "literal_error":
        choices = get_args(_FIELDS[key].annotation)
        expected = " or ".join(f'"{choice}"' for choice in choices)
        return f"{key}: {shown(value)} should be {expected}{nearest(str(value), choices)}"
    limits: dict[str, float] = {}
    for limit in _FIELDS[key].metadata:
        limits |= {end: getattr(limit, end) for end in ("ge", "le") if hasattr(limit, end)}
    return f"{key}: {shown(value)} is out of its range, {limits['ge']} to {limits['le']}"
