"""STUB until the real one lands from main: agents, reading and writing agent files."""
from __future__ import annotations

import importlib
import tomllib
from dataclasses import dataclass, field

import tomlkit

from hanabi.rule import BOOK, Rule, find
from hanabi.table import Strategy


@dataclass(frozen=True)
class Agent:
    name: str
    lists: dict[str, tuple[Rule, ...]]
    otherwise: str = "default"
    provenance: dict = field(default_factory=dict)

    def at(self, players: int) -> Strategy:
        for key, rules in self.lists.items():
            low, _, high = key.partition("-")
            if int(low) <= players <= int(high or low):
                return Strategy(rules, self.otherwise)
        raise ValueError(f"agent {self.name} has no list for {players} players")


def dumps(agent: Agent, shares: dict | None = None) -> str:
    document = tomlkit.document()
    document["name"], document["otherwise"] = agent.name, agent.otherwise
    lists = tomlkit.table()
    for key, rules in agent.lists.items():
        array = tomlkit.array()
        for i, rule in enumerate(rules):
            share = f"{shares[key][i]:.1%}  " if shares else ""
            array.add_line(rule.name, comment=share + rule.says)
        array.add_line()
        lists[key] = array
    document["lists"] = lists
    document["provenance"] = agent.provenance
    return tomlkit.dumps(document)


def loads(text: str, where: str = "agent") -> Agent:
    data = tomllib.loads(text)
    return Agent(data["name"], {key: tuple(map(find, names)) for key, names in data["lists"].items()},
                 data["otherwise"], data["provenance"])


def load(spec: str) -> Agent:
    if spec.endswith(".toml"):
        with open(spec, encoding="utf-8") as file:
            return loads(file.read(), spec)
    set_name, _, numbers = spec.partition(":")
    rules = rule_set(set_name)
    return Agent(spec, {"2-5": tuple(rules[int(n)] for n in numbers.split(","))}, "forfeit")


def rule_set(name: str) -> list[Rule]:
    try:
        importlib.import_module(f"rules.{name}")
    except ImportError:
        pass
    found = [entry for key, entry in BOOK.items() if key.startswith(name + ".")]
    if not found:
        raise ValueError(f"no set of rules {name!r}")
    return found


def pool(name: str) -> list[Agent]:
    raise ValueError(f"no pool {name!r}")
