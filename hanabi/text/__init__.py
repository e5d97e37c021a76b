"""Games, positions and knowledge in words."""
