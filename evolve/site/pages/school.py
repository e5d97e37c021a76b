"""The school: ten questions about positions, one of the day, and logic puzzles."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hanabi.evolve.analysis.school import KINDS, Question, question, question_of_day
from hanabi.evolve.reports.game_data import game_data, seen_by
from hanabi.evolve.reports.game_page import named_player
from hanabi.evolve.reports.page_parts import SCRIPTS, data_text
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.requests import await_result, read_number
from hanabi.evolve.site.seat_view import KNOWLEDGE, MEANING
from hanabi.logic.puzzles import PUZZLES, SEATINGS, play_through, puzzle_of, stages_text

SEEDS = 1_000_000_000
LETTERS = 16  # of the case of a puzzle


class SchoolPages(Page):
    """Routes of the school."""

    title, path, order = "School", "/school", 7

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/school", self.overview),
            Route("/school/day", self.day),
            Route("/school/puzzle", self.puzzle),
            Route("/school/{seed:int}/{number:int}", self.ask),
        ]

    async def overview(self, request: Request) -> Response:
        """The list of questions of a seed, and the form of puzzles."""
        seed = read_number(request.query_params.get("seed", "0"))
        return render_page("school.html.j2", "School", (), seed=seed, kinds=KINDS)

    async def ask(self, request: Request) -> Response:
        """A question; with ``?answer=`` also whether that is right, and why.

        ``?right=`` counts the right answers to the questions before.
        """
        seed, number = request.path_params["seed"], request.path_params["number"]
        if not 1 <= number <= len(KINDS) or seed >= SEEDS:
            raise HTTPException(404, f"A school has questions 1 to {len(KINDS)}.")
        one = await await_result(self.site.tables.run(_question, seed, number - 1))
        return _render(request, one, f"Question {number} of {len(KINDS)}", number, seed)

    async def day(self, request: Request) -> Response:
        """The question of the day."""
        one = await await_result(self.site.tables.run(_question_of_day, date.today()))
        return _render(request, one, "Question of the day")

    async def puzzle(self, request: Request) -> Response:
        """A logic puzzle, announcement by announcement."""
        asked = request.query_params
        name, case = asked.get("name", "wise-men"), asked.get("case", "").strip().upper()
        seating = asked.get("seating", "all")
        solved, wrong = "", ""
        try:
            if name not in PUZZLES or len(case) > LETTERS:
                raise ValueError(f"The puzzles are {', '.join(PUZZLES)}, of up to 16 people.")
            one = puzzle_of(
                name, case=case or None, seating=seating if name == "wise-men" else None
            )
            solved = stages_text(one, play_through(one))
        except ValueError as error:
            wrong = str(error)
        return render_page(
            "puzzle.html.j2",
            "School",
            (),
            names=list(PUZZLES),
            seatings=list(SEATINGS),
            chosen=dict(name=name, case=case, seating=seating),
            solved=solved,
            wrong=wrong,
        )


@lru_cache(64)
def _question(seed: int, number: int) -> Question:
    return question(seed, number)


@lru_cache(2)
def _question_of_day(day: date) -> Question:
    return question_of_day(day)


def _without_help(turn):
    """Return a turn without what its cards can be and mean."""
    hidden = (*KNOWLEDGE, *MEANING)
    hands = [
        [card and {key: value for key, value in card.items() if key not in hidden} for card in hand]
        for hand in turn["hands"]
    ]
    return turn | {"hands": hands}


def _render(request, one, title, number=0, seed=0):
    """Return the page of a question, number 0 for one alone; its board shows no hidden card."""
    given, right = (read_number(request.query_params.get(key, "0")) for key in ("answer", "right"))
    given = given if given <= len(one.choices) else 0
    right = min(right, max(0, number - 1)) + (given == one.answer + 1)
    position = one.game.position(one.turn)
    turns = range(max(0, one.turn - 1), one.turn + 1)
    players = [named_player(name, len(one.game.agents)) for name in one.game.agents]
    # what hints mean, and what follows for the cards, is shown after the answer
    shown = seen_by(game_data(one.game, players if given else (), turns), position.me)
    if not given:
        shown["turns"] = [_without_help(turn) for turn in shown["turns"]]
    shown["turns"][-1]["move"] = None
    shown["start"] = len(shown["turns"]) - 1
    shown |= {"result": "", "lost": [], "lost_at": None, "live": "", "score": 0, "end": ""}
    return render_page(
        "question.html.j2",
        "School",
        SCRIPTS,
        title=title,
        question=one,
        given=given,
        number=number,
        right=right,
        following=f"/school/{seed}/{number + 1}?right={right}" if 0 < number < len(KINDS) else "",
        games=data_text([shown]),
    )
