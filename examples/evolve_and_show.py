"""A tiny evolution, its agent, and the best game that it plays. Run: python examples/evolve_and_show.py"""
from evolve.config import override, preset
from evolve.run import evolve
from evolve.tournament import play
from hanabi.record import play_one
from hanabi.variant import read_variant
from rules.agents import load


def main(folder: str = "runs", *settings: str) -> None:
    """Evolve in a run folder below ``folder``, print the agent file, its score and its best game of many."""
    run = evolve(override(preset("quick"), ["players=3", *settings]), folder)
    agent = load(str(run / "best.toml"))
    print((run / "best.toml").read_text(encoding="utf-8"))

    games = play(agent, players=3, games_each=1_000, seed=7)                 # a DataFrame with one row per game
    best = games.nlargest(1, "score_zero")
    print(f"{games['score_kept'].mean():.2f} points on average; the best game has {best['score_kept'].item()}:")
    print(play_one(read_variant("standard").at(3), [agent.at(3)], [0, 0, 0], best["seed"].item()))


if __name__ == "__main__":
    main()
