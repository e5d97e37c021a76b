"""Commands that review and teach: review, teach."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from hanabi.evolve import lessons
from hanabi.evolve.cli import lazy_modules as lazy
from hanabi.evolve.cli.command_registry import PlayerCount, Seed, Slots, Turns, as_typed, turns_in
from hanabi.evolve.cli.games import GAMES
from hanabi.evolve.cli.printing import (
    READABLE,
    Answer,
    print_table,
    put_game,
    say,
    table_command,
    width,
)
from hanabi.evolve.cli.progress_display import Work
from hanabi.shell_command import command


@table_command("Look", "game.toml --html review.html", "reviewing the game", rules=True, rows=True)
def review(
    progress: Work,
    path: Annotated[
        str | None, typer.Argument(metavar="[GAME|LINK]", help=f"A game: {GAMES}; or --mistakes.")
    ] = None,
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
    turns: Turns = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the review as one self-contained page.")
    ] = None,
    hanab_live: Annotated[
        Path | None,
        typer.Option("--hanab-live", help="Write the game for hanab.live, with its notes."),
    ] = None,
    slots: Slots = "age",
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="List the costly moves of people that are kept.")
    ] = False,
    forget: Annotated[
        list[str] | None,
        typer.Option("--forget", metavar="N|all", help="With --mistakes: forget one; repeat."),
    ] = None,
) -> Answer:
    """Say what each move of a game cost.

    Plays every move and all other candidates out in sampled worlds that fit what the player saw,
    and prints the three moves that cost most with the better move and why. Points are expected
    scores if every seat follows the agent of --by from there on. With an empty deck they are exact.

    The costly moves of people are kept in mistakes.toml, in the user's data folder or in
    HANABI_DATA: --mistakes lists them, and `hanabi teach --quiz --mistakes` asks about them.
    """
    if mistakes or path is None:
        if path is not None or not mistakes:
            raise ValueError("name a game to review, or write --mistakes without one")
        return _list_mistakes(forget or [])
    numbered, game = lazy.move_facts.numbering(slots), lazy.game_reader.load_game(path)
    settings = lazy.move_values.ReviewSettings(rollouts, max(50, rollouts // 5))
    wanted = turns_in(turns, len(game.moves))
    found = lessons.game_review.review_game(game, by, settings, progress, wanted, numbered)
    if html:
        lazy.files.write_whole(html, lazy.drawings.draw("review page", found))
    if hanab_live:
        lazy.files.write_whole(hanab_live, lazy.hanab_live.to_json(found.with_notes()))
    written = [f"Written: {file}" for file in (html, hanab_live) if file]
    if kept := lessons.school.keep_mistakes(found):
        asks = as_typed("`hanabi teach --quiz --mistakes`")
        written.append(f"{kept} {asks} asks about those that are kept.")
    data = found.data()
    return Answer(lambda: print_review(found, path, written), data["moves"], data)


def print_review(found: lessons.game_review.GameReview, path: str, written: list[str]) -> None:
    """Print a review: the costliest moves, the seats, and what was written."""
    game = found.game
    players = lessons.game_review.players_text(game.names, game.variant)
    say(f"{players}: {game.score} of {game.variant.perfect} points.")
    say(found.model)
    say(found.summary)
    if found.par:
        say(found.par)
    print()
    costliest = found.costliest(seats=found.first_seats)
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
        ["<seat", ">moves", ">mistakes", ">of its moves", ">points lost per move", ">missed hints"],
        [
            (
                row["seat"],
                str(row["moves"]),
                str(row["mistakes"]),
                lessons.game_review.percent(row["mistake_share"]),
            )
            + (f"{row['mean_loss']:.3f}", str(row["missed_hints"]))
            for row in found.seat_losses()
        ],
    )
    if found.efficiency is not None:
        print()
        say(f"Efficiency: {found.efficiency:.2f} cards played or touched per hint.")
    if costliest:
        turn = str(found.costliest(1, found.first_seats)[0].turn)
        say(f"Play on from there: {command('hanabi', 'play', path, '--turn', turn)}")
    for line in written:
        say(line)


@table_command("Play", "convention-10 --players 3", "choosing positions", rules=True)
def teach(
    spec: Annotated[
        str | None, typer.Argument(metavar="[SPEC]", help="The agent; without, only --quiz.")
    ] = None,
    quiz: Annotated[
        bool, typer.Option("--quiz", help="Ask questions, about this agent or about the game.")
    ] = False,
    count: Annotated[int, typer.Option(min=1, max=10, help="Questions, from easy to hard.")] = 10,
    day: Annotated[bool, typer.Option("--day", help="Only the question of today.")] = False,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="With --quiz: your costly moves of reviewed games.")
    ] = False,
    players: PlayerCount = 3,
    seed: Seed = 0,
) -> Answer:
    """Show what an agent's hints mean, or ask.

    Prints each of its conventions, or of its rules where it has none, with a move of one of its
    games, what that means, and what happened then.

    With --quiz it asks what hints mean to this agent; without an agent which card is sure to be
    playable or useless, what a hint says, and which of two moves is better. Answers are numbers; an
    empty line ends the quiz. With --json it prints the questions with their answers.

    With --mistakes it asks about costly moves of your reviewed games, those that are due; what you
    answer rightly comes back later.
    """
    if spec and (day or mistakes) or day and mistakes:
        raise ValueError("an agent, --day and --mistakes ask about different things: give one")
    if mistakes:
        return _ask_mistakes(count)
    if not (spec or quiz or day):
        raise ValueError("name an agent whose hints to show, or write --quiz")
    subject = (
        lessons.agent_lessons.Subject.of(lazy.agents.load(spec), players or 3) if spec else None
    )
    if spec and subject and not quiz:
        found = lessons.agent_lessons.lessons(subject)
        return Answer(
            lambda: _print_lessons(spec, subject, found), data=[one.data() for one in found]
        )
    if subject:
        asked = lessons.agent_lessons.quiz(subject, seed, count)
    elif day:
        asked = [lessons.school.question_of_day(date.today())]
    else:
        asked = lessons.school.questions(seed, count)
    return Answer(lambda: _ask_all(asked), data=[one.data() for one in asked])


def _ask_mistakes(count: int) -> Answer:
    """Ask about the costly moves that are due, and keep when each is asked again."""
    due = lessons.school.due_mistakes()[:count]
    asked = [one.question for one in due]

    def note(number: int, right: bool) -> None:
        after = lessons.school.note_answer(due[number], right)
        say(f"It is asked again from {after.due:%Y-%m-%d %H:%M} UTC on.\n")

    def show() -> None:
        if due:
            _ask_all(asked, note)
        elif kept := lessons.school.read_mistakes():
            say(f"Nothing is due before {min(one.due for one in kept):%Y-%m-%d %H:%M} UTC.")
        else:
            say(as_typed("No costly moves are kept: `hanabi review` adds those of your games."))

    return Answer(show, data=[one.data() for one in asked])


def _list_mistakes(forget: list[str]) -> Answer:
    """List the kept costly moves, without those that are to be forgotten."""
    lessons.school.forget_mistakes(forget)
    rows = lessons.school.mistake_rows(lessons.school.read_mistakes())

    def show() -> None:
        print_table(
            "Your costly moves",
            [">#", "<seat", ">turn", "<made", ">cost", "<better", "<asked from"],
            [
                (str(row["number"]), row["seat"], str(row["turn"]), row["made"])
                + (f"{row['cost']:.2f} ± {row['error']:.2f}", row["better"], row["due"])
                for row in rows
            ],
        )
        say(f"They are in {lessons.school.mistakes_file()}")

    return Answer(show, rows)


def _ask_all(
    questions: list[lessons.school.Question], note: Callable[[int, bool], None] | None = None
) -> None:
    """Ask questions, say after each whether the answer is right, and how many were.

    ``note`` is called with the place of a question and whether its answer was right.
    """
    right = answered = 0
    for number, one in enumerate(questions, 1):
        chosen = ask_question(one, f"Question {number} of {len(questions)}")
        if chosen is None:
            break
        answered += 1
        right += one.is_right(chosen)
        say("Right." if one.is_right(chosen) else f"No: {one.choices[one.answer].rstrip('.')}.")
        say(f"{one.reason}\n")
        if note:
            note(number - 1, one.is_right(chosen))
    say(f"{right} of {answered} right.")


def _print_lessons(
    spec: str, subject: lessons.agent_lessons.Subject, found: list[lessons.agent_lessons.Lesson]
) -> None:
    """Print the lessons about an agent, each with an example."""
    say(subject.intro)
    for number, one in enumerate(found, 1):
        print()
        say(f"{number}. {one.says}", 4)
        if one.example is None:
            say("    It decided no move of the games that were searched.", 4)
            continue
        seed = f"(seed {one.example.game.seed}, turn {one.example.turn})"
        say(f"    {one.example.move} {seed}", 6)
        for line in one.example.meaning:
            say(f"      = {line}", 8)
        if one.example.happened:
            say(f"      Then: {' '.join(one.example.happened)}", 8)
    print()
    words = command("hanabi", "teach", "--quiz", spec, "--players", str(subject.players))
    say(as_typed(f"`{words}` asks about it."))


def ask_question(one: lessons.school.Question, head: str) -> int | None:
    """Print a question and return the place of the chosen answer; None where the input ends."""
    say(head)
    put_game(lazy.transcript.position_text(one.position, min(width(), READABLE)))
    say(one.asks)
    for place, choice in enumerate(one.choices, 1):
        say(f"  {place}. {choice}")
    while True:
        try:
            text = input("Your answer: ").strip()
        except EOFError:
            return None
        if not text:
            return None
        if text.isascii() and text.isdigit() and 1 <= int(text) <= len(one.choices):
            return int(text) - 1
        say(f"Write a number from 1 to {len(one.choices)}, or nothing to stop.")
