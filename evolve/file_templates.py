"""Files to start from: `hanabi new agent|rule|convention|player FILE` writes one that runs."""

import os
from pathlib import Path
from typing import NamedTuple

from hanabi.files import FileWriteError, whole_path
from hanabi.variant import check_known

AGENT = """\
# An agent: lists of rules by player count. The first rule that applies decides.
#   hanabi rules             lists the rules; rules of your own: hanabi new rule my_rules.py
#   hanabi rules --conventions       lists what hints may mean
name = "{name}"

# Where no rule applies. "default": discard the oldest card, or with all tokens give a hint.
# "forfeit": the game ends there.
otherwise = "default"

[rules]
"2-5" = [
    "cig2018.play_safe_card",
    "cig2018.play_probably_safe(chance=0.6)",
    "cig2018.tell_anyone_about_useful",
]

# What hints mean beyond what they say; without this table they mean what they say.
# [conventions]
# "2-5" = ["focus(ranks=0)"]
"""

RULE = '''\
"""A user-defined rule: a function of a view that returns a move or NOTHING.

The view has everything except the player's own hand; hanabi rules --questions lists what to ask.
hanabi check finds faults.
"""
from hanabi import NOTHING, discard, oldest, rule


# Each combination of the values is a rule: {name}.throw_oldest(lives=1), and so on.
@rule(prefix="{name}.", lives=(1, 2, 3))
def throw_oldest(view, lives):
    """Discard my oldest card if I have at most {{lives:#life|lives}}."""
    # The first paragraph above is the rule's sentence; values are written in braces.
    if view.tokens == view.max_tokens or view.lives > lives:
        return NOTHING                       # the rule does not apply: the next one decides
    return discard(oldest(view, view.me))
'''

CONVENTION = '''\
"""A user-defined convention: it reads a hint and says what the hint means beyond its words.

hanabi rules --conventions lists the library's; hanabi check finds faults. An agent plays by this
convention if its file names it:

    [conventions]
    "2-5" = ["{name}_newest(ranks=1)"]
"""
from hanabi import convention
from hanabi.conventions.marks import promise
from hanabi.view import by_age


# A hook, called when a hint that got this meaning is about to be given.
def remember(view, reading, memory):
    memory[0] = reading.giver


# "meaning": called for each hint, in the order of the list, until one returns 1. memory: its
# numbers by name; they are kept from move to move and are -1 when a game begins.
@convention("meaning", memory=["last_giver"], hooks={{"on_hint": remember}}, ranks=(0, 1))
def {name}_newest(view, reading, memory, ranks):
    """The newest card that a hint touches is playable, unless its giver said so with the last
    such hint. {{ranks:Only hints of a colour say so.|Hints of a rank say so, too.}}"""
    if reading.rank_told == 1 and ranks == 0 or memory[0] == reading.giver:
        return 0                             # it does not apply: the next convention is called
    newest = by_age(view, reading.target, reading.slots, 1)
    promise(reading, newest, view.playable)
    return 1
'''

PLAYER = '''\
"""A player in plain Python, for use in place of an agent: python:{file}:Careful.

It runs in a process of its own, with 10 s per move. Each game and seat gets a new object, which
may remember what it saw.
"""
from hanabi import default_move, play, playable_chance


class Careful:
    """Plays the first card that is likely enough to be playable."""

    def __init__(self, least=1.0):           # python:{file}:Careful,least=0.8 sets it
        self.least = least

    def move(self, view):
        """Return a legal move and the reason for it.

        The view has everything except its own hand; hanabi rules --questions lists what it answers.
        """
        for slot in range(view.hand_size):
            if playable_chance(view, slot) >= self.least:        # NaN, so false, for an empty slot
                return play(slot), "it is likely to fit"
        return default_move(view), "nothing is likely to fit"    # a discard, or a hint
'''


class Template(NamedTuple):
    """A file to start from."""

    ending: str
    text: str  # {name} and {file} are filled in
    commands: tuple[str, ...]  # to try next, in words; {file} is filled in


TEMPLATES = {
    "agent": Template(".toml", AGENT, ("hanabi show {file}", "hanabi tournament {file} piers")),
    "rule": Template(
        ".py", RULE, ("hanabi check {file}", "hanabi evolve --preset quick --rules {file}")
    ),
    "convention": Template(".py", CONVENTION, ("hanabi check {file}",)),
    "player": Template(
        ".py",
        PLAYER,
        (
            "hanabi tournament python:{file}:Careful piers --games 100",
            "hanabi show python:{file}:Careful piers",
        ),
    ),
}


def write_template(kind: str, file: Path) -> list[tuple[str, ...]]:
    """Write a file to start from.

    Args:
        kind: agent, rule, convention or player.
        file: Path of the file. Its name without the ending becomes the name of the agent or the
            prefix of the rules.

    Returns:
        The commands to try next, each as words.

    Raises:
        ValueError: The kind is unknown, the name does not fit, or the file exists.
    """
    check_known(kind, TEMPLATES, "no kind")
    template = TEMPLATES[kind]
    if file.suffix != template.ending:
        raise ValueError(f"{file}: the file of a new {kind} is called NAME{template.ending}")
    name = file.stem
    plain_name = name.replace("-", "_") if kind == "agent" else name
    if not (name.isascii() and plain_name.isidentifier()):
        example = f"my_{kind}{template.ending}"
        raise ValueError(f"{file}: name it by letters, digits and _, such as {example}")
    if kind in ("rule", "convention"):
        from hanabi.conventions.register import CONVENTION_FAMILIES
        from hanabi.rules import SETS

        if name in SETS or f"{name}_newest" in CONVENTION_FAMILIES:
            raise ValueError(
                f"{file}: there is a set of rules called {name} already; choose another name"
            )
    try:
        with open(whole_path(file), "x", encoding="utf-8") as written:
            written.write(template.text.format(name=name, file=file))
    except FileExistsError:
        raise ValueError(f"{file} exists and is not overwritten: choose another name") from None
    except OSError as error:
        raise FileWriteError(file, error) from None
    return [
        tuple(word.format(file=os.fspath(file)) for word in command.split())
        for command in template.commands
    ]
