"""Agent specs: the named agents, which are the files of this folder, their pools and their scores.

A *spec*, wherever an agent is named, is one of:

* the path of an agent file, or the name of a named agent;
* numbers of a set of rules, such as ``cig2018:46,8,2``;
* ``book:NAME``, the shortest list that plays by a book of conventions (books/);
* ``KIND:…``, an agent of a kind (hanabi/agent_kind.py). ``hanabi agents`` lists them:
  ``search:SPEC[,key=value …]`` is the agent of a spec that searches;
* ``POOL/NAME``, an agent of a named pool or of a pool file (pool_file.py);
* ``python:FILE.py:CLASS[,argument=value …]``, a plain Python player, on a command line only
  (python_player.py).
"""

import os
import re
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from hanabi.agent_kind import KINDS
from hanabi.conventions.register import sort_by_stage
from hanabi.files import read_toml
from hanabi.player import Player
from hanabi.rulebook import BOOK, LIBRARY, Rule, find
from hanabi.rules import SETS
from hanabi.rules.agents.agent import BOOKS, MOST, Agent, counts, from_data, read_book
from hanabi.rules.agents.policy import Policy  # noqa: F401  registers its kind
from hanabi.rules.agents.pool_file import (
    HERE as POOL_FILES,
    Member,
    Pool,
    from_data as pool_from_data,
    load_pool,
)
from hanabi.rules.agents.python_player import agent_of, is_python, named_player
from hanabi.variant import NAME, nearest, shown

HERE = Path(__file__).parent
# specs of agents of pools that lead to the one that is being read
_READING: ContextVar[frozenset[str]] = ContextVar("_READING", default=frozenset())


def read_scores(file: Path | None = None) -> dict[str, dict]:
    """Return the scores of the named agents in mirror play, by name.

    Written by `python -m docs.generate.named_scores`. An entry holds:

    * ``hash``: of the agent that was measured;
    * ``games``: per number of players;
    * "2", "3", …: [mean kept, standard error, mean zero, standard error].
    """
    return _read_measured(file, "scores")


def read_guests(file: Path | None = None) -> dict[str, dict]:
    """Return the scores of the named agents as guests, by name.

    Written by docs/generate/guest_scores.py. An entry holds:

    * ``guest``: [mean kept, standard error] over all hosts but itself;
    * ``among``: the same by host.
    """
    return _read_measured(file, "guests")


def read_worths(file: Path | None = None) -> dict[str, dict]:
    """Return what rules and conventions are worth in some named agents, by agent.

    Written by docs/generate/family_worths.py. An entry holds:

    * ``hash``: of the agent that was measured;
    * ``rules``, ``conventions``: by family [worth, standard error], with 3 players.
    """
    return _read_measured(file, "worths")


def _read_measured(file, name):
    """The data of a file of measurements, by default of the one that is shipped."""
    if file is None:
        return {agent: dict(entry) for agent, entry in _shipped(name).items()}
    return read_toml(file) if file.exists() else {}


@cache
def _shipped(name):
    path = HERE / f"{name}.toml"
    return read_toml(path) if path.exists() else {}


def _named():
    """Return the agent files of this folder by name, in the order of their scores."""
    files = {
        path.stem: path
        for path in sorted(HERE.glob("*.toml"))
        if path.stem not in ("scores", "guests", "worths")
    }
    return {name: files[name] for name in dict.fromkeys((*read_scores(), *files)) if name in files}


NAMED: dict[str, Path] = _named()
"""The files of the named agents, by name."""


POOLS: dict[str, Path] = {
    path.stem: path for path in sorted(POOL_FILES.glob("*.toml"), key=lambda path: path.stem)
}
"""The files of the named pools, by name."""
Spec = str | Agent | Player  # what functions accept as an agent


