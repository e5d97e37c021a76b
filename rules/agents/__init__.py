"""Agents: the type and its file format (agent.py), named agents and specs (named.py)."""

from hanabi.conventions.register import find_convention
from hanabi.rulebook import find
from hanabi.rules.agents import responses  # noqa: F401  registers its agent kind
from hanabi.rules.agents.agent import MOST, Agent, counts, dumps, entry_for, fill, loads
from hanabi.rules.agents.named import (
    ABOUT_POOLS,
    NAMED,
    POOLS,
    load,
    mean_score,
    partner_agents,
    pool,
    read_guests,
    read_scores,
    read_worths,
    rules,
)

__all__ = [
    "ABOUT_POOLS",
    "Agent",
    "MOST",
    "NAMED",
    "POOLS",
    "counts",
    "dumps",
    "entry_for",
    "fill",
    "find",
    "find_convention",
    "load",
    "loads",
    "mean_score",
    "partner_agents",
    "pool",
    "read_guests",
    "read_scores",
    "read_worths",
    "rules",
]
