"""The reference of what a rule or a convention may ask: fields, questions and helpers.

It is built from the sources themselves. `hanabi rules --questions` prints it; ``page()`` is a page
of the documentation.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from inspect import cleandoc

from hanabi.conventions.fields import (
    FACTS,
    HINT_FIELDS,
    MARKS_FIELDS,
    READING_FIELDS,
    TOLD_FIELDS,
)
from hanabi.conventions.marks import HOOKS, STAGES
from hanabi.files import read_text, source_files
from hanabi.language.primitive_register import PRIMITIVES
from hanabi.state import GAME
from hanabi.variant import nearest, shown

GROWN = "Words of grown rules, such as grown.play_newest(told_alone but not knows(useless))"
GROWN_MARKS = "Words about marks, what hints mean: grown_marks.tell_play_to(expected)"
MEMORY = "For a convention: memory and hooks"
VERBS = ("promise", "assume", "order", "narrow", "promise_held", "focus_of", "ready_after")
HELPERS = """
@rule(prefix, within, key=(1, 2)) | hanabi
Enters the function below it as a rule, once for each combination of the values, which are its
parameters after view, by name and in order. The first paragraph of its docstring is its sentence.
It returns a move or NOTHING. One that takes rest after view gets there the move of the rules below
it; NOTHING where it is asked alone.

@convention(stage, within, key=(1, 2)) | hanabi
Enters the function below it as a convention of a stage. It returns 1 where it applies, else 0.

@compiled | hanabi.authoring
Compiles a helper function that a rule calls. The rule itself needs only @rule.

@answer | hanabi.authoring
Makes a function of the view, which fills fields of the memo and returns 0, a lazy answer: computed
at most once per turn. CONTRIBUTING.md has the recipe.

ensure(view, answer) | hanabi.authoring
Computes a lazy answer unless the memo has it; then its fields can be read.
"""
TRAPS = """
a slot that is not there
Slots are 0 to hand_size - 1, seats 0 to players - 1; -1 is no slot. An index beyond a row
is an error with its line, as is a division by zero; -1 is the last place of a row, so test a slot
before you use it.

an empty slot
Its card and its age are -1, its mask is 0, its chances are NaN, and NaN >= x is false for every x.
filled has the bits of the slots that hold a card.

the view is not written to
A rule asks and returns a move. To calculate with a number, copy it into a variable (lives =
view.lives - 1); never set a field of the view.

my own hand
The row hands[view.me] is all -1: a rule is blind to it. Ask playable_chance, possible_types and so
on.

whole numbers
Everything in the view is a 64-bit whole number. The values of a grid arrive as floats: write
int(value) where one is an index.

sets and slots are bits
A set of types, and slots taken together, are whole numbers: & is both, | is either, & ~ is
without, types >> card & 1 asks for one; popcount counts them, lowest gives the first.

a move
Return play(slot), discard(slot), tell_colour(seat, colour), tell_rank(seat, rank) or NOTHING, on
every way through the function. An illegal move ends the command, with the name of the rule and the
position.

random numbers
Those of Python and numpy are not for rules: random_below(view, salt, n) is the same for the same
deal and turn. Each rule uses another salt.

nothing is kept
A rule is a function of the view alone: it changes no global variable, and reads and prints
nothing. Earlier moves are in history, fireworks and hints.

