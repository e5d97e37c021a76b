"""An agent as one file of plain Python: its rules and conventions, knowledge, and the laws.

The file needs nothing else. Its functions are copied (standalone_source.py), except for a few over
64-bit words or addresses, which ``templates/agent.py.j2`` has in another form. The template also
has random choices, dealing, and ``act`` for the Hanabi Learning Environment.
"""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from hanabi import __version__
from hanabi.conventions.fields import MAX_MEMORIES, STAGE_COUNT
from hanabi.conventions.register import (
    add_hooks,
    memory_keys,
    memory_places,
    needs_marks,
    sort_by_stage,
    stage_place,
)
from hanabi.conventions.weights import WEIGHTS, read_weights
from hanabi.evolve.reports.page_parts import templates
from hanabi.evolve.reports.sealed_agent import export_with_rules
from hanabi.evolve.reports.standalone_source import WIDE, SourceCollection, filled, plain
from hanabi.files import write_whole
from hanabi.game_record import play_one
from hanabi.notation import all_of
from hanabi.player import ListPlayer
from hanabi.rulebook import Rule
from hanabi.rules.agents import Agent, load, loads
from hanabi.text.transcript import game_text
from hanabi.variant import NAMED

TEMPLATE = "agent.py.j2"  # in templates/
GAMES = 2  # that its test plays, per number of players


class AgentFile(NamedTuple):
    """The text of a file, and the name that each function has there."""

    text: str
    names: dict[FunctionType, str]


def standalone(agent: Agent, file: str = "agent.py") -> str:
    """Return the text of the file.

    Args:
        agent: The agent.
        file: The name of the file.

    Raises:
        ValueError: The agent is no list at some number of players, or a rule is not a plain
            function of a view. One line.
    """
    return agent_file([agent], file).text


def agent_file(
    agents: Sequence[Agent],
    file: str,
    functions: Collection[FunctionType] = (),
    fields: Collection[str] = (),
) -> AgentFile:
    """Return the file of an agent; the lists of more agents are in it as ``MORE``.

    Args:
        agents: The agents.
        file: The name of the file.
        functions: More functions that it has, for a table that imports it.
        fields: More fields of a view that it keeps.

    Raises:
        ValueError: As ``standalone``.
    """
    agent, lists = agents[0], [lists_of(agent) for agent in agents]
    entries = [
        entry
        for some in lists
        for player in some.values()
        for entry in (*player.rules, *_with_hooks(player.conventions))
    ]
    marks = bool(functions) or any(
        player.conventions or any(map(needs_marks, player.rules)) for player in lists[0].values()
    )
    gathered = SourceCollection(
        [*(one for entry in entries for one in entry.functions), *functions], marks, fields
    )
    forfeits = [agent.otherwise == "forfeit" for agent in agents]
    tables = [_tables(some, gathered) for some in lists]
    template = templates("hanabi.evolve.reports", escape=False).get_template(TEMPLATE)
    text = template.render(
        name=plain(agent.name),
        called=repr(plain(agent.name)),
        spec=plain(agent.source or agent.name),
        file=plain(file),
        maker=f"hanabi {__version__}",
        players=tuple(lists[0]),
        tables=tables[0],
        more=[
            (repr(plain(one.name)), *rest)
            for one, *rest in zip(agents[1:], tables[1:], forfeits[1:], strict=True)
        ],
        fields=gathered.fields(),
        classes=gathered.classes(),
        gathered=gathered.text(),
        lazy=bool(gathered.answers),
        math=gathered.math,
        marks=marks,
        forfeits=forfeits[0],
        games=[
            filled(repr((count, seed, list(map(int, _game(player, count, seed).moves)))))
            for count, player in lists[0].items()
            for seed in range(1, GAMES + 1)
        ],
    )
    return AgentFile(text, gathered.names)


def lists_of(agent: Agent) -> dict[int, ListPlayer]:
    """Return the list of an agent by number of players."""
    return {count: agent.list_at(count) for count in range(2, 6) if agent.plays(count)}


def _tables(lists: Mapping[int, ListPlayer], gathered: SourceCollection) -> list[dict[str, Any]]:
    """Return what the template needs of the different lists of an agent."""
    groups: dict[int, list[int]] = {}  # counts with the same list, by its first place
    for count, player in lists.items():
        groups.setdefault([*lists.values()].index(player), []).append(count)
    return [_table(tuple(some), lists[some[0]], gathered) for some in groups.values()]


