"""Hashes of many games and logs, and some games move by move, to compare a change with.

``python tests/support/same_games.py`` rewrites tests/golden/same_games.json and the games in
tests/golden/playthroughs; do so only where games should change, and give the reason in the commit.
The hashes show that something changed, the diff of the playthroughs shows which move and rule.
"""

import hashlib
import json
import random
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from hanabi.conventions.register import (  # noqa: E402 - a script beside the tests
    families_for,
    sort_by_stage,
)
from hanabi.evolve.ga.config import override, preset  # noqa: E402
from hanabi.evolve.ga.run import evolve  # noqa: E402
from hanabi.game_record import play_one  # noqa: E402
from hanabi.player import ListPlayer  # noqa: E402
from hanabi.rulebook import BOOK, SETS, Rule  # noqa: E402
from hanabi.rules.agents import load  # noqa: E402
from hanabi.table import Table, game_seeds  # noqa: E402
from hanabi.variant import read_variant  # noqa: E402

FILE = ROOT / "tests/golden/same_games.json"
PLAYTHROUGHS = ROOT / "tests/golden/playthroughs"
AGENTS = {
    "piers": 500,
    "mirror-situational-2018": 500,
    "legal-random": 500,
    "iggi": 500,
    "convention-2026": 400,
    "convention-simple": 400,
    "epistemic": 300,
    "irvall-literal": 100,
    "irvall": 100,
    # fast agents, whose conventions have rare corners
    "hgroup-1": 1000,
    "hgroup-5": 2000,
    "convention-10": 300,
    "pairs": 1000,
    "pairs-10": 300,
    "pairs-finish": 100,
    "reactor": 1000,
    "sieve": 500,
    "code": 500,
    "code-information": 500,
}  # games per player count
# look-ahead agents, who sits at the table of each, and the games; one has few rollouts per move, and
# late=… leaves the others few moves to search
SEARCHERS = {
    "search:convention,rollouts=60": (("",) * 3, 16),
    "search:hgroup-5,rollouts=60,late=4,belief=assumed": (("",) * 4, 8),
    "search:piers,rollouts=300,late=5": (("",) * 2, 20),
    "search:convention,rollouts=2000,late=2,seats=one": (("", "convention", "convention"), 12),
}
# lists with more rules and conventions, drawn from those in use; "code" has a code
GROWN = {"convention-2026": "", "hgroup-5": "", "pairs": "", "code": "code"}
MANY = {"convention-2026": 20_000, "mixed": 4_000}
BEFORE_PAIRS = ['rules=["living"]', 'conventions=["all"]']
LIVING = [
    *BEFORE_PAIRS,
    "players=3",
    "lists=[]",
    "population=3",
    "elitism=3",
    "initial_pool=2",
    "generations=2",
    "halving_interval=1",
    "games=20",
    "local_search_games=1500",
    "finalists=2",
    "race_games=100",
    "prune_games=40",
    "final_games=100",
]
MEMETIC = [
    *BEFORE_PAIRS,
    "mate=ordered",
    "added_rules=[]",
    "zero_from=0",
    "players=3",
    "lists=[]",
    "population=4",
    "elitism=4",
    "initial_pool=2",
    "generations=2",
    "smallest_population=2",
    "halving_interval=2",
    "games=20",
    "local_search_games=1500",
    "child_share=0.2",
    "finalists=2",
    "race_games=100",
    "prune_games=40",
    "final_games=100",
]
QUICK = ["generations=5", "final_games=500", "prune_games=500"]
PAPER = ["generations=20", "race_games=500", "final_games=500"]
OUTPUTS = ("log.csv", "changes.csv", "best.toml")
COUNTS = (2, 3, 4, 5)


