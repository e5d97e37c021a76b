"""Command that reviews a game: what each move cost."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hanabi.evolve.cli.command_registry import register_command
from hanabi.evolve.cli.games import GAMES
from hanabi.evolve.cli.options import AsJson, RuleFiles, Slots, load_rules, turns_in
from hanabi.evolve.cli.printing import print_json, print_table, say
from hanabi.evolve.cli.progress_display import working

if TYPE_CHECKING:
    from hanabi.evolve.analysis.game_review import GameReview


@register_command("Look", "game.toml --html review.html")
def review(
    path: Annotated[str, typer.Argument(metavar="GAME|LINK", help=f"A game: {GAMES}.")],
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="SPEC",
            help="The agent that all seats are taken to follow from each position on; by default"
            " those that played, and piers for people.",
        ),
    ] = None,
    rollouts: Annotated[
        int, typer.Option(min=100, max=100_000, help="Games played out per move, at most.")
    ] = 4_000,
    turns: Annotated[
        str | None,
        typer.Option("--turns", metavar="FROM-TO", help="Only these: 10-20, 10-, -20 or 15."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the review as one self-contained page.")
    ] = None,
    hanab_live: Annotated[
        Path | None,
        typer.Option("--hanab-live", help="Write the game for hanab.live, with its notes."),
    ] = None,
    slots: Slots = "hanab-live",
    json: AsJson = False,
    files: RuleFiles = None,
) -> None:
    """Say what each move of a game cost.

    Plays every move and all other candidates out in sampled worlds that fit what the player saw,
    and prints the three moves that cost most with the better move and why. Points are expected
    scores if every seat follows the agent of --by from there on. With an empty deck they are exact.
    """
    with working("reviewing the game") as progress:
        from hanabi.evolve.analysis.game_review import review_game
        from hanabi.files import write_whole
        from hanabi.formats.hanab_live import to_json
        from hanabi.game_reader import load_game
        from hanabi.lookahead.move_values import ReviewSettings
        from hanabi.text.slot_numbering import numbering

        load_rules(files)
        numbered, game = numbering(slots), load_game(path)
        settings = ReviewSettings(rollouts, max(50, rollouts // 5))
        wanted = turns_in(turns, len(game.moves))
        found = review_game(game, by, settings, progress, wanted, numbered)
        if html:
            from hanabi.evolve.reports.review_page import review_page

            write_whole(html, review_page(found))
        if hanab_live:
            write_whole(hanab_live, to_json(found.with_notes()))
    if json:
        print_json(found.data())
    else:
        print_review(found)
    for written in filter(None, (html, hanab_live)):
        say(f"Written: {written}")


def print_review(found: GameReview) -> None:
    """Print a review: the costliest moves, and the seats."""
    from hanabi.evolve.analysis.game_review import players_text

    say(f"{players_text(found.game)}: {found.game.score} of {found.game.variant.perfect} points.")
    say(found.model)
    print()
    costliest = found.costliest()
    if not costliest:
        say("No move cost more than chance explains.")
    for number, value in enumerate(costliest, 1):
        first, *others = found.sentences(value)
        say(f"{number}. {first}", 3)
        for line in others:
            say(f"   {line}", 2)
        print()
    print_table(
        "By seat",
        ["<seat", ">moves", ">points lost per move", ">mistakes", ">missed hints"],
        [
            (row["seat"], str(row["moves"]), f"{row['mean_loss']:.3f}", str(row["mistakes"]))
            + (str(row["missed_hints"]),)
            for row in found.seat_losses()
        ],
    )
    if found.efficiency is not None:
        print()
        say(f"Efficiency: {found.efficiency:.2f} points per hint.")