def load(spec: Spec) -> Agent:
    """Return the agent of a spec or player. Raises ValueError, one line, if there is none."""
    if isinstance(spec, Agent):
        return spec
    if not isinstance(spec, str):
        return agent_of(spec)
    if is_python(spec):
        return named_player(spec)
    if spec in NAMED:
        return _read_named(spec, NAMED[spec])
    name, colon, rest = spec.partition(":")
    is_file = _is_file(spec)
    if name == "book" and colon and not is_file:
        return replace(from_data(read_book(rest), spec), name=spec)
    kind = None if is_file else KINDS.get(name)
    if kind and kind.spec_help and (colon or kind.spec_alone):
        return _of_kind(kind, rest)
    if colon and name in ("hle", "openspiel") and not is_file:
        raise ValueError(
            f"{shown(spec)} is a bot of another engine: only `hanabi tournament` and"
            " `hanabi behave` seat one"
        )
    if spec.endswith(".toml") or is_file:
        data = read_toml(spec)
        if "members" in data:
            raise ValueError(f"{spec!r} is a pool of agents, not one: write {spec}/NAME")
        return from_data(data, spec)
    whole, slash, member = spec.rpartition("/")
    if slash and is_pool(whole):
        found = read_pool(whole)
        return _agent_of(found, found.member(member), spec)
    if colon:
        otherwise = "forfeit" if name.startswith("cig2018") else "default"
        return Agent(spec, {"2-5": _numbered(spec, name, rest)}, otherwise, f"numbers of {name}")
    if is_pool(spec):
        names = member_specs(spec)
        some = ", ".join([*names[:8], *["…"] * (len(names) > 8)])
        raise ValueError(f"{spec!r} is a pool of agents, not one: {some}")
    raise ValueError(
        f"no agent {shown(spec)}{nearest(spec, NAMED)}: write an agent file, a name that "
        "`hanabi agents` lists, or numbers of a set such as cig2018:46,8,2"
    )


@cache
def _read_named(name, path):
    return from_data(read_toml(path), name)


def _of_kind(kind_class, text):
    """Return the agent of a kind whose spec, without the prefix, is ``text``."""
    key = kind_class.key
    list_spec, settings = kind_class.split_spec(text)
    if list_spec.startswith(f"{key}:") and not _is_file(list_spec):
        raise ValueError(f"{key}:{text}: {key} is there twice; write {text}")
    agent = load(list_spec).listed if list_spec or kind_class.needs_list else None
    if agent and agent.kind:
        raise ValueError(
            f"{agent.name} {agent.kind.phrase}: {agent.kind.refuse_nesting(agent.name, kind_class)}"
        )
    kind = kind_class.from_table(settings, from_data)
    parts = [agent.name if agent else "", str(kind)]
    name = ":".join(filter(None, [key, ",".join(filter(None, parts))]))
    name = name if len(name) <= NAME else name[: NAME - 1] + "…"
    agent = agent or kind.usual or Agent(name, {}, kind=kind)
    if kind.source:
        agent = replace(
            agent,
            source=kind.source,
            differs=(kind.differs(bool(agent.lists)) or agent.differs),
            provenance={},
        )
    return replace(agent, kind=kind, name=name)


def _is_file(spec):
    try:
        return Path(spec).is_file()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def _numbered(spec, name, numbers):
    """Return the rules at some numbers, such as "46,8,2", of a named set."""
    entries = rules(name)
    picked = []
    if numbers.count(",") >= MOST:
        raise ValueError(f"agent {spec[:80]!r}…: more than {MOST:,} rules")
    for text in numbers.split(","):
        number = text.strip()
        is_number = number.isascii() and number.isdigit() and len(number) < 9
        if not is_number or int(number) >= len(entries):
            raise ValueError(
                f"agent {spec[:80]!r}: {number[:20]!r} is no number of the set {name}, "
                f"which has 0 to {len(entries) - 1}"
            )
        picked.append(entries[int(number)])
    return tuple(picked)


def rules(set_name: str = "") -> list[Rule]:
    """Return the rules of the book, or of one of its sets, each at the place of its number.

    Raises:
        ValueError: There is no set of this name, or it has no rule.
    """
    if not set_name:
        LIBRARY.load()
        return list(BOOK.values())
    if not SETS.find(set_name):
        raise ValueError(f"the set {set_name} has no rule: its file has only conventions")
    return [find(name) for name in SETS[set_name]]


def is_pool(name: str) -> bool:
    """Return whether a text names a pool: a named one or a pool file, or ``POOL:train``, a part."""
    whole = _split_part(name)[0]
    is_file = whole.endswith(".toml") and _is_file(whole)
    return whole in POOLS or is_file and _pool_in(whole) is not None


def _pool_in(file):
    """Return the pool in a TOML file, None where it holds something else."""
    found = os.stat(file)
    return _read_pool_file(file, os.path.abspath(file), found.st_mtime_ns, found.st_size)


@lru_cache(1024)
def _read_pool_file(file, *version):
    """Read a pool file: once for all its agents, until it changes."""
    data = read_toml(file)
    return pool_from_data(data, file) if "members" in data else None


def _split_part(name):
    """Return (pool, part) of ``POOL:part``; the part is "" for the whole pool."""
    whole, colon, part = name.rpartition(":")
    is_part = colon and (whole in POOLS or whole.endswith(".toml"))
    return (whole, part) if is_part else (name, "")


