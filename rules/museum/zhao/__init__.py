"""Zhao 2022: belief search over all hands, against a list as partner, and tree search (UCT)."""

from hanabi.rules.museum.zhao import belief_search, uct  # noqa: F401  registers their agent kinds
