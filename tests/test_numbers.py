"""Numbers of README and the docs are made of committed data, not typed by hand.

A table stands between ``<!-- table: NAME -->`` and ``<!-- end -->`` (docs/generate). In a sentence,
a number with an error, two decimals or a score's one is in a table that the site generates, and a number with a
unit has an entry in ``tests/support/stated_numbers.py``, which computes it.
"""

import re
from functools import cache
from typing import NamedTuple

import pytest
from documents import GENERATED, WRITTEN, read
from paths import ROOT
from stated_numbers import STATED

PAGES = [ROOT / name for name in WRITTEN if name == "README.md" or name.startswith("docs/")]
MARKED = re.compile(r"<!-- (?:table|board|picture): ([^>]+) -->\n(.*?)<!-- end -->", re.S)
FENCED = re.compile(r"^```.*?^```$", re.S | re.M)
TABLE = re.compile(r"^(\|.*\|)\n\|[-:| ]+\|\n((?:\|.*\n?)+)", re.M)
NUMBER = r"[+−-]?\d[\d,]*(?:\.\d+)?"
UNIT = "(?: ?%| (?:ns|µs|ms|s|min|h|MB|GB|M))?"
MEASURED = re.compile(rf"\**{NUMBER}\**(?: ± [\d.]+)?{UNIT}(?: ?[–/] ?{NUMBER}{UNIT})*\**")
FRACTION = re.compile(r"\d\.\d|\d,\d\d\d|±|%|ms|µs| s$|MB|GB")
SETTINGS = {"default", "value", "values"}  # columns of settings are chosen, not measured


class Table(NamedTuple):
    """A table of a page.

    Attributes:
        columns: Its headings.
        rows: Its cells.
    """

    columns: list[str]
    rows: list[list[str]]


def tables(text):
    """The tables of a text."""

    def cells(line):
        return [cell.strip() for cell in line.strip().strip("|").split("|")]

    return [
        Table(cells(head), [cells(line) for line in body.splitlines()])
        for head, body in TABLE.findall(text)
    ]


def shows_results(table):
    """Whether a column of a table holds measured numbers: in half of its cells or more, and some of
    them with a fraction, an error or a unit.
    """
    if SETTINGS & set(table.columns):
        return False
    for column in list(zip(*table.rows, strict=False))[1:]:
        found = [cell for cell in column if MEASURED.fullmatch(cell)]
        if 2 * len(found) >= len(column) and any(map(FRACTION.search, found)):
            return True
    return False


