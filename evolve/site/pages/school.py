"""The school: ten questions about positions, one of the day, and logic puzzles."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hanabi.evolve.analysis.school import KINDS, Question, question, question_of_day
from hanabi.evolve.reports.page_parts import SCRIPTS, data_text
from hanabi.evolve.site.page_registry import Page
from hanabi.evolve.site.page_templates import render_page
from hanabi.evolve.site.question_data import question_data
from hanabi.evolve.site.requests import await_result, read_number
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
        """A question; with ``?answer=`` also whether that is right, and why."""
        seed, number = request.path_params["seed"], request.path_params["number"]
        if not 1 <= number <= len(KINDS) or seed >= SEEDS:
            raise HTTPException(404, f"A school has questions 1 to {len(KINDS)}.")
        following = f"/school/{seed}/{number + 1}" if number < len(KINDS) else ""
        one = await await_result(self.site.tables.run(_question, seed, number - 1))
        return _render(request, one, f"Question {number} of {len(KINDS)}", following)

    async def day(self, request: Request) -> Response:
        """The question of the day."""
        one = await await_result(self.site.tables.run(_question_of_day, date.today()))
        return _render(request, one, "Question of the day", "")

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


def _render(request, one, title, following):
    """Return the page of a question; before it is answered, its board shows no hidden card."""
    given = read_number(request.query_params.get("answer", "0"))
    following_links = [(following, "Next question")] if given and following else []
    return render_page(
        "question.html.j2",
        "School",
        SCRIPTS,
        title=title,
        question=one,
        given=given if given <= len(one.choices) else 0,
        hidden={},
        score="",
        links=[*following_links, ("/school", "All questions")],
        games=data_text([question_data(one)]),
    )
