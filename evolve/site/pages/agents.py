"""The list of all agents, and a page for each: its list, its scores, and its uses."""

from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from hanabi.evolve.lessons.agent_lessons import is_taught
from hanabi.evolve.measure.arena import Arena, mean_sem
from hanabi.evolve.measure.game_sums import points
from hanabi.evolve.measure.paired import Estimate
from hanabi.evolve.pools.partner_menu import partner
from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.site.page_registry import (
    SCRIPTS,
    ListPage,
    Request,
    Response,
    SiteContext,
    answer_with_file,
    get,
    post,
    read_number,
)
from hanabi.files import file_mark
from hanabi.rules.agents import (
    NAMED,
    Agent,
    counts,
    dumps,
    entry_for,
    load,
    mean_score,
    read_guests,
    read_scores,
)
from hanabi.rules.agents.agent import FAMILIES_OF_AGENTS, OTHERWISE

WORDS = FAMILIES_OF_AGENTS | {"search": "searching", "mine": "mine"}
MEASURED_GAMES = 1_000  # per player count: a second for a list with conventions
MEDIAN_OF = 101  # games, the one of median points is shown
KEPT = 500  # agents that were read last
NEIGHBOURS = 3  # best and worst partners that are shown


def describe(name: str, spec: str) -> dict[str, Any]:
    """Return an agent as data for the list of agents.

    Returns:
        ``name``, ``family`` (a key of WORDS), ``family_words``, ``source``, ``rules`` and
        ``conventions`` (the most at a player count; None for a player without a list),
        ``players`` ({count: [mean, standard error]}), ``mean`` and ``guest`` ([mean, standard
        error] or None), ``sees_own_hand``, ``slow``, ``file`` (it is no named agent), ``error``;
        ``expects`` (what the menu of a table says of it as a partner) and ``taught`` (it has
        lessons).
    """
    row: dict[str, Any] = {
        "name": name,
        "family": "mine",
        "family_words": WORDS["mine"],
        "source": "",
        "rules": None,
        "conventions": None,
        "players": {},
        "mean": None,
        "guest": None,
        "sees_own_hand": False,
        "slow": False,
        "file": name not in NAMED,
        "error": "",
        "expects": partner(name).line,
        "taught": False,
    }
    try:
        agent = load_kept(spec)
    except ValueError as error:
        return row | {"error": str(error)}
    family = family_of(agent)
    player = next((agent.at(count) for count in range(2, 6) if agent.plays(count)), None)
    spoken = max(map(len, agent.conventions.values()), default=0)
    about = {
        "family": family,
        "family_words": WORDS[family],
        "source": agent.source,
        "rules": max(map(len, agent.lists.values()), default=None),
        "conventions": spoken if agent.lists else None,
        "sees_own_hand": bool(getattr(player, "sees_own_hand", False)),
        "slow": agent.is_slow,
        "taught": is_taught(agent),
    }
    return row | about | known_scores(agent, name)


def load_kept(spec: str) -> Agent:
    """Return the agent of a spec; an agent file is read again only if it has changed.

    Raises:
        ValueError: There is none. One line.
    """
    return _load_marked(spec, file_mark(spec))


@lru_cache(KEPT)
def _load_marked(spec: str, mark: tuple[int, int]) -> Agent:
    return load(spec)


def family_of(agent: Agent) -> str:
    """Return the family of an agent: a key of WORDS."""
    if agent.kind is not None and agent.is_slow:
        return "search"
    if agent.family:
        return agent.family
    return "evolved" if agent.provenance.get("run") or "score" in agent.provenance else "mine"


def known_scores(agent: Agent, name: str) -> dict[str, Any]:
    """Return ``players``, ``mean`` and ``guest`` of an agent as far as they were measured."""
    found: dict[str, Any] = {}
    entry = read_scores().get(name, {})
    if name in NAMED and entry.get("hash") == agent.hash:
        found["players"] = {key: list(row[:2]) for key, row in entry.items() if key.isdigit()}
        found["mean"] = list(mean_score(entry)[:2])
    elif "score" in agent.provenance:
        with suppress(KeyError, TypeError, ValueError):
            found["mean"] = [float(agent.provenance[key]) for key in ("score", "sem")]
    if name in NAMED and name in read_guests():
        found["guest"] = list(read_guests()[name]["guest"])
    return found


def measure(spec: str, games: int = MEASURED_GAMES) -> dict[str, Any]:
    """Play some games at each player count; return ``players`` and ``mean``.

    Raises:
        ValueError: The agent takes too long for this, or cannot play.
    """
    agent = load(spec)
    if agent.is_slow:
        raise ValueError("It takes long to move: measure it in a tournament, which tells how long.")
    arena = Arena([count for count in range(2, 6) if agent.plays(count)])
    with arena.workers as workers:
        matches = [arena.match(count, agent, None, games) for count in arena.players]
        results = [points(one["score"], one["end"], "kept") for one in workers.play(matches)]
    players = {str(count): [*Estimate.of(kept)] for count, kept in zip(arena.players, results)}
    mean, sem = mean_sem(np.stack(results))
    return {"players": players, "mean": [float(mean), float(sem)], "games": games}


