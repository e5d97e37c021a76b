"""Positions: what a seat's decision depends on, as data and as text, and the history behind it."""
