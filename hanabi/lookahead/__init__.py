"""Look-ahead players: belief over my hand, rollouts in imagined worlds, choice of a move.

A look-ahead seat is a Player (look_ahead_player.py) and knows no more than any other. belief.py
says which hands it may hold, rollout.py plays imagined worlds to the end, race.py chooses between
the moves.
"""
