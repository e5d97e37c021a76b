"""Hanabi: the game, what players know, and the agents who play it."""