def digest(data: bytes) -> str:
    """Sixteen hex digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def played(results: np.ndarray) -> str:
    """The digest of RESULT records."""
    return digest(
        np.stack([results[key] for key in ("score", "lives", "turns", "end")])
        .astype(np.int64)
        .tobytes()
    )


def mirror(name: str, players: int, games: int) -> str:
    """The digest of games of an agent among copies of itself."""
    table = Table(read_variant("standard").at(players), [load(name).at(players)])
    return played(table.play(game_seeds(7 + players, games), [0] * players))


def mixed(players: int, games: int) -> str:
    """The digest of games of four agents in turn at the seats, and of how often rules decided."""
    names = ("convention-2026", "piers", "convention-simple", "epistemic")
    table = Table(read_variant("standard").at(players), [load(name).at(players) for name in names])
    seats = np.array([[(game + seat) % 4 for seat in range(players)] for game in range(games)])
    return (
        played(table.play(game_seeds(70 + players, games), seats))
        + " "
        + digest(table.fired.astype(np.int64).tobytes())
    )


def grow(name: str, players: int, chance: random.Random) -> ListPlayer:
    """Return the list of an agent with six more rules and four more conventions, drawn at random.

    So each rule and each convention that is in use decides in some games.
    """
    before = load(name).list_at(players)
    rules = [*before.rules]
    kinds = ("living", "hgroup", "pairs", *filter(None, [GROWN[name]]))
    families = {BOOK[rule].family.name: BOOK[rule].family for kind in kinds for rule in SETS[kind]}
    for family in chance.sample(list(families.values()), 6):
        values = tuple(chance.choice(choices) for choices in family.grid.values())
        rules.insert(chance.randrange(len(rules)), Rule(family, values))
    conventions = list(before.conventions)
    if not GROWN[name]:
        known = {one.family.name for one in conventions}
        others = [family for key, family in families_for().items() if key not in known]
        for family in chance.sample(others, 4):
            values = tuple(chance.choice(choices) for choices in family.grid.values())
            conventions.append(Rule(family, values))
    return replace(before, rules=tuple(rules), conventions=sort_by_stage(conventions))


def grown(name: str, lists: int = 200, games: int = 40) -> str:
    """The digest of mirror games of many lists that have grown from that of an agent."""
    chance, found = random.Random(51), []
    for number in range(lists):
        players = COUNTS[number % len(COUNTS)]
        table = Table(read_variant("standard").at(players), [grow(name, players, chance)])
        found.append(played(table.play(game_seeds(11 + number, games), [0] * players)))
    return digest(" ".join(found).encode())


def searched(spec: str) -> str:
    """The digest of games of a look-ahead agent, with the list of another one at some seats."""
    company, games = SEARCHERS[spec]
    players, names = len(company), list(dict.fromkeys(company))
    lists = [load(name or spec).at(players) for name in names]
    table = Table(read_variant("standard").at(players), lists)
    return played(table.play(game_seeds(9 + players, games), [names.index(n) for n in company]))


def evolved(name: str, changes: list[str]) -> dict[str, str]:
    """Return the digests of the files of a shortened run of a preset, by "file of preset"."""
    with tempfile.TemporaryDirectory() as folder:
        run = evolve(override(preset(name), changes), folder, name, dated=False)
        files = sorted(path for path in run.folder.rglob("*") if path.name in OUTPUTS)
        return {
            f"{path.relative_to(run.folder)} of {name}": digest(without_hash(path))
            for path in files
        }


def without_hash(path: Path) -> bytes:
    """What a file holds, without the line that has the hash of the rules' source."""
    lines = path.read_bytes().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"rule_set ="))


def small() -> dict[str, str]:
    """What is compared at every test."""
    found = {
        f"{name}, {players} players": mirror(name, players, games)
        for name, games in AGENTS.items()
        for players in COUNTS
    }
    found |= {f"mixed, {players} players": mixed(players, 300) for players in COUNTS}
    found |= {f"lists from {name}": grown(name) for name in GROWN}
    found |= {spec: searched(spec) for spec in SEARCHERS}
    found |= evolved("climb", LIVING) | evolved("best", MEMETIC)
    return found | evolved("quick", QUICK)


def many() -> dict[str, str]:
    """What the slow tests compare too."""
    name = "convention-2026"
    return (
        {
            f"{name}, {players} players, many": mirror(name, players, MANY[name])
            for players in COUNTS
        }
        | {f"mixed, {players} players, many": mixed(players, MANY["mixed"]) for players in COUNTS}
        | evolved("paper-mirror", PAPER)
    )


def playthroughs() -> dict[str, str]:
    """Return one game of each agent with the rule behind each move, by file name."""
    variant = read_variant("standard")
    games = {}
    shown = [
        (name, players, 7)
        for name in AGENTS
        for players in (COUNTS if name == "convention-2026" else (3,))
    ]
    # a game in which it departs from its list
    for name, players, seed in [*shown, ("search:piers,rollouts=300,late=5", 2, 8)]:
        player = load(name).at(players)
        game = play_one(variant.at(players), [player], [0] * players, seed=seed)
        games[f"{name.partition(':')[0]}-{players}.toml"] = game.text
    return games


if __name__ == "__main__":
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for file, text in playthroughs().items():
        (PLAYTHROUGHS / file).write_text(text, encoding="utf-8")
    FILE.write_text(json.dumps(small() | many(), indent=1) + "\n", encoding="utf-8")
