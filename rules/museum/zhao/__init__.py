"""Zhao 2022: belief search over all hands, against a list as partner, and tree search (UCT)."""
