"""Irvall's thesis (2023): its agent's rules and its explicit Kripke structure."""

from hanabi.rules.museum.irvall import irvall_rules  # noqa: F401  registers its rules
