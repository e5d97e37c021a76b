"""Osawa 2015: rules and the player that estimates its hand from its partner's moves."""

from hanabi.rules.museum.osawa import rules  # noqa: F401  registers its rules
