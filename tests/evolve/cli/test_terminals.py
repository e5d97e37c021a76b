"""What is printed fits the width that there is, loses nothing, and has colour where there is a
terminal and never elsewhere.
"""

import io
import json
import re
import sys
from textwrap import dedent

import pytest
import typer
from folders import FILES, lay_out
from typed import typed

from hanabi.evolve.cli import app as cli, printing
from hanabi.evolve.cli.command_registry import turns_in
from hanabi.evolve.cli.runs import print_agent
from hanabi.evolve.experiments.commands import print_report_tables
from hanabi.game_record import play_one
from hanabi.rules.agents import load
from hanabi.text.commentary import commentary
from hanabi.text.move_facts import BY_AGE, ENGINE, NUMBERINGS
from hanabi.text.transcript import game_text, replay
from hanabi.variant import Variant

COMMANDS = [
    "rules cig2018",
    "rules",
    "agents",
    "runs",
    "tournament mirror-situational-2018 piers -n 2",
    "tournament piers --mode mixed --pool mirror-situational-2018 -n 2 -p 3",
    "compare piers mirror-situational-2018 -n 2",
    "analyse --only parts one.toml -n 2 -p 2-3",
    "show convention -p 3 --seed 1 --marks --turns 30-40",
    "show position.toml",
    "show convention -p 2 --seed 1 --slots age",
    "show piers -p 5 --seed 2 --variant colours=6,hand=5",
    "show piers -p 4 --variant colours=6 --knowledge --turns 20-21",
    "ask piers game.toml --turn 0 --all",
    "ask game.toml --turn 1",
    "logic holds KAnn(playable(Bob,3)&playable(Bob,2)&playable(Bob,1)) game.toml",
    *(f"{name} --help" for name in typer.main.get_command(cli.app).commands),
]
ANSI = re.compile(r"\x1b\[[\d;]*m")


def fits(text, columns):
    lines = text.splitlines()
    assert lines and max(map(len, lines)) <= columns, max(lines, key=len)
    assert not [line for line in lines if line != line.rstrip()]


@pytest.mark.parametrize("columns", [60, pytest.param(80, marks=pytest.mark.slow)])
def test_every_command_fits(columns, tmp_path, monkeypatch):
    lay_out(tmp_path, FILES)
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in (
        COMMANDS if columns == 60 else (words for words in COMMANDS if not words.startswith("show"))
    ):
        code, out, err = typed(*words.split(), folder=tmp_path)
        assert code in (0, 1) and not err, err
        fits(out, columns)


def printed(capsys, columns, monkeypatch, show):
    monkeypatch.setenv("COLUMNS", str(columns))
    show()
    return capsys.readouterr().out


def test_what_needs_a_long_time_fits(capsys, monkeypatch):
    """The parts that print what `evolve` and `experiment` find."""
    columns = [
        "in the paper",
        "agent",
        "measured, paper's pool",
        "ours",
        "s.e.",
        "difference",
        "in s.e.",
        "says",
    ]
    says = "With [more] than 1 life, play it. " * 4
    rows = [
        ["MirrorSituational", "mirror-situational-2018", 19.32, 19.351, 0.081, 0.031, 0.4, says]
    ] * 2
    one = dict(title="A table. " * 9, columns=columns, rows=rows, note="It is said. " * 9)
    for width in (60, 80, 110, 300):
        text = printed(capsys, width, monkeypatch, lambda: print_report_tables([one]))
        fits(text, width)
        assert (
            not [name for name in columns if name not in text]
            and text.count("+0.031") == text.count("19.351") == 2
        )
        assert " ".join(text.split()).count("[more]") == 8
        fits(
            printed(capsys, width, monkeypatch, lambda: print_agent(load("convention-2026"))), width
        )


def test_a_table_is_split_where_its_groups_end(capsys, monkeypatch):
    def show():
        points = ["1.00", "2.00", "3.00", "4.00"]
        rows = [
            ["a" * 40, *points, "a source of many words, so that it has to be folded"],
            ["b", *points, ""],
        ]
        columns = ["<agent", ">2", ">3", "|>kept", ">zero", "|source"]
        printing.print_table("T", columns, rows)

    heads = [
        line.split()
        for line in printed(capsys, 60, monkeypatch, show).splitlines()
        if line.startswith("agent")
    ]
    assert heads == [["agent", "2", "3", "kept", "zero"], ["agent", "source"]]
    text = printed(capsys, 80, monkeypatch, show)
    assert (
        "a" * 40 in text
        and [line.split() for line in text.splitlines() if line.startswith("agent")] == heads
    )
    assert printed(capsys, 200, monkeypatch, show).splitlines()[2].split() == [
        "agent",
        "2",
        "3",
        "kept",
        "zero",
        "source",
    ]


