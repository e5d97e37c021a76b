"""A review as one self-contained page: costliest moves, expected score by turn, and the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hanabi.evolve.analysis.game_review import lists_of, players_text
from hanabi.evolve.charts.expected_score import expected_score
from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.reports.page_parts import page
from hanabi.evolve.reports.run_report import drawn
from hanabi.text.review_notes import loss_text

if TYPE_CHECKING:
    from hanabi.evolve.analysis.game_review import GameReview

SEAT_COLUMNS = ["player", "moves", "points lost per move", "mistakes", "missed hints"]


def review_values(review: GameReview) -> dict[str, Any]:
    """Return what the templates of a review insert."""
    costliest = review.costliest()
    rest = [value for value in review.mistakes if value not in costliest]
    return dict(
        title="Review",
        players=players_text(review.game),
        result=f"{review.game.score} of {review.game.variant.perfect} points",
        model=review.model,
        efficiency=review.efficiency,
        missed=sorted(value.turn for value in review.missed_hints),
        costliest=[_entry(review, value) for value in costliest],
        others=[_entry(review, value) for value in sorted(rest, key=lambda value: value.turn)],
        charts=drawn([expected_score(review.moves, costliest)]),
        seat_columns=SEAT_COLUMNS,
        seats=[
            [
                row["seat"],
                row["moves"],
                f"{row['mean_loss']:.3f}",
                row["mistakes"],
                row["missed_hints"],
            ]
            for row in review.seat_losses()
        ],
    )


def review_page(review: GameReview) -> str:
    """Return the page of a review, which opens from disk without a network."""
    # the board shows what the moves mean to the lists that the review plays on by
    _, company, _ = lists_of(review.game, review.by[0] if len(set(review.by)) == 1 else None)
    return page(
        "review.html.j2",
        games=[game_data(review.game, company)],
        **review_values(review),
    )


def _entry(review, value):
    """Return a mistake as a template shows it."""
    head, *sentences = review.sentences(value)
    return dict(turn=value.turn, loss=loss_text(value), head=head, sentences=sentences)
