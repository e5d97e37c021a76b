"""The grade of a score, as Zhao's program (2022) says it at the end of a game."""

GRADES = ("beginner", "apprentice", "master", "master of the second grade", "king of Hanabi")


def grade(score: int, perfect: int) -> str:
    """The grade by fifths of the highest score: up to 20 % beginner, up to 40 % apprentice, … ValueError for no such score."""
    if not 0 <= score <= perfect or perfect < 1:
        raise ValueError(f"a score is from 0 to the highest one, not {score} of {perfect}")
    return GRADES[max(0, -(-len(GRADES) * score // perfect) - 1)]
