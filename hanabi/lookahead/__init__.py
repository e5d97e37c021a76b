"""Thinking ahead: what I may hold, given what my partners did (belief), worlds in which every move is tried to the end
(worlds), and the choice between them (racing). A searching seat is a Player (player.py); it is told no more than any other.
"""
