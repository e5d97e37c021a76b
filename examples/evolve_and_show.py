"""Evolve for a moment, then show the agent and its best game.

Run: python examples/evolve_and_show.py
"""

from hanabi import play_one, read_variant
from hanabi.evolve import evolve, override, play_games, preset


def main(folder: str = "runs", *settings: str) -> None:
    """Evolve in a run folder, print the run, its agent, and the best of 1,000 games."""
    run = evolve(override(preset("quick"), ["players=3", *settings]), folder)
    agent = run.agent
    print(f"{run}\n\n{agent}\n")

    # a DataFrame with one row per game
    games = play_games(agent, players=3, games_each=1_000, seed=7)
    best = games.nlargest(1, "score_zero")
    mean, score = games["score_kept"].mean(), best["score_kept"].item()
    print(f"{mean:.2f} points on average; the best game has {score}:")
    print(play_one(read_variant("standard").at(3), [agent.at(3)], [0, 0, 0], best["seed"].item()))


if __name__ == "__main__":
    main()
