"""A review as one self-contained page: costliest moves, expected score by turn, and the board."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from hanabi.evolve.charts.chart import Chart, Spec, label, layer, number
from hanabi.evolve.lessons.game_review import (
    COSTLIEST,
    GameReview,
    MistakeShare,
    model_of,
    percent,
    players_text,
)
from hanabi.evolve.reports.game_data import game_data
from hanabi.evolve.reports.page_parts import REVIEW_SCRIPTS, fragment, page
from hanabi.evolve.reports.run_report import drawn
from hanabi.lookahead.move_values import MoveValue
from hanabi.moves import NAMES
from hanabi.notation import all_of
from hanabi.text.commentary import loss_text

SIGNS = {1.0: "??", 0.3: "?", 0.0: "?!"}  # by points lost, at least
SEAT_COLUMNS = [
    "player", "moves", "mistakes", "of the moves", "points lost per move", "missed hints",
]  # fmt: skip


def review_values(review: GameReview) -> dict[str, Any]:
    """Return what the templates of a review insert."""
    first, last = review.first_seats, review.last_seats
    costliest, rest = review.costliest(seats=first), review.costliest(None, first)[COSTLIEST:]
    whose = _whose(first) if last else ""
    others = [(f"{whose} other mistakes" if last else "Other mistakes", rest)]
    others += [(f"{_whose(last)} mistakes", review.costliest(None, last))] if last else []
    return dict(
        players=players_text(review.game.names, review.game.variant),
        result=f"{review.game.score} of {review.game.variant.perfect} points",
        model=review.model,
        summary=review.summary,
        par=review.par,
        efficiency=review.efficiency,
        bars=[_bar(review, seats) for seats in (first, last) if seats],
        missed=sorted(value.turn for value in review.missed_hints if value.seat in first),
        heading=f"{whose} moves that cost most" if last else "Moves that cost most",
        costliest=[_entry(review, value) for value in costliest],
        others=[
            (title, [_entry(review, one) for one in sorted(values, key=lambda one: one.turn)])
            for title, values in others
        ],
        moves=[_row(review, value) for value in review.moves],
        charts=drawn([expected_score(review.moves, costliest)]),
        seat_columns=SEAT_COLUMNS,
        seats=[
            [
                row["seat"],
                row["moves"],
                row["mistakes"],
                percent(row["mistake_share"]),
                f"{row['mean_loss']:.3f}",
                row["missed_hints"],
            ]
            for row in review.seat_losses()
        ],
    )


class ReviewParts(NamedTuple):
    """The parts of a page with a review: markup above and below the board, and its data."""

    above: Markup
    below: Markup
    games: list[dict[str, Any]]


def review_parts(review: GameReview) -> ReviewParts:
    """Return the parts of a page with a review."""
    # the board shows what the moves mean to the lists that the review plays on by
    company = model_of(review.game, review.by[0] if len(set(review.by)) == 1 else None).lists
    values, data = review_values(review), game_data(review.game, company)
    data["start"] = next((value.turn for value in review.costliest(1, review.first_seats)), 0)
    data["mistakes"] = [
        {
            "turn": one.turn,
            "sign": _sign(one.loss),
            "mine": one.seat in review.first_seats,
            "choices": _choices(review.choices.get(one.turn, ())),
        }
        for one in sorted(review.mistakes, key=lambda one: one.turn)
    ]
    return ReviewParts(
        fragment("review_above.html.j2", **values),
        fragment("review_below.html.j2", **values),
        [data],
    )


def review_page(review: GameReview) -> str:
    """Return the page of a review, which opens from disk without a network."""
    parts = review_parts(review)
    return page(
        "review.html.j2",
        REVIEW_SCRIPTS,
        title="Review",
        games=parts.games,
        above=parts.above,
        below=parts.below,
    )


def _sign(loss):
    """Return how bad a mistake is, in the signs of chess."""
    return next(sign for least, sign in SIGNS.items() if loss >= least)


def _choices(candidates):
    """Return the candidates of a mistake in an order that does not tell which is the best."""
    return [
        {
            "words": one.words,
            "costs": one.costs,
            "costly": one.is_costly,
            "made": one is candidates[1],
        }
        for one in sorted(candidates)
    ]


def _bar(review, seats):
    """Return the moves of some seats as a bar shows them: by sign, "" for no mistake."""
    values = [value for value in review.moves if value.seat in seats]
    signs = Counter(_sign(value.loss) if value.is_mistake else "" for value in values)
    share = MistakeShare(len(values) - signs[""], len(values))
    counts = [(sign, signs[sign]) for sign in ("", *reversed(SIGNS.values()))]
    return dict(who=all_of([NAMES[seat] for seat in seats]), says=str(share), counts=counts)


def _whose(seats):
    """Return the names of seats as owners, such as ``Bob’s and Cal’s``."""
    return all_of([f"{NAMES[seat]}’s" for seat in seats])


def _entry(review, value):
    """Return a mistake as a template shows it."""
    head, *sentences = review.sentences(value)
    return dict(turn=value.turn, loss=loss_text(value), head=head, sentences=sentences)


def _row(review, value):
    """Return a move as the table of all moves shows it."""
    notes = review.notes[value.turn]
    return dict(
        turn=value.turn,
        seat=NAMES[value.seat],
        made=notes.made,
        better="" if value.move == value.best else notes.better,
        loss=loss_text(value) if value.move != value.best else "0",
        grade=value.grade,
        expected=f"{value.value:.2f}",
    )


CHART_HEIGHT = 170  # pixels
CHART_CAPTION = (
    "Expected score after each move. It falls with a mistake and with bad luck, and rises with "
    "good luck. Numbered dots are the moves that cost most; the line from such a dot leads to the "
    "score that the better move would have had. The axis does not begin at 0."
)


def expected_score(moves: Sequence[MoveValue], costliest: Sequence[MoveValue]) -> Chart:
    """Return the chart of the expected scores of a reviewed game."""
    rows = [
        [
            value.turn,
            NAMES[value.seat],
            f"{value.value:.2f}",
            f"{value.loss:.2f}" + (f" ± {value.error:.2f}" if value.error else ""),
        ]
        for value in moves
    ]
    turns = ", ".join(str(value.turn) for value in costliest)
    says = (
        f"Expected score: {moves[0].value:.1f} after turn {moves[0].turn}, "
        f"{moves[-1].value:.1f} after turn {moves[-1].turn}. "
        + (f"Moves that cost most: turns {turns}." if turns else "No move cost much.")
    )
    return Chart(
        "expected-score",
        "Expected score by turn",
        says,
        CHART_CAPTION,
        ["turn", "player", "expected score", "points lost"],
        rows,
        lambda width, inks: _draw_scores(moves, costliest, width, inks),
    )


def _draw_scores(moves, costliest, width, inks) -> Spec:
    values = [value.value for value in moves] + [value.best_value for value in costliest]
    low, high = min(values) - 0.5, max(values) + 0.8
    x = number("x", {"nice": False, "zero": False}, title="turn", grid=False)
    y = number("y", {"domain": [low, high], "zero": False, "nice": False})
    line = [{"x": value.turn, "y": value.value} for value in moves]
    gaps = [
        {"x": value.turn, "y": value.value, "y2": value.best_value, "t": str(place)}
        for place, value in enumerate(costliest, 1)
    ]
    layers = [
        layer("line", line, {"x": x, "y": y}, color=inks["accent"], strokeWidth=2),
        layer("rule", gaps, {"x": x, "y": y, "y2": {"field": "y2"}}, color=inks["bad"]),
        layer("point", gaps, {"x": x, "y": y}, color=inks["bad"], filled=True, size=70, opacity=1),
        label(gaps, {"x": x, "y": y}, dy=14, fontWeight=600, color=inks["bad"]),
    ]
    return {"width": width - 40, "height": CHART_HEIGHT, "layer": layers}