def typed_tables(text):
    """The headings of the result tables that no command wrote."""
    text = FENCED.sub("", MARKED.sub("", text))
    return [" | ".join(table.columns) for table in tables(text) if shows_results(table)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_result_table_is_typed(path):
    assert not typed_tables(path.read_text(encoding="utf-8"))


# Numbers in sentences

PAIR = re.compile(r"\d[\d,]*(?:\.\d+)? ?± ?[\d.]*\d")
DECIMALS = re.compile(  # two decimals, or one of a number as large as a score
    r"(?<![\w.,–])(?:\d[\d,]*\.\d\d+|\d\d[\d,]*\.\d)(?![\w.]*\d)"
)
CODE = re.compile(r"`[^`\n]*`|\]\([^)]*\)")
VERSION = re.compile(r"(?:Python|Debian) 3?[\d.]*(?:\s+to\s+[\d.]+)?|arXiv [\d.]+|\b\d+\.\d+\.\d+")

WORKED_OUT = {f"{value:.2f}" for value in (2 * 10 / 3, (3 * 10 - 10) / 6)}  # of papers/zhao.md


@cache
def measured():
    """All text that the site makes of the data: pages of results, and the tables that pages ask
    for.
    """
    made = [read(name) for name in GENERATED if "/results/" in name or "/agents" in name]
    return "\n".join(made + [part[2] for page in WRITTEN for part in MARKED.finditer(read(page))])


@cache
def numbers():
    """The numbers with errors and the decimals in that text."""
    return {"".join(pair.split()) for pair in PAIR.findall(measured())} | set(
        DECIMALS.findall(measured())
    )


def typed_numbers(text):
    """The measured numbers in the sentences and tables of a page that no generated text holds."""
    text = VERSION.sub("", CODE.sub("", FENCED.sub("", MARKED.sub("", text))))
    pairs = PAIR.findall(text)
    found = ["".join(pair.split()) for pair in pairs] + DECIMALS.findall(PAIR.sub("", text))
    return [one for one in found if one not in numbers() | WORKED_OUT]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_number_in_a_sentence_is_typed(path):
    assert not typed_numbers(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "words, found",
    [
        ("It makes 24.58 ± 0.0213 points.", ["24.58±0.0213"]),
        ("It gains +0.07 ± 0.0412 and\n0.0317 more.", ["0.07±0.0412", "0.0317"]),
        ("a mean of 23.7901 points", ["23.7901"]),
        ("It scores 77,771.3 with three players.", ["77,771.3"]),
        ("It gains 7 ± 3 points.", ["7±3"]),
        ("`rollouts=0.0317`, Python 3.11 to 3.14, arXiv 1809.09764, at most 0.5 s", []),
        ("```text\n24.58 ± 0.0213\n```\n", []),
    ],
)
def test_the_check_sees_a_typed_number(words, found):
    assert typed_numbers(words) == found


def test_a_number_of_the_data_is_known():
    (row,) = re.findall(r"^\| `search:convention` \|.* \| (\S+ ± \S+) \| \S+ \|$", measured(), re.M)
    assert not typed_numbers(f"It makes {row} points.")
    assert typed_numbers(f"It makes {row}1 points.")


# Numbers with units

ONES = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS = (
    {"half a": 0.5, "half an": 0.5}
    | {word: at for at, word in enumerate(ONES, 2)}
    | {word: 10 * at for at, word in enumerate(TENS, 2)}
    | {
        f"{ten}-{word}": 10 * at + one
        for at, ten in enumerate(TENS, 2)
        for one, word in enumerate(["one", *ONES[:8]], 1)
    }
)
DIGITS = r"(?:\d[\d,]*\d|\d)?\.?\d+"
ANY = rf"(?:{DIGITS}|(?i:{'|'.join(sorted(WORDS, key=len, reverse=True))}))"
START, THEN = r"(?<![\w.,-])(?<!\w−)", r"(?:[-–]|, | to | or | of | and )"
SEVERAL = rf"{START}{ANY}(?:{THEN}{ANY})*"
COUNTED = """games deals hands rollouts trials mutations messages agents algorithms behaviours classes
commands conventions encodings entries evolutions experiments formats gates generations individuals
laws moves notebooks packages papers parts partners positions presets programs questions rounds rules
seeds stages strategies systems variants versions""".split()  # things of the project
UNITS = rf"""(?:[ ]?(?:%|µs|ms|[kK]B|MB|GB)|[ ]\**(?:ns|s|min|h)|[ ](?:seconds?|minutes?|hours?|points?
|times|percent|standard[ ]errors?)|[ ](?:[a-z]+[ ])?(?:{"|".join(COUNTED)}))(?![\w/])"""
STATEMENT = re.compile(rf"({SEVERAL})({UNITS})".replace("\n", ""))
DECIMAL = re.compile(rf"{START}{DIGITS}(?:{THEN}{DIGITS})*(?!\.?\w)")


def statements(text):
    """The numbers with units in the sentences and tables of a page, in digits or words, and the
    decimals of one place below 10 without a unit.
    """
    text = VERSION.sub(" ", CODE.sub(" ", FENCED.sub("", MARKED.sub("", text))))
    for section in re.findall(r"^\*\*(\d\.\d) ", text, re.M):
        text = text.replace(section, " ")
    text = " ".join(re.sub(r"<!--.*?-->", "", text).split())
    found = {
        f"{number[0].lower()}{number[1:]} {unit.strip(' *')}"
        for number, unit in STATEMENT.findall(text)
    }
    text = DECIMALS.sub(" ", PAIR.sub(" ", STATEMENT.sub(" ", text)))
    return found | {one for one in DECIMAL.findall(text) if "." in one}


def stated(statement):
    """The number of a statement, or its numbers."""
    numbers = re.match(SEVERAL, statement)[0]
    found = tuple(
        WORDS[one] if one in WORDS else float(one.replace(",", ""))
        for one in re.findall(ANY, numbers)
    )
    return found if len(found) > 1 else found[0]


PAIRS = {"two agents", "two mutations", "two moves"}  # of any two, which counts nothing


def page_of(path):
    return path.relative_to(ROOT).as_posix().removeprefix("docs/")


@pytest.mark.parametrize("path", [*PAGES, ROOT / "docs/generate/results_page.txt"], ids=page_of)
def test_every_number_with_a_unit_is_computed(path):
    found, known = statements(path.read_text(encoding="utf-8")), STATED.get(page_of(path), {})
    if path.name == "README.md":  # tests/test_readme.py computes these
        found = {one for one in found if not one.endswith((" s", " programs"))}
    found -= PAIRS
    assert found == set(known)
    for one, compute in known.items():
        assert stated(one) == pytest.approx(compute()), one


@pytest.mark.parametrize(
    "words, found",
    [
        ("takes 24 % more and\n7 s", {"24 %", "7 s"}),
        ("30% at 1,200 games per second", {"30 %", "1,200 games"}),
        ("after 40, 120 and 1,000 games", {"40, 120 and 1,000 games"}),
        ("1 to 6 MB, two **points**; three points", {"1 to 6 MB", "three points"}),
        ("below −0.3 *s*, at least 2.8 *s*", {"0.3 s", "2.8 s"}),
        ("160 rejected trials of 13 rules", {"160 rejected trials", "13 rules"}),
        (
            "Twenty-eight agents; two or three new rules; a = 2.5, .2, .6",
            {"twenty-eight agents", "two or three new rules", "2.5, .2, .6"},
        ),
        ("5s, slot 3, 4 players, `20 %`, Figures 2 to 4\n```text\n9 MB\n```\n", set()),
    ],
)
def test_the_check_sees_a_number_with_a_unit(words, found):
    assert statements(words) == found


def test_a_statement_has_its_numbers():
    assert stated("40, 120 and 1,000 games") == (40, 120, 1000)
    assert stated("twenty-eight agents") == 28 and stated("two of eight seeds") == (2, 8)
    assert stated("half a point") == 0.5 and stated("0.02 points") == 0.02


# Tables


@pytest.mark.parametrize(
    "rows, results",
    [
        ("| a | 24.16 |\n| b | 23.9 |", True),
        ("| a | 24.16 ± 0.01 |\n| b | |", True),
        ("| a | **+0.45** |\n| b | none |", True),
        ("| a | 12 ms |\n| b | 7 |", True),
        ("| a | 53% |", True),
        ("| a | 41,400 |", True),
        ("| a | 0.19–6.1 s |", True),
        ("| a | 327 M / 2.2 G |\n| b | 8.2 / 55 GB |", True),
        ("| 1 | a rule |\n| 2 | another |", False),
        ("| a | 3 |\n| b | 5 |", False),  # counts, such as the cards of a hand
        ("| a | at most 0.3 |\n| b | two |", False),
        ("| 0.5 | the first column names the row |", False),
    ],
)
def test_the_check_sees_typed_results(rows, results):
    text = f"words\n\n| what | here |\n|---|--:|\n{rows}\n"
    assert bool(typed_tables(text)) is results
    assert not typed_tables(text.replace("| here |", "| default |"))
    assert not typed_tables(f"```\n{text}```\n")
    marked = text.replace("| what", "<!-- table: t -->\n| what") + "<!-- end -->\n"
    assert not typed_tables(marked)
    assert bool(typed_tables(marked.replace("<!-- end -->", ""))) is results
