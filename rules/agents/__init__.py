"""Agents: the type and its text (agent.py), the named agents as files of this folder and what a spec means (named.py)."""

from hanabi.conventions.register import find_convention
from hanabi.rule import find
from hanabi.search.alone import OpenHand
from hanabi.search.estimator import Estimate
from rules.agents.agent import MOST, Agent, counts, dumps, fill, loads
from rules.agents.named import NAMED, POOLS, load, mean_score, pool, read_scores, rule_set

__all__ = [
    "Agent",
    "Estimate",
    "MOST",
    "NAMED",
    "OpenHand",
    "POOLS",
    "counts",
    "dumps",
    "fill",
    "find",
    "find_convention",
    "load",
    "loads",
    "mean_score",
    "pool",
    "read_scores",
    "rule_set",
]
