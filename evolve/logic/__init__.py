"""Formulas and puzzles of knowledge at the command line, by hanabi.logic."""
