"""Define a rule, put it into an agent and measure the gain.

Run: python examples/own_rule.py
"""

from hanabi import NOTHING, View, play, playable_chance, rule
from hanabi.evolve import compare, tournament
from hanabi.rules import Agent, find


@rule(chance=(0.6, 0.8, 1))
def gamble(view: View, chance: float) -> int:
    """Play my first card whose chance to be playable is at least {chance:.0%}."""
    for slot in range(view.hand_size):
        if playable_chance(view, slot) >= chance:
            return play(slot)
    return NOTHING


def agent(name: str, *rules: str) -> Agent:
    """Make an agent for two to five players from the names of rules, in order."""
    return Agent(name, {"2-5": tuple(find(text) for text in rules)})


def main(games: int = 2_000) -> None:
    """Print the scores of two agents, and which of them is better by how much."""
    safe = "cig2018.play_safe_card"
    others = ("cig2018.tell_anyone_about_useful", "cig2018.osawa_discard")
    careful = agent("careful", safe, *others)
    bold = agent("bold", safe, "gamble(chance=0.6)", *others)
    print(bold)
    print(tournament([careful, bold], players=[3], games_each=games))
    print(compare(bold, careful, players=[3], games=games))


if __name__ == "__main__":
    main()