def _with_hooks(conventions: tuple[Rule, ...]) -> list[Rule]:
    """Return conventions with their hooks; no rule of a file plays the end of a game out."""
    return [one for one in add_hooks(conventions) if one.family.stage not in ("deal", "give")]


def _table(
    counts: tuple[int, ...], player: ListPlayer, gathered: SourceCollection
) -> dict[str, Any]:
    """Return what the template needs of a list, for some numbers of players."""
    agreed = sort_by_stage(player.conventions)
    entries = _with_hooks(agreed)
    stages, keys = [stage_place(entry) for entry in entries], memory_keys(agreed)
    return {
        "counts": counts,
        "players": all_of(counts),
        "sentences": [_sentence(*numbered) for numbered in enumerate(player.rules, 1)],
        "agreed": [_sentence(*numbered) for numbered in enumerate(agreed, 1)],
        "entries": [gathered.entry(entry) for entry in player.rules],
        "conventions": [gathered.entry(entry) for entry in entries],
        "stages": [sum(stage < bound for stage in stages) for bound in range(STAGE_COUNT + 1)],
        "memories": keys + [0] * (MAX_MEMORIES - len(keys)),
        "owners": memory_places(entries),
        "weights": [
            (name, value, says)
            for (name, (*_, says)), value in zip(
                WEIGHTS.items(), read_weights(dict(player.weights))
            )
        ],
    }


def write_alone(subject: str | Path, place: Path) -> Path:
    """Write an agent as one file, or into a folder for a course, with a page of exercises.

    Args:
        subject: The folder of a finished run, or a spec.
        place: The file, ``.py``, or the folder.

    Returns:
        The file.

    Raises:
        ValueError: As ``standalone`` and ``export``, or the test of the file fails. One line.
    """
    agent, file = agent_of(subject), place if place.suffix == ".py" else place / "agent.py"
    text = standalone(agent, file.name)
    check_file(text, agent.name)
    if file != place:
        place.mkdir(exist_ok=True)
        write_whole(place / "README.md", READ_ME.format(name=plain(agent.name)))
        count = next(count for count in (3, 2, 4, 5) if agent.plays(count))
        write_whole(place / "game.txt", game_text(_game(agent.list_at(count), count, 1)))
    write_whole(file, text)
    return file


def check_file(text: str, name: str) -> None:
    """Run the test of an agent's file. Raises ValueError, one line, if it fails."""
    try:
        around: dict[str, Any] = {"__name__": "agent"}
        exec(compile(text, "agent.py", "exec"), around)
        around["test"]()
    except Exception as error:  # a user rule may raise anything in a file alone
        raise ValueError(
            f"{name} does not play the same from a file alone, so none was written: "
            f"{type(error).__name__}: {' '.join(str(error).split())}"
        ) from None


def agent_of(subject: str | Path) -> Agent:
    """Return the agent of a run's folder or of a spec."""
    if not Path(subject).is_dir():
        return load(str(subject))
    return loads(export_with_rules(subject), str(Path(subject) / "best.toml"))


READ_ME = """# {name}, a Hanabi agent to read

Nothing is to be installed: Python 3.9 or newer plays it.

    python agent.py            # tests it, and plays a game of copies, each move with its rule
    python agent.py 3 7        # 3 players, the deal of seed 7

1. Read `agent.py` from the top: its rules as sentences. Find each of them in `LISTS`, and its
   function above. `game.txt` is a game of copies of it, turn by turn, with all hands: cover what
   is below a move, and say which rule made it.
2. Play some deals. Which rule makes most moves? Which one never does?
3. Take a rule out of `LISTS`, or move it, and let 200 deals say what that is worth:

        python -c "import agent
        print(sum(agent.play_game(seed, 3)[1] for seed in range(200)) / 200)"

   The test then fails, as it should: it is another agent.
4. Write a rule of your own: a function of `view` that returns a move, or `NOTHING`.
"""


def _sentence(place, rule):
    """Return the lines of a rule in the list at the top of the file."""
    return textwrap.fill(f"{place:3}. {plain(rule.says)}", WIDE, subsequent_indent="     ")


def _game(player, count, seed):
    """Return a game of copies on the deal of a seed."""
    return play_one(NAMED["standard"].at(count), [player], [0] * count, seed)