def median_game(spec: str, players: int) -> dict[str, Any]:
    """Return the game of median points among some games of an agent with copies of itself.

    Of an agent that thinks ahead it is a single game.

    Raises:
        ValueError: The agent does not play at this number of players.
    """
    agent = load(spec)
    if players not in range(2, 6) or not agent.plays(players):
        raise ValueError(f"{agent.name} does not play with {players} players.")
    arena = Arena([players])
    match = arena.match(players, agent, None, 1 if agent.is_slow else MEDIAN_OF)
    with arena.workers as workers:
        (results,) = workers.play([match])
    order = np.argsort(results["score"], kind="stable")
    game, seated = match.replay(int(order[(len(order) - 1) // 2]))
    data = game_data(game, seated)
    of = f"the median of {len(order)} games" if len(order) > 1 else "a game"
    data["title"] = f"{of} with {players} players: {game.score} points"
    return data


def lists_of(agent: Agent) -> list[dict[str, Any]]:
    """Return the lists of an agent as sentences.

    Returns:
        For each list ``key``, ``rules``, ``otherwise``, ``conventions`` and ``weights``.
    """
    return [
        {
            "key": key,
            "rules": [rule.says for rule in rules],
            "otherwise": OTHERWISE[agent.otherwise],
            "conventions": [
                entry.says for entry in entry_for(counts(key)[0], agent.conventions, ())
            ],
            "weights": dict(entry_for(counts(key)[0], agent.weights, {})),
        }
        for key, rules in agent.lists.items()
    ]


def neighbours(name: str) -> dict[str, list[tuple[str, float, float]]]:
    """Return the hosts among which a named agent scores best and worst: (host, mean, s.e.)."""
    among = read_guests().get(name, {}).get("among", {})
    rows = sorted(((host, *row) for host, row in among.items()), key=lambda row: -row[1])
    half = min(NEIGHBOURS, len(rows) // 2)
    return {"best": rows[:half], "worst": rows[len(rows) - half :]} if half else {}


class AgentsPage(ListPage):
    """The pages of the agents which may be seated; a script fills the list."""

    title, path, order = "Agents", "/agents", 4
    item_path = "/agents/{name:path}"
    template, scripts = "agents.html.j2", ("signs.js", "tables.js", "agents-chart.js", "agents.js")
    item_template, item_scripts = "agent.html.j2", (*SCRIPTS, "agent.js")

    def __init__(self, site: SiteContext) -> None:
        super().__init__(site)
        self.measured: dict[str, dict[str, Any]] = {}  # by name, scores that this site measured

    def find(self, request: Request) -> tuple[str, str]:
        """Return the name in an address and its spec. Raises HTTPException 404."""
        name = request.path_params["name"]
        return name, self.site.find_agent(name)

    def list_values(self, request: Request) -> dict[str, Any]:
        """Return the families by which the list is filtered."""
        return {"families": WORDS}

    def item_values(self, request: Request) -> dict[str, Any]:
        """Return an agent with its scores, its lists as sentences, and who plays well with it."""
        name, spec = self.find(request)
        agent = load(spec)
        return {
            "agent": describe(name, spec) | self.measured.get(name, {}),
            "lists": lists_of(agent),
            "counts": [count for count in (2, 3, 4, 5) if agent.plays(count)],
            "text": "" if agent.lists else str(agent),
            "neighbours": neighbours(name),
            "listed": name in self.site.agents,
        }

    @get("/agents/state")
    def states(self, request: Request) -> list[dict[str, Any]]:
        """All agents as data, the best first."""
        self.site.runs.states()
        rows = [
            describe(name, spec)
            | self.measured.get(name, {})
            | {"listed": name in self.site.agents}  # workbench opens it
            for name, spec in self.site.seated.items()
        ]
        return sorted(rows, key=lambda row: -(row["mean"] or [-1])[0])

    @get("/agents/{name:path}/file")
    def file(self, request: Request) -> Response:
        """The file of an agent, to be kept."""
        name, spec = self.find(request)
        safe = "".join(letter if letter.isalnum() or letter in "-." else "-" for letter in name)
        return answer_with_file(dumps(load(spec)), f"{safe}.toml", "application/toml")

    @get("/agents/{name:path}/lists")
    def lists(self, request: Request) -> dict[str, Any]:
        """The lists of an agent as sentences."""
        return {"lists": lists_of(load(self.find(request)[1]))}

    @get("/agents/{name:path}/median", slow=True)
    def median(self, request: Request) -> list[dict[str, Any]]:
        """A game of an agent with copies of itself, of median points: ``?players=3``."""
        _, spec = self.find(request)
        return [median_game(spec, read_number(request.query_params.get("players", "3")))]

    @post("/agents/{name:path}/measure", slow=True)
    def measure(self, request: Request, data: dict[str, Any]) -> dict[str, Any]:
        """Measure an agent among copies of itself: a second for most."""
        name, spec = self.find(request)
        self.measured[name] = measure(spec)
        return self.measured[name]
