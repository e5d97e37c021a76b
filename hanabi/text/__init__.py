"""Games, positions and knowledge as text for people."""
