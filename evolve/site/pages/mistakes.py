"""The costly moves of the user of this machine: asked when they are due, and listed."""

from datetime import UTC, datetime

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hanabi.evolve.analysis.mistakes import (
    Mistake,
    due_mistakes,
    mistake_rows,
    note_answer,
    read_mistakes,
)
from hanabi.evolve.reports.page_parts import SCRIPTS
from hanabi.evolve.site.page_registry import Page, get, post, render_page
from hanabi.evolve.site.pages.school import Sitting, given_answer, render_question
from hanabi.evolve.site.requests import check_this_machine

PATH = "/school/mistakes"


class MistakePages(Page):
    """Routes of costly moves, for this machine alone: they are in the user's data folder."""

    @get(PATH)
    def overview(self, request: Request) -> Response:
        """The move that is due first; where none is due the list of them."""
        check_this_machine(request)
        if due := due_mistakes():
            return RedirectResponse(f"{PATH}/{due[0].key}", 303)
        return render_page("mistakes.html.j2", "School", (), rows=mistake_rows(read_mistakes()))

    @get(f"{PATH}/{{key}}")
    def ask(self, request: Request) -> Response:
        """The position of a costly move; with an answer what each candidate costs."""
        one = self._find(request)
        given = given_answer(request, one.question)
        return render_question(
            one.question,
            given,
            Sitting.read(request),
            (*SCRIPTS, "mistakes.js"),
            title="One of your costly moves",
            score=f"It is asked again from {one.due:%Y-%m-%d %H:%M} UTC on." if given else "",
            following=PATH if given else "",
            note=f"{PATH}/{one.key}",
        )

    @post(f"{PATH}/{{key}}")
    def answer(self, request: Request, sent: dict) -> dict[str, str]:
        """Keep an answer, and say where its page is."""
        one, given = self._find(request), sent.get("answer")
        if type(given) is not int or not 1 <= given <= len(one.candidates):
            raise HTTPException(422, f"answer should be a number from 1 to {len(one.candidates)}")
        if one.due <= datetime.now(UTC):  # an answer that is sent twice counts once
            note_answer(one, one.question.is_right(given - 1))
        return {"link": f"{PATH}/{one.key}?answer={given}"}

    def _find(self, request: Request) -> Mistake:
        check_this_machine(request)
        for one in read_mistakes():
            if one.key == request.path_params["key"]:
                return one
        raise HTTPException(404, "This move is not kept any more.")
