"""Which agent a spec means: the named agents, which are the files of this folder, their pools and their scores.

A *spec*, wherever an agent is asked for, is the path of an agent file, the name of a named agent, or numbers of a set of
rules, such as ``cig2018:46,8,2``. ``search:SPEC[,key=value …]`` is the agent of a spec that thinks ahead (hanabi/lookahead),
``partners:POOL[,key=value …]`` one that finds out which agent of a pool each of its partners is (responses.py),
``self:SPEC[,key=value …]`` one that simulates its partners, as followers of its own list (rules/museum/osawa/estimating_player.py),
``zhao[:key=value …]`` Zhao's belief search, ``zhao:SPEC[,key=value …]`` the same with the list of the spec for its partner,
``uct:SPEC[,key=value …]`` tree search in worlds where nothing is hidden, the list of the spec for its playouts.
``python:FILE.py:CLASS[,argument=value …]`` is a plain Python player, on a command line only (plain.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hanabi.files import read_toml
from hanabi.lookahead.player import read_search
from hanabi.lookahead.settings import read_pairs
from hanabi.player import Player
from hanabi.rulebook import BOOK, Rule, find
from hanabi.rules import SETS
from hanabi.rules.agents.agent import MOST, Agent, from_data
from hanabi.rules.agents.python_player import agent_of, is_python, named_player
from hanabi.rules.agents.responses import Recognition, recognition
from hanabi.rules.museum.osawa.estimating_player import EstimatorKind
from hanabi.rules.museum.zhao.belief_search import read_zhao
from hanabi.rules.museum.zhao.uct import Uct
from hanabi.variant import NAME, nearest, shown

HERE = Path(__file__).parent


def read_scores(file: Path = HERE / "scores.toml") -> dict[str, dict]:
    """What the named agents score in mirror play, by name: ``hash`` of the agent that was measured, ``games`` per player
    count, and by player count ("2", …) [mean kept, s.e., mean zero, s.e.]. Written by `hanabi agents --measure`."""
    return read_toml(file) if file.exists() else {}


def _named():
    """The agent files of this folder by name: in the order of their scores, those without last."""
    files = {
        path.stem: path
        for path in sorted(HERE.glob("*.toml"))
        if path.stem not in ("scores", "pools")
    }
    return {name: files[name] for name in dict.fromkeys((*read_scores(), *files)) if name in files}


NAMED: dict[str, Path] = _named()
_pools = read_toml(HERE / "pools.toml")
POOLS: dict[str, list[str]] = {name: entry["agents"] for name, entry in _pools.items()}
ABOUT_POOLS: dict[str, str] = {name: entry["says"] for name, entry in _pools.items()}
Spec = str | Agent | Player  # what functions take for an agent


def load(spec: Spec) -> Agent:
    """The agent that a spec means, or that a player is. Raises ValueError, one line, if there is none."""
    if isinstance(spec, Agent):
        return spec
    if not isinstance(spec, str):
        return agent_of(spec)
    if is_python(spec):
        return named_player(spec)
    if spec in NAMED:
        return from_data(read_toml(NAMED[spec]), spec)
    name, colon, numbers = spec.partition(":")
    if (colon or name in ALONE) and name in KINDS and not _is_file(spec):
        return KINDS[name](numbers)
    if colon and name in ("hle", "openspiel") and not _is_file(spec):
        raise ValueError(
            f"{shown(spec)} is a bot of another engine, and `hanabi tournament` alone seats one"
        )
    if spec.endswith(".toml") or _is_file(spec):
        return from_data(read_toml(spec), spec)
    if colon:
        return Agent(
            spec,
            {"2-5": _numbered(spec, name, numbers)},
            "forfeit" if name.startswith("cig2018") else "default",
            f"numbers of {name}",
        )
    if spec in POOLS:
        raise ValueError(f"{spec!r} is a pool of agents, not one: {', '.join(POOLS[spec])}")
    raise ValueError(
        f"no agent {shown(spec)}{nearest(spec, NAMED)}: write an agent file, a name that `hanabi agents` lists, "
        "or numbers of a set such as cig2018:46,8,2"
    )


def _searching(text):
    """The agent of a spec and, behind it, of how it searches."""
    spec, settings = _split(text)
    if spec.startswith("search:") and not _is_file(spec):
        raise ValueError(
            f"search:{text}: search stands there twice; write {spec}{',' * bool(settings)}{settings}"
        )
    agent = load(spec).listed
    if isinstance(agent.way, Recognition):
        raise ValueError(f"{agent.name} thinks ahead by itself: write {agent.name},rollouts=300")
    return _with(agent, read_search(settings), "piers")


def _estimating(text):
    """The agent of a spec and, behind it, of how it estimates its hand."""
    spec, settings = _split(text)
    return _with(
        load(spec).listed, EstimatorKind.from_data(read_pairs(settings, "self", "a=2.5")), "outer"
    )


def _finding_out(text):
    """The agent that finds out who its partners are, by a pool and, behind it, how."""
    pool_name, _, settings = text.partition(",")
    found = recognition(
        {"pool": pool_name} | read_pairs(settings, "partners", "hands=32"), from_data
    )
    return replace(
        found.usual,
        name=_fitting(f"partners:{found}"),
        source="a response table",
        provenance={},
        way=found,
    )


def _believing(text):
    """Zhao's belief search with some settings, with the list of a spec, if there is one, for its partner."""
    spec, settings = ("", text) if "=" in text.partition(",")[0] else _split(text)
    way = read_zhao(settings)
    if spec:
        return _published(load(spec).listed, way)
    return Agent(
        _fitting("zhao" + (f":{way}" if str(way) else "")),
        {},
        source=way.source,
        differs=way.differs(False),
        way=way,
    )


