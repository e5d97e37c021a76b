"""Agents and their files (agent.py), pools (pool_file.py), specs (named.py)."""

from hanabi.conventions.register import find_convention
from hanabi.rulebook import find
from hanabi.rules.agents.agent import MOST, Agent, counts, dumps, entry_for, fill, loads
from hanabi.rules.agents.named import (
    NAMED,
    POOLS,
    Spec,
    book_of,
    book_text,
    is_pool,
    load,
    mean_score,
    member_specs,
    partner_agents,
    pool,
    read_guests,
    read_pool,
    read_scores,
    read_worths,
    rules,
)

__all__ = [
    "Agent",
    "MOST",
    "NAMED",
    "POOLS",
    "Spec",
    "book_of",
    "book_text",
    "counts",
    "dumps",
    "entry_for",
    "fill",
    "find",
    "find_convention",
    "is_pool",
    "load",
    "loads",
    "mean_score",
    "member_specs",
    "partner_agents",
    "pool",
    "read_guests",
    "read_pool",
    "read_scores",
    "read_worths",
    "rules",
]
