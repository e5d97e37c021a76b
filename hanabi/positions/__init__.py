"""Positions as data and as text, and the history of events that led to them."""
