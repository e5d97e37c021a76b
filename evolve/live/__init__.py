"""Agents that play on hanab.live."""
