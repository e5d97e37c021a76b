"""Agents: the type and its text (agent.py), the named agents as files of this folder and what a spec means (named.py)."""

from hanabi.conventions.register import find_convention
from hanabi.rulebook import find
from hanabi.rules.agents.agent import MOST, Agent, counts, dumps, fill, loads
from hanabi.rules.agents.named import (
    ABOUT_POOLS,
    NAMED,
    POOLS,
    load,
    mean_score,
    partner_agents,
    pool,
    read_scores,
    rules,
)
from hanabi.rules.museum.osawa.estimating_player import EstimatorKind
from hanabi.rules.museum.osawa.kernel_games import OpenHandKind

__all__ = [
    "ABOUT_POOLS",
    "Agent",
    "EstimatorKind",
    "MOST",
    "NAMED",
    "OpenHandKind",
    "POOLS",
    "counts",
    "dumps",
    "fill",
    "find",
    "find_convention",
    "load",
    "loads",
    "mean_score",
    "partner_agents",
    "pool",
    "read_scores",
    "rules",
]