what machine code cannot do
No dictionaries or sets of mixed kinds, no empty lists, no classes of yours, no import or yield
inside the function, one kind of value per name. Text and lists cost seconds of compiling. Whole
numbers, floats, tuples, rows of the view, if, for and while are fine. HANABI_PLAIN=1 runs the same
as plain Python, for a debugger.
"""


MOVES = (
    *("play", "discard", "tell_colour", "tell_rank", "is_play", "is_discard", "is_tell"),
    *("slot_of", "target_of", "told_colour_of", "told_rank_of"),
)
CARDS = (
    *("colour_set", "rank_set", "colour_of", "rank_of", "copies_in", "pair_planes"),
    *("copies_in_pair", "with_copy", "without_copy", "slots_within", "colours_in", "ranks_in"),
    *("only_colour", "only_rank"),
)


@dataclass(frozen=True)
class Question:
    """Something that a rule may ask or write.

    Attributes:
        name: Its name.
        asked: Its use, such as ``playable_chance(view, slot)``.
        says: What it means or returns.
        group: The title of its section.
        module: Where it is imported from; "" if it is not imported.
    """

    name: str
    asked: str
    says: str
    group: str
    module: str = ""

    @property
    def sentence(self) -> str:
        """The first sentence of its description."""
        found = re.match(r".+?[.?!:](?=\s+[A-Z(`]|$)", self.says)
        return found[0] if found else self.says


def questions() -> list[Question]:
    """Return all questions, group by group, in the order of the page."""
    return [
        *_fields("The table: fields of the view", "view.", GAME),
        *_asked("My cards and others'", "hanabi.view"),
        *_asked("Moves", "hanabi.moves", MOVES),
        *_asked("Cards and sets of types", "hanabi.moves", CARDS),
        *_asked(
            "What happened, and what a hint would point at",
            "hanabi.game",
            (
                "event_move",
                "event_card",
                "event_slots",
                "event_fits",
                "told_cards",
                "touched_by",
                "is_legal",
            ),
        ),
        *_asked("Knowledge: exact, of mine and of others'", "hanabi.knowledge.questions"),
        *_asked("Conventions: my cards by the marks", "hanabi.conventions.own_hand"),
        *_asked("Conventions: what hints would do", "hanabi.conventions.hint_evaluation"),
        *_asked(
            "Conventions: what the marks say",
            "hanabi.conventions.marks",
            but=(*VERBS, "aim", "apply_stage", "apply_hooks", "prepare_reading"),
        ),
        *_asked("Conventions: what the marks say", "hanabi.conventions.slot_sets"),
        *_asked(
            "Conventions: what the marks say",
            "hanabi.conventions.finesses",
            ("open_finesse", "prompted_slot", "answer_slot", "above", "connecting_seat"),
        ),
        *_asked("Conventions: what the marks say", "hanabi.conventions.pairs"),
        *_asked("Conventions: what the marks say", "hanabi.conventions.focus"),
        *_asked(
            "Conventions: what the marks say",
            "hanabi.conventions.chains",
            (
                "all_passed",
                "answering_slot",
                "answers_before",
                "cards_of_answers",
                "chain_plays",
                "higher_types",
                "lower_types",
                "open_slot",
                "others_hold",
                "types_away",
            ),
        ),
        *_asked(
            "Codes: what numbers are about",
            "hanabi.conventions.codes",
            (
                "hinted_number",
                "telling_slots",
                "open_slots",
                "public_chance",
                "public_copies",
                "add_entry",
            ),
        ),
        *_asked("For a convention: verbs", "hanabi.conventions.marks", VERBS),
        *_asked(MEMORY, "hanabi.conventions.memory", ("memory_key", "memory_of", "has_convention")),
        *_asked(MEMORY, "hanabi.conventions.hint_plays", ("count_play",)),
        *_asked(MEMORY, "hanabi.conventions.misplays", ("is_dropped",)),
        *_asked(MEMORY, "hanabi.moves", ("set_text", "types_in_brackets")),
        *_asked(MEMORY, "hanabi.notation", ("all_of",)),
        *_fields("For a convention: the move that is read", "reading.", READING_FIELDS),
        *_fields("Conventions: fields of the view", "view.", FACTS),
        *_fields("Conventions: the marks of a list", "view.marks[view.list].", MARKS_FIELDS),
        *_fields("For a convention: what a move tells of all hands", "view.told.", TOLD_FIELDS),
        *_fields("Conventions: a hint that was judged", "view.hints[place].", HINT_FIELDS),
        *_asked(
            "Bits",
            "hanabi.backend.bits",
            ("popcount", "lowest", "meets", "singles"),
            "hanabi.backend",
        ),
        *(
            Question(
                stage, f'@convention("{stage}")', f"It speaks {when}.", "For a convention: stages"
            )
            for stage, when in STAGES.items()
        ),
        *(
            Question(hook, f'hooks={{"{hook}": …}}', f"Called when {when}.", MEMORY)
            for hook, when in HOOKS.items()
        ),
        *(
            Question(
                one.name,
                one.asked,
                f"Makes {one.makes}: {one.words}.",
                GROWN_MARKS if one.of_marks else GROWN,
            )
            for one in PRIMITIVES.values()
        ),
        *_written("Helpers", HELPERS),
        *_written("Traps", TRAPS),
    ]


def found(word: str) -> list[Question]:
    """Return the questions whose name, text or group contains a word, in any case.

    Raises:
        ValueError: In one line, if there is none.
    """
    every = questions()
    some = [
        entry
        for entry in every
        if word.lower() in f"{entry.asked} {entry.says} {entry.group}".lower()
    ]
    if not some:
        raise ValueError(
            f"no question has {shown(word)} in "
            f"it{nearest(word, {entry.name for entry in every})}; `hanabi rules --questions` "
            "lists them all"
        )
    return some


def groups(entries: Sequence[Question]) -> Iterator[tuple[str, list[Question]]]:
    """Yield (title, its questions) of each group."""
    for title in dict.fromkeys(entry.group for entry in entries):
        yield title, [entry for entry in entries if entry.group == title]


def _fields(group, before, fields):
    for name, *_, says in fields:
        yield Question(name.partition("[")[0], before + name, says, group)


def _written(group, text):
    for part in text.strip().split("\n\n"):
        head, *lines = part.split("\n")
        asked, _, module = head.partition(" | ")
        yield Question(
            asked if not module else re.findall(r"\w+", asked)[0],
            asked,
            " ".join(lines),
            group,
            module,
        )


def _asked(group, module, names=(), where="", but=()):
    """Return the compiled functions of a module that are defined there, or those of some names."""
    for node in ast.parse(read_text(source_files()[f"{module.replace('.', '/')}.py"])).body:
        if (
            isinstance(node, ast.FunctionDef)
            and node.name not in but
            and (node.name in names or not names and _is_public(node))
        ):
            says = " ".join(cleandoc(ast.get_docstring(node) or "").split()).replace("``", "`")
            says = re.sub(r"Args: (view: The view\. )?", "", says)
            yield Question(
                node.name,
                f"{node.name}({', '.join(arg.arg for arg in node.args.args)})",
                says,
                group,
                where or module,
            )


def _is_public(node):
    marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
    return not node.name.startswith("_") and bool(marks & {"compiled", "inlined"})