def read_pool(name: str) -> Pool:
    """Return a named pool or that of a pool file; of ``POOL:train`` the members of this part.

    Raises:
        ValueError: there is no such pool or part, in one line.
    """
    whole, part = _split_part(name)
    if whole in POOLS:
        found = _named_pool(whole)
    elif whole.endswith(".toml"):
        found = (_pool_in(whole) if _is_file(whole) else None) or load_pool(whole)
    else:
        raise ValueError(f"no pool {name!r}{nearest(name, POOLS)}; there are {', '.join(POOLS)}")
    return replace(found, members=found.part(part)) if part else found


@cache
def _named_pool(name):
    return load_pool(POOLS[name])


def member_specs(name: str) -> list[str]:
    """Return the specs of the agents of a pool; a text that names no pool is a spec itself.

    Raises:
        ValueError: a pool has no such part.
    """
    if not is_pool(name):
        return [name]
    whole = _split_part(name)[0]
    return [
        member.agent if isinstance(member.agent, str) else f"{whole}/{member.name}"
        for member in read_pool(name).members
    ]


def _agent_of(found: Pool, member: Member, spec: str) -> Agent:
    """Return the agent of a member of a pool, through other pools if it is an agent of these.

    Raises:
        ValueError: It leads back to itself, in one line.
    """
    seen = set(_READING.get())
    while isinstance(member.agent, str):
        if spec in seen:
            raise ValueError(f"{shown(spec)} is itself again, through the pools that it names")
        seen.add(spec)
        spec = member.agent
        whole, slash, name = spec.rpartition("/")
        if not slash or not is_pool(whole):
            if _READING.get() and spec.partition(":")[0] in KINDS:
                raise ValueError(f"{shown(spec)} stands in another agent of a kind: leave one out")
            token = _READING.set(frozenset(seen))
            try:
                return load(spec)  # of a kind, perhaps, whose list is an agent of a pool again
            finally:
                _READING.reset(token)
        found = read_pool(whole)
        member = found.member(name)
    return from_data(
        {"name": f"{found.name}-{member.name}"} | member.agent, f"{found.name}/{member.name}"
    )


@cache
def _languages() -> dict[str, Agent]:
    return {name: load(f"book:{name}") for name in BOOKS}


def book_of(agent: Agent, players: int) -> str:
    """Return the book whose conventions an agent has with some players; "" for other conventions.

    Agents with the same book understand each other's hints. An agent without conventions has the
    book ``plain``.
    """
    agent = agent.listed
    if not agent.lists or agent.kind:
        return ""
    has = sort_by_stage(agent.list_at(players).conventions)
    for name, one in _languages().items():
        if one.plays(players) and sort_by_stage(one.list_at(players).conventions) == has:
            return name
    return ""


def book_text(agent: Agent) -> str:
    """Return the books of an agent in words: ``convention (2), pairs (3-5)``, or ``no book``."""
    found: dict[str, list[int]] = {}
    for players in filter(agent.plays, counts("2-5")):
        found.setdefault(book_of(agent, players) or "no book", []).append(players)
    if len(found) < 2:
        return "".join(found) or "no book"
    spans = {
        book: f"{some[0]}-{some[-1]}" if some[1:] else f"{some[0]}" for book, some in found.items()
    }
    return ", ".join(f"{book} ({span})" for book, span in spans.items())


def pool(name: str) -> list[Agent]:
    """Return the agents of a pool, in its order. Raises ValueError, one line, without such one."""
    found = read_pool(name)
    return [_agent_of(found, member, f"{name}/{member.name}") for member in found.members]


def partner_agents(names: Iterable[Spec]) -> list[Agent]:
    """Return the agents of some pools and agent specs, in their order.

    Raises:
        ValueError: for a word that is neither a pool nor an agent; it lists the pools.
    """
    found = []
    for name in names:
        if isinstance(name, str) and is_pool(name):
            found += pool(name)
        elif isinstance(name, str) and _is_unknown_word(name):
            raise ValueError(
                f"no pool or agent {shown(name)}{nearest(name, [*POOLS, *NAMED])}: the pools are "
                f"{', '.join(POOLS)} (`hanabi pool list` describes them); or write agent specs"
            )
        else:
            found.append(load(name))
    return found


def _is_unknown_word(name):
    known = name in NAMED or name in KINDS and KINDS[name].spec_alone or _is_file(name)
    return not known and re.fullmatch(r"[\w-]*", name) is not None


def mean_score(entry: dict) -> tuple[float, float, float, float]:
    """Return (kept, s.e., zero, s.e.) of an entry of ``read_scores``, over its player counts."""
    cells = [values for key, values in entry.items() if key.isdigit()]
    kept, kept_error, zero, zero_error = zip(*cells)
    return (
        sum(kept) / len(cells),
        sum(e * e for e in kept_error) ** 0.5 / len(cells),
        sum(zero) / len(cells),
        sum(e * e for e in zero_error) ** 0.5 / len(cells),
    )
