"""The last turns of a game by a simple schedule, in dealt worlds: what a move may lead to."""
