"""The stages of the puzzles of `hanabi logic puzzle`: against lists of worlds, the published results, and
as a user types them.
"""

import json
from itertools import product

import pytest
from typed import typed

from hanabi.logic.puzzles import muddy_children, person_of, play_through, wise_men

OWN = """people = ["Ann", "Bob"]
facts = ["rain", "wind"]
sees = {Ann = ["rain"]}
here = ["rain"]
said = ["rain | wind", "KAnn rain -> ~wind", "Bob?", "~KBob rain"]
"""


def listed(case, sees, rounds):
    """(worlds, who knows its own letter) before anything is said, after "not all are like the
    second letter", and after each round of those who say together whether they know: all worlds as
    tuples, and every one compared with every other.
    """
    case = tuple(letter in "RM" for letter in case)
    worlds, found = set(product((False, True), repeat=len(case))), []

    def knows(one, here):
        alike = [
            world for world in worlds if all(world[other] == here[other] for other in sees[one])
        ]
        return len({world[one] for world in alike}) == 1

    def note():
        found.append((len(worlds), [one for one in range(len(case)) if knows(one, case)]))

    note()
    worlds = {world for world in worlds if any(world)}
    note()
    for speakers in rounds:
        truth = [knows(one, case) for one in speakers]
        worlds = {world for world in worlds if [knows(one, world) for one in speakers] == truth}
        note()
    return found


def asked(puzzle):
    """The same of the puzzle as it is told."""
    return [
        (stage.count, [place for place, name in enumerate(puzzle.people) if stage.known[name]])
        for stage in play_through(puzzle)
    ]


@pytest.mark.parametrize(
    "seating, sees",
    [
        ("all", lambda i, n: {*range(n)} - {i}),
        ("ahead", lambda i, n: range(i + 1, n)),
        ("behind", lambda i, n: range(i)),
    ],
)
def test_wise_men_in_every_case(seating, sees):
    for count in (2, 3, 4):
        for case in list(product("RW", repeat=count))[:-1]:
            wanted = listed(
                case, [sees(man, count) for man in range(count)], [[man] for man in range(count)]
            )
            assert asked(wise_men(case="".join(case), seating=seating)) == wanted, case


def test_muddy_children_in_every_case():
    for case in list(product("MC", repeat=4))[:-1]:
        sees = [{*range(4)} - {child} for child in range(4)]
        assert asked(muddy_children(case="".join(case))) == listed(
            case, sees, [range(4)] * case.count("M")
        ), case


def test_what_the_literature_says():
    """Irvall's thesis: in RRR the third knows after two denials; in RRW the second knows.

    With k muddy children nobody knows for k-1 rounds, then they do, and after they say so all do.
    """
    stages = play_through(wise_men())
    assert [stage.count for stage in stages] == [8, 7, 6, 4, 4] and [
        stage.all_known for stage in stages[2:4]
    ] == [(), ("man 3",)]
    assert play_through(wise_men(case="RRW"))[2].all_known == ("man 2",)
    for muddy in (1, 2, 5):
        stages = play_through(muddy_children(case="M" * muddy + "C" * (5 - muddy)))
        assert [len(stage.all_known) for stage in stages] == [0] * muddy + [muddy, 5]
    assert play_through(muddy_children(9))[-1].count == 1


