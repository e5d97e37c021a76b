"""The grade of a score, as printed by Zhao's program (2022) at the end of a game."""

GRADES = ("beginner", "apprentice", "master", "master of the second grade", "king of Hanabi")


def grade(score: int, perfect: int) -> str:
    """Return the grade by fifths of the highest score: up to 20 % beginner, and so on.

    Raises:
        ValueError: For an impossible score.
    """
    if not 0 <= score <= perfect or perfect < 1:
        raise ValueError(f"a score is from 0 to the highest one, not {score} of {perfect}")
    return GRADES[max(0, -(-len(GRADES) * score // perfect) - 1)]
