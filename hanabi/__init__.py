"""Hanabi: the game, what players know, and the agents who play it."""
__version__ = "0.1.0"