def _growing(text):
    """The agent of a spec whose list plays the games of a tree search to their end, and, behind it, how that grows."""
    spec, settings = _split(text)
    return _published(load(spec).listed, Uct.from_data(read_pairs(settings, "uct", "worlds=10")))


def _published(agent, way):
    """A list as the agent of a search that was published."""
    return replace(
        _with(agent, way, "piers"), source=way.source, differs=way.differs(True), provenance={}
    )


def _with(agent, way, such_as):
    """A list as an agent that decides in some way. ValueError, one line, for an agent that has one already."""
    if agent.way:
        raise ValueError(
            f"{agent.name} {agent.way.does}: write the spec of a list behind {way.key}:, such as {way.key}:{such_as}"
        )
    return replace(
        agent, way=way, name=_fitting(f"{way.key}:{agent.name}" + (f",{way}" if str(way) else ""))
    )


def _split(text):
    """(a spec, the settings behind it): items without = belong to the spec."""
    items = text.split(",")
    count = len(items)
    while count > 1 and "=" in items[count - 1]:
        count -= 1
    return ",".join(items[:count]), ",".join(items[count:])


def _fitting(name):
    """A name that an agent file may hold."""
    return name if len(name) <= NAME else name[: NAME - 1] + "…"


# what may stand before a colon that is no set of rules; some alone
KINDS = {
    "search": _searching,
    "partners": _finding_out,
    "self": _estimating,
    "zhao": _believing,
    "uct": _growing,
}
ALONE = ("zhao",)


def _is_file(spec):
    try:
        return Path(spec).is_file()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def _numbered(spec, name, numbers):
    """The rules at some numbers, such as "46,8,2", of a named set."""
    entries = rules(name)
    picked = []
    if numbers.count(",") >= MOST:
        raise ValueError(f"agent {spec[:80]!r}…: more than {MOST:,} rules")
    for number in numbers.split(","):
        number = number.strip()
        if not (
            number.isascii() and number.isdigit() and len(number) < 9 and int(number) < len(entries)
        ):
            raise ValueError(
                f"agent {spec[:80]!r}: {number[:20]!r} is no number of the set {name}, which has 0 to {len(entries) - 1}"
            )
        picked.append(entries[int(number)])
    return tuple(picked)


def rules(set_name: str = "") -> list[Rule]:
    """Return the rules of the book, or of one of its sets, each at the place of its number.

    Raises:
        ValueError: There is no set of this name, or it has no rule.
    """
    if not set_name:
        return list(BOOK.values())
    if set_name not in SETS:
        raise ValueError(
            f"no set of rules {set_name!r}{nearest(set_name, SETS)}; there are {', '.join(SETS)}"
        )
    if not SETS[set_name]:
        raise ValueError(f"the set {set_name} has no rule: its file has only conventions")
    return [find(name) for name in SETS[set_name]]


def pool(name: str) -> list[Agent]:
    """The agents of a named pool, in its order. Raises ValueError where there is none of that name."""
    if name not in POOLS:
        raise ValueError(f"no pool {name!r}{nearest(name, POOLS)}; there are {', '.join(POOLS)}")
    return [load(member) for member in POOLS[name]]


def partner_agents(names: Iterable[Spec]) -> list[Agent]:
    """Return the agents of some pools and agent specs, in their order.

    Raises:
        ValueError: for a word that is neither a pool nor an agent; it lists the pools.
    """
    found = []
    for name in names:
        if isinstance(name, str) and name in POOLS:
            found += pool(name)
        elif (
            isinstance(name, str)
            and name not in NAMED
            and name not in ALONE
            and re.fullmatch(r"[\w-]*", name)
            and not _is_file(name)
        ):
            raise ValueError(
                f"no pool or agent {shown(name)}{nearest(name, [*POOLS, *NAMED])}: the pools are {', '.join(POOLS)} "
                "(`hanabi agents --pools` describes them); or write agent specs"
            )
        else:
            found.append(load(name))
    return found


def mean_score(entry: dict) -> tuple[float, float, float, float]:
    """(kept, s.e., zero, s.e.) of an entry of ``read_scores``: the mean over its player counts."""
    cells = [values for key, values in entry.items() if key.isdigit()]
    kept, kept_error, zero, zero_error = zip(*cells)
    return (
        sum(kept) / len(cells),
        sum(e * e for e in kept_error) ** 0.5 / len(cells),
        sum(zero) / len(cells),
        sum(e * e for e in zero_error) ** 0.5 / len(cells),
    )