def test_as_typed(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    code, out, _ = typed("logic", "puzzle", "wise-men", "--case", "RRW")
    assert (
        code == 0 and "man 2: I know\n  2 worlds left: WRW RRW\n  who knows: man 2, man 3\n" in out
    )
    assert max(map(len, out.splitlines())) <= 60
    code, out, _ = typed("logic", "puzzle", "muddy-children", "-p", 3, "--json")
    assert code == 0 and [stage["worlds"] for stage in json.loads(out)] == [8, 7, 4, 1, 1]
    (tmp_path / "own.toml").write_text(OWN)
    code, out, _ = typed("logic", "puzzle", "own.toml", folder=tmp_path)
    assert (
        code == 0
        and "rain | wind\n  3 worlds left: {rain} {wind} {rain wind}\n  who knows: nobody\n" in out
    )
    assert (
        "KAnn rain -> ~wind\n  2 worlds left: {rain} {wind}\n  who knows: Ann (wind)\n\nBob: I do "
        "not know\n" in out
    )


@pytest.mark.parametrize(
    "words, change, error",
    [
        (
            ["wise"],
            (),
            "no puzzle 'wise' (did you mean 'wise-men'?); there are wise-men, muddy-children, and "
            ".toml files of your own",
        ),
        (
            ["wise-men", "--case", "WWW"],
            (),
            "nobody can say what is not true here: king: at least one hat is red",
        ),
        (
            ["wise-men", "--case", "RX"],
            (),
            "a case is written with 2 to 16 letters R and W, one per man, not 'RX'",
        ),
        (["wise-men", "--case", "RR", "-p", "3"], (), "the case RR is one of 2 people, not of 3"),
        (
            ["wise-men", "--seating", "round"],
            (),
            "no seating 'round'; there are all, ahead, behind",
        ),
        (["muddy-children", "-p", "17"], (), "a puzzle has 2 to 16 people, not 17"),
        (["own.toml", "-p", "3"], (), "the puzzle own.toml takes no --people"),
        (["own.toml"], ('"Bob?"', '"Eve?"'), "own.toml: column 4"),
        (
            ["own.toml"],
            ('"~KBob rain"', '"KBob rain"'),
            "nobody can say what is not true here: KBob rain",
        ),
        (
            ["own.toml"],
            ('here = ["rain"]', 'here = ["snow"]'),
            "own.toml: here names 'snow'; there are rain, wind",
        ),
        (["own.toml"], ("Ann = [", "Cal = ["), "own.toml: [sees] names 'Cal'; there are Ann, Bob"),
        (
            ["own.toml"],
            ('["rain", "wind"]', '["rain", "rain"]'),
            "own.toml: a puzzle has people and 1 to 16 facts, each once",
        ),
        (["own.toml"], ('["rain", "wind"]', '["rain", "wind & rain"]'), "own.toml: "),
        (["own.toml"], ("said =", "says ="), "own.toml: no key 'says'"),
    ],
)
def test_what_is_refused(words, change, error, tmp_path):
    (tmp_path / "own.toml").write_text(OWN.replace(*change) if change else OWN)
    code, out, err = typed("logic", "puzzle", *words, folder=tmp_path)
    assert code == 2 and error in err and out == "" and len(err.splitlines()) == 1, err


def considered(worlds, here, seen):
    """The worlds that agree with one in all that a person sees."""
    return {world for world in worlds if all(world[place] == here[place] for place in seen)}


def test_the_view_of_a_person_is_nested_as_listed():
    """M_3 of Irvall's figures, and of a longer row of men, against lists of worlds."""
    for case, seating in (("RRR", "all"), ("RWRR", "ahead")):
        puzzle = wise_men(case=case, seating=seating)
        for person in range(len(case)):
            for stage in play_through(puzzle, person):
                assert stage.view and stage.view.person == person
                left = set(stage.worlds)
                seen = [
                    [j for j in range(len(case)) if (j > i if seating == "ahead" else j != i)]
                    for i in range(len(case))
                ]
                assert set(stage.view.worlds) == considered(left, case, seen[person])
                for world, others in stage.view.worlds.items():
                    assert list(others) == [
                        name for place, name in enumerate(puzzle.people) if place != person
                    ]
                    for name, some in others.items():
                        place = puzzle.people.index(name)
                        assert set(some) == considered(left, world, seen[place])
                        assert len(some) == len(set(some))


def test_a_person_is_a_number_or_a_name():
    puzzle = muddy_children(2)
    assert [person_of(puzzle, text) for text in ("1", "2", "child 2")] == [0, 1, 1]
    with pytest.raises(ValueError, match="write a number from 1 to 2, or child 1, child 2"):
        person_of(puzzle, "3")
    code, out, _ = typed("logic", "puzzle", "wise-men", "--model", "3")
    assert code == 0 and "RRW, in which man 1 considers RRW WRW; man 2 considers RRW\n" in out
    data = json.loads(typed("logic", "puzzle", "wise-men", "--model", "3", "--json")[1])
    assert data[3]["view"] == {
        "person": 3,
        "worlds": {"RRR": {"man 1": ["RRR", "WRR"], "man 2": ["RRR", "RWR"]}},
    }
    code, out, err = typed("logic", "puzzle", "muddy-children", "--people", 7, "--model", 1)
    assert code == 0 and "M_1" in out and not err