def test_a_pipe_has_no_colour_and_a_terminal_the_same_letters(monkeypatch):
    words = "show", "convention-2026", "--players", "3", "--seed", "1", "--marks", "--turns", "40-"
    plain = typed(*words)[1]
    assert "\x1b" not in plain and "it does not fit, a life is lost" in plain
    assert "   2 moves left\n" in plain and "   1 move left\n" in plain
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = typed(*words)[1]
    assert ANSI.sub("", coloured) == plain
    for sight in (
        "31mR4",
        "94mB1",
        "32mG5",
        "33mY5",
        "> Bob",
        "a life is lost",
        "31mR\x1b[0m\x1b[94mB",
        "25 of 25 points",
    ):
        assert f"{sight}\x1b[0m" in coloured, sight
    assert re.search(r"\x1b\[[\d;]+m  = Promise", coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    assert typed(*words)[1] == plain


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    "lines, pager, used", [(30, True, True), (5, True, False), (30, False, False)]
)
def test_a_long_game_comes_by_the_pager(lines, pager, used, monkeypatch):
    paged, out = [], Terminal()
    monkeypatch.setattr("pydoc.pager", paged.append)
    for name, value in (
        ("TERM", "xterm"),
        ("LINES", "24"),
        ("COLUMNS", "80"),
        ("LESS", ""),
        ("MANPAGER", "none"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stdin", Terminal())
    printing.put_game("R1\n" * lines, pager)
    assert (len(paged), bool(out.getvalue())) == (used, not used)
    assert ANSI.sub("", "".join(paged) + out.getvalue()) == "R1\n" * lines


# Which turns, and which numbers slots have


@pytest.mark.parametrize(
    "text, found",
    [
        (None, None),
        ("10-20", range(10, 21)),
        ("10-", range(10, 66)),
        ("-20", range(21)),
        ("15", range(15, 16)),
        ("60-99", range(60, 66)),
    ],
)
def test_turns_are_read(text, found):
    assert turns_in(text, 66) == found


def test_some_turns_of_a_game(tmp_path):
    whole = typed("show", "piers", "-p", 3, "--seed", 7, "-o", "g.toml", folder=tmp_path)[1]
    head, turns = (
        whole[: whole.index("Turn 0 ")],
        re.split(r"\n\n(?=Turn|Game over)", whole[whole.index("Turn 0 ") :]),
    )
    assert (
        typed("show", "g.toml", "--turns", "3-4", folder=tmp_path)[1]
        == head + "\n\n".join(turns[3:5]) + "\n"
    )
    assert typed("show", "g.toml", "--turns", "64-", folder=tmp_path)[1] == head + "\n\n".join(
        turns[64:]
    )
    data = json.loads(typed("show", "g.toml", "--turns", "-1", "--json", folder=tmp_path)[1])
    assert [turn["turn"] for turn in data["turns"]] == [0, 1]


def test_a_game_with_numbers_by_age(tmp_path):
    out = typed(
        "show",
        "piers",
        "-p",
        3,
        "--seed",
        7,
        "--turns",
        11,
        "-o",
        "g.toml",
        folder=tmp_path,
    )[1]
    assert out == dedent("""\
        standard, 3 players, seed 7: Ann (piers), Bob (piers), Cal (piers)
        Slots count from 1, left to right, from the newest card to the oldest.
        Beside each card stands what the hints it got leave possible.

        Turn 11   R1 B0 G1 Y2 W0   tokens 5   lives 3   deck 29
          discards R2 G3
          Ann  Y4   G4 RBGW1345  W3 RBGW345  R1 RBGW1  G1 RBGW1
          Bob  W1   R5           B2 2345     G4 2345   B3 2345
        > Cal  B2   W3 2345      W4 2345     B3 2345   G3 2345
          Cal tells Bob: slot 1 is a 1.
            cig2018.tell_anyone_about_useful: Tell a player about a playable card, rank first.
        """)
    asked = [
        typed("ask", "piers", "g.toml", "--turn", 10, "--slots", slots, folder=tmp_path)[1]
        for slots in NUMBERINGS
    ]
    assert "Bob to move: discard 5" in asked[0] and "Bob to move: discard 0" in asked[1]
    known = typed("ask", "g.toml", "--turn", 11, "--slots", "age", folder=tmp_path)[1]
    assert "\n  1    B2   -" in known and "slot 5: Ann knows: not critical" in known
    data = [
        typed("show", "g.toml", "--json", "--slots", slots, folder=tmp_path)[1]
        for slots in NUMBERINGS
    ]
    assert data[0] == data[1], "data has engine slots"


@pytest.mark.parametrize("numbering", NUMBERINGS.values(), ids=NUMBERINGS)
def test_the_numbers_in_words_are_those_of_the_cards_as_printed(numbering):
    """Of every move and every promise: the card that stands at that place."""
    seated = [load("convention-2026").at(3)]
    game = play_one(Variant(players=3), seated, [0] * 3, 1)
    meant, own = (commentary(game, seated, [0] * 3, one) for one in (numbering, ENGINE))
    pointed = 0
    for turn, before in zip(replay(game, numbering), replay(game, ENGINE), strict=True):
        assert turn.move == before.move
        cards = {
            seat: [slot and slot["card"] for slot in hand] for seat, hand in turn.hands.items()
        }
        ages = [slot["age"] for slot in turn.hands[turn.seat] if slot]
        assert numbering is ENGINE or ages == sorted(ages)
        put = re.search(r"(?:plays|discards) (\w\d) from slot (\d)", turn.words)
        told = re.search(r"tells (\w+): slots? ([\d, and]+) (?:is|are) (?:a )?(\w+)", turn.words)
        if put:
            assert cards[turn.seat][int(put[2]) - numbering.by_age] == put[1]
        elif told:
            slots = [int(slot) - numbering.by_age for slot in re.findall(r"\d", told[2])]
            sign = told[3][0].upper() if told[3][0].isalpha() else told[3][0]
            assert slots == [
                slot for slot, card in enumerate(cards[told[1]]) if card and sign in card
            ]
        for line, same in zip(meant[turn.turn], own[turn.turn], strict=True):
            here, there = (
                re.match(r"(?:Promise|Warning) to (\w+).*?: slot (\d)", text)
                for text in (line, same)
            )
            if here:
                pointed += 1
                assert (
                    cards[here[1]][int(here[2]) - numbering.by_age]
                    == before.hands[there[1]][int(there[2])]["card"]
                )
    assert pointed > 5 and ("Slots count from 1" in game_text(game, numbering=numbering)) == (
        numbering is BY_AGE
    )
