"""Print what the players know before and after a hint.

Run: python examples/what_bob_knows.py
"""

from hanabi import Position
from hanabi.text.explanation import knowledge_text

POSITION = """
variant = "mini"                             # 3 colours, ranks 1-3 with 3, 2, 1 copies
fireworks = "R1 B1 G1"
tokens = 3
[hands]
Ann = ["B1", "G2", "B2"]
Bob = [{bob}]
Cal = ["R1", "G1", "B1"]
"""
BEFORE = '"R2", "G3", "G1"'
AFTER = '"R2 2", "G3 13", "G1 13"'  # Bob was told which of his cards are 2s: slot 0 alone


def main() -> None:
    """Print the knowledge: after the hint Bob knows that slot 0 fits, and Ann knows that."""
    for when, bob in (("Before the hint", BEFORE), ("Bob was told his 2", AFTER)):
        position = Position.read(POSITION.format(bob=bob))
        print(f"== {when}\n{knowledge_text(*position.state(), position.variant)}")


if __name__ == "__main__":
    main()
