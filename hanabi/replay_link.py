"""Texts that hold games: links to hanab.live, as people paste them, and texts with several games.

A link holds the number of players, the deck and the actions, two letters each, in base 62::

https://hanab.live/shared-replay-json/215ahxekoxcwgfpqmyjt-sfkskurqfbiwmlivanua-vcglupnpdhbrd,03gbaf-lbbg,0

The third part is the number of the variant, a fourth the site's seed of the deal. ``#33`` after a
link is the turn to begin at, counted from 1.

A text with several games has a game per line, an array of games, or objects in a row.
"""

import json
import re
from typing import Any
from urllib.parse import unquote

SITE = "https://hanab.live/shared-replay-json/"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LINE = 20  # letters between two hyphens of a link
LONGEST = 2000  # letters of a link; the longest game has about 700
# By name of a game: its number, and our colours in its order (its fifth suit is our purple).
SUITS = {
    "No Variant": (0, "RYGBW"),
    "6 Suits": (1, "RYGBPW"),
    "4 Suits": (15, "RYGB"),
    "3 Suits": (18, "RGB"),
}
PLAYERS = ("Alice", "Bob", "Cathy", "Donald", "Emily")  # the site's names for unnamed players
AROUND = " \t\n\"'`<>()[]{}“”„«»‘’.;"  # what stands around a link that is pasted
BEGINNING = re.compile(r"(?i:\w*://|(?:www\.)?hanabi?\.live/)", re.ASCII)
LINK = re.compile(
    r"(?i:(?:https?://)?(?:www\.)?hanabi?\.live/(?:shared-)?replay-json/)([0-9A-Za-z,-]+)"
    r"/?(?:\?[^#]*)?(?:#\d*)?"
)
WRAPPED = re.compile(r"[0-9A-Za-z,%-]+[^\s{}]*")  # a line on which a link may go on


def is_link(text: str) -> bool:
    """Return whether a text is the address of a game and not a file."""
    return BEGINNING.match(text.lstrip(AROUND)) is not None


def goes_on(link: str, line: str) -> bool:
    """Return whether a line is the rest of a link that was wrapped."""
    return is_link(link) and not is_link(line) and WRAPPED.fullmatch(line) is not None


def first_turn(text: str) -> int | None:
    """Return how many moves are made at the turn that a link begins at, None if it says none."""
    found = re.search(r"#(\d{1,4})\W*$", text, re.ASCII)
    return max(0, int(found[1]) - 1) if found and is_link(text) else None


def compress(data: dict[str, Any]) -> str:
    """Write the site's data as the text of a link: three parts, a hyphen every 20 letters."""
    ranks = [card["rank"] for card in data["deck"]]
    kinds = [action["type"] for action in data["actions"]] or [0]
    least, most = min(ranks), max(ranks)
    low, high = min(kinds), max(kinds)
    cards = actions = ""
    for card in data["deck"]:
        cards += LETTERS[card["suitIndex"] * (most - least + 1) + card["rank"] - least]
    for action in data["actions"]:
        value = action["value"] + 1 if "value" in action else 0
        letter = value * (high - low + 1) + action["type"] - low
        # the value of a vote has no letter, but its type says all; -1 is nobody
        actions += LETTERS[letter if letter < len(LETTERS) else action["type"] - low]
        actions += LETTERS[max(0, action["target"])]
    number, _ = SUITS[data["options"]["variant"]]
    text = f"{len(data['players'])}{least}{most}{cards},{low}{high}{actions},{number}"
    if re.fullmatch(r"\w+", data["seed"], re.ASCII):
        text += f",{data['seed']}"
    return "-".join(text[at : at + LINE] for at in range(0, len(text), LINE))


def expand(text: str, where: str = "link") -> dict[str, Any]:
    """Return the site's data that a link, or a text by ``compress``, holds.

    Args:
        text: The link or the part of it behind the site's address.
        where: Its name in error messages.

    Raises:
        ValueError: The text is neither.
    """
    if len(text) > LONGEST:
        raise ValueError(
            f"{where}: a link to a game has up to {LONGEST:,} letters, not {len(text):,}"
        )
    text = unquote("".join(text.split()).strip(AROUND))
    found = LINK.fullmatch(text)
    named = re.search(r"(?i:/(?:(?:shared-)?replay|export)/)(\d{1,12})", text)
    if named and not found:
        raise ValueError(
            f"{where}: such a link names a game and does not hold it; "
            f"save https://hanab.live/export/{named[1]} as a file, and import that"
        )
    if re.search(r"(?i:/(?:pre-)?game/)\d", text):
        raise ValueError(
            f"{where}: such a link names a table, and its game has a number only when it is over; "
            "save https://hanab.live/export/NUMBER with that number as a file, and import that"
        )
    parts = re.fullmatch(
        r"([2-6])([1-5])([1-5])([^\W_]{1,90}),(\d)(\d)((?:[^\W_]{2})*),(\d{1,5})(?:,(\w*))?",
        (found[1] if found else text).replace("-", ""),
        re.ASCII,
    )
    if not parts or parts[2] > parts[3] or parts[5] > parts[6]:
        raise ValueError(
            f"{where}: this is no link to a game of hanab.live; "
            f"one begins with {SITE} and holds the deck and the actions"
        )
    players, least, most, low, high, number = (int(parts[i]) for i in (1, 2, 3, 5, 6, 8))
    name = next((name for name, (known, _) in SUITS.items() if known == number), f"number {number}")
    deck = [divmod(LETTERS.index(letter), most - least + 1) for letter in parts[4]]
    kinds = [divmod(LETTERS.index(letter), high - low + 1) for letter in parts[7][::2]]
    targets = [LETTERS.index(letter) for letter in parts[7][1::2]]
    return {
        "players": list(PLAYERS[:players]) + ["Frank"] * (players - len(PLAYERS)),
        "deck": [{"suitIndex": suit, "rank": rank + least} for suit, rank in deck],
        "actions": [
            {"type": kind + low, "target": target} | ({"value": value - 1} if value else {})
            for (value, kind), target in zip(kinds, targets)
        ],
        "options": {"variant": name},
        "characters": [],
        "id": 0,
        "notes": [],
        "seed": parts[9] or "",
    }


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
