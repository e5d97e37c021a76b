"""Osawa 2015: rules and the player that estimates its hand from its partner's moves."""

from hanabi.rules.museum.osawa import (  # noqa: F401  registers its rules and agent kinds
    estimating_player,
    osawa_rules,
)
