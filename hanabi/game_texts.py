"""Texts with several games, taken apart: a game per line, an array of games, objects in a row."""

import json
import re

from hanabi.replay_link import goes_on

ARRAY = re.compile(r'\[\s*[{"]')  # how an array of games begins, and no TOML


def begins_array(text: str) -> bool:
    """Return whether a text begins as a JSON array of objects or texts does."""
    return ARRAY.match(text) is not None


def lines_of(text: str) -> list[tuple[int, str]]:
    """Return (number, line) of the lines that hold anything; a wrapped link is one line."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if lines and goes_on(lines[-1][1], line):
            lines[-1] = (lines[-1][0], lines[-1][1] + line)
        elif line:
            lines.append((number, line))
    return lines


def json_texts(text: str) -> list[str]:
    """Return the texts of the values of an array, or of values in a row.

    The last one is all that follows what is no JSON; its error says what is wrong there.
    """
    decode, found, place, end = json.JSONDecoder().raw_decode, [], 0, len(text)
    if begins_array(text) and text[-1] == "]":
        place, end = 1, end - 1
    while place < end:
        if text[place] in ", \t\n":
            place += 1
            continue
        try:
            after = decode(text, place)[1]
        except (ValueError, RecursionError):
            after = end
        found.append(text[place:after])
        place = after
    return found
